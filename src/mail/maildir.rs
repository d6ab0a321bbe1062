//! A maildir as inbox (the folder format of qmail and Dovecot; subfolders by Maildir++).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;

/// Of a letter beyond the allowed size this much is read, in octets: enough for any header.
const HEADER_ONLY: u64 = 64 * 1024;

/// A folder with `cur`, `new` and `tmp`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maildir {
    root: PathBuf,
}

/// A letter that lies in the inbox.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MailFile {
    /// The time at which the letter was put here: the file's time of change, which delivery agents set and moving
    /// keeps. This is the hour of receipt (R-003-84).
    pub received: Timestamp,
    /// The file's name without its flags. It names the letter for ever in this folder.
    pub unique: String,
    /// Where it lay when it was listed.
    pub path: PathBuf,
    /// In octets.
    pub size: u64,
}

/// The bytes of a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawLetter {
    /// The whole letter, or its beginning.
    pub bytes: Vec<u8>,
    /// The letter is larger than allowed, and only its header was read.
    pub oversize: bool,
}

/// Where a letter goes when it is dealt with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Folder {
    /// `cur` of the inbox: seen, and still listed.
    Seen,
    /// The subfolder `.Processed`.
    Processed,
    /// The subfolder `.Rejected`.
    Rejected,
}

/// What became of a letter that was to be filed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filed {
    /// It lies there now.
    Moved(PathBuf),
    /// It was there already, or somebody took it away.
    AlreadyGone,
}

/// Why a maildir could not be used. The texts are for the umpire and name the path.
#[derive(Debug, thiserror::Error)]
pub enum MaildirError {
    /// Missing, not permitted, full: see the source.
    #[error("cannot {verb} {}: {source}", path.display())]
    Io {
        /// What was tried, as in "read".
        verb: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The letter is no longer in the inbox: another program took it.
    #[error("the letter {unique} is no longer in {}", inbox.display())]
    Gone {
        /// The letter's name.
        unique: String,
        /// The inbox where it lay.
        inbox: PathBuf,
    },
    /// A file name with a slash, a colon or a dot at its head.
    #[error("`{0}` cannot be the name of a letter's file")]
    BadName(String),
}

impl MaildirError {
    /// Whether the same may succeed later without anybody's help: the letter stays where it is, try again with the
    /// next pass. Otherwise wake the umpire.
    pub fn is_retryable(&self) -> bool {
        match self {
            MaildirError::Io { source, .. } => matches!(
                source.kind(),
                io::ErrorKind::StorageFull
                    | io::ErrorKind::QuotaExceeded
                    | io::ErrorKind::Interrupted
                    | io::ErrorKind::ResourceBusy
            ),
            MaildirError::Gone { .. } => true,
            MaildirError::BadName(_) => false,
        }
    }
}

fn fault<'a>(verb: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> MaildirError + use<'a> {
    move |source| MaildirError::Io { verb, path: path.to_owned(), source }
}

impl Maildir {
    /// Opens the maildir at `root` and makes what is missing of `cur`, `new` and `tmp`.
    ///
    /// # Errors
    /// [`MaildirError::Io`] if that is not possible.
    pub fn open(root: &Path) -> Result<Maildir, MaildirError> {
        make_folders(root)?;
        Ok(Maildir { root: root.to_owned() })
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The letters in the inbox, by the hour of their receipt and then by name. Letters in `cur` are listed like
    /// those in `new`: an umpire who looks into his inbox with a mail program moves them there.
    ///
    /// # Errors
    /// [`MaildirError::Io`] if `new` or `cur` cannot be read. A file that goes away meanwhile is no error.
    pub fn list(&self) -> Result<Vec<MailFile>, MaildirError> {
        let mut found = BTreeMap::new();
        for folder in ["cur", "new"] {
            let folder = self.root.join(folder);
            for entry in fs::read_dir(&folder).map_err(fault("read", &folder))? {
                let entry = entry.map_err(fault("read", &folder))?;
                if let Some(file) = mail_file(&entry) {
                    found.insert(file.unique.clone(), file);
                }
            }
        }
        let mut files: Vec<MailFile> = found.into_values().collect();
        files.sort();
        Ok(files)
    }

    /// Reads a letter. One of more than `max_size` octets is not read beyond its header.
    ///
    /// # Errors
    /// [`MaildirError::Gone`] if another program took the letter, [`MaildirError::Io`] if it cannot be read.
    pub fn read(&self, file: &MailFile, max_size: u64) -> Result<RawLetter, MaildirError> {
        let path = self.find(&file.unique, &file.path).ok_or_else(|| self.gone(file))?;
        let open = File::open(&path).map_err(fault("read", &path))?;
        let size = open.metadata().map_err(fault("read", &path))?.len();
        let oversize = size > max_size;
        let limit = if oversize { HEADER_ONLY.min(max_size) } else { max_size };
        let mut bytes = Vec::new();
        open.take(limit).read_to_end(&mut bytes).map_err(fault("read", &path))?;
        if oversize {
            keep_header(&mut bytes);
        }
        Ok(RawLetter { bytes, oversize })
    }

    /// Moves a letter out of the inbox. To do it twice is the same as once.
    ///
    /// # Errors
    /// [`MaildirError::Io`] if the letter cannot be moved. It then lies where it lay.
    pub fn file_away(&self, file: &MailFile, folder: Folder) -> Result<Filed, MaildirError> {
        let target_root = match folder {
            Folder::Seen => self.root.clone(),
            Folder::Processed => self.subfolder(".Processed")?,
            Folder::Rejected => self.subfolder(".Rejected")?,
        };
        let target = target_root.join("cur").join(format!("{}:2,S", file.unique));
        let Some(path) = self.find(&file.unique, &file.path).filter(|path| *path != target) else {
            return Ok(Filed::AlreadyGone);
        };
        match fs::rename(&path, &target) {
            Ok(()) => Ok(Filed::Moved(target)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Filed::AlreadyGone),
            Err(e) => Err(fault("move", &path)(e)),
        }
    }

    fn gone(&self, file: &MailFile) -> MaildirError {
        MaildirError::Gone { unique: file.unique.clone(), inbox: self.root.clone() }
    }

    /// Where a letter lies now: other programs change its flags, which are in its name, and move it to `cur`.
    fn find(&self, unique: &str, last_seen: &Path) -> Option<PathBuf> {
        if last_seen.is_file() {
            return Some(last_seen.to_owned());
        }
        ["new", "cur"].iter().find_map(|folder| {
            let entries = fs::read_dir(self.root.join(folder)).ok()?;
            entries.flatten().filter_map(|e| mail_file(&e)).find(|f| f.unique == unique).map(|f| f.path)
        })
    }

    fn subfolder(&self, name: &str) -> Result<PathBuf, MaildirError> {
        let path = self.root.join(name);
        make_folders(&path)?;
        let mark = path.join("maildirfolder");
        if !mark.exists() {
            File::create(&mark).map_err(fault("write", &mark))?;
        }
        Ok(path)
    }
}

fn make_folders(root: &Path) -> Result<(), MaildirError> {
    for folder in ["tmp", "new", "cur"] {
        let path = root.join(folder);
        fs::create_dir_all(&path).map_err(fault("make the folder", &path))?;
    }
    Ok(())
}

/// A letter's file; nothing for folders, hidden files, and the links and pipes that a mail folder does not hold.
fn mail_file(entry: &fs::DirEntry) -> Option<MailFile> {
    let name = entry.file_name().into_string().ok()?;
    let metadata = fs::symlink_metadata(entry.path()).ok()?;
    if name.starts_with('.') || !metadata.is_file() {
        return None;
    }
    let unique = name.split(':').next().unwrap_or_default().to_owned();
    let received = Timestamp::try_from(metadata.modified().ok()?).ok()?;
    Some(MailFile { received, unique, path: entry.path(), size: metadata.len() })
}

/// Cuts a letter off behind its header.
pub(super) fn keep_header(bytes: &mut Vec<u8>) {
    let lf = bytes.windows(2).position(|w| w == b"\n\n").map(|at| at + 2);
    let crlf = bytes.windows(4).position(|w| w == b"\r\n\r\n").map(|at| at + 4);
    let end = [lf, crlf].into_iter().flatten().min().unwrap_or(bytes.len());
    bytes.truncate(end);
}

/// Drops a letter into the maildir at `root` as a delivery agent does: written to `tmp`, made durable, renamed into
/// `new`. `name` is the file's name, `received` the hour of receipt that it shall bear. A letter of the same name is
/// replaced.
///
/// # Errors
/// [`MaildirError::BadName`], or [`MaildirError::Io`] with nothing in `new`.
pub fn deliver(root: &Path, name: &str, bytes: &[u8], received: Timestamp) -> Result<PathBuf, MaildirError> {
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\0', ':']) {
        return Err(MaildirError::BadName(name.to_owned()));
    }
    make_folders(root)?;
    let draft = root.join("tmp").join(name);
    let written = write_durably(&draft, bytes, received);
    if let Err(e) = written {
        // The draft is worth nothing, and a full disk is helped by its going.
        let _ = fs::remove_file(&draft);
        return Err(fault("write", &draft)(e));
    }
    let new = root.join("new");
    let path = new.join(name);
    fs::rename(&draft, &path).map_err(fault("move", &draft))?;
    File::open(&new).and_then(|folder| folder.sync_all()).map_err(fault("write", &new))?;
    Ok(path)
}

fn write_durably(path: &Path, bytes: &[u8], received: Timestamp) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.set_modified(SystemTime::try_from(received).map_err(io::Error::other)?)?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn letters_are_listed_by_the_hour_of_receipt() {
        let dir = tempfile::tempdir().unwrap();
        let inbox = Maildir::open(&dir.path().join("in")).unwrap();
        deliver(inbox.root(), "b", b"From: b@example.org\n\nlate\n", at("2026-12-04T20:00:00Z")).unwrap();
        deliver(inbox.root(), "c", b"c", at("2026-12-04T19:00:00Z")).unwrap();
        deliver(inbox.root(), "a", b"a", at("2026-12-04T20:00:00Z")).unwrap();
        let listed: Vec<_> = inbox.list().unwrap().into_iter().map(|f| (f.unique, f.received, f.size)).collect();
        let late = at("2026-12-04T20:00:00Z");
        let expect = [("c", at("2026-12-04T19:00:00Z"), 1), ("a", late, 1), ("b", late, 26)];
        assert_eq!(listed, expect.map(|(n, t, s)| (n.to_owned(), t, s)));
    }

    #[test]
    fn filing_twice_is_filing_once_and_keeps_the_hour() {
        let dir = tempfile::tempdir().unwrap();
        let inbox = Maildir::open(dir.path()).unwrap();
        let hour = at("2026-12-04T20:00:00.25Z");
        deliver(inbox.root(), "a", b"a", hour).unwrap();
        let file = inbox.list().unwrap().remove(0);
        let Filed::Moved(path) = inbox.file_away(&file, Folder::Processed).unwrap() else { panic!("not moved") };
        assert_eq!(path, dir.path().join(".Processed/cur/a:2,S"));
        assert_eq!(Timestamp::try_from(fs::metadata(&path).unwrap().modified().unwrap()).unwrap(), hour);
        assert_eq!(inbox.file_away(&file, Folder::Processed).unwrap(), Filed::AlreadyGone);
        assert!(matches!(inbox.read(&file, 10), Err(MaildirError::Gone { .. })));
        assert!(inbox.list().unwrap().is_empty());
    }

    #[test]
    fn a_letter_that_a_mail_program_has_opened_is_still_found() {
        let dir = tempfile::tempdir().unwrap();
        let inbox = Maildir::open(dir.path()).unwrap();
        deliver(inbox.root(), "a", b"words", at("2026-12-04T20:00:00Z")).unwrap();
        let file = inbox.list().unwrap().remove(0);
        fs::rename(&file.path, dir.path().join("cur/a:2,RS")).unwrap();
        assert_eq!(inbox.read(&file, 10).unwrap().bytes, b"words");
        assert_eq!(inbox.list().unwrap().len(), 1);
        assert!(matches!(inbox.file_away(&file, Folder::Rejected).unwrap(), Filed::Moved(_)));
    }

    #[test]
    fn an_oversize_letter_gives_its_header() {
        let dir = tempfile::tempdir().unwrap();
        let inbox = Maildir::open(dir.path()).unwrap();
        let raw = b"From: a@example.org\r\nSubject: x\r\n\r\nRiga to Mitau\r\n".repeat(3);
        deliver(inbox.root(), "a", &raw, at("2026-12-04T20:00:00Z")).unwrap();
        let read = inbox.read(&inbox.list().unwrap()[0], 60).unwrap();
        assert!(read.oversize);
        assert_eq!(read.bytes, b"From: a@example.org\r\nSubject: x\r\n\r\n");
    }

    #[test]
    fn links_folders_and_hidden_files_are_no_letters() {
        let dir = tempfile::tempdir().unwrap();
        let inbox = Maildir::open(dir.path()).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", dir.path().join("new/link")).unwrap();
        fs::create_dir(dir.path().join("new/folder")).unwrap();
        fs::write(dir.path().join("new/.hidden"), b"x").unwrap();
        assert!(inbox.list().unwrap().is_empty());
    }

    #[test]
    fn errors_name_the_path() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, b"x").unwrap();
        let error = Maildir::open(&file).unwrap_err();
        assert!(error.to_string().contains(&*file.to_string_lossy()), "{error}");
        assert!(matches!(deliver(dir.path(), "../a", b"", at("2026-12-04T20:00:00Z")), Err(MaildirError::BadName(_))));
        let inbox = Maildir::open(dir.path()).unwrap();
        fs::remove_dir_all(dir.path().join("new")).unwrap();
        assert!(inbox.list().unwrap_err().to_string().contains("new"));
    }
}
