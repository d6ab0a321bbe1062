//! `umpire backup` and `umpire restore`: the whole folder's truth in one file.

use super::folder::Folder;
use super::{Failure, Outcome, print};
use crate::config::FILE;
use crate::desk::{Companion, Desk};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

/// What of a folder goes along with its store: what the umpire has written himself. Passwords are not among it: they are in files
/// of their own.
const COMPANIONS: [&str; 3] = [FILE, "templates", "campaigns"];

/// `umpire backup`.
#[derive(clap::Args, Debug)]
#[command(
    after_help = "The file holds the journal, all letters, umpire.toml, your templates and campaigns. It holds the secrets \
                        of all games: keep it as you keep the folder."
)]
pub(super) struct BackupArgs {
    /// The file to write; it must not exist
    file: PathBuf,
}

/// `umpire restore`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:  umpire -C play-again restore play.backup")]
pub(super) struct RestoreArgs {
    /// A file that `umpire backup` wrote
    file: PathBuf,
}

pub(super) fn backup(path: &Path, args: &BackupArgs) -> Outcome {
    let mut folder = Folder::open(path)?;
    let mut companions = Vec::new();
    for name in COMPANIONS {
        gather(path, Path::new(name), &mut companions)?;
    }
    folder.desk().backup(&args.file, &companions)?;
    print::private(&args.file)?;
    let games = folder.desk().games()?.len();
    let size = fs::metadata(&args.file).map_or(0, |found| found.len() / 1024);
    println!("{}: {}, {size} KiB, and it is sound.", args.file.display(), print::count(games, "game"));
    Ok(ExitCode::SUCCESS)
}

fn gather(root: &Path, below: &Path, into: &mut Vec<Companion>) -> Result<(), Failure> {
    let path = root.join(below);
    if path.is_dir() {
        for entry in fs::read_dir(&path)? {
            gather(root, &below.join(entry?.file_name()), into)?;
        }
    } else if path.is_file() {
        into.push((below.to_string_lossy().into_owned(), super::folder::bytes_of(&path)?));
    }
    Ok(())
}

pub(super) fn restore(path: &Path, args: &RestoreArgs) -> Outcome {
    fs::create_dir_all(path)?;
    let companions = Desk::restore_store(&args.file, path)?;
    let store = path.join(crate::store::FILE);
    let restored = put_back(path, &companions).and_then(|()| folded(path));
    let games = restored.inspect_err(|_| {
        // A folder that cannot be opened is none: the backup is still there.
        let _ = fs::remove_file(&store);
    })?;
    println!("Restored in {}; SQLite says ok, and every journal folds:", path.display());
    for (game, length) in games {
        println!("  {game}: {length} entries");
    }
    println!("Letters that came after the backup was made are still in your mailbox (Processed and Rejected):");
    println!("move them back into the inbox, and they are taken in again. Stop the old folder's daemon first.");
    Ok(ExitCode::SUCCESS)
}

fn put_back(root: &Path, companions: &[Companion]) -> Result<(), Failure> {
    for (name, bytes) in companions {
        let below = Path::new(name);
        let path = root.join(below);
        // Whoever made the file: nothing is written outside the folder, and nothing over what is there.
        if !below.components().all(|part| matches!(part, Component::Normal(_))) || path.exists() {
            continue;
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, bytes)?;
    }
    if root.join(FILE).exists() {
        return Ok(());
    }
    let help = "put the old umpire.toml there and restore again";
    Err(Failure::new(format!("the backup holds no {FILE}, and {} has none", root.display()), help))
}

fn folded(path: &Path) -> Result<Vec<(crate::engine::GameId, u64)>, Failure> {
    let mut folder = Folder::open(path)?;
    let now = folder.now();
    let sound = folder.desk().integrity()?;
    if sound != "ok" {
        return Err(Failure::new(format!("SQLite says of the restored file: {sound}"), "take an older backup"));
    }
    Ok(folder.desk().fold_all(now)?)
}
