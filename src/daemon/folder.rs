//! An umpire's folder: its configuration, its desk, its inbox, and the lock that keeps a second daemon out.

use crate::config::{self, Config, ConfigError};
use crate::desk::{Desk, DeskError, Start};
use crate::engine::Secret;
use crate::mail::{Imap, Inbox, Maildir, MaildirError};
use crate::post::{Smtp, Transport};
use crate::results::{TemplateFault, Templates};
use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The file that is locked while a daemon works in a folder.
pub const LOCK_FILE: &str = "umpire.lock";

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
    pub(super) rendered: Option<super::pages::Rendered>,
    lock: Option<File>,
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
        Ok(Self { dir: dir.to_owned(), config, desk, inbox, transport, rendered: None, lock: None })
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
                let noted = file
                    .set_len(0)
                    .and_then(|()| file.rewind())
                    .and_then(|()| writeln!(file, "{}", std::process::id()));
                noted.map_err(unwritable(&path))?;
                self.lock = Some(file);
                Ok(())
            }
            Err(TryLockError::WouldBlock) => {
                let mut process = String::new();
                // The number is a courtesy: where it cannot be read the refusal does without.
                let _ = file.read_to_string(&mut process);
                let process = Some(process.trim().to_owned()).filter(|id| !id.is_empty());
                Err(FolderError::Occupied { dir: self.dir.clone(), process })
            }
            Err(TryLockError::Error(source)) => Err(unwritable(&path)(source)),
        }
    }

    /// The umpire's own campaigns.
    pub fn campaigns(&self) -> PathBuf {
        self.dir.join("campaigns")
    }
}

fn unwritable(path: &Path) -> impl FnOnce(std::io::Error) -> FolderError + use<> {
    let path = path.to_owned();
    move |source| FolderError::Unwritable { path, source }
}
