//! Names and numbers of things, each a type of its own so that one cannot be given for another.
//!
//! ```compile_fail
//! use umpire::engine::{IssueNo, TurnNo};
//! let turn: TurnNo = IssueNo(1); // an issue is not a turn
//! ```

use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

macro_rules! name_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Wraps a name that is already in its canonical spelling.
            pub fn new(name: &str) -> Self {
                Self(name.into())
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $inner);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

name_id! {
    /// A seat at the table, by its slug in the campaign's data: `sweden`, `saxony_poland`.
    SeatId
}
name_id! {
    /// One game in an umpire's folder: `livonia`, `gnw1`.
    GameId
}
name_id! {
    /// A step of a system's sequence of play: `movement`, `battles`.
    StepName
}

number_id! {
    /// A turn of a game, counted from 1 in order of play.
    TurnNo(u32)
}
number_id! {
    /// A letter as the intake numbered it, unique in an umpire's folder. 0 stands for the umpire's own desk.
    LetterNo(u32)
}
number_id! {
    /// An edition of one turn's results, counted from 1; each ruling that changes them makes the next.
    IssueNo(u16)
}
number_id! {
    /// A ruling of the umpire, counted from 1 within its game.
    RulingNo(u32)
}
number_id! {
    /// A challenge to a result, counted from 1 within its game.
    ChallengeNo(u32)
}
number_id! {
    /// A unit (brigade, fleet, leader ...) by its number in the campaign's data. Units compare by number [R-003-103].
    UnitId(u16)
}

impl TurnNo {
    /// The turn after this one.
    pub fn next(self) -> TurnNo {
        TurnNo(self.0.saturating_add(1))
    }
}

impl IssueNo {
    /// The issue after this one.
    pub fn next(self) -> IssueNo {
        IssueNo(self.0.saturating_add(1))
    }
}

/// Who is looking: every view and every report is made for exactly one of these.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Viewer {
    /// Anyone: what may stand on the public page.
    Public,
    /// One seat: what its side may know.
    Seat(SeatId),
    /// The human umpire, who may know everything.
    Umpire,
}

impl Viewer {
    /// Whether this viewer may see what belongs to `seat` alone.
    pub fn may_see_secrets_of(&self, seat: &SeatId) -> bool {
        match self {
            Viewer::Public => false,
            Viewer::Seat(own) => own == seat,
            Viewer::Umpire => true,
        }
    }
}

/// Where an order came from: the letter, the line and the player's own words.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Source {
    /// The letter, as the intake numbered it.
    pub letter: LetterNo,
    /// The line of the letter's own text, counted from 1.
    pub line: u32,
    /// First character of the words within that line, counted from 0.
    pub column: u32,
    /// The words themselves, as typed.
    pub words: String,
}
