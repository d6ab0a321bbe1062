//! What a pass could not do, and whom it concerns.

use crate::desk::{ClockTrouble, DeskError};
use crate::engine::GameId;
use crate::mail::{InboxError, MaildirError};
use crate::post::{PostError, SendError};
use std::io::{self, ErrorKind};

/// Something that a pass could not do.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The inbox cannot be used. Nothing is closed before it can.
    #[error("the inbox: {0}")]
    Inbox(#[from] InboxError),
    /// A letter could not be stored; it stays in the inbox.
    #[error("the letter {name} could not be taken in: {fault}")]
    Letter {
        /// Its name in the mailbox, or its number.
        name: String,
        /// Why.
        fault: Box<DeskError>,
    },
    /// A game could not be moved on.
    #[error("game {game} could not go on: {fault}")]
    Game {
        /// Which.
        game: GameId,
        /// Why.
        fault: Box<DeskError>,
    },
    /// The clock cannot be trusted: nothing closes, nothing becomes official.
    #[error("nothing closes: {0} (set the clock, or say `umpire resume --clock` if it is right)")]
    Clock(ClockTrouble),
    /// The desk could not be asked.
    #[error("{0}")]
    Desk(Box<DeskError>),
    /// The pages could not be written.
    #[error("the pages: could not write {path}: {fault}")]
    Site {
        /// Which file.
        path: String,
        /// Why.
        fault: std::io::Error,
    },
    /// A letter could not be sent; it is kept.
    #[error("a letter to {recipient} could not be sent: {fault}")]
    Post {
        /// To whom.
        recipient: String,
        /// Why.
        fault: SendError,
    },
}

impl From<DeskError> for Failure {
    fn from(fault: DeskError) -> Self {
        Failure::Desk(Box::new(fault))
    }
}

impl Failure {
    /// Whether it may well go away by itself; if not, the umpire has to be woken.
    pub fn is_retryable(&self) -> bool {
        match self {
            Failure::Inbox(fault) => fault.is_retryable(),
            Failure::Clock(_) => false,
            Failure::Letter { fault, .. } | Failure::Game { fault, .. } | Failure::Desk(fault) => fault.is_retryable(),
            Failure::Site { fault, .. } => matches!(fault.kind(), std::io::ErrorKind::StorageFull),
            Failure::Post { fault, .. } => fault.is_retryable(),
        }
    }
    /// Whether it comes of a full disk.
    pub fn is_full_disk(&self) -> bool {
        let full = |fault: &io::Error| matches!(fault.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded);
        match self {
            Failure::Letter { fault, .. } | Failure::Game { fault, .. } | Failure::Desk(fault) => fault.is_full_disk(),
            Failure::Inbox(InboxError::Maildir(MaildirError::Io { source, .. })) => full(source),
            Failure::Post { fault: SendError::Maildir(PostError::Io { source, .. }), .. } => full(source),
            Failure::Site { fault, .. } => full(fault),
            Failure::Inbox(_) | Failure::Post { .. } | Failure::Clock(_) => false,
        }
    }
}
