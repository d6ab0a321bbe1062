//! `umpire serve`: the daemon.

use super::folder::Folder;
use super::{Failure, Outcome};
use crate::daemon::{self, Waker};
use std::path::Path;
use std::process::ExitCode;

/// `umpire serve`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "It stops on SIGTERM or SIGINT (Ctrl-C) when the transaction in hand is done. docs/umpire.service runs \
                        it under systemd. Your own commands may be given while it serves."
)]
pub(super) struct Args {}

pub(super) fn run(path: &Path, _: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    folder.inner.lock()?;
    let waker = Waker::of_signals()
        .map_err(|fault| Failure::new(format!("signals cannot be heard: {fault}"), "`umpire run` makes one pass"))?;
    daemon::serve(&mut folder.inner, &folder.clock, &waker);
    Ok(ExitCode::SUCCESS)
}
