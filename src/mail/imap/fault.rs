//! Why an IMAP server could not be used, in words for the umpire.

use crate::wire::{ProofError, Server, WireError};

/// Why an IMAP server could not be used.
#[derive(Debug, thiserror::Error)]
#[error("{server}: could not {verb}: {fault}")]
pub struct ImapError {
    /// The server.
    pub server: String,
    /// What was tried.
    pub verb: &'static str,
    /// What went wrong.
    pub fault: ImapFault,
}

/// What went wrong with an IMAP server.
#[derive(Debug, thiserror::Error)]
pub enum ImapFault {
    /// No connection, or none that is encrypted.
    #[error(transparent)]
    Wire(#[from] WireError),
    /// No password or token.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The server does not let us in.
    #[error(
        "it does not let us in: {0} (is `user` right, and the password of this very server? some want an application's own password)"
    )]
    Refused(String),
    /// The server offers nothing that we can say.
    #[error("{0}")]
    NoWay(String),
    /// The server answered no, or that it did not understand.
    #[error("it answered: {0}")]
    Said(String),
    /// The connection was cut or fell silent.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The connection was cut.
    #[error("the connection was cut")]
    Lost,
    /// The server said what nobody understands.
    #[error("its answer cannot be understood: {0}")]
    Confused(String),
    /// The letter is no longer in the folder.
    #[error("the letter is no longer there")]
    Gone,
    /// The server shows no text of a letter.
    #[error(
        "it gives no text of letter UID {0}: look at it with a mail program, and move it out of the folder to go on without it"
    )]
    Empty(u32),
    /// The server does not say when a letter came.
    #[error("it does not say when letter UID {0} came: move it out of the folder to go on without it")]
    NoDate(u32),
    /// The server has no lasting names for letters.
    #[error("it gives its letters no lasting names (no UIDVALIDITY): it cannot be used")]
    NoValidity,
    /// The server gave its letters new names.
    #[error(
        "it has given its letters new names (a new UIDVALIDITY): the next pass reads them all anew, and none counts twice"
    )]
    NewValidity,
    /// The folder cannot be changed.
    #[error("the folder can only be read: letters that are dealt with cannot be moved out of it")]
    ReadOnly,
    /// A folder cannot be made.
    #[error("it has no folder {0} and makes none: make one, and name it in umpire.toml as the server calls it")]
    NoFolder(String),
}

impl ImapError {
    pub(super) fn new(server: &Server, verb: &'static str, fault: ImapFault) -> Self {
        Self { server: server.to_string(), verb, fault }
    }

    /// Whether it may go away by itself.
    pub fn is_retryable(&self) -> bool {
        match &self.fault {
            ImapFault::Wire(WireError::Trust(_)) => false,
            ImapFault::Proof(fault) => fault.is_retryable(),
            ImapFault::Refused(_)
            | ImapFault::NoWay(_)
            | ImapFault::Empty(_)
            | ImapFault::NoDate(_)
            | ImapFault::NoValidity
            | ImapFault::ReadOnly
            | ImapFault::NoFolder(_) => false,
            _ => true,
        }
    }

    /// Whether no other letter can be read now: there is no connection, or not the folder that was listed.
    pub fn stops_all(&self) -> bool {
        !matches!(self.fault, ImapFault::Gone | ImapFault::Empty(_) | ImapFault::Said(_) | ImapFault::Confused(_))
    }
}

/// An error of the library, in our words.
pub(super) fn of(fault: imap::Error) -> ImapFault {
    match fault {
        imap::Error::Io(e) if e.kind() == std::io::ErrorKind::TimedOut => {
            ImapFault::Io(std::io::Error::new(e.kind(), "it does not answer"))
        }
        imap::Error::Io(e) => ImapFault::Io(e),
        imap::Error::ConnectionLost => ImapFault::Lost,
        imap::Error::No(no) => ImapFault::Said(no.to_string()),
        imap::Error::Bad(bad) => ImapFault::Said(bad.to_string()),
        // The library says "bye" also of what it cannot read.
        imap::Error::Bye(bye) if bye.information == "no explanation given" => {
            ImapFault::Confused("not IMAP, or a part of it that nobody has asked for".to_owned())
        }
        imap::Error::Bye(bye) => ImapFault::Said(format!("it hung up: {bye}")),
        other => ImapFault::Confused(other.to_string()),
    }
}

/// Whether the server plainly said no.
pub(super) fn no_code(fault: &imap::Error) -> bool {
    matches!(fault, imap::Error::No(_))
}
