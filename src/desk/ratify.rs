//! Makes results official when their window has closed and nothing stands in the way.

use super::announce;
use super::guard;
use super::room::Room;
use super::table::Table;
use super::window::{self, End};
use super::{Desk, DeskError, telling};
use crate::engine::{Fact, GameId, Stage, TurnNo, Viewer};
use crate::results::facts::Results;
use jiff::Timestamp;

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
                Due::Late { turn, until } => {
                    window::moved(room, table, turn, until)?;
                    Ok(Ratified::NotYet(format!("its letters left late: it can be challenged until {until}")))
                }
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
    if intake_began <= until || !room.tx.waiting_letters(1)?.is_empty() {
        return Ok(Due::No(format!("{} waits until all letters that came in time have been read", turn.phase)));
    }
    if let Some(trouble) = guard::trouble(room)? {
        return Ok(Due::No(format!("{} waits until the clock can be trusted: {trouble}", turn.phase)));
    }
    match window::end(room, table, turn)? {
        End::Unknown => {
            return Ok(Due::No(format!("{} waits until the letters with its results have left", turn.phase)));
        }
        End::Moves(until) => return Ok(Due::Late { turn: turn.no, until }),
        End::Stands => {}
    }
    let open: Vec<String> =
        table.record.open_challenges().filter(|c| c.turn == turn.no).map(|c| c.no.to_string()).collect();
    if !open.is_empty() && table.heading.is_on("open_challenge_holds", true) {
        return Ok(Due::No(format!("{} is held by open challenge {} [R-003-88]", turn.phase, open.join(", "))));
    }
    Ok(Due::Yes(turn.no))
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
