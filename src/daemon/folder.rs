//! An umpire's folder: its configuration, its desk, its inbox, and the lock that keeps a second daemon out.

use super::patience::Patience;
use crate::config::{self, Config, ConfigError};
use crate::desk::{Desk, DeskError, Start};
use crate::engine::Secret;
use crate::mail::{Imap, Inbox, Maildir, MaildirError};
use crate::post::{Smtp, Transport};
use crate::results::{TemplateFault, Templates};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

/// The file that is locked while a daemon works in a folder.
pub const LOCK_FILE: &str = "umpire.lock";

/// How often it is written down that the daemon lives.
const HEARTBEAT: SignedDuration = SignedDuration::from_mins(1);

/// An umpire's folder, opened.
pub struct Folder {
    /// Where it is.
    pub dir: PathBuf,
    /// Its configuration.
    pub config: Config,
    /// The desk.
    pub desk: Desk,
    /// Where letters come in.
    pub inbox: Inbox,
    /// The way by which letters leave.
    pub transport: Transport,
    pub(super) pages_looked_at: bool,
    pub(super) stuck: Patience,
    pub(super) unpaged: Patience,
    /// When the umpire was last alerted for a cause, also where the store cannot be written.
    pub(super) alerted: BTreeMap<String, Timestamp>,
    heartbeat: Heartbeat,
    /// When the heartbeat was last written.
    beat: Timestamp,
    lock: Option<File>,
}

/// What the daemon leaves in the lock file for `umpire status`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Heartbeat {
    /// The process that works in the folder, if one does.
    pub process: Option<u32>,
    /// When the last complete intake was begun; if there was none yet, when this process first looked.
    pub intake: Option<Timestamp>,
}

/// Why a folder could not be opened, made or locked.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// Its configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Its templates.
    #[error(transparent)]
    Template(#[from] TemplateFault),
    /// Its store, or its umpire's address.
    #[error(transparent)]
    Desk(#[from] DeskError),
    /// Its inbox.
    #[error(transparent)]
    Inbox(#[from] MaildirError),
    /// Another daemon works in it.
    #[error("another umpire is at work in {}{}: two would answer every letter twice (stop it first, or name another folder with -C)", dir.display(), process.as_ref().map_or(String::new(), |id| format!(", process {id}")))]
    Occupied {
        /// The folder.
        dir: PathBuf,
        /// The other's process number, if it wrote it down.
        process: Option<String>,
    },
    /// A file or folder in it.
    #[error("could not write {}: {source}", path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The operating system gave no randomness for its secret.
    #[error("the operating system has no randomness to give: {0}")]
    Randomness(String),
}

impl Folder {
    /// Makes an umpire's folder, with `config` as its umpire.toml unless there is one already.
    ///
    /// # Errors
    /// If there is an umpire's folder already, or it cannot be written.
    pub fn create(dir: &Path, config: &str) -> Result<(), FolderError> {
        let secret = Secret::fresh().map_err(|fault| FolderError::Randomness(fault.to_string()))?;
        Self::create_with(dir, config, &secret)
    }

    /// Makes an umpire's folder with a given secret: for tests that have to give the same Message-IDs twice.
    ///
    /// # Errors
    /// As [`Folder::create`].
    pub fn create_with(dir: &Path, config: &str, secret: &Secret) -> Result<(), FolderError> {
        fs::create_dir_all(dir).map_err(unwritable(dir))?;
        let file = dir.join(config::FILE);
        if !file.exists() {
            fs::write(&file, config).map_err(unwritable(&file))?;
        }
        let config = Config::load(dir)?;
        Desk::create_store(dir, secret)?;
        Maildir::open(&config.inbox)?;
        for made in [&config.outbox, &config.site] {
            fs::create_dir_all(made).map_err(unwritable(made))?;
        }
        Ok(())
    }

    /// Opens a folder.
    ///
    /// # Errors
    /// If it is none, or something in it is not right.
    pub fn open(dir: &Path) -> Result<Self, FolderError> {
        Self::open_with(dir, crate::rules::start)
    }

    /// Opens a folder with a registry of rule systems of one's own: for tests of the desk.
    ///
    /// # Errors
    /// As [`Folder::open`].
    pub fn open_with(dir: &Path, start: Start) -> Result<Self, FolderError> {
        let config = Config::load(dir)?;
        let templates = Templates::load(Some(&dir.join("templates")))?;
        let desk = Desk::open(dir, config.policy.clone(), templates, start)?;
        let inbox = match &config.imap {
            Some(imap) => Inbox::Imap(Box::new(Imap::new(imap.clone()))),
            None => Inbox::Maildir(Maildir::open(&config.inbox)?),
        };
        let transport = match &config.smtp {
            Some(smtp) => Transport::Smtp(Box::new(Smtp::new(smtp.clone()))),
            None => Transport::Maildir(config.outbox.clone()),
        };
        let heartbeat = Heartbeat { process: None, ..heartbeat(dir) };
        Ok(Self {
            dir: dir.to_owned(),
            config,
            desk,
            inbox,
            transport,
            pages_looked_at: false,
            stuck: Patience::default(),
            unpaged: Patience::default(),
            alerted: BTreeMap::new(),
            heartbeat,
            beat: Timestamp::UNIX_EPOCH,
            lock: None,
        })
    }

    /// Locks the folder for as long as it is open. To lock it twice is the same as once.
    ///
    /// # Errors
    /// [`FolderError::Occupied`] if another process has it.
    pub fn lock(&mut self) -> Result<(), FolderError> {
        if self.lock.is_some() {
            return Ok(());
        }
        let path = self.dir.join(LOCK_FILE);
        let mut file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(unwritable(&path))?;
        match file.try_lock() {
            Ok(()) => {
                self.heartbeat.process = Some(std::process::id());
                self.heartbeat.write(&mut file).map_err(unwritable(&path))?;
                self.lock = Some(file);
                Ok(())
            }
            Err(TryLockError::WouldBlock) => {
                // The number is a courtesy: where it cannot be read the refusal does without.
                let process = heartbeat(&self.dir).process.map(|id| id.to_string());
                Err(FolderError::Occupied { dir: self.dir.clone(), process })
            }
            Err(TryLockError::Error(source)) => Err(unwritable(&path)(source)),
        }
    }

    /// What the daemon has left to be read; its process only if one is at work.
    pub fn heartbeat(&self) -> Heartbeat {
        let found = heartbeat(&self.dir);
        let free = File::open(self.dir.join(LOCK_FILE)).is_ok_and(|file| file.try_lock_shared().is_ok());
        Heartbeat { process: found.process.filter(|_| !free), ..found }
    }

    /// A complete intake was begun at `now`. Written down once a minute at most: it is for the eye.
    pub(super) fn note_intake(&mut self, now: Timestamp) {
        self.heartbeat.intake = Some(now);
        if now.duration_since(self.beat).abs() < HEARTBEAT {
            return;
        }
        self.beat = now;
        if let Some(file) = &mut self.lock {
            // A full disk is said elsewhere.
            let _ = self.heartbeat.write(file);
        }
    }

    /// Since when no letter could be fetched, if that is too long.
    pub(super) fn mail_overdue(&mut self, now: Timestamp) -> Option<Timestamp> {
        let since = *self.heartbeat.intake.get_or_insert(now);
        Some(since).filter(|since| now.duration_since(*since) >= self.config.alert_after)
    }

    /// The next moment at which something can be due that is not due now.
    pub(super) fn next_moment(&mut self, now: Timestamp) -> Option<Timestamp> {
        let due = self.desk.next_due(now).ok().flatten();
        let again = [self.stuck.next(), self.unpaged.next()].into_iter().flatten().filter(|at| *at > now);
        // A letter that could leave and did not is tried by the next pass, not at once.
        let letters = self.desk.outbox_due(now).ok().flatten().filter(|at| *at > now);
        due.into_iter().chain(again).chain(letters).min()
    }

    /// The umpire's own campaigns.
    pub fn campaigns(&self) -> PathBuf {
        self.dir.join("campaigns")
    }
}

impl Heartbeat {
    fn write(&self, file: &mut File) -> std::io::Result<()> {
        let process = self.process.map_or_else(String::new, |id| id.to_string());
        let intake = self.intake.map_or_else(String::new, |at| at.to_string());
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{process}\n{intake}\n")
    }
}

fn heartbeat(dir: &Path) -> Heartbeat {
    let text = fs::read_to_string(dir.join(LOCK_FILE)).unwrap_or_default();
    let mut lines = text.lines();
    let process = lines.next().and_then(|line| line.trim().parse().ok());
    Heartbeat { process, intake: lines.next().and_then(|line| line.trim().parse().ok()) }
}

fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> FolderError + use<> {
    let path = path.to_owned();
    move |source| FolderError::Unwritable { path, source }
}
