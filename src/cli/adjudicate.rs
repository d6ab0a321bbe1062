//! `umpire adjudicate` and `umpire release`.

use super::folder::Folder;
use super::run::{ended, report};
use super::{Outcome, print};
use crate::daemon;
use crate::results::entry;
use std::path::Path;
use std::process::ExitCode;

/// `umpire adjudicate`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game; may be left out if there is only one
    game: Option<String>,
    /// Work the turn out with throw-away dice and post nothing: shows that it runs, never what it will bring
    #[arg(long)]
    dry_run: bool,
}

/// `umpire release`.
#[derive(clap::Args, Debug)]
pub(super) struct ReleaseArgs {
    /// The game; may be left out if there is only one
    game: Option<String>,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(args.game.as_deref())?;
    if args.dry_run {
        return dry_run(&mut folder, &game);
    }
    folder.inner.lock()?;
    let now = folder.now();
    let pass = daemon::pass(&mut folder.inner, now);
    report(&pass);
    if !pass.closed.iter().any(|closed| closed.game == game) {
        println!("{game}: no turn was due.");
        for line in folder.desk().status(&game, now)?.waits_for {
            println!("  {line}");
        }
        if pass.failures.is_empty() {
            return Ok(ExitCode::FAILURE);
        }
    }
    ended(&pass)
}

fn dry_run(folder: &mut Folder, game: &crate::engine::GameId) -> Outcome {
    let now = folder.now();
    let run = folder.desk().dry_run(game, now)?;
    let system = folder.desk().status(game, now)?.campaign.1;
    println!("{} of {game}, with THROW-AWAY dice: the real ones will fall otherwise.", run.phase);
    let mut heading = "";
    for told in &run.report.entries {
        if told.heading != heading {
            heading = &told.heading;
            println!("\n{heading}");
        }
        let sentence = entry::sentence(folder.inner.desk.templates(), &system, run.turn.0, told)?;
        println!("  {:>5}  {sentence}", told.no.to_string());
    }
    if let Some((step, seat, question)) = &run.asks {
        println!("\nIt stops in {step} with a question to {seat}: {question}");
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn release(path: &Path, args: &ReleaseArgs) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(args.game.as_deref())?;
    let now = folder.now();
    let until = folder.desk().release(&game, now)?;
    println!("{game}: the results are posted; challenges until {}.", print::moment(until));
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}
