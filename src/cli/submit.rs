//! `umpire submit`: the telephone. The umpire enters orders for a player, who gets the acknowledgement.

use super::check::Whose;
use super::{Outcome, print};
use crate::results::letters;
use std::path::Path;
use std::process::ExitCode;

/// `umpire submit`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    whose: Whose,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let (raw, mut folder, game, seat) = args.whose.open(path)?;
    let now = folder.now();
    let taken = folder.desk().submit(&game, &seat, &raw, now)?;
    print!("{}", letters::check_text(folder.desk().templates(), &taken)?);
    println!("\nTaken down for {}, who gets the acknowledgement.", taken.occasion.seat);
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}
