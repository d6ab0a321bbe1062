//! Posts an issue of a turn's results: opens the window for challenges, opens the turn that follows, writes to every seat.

use super::DeskError;
use super::difference::{self, ReportsBefore};
use super::enrol;
use super::room::{Room, Why};
use super::table::Table;
use super::telling::{self, NoticeNews};
use crate::engine::{Fact, Issue, IssueNo, RulingNo, SeatId, TurnNo, Viewer};
use jiff::{SignedDuration, Timestamp};

/// Posts the newest issue of a turn for the first time. Gives the end of the window.
pub(super) fn first(room: &Room<'_>, table: &mut Table, turn: TurnNo) -> Result<Timestamp, DeskError> {
    let issue = newest(table, turn)?;
    let until = later(room, room.policy.of(&table.id).challenge);
    let entry = room.append(table, Fact::Announced { turn, issue: issue.no, until })?.seq;
    enrol::open_next(room, table, until)?;
    for seat in table.players() {
        let results = telling::results(room, table, turn, &issue, &Viewer::Seat(seat.clone()))?;
        telling::send_results(room, table, &seat, entry, &results)?;
    }
    Ok(until)
}

/// A correction, posted.
pub(super) struct Correction {
    pub until: Timestamp,
    /// Seats whose report has changed.
    pub seats: Vec<SeatId>,
}

/// Posts the newest issue of a turn that corrects one posted before. Those whose report has changed get the corrected issue, the
/// others a short note.
pub(super) fn correction(
    room: &Room<'_>,
    table: &mut Table,
    turn: TurnNo,
    before: &ReportsBefore,
    rulings: &[RulingNo],
) -> Result<Correction, DeskError> {
    let issue = newest(table, turn)?;
    let differing = before.differing(table, turn, &issue)?;
    let until = reopened(room, table, turn, !differing.is_empty())?;
    let entry = room.append(table, Fact::Announced { turn, issue: issue.no, until })?.seq;
    enrol::open_next(room, table, until)?;
    let mut seats = Vec::new();
    for seat in table.players() {
        let viewer = Viewer::Seat(seat.clone());
        if !differing.contains(&viewer) {
            telling::send_notice(room, table, &seat, Why::Entry(entry), &untouched(turn, until))?;
            continue;
        }
        let results = telling::results(room, table, turn, &issue, &viewer)?;
        let changes = difference::changes(room, table, turn, before.of(&viewer), &results.report, &viewer, rulings)?;
        telling::send_results(room, table, &seat, entry, &telling::with_changes(results, changes))?;
        seats.push(seat);
    }
    Ok(Correction { until, seats })
}

/// The end of the window after a correction [R-003-85]: anew, if the house rule says so and a report has changed.
fn reopened(room: &Room<'_>, table: &Table, turn: TurnNo, differs: bool) -> Result<Timestamp, DeskError> {
    let old = table.turn(turn)?.windows.iter().map(|window| window.until).max().unwrap_or(room.now);
    if differs && table.heading.is_on("reopen_on_correction", true) {
        return Ok(old.max(later(room, room.policy.of(&table.id).challenge)));
    }
    Ok(old)
}

fn untouched(turn: TurnNo, until: Timestamp) -> NoticeNews<'static> {
    NoticeNews {
        kind: "corrected",
        turn: Some(turn),
        reason: String::new(),
        moment: Some(until),
        ..NoticeNews::default()
    }
}

pub(super) fn newest(table: &Table, turn: TurnNo) -> Result<Issue, DeskError> {
    let missing = || table.broken(format!("turn {turn} has no results to post"));
    table.turn(turn)?.newest().cloned().ok_or_else(missing)
}

fn later(room: &Room<'_>, by: SignedDuration) -> Timestamp {
    room.now.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// The issues that have been posted, oldest first.
pub(super) fn posted_issues(table: &Table, turn: TurnNo) -> Result<Vec<IssueNo>, DeskError> {
    let mut issues: Vec<IssueNo> = table.turn(turn)?.windows.iter().map(|window| window.issue).collect();
    issues.sort_unstable();
    issues.dedup();
    Ok(issues)
}
