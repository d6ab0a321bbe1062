//! What a game waits for, kept beside its journal, so that of ten thousand games only those are folded in which something is
//! due. Every transaction that lets a journal grow keeps the row in step ([`keep`]); it follows from the journal and `umpire.toml`.

use super::policy::{GamePolicy, Policy};
use super::room::Room;
use super::table::{Table, Tables};
use super::{Desk, DeskError, telling, timing};
use crate::engine::{GameId, Player, SeatId, Stage, TurnNo};
use crate::mail::Mailbox;
use crate::store::{AgendaRow, StoreError};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

/// Raise it when [`row`] reckons otherwise.
const EDITION: u32 = 2;

/// Rows of another edition are made anew when the folder is opened: they follow from the journals, the program and the
/// configuration.
pub(super) fn edition(policy: &Policy) -> u32 {
    let text = format!("{EDITION} {:?} {:?}", policy.games, policy.own);
    let [a, b, c, d, ..] = <[u8; 32]>::from(Sha256::digest(text));
    u32::from_le_bytes([a, b, c, d])
}

/// Games whose rows are made anew in one transaction.
const AT_ONCE: usize = 50;

/// Brings the rows of all games whose journal has grown in this transaction into step.
pub(super) fn keep(room: &Room<'_>, tables: &mut Tables) -> Result<(), DeskError> {
    for game in room.tx.grown() {
        let table = tables.sit(room.tx, &game)?;
        room.tx.keep_agenda(&game, &row(room, table)?)?;
    }
    Ok(())
}

fn row(room: &Room<'_>, table: &mut Table) -> Result<AgendaRow, DeskError> {
    let (due, awaits) = due(room.policy.of(&table.id), table)?;
    let record = &table.record;
    let former = record.seating.former.iter().map(|(seat, player)| (player, seat));
    let writers = record.players.keys().flat_map(|seat| record.writers(seat).map(move |player| (player, seat)));
    let known = |(player, seat): (&Player, &SeatId)| Some((folded(&player.address.parse().ok()?), seat.clone()));
    let mut seated: Vec<_> = writers.chain(former).filter_map(known).collect();
    seated.sort();
    seated.dedup();
    Ok(AgendaRow { edition: room.edition, length: record.length, due, awaits, seated })
}

/// An address as it is compared with others: as [`Mailbox`] does.
pub(super) fn folded(address: &Mailbox) -> String {
    address.to_string().to_lowercase()
}

/// The moment behind which a verb of the daemon may have something to do, and the letters that have to leave before that. It may
/// be too early (the verb looks again), never too late.
fn due(policy: &GamePolicy, table: &mut Table) -> Result<(Option<Timestamp>, Option<String>), DeskError> {
    if table.record.held.is_some() {
        return Ok((None, None));
    }
    let window = window_ends(table);
    let open = telling::open_turn(table);
    let Some(no) = open else { return Ok(window.unwrap_or((None, None))) };
    let waited_for = waited_for_if_ready(policy, table, no)?;
    let free_since = table.free_since(no);
    let turn = table.turn(no)?;
    let reminder = timing::unsent_reminder(policy, turn).map(just_before);
    Ok(match window {
        // Its letters are awaited for the end of the window alone; a reminder does not wait for them.
        Some((Some(ends), awaits)) if reminder.is_none_or(|at| at >= ends) => (Some(ends), awaits),
        Some(_) => (reminder, None),
        None => {
            let closes = timing::closes(policy, turn, &waited_for, free_since);
            (Some(reminder.map_or(closes, |at| at.min(closes))), None)
        }
    })
}

/// While results are preliminary: when that ends, and the letters it waits for.
fn window_ends(table: &Table) -> Option<(Option<Timestamp>, Option<String>)> {
    let turn = table.record.current()?;
    match turn.stage {
        Stage::Preliminary { until, .. } => {
            let challenged = table.record.open_challenges().any(|c| c.turn == turn.no);
            if challenged && table.heading.is_on("open_challenge_holds", true) {
                return Some((None, None));
            }
            Some((Some(until), turn.windows.last().map(|window| telling::cause(&table.id, window.seq))))
        }
        Stage::Sealed => Some((None, None)),
        Stage::Open | Stage::Official { .. } => None,
    }
}

/// Whom the turn waits for; nobody while not one of them is ready, since then the board need not be laid out to say so.
fn waited_for_if_ready(policy: &GamePolicy, table: &mut Table, no: TurnNo) -> Result<Vec<SeatId>, DeskError> {
    let asked = policy.close_early && !table.turn(no)?.ready.is_empty();
    if asked { table.waited_for(no) } else { Ok(Vec::new()) }
}

/// A row is due behind its moment, a reminder at it.
fn just_before(at: Timestamp) -> Timestamp {
    at.checked_sub(SignedDuration::from_micros(1)).unwrap_or(at)
}

impl Desk {
    /// Makes rows for games that have none of this edition: after a migration, or a new version of the program.
    pub(super) fn refresh_agenda(&mut self) -> Result<(), DeskError> {
        let edition = self.edition;
        let games = self.store.read(|tx| tx.without_agenda(edition)).map_err(|fault: StoreError| fault)?;
        for some in games.chunks(AT_ONCE) {
            self.work(Timestamp::UNIX_EPOCH, |room, tables| {
                for game in some {
                    let row = match tables.sit(room.tx, game).and_then(|table| row(room, table)) {
                        Ok(row) => row,
                        // A game that cannot be read is due at once: the daemon then stumbles over it and says so.
                        Err(_) => AgendaRow {
                            edition,
                            length: 0,
                            due: Some(Timestamp::UNIX_EPOCH),
                            awaits: None,
                            seated: Vec::new(),
                        },
                    };
                    room.tx.keep_agenda(game, &row)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Games in which something may be due, the longest due first, with the length of their journals; at most `limit`.
    ///
    /// # Errors
    /// If they cannot be looked up.
    pub fn due(&mut self, now: Timestamp, limit: u32) -> Result<Vec<(GameId, u64)>, DeskError> {
        Ok(self.store.read(|tx| tx.due(now, limit)).map_err(|fault: StoreError| fault)?)
    }

    /// The first moment from now on at which something can become due in any game.
    ///
    /// # Errors
    /// If it cannot be looked up.
    pub fn next_due(&mut self, now: Timestamp) -> Result<Option<Timestamp>, DeskError> {
        Ok(self.store.read(|tx| tx.next_due(now)).map_err(|fault: StoreError| fault)?)
    }

    /// A number that changes when another process has written to the folder's file: an umpire's command while the daemon runs.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn others_wrote(&self) -> Result<i64, DeskError> {
        Ok(self.store.others_wrote()?)
    }
}
