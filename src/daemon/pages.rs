//! Writes the public pages: whole, or not at all, and only those that have changed.

use super::{Failure, Folder};
use crate::engine::GameId;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Of what the pages were rendered last: as long as no journal has grown, they stay as they are.
pub(super) type Rendered = BTreeMap<GameId, u64>;

/// Renders the pages and writes those that have changed. Gives their number.
pub(super) fn render(folder: &mut Folder, now: Timestamp) -> Result<usize, Failure> {
    let lengths = folder.desk.journal_lengths(now)?;
    if folder.rendered.as_ref() == Some(&lengths) {
        return Ok(0);
    }
    let mut written = 0;
    for (name, text) in folder.desk.site()? {
        let path = folder.config.site.join(&name);
        let fault = |fault| Failure::Site { path: path.display().to_string(), fault };
        if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
            continue;
        }
        replace(&path, text.as_bytes()).map_err(fault)?;
        written += 1;
    }
    folder.rendered = Some(lengths);
    Ok(written)
}

/// A reader of the page sees the old one or the new one.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let draft = path.with_added_extension("new");
    let written = File::create(&draft).and_then(|mut file| file.write_all(bytes));
    match written.and_then(|()| fs::rename(&draft, path)) {
        Ok(()) => Ok(()),
        Err(fault) => {
            // Half a page is worth nothing, and a full disk is helped by its going.
            let _ = fs::remove_file(&draft);
            Err(fault)
        }
    }
}
