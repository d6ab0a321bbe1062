//! Sound copies of the file: made while others write, and opened again elsewhere.

use super::{FILE, Store, StoreError, schema};
use rusqlite::backup::Backup;
use rusqlite::{Connection, OpenFlags};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// All pages in one step: one reader's view of one moment. In steps of a few pages every commit of the daemon would make the copy
/// begin again; in WAL mode a reader keeps nobody waiting.
const ALL_PAGES: i32 = i32::MAX;
const PAUSE: Duration = Duration::from_millis(50);

/// A file that goes along with a copy: its path within the folder, its bytes.
pub type Companion = (String, Vec<u8>);

impl Store {
    /// Copies the file as it is at this moment to `to`, which must not exist, with some other files of the folder in it. The
    /// copy is one file, checked and on the disk when this returns.
    ///
    /// # Errors
    /// If there is such a file already, it cannot be written, or the copy is not sound.
    pub fn copy_to(&mut self, to: &Path, companions: &[Companion]) -> Result<(), StoreError> {
        if to.exists() {
            return Err(StoreError::Exists { path: to.to_owned() });
        }
        let draft = to.with_added_extension("new");
        let _ = fs::remove_file(&draft);
        let made = self.draw(&draft, companions).and_then(|()| place(&draft, to));
        if made.is_err() {
            // Half a copy is worth nothing.
            let _ = fs::remove_file(&draft);
        }
        made
    }

    fn draw(&self, draft: &Path, companions: &[Companion]) -> Result<(), StoreError> {
        let said = |fault| StoreError::of(draft, "write the copy", fault);
        let mut copy = Connection::open(draft).map_err(said)?;
        Backup::new(&self.connection, &mut copy)
            .and_then(|backup| backup.run_to_completion(ALL_PAGES, PAUSE, None))
            .map_err(said)?;
        copy.pragma_update(None, "journal_mode", "DELETE").map_err(said)?;
        copy.execute_batch("CREATE TABLE companion (path TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT")
            .map_err(said)?;
        for (path, bytes) in companions {
            copy.execute("INSERT INTO companion (path, bytes) VALUES (?1, ?2)", (path, bytes)).map_err(said)?;
        }
        sound(&copy, draft)
    }

    /// Makes a folder's file from a copy and gives the files that went along with it. The copy stays as it is.
    ///
    /// # Errors
    /// If there is a file already, or the copy is none of ours or not sound; then nothing is left of it.
    pub fn restore(copy: &Path, folder: &Path) -> Result<Vec<Companion>, StoreError> {
        let path = folder.join(FILE);
        if path.exists() {
            return Err(StoreError::Exists { path });
        }
        if !copy.exists() {
            return Err(StoreError::NoCopy { path: copy.to_owned() });
        }
        let draft = path.with_added_extension("new");
        let _ = fs::remove_file(&draft);
        let taken = take(copy, &draft).and_then(|companions| place(&draft, &path).map(|()| companions));
        if taken.is_err() {
            let _ = fs::remove_file(&draft);
        }
        taken
    }
}

fn take(copy: &Path, draft: &PathBuf) -> Result<Vec<Companion>, StoreError> {
    fs::copy(copy, draft).map_err(|source| StoreError::Unreadable { path: copy.to_owned(), source })?;
    let said = |fault| StoreError::of(copy, "read the copy", fault);
    let mut connection = Connection::open_with_flags(draft, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(said)?;
    schema::migrate(&mut connection, copy)?;
    sound(&connection, copy)?;
    let bare = !connection.table_exists(None, "companion").map_err(said)?;
    if bare {
        return Ok(Vec::new());
    }
    let companions = {
        let mut query = connection.prepare("SELECT path, bytes FROM companion ORDER BY path").map_err(said)?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(said)?;
        rows.collect::<rusqlite::Result<Vec<Companion>>>().map_err(said)?
    };
    connection.execute_batch("DROP TABLE companion").map_err(said)?;
    Ok(companions)
}

fn sound(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let verdict: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .map_err(|fault| StoreError::of(path, "check", fault))?;
    if verdict == "ok" {
        return Ok(());
    }
    Err(StoreError::Nonsense { path: path.to_owned(), what: "page", why: verdict })
}

/// Gives a draft its name once all of it is on the disk.
fn place(draft: &Path, to: &Path) -> Result<(), StoreError> {
    let unwritable = |source| StoreError::Unwritable { path: to.to_owned(), source };
    File::open(draft).and_then(|file| file.sync_all()).map_err(unwritable)?;
    fs::rename(draft, to).map_err(unwritable)?;
    let folder = to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(unwritable)
}
