//! `umpire seat` and `umpire absent`: who sits where, and who is away.

use super::folder::Folder;
use super::new::player_of;
use super::{Failure, Outcome, print};
use crate::engine::Player;
use std::path::Path;
use std::process::ExitCode;

const SEAT_HELP: &str = "\
Examples:
  umpire -C play seat livonia russia --player \"Irina Orlova <irina@example.org>, Europe/Moscow\"
  umpire -C play seat livonia russia --deputy \"Pavel Orlov <pavel@example.org>\"
  umpire -C play seat livonia russia --vacate --because \"resigned\"";

/// `umpire seat`.
#[derive(clap::Args, Debug)]
#[command(after_help = SEAT_HELP)]
pub(super) struct Args {
    /// The game
    game: String,
    /// The seat
    seat: String,
    #[command(flatten)]
    wish: Wish,
    /// Why a seat is left without player, for the journal
    #[arg(long = "because", value_name = "REASON", requires = "vacate", default_value = "")]
    reason: String,
}

#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
struct Wish {
    /// Give the seat to this player, or change his name, address or zone: NAME <ADDRESS>, ZONE
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,
    /// Leave the seat without player; the orders sent for the open turn are dropped
    #[arg(long)]
    vacate: bool,
    /// Let this person write beside the player: NAME <ADDRESS>, ZONE
    #[arg(long, value_name = "PLAYER")]
    deputy: Option<String>,
    /// Let the player write alone again
    #[arg(long)]
    no_deputy: bool,
}

/// `umpire absent`.
#[derive(clap::Args, Debug)]
pub(super) struct AbsentArgs {
    /// The game
    game: String,
    /// The seat
    seat: String,
    /// The first day, as 2027-01-03 or "3 Jan"
    #[arg(required_unless_present = "back")]
    from: Option<String>,
    /// The last day; the first if left out
    to: Option<String>,
    /// He is back, or not going
    #[arg(long, conflicts_with_all = ["from", "to"])]
    back: bool,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(Some(&args.game))?;
    let seat = folder.seat(&game, &args.seat)?;
    let now = folder.now();
    let wish = &args.wish;
    if let Some(player) = &wish.player {
        let player = person(player)?;
        folder.desk().enrol(&game, &seat, &player, now)?;
        println!("{} has {seat} in {game} from now on, and is sent all that the seat knows.", player.name);
    } else if let Some(deputy) = &wish.deputy {
        let deputy = person(deputy)?;
        folder.desk().deputise(&game, &seat, Some(&deputy), now)?;
        println!("{} may write for {seat} in {game}. Both get every letter of the seat.", deputy.name);
    } else if wish.no_deputy {
        folder.desk().deputise(&game, &seat, None, now)?;
        println!("The player of {seat} writes alone.");
    } else {
        let old = folder.desk().vacate(&game, &seat, &args.reason, now)?;
        println!(
            "{seat} in {game} has no player: {} is told, and what he sent for the open turn is dropped.",
            old.name
        );
        println!("It sits in its cities, gives battle only when attacked, plays no cards, and nobody waits for it.");
    }
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}

pub(super) fn absent(path: &Path, args: &AbsentArgs) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(Some(&args.game))?;
    let seat = folder.seat(&game, &args.seat)?;
    let now = folder.now();
    let Some(from) = &args.from else {
        folder.desk().back(&game, &seat, now)?;
        println!("{seat} is back. A deadline that had moved stays where it is.");
        return Ok(ExitCode::SUCCESS);
    };
    let days = format!("{from} to {}", args.to.as_ref().unwrap_or(from));
    let noted = folder.desk().absent(&game, &seat, &days, now)?;
    println!("{seat} is away from {} to {}. {}", noted.from, noted.to, noted.means);
    for line in folder.desk().status(&game, now)?.waits_for {
        println!("  {line}");
    }
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}

fn person(text: &str) -> Result<Player, Failure> {
    player_of(text).ok_or_else(|| {
        Failure::new(
            format!("\"{text}\" is nobody"),
            "write NAME <ADDRESS>, ZONE: \"Astrid Lind <astrid@example.org>, Europe/Stockholm\"",
        )
    })
}
