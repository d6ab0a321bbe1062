//! The umpire's rulings on a turn, in the terms of its rule system. A ruling never edits: it is appended, and the turn is
//! adjudicated again with it.

use super::dice::DieKey;
use super::ids::{LetterNo, RulingNo, SeatId, StepName};
use super::sheet::Held;
use serde::{Deserialize, Serialize};

/// What is ruled. `O` and `E` are the system's orders and events; the journal keeps them as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RulingKind<O, E> {
    /// The order in this line of this letter is void. Several orders of one line are struck together unless `words` names one.
    StrikeOrder {
        /// Whose.
        seat: SeatId,
        /// Letter.
        letter: LetterNo,
        /// Line in it.
        line: u32,
        /// The words of the one order meant, empty for all of the line.
        words: String,
    },
    /// An order that was missed or refused is admitted, at the end of the seat's sheet.
    AdmitOrder {
        /// Whose.
        seat: SeatId,
        /// The order.
        held: Held<O>,
    },
    /// One die is set to a face.
    FixDie {
        /// The volley, without any re-roll.
        key: DieKey,
        /// Which die of it, from 0.
        die: usize,
        /// The face, 1 to 6.
        face: u8,
    },
    /// A volley is thrown again, from a key that carries this ruling's number.
    Reroll {
        /// The volley, without any re-roll.
        key: DieKey,
    },
    /// An event is imposed after a step.
    Impose {
        /// The step after which it happens.
        after: StepName,
        /// The event.
        event: E,
        /// The umpire's words for it.
        words: String,
    },
    /// An earlier ruling no longer stands.
    Withdraw {
        /// Which.
        ruling: RulingNo,
    },
}

/// A ruling with its number and the umpire's reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ruling<O, E> {
    /// Its number in the game.
    pub no: RulingNo,
    /// What.
    #[serde(flatten)]
    pub kind: RulingKind<O, E>,
}

/// The rulings still in force: those not withdrawn by a later one.
pub fn in_force<O, E>(rulings: &[Ruling<O, E>]) -> impl Iterator<Item = &Ruling<O, E>> {
    let withdrawn: Vec<RulingNo> = rulings.iter().rev().fold(Vec::new(), |mut gone, ruling| {
        if let RulingKind::Withdraw { ruling: earlier } = &ruling.kind
            && !gone.contains(&ruling.no)
        {
            gone.push(*earlier);
        }
        gone
    });
    rulings.iter().filter(move |r| !withdrawn.contains(&r.no) && !matches!(r.kind, RulingKind::Withdraw { .. }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruling(no: u32, kind: RulingKind<u8, u8>) -> Ruling<u8, u8> {
        Ruling { no: RulingNo(no), kind }
    }

    fn impose(no: u32) -> Ruling<u8, u8> {
        ruling(no, RulingKind::Impose { after: StepName::new("control"), event: 1, words: String::new() })
    }

    fn withdraw(no: u32, earlier: u32) -> Ruling<u8, u8> {
        ruling(no, RulingKind::Withdraw { ruling: RulingNo(earlier) })
    }

    fn standing(rulings: &[Ruling<u8, u8>]) -> Vec<u32> {
        in_force(rulings).map(|r| r.no.0).collect()
    }

    #[test]
    fn a_withdrawn_ruling_does_not_count() {
        assert_eq!(standing(&[impose(1), impose(2), withdraw(3, 1)]), [2]);
    }

    #[test]
    fn a_withdrawal_can_be_withdrawn() {
        assert_eq!(standing(&[impose(1), withdraw(2, 1), withdraw(3, 2)]), [1]);
    }
}
