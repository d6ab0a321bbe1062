//! Delivery into a maildir: the outbox of a game without a mail server.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// A letter as it was stored before its first delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredLetter<'a> {
    /// Without angle brackets.
    pub message_id: &'a str,
    /// Exactly what is delivered.
    pub bytes: &'a [u8],
}

/// Where a letter lies now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivered {
    /// It was put there.
    New(PathBuf),
    /// It had been delivered before (a crash came before that was noted).
    Already(PathBuf),
}

/// Why a letter could not be delivered. It stays in the outbox.
#[derive(Debug, thiserror::Error)]
pub enum PostError {
    /// The folder or file system would not take it.
    #[error("cannot {verb} {}: {}", path.display(), explained(source))]
    Io {
        /// What was tried, as in "write".
        verb: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl PostError {
    /// Whether the same delivery may succeed later: after room is made, rights are set, a disk is mounted. Otherwise
    /// the outbox's configuration is wrong; wake the umpire.
    pub fn is_retryable(&self) -> bool {
        let PostError::Io { source, .. } = self;
        use io::ErrorKind::{InvalidFilename, InvalidInput, NotADirectory};
        !matches!(source.kind(), InvalidFilename | InvalidInput | NotADirectory)
    }
}

/// What the umpire can do about it.
fn explained(source: &io::Error) -> String {
    let advice = match source.kind() {
        io::ErrorKind::StorageFull => "the disk is full; the letter is kept and tried again",
        io::ErrorKind::QuotaExceeded => "the quota is used up; the letter is kept and tried again",
        io::ErrorKind::PermissionDenied => "no permission; the letter is kept and tried again once the rights are set",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only; the letter is kept and tried again",
        io::ErrorKind::NotADirectory => "a file stands where the folder should be",
        _ => return source.to_string(),
    };
    advice.to_owned()
}

fn fault<'a>(verb: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> PostError + use<'a> {
    move |source| PostError::Io { verb, path: path.to_owned(), source }
}

/// Delivers a letter into the maildir at `root`, which is made if it is missing. After `Ok` the letter is on the disk.
///
/// The file's name comes from the Message-ID, so delivering the same letter again finds it there, also where a mail
/// program has opened it since; it is never delivered beside itself and never changed.
///
/// # Errors
/// [`PostError`], with nothing in `new`.
pub fn deliver(root: &Path, letter: &StoredLetter<'_>) -> Result<Delivered, PostError> {
    for folder in ["tmp", "new", "cur"] {
        let path = root.join(folder);
        fs::create_dir_all(&path).map_err(fault("make the folder", &path))?;
    }
    let name = file_name(letter.message_id);
    let (new, cur) = (root.join("new"), root.join("cur"));
    let path = new.join(&name);
    if path.exists() {
        // A crash may have come between the renaming and its being durable.
        sync(&new)?;
        return Ok(Delivered::Already(path));
    }
    if let Some(path) = opened(&cur, &name)? {
        return Ok(Delivered::Already(path));
    }
    let draft = root.join("tmp").join(&name);
    if let Err(e) = write_durably(&draft, letter.bytes) {
        // The draft is worth nothing, and a full disk is helped by its going.
        let _ = fs::remove_file(&draft);
        return Err(fault("write", &draft)(e));
    }
    fs::rename(&draft, &path).map_err(fault("move", &draft))?;
    sync(&new)?;
    Ok(Delivered::New(path))
}

fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn sync(folder: &Path) -> Result<(), PostError> {
    File::open(folder).and_then(|f| f.sync_all()).map_err(fault("write", folder))
}

/// The letter in `cur`, whatever flags a mail program has given it.
fn opened(cur: &Path, name: &str) -> Result<Option<PathBuf>, PostError> {
    for entry in fs::read_dir(cur).map_err(fault("read", cur))? {
        let entry = entry.map_err(fault("read", cur))?;
        if entry.file_name().to_str().and_then(|n| n.split(':').next()) == Some(name) {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

/// A name that any file system takes: the id itself where it can be one, else its hash.
fn file_name(message_id: &str) -> String {
    let id = message_id.trim().trim_start_matches('<').trim_end_matches('>');
    let safe = |c: char| c.is_ascii_alphanumeric() || "._@-+=".contains(c);
    if !id.is_empty() && id.len() <= 150 && id.chars().all(safe) && !id.starts_with('.') {
        return id.to_owned();
    }
    HEXLOWER.encode(&Sha256::digest(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTER: StoredLetter<'static> =
        StoredLetter { message_id: "umpire.abc@example.org", bytes: b"Subject: x\r\n\r\ny\r\n" };

    fn files(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn delivering_twice_leaves_one_letter() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("king");
        let Delivered::New(path) = deliver(&root, &LETTER).unwrap() else { panic!("not new") };
        assert_eq!(fs::read(&path).unwrap(), LETTER.bytes);
        assert_eq!(deliver(&root, &LETTER).unwrap(), Delivered::Already(path.clone()));
        let opened = root.join("cur/umpire.abc@example.org:2,S");
        fs::rename(&path, &opened).unwrap();
        assert_eq!(deliver(&root, &LETTER).unwrap(), Delivered::Already(opened));
        assert_eq!((files(&root.join("new")), files(&root.join("cur")), files(&root.join("tmp"))), (0, 1, 0));
    }

    #[test]
    fn a_draft_left_by_a_crash_is_written_anew() {
        let dir = tempfile::tempdir().unwrap();
        deliver(dir.path(), &StoredLetter { message_id: "other@example.org", ..LETTER }).unwrap();
        fs::write(dir.path().join("tmp/umpire.abc@example.org"), b"Subj").unwrap();
        assert!(matches!(deliver(dir.path(), &LETTER).unwrap(), Delivered::New(_)));
        assert_eq!(fs::read(dir.path().join("new/umpire.abc@example.org")).unwrap(), LETTER.bytes);
        assert_eq!((files(&dir.path().join("new")), files(&dir.path().join("tmp"))), (2, 0));
    }

    #[test]
    fn ids_that_are_no_file_names_are_hashed() {
        let names = ["../../etc/passwd@x", "", ".hidden@x", "a/b@x", &"x".repeat(300)].map(file_name);
        assert!(names.iter().all(|n| n.len() == 64), "{names:?}");
        assert_eq!(file_name("<a.b@example.org>"), "a.b@example.org");
    }

    #[test]
    fn faults_say_what_to_do() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, b"").unwrap();
        let error = deliver(&file, &LETTER).unwrap_err();
        assert!(!error.is_retryable());
        assert!(error.to_string().contains("a file stands where the folder should be"), "{error}");
        let full = PostError::Io { verb: "write", path: "x".into(), source: io::ErrorKind::StorageFull.into() };
        assert!(full.is_retryable());
        assert_eq!(full.to_string(), "cannot write x: the disk is full; the letter is kept and tried again");
    }
}
