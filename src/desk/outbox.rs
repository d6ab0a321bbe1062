//! What is to be sent, and what became of it. Sending itself is the daemon's.

use super::{Desk, DeskError};
use crate::store::{OutboxRow, StoreError};
use jiff::Timestamp;

impl Desk {
    /// Letters not yet sent, in the sequence in which they were written, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn unsent(&mut self, limit: u32) -> Result<Vec<OutboxRow>, DeskError> {
        Ok(self.store.read(|tx| tx.unsent(limit)).map_err(|fault: StoreError| fault)?)
    }

    /// Writes down that a letter was accepted.
    ///
    /// # Errors
    /// If it cannot be written; the letter will be sent again, with the same Message-ID.
    pub fn sent(&mut self, id: i64, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| Ok(room.tx.sent(id, now)?))
    }

    /// Writes down that sending a letter failed; `for_good` if it is not to be tried again.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn not_sent(&mut self, id: i64, why: &str, for_good: bool, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| Ok(room.tx.not_sent(id, why, for_good, now)?))
    }
}
