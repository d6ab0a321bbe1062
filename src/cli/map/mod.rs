//! `umpire map`: the board of a campaign or of a game.

mod check;
mod draw;
mod place;

use super::Outcome;
use std::path::Path;

/// `umpire map`.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(flatten)]
    draw: draw::DrawArgs,
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
        None => draw::run(path, &args.draw),
    }
}
