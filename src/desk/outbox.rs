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

    /// The oldest letter that was written before `before`, could not be sent and is still to be: when it was written, and why it
    /// could not be.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn oldest_failed(&mut self, before: Timestamp) -> Result<Option<(Timestamp, String)>, DeskError> {
        Ok(self.store.read(|tx| tx.oldest_failed(before)).map_err(|fault: StoreError| fault)?)
    }

    /// How many letters wait to be sent, and how many of them could not be sent so far.
    ///
    /// # Errors
    /// If they cannot be counted.
    pub fn outbox_count(&mut self) -> Result<(u32, u32), DeskError> {
        Ok(self.store.read(|tx| tx.outbox_count()).map_err(|fault: StoreError| fault)?)
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
