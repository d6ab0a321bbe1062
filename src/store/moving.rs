//! A game with its letters, row by row as they are kept: to be taken out of one folder and put into another, to the byte.

use super::{StoreError, Tx};
use crate::engine::{GameId, LetterNo};
use rusqlite::{OptionalExtension, Row};
use serde::{Deserialize, Serialize};

/// A journal entry as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawEntry {
    /// Place in the journal, from 1.
    pub seq: i64,
    /// When, as text.
    pub at: String,
    /// The version of the fact's form.
    pub version: u32,
    /// The fact: JSON, to the byte.
    pub fact: String,
}

/// A letter that came, as it is kept, but for its raw bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns of the table `intake`")]
pub struct MovedLetter {
    pub no: u32,
    pub mailbox: String,
    pub unique_name: String,
    pub message_id: Option<String>,
    pub body_hash: String,
    pub received: String,
    pub stored: String,
    pub cut: bool,
    pub outcome: Option<String>,
    pub note: Option<String>,
    pub seat: Option<String>,
    pub turn: Option<u32>,
    #[serde(skip)]
    pub raw: Vec<u8>,
}

/// A letter that went out or waits, as it is kept, but for its raw bytes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the columns of the table `outbox`")]
pub struct MovedPost {
    pub message_id: String,
    pub seat: Option<String>,
    pub recipient: String,
    pub kind: String,
    pub turn: Option<u32>,
    pub cause: String,
    pub created: String,
    pub sent: Option<String>,
    pub gave_up: Option<String>,
    pub attempts: u32,
    pub last_error: Option<String>,
    pub standing: Option<String>,
    pub next_try: Option<String>,
    pub last_try: Option<String>,
    pub answer: Option<String>,
    /// The Message-ID of the letter that took its place.
    pub dropped_by: Option<String>,
    pub dropped_why: Option<String>,
    pub returned: Option<String>,
    pub report: Option<String>,
    /// Since when its address cannot be reached, and why, if it cannot.
    pub bad_since: Option<String>,
    pub bad_why: Option<String>,
    /// The Message-ID of the letter that showed it, and the number of the report about that, if one came.
    pub bad_post: Option<String>,
    pub bad_letter: Option<u32>,
    #[serde(skip)]
    pub raw: Vec<u8>,
}

/// A game with its letters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MovedGame {
    /// Its journal.
    pub journal: Vec<RawEntry>,
    /// Letters that came, by number.
    pub letters: Vec<MovedLetter>,
    /// Letters that go out, in the sequence of writing.
    pub post: Vec<MovedPost>,
}

impl Tx<'_> {
    /// All that is kept of a game.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn take_out(&self, game: &GameId) -> Result<MovedGame, StoreError> {
        let journal =
            self.all("SELECT seq, at, version, fact FROM journal WHERE game = ?1 ORDER BY seq", game, |row| {
                Ok(RawEntry { seq: row.get(0)?, at: row.get(1)?, version: row.get(2)?, fact: row.get(3)? })
            })?;
        let letters = self.all(
            "SELECT no, mailbox, unique_name, message_id, body_hash, received, stored, cut, outcome, note, seat, turn, raw
             FROM intake WHERE game = ?1 ORDER BY no",
            game,
            letter,
        )?;
        let post = self.all(
            "SELECT o.message_id, o.seat, o.recipient, o.kind, o.turn, o.cause, o.created, o.sent, o.gave_up, o.attempts,
                    o.last_error, o.raw, o.standing, o.next_try, o.last_try, o.answer,
                    (SELECT message_id FROM outbox WHERE id = o.dropped_by), o.dropped_why, o.returned, o.report,
                    bad.since, bad.why, (SELECT message_id FROM outbox WHERE id = bad.post), bad.letter
             FROM outbox AS o LEFT JOIN bad_address AS bad ON bad.address = o.recipient WHERE o.game = ?1 ORDER BY o.id",
            game,
            post,
        )?;
        Ok(MovedGame { journal, letters, post })
    }

    fn all<T>(
        &self,
        sql: &str,
        game: &GameId,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let said = self.said("read a game of");
        let mut query = self.tx.prepare_cached(sql).map_err(&said)?;
        let rows = query.query_map([game.as_str()], read).map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }

    /// The first number of these letters' that another letter has here.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn number_taken(&self, game: &MovedGame) -> Result<Option<LetterNo>, StoreError> {
        let said = self.said("read the letters of");
        let mut query = self.tx.prepare_cached("SELECT no FROM intake WHERE no = ?1").map_err(&said)?;
        for letter in &game.letters {
            let found: Option<u32> = query.query_row([letter.no], |row| row.get(0)).optional().map_err(&said)?;
            if let Some(no) = found {
                return Ok(Some(LetterNo(no)));
            }
        }
        Ok(None)
    }

    /// Puts a game in, to the byte.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put_in(&self, game: &GameId, moved: &MovedGame) -> Result<(), StoreError> {
        self.add_game(game)?;
        let said = self.said("write a game into");
        let mut insert = self
            .tx
            .prepare_cached("INSERT INTO journal (game, seq, at, version, fact) VALUES (?1, ?2, ?3, ?4, ?5)")
            .map_err(&said)?;
        for e in &moved.journal {
            insert.execute((game.as_str(), e.seq, &e.at, e.version, &e.fact)).map_err(&said)?;
        }
        let mut insert = self
            .tx
            .prepare_cached(
                "INSERT INTO intake (no, mailbox, unique_name, message_id, body_hash, received, stored, cut, outcome, note,
                                     seat, turn, raw, game)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
            )
            .map_err(&said)?;
        for l in &moved.letters {
            let bound = rusqlite::params![
                l.no,
                l.mailbox,
                l.unique_name,
                l.message_id,
                l.body_hash,
                l.received,
                l.stored,
                l.cut,
                l.outcome,
                l.note,
                l.seat,
                l.turn,
                l.raw,
                game.as_str()
            ];
            insert.execute(bound).map_err(&said)?;
        }
        self.put_in_post(game, &moved.post)?;
        self.grown.borrow_mut().insert(game.clone());
        Ok(())
    }

    fn put_in_post(&self, game: &GameId, post: &[MovedPost]) -> Result<(), StoreError> {
        let said = self.said("write a game into");
        let mut insert = self
            .tx
            .prepare_cached(
                "INSERT INTO outbox (message_id, seat, recipient, kind, turn, cause, created, sent, gave_up, attempts, last_error,
                                     raw, standing, next_try, last_try, answer, dropped_why, returned, report, game)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
            )
            .map_err(&said)?;
        for p in post {
            let bound = rusqlite::params![
                p.message_id,
                p.seat,
                p.recipient,
                p.kind,
                p.turn,
                p.cause,
                p.created,
                p.sent,
                p.gave_up,
                p.attempts,
                p.last_error,
                p.raw,
                p.standing,
                p.next_try,
                p.last_try,
                p.answer,
                p.dropped_why,
                p.returned,
                p.report,
                game.as_str()
            ];
            insert.execute(bound).map_err(&said)?;
        }
        let id_of = "(SELECT id FROM outbox WHERE message_id = ?2)";
        let dropped = format!("UPDATE outbox SET dropped_by = {id_of} WHERE message_id = ?1");
        let bad = "INSERT INTO bad_address (address, since, why, post, letter)
                   VALUES (?1, ?2, ?3, (SELECT id FROM outbox WHERE message_id = ?4),
                           (SELECT no FROM intake WHERE no = ?5 AND game = ?6))
                   ON CONFLICT (address) DO NOTHING";
        for p in post {
            if let Some(by) = &p.dropped_by {
                self.tx.execute(&dropped, (&p.message_id, by)).map_err(&said)?;
            }
            if let (Some(since), Some(why)) = (&p.bad_since, &p.bad_why) {
                let row = (&p.recipient, since, why, &p.bad_post, p.bad_letter, game.as_str());
                self.tx.execute(bad, row).map_err(&said)?;
            }
        }
        Ok(())
    }
}

fn letter(row: &Row<'_>) -> rusqlite::Result<MovedLetter> {
    Ok(MovedLetter {
        no: row.get(0)?,
        mailbox: row.get(1)?,
        unique_name: row.get(2)?,
        message_id: row.get(3)?,
        body_hash: row.get(4)?,
        received: row.get(5)?,
        stored: row.get(6)?,
        cut: row.get(7)?,
        outcome: row.get(8)?,
        note: row.get(9)?,
        seat: row.get(10)?,
        turn: row.get(11)?,
        raw: row.get(12)?,
    })
}

fn post(row: &Row<'_>) -> rusqlite::Result<MovedPost> {
    Ok(MovedPost {
        message_id: row.get(0)?,
        seat: row.get(1)?,
        recipient: row.get(2)?,
        kind: row.get(3)?,
        turn: row.get(4)?,
        cause: row.get(5)?,
        created: row.get(6)?,
        sent: row.get(7)?,
        gave_up: row.get(8)?,
        attempts: row.get(9)?,
        last_error: row.get(10)?,
        raw: row.get(11)?,
        standing: row.get(12)?,
        next_try: row.get(13)?,
        last_try: row.get(14)?,
        answer: row.get(15)?,
        dropped_by: row.get(16)?,
        dropped_why: row.get(17)?,
        returned: row.get(18)?,
        report: row.get(19)?,
        bad_since: row.get(20)?,
        bad_why: row.get(21)?,
        bad_post: row.get(22)?,
        bad_letter: row.get(23)?,
    })
}
