//! `umpire submit`: the telephone. The umpire enters orders for a player, who gets the acknowledgement.

use super::folder::{Folder, bytes_of};
use super::{Outcome, print};
use crate::results::letters;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `umpire submit`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The seat whose orders they are
    #[arg(long)]
    seat: String,
    /// The game; may be left out if there is only one
    #[arg(long)]
    game: Option<String>,
    /// Words as a player types them, or a raw letter; - for standard input
    file: PathBuf,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let raw = bytes_of(&args.file)?;
    let mut folder = Folder::open(path)?;
    let game = folder.game(args.game.as_deref())?;
    let seat = folder.seat(&game, &args.seat)?;
    let now = folder.now();
    let taken = folder.desk().submit(&game, &seat, &raw, now)?;
    print!("{}", letters::check_text(folder.desk().templates(), &taken)?);
    println!("\nTaken down for {}, who gets the acknowledgement.", taken.occasion.seat);
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}
