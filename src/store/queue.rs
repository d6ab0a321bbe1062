//! The outbox as a queue: whose turn it is, what has taken another letter's place, what came back.
//!
//! Letters to one address leave in the sequence in which they were written: only the first that waits is ever tried, so that it
//! alone has a `next_try`.

use super::outbox::{SELECT, maybe_moment, moment, outbox_row};
use super::{OutboxRow, StoreError, Tx, moment_text};
use crate::engine::{GameId, LetterNo, SeatId};
use jiff::Timestamp;
use rusqlite::OptionalExtension;

/// The first waiting letter to one address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// What stands behind the `@`, in small letters.
    pub domain: String,
    /// Not before this moment is it tried; `None`: at once.
    pub next_try: Option<Timestamp>,
}

/// Which waiting letters another takes the place of: those of this name about this seat to this address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced<'a> {
    /// The game.
    pub game: &'a GameId,
    /// The seat; every seat if `None`.
    pub seat: Option<&'a SeatId>,
    /// The address; every address if `None`.
    pub recipient: Option<&'a str>,
    /// The name ([`super::NewPost::standing`]).
    pub standing: &'a str,
    /// The letter that takes their place, if one does.
    pub by: Option<i64>,
    /// Why, for the umpire.
    pub why: &'a str,
}

/// An address that letters cannot be delivered to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadAddress {
    /// The address.
    pub address: String,
    /// Since when that is known.
    pub since: Timestamp,
    /// What the servers said.
    pub why: String,
    /// The letter of ours that could not be delivered.
    pub post: Option<i64>,
    /// The report that told of it; `None` if our own server refused.
    pub letter: Option<LetterNo>,
}

/// The way out as a whole is closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineDown {
    /// Since when.
    pub since: Timestamp,
    /// How often it was tried in vain.
    pub tries: u32,
    /// When it is tried again.
    pub next_try: Timestamp,
    /// Why.
    pub why: String,
}

const WAITS: &str = "sent IS NULL AND gave_up IS NULL";

impl Tx<'_> {
    /// Letters behind `after` in the sequence of writing that may be tried now, with the domains of their addresses, at most
    /// `limit`: those before which none to the same address has to wait longer.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn may_leave(&self, now: Timestamp, after: i64, limit: u32) -> Result<Vec<(i64, String)>, StoreError> {
        let said = self.said("read the outbox of");
        let mut query = self
            .tx
            .prepare_cached(&format!(
                "SELECT id, domain FROM outbox AS o WHERE {WAITS} AND id > ?2 AND NOT EXISTS
                     (SELECT 1 FROM outbox AS e WHERE e.recipient = o.recipient COLLATE NOCASE AND e.next_try > ?1
                      AND e.sent IS NULL AND e.gave_up IS NULL AND e.id <= o.id)
                 ORDER BY id LIMIT ?3"
            ))
            .map_err(&said)?;
        let rows =
            query.query_map((moment_text(now), after, limit), |row| Ok((row.get(0)?, row.get(1)?))).map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }

    /// A letter, if it is the first that waits for its address and may be tried now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn first_in_turn(&self, id: i64, now: Timestamp) -> Result<Option<OutboxRow>, StoreError> {
        let mut query = self
            .tx
            .prepare_cached(&format!(
                "{SELECT} WHERE id = ?1 AND {WAITS} AND (next_try IS NULL OR next_try <= ?2) AND NOT EXISTS
                     (SELECT 1 FROM outbox AS e WHERE e.recipient = o.recipient COLLATE NOCASE
                      AND e.sent IS NULL AND e.gave_up IS NULL AND e.id < o.id)"
            ))
            .map_err(self.said("read"))?;
        query.query_row((id, moment_text(now)), outbox_row).optional().map_err(self.said("read the outbox of"))
    }

    /// A letter by number.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn post_no(&self, id: i64) -> Result<Option<OutboxRow>, StoreError> {
        Ok(self.outbox("WHERE id = ?1", [id])?.pop())
    }

    /// When letters to a domain were last tried, newest first, as far as that was after `since`; at most `limit` of them.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn tried_at(&self, domain: &str, since: Timestamp, limit: u32) -> Result<Vec<Timestamp>, StoreError> {
        let said = self.said("read the outbox of");
        let mut query = self
            .tx
            .prepare_cached(
                "SELECT last_try FROM outbox WHERE domain = ?1 AND last_try > ?2 ORDER BY last_try DESC LIMIT ?3",
            )
            .map_err(&said)?;
        let rows = query.query_map((domain, moment_text(since), limit), |row| moment(row, 0)).map_err(&said)?;
        rows.map(|at| at.map_err(&said)).collect()
    }

    /// The first waiting letter of every address, told as the soonest of each domain.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn heads(&self) -> Result<Vec<Head>, StoreError> {
        let said = self.said("read the outbox of");
        let mut query = self
            .tx
            .prepare_cached(&format!(
                "SELECT domain, min(coalesce(soonest, '')) FROM
                     (SELECT domain, max(next_try) AS soonest FROM outbox WHERE {WAITS} GROUP BY recipient COLLATE NOCASE)
                 GROUP BY domain"
            ))
            .map_err(&said)?;
        let rows = query
            .query_map([], |row| {
                let soonest: String = row.get(1)?;
                let next_try = if soonest.is_empty() { None } else { maybe_moment(row, 1)? };
                Ok(Head { domain: row.get(0)?, next_try })
            })
            .map_err(&said)?;
        rows.map(|head| head.map_err(&said)).collect()
    }

    /// How many letters wait.
    ///
    /// # Errors
    /// If they cannot be counted.
    pub fn count_waiting(&self) -> Result<u32, StoreError> {
        let mut query =
            self.tx.prepare_cached(&format!("SELECT count(*) FROM outbox WHERE {WAITS}")).map_err(self.said("read"))?;
        query.query_row([], |row| row.get(0)).map_err(self.said("read the outbox of"))
    }

    /// Letters that were given up or came back since a moment, newest first, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn undelivered(&self, since: Timestamp, limit: u32) -> Result<Vec<OutboxRow>, StoreError> {
        self.outbox(
            "WHERE (gave_up > ?1 AND dropped_why IS NULL) OR returned > ?1 ORDER BY id DESC LIMIT ?2",
            (moment_text(since), limit),
        )
    }

    /// Letters that were dropped since a moment, newest first, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn dropped(&self, since: Timestamp, limit: u32) -> Result<Vec<OutboxRow>, StoreError> {
        self.outbox(
            "WHERE gave_up > ?1 AND dropped_why IS NOT NULL ORDER BY id DESC LIMIT ?2",
            (moment_text(since), limit),
        )
    }

    /// The newest letter that was sent to an address since a moment.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn last_sent_to(&self, address: &str, since: Timestamp) -> Result<Option<OutboxRow>, StoreError> {
        let which = "WHERE recipient = ?1 COLLATE NOCASE AND sent > ?2 ORDER BY sent DESC, id DESC LIMIT 1";
        Ok(self.outbox(which, (address, moment_text(since)))?.pop())
    }

    /// Drops waiting letters whose place another takes. Gives how many.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn replace(&self, what: &Replaced<'_>, now: Timestamp) -> Result<usize, StoreError> {
        let mut update = self
            .tx
            .prepare_cached(&format!(
                "UPDATE outbox SET gave_up = ?1, dropped_why = ?2, dropped_by = ?3
                 WHERE {WAITS} AND game = ?4 AND standing = ?5 AND (?6 IS NULL OR seat = ?6)
                 AND (?7 IS NULL OR recipient = ?7 COLLATE NOCASE) AND (?3 IS NULL OR id < ?3)"
            ))
            .map_err(self.said("write"))?;
        let row = (
            moment_text(now),
            what.why,
            what.by,
            what.game.as_str(),
            what.standing,
            what.seat.map(SeatId::as_str),
            what.recipient,
        );
        update.execute(row).map_err(self.said("write"))
    }

    /// How many letters of this name wait for an address.
    ///
    /// # Errors
    /// If they cannot be counted.
    pub fn count_standing(
        &self,
        game: &GameId,
        seat: &SeatId,
        recipient: &str,
        standing: &str,
    ) -> Result<u32, StoreError> {
        let mut query = self
            .tx
            .prepare_cached(&format!(
                "SELECT count(*) FROM outbox WHERE {WAITS} AND game = ?1 AND standing = ?2 AND seat = ?3
                 AND recipient = ?4 COLLATE NOCASE"
            ))
            .map_err(self.said("read"))?;
        query
            .query_row((game.as_str(), standing, seat.as_str(), recipient), |row| row.get(0))
            .map_err(self.said("read the outbox of"))
    }

    /// Drops one waiting letter.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn drop_post(&self, id: i64, why: &str, now: Timestamp) -> Result<bool, StoreError> {
        let sql = format!("UPDATE outbox SET gave_up = ?2, dropped_why = ?3 WHERE id = ?1 AND {WAITS}");
        Ok(self.tx.execute(&sql, (id, moment_text(now), why)).map_err(self.said("write"))? > 0)
    }

    /// Has a letter tried at once, also one that was given up, was dropped or came back. Its attempts are counted from here.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn try_again(&self, id: i64) -> Result<(), StoreError> {
        let sql =
            "UPDATE outbox SET sent = NULL, gave_up = NULL, returned = NULL, dropped_why = NULL, dropped_by = NULL,
                   next_try = NULL, attempts = 0 WHERE id = ?1";
        self.tx.execute(sql, [id]).map_err(self.said("write"))?;
        Ok(())
    }

    /// Has every waiting letter tried at once.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn try_all_again(&self) -> Result<(), StoreError> {
        self.tx
            .execute(&format!("UPDATE outbox SET next_try = NULL WHERE {WAITS} AND next_try IS NOT NULL"), [])
            .map_err(self.said("write"))?;
        self.line_up()
    }

    /// Writes down what a report said about a letter (RFC 3464); `returned` if it came back.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn reported(&self, id: i64, said: &str, returned: bool, now: Timestamp) -> Result<(), StoreError> {
        let sql = "UPDATE outbox SET report = ?2, returned = coalesce(returned, ?3) WHERE id = ?1";
        let returned = if returned { Some(moment_text(now)) } else { None };
        self.tx.execute(sql, (id, said, returned)).map_err(self.said("write"))?;
        Ok(())
    }

    /// Marks an address as one that cannot be reached. Says whether that is news.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn mark_address(&self, bad: &BadAddress) -> Result<bool, StoreError> {
        let sql = "INSERT INTO bad_address (address, since, why, post, letter) VALUES (?1, ?2, ?3, ?4, ?5)
                   ON CONFLICT (address) DO NOTHING";
        let row = (&bad.address, moment_text(bad.since), &bad.why, bad.post, bad.letter.map(|no| no.0));
        Ok(self.tx.execute(sql, row).map_err(self.said("write"))? > 0)
    }

    /// Takes the mark from an address; only one that our own server's refusal made if `refused_only`.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn unmark_address(&self, address: &str, refused_only: bool) -> Result<(), StoreError> {
        let mut delete = self
            .tx
            .prepare_cached("DELETE FROM bad_address WHERE address = ?1 AND (letter IS NULL OR NOT ?2)")
            .map_err(self.said("write"))?;
        delete.execute((address, refused_only)).map_err(self.said("write"))?;
        Ok(())
    }

    /// All addresses that cannot be reached.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn bad_addresses(&self) -> Result<Vec<BadAddress>, StoreError> {
        let said = self.said("read the addresses of");
        let mut query = self
            .tx
            .prepare_cached("SELECT address, since, why, post, letter FROM bad_address ORDER BY since, address")
            .map_err(&said)?;
        let rows = query
            .query_map([], |row| {
                Ok(BadAddress {
                    address: row.get(0)?,
                    since: moment(row, 1)?,
                    why: row.get(2)?,
                    post: row.get(3)?,
                    letter: row.get::<_, Option<u32>>(4)?.map(LetterNo),
                })
            })
            .map_err(&said)?;
        rows.map(|bad| bad.map_err(&said)).collect()
    }

    /// Whether the way out is closed.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn line(&self) -> Result<Option<LineDown>, StoreError> {
        let mut query =
            self.tx.prepare_cached("SELECT since, tries, next_try, why FROM line_down").map_err(self.said("read"))?;
        let down = |row: &rusqlite::Row<'_>| {
            Ok(LineDown { since: moment(row, 0)?, tries: row.get(1)?, next_try: moment(row, 2)?, why: row.get(3)? })
        };
        query.query_row([], down).optional().map_err(self.said("read the outbox of"))
    }

    /// Writes down that the way out is closed.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn line_down(&self, down: &LineDown) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO line_down (one, since, tries, next_try, why) VALUES (1, ?1, ?2, ?3, ?4)";
        let row = (moment_text(down.since), down.tries, moment_text(down.next_try), &down.why);
        self.tx.execute(sql, row).map_err(self.said("write"))?;
        Ok(())
    }

    /// Writes down that the way out is open.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn line_up(&self) -> Result<(), StoreError> {
        self.tx
            .prepare_cached("DELETE FROM line_down")
            .and_then(|mut delete| delete.execute([]))
            .map_err(self.said("write"))?;
        Ok(())
    }

    /// When the first letter was put into the outbox that still waits.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn oldest_waiting(&self) -> Result<Option<Timestamp>, StoreError> {
        let mut query = self
            .tx
            .prepare_cached(&format!("SELECT created FROM outbox WHERE {WAITS} ORDER BY id LIMIT 1"))
            .map_err(self.said("read"))?;
        query.query_row([], |row| moment(row, 0)).optional().map_err(self.said("read the outbox of"))
    }
}
