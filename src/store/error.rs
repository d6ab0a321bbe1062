//! What can go wrong with the file, and whom to tell.

use rusqlite::ErrorCode;
use std::path::{Path, PathBuf};

/// A fault of the store. Where, what, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no file.
    #[error("there is no umpire's folder here: {} does not exist (make one with `umpire init`, or name another folder with -C)", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// There is one already.
    #[error("{} exists already, and is not written over", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It is something else.
    #[error("{} is not an umpire's file: {why} (restore it from a backup, or name another folder with -C)", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// A newer program made it.
    #[error("{} was written by a newer umpire (schema {found}, this one knows up to {known}): update the program", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: u32,
        /// The newest schema this program knows.
        known: u32,
    },
    /// There is no copy to restore.
    #[error("there is no copy {} to restore (`umpire backup FILE` makes one)", path.display())]
    NoCopy {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// A file beside ours cannot be read.
    #[error("could not read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file beside ours cannot be written.
    #[error("could not write {}: {source}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The disk is full.
    #[error("no room left to {doing} {}: nothing was changed; make room on the disk, and it goes on by itself", path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
    },
    /// Another process is writing.
    #[error("{} is locked by another process that is writing to it: nothing was changed; try again", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// Anything else that SQLite says.
    #[error("could not {doing} {}: {source}", path.display())]
    Sql {
        /// The file.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// A row that this program cannot have written.
    #[error("{} holds a {what} that makes no sense: {why} (restore it from a backup)", path.display())]
    Nonsense {
        /// The file.
        path: PathBuf,
        /// What was read.
        what: &'static str,
        /// What is wrong with it.
        why: String,
    },
}

impl StoreError {
    pub(super) fn of(path: &Path, doing: &'static str, fault: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match fault.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full { path, doing },
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked { path },
            Some(ErrorCode::NotADatabase) => Self::NotOurs { path, why: "it is not a SQLite database".to_owned() },
            _ => Self::Sql { path, doing, source: fault },
        }
    }

    /// Whether the disk is full.
    pub fn is_full(&self) -> bool {
        matches!(self, Self::Full { .. })
    }

    /// Whether the same thing may well succeed later without anybody mending the file.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Full { .. } | Self::Locked { .. } => true,
            Self::Sql { source, .. } => {
                matches!(source.sqlite_error_code(), Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen))
            }
            _ => false,
        }
    }
}
