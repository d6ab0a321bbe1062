//! READY and WAIT: whether a player is content to have the turn closed before its deadline.

use super::room::Room;
use super::table::Table;
use super::{DeskError, GamePolicy, telling, timing};
use crate::engine::{Fact, LetterNo, SeatId, TurnNo};
use jiff::Timestamp;

/// What a letter said.
pub(super) struct Saying<'s> {
    pub turn: TurnNo,
    pub seat: &'s SeatId,
    pub ready: bool,
    pub letter: LetterNo,
    pub received: Timestamp,
}

/// Writes READY or WAIT down, unless something newer has come from the seat: then `false`.
pub(super) fn say(room: &Room<'_>, table: &mut Table, said: &Saying<'_>) -> Result<bool, DeskError> {
    let newer_word = table.turn(said.turn)?.spoke.get(said.seat).is_some_and(|spoke| *spoke > said.received);
    let taken = room.tx.order_letters(&table.id, said.seat, said.turn)?;
    let newer_orders = taken.iter().any(|row| row.no != said.letter && row.received > said.received);
    if newer_word || newer_orders {
        return Ok(false);
    }
    let fact = Fact::ReadySaid {
        turn: said.turn,
        seat: said.seat.clone(),
        ready: said.ready,
        letter: said.letter,
        received: said.received,
    };
    room.append(table, fact)?;
    Ok(true)
}

/// What the acknowledgement of READY or WAIT says.
pub(super) fn remark(
    room: &Room<'_>,
    table: &Table,
    policy: &GamePolicy,
    said: &Saying<'_>,
) -> Result<String, DeskError> {
    let turn = table.turn(said.turn)?;
    if !policy.close_early {
        return Ok("Noted. In this game orders close at the deadline all the same, whoever is ready.".to_owned());
    }
    if !said.ready {
        return Ok("You are not ready: orders stay open until the deadline, or until you say READY.".to_owned());
    }
    let earliest = telling::moment(room, table, timing::earliest(policy, turn), Some(said.seat));
    Ok(format!(
        "You are READY. When all who owe orders are, orders close, though not before {} ({}). A line with WAIT alone, or new \
         orders, takes it back.",
        earliest.text, earliest.zone
    ))
}
