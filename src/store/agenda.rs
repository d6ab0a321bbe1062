//! What can be asked of all games at once without folding a journal: which is due, who sits where, whose pages are old.

use super::outbox::moment;
use super::{StoreError, Tx, moment_text};
use crate::engine::{GameId, SeatId};
use jiff::Timestamp;
use rusqlite::OptionalExtension;

/// What is written down of a game beside its journal. It follows from the journal alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgendaRow {
    /// By which edition of the desk's reckoning it was made.
    pub edition: u32,
    /// How many entries the journal had.
    pub length: u64,
    /// The moment behind which something may be due; `None` while nothing can be.
    pub due: Option<Timestamp>,
    /// The cause of the letters that have to leave before that.
    pub awaits: Option<String>,
    /// Every player's address, folded for comparing, with his seat.
    pub seated: Vec<(String, SeatId)>,
}

impl Tx<'_> {
    /// Writes down what a game waits for.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep_agenda(&self, game: &GameId, row: &AgendaRow) -> Result<(), StoreError> {
        let said = self.said("write");
        let mut upsert = self
            .tx
            .prepare_cached(
                "INSERT INTO agenda (game, edition, length, at, due, awaits)
                 VALUES (?1, ?2, ?3, coalesce((SELECT at FROM journal WHERE game = ?1 ORDER BY seq DESC LIMIT 1), ''), ?4, ?5)
                 ON CONFLICT (game) DO UPDATE SET edition = excluded.edition, length = excluded.length, at = excluded.at,
                                                  due = excluded.due, awaits = excluded.awaits",
            )
            .map_err(&said)?;
        let length = i64::try_from(row.length).unwrap_or(i64::MAX);
        upsert
            .execute((game.as_str(), row.edition, length, row.due.map(moment_text), row.awaits.as_deref()))
            .map_err(&said)?;
        if self.seated_in(game)? != row.seated {
            self.seat_anew(game, &row.seated)?;
        }
        Ok(())
    }

    fn seated_in(&self, game: &GameId) -> Result<Vec<(String, SeatId)>, StoreError> {
        let said = self.said("read the seats of");
        let mut query = self
            .tx
            .prepare_cached("SELECT address, seat FROM seated WHERE game = ?1 ORDER BY address, seat")
            .map_err(&said)?;
        let rows = query
            .query_map([game.as_str()], |row| Ok((row.get(0)?, SeatId::new(&row.get::<_, String>(1)?))))
            .map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }

    fn seat_anew(&self, game: &GameId, seated: &[(String, SeatId)]) -> Result<(), StoreError> {
        let said = self.said("write");
        self.tx.execute("DELETE FROM seated WHERE game = ?1", [game.as_str()]).map_err(&said)?;
        let mut insert = self
            .tx
            .prepare_cached("INSERT OR IGNORE INTO seated (address, game, seat) VALUES (?1, ?2, ?3)")
            .map_err(&said)?;
        for (address, seat) in seated {
            insert.execute((address, game.as_str(), seat.as_str())).map_err(&said)?;
        }
        Ok(())
    }

    /// The games in which an address has a seat.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn games_of(&self, address: &str) -> Result<Vec<GameId>, StoreError> {
        self.ids("SELECT DISTINCT game FROM seated WHERE address = ?1 ORDER BY game", [address])
    }

    /// Games whose agenda is not of this edition.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn without_agenda(&self, edition: u32) -> Result<Vec<GameId>, StoreError> {
        let sql =
            "SELECT id FROM game WHERE NOT EXISTS (SELECT 1 FROM agenda WHERE game = id AND edition = ?1) ORDER BY id";
        self.ids(sql, [edition])
    }

    /// Games in which something may be due at `now`, the longest due first, with the length of their journals; at most `limit`.
    /// Those whose letters have not left yet are not among them.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn due(&self, now: Timestamp, limit: u32) -> Result<Vec<(GameId, u64)>, StoreError> {
        let said = self.said("read the agenda of");
        let mut query = self
            .tx
            .prepare_cached(
                "SELECT game, length FROM agenda WHERE due < ?1 AND (awaits IS NULL OR NOT EXISTS
                     (SELECT 1 FROM outbox WHERE cause = awaits AND coalesce(standing, '') NOT LIKE 'window %'
                      AND sent IS NULL AND gave_up IS NULL))
                 ORDER BY due, game LIMIT ?2",
            )
            .map_err(&said)?;
        let rows = query
            .query_map((moment_text(now), limit), |row| {
                Ok((GameId::new(&row.get::<_, String>(0)?), row.get::<_, i64>(1)?.unsigned_abs()))
            })
            .map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }

    /// The first moment not before `now` at which something can become due in any game.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn next_due(&self, now: Timestamp) -> Result<Option<Timestamp>, StoreError> {
        let mut query = self
            .tx
            .prepare_cached("SELECT due FROM agenda WHERE due >= ?1 ORDER BY due LIMIT 1")
            .map_err(self.said("read"))?;
        query.query_row([moment_text(now)], |row| moment(row, 0)).optional().map_err(self.said("read the agenda of"))
    }

    /// Games whose journal has grown since their pages were written, with its length; at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn unrendered(&self, limit: u32) -> Result<Vec<GameId>, StoreError> {
        self.ids("SELECT game FROM agenda WHERE rendered IS NOT length ORDER BY game LIMIT ?1", [limit])
    }

    /// Writes down that the pages of a game were written when its journal had this length. `front` is what the page of all
    /// games tells of it; says whether that is another than before.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn rendered(&self, game: &GameId, length: u64, front: &str) -> Result<bool, StoreError> {
        let said = self.said("write");
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        self.tx
            .prepare_cached("UPDATE agenda SET rendered = ?2 WHERE game = ?1")
            .and_then(|mut update| update.execute((game.as_str(), length)))
            .map_err(&said)?;
        let changed = self
            .tx
            .prepare_cached(
                "INSERT INTO front (game, facts) VALUES (?1, ?2)
                 ON CONFLICT (game) DO UPDATE SET facts = excluded.facts WHERE facts <> excluded.facts",
            )
            .and_then(|mut upsert| upsert.execute((game.as_str(), front)))
            .map_err(&said)?;
        Ok(changed > 0)
    }

    /// Has all pages written anew.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn render_all_anew(&self) -> Result<(), StoreError> {
        self.tx.execute("UPDATE agenda SET rendered = NULL", []).map_err(self.said("write"))?;
        Ok(())
    }

    /// What the page of all games tells of each, by name, as JSON.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn fronts(&self) -> Result<Vec<String>, StoreError> {
        let said = self.said("read the pages of");
        let mut query = self.tx.prepare_cached("SELECT facts FROM front ORDER BY game").map_err(&said)?;
        let rows = query.query_map([], |row| row.get(0)).map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }

    /// The newest moment at which anything was written down.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn newest_moment(&self) -> Result<Option<Timestamp>, StoreError> {
        // Not the last by number: while the clock is wrong, letters go on to be stored behind the one that shows it.
        let sql = "SELECT max(at) FROM (SELECT max(at) AS at FROM agenda UNION ALL SELECT max(stored) FROM intake
                   UNION ALL SELECT max(created) FROM outbox)";
        let mut query = self.tx.prepare_cached(sql).map_err(self.said("read"))?;
        let text: Option<String> = query.query_row([], |row| row.get(0)).map_err(self.said("read the times of"))?;
        Ok(text.filter(|text| !text.is_empty()).and_then(|text| text.parse().ok()))
    }

    /// A remark of the folder by name.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn remark(&self, name: &str) -> Result<Option<String>, StoreError> {
        let mut query =
            self.tx.prepare_cached("SELECT value FROM folder WHERE name = ?1").map_err(self.said("read"))?;
        query.query_row([name], |row| row.get(0)).optional().map_err(self.said("read"))
    }

    /// Writes a remark of the folder down, or takes it away.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn set_remark(&self, name: &str, value: Option<&str>) -> Result<(), StoreError> {
        let sql = match value {
            Some(_) => {
                "INSERT INTO folder (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            }
            None => "DELETE FROM folder WHERE name = ?1 AND ?2 IS NULL",
        };
        self.tx.execute(sql, (name, value)).map_err(self.said("write"))?;
        Ok(())
    }

    /// When the umpire was last woken for a cause.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn woken(&self, cause: &str) -> Result<Option<Timestamp>, StoreError> {
        let mut query = self.tx.prepare_cached("SELECT at FROM alert WHERE cause = ?1").map_err(self.said("read"))?;
        query.query_row([cause], |row| moment(row, 0)).optional().map_err(self.said("read"))
    }

    /// Writes down that the umpire was woken for a cause.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn set_woken(&self, cause: &str, at: Timestamp) -> Result<(), StoreError> {
        let sql = "INSERT INTO alert (cause, at) VALUES (?1, ?2) ON CONFLICT (cause) DO UPDATE SET at = excluded.at";
        self.tx.execute(sql, (cause, moment_text(at))).map_err(self.said("write"))?;
        Ok(())
    }

    fn ids(&self, sql: &str, bound: impl rusqlite::Params) -> Result<Vec<GameId>, StoreError> {
        let said = self.said("read the games of");
        let mut query = self.tx.prepare_cached(sql).map_err(&said)?;
        let rows = query.query_map(bound, |row| row.get::<_, String>(0)).map_err(&said)?;
        rows.map(|id| Ok(GameId::new(&id.map_err(&said)?))).collect()
    }
}
