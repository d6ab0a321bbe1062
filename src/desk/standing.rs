//! What becomes of a letter that still waits when a newer one says all that it says: it is dropped, lest a player whose mail was
//! away for a day gets a flood of what is no longer true. Results, corrections, challenges and rulings are never dropped.

use super::DeskError;
use super::room::Room;
use crate::engine::{GameId, TurnNo};
use crate::store::Replaced;

/// What a letter stands for as long as it waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Standing {
    /// The orders of a seat, acknowledged.
    Orders(TurnNo),
    /// The orders of a seat, because it asked.
    Status(TurnNo),
    /// Orders are still missing.
    Reminder(TurnNo),
    /// When orders close.
    Deadline(TurnNo),
    /// When challenges close.
    Window(TurnNo),
    /// How it works.
    Help,
    /// Nothing that anything could take the place of.
    Lasting,
}

impl Standing {
    /// What a notice stands for, by its kind ([`crate::results::facts::Notice::kind`]).
    pub fn of_notice(kind: &str, turn: Option<TurnNo>) -> Self {
        match (kind, turn) {
            ("reminder", Some(turn)) => Standing::Reminder(turn),
            ("extended" | "resumed", Some(turn)) => Standing::Deadline(turn),
            ("window_moved", Some(turn)) => Standing::Window(turn),
            ("help", _) => Standing::Help,
            _ => Standing::Lasting,
        }
    }

    /// The name under which it waits; `None` if it stays.
    pub fn name(self) -> Option<String> {
        match self {
            Standing::Orders(turn) => Some(format!("orders {turn}")),
            Standing::Status(turn) => Some(format!("status {turn}")),
            Standing::Reminder(turn) => Some(format!("reminder {turn}")),
            Standing::Deadline(turn) => Some(format!("deadline {turn}")),
            Standing::Window(turn) => Some(format!("window {turn}")),
            Standing::Help => Some("help".to_owned()),
            Standing::Lasting => None,
        }
    }

    /// What it takes the place of, and why.
    fn replaces(self) -> Vec<(Standing, &'static str)> {
        match self {
            Standing::Orders(turn) => vec![
                (self, "a newer acknowledgement holds all orders"),
                (Standing::Status(turn), "a newer acknowledgement holds all orders"),
                (Standing::Reminder(turn), "the orders came"),
            ],
            Standing::Status(_) => vec![(self, "a newer answer to STATUS holds all orders")],
            Standing::Reminder(_) => vec![(self, "a newer reminder")],
            Standing::Deadline(turn) => {
                vec![(self, "a newer deadline"), (Standing::Reminder(turn), "the deadline was moved")]
            }
            Standing::Window(_) => vec![(self, "a newer end of the challenges")],
            Standing::Help => vec![(self, "the same help again")],
            Standing::Lasting => Vec::new(),
        }
    }
}

/// Drops what waits for the same reader and is said by the new letter `by`.
pub(super) fn take_place(room: &Room<'_>, to: &super::room::Address<'_>, by: i64) -> Result<(), DeskError> {
    let (Some(game), Some(seat)) = (to.game, to.seat) else { return Ok(()) };
    for (old, why) in to.standing.replaces() {
        let Some(name) = old.name() else { continue };
        let what = Replaced { game, seat: Some(seat), recipient: Some(to.address), standing: &name, by: Some(by), why };
        room.tx.replace(&what, room.now)?;
    }
    Ok(())
}

/// Orders have closed: nobody is reminded of them any more, and no deadline of theirs is news.
pub(super) fn turn_closed(room: &Room<'_>, game: &GameId, turn: TurnNo) -> Result<(), DeskError> {
    for stale in [Standing::Reminder(turn), Standing::Deadline(turn)] {
        let Some(name) = stale.name() else { continue };
        let what = Replaced { game, seat: None, recipient: None, standing: &name, by: None, why: "orders have closed" };
        room.tx.replace(&what, room.now)?;
    }
    Ok(())
}
