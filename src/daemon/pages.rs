//! Writes the public pages: whole, or not at all, only of games whose journal has grown, and only files that have changed.

use super::{Failure, Folder, Pass};
use crate::desk::GamePages;
use crate::engine::GameId;
use jiff::Timestamp;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Games whose pages are written before letters are looked for again.
const AT_ONCE: usize = 32;

/// Renders the pages of games that have changed and writes those that differ.
pub(super) fn render(folder: &mut Folder, now: Timestamp, pass: &mut Pass, go_on: &mut dyn FnMut() -> bool) {
    if let Err(failure) = all(folder, now, pass, go_on) {
        pass.failures.push(failure);
    }
}

fn all(folder: &mut Folder, now: Timestamp, pass: &mut Pass, go_on: &mut dyn FnMut() -> bool) -> Result<(), Failure> {
    if !folder.pages_looked_at {
        let missing = !folder.config.site.join("index.html").is_file();
        folder.desk.render_for(&folder.config.site.display().to_string(), missing, now)?;
        folder.pages_looked_at = true;
    }
    let limit = u32::try_from(AT_ONCE + 1 + folder.unpaged.len()).unwrap_or(u32::MAX);
    let mut games = folder.desk.unrendered(limit)?;
    // Its journal's length is not looked up for this: a page can wait.
    games.retain(|game| folder.unpaged.is_over(game, 0, now));
    pass.more |= games.len() > AT_ONCE;
    let mut written = Vec::new();
    for game in games.into_iter().take(AT_ONCE) {
        if !go_on() {
            break;
        }
        match pages_of(folder, &game, pass) {
            Ok(pages) => {
                folder.unpaged.free(&game);
                written.push(pages);
            }
            Err(failure) => {
                folder.unpaged.hold(&game, 0, now);
                pass.failures.push(failure);
            }
        }
    }
    if !written.is_empty() {
        folder.desk.rendered(&written, now)?;
    }
    if let Some(index) = folder.desk.index_page()? {
        pass.pages += usize::from(write(folder, "index.html", &index)?);
        folder.desk.index_rendered(now)?;
    }
    Ok(())
}

fn pages_of(folder: &mut Folder, game: &GameId, pass: &mut Pass) -> Result<GamePages, Failure> {
    let told = folder.desk.pages(game);
    let mut told = told.map_err(|fault| Failure::Game { game: game.clone(), fault: Box::new(fault) })?;
    for (name, text) in std::mem::take(&mut told.pages) {
        pass.pages += usize::from(write(folder, &name, &text)?);
    }
    Ok(told)
}

/// Writes a page unless it is there already. Says whether it did.
fn write(folder: &Folder, name: &str, text: &str) -> Result<bool, Failure> {
    let path = folder.config.site.join(name);
    if fs::read(&path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(false);
    }
    let fault = |fault| Failure::Site { path: path.display().to_string(), fault };
    replace(&path, text.as_bytes()).map_err(fault)?;
    Ok(true)
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
