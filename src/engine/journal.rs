//! The journal of a game: inputs (setup, secret, orders, deadlines, rulings) and consequences (events), in the sequence in
//! which they became true. Nothing in it is ever changed; a correction is appended.

use super::dice::{Hash, Secret};
use super::game::JsonEvent;
use super::hosted::JsonRuling;
use super::ids::{ChallengeNo, IssueNo, LetterNo, SeatId, StepName, TurnNo};
use super::report::EventNo;
use super::seating::Absence;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use super::numbering::Numbering;

/// The version of [`Fact`] as JSON; the store writes it beside each row. 2 knows seats that change hands, absences, READY and why
/// a deadline moved; what is of version 1 reads as before.
pub const JOURNAL_VERSION: u32 = 2;

/// A player as the umpire enrolled him.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// Name, for salutations.
    pub name: String,
    /// The registered address: the only one that is ever written to.
    pub address: String,
    /// IANA time zone in which deadlines are told to him: `Europe/Stockholm`.
    pub zone: String,
}

/// A challenge as it was made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Challenge {
    /// Its number.
    pub no: ChallengeNo,
    /// The turn whose results are challenged.
    pub turn: TurnNo,
    /// The issue that was current when it came.
    pub issue: IssueNo,
    /// By whom.
    pub seat: SeatId,
    /// The event, if one was named.
    pub event: Option<EventNo>,
    /// The player's words.
    pub text: String,
    /// The letter.
    pub letter: LetterNo,
    /// When the mail server received it [R-003-84].
    pub received: Timestamp,
}

/// Why a deadline moved.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveCause {
    /// The umpire wished it.
    #[default]
    Umpire,
    /// The game was held, and got its time back.
    Held,
    /// A player said that he would be away.
    Absence,
    /// Too many had sent nothing.
    Missing,
    /// The results of the turn before can be challenged for longer.
    Window,
}

/// One thing that became true.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "fact")]
pub enum Fact {
    /// The game was opened. The campaign as used is kept whole, so that the game outlives changes to the shipped data.
    GameOpened {
        /// The campaign's name.
        campaign: String,
        /// The rule system.
        system: String,
        /// The campaign's files, path to text.
        files: BTreeMap<String, String>,
        /// The players by seat.
        players: BTreeMap<SeatId, Player>,
        /// The zone in which the game's deadlines stand.
        zone: String,
        /// The secret behind all dice of the game.
        secret: Secret,
    },
    /// A player took a seat, or a seated player's particulars changed.
    Enrolled {
        /// The seat.
        seat: SeatId,
        /// The player as he is from now on.
        player: Player,
    },
    /// A seat was left without a player. What he had sent for the open turn no longer counts [R-003-81].
    Vacated {
        /// The seat.
        seat: SeatId,
        /// Why.
        reason: String,
    },
    /// A second person may write for a seat, or (`None`) no longer may.
    Deputised {
        /// The seat.
        seat: SeatId,
        /// The deputy.
        deputy: Option<Player>,
    },
    /// A player said when he would be away.
    AbsenceSaid {
        /// The seat.
        seat: SeatId,
        /// When.
        absence: Absence,
    },
    /// A player is back, or not going: his absences end here.
    BackSaid {
        /// The seat.
        seat: SeatId,
        /// From when on.
        at: Timestamp,
    },
    /// What chance decided before the first turn, as the deal of the first hands. Comes once, before any turn.
    Opening {
        /// The root over the dice of turn 0, published from now on.
        root: Hash,
        /// The version of the rules that did it.
        rules_version: u32,
        /// What happened.
        events: Vec<JsonEvent>,
    },
    /// A turn was opened for orders.
    TurnOpened {
        /// Turn.
        turn: TurnNo,
        /// "Spring 1700".
        phase: String,
        /// The root over the turn's dice, published from now on.
        root: Hash,
        /// The rules' version.
        rules_version: u32,
        /// When orders close.
        deadline: Timestamp,
    },
    /// A letter's orders were taken into a seat's sheet.
    OrdersTaken {
        /// Turn.
        turn: TurnNo,
        /// Seat.
        seat: SeatId,
        /// The letter. What the umpire's hand enters is a letter of the intake, too.
        letter: LetterNo,
        /// The whole sheet that is in force from now on.
        sheet: serde_json::Value,
    },
    /// The deadline was moved.
    Extended {
        /// Turn.
        turn: TurnNo,
        /// The new deadline.
        deadline: Timestamp,
        /// Why, for the players.
        reason: String,
        /// What moved it.
        #[serde(default)]
        cause: MoveCause,
    },
    /// A player said that he was ready to have the turn closed (READY), or that he was not (WAIT).
    ReadySaid {
        /// Turn.
        turn: TurnNo,
        /// Seat.
        seat: SeatId,
        /// Whether he is.
        ready: bool,
        /// The letter.
        letter: LetterNo,
        /// When the mail server received it [R-003-84].
        received: Timestamp,
    },
    /// Those who had sent nothing were reminded.
    Reminded {
        /// Turn.
        turn: TurnNo,
        /// The deadline of which they were reminded.
        deadline: Timestamp,
        /// How long before it, in seconds, as the umpire had chosen.
        ahead: i64,
        /// Who.
        seats: Vec<SeatId>,
    },
    /// All were ready: orders close here and not at the deadline.
    ClosedEarly {
        /// Turn.
        turn: TurnNo,
        /// The moment; what was received until then counts.
        deadline: Timestamp,
    },
    /// The umpire stopped the game's clock.
    Held {
        /// Why.
        reason: String,
    },
    /// The clock runs again.
    Resumed {
        /// Why.
        reason: String,
    },
    /// Orders closed.
    Sealed {
        /// Turn.
        turn: TurnNo,
        /// Seats with a player that owed orders and sent no word; `None` in journals of version 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        silent: Option<Vec<SeatId>>,
        /// Seats that had no player [R-003-81].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        vacant: Vec<SeatId>,
    },
    /// The turn was adjudicated.
    Adjudicated {
        /// Turn.
        turn: TurnNo,
        /// Which issue of its results.
        issue: IssueNo,
        /// The version of the rules that did it.
        rules_version: u32,
        /// What happened.
        events: Vec<JsonEvent>,
        /// The numbers under which it is reported.
        numbering: Numbering,
        /// Set if a step stopped with a question: the step, the seat that is asked, the question. The turn that is opened
        /// next is the answer to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        asks: Option<(StepName, SeatId, String)>,
    },
    /// The umpire released results that waited for his review (`post = "after-review"`), or they went out by themselves.
    Announced {
        /// Turn.
        turn: TurnNo,
        /// Issue.
        issue: IssueNo,
        /// When challenges close.
        until: Timestamp,
    },
    /// The umpire ruled.
    Ruled {
        /// Turn.
        turn: TurnNo,
        /// The ruling.
        ruling: JsonRuling,
        /// His reason, for the players.
        reason: String,
    },
    /// A player challenged a result.
    Challenged {
        /// The challenge.
        challenge: Challenge,
    },
    /// The umpire answered a challenge.
    ChallengeAnswered {
        /// Which.
        challenge: ChallengeNo,
        /// His words.
        answer: String,
        /// Whether he found that the player was right.
        upheld: bool,
    },
    /// The results became official.
    Official {
        /// Turn.
        turn: TurnNo,
        /// The issue that counts.
        issue: IssueNo,
    },
}

/// A fact with its place in the journal and the moment at which it was written.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Written {
    /// Place in the game's journal, from 1.
    pub seq: u64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub fact: Fact,
}
