//! Who sits where, who sat there before, who is away, and who let a turn go by without a word.

use super::ids::{LetterNo, SeatId, TurnNo};
use super::journal::{Fact, Player, Written};
use super::turn::{Record, Stage};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Days on which a player cannot write, as he announced them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Absence {
    /// The first day, in the player's zone.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// The first instant of the first day.
    pub begins: Timestamp,
    /// The first instant after the last day.
    pub ends: Timestamp,
    /// The letter that said so; `None` if the umpire entered it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub letter: Option<LetterNo>,
}

impl Absence {
    /// Whether the player is away at this moment.
    pub fn covers(&self, at: Timestamp) -> bool {
        self.begins <= at && at < self.ends
    }
}

/// What a record knows of its seats beside the players who sit in them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Seating {
    /// A second person who may write for a seat.
    pub deputies: BTreeMap<SeatId, Player>,
    /// Those who sat in a seat and sit there no more, oldest first.
    pub former: Vec<(SeatId, Player)>,
    /// Absences announced by those who sit now, in the sequence in which they were announced.
    pub absences: BTreeMap<SeatId, Vec<Absence>>,
    /// The turns for which nothing came from those who sit now, announced absences left aside.
    pub missed: BTreeMap<SeatId, Vec<TurnNo>>,
}

impl Record {
    /// All who may write for a seat: its player, then his deputy.
    pub fn writers(&self, seat: &SeatId) -> impl Iterator<Item = &Player> {
        self.players.get(seat).into_iter().chain(self.seating.deputies.get(seat))
    }

    /// The announced absence that covers a moment.
    pub fn away(&self, seat: &SeatId, at: Timestamp) -> Option<&Absence> {
        self.seating.absences.get(seat)?.iter().find(|absence| absence.covers(at))
    }

    /// Folds a fact about seats; says whether it was one.
    pub(super) fn add_seating(&mut self, written: &Written) -> bool {
        match &written.fact {
            Fact::Enrolled { seat, player } => {
                let old = self.players.insert(seat.clone(), player.clone());
                if let Some(old) = old.filter(|old| !old.address.eq_ignore_ascii_case(&player.address)) {
                    self.left(seat, old);
                }
            }
            Fact::Vacated { seat, .. } => {
                self.dismiss_deputy(seat);
                if let Some(old) = self.players.remove(seat) {
                    self.left(seat, old);
                }
                for turn in self.turns.iter_mut().filter(|turn| turn.stage == Stage::Open) {
                    turn.forget(seat);
                }
            }
            Fact::Deputised { seat, deputy } => {
                self.dismiss_deputy(seat);
                self.seating.deputies.extend(deputy.iter().map(|deputy| (seat.clone(), deputy.clone())));
            }
            Fact::AbsenceSaid { seat, absence } => {
                self.seating.absences.entry(seat.clone()).or_default().push(absence.clone());
            }
            Fact::BackSaid { seat, at } => {
                let said = self.seating.absences.entry(seat.clone()).or_default();
                said.retain(|absence| absence.begins < *at);
                for absence in said {
                    absence.ends = absence.ends.min(*at);
                }
            }
            _ => return false,
        }
        true
    }

    fn dismiss_deputy(&mut self, seat: &SeatId) {
        let old = self.seating.deputies.remove(seat);
        self.seating.former.extend(old.map(|old| (seat.clone(), old)));
    }

    fn left(&mut self, seat: &SeatId, old: Player) {
        // The same person under a new address stays what he was; only his old address is not his seat's any more.
        let same_person = self.players.get(seat).is_some_and(|player| player.name == old.name);
        self.seating.former.push((seat.clone(), old));
        if same_person {
            return;
        }
        self.seating.absences.remove(seat);
        self.seating.missed.remove(seat);
        for turn in &mut self.turns {
            turn.ready.remove(seat);
        }
    }

    pub(super) fn count_missed(&mut self, turn: TurnNo, silent: &[SeatId], deadline: Timestamp) {
        for seat in silent {
            if self.away(seat, deadline).is_none() {
                self.seating.missed.entry(seat.clone()).or_default().push(turn);
            }
        }
    }
}
