//! Games and their journals.

use super::{StoreError, Tx, moment_text};
use crate::engine::journal::JOURNAL_VERSION;
use crate::engine::{Fact, GameId, Written};
use jiff::Timestamp;
use rusqlite::Row;

impl Tx<'_> {
    /// All games of the folder, by name.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn games(&self) -> Result<Vec<GameId>, StoreError> {
        let said = self.said("read the games of");
        let mut query = self.tx.prepare_cached("SELECT id FROM game ORDER BY id").map_err(&said)?;
        let rows = query.query_map([], |row| row.get::<_, String>(0)).map_err(&said)?;
        rows.map(|id| Ok(GameId::new(&id.map_err(&said)?))).collect()
    }

    /// Adds a game, whose journal is empty until its opening is appended.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add_game(&self, game: &GameId) -> Result<(), StoreError> {
        self.tx.execute("INSERT INTO game (id) VALUES (?1)", [game.as_str()]).map_err(self.said("write"))?;
        Ok(())
    }

    /// Appends a fact to a game's journal and gives it back with its place.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&self, game: &GameId, at: Timestamp, fact: Fact) -> Result<Written, StoreError> {
        let seq = self.journal_length(game)? + 1;
        let json = serde_json::to_string(&fact).map_err(|why| StoreError::Nonsense {
            path: self.path.to_owned(),
            what: "fact",
            why: why.to_string(),
        })?;
        let mut insert = self
            .tx
            .prepare_cached("INSERT INTO journal (game, seq, at, version, fact) VALUES (?1, ?2, ?3, ?4, ?5)")
            .map_err(self.said("write"))?;
        insert
            .execute((game.as_str(), seq, moment_text(at), JOURNAL_VERSION, json))
            .map_err(self.said("write the journal of"))?;
        self.grown.borrow_mut().insert(game.clone());
        Ok(Written { seq: seq.unsigned_abs(), at, fact })
    }

    fn journal_length(&self, game: &GameId) -> Result<i64, StoreError> {
        let said = self.said("read the journal of");
        let mut query =
            self.tx.prepare_cached("SELECT coalesce(max(seq), 0) FROM journal WHERE game = ?1").map_err(&said)?;
        query.query_row([game.as_str()], |row| row.get(0)).map_err(&said)
    }

    /// A game's journal from the entry after `after` on (0: all of it).
    ///
    /// # Errors
    /// If it cannot be read, or holds what this program does not know.
    pub fn journal(&self, game: &GameId, after: u64) -> Result<Vec<Written>, StoreError> {
        let said = self.said("read the journal of");
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        let mut query = self
            .tx
            .prepare_cached("SELECT seq, at, version, fact FROM journal WHERE game = ?1 AND seq > ?2 ORDER BY seq")
            .map_err(&said)?;
        let rows = query.query_map((game.as_str(), after), raw_row).map_err(&said)?;
        rows.map(|row| self.written(row.map_err(&said)?)).collect()
    }

    fn written(&self, (seq, at, version, fact): (i64, String, u32, String)) -> Result<Written, StoreError> {
        let nonsense = |why: String| StoreError::Nonsense {
            path: self.path.to_owned(),
            what: "journal entry",
            why: format!("entry {seq}: {why}"),
        };
        if version > JOURNAL_VERSION {
            return Err(nonsense(format!("it is of version {version}, this program knows up to {JOURNAL_VERSION}")));
        }
        let at = at.parse().map_err(|fault: jiff::Error| nonsense(fault.to_string()))?;
        let fact = serde_json::from_str(&fact).map_err(|fault| nonsense(fault.to_string()))?;
        Ok(Written { seq: seq.unsigned_abs(), at, fact })
    }
}

fn raw_row(row: &Row<'_>) -> rusqlite::Result<(i64, String, u32, String)> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}
