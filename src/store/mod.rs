//! SQLite: the journal, the letters that came, the letters that go out. It knows ids and the journal as JSON, never rules.
//!
//! One file, `umpire.sqlite`, holds an umpire's folder. It is in WAL mode (one fsync a commit, and `umpire status` reads while
//! the daemon writes) with `synchronous = FULL`, so that a commit that has returned survives the power cut. The journal and the
//! raw letters are append-only by trigger.

mod agenda;
mod copy;
mod error;
mod intake;
mod journal;
mod moving;
mod outbox;
mod queue;
mod schema;
#[cfg(test)]
mod tests;

pub use agenda::AgendaRow;
pub use copy::Companion;
pub use error::StoreError;
pub use intake::{Disposition, IntakeRow, NewLetter, Outcome, Taken};
pub use moving::{MovedGame, MovedLetter, MovedPost, RawEntry};
pub use outbox::{NewPost, OutboxRow, PostState};
pub use queue::{BadAddress, Head, LineDown, Replaced};

use crate::engine::{GameId, Secret};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of the file in an umpire's folder.
pub const FILE: &str = "umpire.sqlite";

/// Called after each commit that may have written, with the number of such commits since the store was opened.
pub type CommitObserver = Box<dyn FnMut(u64) + Send>;

/// An umpire's folder's truth.
pub struct Store {
    connection: Connection,
    path: PathBuf,
    commits: u64,
    after_commit: Option<CommitObserver>,
}

/// One transaction: all of it becomes true, or none.
pub struct Tx<'s> {
    tx: Transaction<'s>,
    path: &'s Path,
    /// Games whose journal has grown.
    grown: RefCell<BTreeSet<GameId>>,
}

impl Store {
    /// Makes the file in `folder`. `secret` is what Message-IDs and receipt codes are derived from.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(folder: &Path, secret: &Secret) -> Result<Self, StoreError> {
        let path = folder.join(FILE);
        if path.exists() {
            return Err(StoreError::Exists { path });
        }
        let mut store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE)?;
        schema::create(&mut store.connection, secret).map_err(|fault| StoreError::of(&store.path, "create", fault))?;
        Ok(store)
    }

    /// Opens the file in `folder` and brings it to this program's schema.
    ///
    /// # Errors
    /// If there is none, if it is not one of ours, if a newer program made it, if it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Err(StoreError::Missing { path });
        }
        let mut store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        schema::migrate(&mut store.connection, &store.path)?;
        Ok(store)
    }

    fn connect(path: PathBuf, flags: OpenFlags) -> Result<Self, StoreError> {
        let ready = || -> rusqlite::Result<Connection> {
            let connection = Connection::open_with_flags(&path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
            connection.busy_timeout(Duration::from_secs(10))?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            Ok(connection)
        };
        match ready() {
            Ok(connection) => Ok(Self { connection, path, commits: 0, after_commit: None }),
            Err(fault) => Err(StoreError::of(&path, "open", fault)),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Has `observer` called after every commit that may have written.
    pub fn after_commit(&mut self, observer: CommitObserver) {
        self.after_commit = Some(observer);
    }

    /// Does `work` in one transaction that no other writer can get in between, and commits it if `work` is content.
    ///
    /// # Errors
    /// What `work` says, after everything has been taken back; or that the commit failed, and then nothing has happened either.
    pub fn transaction<T, E: From<StoreError>>(&mut self, work: impl FnOnce(&Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        let done = self.within(TransactionBehavior::Immediate, work)?;
        self.commits += 1;
        if let Some(observer) = &mut self.after_commit {
            observer(self.commits);
        }
        Ok(done)
    }

    /// Looks things up, all as they were at one moment. `work` must not write.
    ///
    /// # Errors
    /// What `work` says, or that the file cannot be read.
    pub fn read<T, E: From<StoreError>>(&mut self, work: impl FnOnce(&Tx<'_>) -> Result<T, E>) -> Result<T, E> {
        self.within(TransactionBehavior::Deferred, work)
    }

    fn within<T, E: From<StoreError>>(
        &mut self,
        behaviour: TransactionBehavior,
        work: impl FnOnce(&Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let tx = self
            .connection
            .transaction_with_behavior(behaviour)
            .map_err(|fault| StoreError::of(&self.path, "begin to write", fault))?;
        let tx = Tx { tx, path: &self.path, grown: RefCell::default() };
        let done = work(&tx)?;
        tx.tx.commit().map_err(|fault| StoreError::of(&self.path, "write", fault))?;
        Ok(done)
    }

    /// A number that changes whenever another process (or another connection) has written.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn others_wrote(&self) -> Result<i64, StoreError> {
        self.connection
            .pragma_query_value(None, "data_version", |row| row.get(0))
            .map_err(|fault| StoreError::of(&self.path, "read", fault))
    }

    /// What SQLite says about the file's soundness: `ok`, or what is wrong with it.
    ///
    /// # Errors
    /// If it cannot be read at all.
    pub fn integrity(&mut self) -> Result<String, StoreError> {
        self.connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .map_err(|fault| StoreError::of(&self.path, "check", fault))
    }

    /// Bounds the file's size in pages of SQLite, for trying what a full disk does.
    #[doc(hidden)]
    pub fn bound_pages(&mut self, pages: u32) -> Result<(), StoreError> {
        self.connection
            .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |row| row.get::<_, i64>(0))
            .map(|_| ())
            .map_err(|fault| StoreError::of(&self.path, "bound", fault))
    }
}

impl Tx<'_> {
    /// The games whose journal has grown in this transaction.
    pub fn grown(&self) -> Vec<GameId> {
        self.grown.borrow().iter().cloned().collect()
    }

    /// Does a part of the work that can fail alone: then what it wrote is taken back, and the rest stays.
    ///
    /// # Errors
    /// What `work` says; or that SQLite could not go back, and then nothing of the transaction may stay.
    pub fn apart<T, E: From<StoreError>>(&self, work: impl FnOnce() -> Result<T, E>) -> Result<Result<T, E>, E> {
        let say = |sql: &str| self.tx.execute_batch(sql).map_err(|fault| E::from(self.said("write")(fault)));
        say("SAVEPOINT apart")?;
        let done = work();
        if done.is_err() {
            say("ROLLBACK TO apart")?;
        }
        say("RELEASE apart")?;
        Ok(done)
    }

    fn said(&self, doing: &'static str) -> impl Fn(rusqlite::Error) -> StoreError + '_ {
        move |fault| StoreError::of(self.path, doing, fault)
    }

    /// The secret of the folder.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn secret(&self) -> Result<Secret, StoreError> {
        let text: String = self
            .tx
            .query_row("SELECT value FROM folder WHERE name = 'secret'", [], |row| row.get(0))
            .map_err(self.said("read the secret of"))?;
        serde_json::from_value(serde_json::Value::String(text)).map_err(|fault| StoreError::Nonsense {
            path: self.path.to_owned(),
            what: "secret",
            why: fault.to_string(),
        })
    }
}

/// Moments are kept as text that sorts as they do: `2026-12-04T19:00:00.000000Z`.
fn moment_text(at: jiff::Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()
}
