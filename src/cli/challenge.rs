//! `umpire challenge list|answer`.

use super::folder::Folder;
use super::{Outcome, print};
use crate::engine::ChallengeNo;
use std::path::Path;
use std::process::ExitCode;

/// `umpire challenge`.
#[derive(clap::Subcommand, Debug)]
pub(super) enum Args {
    /// List challenges with their answers
    List {
        /// The game; all of the folder if left out
        game: Option<String>,
    },
    /// Answer a challenge; if the player is right, `umpire rule` first
    Answer {
        /// The challenge's number
        no: u32,
        /// The answer, for the player
        answer: String,
        /// The game; may be left out if there is only one
        #[arg(long)]
        game: Option<String>,
        /// The player was right
        #[arg(long)]
        upheld: bool,
    },
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    match args {
        Args::List { game } => list(&mut folder, game.as_deref()),
        Args::Answer { no, answer, game, upheld } => {
            let game = folder.game(game.as_deref())?;
            let now = folder.now();
            folder.desk().answer_challenge(&game, ChallengeNo(*no), answer, *upheld, now)?;
            println!("Challenge {no} of {game} is answered; the player is told.");
            print::outbox_hint();
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn list(folder: &mut Folder, named: Option<&str>) -> Outcome {
    let games = match named {
        Some(name) => vec![folder.game(Some(name))?],
        None => folder.desk().games()?,
    };
    let now = folder.now();
    let mut any = false;
    for game in games {
        for view in folder.desk().challenges(&game, now)? {
            any = true;
            let event = view.challenge.event.map_or_else(|| "no event named".to_owned(), |no| format!("event {no}"));
            println!(
                "{game} {}: {} of {}, {event}, received {}",
                view.challenge.no,
                view.phase,
                view.seat_name,
                print::moment(view.challenge.received)
            );
            println!("    \"{}\"", view.challenge.text);
            match view.answer {
                Some((answer, true)) => println!("    upheld: {answer}"),
                Some((answer, false)) => println!("    answered: {answer}"),
                None => println!("    OPEN: `umpire challenge answer {} \"...\" --game {game}`", view.challenge.no),
            }
        }
    }
    if !any {
        println!("There are no challenges.");
    }
    Ok(ExitCode::SUCCESS)
}
