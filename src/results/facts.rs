//! What each letter and page may say: the facts that the templates are given. Nothing here is prose.

use crate::engine::report::{Report, Table};
use crate::engine::sheet::{Complaint, SheetText};
use crate::engine::{EventNo, Revealed, Stands};
use serde::Serialize;

/// A moment as it is told to one reader.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Moment {
    /// "Friday 4 December 2026, 20:00", in the reader's own zone.
    pub text: String,
    /// The zone: "Europe/Stockholm".
    pub zone: String,
    /// "in 3 days and 4 hours", from the moment of writing; empty when it has passed.
    pub away: String,
    /// RFC 3339 in UTC, for programs and the page's countdown.
    pub utc: String,
}

/// What every letter about a game knows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Occasion {
    /// The game's slug, as in the subject's brackets.
    pub game: String,
    /// The rule system, which chooses the templates.
    pub system: String,
    /// The campaign's title.
    pub title: String,
    /// "Spring 1700".
    pub phase: String,
    /// The turn's number.
    pub turn: u32,
    /// The reader's seat by name; empty for a stranger and on the public page.
    pub seat: String,
    /// The reader's name; empty for a stranger.
    pub player: String,
    /// The address to which orders are sent.
    pub umpire_address: String,
}

/// An acknowledgement of orders, and what `umpire check` and `umpire review` print.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Acknowledgement {
    /// Game, turn, reader.
    pub occasion: Occasion,
    /// Which letter of the seat's this turn it answers, from 1; 0 for a check without a letter.
    pub letter: u32,
    /// Receipt code: "5F2C-91AA"; empty for a check.
    pub receipt: String,
    /// The orders were entered by the umpire for the player.
    pub by_umpire: bool,
    /// The whole sheet in force.
    pub sheet: SheetText,
    /// Lines left out as quotes, signatures and the like, a phrase each: "lines 9-20, a quoted letter".
    pub left_out: Vec<String>,
    /// When orders close.
    pub deadline: Moment,
    /// The published root of the turn's dice.
    pub root: String,
    /// The reader's purse and hand, short.
    pub standing: Vec<Table>,
    /// What happened to the sheet besides this letter (a corrected result changed the position, ...), a sentence each.
    pub remarks: Vec<String>,
}

/// How a corrected issue differs from the one before, for this reader.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Changes {
    /// The rulings that made it: their words and the umpire's reason.
    pub rulings: Vec<RulingText>,
    /// Numbers of events that are told differently now.
    pub changed: Vec<EventNo>,
    /// Numbers of events that no longer happen, with the sentence that stood there.
    pub struck: Vec<StruckText>,
    /// Numbers of new events.
    pub added: Vec<EventNo>,
}

/// A ruling as told.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RulingText {
    /// Its number.
    pub no: u32,
    /// What was ruled, if this reader may know; else empty.
    pub what: String,
    /// Why.
    pub reason: String,
}

/// An event that a corrected issue strikes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StruckText {
    /// Its number.
    pub no: EventNo,
    /// What had been told.
    pub text: String,
}

/// Results, preliminary or official, by letter or on the page.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Results {
    /// Game, turn, reader.
    pub occasion: Occasion,
    /// `preliminary` or `official`.
    pub stage: String,
    /// The issue, from 1.
    pub issue: u16,
    /// When challenges close; `None` when official.
    pub until: Option<Moment>,
    /// What happened, as this reader may know it.
    pub report: Report,
    /// How it differs from the issue before.
    pub changes: Option<Changes>,
    /// The root under which this turn's dice stand.
    pub root: String,
    /// Secrets this reader gets with the official results.
    pub revealed: Vec<Revealed>,
    /// The coming turn: its name, when its orders close and the root of its dice; `None` when there is none.
    pub next: Option<NextTurn>,
    /// Seats from which nothing came, by name.
    pub without_orders: Vec<String>,
    /// If nothing came from the reader's own seat: what stood for it, a sentence or two. Else empty.
    pub own_silence: String,
    /// Seats that had no player, by name.
    pub vacant: Vec<String>,
}

/// What a newcomer in a seat, or a deputy, has to know.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Briefing {
    /// Game, turn, reader.
    pub occasion: Occasion,
    /// He writes beside the seat's player.
    pub deputy: bool,
    /// When orders close, if a turn takes any.
    pub deadline: Option<Moment>,
    /// The published root of the turn's dice.
    pub root: String,
    /// The orders that are held for the open turn, in canonical words.
    pub orders: Vec<String>,
    /// What stands for a turn without orders.
    pub stands: Option<Stands>,
    /// What happens without orders, a sentence.
    pub without_orders: String,
    /// Board, hand, purse, wars: all that the seat may know.
    pub tables: Vec<Table>,
}

/// The turn that follows.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NextTurn {
    /// "Summer 1700".
    pub phase: String,
    /// When its orders close.
    pub deadline: Moment,
    /// The root of its dice.
    pub root: String,
}

/// A challenge: received, refused or answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ChallengeNews {
    /// Game, turn, reader.
    pub occasion: Occasion,
    /// `received`, `refused` or `answered`.
    pub state: String,
    /// Its number; 0 when refused.
    pub no: u32,
    /// The event's number as typed; empty if none was named.
    pub event: String,
    /// The player's words.
    pub text: String,
    /// When the mail server received it.
    pub received: Moment,
    /// When the window closes or closed, if there is one.
    pub until: Option<Moment>,
    /// The umpire's answer, or why it was refused.
    pub answer: String,
    /// Whether it was upheld.
    pub upheld: bool,
}

/// Any other short letter about a game: the deadline moved, the game held, a correction to orders ...
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Notice {
    /// Game, turn, reader.
    pub occasion: Occasion,
    /// Which block of the template words it: `extended`, `held`, `resumed`, `late`, `no_orders_found`, `unknown_sender`,
    /// `no_such_game`, `too_large`, `unreadable`, `opened`, `help`, `corrected`, `window_moved`, `no_orders_wanted`,
    /// `reminder`, `missing`, `missing_for_umpire`, `closed_early`, `absent`, `absent_unclear`, `back`, `seat_left`,
    /// `former_player`, `deputy`, `unreachable` (to the umpire).
    pub kind: String,
    /// The umpire's reason, if he gave one.
    pub reason: String,
    /// A moment that matters: the new deadline, the deadline missed.
    pub moment: Option<Moment>,
    /// A second one: the time of receipt.
    pub received: Option<Moment>,
    /// The subject of the letter answered; empty if there was none.
    pub about: String,
    /// Complaints to be listed.
    pub complaints: Vec<Complaint>,
    /// Lines that are shown as they are: standing orders, days.
    pub lines: Vec<String>,
}

/// The public page's index entry for a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TurnLink {
    /// "Spring 1700".
    pub phase: String,
    /// `open`, `sealed`, `preliminary` or `official`.
    pub stage: String,
    /// The page's file name; empty while there is none.
    pub file: String,
    /// When it was or will be: the deadline of an open turn, the window's end of a preliminary one.
    pub moment: Option<Moment>,
}

/// A challenge on the public page: number, event and state, and the text only where every reader may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PublicChallenge {
    /// Number.
    pub no: u32,
    /// Event as typed, if it is a public one.
    pub event: String,
    /// `open`, `upheld` or `answered`.
    pub state: String,
    /// "Spring 1700".
    pub phase: String,
}

/// A game's front page.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FrontPage {
    /// Game and current turn.
    pub occasion: Occasion,
    /// All turns, newest first.
    pub turns: Vec<TurnLink>,
    /// Challenges, newest first.
    pub challenges: Vec<PublicChallenge>,
    /// Rulings, newest first: phase and text.
    pub rulings: Vec<(String, RulingText)>,
    /// Who sits where: seat name and player name.
    pub seats: Vec<(String, String)>,
    /// The house rules in force: name, value, meaning.
    pub house_rules: Vec<(String, String, String)>,
    /// Why the game is held, if it is.
    pub held: Option<String>,
    /// Roots of the turns' dice and secrets published: turn phase, root, how many secrets are public.
    pub roots: Vec<(String, String, Vec<Revealed>)>,
}
