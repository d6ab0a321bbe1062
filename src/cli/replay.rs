//! `umpire replay`: a game folded from its journal, and worked out again.

use super::folder::Folder;
use super::{Failure, Outcome};
use crate::desk::Verdict;
use std::path::Path;
use std::process::ExitCode;

/// `umpire replay`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game; all of the folder if left out
    game: Option<String>,
    /// Adjudicate every issue of every turn again from its inputs, and compare byte for byte
    #[arg(long)]
    verify: bool,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    let games = match &args.game {
        Some(name) => vec![folder.game(Some(name))?],
        None => folder.desk().games()?,
    };
    let integrity = folder.desk().integrity()?;
    println!("{}: SQLite says {integrity}", path.join("umpire.sqlite").display());
    let mut sound = integrity == "ok";
    for game in games {
        let now = folder.now();
        if !args.verify {
            for turn in folder.desk().status(&game, now)?.turns {
                let issue = turn.issue.map_or_else(|| "no results yet".to_owned(), |issue| format!("issue {issue}"));
                println!("{game}  turn {:<3} {:<14} {issue}", turn.turn, turn.phase);
            }
            continue;
        }
        let verified = folder.desk().verify(&game, now)?;
        println!("{game}: campaign data {}", verified.campaign_sha256);
        for turn in &verified.turns {
            let root = if turn.root_stands { "root stands" } else { "ROOT DOES NOT STAND" };
            let verdict = match &turn.verdict {
                Verdict::Same { events } => format!("{events} events, the same to the byte"),
                Verdict::Folded { rules_version } => format!("folded: worked out by rules version {rules_version}"),
                Verdict::Differs { event, recorded, again } => {
                    format!("DIFFERS at {event}\n    journal  {recorded}\n    again    {again}")
                }
            };
            println!("  turn {:<3} {:<14} issue {}  {verdict}; {root}", turn.turn, turn.phase, turn.issue);
        }
        sound &= verified.is_sound();
    }
    if !sound {
        return Err(Failure::new(
            "not everything came out as it stands in the journal",
            "restore the folder from a backup, and report this",
        ));
    }
    println!("{}", if args.verify { "Everything came out as it stands in the journal." } else { "The journal folds." });
    Ok(ExitCode::SUCCESS)
}
