//! What a verb works with: the transaction, the templates, the time; and how it writes letters.

use super::standing::{self, Standing};
use super::table::Table;
use super::{DeskError, Policy};
use crate::engine::{Fact, GameId, LetterNo, SeatId, Secret, TurnNo, Written};
use crate::mail::Letter;
use crate::post::{AutoSubmitted, Draft, MessageIds, Party, compose};
use crate::results::{Dispatch, Templates};
use crate::store::{NewPost, Tx};
use jiff::Timestamp;

/// The room a verb works in.
pub(super) struct Room<'a> {
    pub tx: &'a Tx<'a>,
    pub policy: &'a Policy,
    pub templates: &'a Templates,
    pub ids: &'a MessageIds,
    pub secret: &'a Secret,
    /// By which reckoning rows of the agenda are made ([`super::agenda`]).
    pub edition: u32,
    pub now: Timestamp,
}

/// What kind of letter goes out: a part of its Message-ID.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Acknowledgement,
    Results,
    Challenge,
    Notice,
    /// Dropped if orders come before it has left.
    Reminder,
    /// What a newcomer has to know.
    Briefing,
    /// To the umpire himself.
    Advice,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Acknowledgement => "acknowledgement",
            Kind::Results => "results",
            Kind::Challenge => "challenge",
            Kind::Notice => "notice",
            Kind::Reminder => "reminder",
            Kind::Briefing => "briefing",
            Kind::Advice => "advice",
        }
    }
}

/// Why a letter is written: the other part of its Message-ID, so that the same cause never writes twice.
#[derive(Clone, Debug)]
pub(super) enum Why<'l> {
    /// It answers a letter. The ordinal counts answers of one kind to one letter.
    Answer { letter: LetterNo, ordinal: usize, to: Option<&'l Letter> },
    /// It tells of an entry of the game's journal.
    Entry(u64),
    /// It tells of something that stands in no journal, named here.
    Matter(String),
}

impl Why<'_> {
    pub fn cause(&self, game: Option<&GameId>) -> String {
        match self {
            Why::Answer { letter, ordinal: 0, .. } => format!("letter {letter}"),
            Why::Answer { letter, ordinal, .. } => format!("letter {letter} {ordinal}"),
            Why::Entry(seq) => cause_of_entry(game, *seq),
            Why::Matter(what) => what.clone(),
        }
    }
}

/// The cause of letters that tell of an entry of a journal.
pub(super) fn cause_of_entry(game: Option<&GameId>, seq: u64) -> String {
    format!("{} {seq}", game.map_or("", GameId::as_str))
}

/// To whom, and about what.
pub(super) struct Address<'l> {
    pub kind: Kind,
    pub why: Why<'l>,
    /// What it stands for as long as it waits.
    pub standing: Standing,
    /// The turn in whose thread it belongs.
    pub thread: Option<TurnNo>,
    pub game: Option<&'l GameId>,
    pub seat: Option<&'l SeatId>,
    pub name: &'l str,
    pub address: &'l str,
    /// The turn for which a reply to the letter holds orders.
    pub turn: Option<TurnNo>,
    /// It goes to a second reader of the same seat: a letter of its own, with a Message-ID of its own.
    pub second: bool,
}

impl Address<'_> {
    /// What the Message-ID is made of: every reader's copy has its own.
    fn copy_of(&self, cause: &str) -> String {
        if self.second { format!("{cause} to {}", self.address) } else { cause.to_owned() }
    }
}

impl Room<'_> {
    /// Appends a fact to a game's journal and to its record.
    pub fn append(&self, table: &mut Table, fact: Fact) -> Result<Written, DeskError> {
        let written = self.tx.append(&table.id, self.now, fact)?;
        table.add(&written)?;
        Ok(written)
    }

    /// Puts a letter into the outbox, unless it answers and its reader has had his share of answers for this hour (then
    /// `false`): two programs that answer each other must fall silent.
    pub fn send(&self, to: &Address<'_>, dispatch: Dispatch) -> Result<bool, DeskError> {
        let answer = match &to.why {
            Why::Answer { to, .. } => Some(*to),
            Why::Entry(_) | Why::Matter(_) => None,
        };
        if answer.is_some() && !self.may_answer(to.address)? {
            return Ok(false);
        }
        let answered = answer.flatten();
        let cause = to.why.cause(to.game);
        let nowhere = GameId::new("");
        let about = to.game.unwrap_or(&nowhere);
        // A stranger has no seat: his address takes its place, lest two strangers' letters be one.
        let stranger = SeatId::new(to.address);
        let message_id =
            self.ids.make(about, to.kind.as_str(), Some(to.seat.unwrap_or(&stranger)), &to.copy_of(&cause));
        let draft = Draft {
            from: Party { name: Some(self.policy.umpire_name.clone()), address: self.policy.umpire_address.clone() },
            to: Party {
                name: Some(to.name.to_owned()).filter(|name| !name.is_empty()),
                address: to.address.to_owned(),
            },
            subject: dispatch.subject,
            text: dispatch.text,
            html: dispatch.html,
            message_id: message_id.clone(),
            in_reply_to: answered.and_then(|letter| letter.message_id.clone()),
            references: answered.map_or(Vec::new(), |letter| letter.references.clone()),
            thread: to.thread.zip(to.game).zip(to.seat).map(|((turn, game), seat)| self.thread(game, seat, turn)),
            date: self.now,
            auto_submitted: if answer.is_some() { AutoSubmitted::Replied } else { AutoSubmitted::Generated },
            list_id: to.game.map(|game| format!("{game}.{}", self.ids.domain())),
            attachments: Vec::new(),
        };
        let post = NewPost {
            message_id,
            game: to.game.cloned(),
            seat: to.seat.cloned(),
            recipient: to.address.to_owned(),
            kind: to.kind.as_str().to_owned(),
            turn: to.turn,
            cause,
            standing: to.standing.name(),
            raw: compose(&draft)?,
        };
        if let Some(id) = self.tx.post(&post, self.now)? {
            standing::take_place(self, to, id)?;
        }
        Ok(true)
    }

    /// The name of a turn's thread for one seat. It is the Message-ID of no letter: the turn's first letter may be results, an
    /// acknowledgement or a reminder, and mail programs put together what names the same parent, whether they have it or not.
    fn thread(&self, game: &GameId, seat: &SeatId, turn: TurnNo) -> String {
        self.ids.make(game, "thread", Some(seat), &format!("turn {turn}"))
    }

    /// Whether one more answer may go to this address within the hour.
    pub fn may_answer(&self, address: &str) -> Result<bool, DeskError> {
        let since = self.now - jiff::SignedDuration::from_hours(1);
        Ok(self.tx.written_since(address, since)? < self.policy.answers_per_hour)
    }
}
