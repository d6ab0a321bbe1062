//! `umpire map`: the board of a campaign or of a game.

mod check;

use super::{Failure, Outcome};
use std::path::Path;

/// `umpire map`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// Check the boards of campaigns: the data, the ways, the seas, the marches of history
    Check(check::Args),
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    match &args.command {
        Some(Command::Check(args)) => check::run(path, args),
        None => Err(Failure::new("`umpire map` does not draw yet", "`umpire map check` looks the boards over")),
    }
}
