//! An IMAP folder as inbox (RFC 3501; IDLE RFC 2177, UIDPLUS RFC 4315, MOVE RFC 6851 where the server has them).
//!
//! | file      | what it does                                                              |
//! |-----------|---------------------------------------------------------------------------|
//! | `session` | connects, encrypts, says who we are; every command with an end to patience |
//! | `fault`   | why it did not work, in words                                             |
//!
//! The intake itself is the memory of what was fetched: a letter is known there by the folder's UIDVALIDITY and its UID, and what has
//! become something is moved out of the folder. So there is no "last UID" that could run ahead of what was stored: whatever lies in
//! the folder is listed, and only what the intake does not know is fetched. If the server gives new UIDs to old letters (a new
//! UIDVALIDITY), they are fetched again and the intake knows them by their words.

mod fault;
mod session;

pub use fault::{ImapError, ImapFault};
pub use session::Abilities;

use super::inbox::{Place, Waiting};
use super::maildir::{Folder, RawLetter};
use crate::wire::{Login, Server};
use fault::no_code;
use imap::types::UnsolicitedResponse;
use jiff::Timestamp;
use session::Session;
use std::collections::BTreeSet;
use std::time::Duration;

/// Of a letter beyond the allowed size this much is read, in octets: enough for any header.
const HEADER_ONLY: u64 = 64 * 1024;
/// What an answer may hold beside the letter or list that was asked for, in octets.
const SLACK: u64 = 256 * 1024;
/// No line of a list is longer, in octets.
const LINE: u64 = 1024;
/// IDLE is begun anew after this long: much within the half hour after which servers hang up (RFC 2177), and soon enough to see that
/// the connection has died in silence.
const LONGEST_IDLE: Duration = Duration::from_secs(4 * 60);

/// An IMAP folder, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImapConfig {
    /// The server.
    pub server: Server,
    /// Who we are there.
    pub login: Login,
    /// The folder into which letters come.
    pub folder: String,
    /// The folder for letters from which something was taken.
    pub processed: String,
    /// The folder for all others.
    pub rejected: String,
}

/// The inbox.
pub struct Imap {
    config: ImapConfig,
    name: String,
    session: Option<Session>,
    /// The folders that are there, as the server calls them.
    made: BTreeSet<String>,
}

impl Imap {
    /// The inbox that `config` names. Nothing is connected yet.
    pub fn new(config: ImapConfig) -> Self {
        let name = format!("imap:{}@{}/{}", config.login.user, config.server.host, config.folder);
        Self { config, name, session: None, made: BTreeSet::new() }
    }

    /// Its name in the intake. The port and the encryption may change; the letters stay the same.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the server can do, for `umpire mail check`. Connects.
    ///
    /// # Errors
    /// If there is no connection.
    pub fn abilities(&mut self, now: Timestamp) -> Result<Abilities, ImapError> {
        Ok(self.session(now)?.abilities.clone())
    }

    /// Makes the folders that are missing, for `umpire mail check`, and gives their names on the server.
    ///
    /// # Errors
    /// If they cannot be made.
    pub fn make_folders(&mut self, now: Timestamp) -> Result<Vec<String>, ImapError> {
        [Folder::Processed, Folder::Rejected].into_iter().map(|folder| self.target(folder, now)).collect()
    }

    /// A session with the folder selected. An old one is used as long as nothing went wrong in it.
    fn session(&mut self, now: Timestamp) -> Result<&mut Session, ImapError> {
        if self.session.as_ref().is_none_or(|session| session.is_broken()) {
            self.session = None;
            self.made.clear();
            let mut session = Session::open(&self.config, now)?;
            session.select(&self.config.folder)?;
            return Ok(self.session.insert(session));
        }
        match &mut self.session {
            Some(session) => Ok(session),
            None => Err(ImapError::new(&self.config.server, "connect", ImapFault::Lost)),
        }
    }

    /// A session in which UIDs mean what they meant when the letters were listed.
    fn same(&mut self, validity: u32, now: Timestamp) -> Result<&mut Session, ImapError> {
        let server = self.config.server.clone();
        let session = self.session(now)?;
        if session.validity != validity {
            return Err(ImapError::new(&server, "find the letter again", ImapFault::NewValidity));
        }
        Ok(session)
    }

    /// The letters in the folder, by the hour of their receipt.
    ///
    /// # Errors
    /// If the list does not come whole.
    pub fn list(&mut self, now: Timestamp) -> Result<Vec<Waiting>, ImapError> {
        let fresh = self.session.as_ref().is_none_or(|session| session.is_broken());
        let folder = self.config.folder.clone();
        let server = self.config.server.clone();
        let session = self.session(now)?;
        if !fresh {
            // Selected anew, the folder shows what has come, and whether its UIDs still hold.
            session.select(&folder)?;
        }
        let (validity, count) = (session.validity, session.exists);
        if count == 0 {
            return Ok(Vec::new());
        }
        let limit = SLACK + LINE * u64::from(count);
        let rows = session.run("list the letters", limit, |s| {
            let found = s.uid_fetch("1:*", "(UID RFC822.SIZE INTERNALDATE)")?;
            let row = |f: &imap::types::Fetch<'_>| (f.uid, f.size, f.internal_date().map(|date| date.timestamp()));
            Ok(found.iter().map(row).collect::<Vec<_>>())
        })?;
        let mut letters = Vec::new();
        for (uid, size, date) in rows {
            // A line without a UID tells of a flag that somebody changed meanwhile.
            let Some(uid) = uid else { continue };
            let received = date.and_then(|seconds| Timestamp::from_second(seconds).ok());
            let (Some(received), Some(size)) = (received, size) else {
                // A letter whose hour is not known cannot be judged: better no list than one without it.
                if size.is_none() && date.is_none() {
                    continue;
                }
                return Err(ImapError::new(&server, "list the letters", ImapFault::NoDate(uid)));
            };
            let place = Place::Uid { validity, uid };
            letters.push(Waiting { received, unique: format!("{validity}.{uid}"), size: size.into(), place });
        }
        letters.sort_by_key(|letter| (letter.received, uid_of(letter)));
        letters.dedup();
        Ok(letters)
    }

    /// Reads a letter; of one that is too large only the header.
    ///
    /// # Errors
    /// If it does not come whole.
    pub(super) fn read(
        &mut self,
        validity: u32,
        uid: u32,
        size: u64,
        max_size: u64,
        now: Timestamp,
    ) -> Result<RawLetter, ImapError> {
        let server = self.config.server.clone();
        let session = self.same(validity, now)?;
        let oversize = size > max_size;
        // PEEK leaves the letter unseen: only the move says that it was dealt with.
        let (what, limit) = if oversize {
            (format!("(UID BODY.PEEK[HEADER]<0.{HEADER_ONLY}>)"), HEADER_ONLY)
        } else {
            ("(UID BODY.PEEK[])".to_owned(), max_size)
        };
        let found = session.run("read a letter", limit.saturating_mul(2) + SLACK, |s| {
            let found = s.uid_fetch(uid.to_string(), what)?;
            let letter = found.iter().find(|fetch| fetch.uid == Some(uid));
            Ok(letter.map(|fetch| if oversize { fetch.header() } else { fetch.body() }.map(<[u8]>::to_vec)))
        })?;
        match found {
            None => Err(ImapError::new(&server, "read a letter", ImapFault::Gone)),
            Some(None) => Err(ImapError::new(&server, "read a letter", ImapFault::Empty(uid))),
            Some(Some(bytes)) if bytes.len() as u64 > limit => {
                // It is larger than the server said. What counts is what it is.
                let mut bytes = bytes;
                super::maildir::keep_header(&mut bytes);
                Ok(RawLetter { bytes, oversize: true })
            }
            Some(Some(bytes)) => Ok(RawLetter { bytes, oversize }),
        }
    }

    /// Moves a letter out of the folder.
    ///
    /// # Errors
    /// If it cannot be moved. It is still there then, or there twice: never nowhere.
    pub(super) fn file_away(
        &mut self,
        validity: u32,
        uid: u32,
        folder: Folder,
        now: Timestamp,
    ) -> Result<(), ImapError> {
        if folder == Folder::Seen {
            return self.same(validity, now)?.run("mark a letter as seen", SLACK, |s| {
                s.uid_store(uid.to_string(), "+FLAGS.SILENT (\\Seen)").map(drop)
            });
        }
        let target = self.target(folder, now)?;
        let session = self.same(validity, now)?;
        let one = uid.to_string();
        let Abilities { mov, uidplus, .. } = session.abilities;
        session.run("move a letter", SLACK, |s| {
            s.uid_store(&one, "+FLAGS.SILENT (\\Seen)")?;
            if mov {
                return s.uid_mv(&one, &target);
            }
            s.uid_copy(&one, format!("\"{target}\""))?;
            s.uid_store(&one, "+FLAGS.SILENT (\\Deleted)")?;
            if uidplus { s.uid_expunge(&one) } else { s.expunge() }.map(drop)
        })
    }

    /// The name of a target folder on the server. It is made if it is missing.
    fn target(&mut self, folder: Folder, now: Timestamp) -> Result<String, ImapError> {
        let wanted = match folder {
            Folder::Rejected => self.config.rejected.clone(),
            Folder::Processed | Folder::Seen => self.config.processed.clone(),
        };
        let server = self.config.server.clone();
        let session = self.session(now)?;
        let below = format!("{}{}{wanted}", "INBOX", session.abilities.delimiter);
        if let Some(made) = [&wanted, &below].into_iter().find(|name| self.made.contains(*name)) {
            return Ok(made.clone());
        }
        // Some servers (Courier, Cyrus of old) keep all folders below INBOX and refuse them elsewhere.
        for name in [&wanted, &below] {
            let session = self.session(now)?;
            if session.has_folder(name)? || session.make_folder(name)? {
                self.made.insert(name.clone());
                return Ok(name.clone());
            }
        }
        Err(ImapError::new(&server, "make a folder", ImapFault::NoFolder(wanted)))
    }

    /// Waits at most `max` until the server says that something has come.
    ///
    /// # Errors
    /// If the server cannot be reached.
    pub fn wait_for_mail(&mut self, max: Duration, now: Timestamp) -> Result<bool, ImapError> {
        if self.session.as_ref().is_none_or(|session| session.is_broken()) {
            // Something may have come while there was no connection.
            self.session(now)?;
            return Ok(true);
        }
        let session = self.session(now)?;
        if !session.abilities.idle || session.idle_refused || max < Duration::from_secs(1) {
            std::thread::sleep(max);
            return Ok(false);
        }
        // What was told beside other answers is not told again.
        session.run("look for new letters", SLACK, |s| s.noop())?;
        let news = session.take_unsolicited();
        if news.iter().any(|told| matches!(told, UnsolicitedResponse::Exists(_))) {
            return Ok(true);
        }
        session.idle(max.min(LONGEST_IDLE))
    }
}

fn uid_of(letter: &Waiting) -> u32 {
    match letter.place {
        Place::Uid { uid, .. } => uid,
        Place::File(_) => 0,
    }
}

/// Whether the server said that there is no such folder, or that one may not be made.
pub(super) fn was_refused(fault: &imap::Error) -> bool {
    no_code(fault)
}
