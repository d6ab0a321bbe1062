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
    /// The name under which a newer letter may take its place while it waits: `orders 3`. `None` if none ever does.
    pub standing: Option<String>,
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
    /// When sending was given up for good, or the letter was dropped.
    pub gave_up: Option<Timestamp>,
    /// How often sending was tried in vain.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// Not before this moment is it tried again; `None`: at once.
    pub next_try: Option<Timestamp>,
    /// What the mail server said when it took the letter.
    pub answer: Option<String>,
    /// Set if it was dropped: why, and the letter that took its place, if one did.
    pub dropped: Option<(String, Option<i64>)>,
    /// When it came back after the server had taken it (RFC 3464).
    pub returned: Option<Timestamp>,
    /// What the newest report about it said.
    pub report: Option<String>,
}

/// Where a letter stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PostState {
    /// It waits; not before this moment is it tried (again).
    Waiting(Option<Timestamp>),
    /// The mail server took it at this moment.
    Sent(Timestamp),
    /// The mail server took it, and later it came back.
    Returned(Timestamp),
    /// No more is tried.
    GivenUp(Timestamp),
    /// Another letter took its place, or the umpire dropped it.
    Dropped(Timestamp),
}

impl OutboxRow {
    /// Where it stands.
    pub fn state(&self) -> PostState {
        match (self.returned, self.sent, self.gave_up) {
            (Some(at), Some(_), _) => PostState::Returned(at),
            (_, Some(at), _) => PostState::Sent(at),
            (_, None, Some(at)) if self.dropped.is_some() => PostState::Dropped(at),
            (_, None, Some(at)) => PostState::GivenUp(at),
            (_, None, None) => PostState::Waiting(self.next_try),
        }
    }
}

pub(super) const SELECT: &str = "SELECT id, message_id, game, seat, recipient, kind, turn, cause, raw, created, sent, gave_up, attempts, last_error, \
     standing, next_try, answer, dropped_why, dropped_by, returned, report FROM outbox AS o";

impl Tx<'_> {
    /// Puts a letter into the outbox; does nothing if it is there already. Gives its number if it was new.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn post(&self, letter: &NewPost, now: Timestamp) -> Result<Option<i64>, StoreError> {
        let mut insert = self
            .tx
            .prepare_cached(
                "INSERT INTO outbox (message_id, game, seat, recipient, kind, turn, cause, raw, created, standing)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT (message_id) DO NOTHING RETURNING id",
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
            &letter.standing,
        );
        insert.query_row(row, |row| row.get(0)).optional().map_err(self.said("put a letter into the outbox of"))
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

    /// How many answers to letters have been written to an address since a moment. One whose place another took does not count.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn written_since(&self, recipient: &str, since: Timestamp) -> Result<u32, StoreError> {
        let mut query = self
            .tx
            .prepare_cached(
                "SELECT count(*) FROM outbox WHERE recipient = ?1 AND created > ?2 AND cause LIKE 'letter %'
                 AND dropped_why IS NULL",
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

    /// Writes down that the mail server took a letter, and what it said. A letter that was given up or dropped while it was under
    /// way has been sent all the same.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn sent(&self, id: i64, answer: &str, now: Timestamp) -> Result<(), StoreError> {
        let mut update = self
            .tx
            .prepare_cached(
                "UPDATE outbox SET sent = ?2, last_try = ?2, answer = ?3, last_error = NULL, next_try = NULL, gave_up = NULL,
                 dropped_why = NULL, dropped_by = NULL WHERE id = ?1 AND sent IS NULL",
            )
            .map_err(self.said("write"))?;
        update.execute((id, moment_text(now), answer)).map_err(self.said("write"))?;
        Ok(())
    }

    /// Writes down that sending a letter failed, and when it is tried again; never if `next` is `None`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn not_sent(&self, id: i64, why: &str, next: Option<Timestamp>, now: Timestamp) -> Result<(), StoreError> {
        let gave_up = if next.is_none() { Some(moment_text(now)) } else { None };
        let mut update = self
            .tx
            .prepare_cached(
                "UPDATE outbox SET attempts = attempts + 1, last_error = ?2, last_try = ?3, next_try = ?4, gave_up = ?5
                 WHERE id = ?1 AND sent IS NULL AND gave_up IS NULL",
            )
            .map_err(self.said("write"))?;
        update.execute((id, why, moment_text(now), next.map(moment_text), gave_up)).map_err(self.said("write"))?;
        Ok(())
    }

    pub(super) fn outbox(&self, which: &str, bound: impl rusqlite::Params) -> Result<Vec<OutboxRow>, StoreError> {
        let said = self.said("read the outbox of");
        let mut query = self.tx.prepare_cached(&format!("{SELECT} {which}")).map_err(&said)?;
        let rows = query.query_map(bound, outbox_row).map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }
}

pub(super) fn outbox_row(row: &Row<'_>) -> rusqlite::Result<OutboxRow> {
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
            standing: row.get(14)?,
        },
        created: moment(row, 9)?,
        sent: maybe_moment(row, 10)?,
        gave_up: maybe_moment(row, 11)?,
        attempts: row.get(12)?,
        last_error: row.get(13)?,
        next_try: maybe_moment(row, 15)?,
        answer: row.get(16)?,
        dropped: match row.get(17)? {
            Some(why) => Some((why, row.get(18)?)),
            None => None,
        },
        returned: maybe_moment(row, 19)?,
        report: row.get(20)?,
    })
}

pub(super) fn moment(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    read_moment(column, &row.get::<_, String>(column)?)
}

pub(super) fn maybe_moment(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    row.get::<_, Option<String>>(column)?.map(|text| read_moment(column, &text)).transpose()
}

fn read_moment(column: usize, text: &str) -> rusqlite::Result<Timestamp> {
    text.parse()
        .map_err(|fault: jiff::Error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(fault)))
}
