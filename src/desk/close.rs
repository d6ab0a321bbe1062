//! Seals and adjudicates a turn, and releases results that waited for the umpire.

use super::announce;
use super::guard;
use super::policy::Posting;
use super::room::Room;
use super::standing;
use super::table::{Table, rules_of};
use super::telling::{self, NoticeNews};
use super::timing::{self, Due, Timetable};
use super::{Desk, DeskError};
use crate::engine::{
    Dice, Fact, GameId, IssueNo, JsonEvent, JsonInputs, JsonRuling, MoveCause, Numbering, SeatId, Stage, StepName,
    TurnNo, TurnSecret,
};
use jiff::Timestamp;

/// What closing a turn came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Closed {
    /// Nothing is due; why not, a sentence.
    NotYet(String),
    /// It was due, and too many had sent nothing: the deadline moved. It may well be the mail: the umpire is to be told.
    Extended {
        /// The turn.
        turn: TurnNo,
        /// What it is called.
        phase: String,
        /// The new deadline.
        deadline: Timestamp,
        /// From whom nothing has come, by name.
        missing: Vec<String>,
        /// How many are waited for, they among them.
        waited_for: usize,
    },
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
    /// Seals the open turn of a game, adjudicates it and posts the results, if it is due: its deadline and its grace have passed, or all
    /// are ready, and a complete intake that began at `intake_began` has succeeded since. The turn before must be official.
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
            match next(room, table, intake_began)? {
                Next::Wait(reason) => Ok(Closed::NotYet(reason)),
                Next::Close(turn) => close(room, table, turn),
                Next::CloseEarly(turn) => close_early(room, table, turn, intake_began),
                Next::Extend { turn, deadline, missing, waited_for } => {
                    extend(room, table, turn, deadline, &missing, waited_for)
                }
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

/// What is to be done about the open turn.
enum Next {
    /// Nothing; why not, a sentence.
    Wait(String),
    Close(TurnNo),
    /// All were ready.
    CloseEarly(TurnNo),
    /// Too many have sent nothing.
    Extend {
        turn: TurnNo,
        deadline: Timestamp,
        missing: Vec<SeatId>,
        waited_for: usize,
    },
}

fn next(room: &Room<'_>, table: &mut Table, intake_began: Timestamp) -> Result<Next, DeskError> {
    if let Some((_, reason)) = &table.record.held {
        return Ok(Next::Wait(format!("the game is held: {reason}")));
    }
    let Some(turn) = table.record.turns.iter().find(|turn| turn.stage == Stage::Open).cloned() else {
        return Ok(Next::Wait("no turn takes orders".to_owned()));
    };
    if table.record.current().is_some_and(|current| current.no != turn.no) {
        return Ok(Next::Wait(format!("{} waits until the turn before it is official", turn.phase)));
    }
    let policy = room.policy.of(&table.id);
    let waited_for = table.waited_for(turn.no)?;
    let due = timing::due(policy, &turn, &waited_for, table.free_since(turn.no), room.now);
    let since = match due {
        Due::NotBefore(at) => return Ok(Next::Wait(format!("{} takes orders until {at}", turn.phase))),
        Due::AtDeadline(since) | Due::Early(since) => since,
    };
    if intake_began <= since || !room.tx.waiting_letters(1)?.is_empty() {
        return Ok(Next::Wait(format!("{} waits until all letters that came in time have been read", turn.phase)));
    }
    if let Some(trouble) = guard::trouble(room)? {
        return Ok(Next::Wait(format!("{} waits until the clock can be trusted: {trouble}", turn.phase)));
    }
    if table.before(turn.no)?.expects().over {
        return Ok(Next::Wait("the game is over".to_owned()));
    }
    if matches!(due, Due::Early(_)) {
        return Ok(Next::CloseEarly(turn.no));
    }
    // Who said that he would be away is not missing.
    let gone = |seat: &&SeatId| !turn.has_word_of(seat) && table.record.away(seat, turn.deadline).is_none();
    let missing: Vec<SeatId> = waited_for.iter().filter(gone).cloned().collect();
    let timetable = Timetable::new(policy, &table.record.zone)?;
    Ok(match timetable.for_the_missing(&turn, waited_for.len(), missing.len())? {
        Some(deadline) => Next::Extend { turn: turn.no, deadline, missing, waited_for: waited_for.len() },
        None => Next::Close(turn.no),
    })
}

/// All are ready: what the mail servers had when the last intake began counts, and nothing after that.
fn close_early(room: &Room<'_>, table: &mut Table, turn: TurnNo, intake_began: Timestamp) -> Result<Closed, DeskError> {
    let entry = room.append(table, Fact::ClosedEarly { turn, deadline: intake_began })?.seq;
    let news =
        NoticeNews { kind: "closed_early", turn: Some(turn), moment: Some(intake_began), ..NoticeNews::default() };
    telling::send_notice_to_all(room, table, entry, &news)?;
    close(room, table, turn)
}

/// When many have sent nothing, their mail is suspected before they are: the umpire is told, and so is everybody.
fn extend(
    room: &Room<'_>,
    table: &mut Table,
    turn: TurnNo,
    deadline: Timestamp,
    missing: &[SeatId],
    waited_for: usize,
) -> Result<Closed, DeskError> {
    let reason = format!("nothing has come from {} of {waited_for} players", missing.len());
    let fact = Fact::Extended { turn, deadline, reason: reason.clone(), cause: MoveCause::Missing };
    let entry = room.append(table, fact)?.seq;
    let names: Vec<String> = missing.iter().map(|seat| table.seat_name(seat)).collect();
    let news =
        NoticeNews { kind: "missing", turn: Some(turn), reason, moment: Some(deadline), ..NoticeNews::default() };
    telling::send_notice_to_all(room, table, entry, &news)?;
    telling::tell_umpire(room, table, entry, &NoticeNews { kind: "missing_for_umpire", lines: names.clone(), ..news })?;
    let phase = table.turn(turn)?.phase.clone();
    Ok(Closed::Extended { turn, phase, deadline, missing: names, waited_for })
}

fn close(room: &Room<'_>, table: &mut Table, turn: TurnNo) -> Result<Closed, DeskError> {
    let mut silent = table.waited_for(turn)?;
    let on_record = table.turn(turn)?;
    silent.retain(|seat| !on_record.has_word_of(seat));
    let vacant = table.vacant();
    room.append(table, Fact::Sealed { turn, silent: Some(silent), vacant })?;
    standing::turn_closed(room, &table.id, turn)?;
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
    // A dry run comes before the sealing, which writes down who has no player.
    let vacant = if on_record.stage == Stage::Open { table.vacant() } else { on_record.vacant.clone() };
    let inputs = JsonInputs { sheets: on_record.sheets.clone(), rulings, vacant };
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
