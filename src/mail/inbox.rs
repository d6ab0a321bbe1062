//! The inbox, wherever it lies: a maildir or a folder on an IMAP server. What is done with letters is the same for both.

use super::imap::{Imap, ImapError, ImapFault};
use super::maildir::{Folder, MailFile, Maildir, MaildirError, RawLetter};
use jiff::Timestamp;
use std::path::PathBuf;
use std::time::Duration;

/// Where letters to the umpire come in.
pub enum Inbox {
    /// A folder on this machine.
    Maildir(Maildir),
    /// A folder on a server.
    Imap(Box<Imap>),
}

/// A letter that lies in the inbox, not yet read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Waiting {
    /// The hour of its receipt (R-003-84): INTERNALDATE, or the time of its file.
    pub received: Timestamp,
    /// Its name in the inbox, which never names another.
    pub unique: String,
    /// In octets, as far as the inbox knows.
    pub size: u64,
    pub(super) place: Place,
}

/// Where a letter lay when it was listed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    File(PathBuf),
    /// On the server: UIDVALIDITY and UID (RFC 3501 2.3.1.1).
    Uid {
        validity: u32,
        uid: u32,
    },
}

/// Why an inbox could not be used.
#[derive(Debug, thiserror::Error)]
pub enum InboxError {
    /// The maildir.
    #[error(transparent)]
    Maildir(#[from] MaildirError),
    /// The IMAP server.
    #[error(transparent)]
    Imap(#[from] ImapError),
}

impl InboxError {
    /// Whether the same may succeed later without anybody's help.
    pub fn is_retryable(&self) -> bool {
        match self {
            InboxError::Maildir(fault) => fault.is_retryable(),
            InboxError::Imap(fault) => fault.is_retryable(),
        }
    }

    /// Whether the letter is no longer there: somebody took it.
    pub fn is_gone(&self) -> bool {
        matches!(
            self,
            InboxError::Maildir(MaildirError::Gone { .. }) | InboxError::Imap(ImapError { fault: ImapFault::Gone, .. })
        )
    }

    /// Whether it is of no use to try the next letter now.
    pub fn stops_all(&self) -> bool {
        matches!(self, InboxError::Imap(fault) if fault.stops_all())
    }
}

impl Inbox {
    /// The mailbox's name, by which the intake knows whose names its letters bear.
    pub fn name(&self) -> &str {
        match self {
            Inbox::Maildir(_) => "maildir",
            Inbox::Imap(imap) => imap.name(),
        }
    }

    /// The letters in the inbox, by the hour of their receipt. After `Ok` everything that had come before the call is in the list.
    ///
    /// # Errors
    /// If the inbox cannot be read to its end.
    pub fn list(&mut self, now: Timestamp) -> Result<Vec<Waiting>, InboxError> {
        match self {
            Inbox::Maildir(maildir) => Ok(maildir.list()?.into_iter().map(Waiting::from).collect()),
            Inbox::Imap(imap) => Ok(imap.list(now)?),
        }
    }

    /// Reads a letter. Of one of more than `max_size` octets only the header is read.
    ///
    /// # Errors
    /// If it cannot be read, or [is no longer there](InboxError::is_gone).
    pub fn read(&mut self, letter: &Waiting, max_size: u64, now: Timestamp) -> Result<RawLetter, InboxError> {
        match (self, &letter.place) {
            (Inbox::Maildir(maildir), Place::File(_)) => Ok(maildir.read(&letter.file(), max_size)?),
            (Inbox::Imap(imap), &Place::Uid { validity, uid }) => {
                Ok(imap.read(validity, uid, letter.size, max_size, now)?)
            }
            _ => Err(MaildirError::BadName(letter.unique.clone()).into()),
        }
    }

    /// Moves a letter out of the inbox. To do it twice is the same as once.
    ///
    /// # Errors
    /// If it cannot be moved. It then lies where it lay.
    pub fn file_away(&mut self, letter: &Waiting, folder: Folder, now: Timestamp) -> Result<(), InboxError> {
        match (self, &letter.place) {
            (Inbox::Maildir(maildir), Place::File(_)) => {
                maildir.file_away(&letter.file(), folder)?;
            }
            (Inbox::Imap(imap), &Place::Uid { validity, uid }) => imap.file_away(validity, uid, folder, now)?,
            _ => {}
        }
        Ok(())
    }

    /// Waits for mail, at most `max`. True: look now. A server with IDLE says at once when something comes; otherwise all of `max` is
    /// slept through.
    ///
    /// # Errors
    /// If the server cannot be reached. No time has been waited then: it is for the caller not to ask again at once.
    pub fn wait_for_mail(&mut self, max: Duration, now: Timestamp) -> Result<bool, InboxError> {
        match self {
            Inbox::Maildir(_) => {
                std::thread::sleep(max);
                Ok(false)
            }
            Inbox::Imap(imap) => Ok(imap.wait_for_mail(max, now)?),
        }
    }
}

impl Waiting {
    fn file(&self) -> MailFile {
        let path = match &self.place {
            Place::File(path) => path.clone(),
            Place::Uid { .. } => PathBuf::new(),
        };
        MailFile { received: self.received, unique: self.unique.clone(), path, size: self.size }
    }
}

impl From<MailFile> for Waiting {
    fn from(file: MailFile) -> Self {
        Self { received: file.received, unique: file.unique, size: file.size, place: Place::File(file.path) }
    }
}
