//! Writes to those who owe orders and have sent nothing, at the distances from the deadline that the umpire has chosen.

use super::room::{Kind, Why};
use super::table::Table;
use super::telling::{self, NoticeNews};
use super::{Desk, DeskError, timing};
use crate::engine::{Fact, GameId, SeatId, Stands};
use jiff::Timestamp;

impl Desk {
    /// Reminds the seats that owe orders for the open turn and have sent nothing, if it is time for it. Gives how many. To be
    /// asked after a complete intake, lest somebody be reminded of what he has sent.
    ///
    /// # Errors
    /// If it is due and cannot be done; then nothing has changed.
    pub fn remind_if_due(&mut self, game: &GameId, now: Timestamp) -> Result<usize, DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let open = telling::open_turn(table).filter(|_| table.record.held.is_none());
            let Some(no) = open else { return Ok(0) };
            let turn = table.turn(no)?.clone();
            let Some(ahead) = timing::reminder(room.policy.of(game), &turn, now) else { return Ok(0) };
            let mut seats = table.waited_for(no)?;
            seats.retain(|seat| !turn.has_word_of(seat));
            let fact =
                Fact::Reminded { turn: no, deadline: turn.deadline, ahead: ahead.as_secs(), seats: seats.clone() };
            let entry = room.append(table, fact)?.seq;
            for seat in &seats {
                let (reason, lines) = without_orders(table, no, seat)?;
                let news = NoticeNews {
                    kind: "reminder",
                    letter: Kind::Reminder,
                    turn: Some(no),
                    reason,
                    moment: Some(turn.deadline),
                    lines,
                    ..NoticeNews::default()
                };
                telling::send_notice(room, table, seat, Why::Entry(entry), &news)?;
            }
            Ok(seats.len())
        })
    }
}

/// What stands for a seat without orders: a sentence, and the standing orders that there are.
pub(super) fn without_orders(
    table: &mut Table,
    turn: crate::engine::TurnNo,
    seat: &SeatId,
) -> Result<(String, Vec<String>), DeskError> {
    let board = table.before(turn)?;
    let sentence = board.expects().without_orders;
    Ok(match board.stands(seat) {
        Some(Stands { since, orders }) => (format!("{sentence} Your standing orders of {since}:"), orders),
        None => (sentence, Vec::new()),
    })
}
