//! What a game waits for, kept beside its journal, so that of ten thousand games only those are folded in which something is
//! due. Every transaction that lets a journal grow keeps the row in step ([`keep`]); it follows from the journal alone.

use super::room::Room;
use super::table::{Table, Tables};
use super::{Desk, DeskError, telling};
use crate::engine::{GameId, Stage};
use crate::mail::Mailbox;
use crate::store::{AgendaRow, StoreError};
use jiff::Timestamp;

/// Raise it when [`row`] reckons otherwise: rows of another edition are made anew when the folder is opened.
const EDITION: u32 = 1;

/// Games whose rows are made anew in one transaction.
const AT_ONCE: usize = 50;

/// Brings the rows of all games whose journal has grown in this transaction into step.
pub(super) fn keep(room: &Room<'_>, tables: &mut Tables) -> Result<(), DeskError> {
    for game in room.tx.grown() {
        let table = tables.sit(room.tx, &game)?;
        room.tx.keep_agenda(&game, &row(table))?;
    }
    Ok(())
}

fn row(table: &Table) -> AgendaRow {
    let (due, awaits) = due(table);
    let mut seated: Vec<_> = table
        .record
        .players
        .iter()
        .filter_map(|(seat, player)| Some((folded(&player.address.parse().ok()?), seat.clone())))
        .collect();
    seated.sort();
    AgendaRow { edition: EDITION, length: table.record.length, due, awaits, seated }
}

/// An address as it is compared with others: as [`Mailbox`] does.
pub(super) fn folded(address: &Mailbox) -> String {
    address.to_string().to_lowercase()
}

/// The moment behind which a verb of the daemon may have something to do, and the letters that have to leave before that. It may
/// be too early (the verb looks again), never too late.
fn due(table: &Table) -> (Option<Timestamp>, Option<String>) {
    let record = &table.record;
    let Some(turn) = record.current().filter(|_| record.held.is_none()) else { return (None, None) };
    match turn.stage {
        Stage::Open => (Some(turn.deadline), None),
        Stage::Preliminary { until, .. } => {
            let challenged = record.open_challenges().any(|c| c.turn == turn.no);
            if challenged && table.heading.is_on("open_challenge_holds", true) {
                return (None, None);
            }
            (Some(until), turn.windows.last().map(|window| telling::cause(&table.id, window.seq)))
        }
        Stage::Sealed | Stage::Official { .. } => (None, None),
    }
}

impl Desk {
    /// Makes rows for games that have none of this edition: after a migration, or a new version of the program.
    pub(super) fn refresh_agenda(&mut self) -> Result<(), DeskError> {
        let games = self.store.read(|tx| tx.without_agenda(EDITION)).map_err(|fault: StoreError| fault)?;
        for some in games.chunks(AT_ONCE) {
            self.work(Timestamp::UNIX_EPOCH, |room, tables| {
                for game in some {
                    let row = match tables.sit(room.tx, game) {
                        Ok(table) => row(table),
                        // A game that cannot be read is due at once: the daemon then stumbles over it and says so.
                        Err(_) => AgendaRow {
                            edition: EDITION,
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
