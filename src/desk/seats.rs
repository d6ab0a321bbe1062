//! A new player in an old seat, a seat without player, and deputies.

use super::enrol::{check_player, check_seat};
use super::room::{Address, Kind, Room, Why};
use super::standing::Standing;
use super::table::Table;
use super::telling::{self, NoticeNews};
use super::{Desk, DeskError, orders};
use crate::engine::{Fact, GameId, Player, SeatId, Viewer};
use crate::results::facts::{Briefing, Notice};
use crate::results::letters;
use jiff::Timestamp;

impl Desk {
    /// Seats a player, or changes what is known of him. He gets all that he has to know; who sat there before is thanked, and his
    /// later letters are refused.
    ///
    /// # Errors
    /// If there is no such game or seat, or the address or zone is none.
    pub fn enrol(&mut self, game: &GameId, seat: &SeatId, player: &Player, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            check_seat(table.boards.opening(), seat)?;
            check_player(player)?;
            let old = table.record.players.get(seat).cloned();
            let fact = Fact::Enrolled { seat: seat.clone(), player: player.clone() };
            let entry = room.append(table, fact)?.seq;
            room.tx.unmark_address(&player.address, false)?;
            if let Some(old) = old.filter(|old| *old.name != player.name) {
                thank(room, table, seat, &old, entry)?;
            }
            brief(room, table, seat, entry, player, false)
        })
    }

    /// Leaves a seat without player: it sits in its cities, gives battle only when attacked and plays no cards [R-003-81]. What
    /// was sent for the open turn no longer counts. Gives who sat there.
    ///
    /// # Errors
    /// If there is no such game or seat, or nobody sits in it.
    pub fn vacate(&mut self, game: &GameId, seat: &SeatId, reason: &str, now: Timestamp) -> Result<Player, DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            check_seat(table.boards.opening(), seat)?;
            let Some(old) = table.record.players.get(seat).cloned() else {
                return Err(DeskError::refused(format!("nobody sits in {}", table.seat_name(seat)), ""));
            };
            let fact = Fact::Vacated { seat: seat.clone(), reason: reason.trim().to_owned() };
            let entry = room.append(table, fact)?.seq;
            thank(room, table, seat, &old, entry)?;
            Ok(old)
        })
    }

    /// Lets a second person write for a seat beside its player, or (`None`) no longer. Both get every letter of the seat, and the
    /// newest accepted letter counts, whoever wrote it.
    ///
    /// # Errors
    /// If there is no such game or seat, nobody sits in it, or the address or zone is none.
    pub fn deputise(
        &mut self,
        game: &GameId,
        seat: &SeatId,
        deputy: Option<&Player>,
        now: Timestamp,
    ) -> Result<(), DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            check_seat(table.boards.opening(), seat)?;
            let Some(player) = table.record.players.get(seat).cloned() else {
                let help = "a deputy stands beside a player: give the seat to him with --player";
                return Err(DeskError::refused(format!("nobody sits in {}", table.seat_name(seat)), help));
            };
            if let Some(deputy) = deputy {
                check_player(deputy)?;
                room.tx.unmark_address(&deputy.address, false)?;
                if deputy.address.eq_ignore_ascii_case(&player.address) {
                    return Err(DeskError::refused("the deputy has the player's own address", "name another"));
                }
            }
            let fact = Fact::Deputised { seat: seat.clone(), deputy: deputy.cloned() };
            let entry = room.append(table, fact)?.seq;
            let reason = match deputy {
                Some(deputy) => format!(
                    "{} may write orders for {} beside you from now on. Both of you get every letter of the seat; the newest \
                     letter counts, whoever wrote it.",
                    deputy.name,
                    table.seat_name(seat)
                ),
                None => format!("You alone write orders for {} again.", table.seat_name(seat)),
            };
            let news = NoticeNews { kind: "deputy", reason, ..NoticeNews::default() };
            let told = telling::notice(room, table, seat, &news);
            room.send(&addressed(seat, &player, entry, table), letters::notice(room.templates, &told)?)?;
            match deputy {
                Some(deputy) => brief(room, table, seat, entry, deputy, true),
                None => Ok(()),
            }
        })
    }
}

fn addressed<'a>(seat: &'a SeatId, to: &'a Player, entry: u64, table: &'a Table) -> Address<'a> {
    Address {
        kind: Kind::Notice,
        why: Why::Entry(entry),
        standing: Standing::Lasting,
        thread: telling::open_turn(table),
        game: Some(&table.id),
        seat: Some(seat),
        name: &to.name,
        address: &to.address,
        turn: telling::open_turn(table),
        second: false,
    }
}

/// Tells a player that the seat is no longer his. The letter names nothing that he could not know.
fn thank(room: &Room<'_>, table: &Table, seat: &SeatId, old: &Player, entry: u64) -> Result<(), DeskError> {
    let occasion = telling::occasion(room, table, None, Some(seat));
    let mut notice = Notice { occasion, kind: "seat_left".to_owned(), ..Notice::default() };
    notice.occasion.player.clone_from(&old.name);
    let to = Address { thread: None, turn: None, second: true, ..addressed(seat, old, entry, table) };
    room.send(&to, letters::notice(room.templates, &notice)?)?;
    Ok(())
}

/// Writes to a newcomer all that his seat knows.
fn brief(
    room: &Room<'_>,
    table: &mut Table,
    seat: &SeatId,
    entry: u64,
    to: &Player,
    deputy: bool,
) -> Result<(), DeskError> {
    let open = telling::open_turn(table);
    let (sheet, stands, without_orders, tables) = match open {
        Some(turn) => {
            let held = table.turn(turn)?.sheets.contains_key(seat);
            let sheet = if held { Some(orders::status(table, turn, seat)?.text) } else { None };
            let board = table.before(turn)?;
            let viewer = Viewer::Seat(seat.clone());
            (sheet, board.stands(seat), board.expects().without_orders, board.standing(&viewer))
        }
        None => (None, None, String::new(), table.now()?.standing(&Viewer::Seat(seat.clone()))),
    };
    let turn = open.and_then(|no| table.record.turn(no));
    let at = turn.map(|turn| super::words::moment(turn.deadline, &to.zone, room.now));
    let mut briefing = Briefing {
        occasion: telling::occasion(room, table, open, Some(seat)),
        deputy,
        deadline: at,
        root: turn.map_or_else(String::new, |turn| turn.root.to_string()),
        orders: sheet.map_or_else(Vec::new, |sheet| sheet.orders.into_iter().map(|order| order.words).collect()),
        stands,
        without_orders,
        tables,
    };
    briefing.occasion.player.clone_from(&to.name);
    let to = Address { kind: Kind::Briefing, ..addressed(seat, to, entry, table) };
    room.send(&to, letters::briefing(room.templates, &briefing)?)?;
    Ok(())
}
