//! The generic core: what every rule system and the desk agree on. No input or output, no clock, no rules.
//!
//! [`Rules`] is what a system is written as, [`Game`] what the desk sees of it. [`dice`] are keyed and checkable,
//! [`working`] runs a turn's steps, [`journal`] and [`turn`] keep the truth, [`sheet`] holds a seat's orders, [`report`]
//! what may be told.

pub mod board_picture;
pub mod cite;
pub mod dice;
pub mod fault;
pub mod game;
pub mod hex;
mod hosted;
pub mod ids;
pub mod journal;
pub mod numbering;
pub mod report;
pub mod ruling;
pub mod sheet;
pub mod survey;
pub mod turn;
pub mod working;

pub use cite::{Cite, bracketed};
pub use dice::{Dice, DieKey, Hash, Revealed, Roll, Scope, Secret, TurnSecret};
pub use fault::DataFault;
pub use game::{Expectation, Flow, Game, Inputs, JournalFault, JsonEvent, JsonInputs, Orders, Rules, SeatInfo, Step};
pub use hex::{Grid, HexId, HexSide};
pub use hosted::{Hosted, JsonRuling};
pub use ids::{ChallengeNo, GameId, IssueNo, LetterNo, RulingNo, SeatId, Source, StepName, TurnNo, UnitId, Viewer};
pub use journal::{Challenge, Fact, Numbering, Player, Written};
pub use report::{Audience, Entry, EventNo, Report, Table};
pub use ruling::{Ruling, RulingKind};
pub use sheet::{Complaint, ComplaintKind, Held, Reading, Sheet, SheetText, Span, Superseded, TextLine};
pub use survey::Survey;
pub use turn::{Issue, Opening, Record, Stage, Turn, Window};
pub use working::{Cause, EventId, Recorded, Working};
