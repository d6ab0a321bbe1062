//! `umpire ratify`: fetches what came in time, then makes results official if their window has closed.

use super::Outcome;
use super::folder::Folder;
use super::run::{ended, report};
use crate::daemon;
use std::path::Path;
use std::process::ExitCode;

/// `umpire ratify`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game; may be left out if there is only one
    game: Option<String>,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(args.game.as_deref())?;
    folder.inner.lock()?;
    let now = folder.now();
    let pass = daemon::pass(&mut folder.inner, now);
    report(&pass);
    if !pass.ratified.iter().any(|(ratified, ..)| *ratified == game) {
        println!("{game}: nothing became official.");
        for line in folder.desk().status(&game, now)?.waits_for {
            println!("  {line}");
        }
        if pass.failures.is_empty() {
            return Ok(ExitCode::FAILURE);
        }
    }
    ended(&pass)
}
