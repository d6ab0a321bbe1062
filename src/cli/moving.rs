//! `umpire export` and `umpire import`: a game moves house.

use super::archive::{self, Contents};
use super::folder::Folder;
use super::{Outcome, print};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `umpire export`.
#[derive(clap::Args, Debug)]
pub(super) struct ExportArgs {
    /// The game
    game: String,
    /// The archive to write (tar); it must not exist
    file: PathBuf,
    /// Leave out the journal, the letters and the dice: an archive to read, which cannot be imported
    #[arg(long)]
    without_secrets: bool,
}

/// `umpire import`.
#[derive(clap::Args, Debug)]
pub(super) struct ImportArgs {
    /// An archive that `umpire export` wrote
    file: PathBuf,
}

pub(super) fn export(path: &Path, args: &ExportArgs) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(Some(&args.game))?;
    let now = folder.now();
    let (moved, campaign) = folder.desk().take_out(&game, now)?;
    let pages = folder.desk().pages(&game)?.pages;
    let secret = Some(&moved).filter(|_| !args.without_secrets);
    archive::write(&args.file, &Contents { game: &game, campaign: &campaign, pages: &pages, secret }, now)?;
    if args.without_secrets {
        println!("{}: the campaign and the public pages of {game}, for anybody to read.", args.file.display());
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "{}: {game} with {} journal entries, {} and {} of ours.",
        args.file.display(),
        moved.journal.len(),
        print::count(moved.letters.len(), "letter"),
        moved.post.len()
    );
    println!(
        "It holds the secrets of the game. If it is to go on elsewhere, stop it here: umpire hold {game} --because \"...\""
    );
    println!("before you export it, and umpire resume there.");
    Ok(ExitCode::SUCCESS)
}

pub(super) fn import(path: &Path, args: &ImportArgs) -> Outcome {
    let mut folder = Folder::open(path)?;
    let (game, moved) = archive::read(&args.file)?;
    let now = folder.now();
    folder.desk().put_in(&game, &moved, now)?;
    println!("{game} goes on here: {} journal entries, to the byte.", moved.journal.len());
    for line in folder.desk().status(&game, now)?.waits_for {
        println!("  {line}");
    }
    println!("Its players write to {} from now on: tell them.", folder.desk().policy().umpire_address);
    Ok(ExitCode::SUCCESS)
}
