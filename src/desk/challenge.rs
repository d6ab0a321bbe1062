//! Challenges: taken by the server's time of receipt, shown, answered.

use super::announce::posted_issues;
use super::difference;
use super::room::{Address, Kind, Room, Why};
use super::standing::Standing;
use super::table::Table;
use super::{Desk, DeskError, telling};
use crate::engine::{
    Challenge, ChallengeNo, EventId, EventNo, Fact, GameId, IssueNo, LetterNo, SeatId, Stage, Turn, TurnNo,
};
use crate::results::facts::ChallengeNews;
use crate::results::letters;
use jiff::Timestamp;

/// A challenge as the umpire sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChallengeView {
    /// The challenge.
    pub challenge: Challenge,
    /// "Spring 1700".
    pub phase: String,
    /// The name of the seat.
    pub seat_name: String,
    /// The answer and whether it was upheld; `None` while it is open.
    pub answer: Option<(String, bool)>,
}

/// A challenge as it came.
pub(super) struct ChallengeLetter<'a> {
    pub seat: &'a SeatId,
    pub event: Option<EventNo>,
    pub text: &'a str,
    pub letter: LetterNo,
    pub received: Timestamp,
    pub why: Why<'a>,
}

impl Desk {
    /// The challenges of a game, oldest first.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn challenges(&mut self, game: &GameId, now: Timestamp) -> Result<Vec<ChallengeView>, DeskError> {
        self.look(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            Ok(views(table))
        })
    }

    /// Answers a challenge; the player is told. An answer that finds him right does not rule: rule first.
    ///
    /// # Errors
    /// If there is no open challenge of this number, or the answer is empty.
    pub fn answer_challenge(
        &mut self,
        game: &GameId,
        no: ChallengeNo,
        answer: &str,
        upheld: bool,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        let answer = answer.trim();
        if answer.is_empty() {
            return Err(DeskError::refused("an answer needs words", "the player will read them"));
        }
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let Some(challenge) = table.record.open_challenges().find(|c| c.no == no).cloned() else {
                let open: Vec<String> = table.record.open_challenges().map(|c| c.no.to_string()).collect();
                let help =
                    if open.is_empty() { "none is open".to_owned() } else { format!("open: {}", open.join(", ")) };
                return Err(DeskError::refused(format!("there is no open challenge {no} in {game}"), help));
            };
            let fact = Fact::ChallengeAnswered { challenge: no, answer: answer.to_owned(), upheld };
            let entry = room.append(table, fact)?.seq;
            let news = Telling { state: "answered", answer: answer.to_owned(), upheld, until: None };
            tell(room, table, &challenge, Why::Entry(entry), news)
        })
    }
}

pub(super) fn views(table: &Table) -> Vec<ChallengeView> {
    let view = |c: &crate::engine::turn::ChallengeOnRecord| ChallengeView {
        challenge: c.challenge.clone(),
        phase: table.record.turn(c.challenge.turn).map_or_else(String::new, |turn| turn.phase.clone()),
        seat_name: table.seat_name(&c.challenge.seat),
        answer: c.answer.clone(),
    };
    table.record.challenges.iter().map(view).collect()
}

/// What to say about a challenge.
struct Telling {
    state: &'static str,
    answer: String,
    upheld: bool,
    until: Option<Timestamp>,
}

/// Takes a challenge if its window is open, and says so; refuses it politely if not, with both times.
pub(super) fn take(room: &Room<'_>, table: &mut Table, made: ChallengeLetter<'_>) -> Result<(), DeskError> {
    let challenged = table.record.turns.iter().rev().find(|turn| !turn.windows.is_empty());
    let challenged = challenged.map(|turn| super::window::as_it_is(room, table, turn)).transpose()?;
    let turn = challenged.as_ref().map_or(TurnNo(0), |turn| turn.no);
    let event =
        made.event.filter(|no| challenged.as_ref().is_some_and(|t| t.numbering.find(*no, Some(made.seat)).is_some()));
    // A number that is none of the report's belongs to the player's words: he challenges something, and is heard.
    let text = match made.event {
        Some(no) if event.is_none() => format!("{no}: {}", made.text),
        _ => made.text.to_owned(),
    };
    let issue = challenged.as_ref().and_then(|turn| turn.windows.last()).map_or(IssueNo(0), |window| window.issue);
    let challenge = Challenge {
        no: table.record.next_challenge(),
        turn,
        issue,
        seat: made.seat.clone(),
        event,
        text,
        letter: made.letter,
        received: made.received,
    };
    match challenged.as_ref().map(|turn| window(table, turn, &challenge)).transpose()?.flatten() {
        Some(Window::Open(until)) => {
            room.append(table, Fact::Challenged { challenge: challenge.clone() })?;
            let news = Telling { state: "received", answer: String::new(), upheld: false, until: Some(until) };
            tell(room, table, &challenge, made.why, news)
        }
        closed => {
            let (until, answer) = match closed {
                Some(Window::Closed(until)) => (Some(until), "It reached the mail server after the window had closed."),
                Some(Window::Unchanged(until)) => {
                    (Some(until), "The window that is open now is for what the corrected issue changed [R-003-85].")
                }
                _ => (None, "There are no results to challenge yet."),
            };
            let refused = Challenge { no: ChallengeNo(0), ..challenge };
            let news = Telling { state: "refused", answer: answer.to_owned(), upheld: false, until };
            tell(room, table, &refused, made.why, news)
        }
    }
}

/// Whether a challenge is in time, with the end of the window that decides.
enum Window {
    Open(Timestamp),
    Closed(Timestamp),
    /// A window is open, but not for this event.
    Unchanged(Timestamp),
}

/// The first issue's window is for everything, each later one's for what that issue changed [R-003-85]. A challenge that names no
/// event is heard while any window is open: doubt helps the player.
fn window(table: &Table, turn: &Turn, challenge: &Challenge) -> Result<Option<Window>, DeskError> {
    let received = challenge.received;
    let official = matches!(turn.stage, Stage::Official { .. });
    let last = turn.windows.iter().map(|window| window.until).max();
    let posted = posted_issues(table, turn.no)?;
    let Some(first_end) = posted.first().and_then(|issue| turn.window(*issue)).map(|window| window.until) else {
        return Ok(None);
    };
    if official || last.is_some_and(|last| received > last) {
        return Ok(last.map(Window::Closed));
    }
    if received <= first_end {
        return Ok(Some(Window::Open(first_end)));
    }
    let about = challenge.event.and_then(|no| turn.numbering.find(no, Some(&challenge.seat)));
    let open_for_it = posted.windows(2).filter_map(|pair| match pair {
        [old, new] => turn.window(*new).filter(|w| received <= w.until).map(|w| (w.until, changed(turn, *old, *new))),
        _ => None,
    });
    let fitting =
        open_for_it.filter(|(_, changed)| about.is_none_or(|id| changed.contains(id))).map(|(until, _)| until).max();
    Ok(fitting.map(Window::Open).or(last.map(Window::Unchanged)))
}

fn changed(turn: &Turn, old: IssueNo, new: IssueNo) -> Vec<EventId> {
    match (turn.issue(old), turn.issue(new)) {
        (Some(old), Some(new)) => difference::events_differing(&old.events, &new.events),
        _ => Vec::new(),
    }
}

fn tell(room: &Room<'_>, table: &Table, challenge: &Challenge, why: Why<'_>, news: Telling) -> Result<(), DeskError> {
    let seat = &challenge.seat;
    let Some(player) = table.record.players.get(seat) else { return Ok(()) };
    let facts = ChallengeNews {
        occasion: telling::occasion(room, table, Some(challenge.turn), Some(seat)),
        state: news.state.to_owned(),
        no: challenge.no.0,
        event: challenge.event.map_or_else(String::new, |no| no.to_string()),
        text: challenge.text.clone(),
        received: telling::moment(room, table, challenge.received, Some(seat)),
        until: news.until.map(|at| telling::moment(room, table, at, Some(seat))),
        answer: news.answer,
        upheld: news.upheld,
    };
    let address = Address {
        kind: Kind::Challenge,
        why,
        standing: Standing::Lasting,
        thread: Some(challenge.turn).filter(|turn| turn.0 > 0),
        game: Some(&table.id),
        seat: Some(seat),
        name: &player.name,
        address: &player.address,
        turn: telling::open_turn(table),
    };
    room.send(&address, letters::challenge(room.templates, &facts)?)?;
    Ok(())
}
