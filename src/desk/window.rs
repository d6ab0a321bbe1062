//! The window for challenges runs from the announcement [R-003-87]: from the posting if every seat's letter was accepted within
//! 30 minutes, else from the last acceptance or final failure. The end that was stated first then moves; that it does is a fact of
//! the journal, written with the acceptance that moves it, and every seat is told.

use super::DeskError;
use super::room::Room;
use super::standing::Standing;
use super::table::{Table, Tables};
use super::telling::{self, NoticeNews};
use super::turns;
use crate::engine::{Fact, Stage, Turn, TurnNo, Window};
use crate::store::OutboxRow;
use jiff::{SignedDuration, Timestamp};

/// Letters accepted within this time of the posting were announced with it [R-003-87].
const PROMPT: SignedDuration = SignedDuration::from_mins(30);

/// When a window ends, as far as its letters have left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// When it was said to end.
    Stands,
    /// Not before the letters that still wait have left.
    Unknown,
    /// Later than was said.
    Moves(Timestamp),
}

/// When the newest window of a turn ends.
pub(super) fn end(room: &Room<'_>, table: &Table, turn: &Turn) -> Result<End, DeskError> {
    let Some((window, earlier)) = turn.windows.split_last() else { return Ok(End::Stands) };
    // A window that an older announcement opened, or that was moved already, does not run from this one.
    if earlier.iter().any(|old| old.until >= window.until) {
        return Ok(End::Stands);
    }
    let mut last = window.announced;
    for row in room.tx.posted_for(&telling::cause(&table.id, window.seq))? {
        if row.post.standing == Standing::Window(turn.no).name() {
            continue;
        }
        match row.sent.or(row.gave_up) {
            Some(at) => last = last.max(at),
            None => return Ok(End::Unknown),
        }
    }
    if last.duration_since(window.announced) <= PROMPT {
        return Ok(End::Stands);
    }
    let length = window.until.duration_since(window.announced);
    Ok(End::Moves(last.checked_add(length).unwrap_or(Timestamp::MAX)))
}

/// A turn whose newest window ends when it truly does, as far as that is known now: what came before that end is in time, though
/// the hour that was said first is past.
pub(super) fn as_it_is(room: &Room<'_>, table: &Table, turn: &Turn) -> Result<Turn, DeskError> {
    let mut turn = turn.clone();
    let end = end(room, table, &turn)?;
    if let Some(window) = turn.windows.last_mut() {
        let length = window.until.duration_since(window.announced);
        match end {
            End::Stands => {}
            End::Unknown => window.until = window.until.max(room.now.checked_add(length).unwrap_or(Timestamp::MAX)),
            End::Moves(until) => window.until = until,
        }
    }
    Ok(turn)
}

/// Looks whether the fate of this letter moves the end of a window, and if so says it.
pub(super) fn letter_settled(room: &Room<'_>, tables: &mut Tables, letter: &OutboxRow) -> Result<(), DeskError> {
    let Some(game) = &letter.post.game else { return Ok(()) };
    if room.now.duration_since(letter.created) <= PROMPT {
        return Ok(());
    }
    let table = tables.sit(room.tx, game)?;
    let Some(turn) = table.record.current().cloned() else { return Ok(()) };
    let announced = |window: &Window| telling::cause(game, window.seq) == letter.post.cause;
    if !matches!(turn.stage, Stage::Preliminary { .. }) || !turn.windows.last().is_some_and(announced) {
        return Ok(());
    }
    match end(room, table, &turn)? {
        End::Moves(until) => moved(room, table, turn.no, until),
        End::Stands | End::Unknown => Ok(()),
    }
}

/// Writes down that a turn can be challenged for longer, and tells every seat. Orders for the turn that follows do not close while
/// it can.
pub(super) fn moved(room: &Room<'_>, table: &mut Table, turn: TurnNo, until: Timestamp) -> Result<(), DeskError> {
    let Some(issue) = table.turn(turn)?.windows.last().map(|window| window.issue) else { return Ok(()) };
    let entry = room.append(table, Fact::Announced { turn, issue, until })?.seq;
    let news = |kind, turn, reason: &str, at| NoticeNews {
        kind,
        turn: Some(turn),
        reason: reason.to_owned(),
        moment: Some(at),
        received: None,
        about: String::new(),
    };
    telling::send_notice_to_all(room, table, entry, &news("window_moved", turn, "", until))?;
    let open = table.record.turns.iter().find(|open| open.stage == Stage::Open && open.no > turn);
    let Some((next, deadline)) = open.map(|open| (open.no, open.deadline)).filter(|(_, at)| *at < until) else {
        return Ok(());
    };
    let later = turns::shifted(deadline, &table.record.zone, until.duration_since(deadline))?;
    let reason = format!("the results of {} can be challenged for longer", table.turn(turn)?.phase);
    let entry = room.append(table, Fact::Extended { turn: next, deadline: later, reason: reason.clone() })?.seq;
    telling::send_notice_to_all(room, table, entry, &news("extended", next, &reason, later))
}
