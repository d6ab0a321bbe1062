//! The facts that letters and pages are made of.

use super::room::{Address, Kind, Room, Why};
use super::standing::Standing;
use super::table::{Table, rules_of};
use super::{DeskError, words};
use crate::engine::sheet::SheetText;
use crate::engine::{Game, GameId, Issue, LetterNo, Revealed, SeatId, Stage, Turn, TurnNo, TurnSecret, Viewer};
use crate::results::facts::{Acknowledgement, Changes, Moment, NextTurn, Notice, Occasion, Results};
use crate::results::letters;
use jiff::Timestamp;
use serde_json::Value;

/// What every letter about a game says, for a seat or for anyone.
pub(super) fn occasion(room: &Room<'_>, table: &Table, turn: Option<TurnNo>, seat: Option<&SeatId>) -> Occasion {
    let player = seat.and_then(|seat| table.record.players.get(seat));
    let turn = turn.and_then(|no| table.record.turn(no));
    Occasion {
        game: table.id.to_string(),
        system: table.record.system.clone(),
        title: table.heading.title.clone(),
        phase: turn.map_or_else(String::new, |turn| turn.phase.clone()),
        turn: turn.map_or(0, |turn| turn.no.0),
        seat: seat.map_or_else(String::new, |seat| table.seat_name(seat)),
        player: player.map_or_else(String::new, |player| player.name.clone()),
        umpire_address: room.policy.umpire_address.clone(),
    }
}

/// The occasion of a letter that is about no game: no fact of any.
pub(super) fn no_occasion(room: &Room<'_>) -> Occasion {
    Occasion {
        game: String::new(),
        system: String::new(),
        title: String::new(),
        phase: String::new(),
        turn: 0,
        seat: String::new(),
        player: String::new(),
        umpire_address: room.policy.umpire_address.clone(),
    }
}

/// A moment in the zone of a seat's player, or of the game.
pub(super) fn moment(room: &Room<'_>, table: &Table, at: Timestamp, seat: Option<&SeatId>) -> Moment {
    let player = seat.and_then(|seat| table.record.players.get(seat));
    words::moment(at, player.map_or(table.record.zone.as_str(), |player| player.zone.as_str()), room.now)
}

/// A seat's sheet, and how it came to be as it is.
pub(super) struct SheetNews<'a> {
    pub turn: TurnNo,
    pub seat: &'a SeatId,
    pub letter: LetterNo,
    pub sheet: &'a Value,
    pub text: SheetText,
    pub by_umpire: bool,
    pub left_out: Vec<String>,
    pub remarks: Vec<String>,
}

/// The facts of an acknowledgement.
pub(super) fn acknowledgement(
    room: &Room<'_>,
    table: &mut Table,
    news: SheetNews<'_>,
) -> Result<Acknowledgement, DeskError> {
    let standing = table.before(news.turn)?.at_hand(news.seat);
    let turn = table.turn(news.turn)?;
    let letters = turn.letters.get(news.seat).map_or(0, Vec::len);
    Ok(Acknowledgement {
        occasion: occasion(room, table, Some(news.turn), Some(news.seat)),
        letter: u32::try_from(letters).unwrap_or(u32::MAX),
        receipt: words::receipt(room.secret, news.seat, news.turn, news.letter, news.sheet),
        by_umpire: news.by_umpire,
        sheet: news.text,
        left_out: news.left_out,
        deadline: moment(room, table, turn.deadline, Some(news.seat)),
        root: turn.root.to_string(),
        standing,
        remarks: news.remarks,
    })
}

/// A turn's results as told to one reader: everything but what has changed and what is revealed.
pub(super) fn results(
    room: &Room<'_>,
    table: &mut Table,
    turn: TurnNo,
    issue: &Issue,
    viewer: &Viewer,
) -> Result<Results, DeskError> {
    let Table { record, boards, .. } = table;
    let board = boards.before(record, turn)?;
    let silent = silent_seats(board, record.turn(turn));
    let numbering = record.turn(turn).map(|t| t.numbering.clone()).unwrap_or_default();
    let report = board.tell(&issue.events, viewer, &numbering).map_err(rules_of(&table.id))?;
    let seat = match viewer {
        Viewer::Seat(seat) => Some(seat),
        _ => None,
    };
    let without_orders = silent
        .iter()
        .filter(|seat| table.record.players.contains_key(*seat))
        .map(|seat| table.seat_name(seat))
        .collect();
    let on_record = table.turn(turn)?;
    let official = matches!(on_record.stage, Stage::Official { issue: which } if which == issue.no);
    let until = on_record.window(issue.no).filter(|_| !official).map(|w| moment(room, table, w.until, seat));
    Ok(Results {
        occasion: occasion(room, table, Some(turn), seat),
        stage: if official { "official" } else { "preliminary" }.to_owned(),
        issue: issue.no.0,
        until,
        report,
        changes: None,
        root: on_record.root.to_string(),
        revealed: Vec::new(),
        next: next_turn(room, table, turn, seat),
        without_orders,
    })
}

/// The seats that owed orders and sent no letter. An empty sheet that was sent is not silence.
fn silent_seats(board: &dyn Game, turn: Option<&Turn>) -> Vec<SeatId> {
    let sent = |seat: &SeatId| turn.is_some_and(|t| t.letters.get(seat).is_some_and(|letters| !letters.is_empty()));
    board.expects().owing.into_iter().filter(|seat| !sent(seat)).collect()
}

fn next_turn(room: &Room<'_>, table: &Table, turn: TurnNo, seat: Option<&SeatId>) -> Option<NextTurn> {
    let next = table.record.turns.iter().find(|t| t.no > turn)?;
    Some(NextTurn {
        phase: next.phase.clone(),
        deadline: moment(room, table, next.deadline, seat),
        root: next.root.to_string(),
    })
}

/// The secrets that a viewer gets with the official results, each checked against the root published before orders opened.
pub(super) fn revealed(
    table: &mut Table,
    turn: TurnNo,
    issue: &Issue,
    viewer: &Viewer,
) -> Result<Vec<Revealed>, DeskError> {
    let secret = TurnSecret::of(&table.record.secret, turn);
    let rules = rules_of(&table.id);
    let board = table.before(turn)?;
    let scopes = board.scopes();
    let due = board.revealed_to(&issue.events, viewer).map_err(rules)?;
    let revealed: Vec<Revealed> = due.iter().filter_map(|scope| secret.reveal(&scopes, scope)).collect();
    let root = table.turn(turn)?.root;
    match revealed.iter().find(|r| !r.stands_under(&root)) {
        Some(false_one) => Err(table.broken(format!(
            "the dice of {} in turn {turn} do not stand under the root that was published; no secret may be given out",
            false_one.scope
        ))),
        None => Ok(revealed),
    }
}

/// A short letter about a game.
pub(super) struct NoticeNews<'a> {
    pub kind: &'a str,
    pub turn: Option<TurnNo>,
    pub reason: String,
    pub moment: Option<Timestamp>,
    pub received: Option<Timestamp>,
    pub about: String,
}

/// Writes a notice to one seat. Says whether it was written: an answer beyond the hour's share is not.
pub(super) fn send_notice(
    room: &Room<'_>,
    table: &Table,
    seat: &SeatId,
    why: Why<'_>,
    news: &NoticeNews<'_>,
) -> Result<bool, DeskError> {
    let Some(player) = table.record.players.get(seat) else { return Ok(false) };
    let notice = Notice {
        occasion: occasion(room, table, news.turn, Some(seat)),
        kind: news.kind.to_owned(),
        reason: news.reason.clone(),
        moment: news.moment.map(|at| moment(room, table, at, Some(seat))),
        received: news.received.map(|at| moment(room, table, at, Some(seat))),
        about: news.about.clone(),
        complaints: Vec::new(),
    };
    let address = Address {
        kind: Kind::Notice,
        why,
        standing: Standing::of_notice(news.kind, news.turn),
        thread: news.turn,
        game: Some(&table.id),
        seat: Some(seat),
        name: &player.name,
        address: &player.address,
        turn: open_turn(table),
    };
    room.send(&address, letters::notice(room.templates, &notice)?)
}

/// Writes a notice to every seat that has a player.
pub(super) fn send_notice_to_all(
    room: &Room<'_>,
    table: &Table,
    entry: u64,
    news: &NoticeNews<'_>,
) -> Result<(), DeskError> {
    for seat in table.players() {
        send_notice(room, table, &seat, Why::Entry(entry), news)?;
    }
    Ok(())
}

/// Writes results to one seat.
pub(super) fn send_results(
    room: &Room<'_>,
    table: &Table,
    seat: &SeatId,
    entry: u64,
    results: &Results,
) -> Result<(), DeskError> {
    let Some(player) = table.record.players.get(seat) else { return Ok(()) };
    let address = Address {
        kind: Kind::Results,
        why: Why::Entry(entry),
        standing: Standing::Lasting,
        thread: Some(TurnNo(results.occasion.turn)),
        game: Some(&table.id),
        seat: Some(seat),
        name: &player.name,
        address: &player.address,
        turn: open_turn(table),
    };
    room.send(&address, letters::results(room.templates, results)?)?;
    Ok(())
}

/// The turn that takes orders.
pub(super) fn open_turn(table: &Table) -> Option<TurnNo> {
    table.record.turns.iter().find(|turn| turn.stage == Stage::Open).map(|turn| turn.no)
}

/// What a corrected issue changed, with the rulings as this reader may know them.
pub(super) fn with_changes(results: Results, changes: Changes) -> Results {
    Results { changes: Some(changes), ..results }
}

/// The cause of the letters that announced a window.
pub(super) fn cause(game: &GameId, entry: u64) -> String {
    super::room::cause_of_entry(Some(game), entry)
}
