//! The way out, whichever it is.

use super::maildir::{self, PostError, StoredLetter};
use super::smtp::{Smtp, SmtpError};
use jiff::Timestamp;
use std::path::PathBuf;

/// The way by which letters leave.
pub enum Transport {
    /// Into a folder on this machine.
    Maildir(PathBuf),
    /// To a server.
    Smtp(Box<Smtp>),
}

/// A letter and whither it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sealed<'a> {
    /// The letter as it was stored.
    pub letter: StoredLetter<'a>,
    /// The umpire's address: whither undeliverable letters come back.
    pub from: &'a str,
    /// The one recipient.
    pub to: &'a str,
}

/// Why a letter did not leave.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The folder.
    #[error(transparent)]
    Maildir(#[from] PostError),
    /// The server.
    #[error(transparent)]
    Smtp(#[from] SmtpError),
}

impl SendError {
    /// Whether this letter will never leave: it is not tried again.
    pub fn is_permanent(&self) -> bool {
        matches!(self, SendError::Smtp(fault) if fault.is_permanent())
    }

    /// Whether it may go away by itself.
    pub fn is_retryable(&self) -> bool {
        match self {
            SendError::Maildir(fault) => fault.is_retryable(),
            SendError::Smtp(fault) => fault.is_retryable(),
        }
    }

    /// Whether no other letter will fare better now.
    pub fn concerns_all(&self) -> bool {
        matches!(self, SendError::Smtp(fault) if fault.concerns_all())
    }
}

impl Transport {
    /// Sends a letter. After `Ok` it is on the disk, or with the server.
    ///
    /// # Errors
    /// If it is not, or if nobody knows: then it has to be sent again. The same letter with the same Message-ID does no harm.
    pub fn send(&mut self, sealed: &Sealed<'_>, now: Timestamp) -> Result<(), SendError> {
        match self {
            Transport::Maildir(root) => {
                maildir::deliver(root, &sealed.letter)?;
            }
            Transport::Smtp(smtp) => {
                smtp.send(sealed.from, sealed.to, sealed.letter.bytes, now)?;
            }
        }
        Ok(())
    }
}
