//! Seals and adjudicates a turn, and releases results that waited for the umpire.

use super::announce;
use super::guard;
use super::policy::Posting;
use super::room::Room;
use super::table::{Table, rules_of};
use super::{Desk, DeskError};
use crate::engine::{
    Dice, Fact, GameId, IssueNo, JsonEvent, JsonInputs, JsonRuling, Numbering, SeatId, Stage, StepName, TurnNo,
    TurnSecret,
};
use jiff::Timestamp;

/// What closing a turn came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Closed {
    /// Nothing is due; why not, a sentence.
    NotYet(String),
    /// It was sealed and adjudicated.
    Done {
        /// The turn.
        turn: TurnNo,
        /// What it is called.
        phase: String,
        /// How many events there were.
        events: usize,
        /// When challenges close; `None` if the results wait for the umpire's review.
        until: Option<Timestamp>,
    },
}

impl Desk {
    /// Seals the open turn of a game, adjudicates it and posts the results, if it is due: its deadline has passed, and a complete
    /// intake that began at `intake_began` has succeeded since. The turn before must be official.
    ///
    /// # Errors
    /// If it is due and cannot be done; then nothing has changed.
    pub fn close_if_due(
        &mut self,
        game: &GameId,
        intake_began: Timestamp,
        now: Timestamp,
    ) -> Result<Closed, DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            match why_not(room, table, intake_began)? {
                Ok(turn) => close(room, table, turn),
                Err(reason) => Ok(Closed::NotYet(reason)),
            }
        })
    }

    /// Releases results that wait for the umpire's review (`post = "after-review"`).
    ///
    /// # Errors
    /// If none wait.
    pub fn release(&mut self, game: &GameId, now: Timestamp) -> Result<Timestamp, DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let waiting = table.record.turns.iter().find(|turn| turn.stage == Stage::Sealed && !turn.issues.is_empty());
            let Some(turn) = waiting.map(|turn| turn.no) else {
                let help = "they wait only where umpire.toml says post = \"after-review\", from the closing on";
                return Err(DeskError::refused(format!("no results of {game} wait for release"), help));
            };
            announce::first(room, table, turn)
        })
    }
}

/// The turn that is due, or why none is.
fn why_not(room: &Room<'_>, table: &mut Table, intake_began: Timestamp) -> Result<Result<TurnNo, String>, DeskError> {
    if let Some((_, reason)) = &table.record.held {
        return Ok(Err(format!("the game is held: {reason}")));
    }
    let Some(turn) = table.record.turns.iter().find(|turn| turn.stage == Stage::Open).cloned() else {
        return Ok(Err("no turn takes orders".to_owned()));
    };
    if table.record.current().is_some_and(|current| current.no != turn.no) {
        return Ok(Err(format!("{} waits until the turn before it is official", turn.phase)));
    }
    if room.now <= turn.deadline {
        return Ok(Err(format!("{} takes orders until {}", turn.phase, turn.deadline)));
    }
    if intake_began <= turn.deadline || !room.tx.waiting_letters()?.is_empty() {
        return Ok(Err(format!("{} waits until all letters that came in time have been read", turn.phase)));
    }
    if let Some(trouble) = guard::trouble(room)? {
        return Ok(Err(format!("{} waits until the clock can be trusted: {trouble}", turn.phase)));
    }
    if table.before(turn.no)?.expects().over {
        return Ok(Err("the game is over".to_owned()));
    }
    Ok(Ok(turn.no))
}

fn close(room: &Room<'_>, table: &mut Table, turn: TurnNo) -> Result<Closed, DeskError> {
    room.append(table, Fact::Sealed { turn })?;
    let rulings: Vec<JsonRuling> = table.turn(turn)?.rulings.iter().map(|r| r.ruling.clone()).collect();
    let done = adjudicate(table, turn, rulings)?;
    let events = done.events.len();
    keep(room, table, turn, done)?;
    let until = match room.policy.of(&table.id).posting {
        Posting::Auto => Some(announce::first(room, table, turn)?),
        Posting::AfterReview => None,
    };
    Ok(Closed::Done { turn, phase: table.turn(turn)?.phase.clone(), events, until })
}

/// A turn worked out, not yet in the journal.
pub(super) struct WorkedOut {
    pub events: Vec<JsonEvent>,
    pub asks: Option<(StepName, SeatId, String)>,
    pub rules_version: u32,
    /// The old numbers, and new ones for what is new.
    pub numbering: Numbering,
}

/// Works a turn out with its true dice, its sheets and these rulings.
pub(super) fn adjudicate(table: &mut Table, turn: TurnNo, rulings: Vec<JsonRuling>) -> Result<WorkedOut, DeskError> {
    let dice = Dice::new(turn, TurnSecret::of(&table.record.secret, turn));
    adjudicate_with(table, turn, rulings, dice)
}

/// Works a turn out with these dice.
pub(super) fn adjudicate_with(
    table: &mut Table,
    turn: TurnNo,
    rulings: Vec<JsonRuling>,
    dice: Dice,
) -> Result<WorkedOut, DeskError> {
    let rules = rules_of(&table.id);
    let on_record = table.turn(turn)?;
    let inputs = JsonInputs { sheets: on_record.sheets.clone(), rulings };
    let mut numbering = on_record.numbering.clone();
    let board = table.before(turn)?;
    let done = board.adjudicate(&inputs, dice).map_err(&rules)?;
    numbering.extend(&board.audiences(&done.events).map_err(&rules)?);
    Ok(WorkedOut { events: done.events, asks: done.asks, rules_version: board.rules_version(), numbering })
}

/// Writes the next issue of a turn into the journal.
pub(super) fn keep(room: &Room<'_>, table: &mut Table, turn: TurnNo, done: WorkedOut) -> Result<IssueNo, DeskError> {
    let issue = table.turn(turn)?.newest().map_or(IssueNo(1), |issue| issue.no.next());
    let WorkedOut { events, asks, rules_version, numbering } = done;
    room.append(table, Fact::Adjudicated { turn, issue, rules_version, events, numbering, asks })?;
    Ok(issue)
}
