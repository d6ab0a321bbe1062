//! Makes results official when their window has closed and nothing stands in the way.

use super::announce;
use super::guard;
use super::room::{Kind, Room};
use super::table::Table;
use super::telling::{self, NoticeNews};
use super::{Desk, DeskError};
use crate::engine::{Fact, GameId, Stage, TurnNo, Viewer, Window};
use crate::results::facts::Results;
use jiff::{SignedDuration, Timestamp};

/// Letters accepted within this time of the announcement were announced at its commit [R-003-87].
const PROMPT: SignedDuration = SignedDuration::from_mins(30);

/// What ratifying came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ratified {
    /// It is not official yet; why not, a sentence.
    NotYet(String),
    /// It is.
    Done {
        /// The turn.
        turn: TurnNo,
        /// What it is called.
        phase: String,
    },
}

impl Desk {
    /// Makes the posted results of a game official, if they are due: the window has closed, a complete intake that began at
    /// `intake_began` has succeeded since, no challenge is open, every letter that announced them has left.
    ///
    /// # Errors
    /// If they are due and it cannot be done; then nothing has changed.
    pub fn ratify_if_due(
        &mut self,
        game: &GameId,
        intake_began: Timestamp,
        now: Timestamp,
    ) -> Result<Ratified, DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            match due(room, table, intake_began)? {
                Due::No(reason) => Ok(Ratified::NotYet(reason)),
                Due::Late { turn, window, until } => put_off(room, table, turn, &window, until),
                Due::Yes(turn) => ratify(room, table, turn),
            }
        })
    }
}

enum Due {
    No(String),
    /// The letters that announced the window left late: it ends later.
    Late {
        turn: TurnNo,
        window: Window,
        until: Timestamp,
    },
    Yes(TurnNo),
}

fn due(room: &Room<'_>, table: &Table, intake_began: Timestamp) -> Result<Due, DeskError> {
    let Some(turn) = table.record.current() else { return Ok(Due::No("everything is official".to_owned())) };
    let Stage::Preliminary { until, .. } = turn.stage else {
        return Ok(Due::No(format!("{} has no posted results", turn.phase)));
    };
    if let Some((_, reason)) = &table.record.held {
        return Ok(Due::No(format!("the game is held: {reason}")));
    }
    if room.now <= until {
        return Ok(Due::No(format!("{} can be challenged until {until}", turn.phase)));
    }
    if intake_began <= until || !room.tx.waiting_letters()?.is_empty() {
        return Ok(Due::No(format!("{} waits until all letters that came in time have been read", turn.phase)));
    }
    if let Some(trouble) = guard::trouble(room)? {
        return Ok(Due::No(format!("{} waits until the clock can be trusted: {trouble}", turn.phase)));
    }
    if let Some(window) = turn.windows.last() {
        match announced_by(room, table, window)? {
            None => return Ok(Due::No(format!("{} waits until the letters with its results have left", turn.phase))),
            Some(last) if last.duration_since(window.announced) > PROMPT => {
                let until = last.checked_add(room.policy.of(&table.id).challenge).unwrap_or(Timestamp::MAX);
                return Ok(Due::Late { turn: turn.no, window: window.clone(), until });
            }
            Some(_) => {}
        }
    }
    let open: Vec<String> =
        table.record.open_challenges().filter(|c| c.turn == turn.no).map(|c| c.no.to_string()).collect();
    if !open.is_empty() && table.heading.is_on("open_challenge_holds", true) {
        return Ok(Due::No(format!("{} is held by open challenge {} [R-003-88]", turn.phase, open.join(", "))));
    }
    Ok(Due::Yes(turn.no))
}

/// When the last letter with these results was accepted or given up; `None` while one still waits.
fn announced_by(room: &Room<'_>, table: &Table, window: &Window) -> Result<Option<Timestamp>, DeskError> {
    let mut last = window.announced;
    for row in room.tx.posted_for(&telling::cause(&table.id, window.seq))? {
        if row.post.kind != Kind::Results.as_str() {
            continue;
        }
        match row.sent.or(row.gave_up) {
            Some(at) => last = last.max(at),
            None => return Ok(None),
        }
    }
    Ok(Some(last))
}

/// The 24 hours run from the last acceptance, and the changed hour is announced [R-003-87].
fn put_off(
    room: &Room<'_>,
    table: &mut Table,
    turn: TurnNo,
    window: &Window,
    until: Timestamp,
) -> Result<Ratified, DeskError> {
    let entry = room.append(table, Fact::Announced { turn, issue: window.issue, until })?.seq;
    let news = NoticeNews {
        kind: "window_moved",
        turn: Some(turn),
        reason: String::new(),
        moment: Some(until),
        received: None,
        about: String::new(),
    };
    telling::send_notice_to_all(room, table, entry, &news)?;
    Ok(Ratified::NotYet(format!("its letters left late: it can be challenged until {until}")))
}

fn ratify(room: &Room<'_>, table: &mut Table, turn: TurnNo) -> Result<Ratified, DeskError> {
    let issue = announce::newest(table, turn)?;
    let entry = room.append(table, Fact::Official { turn, issue: issue.no })?.seq;
    for seat in table.players() {
        let viewer = Viewer::Seat(seat.clone());
        let revealed = telling::revealed(table, turn, &issue, &viewer)?;
        let results = Results { revealed, ..telling::results(room, table, turn, &issue, &viewer)? };
        telling::send_results(room, table, &seat, entry, &results)?;
    }
    Ok(Ratified::Done { turn, phase: table.turn(turn)?.phase.clone() })
}
