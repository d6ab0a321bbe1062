//! Letters that go out: written once, with their Message-ID, in the transaction that makes true what they say; sent later.

use super::{StoreError, Tx, moment_text};
use crate::engine::{GameId, SeatId, TurnNo};
use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{OptionalExtension, Row};

/// A letter to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewPost {
    /// Its Message-ID, without angle brackets. A second letter of the same Message-ID is the same letter.
    pub message_id: String,
    /// The game, if it is about one.
    pub game: Option<GameId>,
    /// The seat, likewise.
    pub seat: Option<SeatId>,
    /// The address.
    pub recipient: String,
    /// What it is: `acknowledgement`, `results`, `challenge`, `notice`.
    pub kind: String,
    /// The turn for which a reply to it holds orders.
    pub turn: Option<TurnNo>,
    /// What it was written for: `letter 12`, `livonia 41` (an entry of that journal).
    pub cause: String,
    /// All of it.
    pub raw: Vec<u8>,
}

/// A letter in the outbox.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutboxRow {
    /// Its place in the sequence of writing.
    pub id: i64,
    /// The letter.
    pub post: NewPost,
    /// When it was written.
    pub created: Timestamp,
    /// When the mail server took it.
    pub sent: Option<Timestamp>,
    /// When sending was given up for good.
    pub gave_up: Option<Timestamp>,
    /// How often sending was tried in vain.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
}

const SELECT: &str = "SELECT id, message_id, game, seat, recipient, kind, turn, cause, raw, created, sent, gave_up, \
                      attempts, last_error FROM outbox";

impl Tx<'_> {
    /// Puts a letter into the outbox; does nothing if it is there already. Says whether it was new.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn post(&self, letter: &NewPost, now: Timestamp) -> Result<bool, StoreError> {
        let mut insert = self
            .tx
            .prepare_cached(
                "INSERT INTO outbox (message_id, game, seat, recipient, kind, turn, cause, raw, created)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (message_id) DO NOTHING",
            )
            .map_err(self.said("write"))?;
        let row = (
            &letter.message_id,
            letter.game.as_ref().map(GameId::as_str),
            letter.seat.as_ref().map(SeatId::as_str),
            &letter.recipient,
            &letter.kind,
            letter.turn.map(|turn| turn.0),
            &letter.cause,
            &letter.raw,
            moment_text(now),
        );
        Ok(insert.execute(row).map_err(self.said("put a letter into the outbox of"))? > 0)
    }

    /// Letters not yet sent, in the sequence in which they were written, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn unsent(&self, limit: u32) -> Result<Vec<OutboxRow>, StoreError> {
        self.outbox("WHERE sent IS NULL AND gave_up IS NULL ORDER BY id LIMIT ?1", [limit])
    }

    /// The letters written for one cause.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn posted_for(&self, cause: &str) -> Result<Vec<OutboxRow>, StoreError> {
        self.outbox("WHERE cause = ?1 ORDER BY id", [cause])
    }

    /// The letter of ours with this Message-ID.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn posted(&self, message_id: &str) -> Result<Option<OutboxRow>, StoreError> {
        let mut query =
            self.tx.prepare_cached(&format!("{SELECT} WHERE message_id = ?1")).map_err(self.said("read"))?;
        query.query_row([message_id], outbox_row).optional().map_err(self.said("read the outbox of"))
    }

    /// How many answers to letters have been written to an address since a moment.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn written_since(&self, recipient: &str, since: Timestamp) -> Result<u32, StoreError> {
        let mut query = self
            .tx
            .prepare_cached(
                "SELECT count(*) FROM outbox WHERE recipient = ?1 AND created > ?2 AND cause LIKE 'letter %'",
            )
            .map_err(self.said("read"))?;
        query.query_row((recipient, moment_text(since)), |row| row.get(0)).map_err(self.said("read the outbox of"))
    }

    /// The oldest letter that was written before `before`, could not be sent and is still to be: when it was written, and why it
    /// could not be.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn oldest_failed(&self, before: Timestamp) -> Result<Option<(Timestamp, String)>, StoreError> {
        let sql = "SELECT created, last_error FROM outbox WHERE sent IS NULL AND gave_up IS NULL AND attempts > 0
                   AND created < ?1 ORDER BY id LIMIT 1";
        let mut query = self.tx.prepare_cached(sql).map_err(self.said("read"))?;
        let read = |row: &Row<'_>| Ok((moment(row, 0)?, row.get::<_, Option<String>>(1)?.unwrap_or_default()));
        query.query_row([moment_text(before)], read).optional().map_err(self.said("read the outbox of"))
    }

    /// How many letters wait to be sent, and how many of them could not be sent so far.
    ///
    /// # Errors
    /// If they cannot be counted.
    pub fn outbox_count(&self) -> Result<(u32, u32), StoreError> {
        let sql = "SELECT count(*), coalesce(sum(attempts > 0), 0) FROM outbox WHERE sent IS NULL AND gave_up IS NULL";
        let mut query = self.tx.prepare_cached(sql).map_err(self.said("read"))?;
        query.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(self.said("read the outbox of"))
    }

    /// Writes down that the mail server took a letter.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sent(&self, id: i64, now: Timestamp) -> Result<(), StoreError> {
        let mut update = self
            .tx
            .prepare_cached("UPDATE outbox SET sent = ?2, last_error = NULL WHERE id = ?1 AND sent IS NULL")
            .map_err(self.said("write"))?;
        update.execute((id, moment_text(now))).map_err(self.said("write"))?;
        Ok(())
    }

    /// Writes down that sending a letter failed; `for_good` if it is not to be tried again.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn not_sent(&self, id: i64, why: &str, for_good: bool, now: Timestamp) -> Result<(), StoreError> {
        let gave_up = for_good.then(|| moment_text(now));
        let mut update = self
            .tx
            .prepare_cached("UPDATE outbox SET attempts = attempts + 1, last_error = ?2, gave_up = ?3 WHERE id = ?1")
            .map_err(self.said("write"))?;
        update.execute((id, why, gave_up)).map_err(self.said("write"))?;
        Ok(())
    }

    fn outbox(&self, which: &str, bound: impl rusqlite::Params) -> Result<Vec<OutboxRow>, StoreError> {
        let said = self.said("read the outbox of");
        let mut query = self.tx.prepare_cached(&format!("{SELECT} {which}")).map_err(&said)?;
        let rows = query.query_map(bound, outbox_row).map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }
}

fn outbox_row(row: &Row<'_>) -> rusqlite::Result<OutboxRow> {
    Ok(OutboxRow {
        id: row.get(0)?,
        post: NewPost {
            message_id: row.get(1)?,
            game: row.get::<_, Option<String>>(2)?.map(|id| GameId::new(&id)),
            seat: row.get::<_, Option<String>>(3)?.map(|id| SeatId::new(&id)),
            recipient: row.get(4)?,
            kind: row.get(5)?,
            turn: row.get::<_, Option<u32>>(6)?.map(TurnNo),
            cause: row.get(7)?,
            raw: row.get(8)?,
        },
        created: moment(row, 9)?,
        sent: maybe_moment(row, 10)?,
        gave_up: maybe_moment(row, 11)?,
        attempts: row.get(12)?,
        last_error: row.get(13)?,
    })
}

pub(super) fn moment(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    read_moment(column, &row.get::<_, String>(column)?)
}

fn maybe_moment(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    row.get::<_, Option<String>>(column)?.map(|text| read_moment(column, &text)).transpose()
}

fn read_moment(column: usize, text: &str) -> rusqlite::Result<Timestamp> {
    text.parse()
        .map_err(|fault: jiff::Error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(fault)))
}
