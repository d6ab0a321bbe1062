//! What concerns the folder and no single game: whom the umpire was woken for, copies of the whole.

use super::{Desk, DeskError};
use crate::engine::GameId;
use crate::store::{Companion, Store, StoreError};
use jiff::{SignedDuration, Timestamp};
use std::path::Path;

impl Desk {
    /// Whether the umpire may be woken for a cause now: not twice within `pause`.
    ///
    /// # Errors
    /// If it cannot be looked up.
    pub fn may_wake(&mut self, cause: &str, pause: SignedDuration, now: Timestamp) -> Result<bool, DeskError> {
        let last = self.store.read(|tx| tx.woken(cause)).map_err(|fault: StoreError| fault)?;
        // A clock that has gone back must not silence an alarm.
        Ok(last.is_none_or(|last| last > now || now.duration_since(last) >= pause))
    }

    /// Writes down that the umpire was woken for a cause.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn woken(&mut self, cause: &str, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| Ok(room.tx.set_woken(cause, now)?))
    }

    /// Copies the folder's file as it is at this moment, while the daemon goes on, with some files of the folder in it.
    ///
    /// # Errors
    /// If the copy exists, cannot be written, or is not sound.
    pub fn backup(&mut self, to: &Path, companions: &[Companion]) -> Result<(), DeskError> {
        Ok(self.store.copy_to(to, companions)?)
    }

    /// Makes a folder's file from a copy; gives the files that went along with it.
    ///
    /// # Errors
    /// If the folder has a file, or the copy is not sound.
    pub fn restore_store(copy: &Path, folder: &Path) -> Result<Vec<Companion>, DeskError> {
        Ok(Store::restore(copy, folder)?)
    }

    /// Folds every game from its journal: gives those that could be, with the length of the journal.
    ///
    /// # Errors
    /// The first that could not.
    pub fn fold_all(&mut self, now: Timestamp) -> Result<Vec<(GameId, u64)>, DeskError> {
        self.look(now, |room, tables| {
            let games = room.tx.games()?;
            games
                .into_iter()
                .map(|game| {
                    let table = tables.sit(room.tx, &game)?;
                    table.now()?;
                    Ok((game, table.record.length))
                })
                .collect()
        })
    }
}
