//! `umpire rule`: a ruling, shown first: which reports would differ, which dice stay.

use super::folder::Folder;
use super::{Failure, Outcome, print};
use crate::desk::{Preview, RulingWish};
use crate::engine::{EventNo, GameId, RulingNo, SeatId, StepName, TurnNo};
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Exactly one of --strike, --admit, --die, --reroll, --impose, --withdraw says what is ruled:
  umpire rule --seat sweden --strike 3 --because \"...\"        order 3 of Sweden's sheet is void
  umpire rule --seat sweden --admit \"Dal to Riga\" ...        an order that was missed is carried out
  umpire rule --die 16.2=3 ...                                die 2 of event 16 shows a 3
  umpire rule --reroll 16 ...                                 event 16's dice are thrown again
  umpire rule --impose \"lose 1 Dal\" ...                      something happens, in the rulebook's terms
  umpire rule --withdraw 2 ...                                ruling 2 no longer stands
What would change is shown before anything is written; without a terminal, --yes agrees to it.";

/// `umpire rule`.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["strike", "admit", "die", "reroll", "impose", "withdraw"]))]
pub(super) struct Args {
    /// The game; may be left out if there is only one
    game: Option<String>,
    /// The turn, by number; the oldest that is not official if left out
    #[arg(long)]
    turn: Option<u32>,
    /// Whose order, or in whose report the event's number stands (s3)
    #[arg(long)]
    seat: Option<String>,
    /// The order of this number in the seat's sheet is void
    #[arg(long, value_name = "ORDER", requires = "seat")]
    strike: Option<u32>,
    /// These words are carried out as an order of the seat
    #[arg(long, value_name = "WORDS", requires = "seat")]
    admit: Option<String>,
    /// A die of an event shows this face: EVENT.DIE=FACE
    #[arg(long, value_name = "EVENT.DIE=FACE")]
    die: Option<String>,
    /// The dice of an event are thrown again
    #[arg(long, value_name = "EVENT")]
    reroll: Option<EventNo>,
    /// Which of the event's volleys, if it has several
    #[arg(long, value_name = "N", default_value_t = 1, requires = "reroll")]
    volley: usize,
    /// Something happens: move, lose, gain, control, retreat, capture, money ...
    #[arg(long, value_name = "WORDS")]
    impose: Option<String>,
    /// The step after which it happens, if not the usual one
    #[arg(long, value_name = "STEP", requires = "impose")]
    after: Option<String>,
    /// An earlier ruling no longer stands
    #[arg(long, value_name = "RULING")]
    withdraw: Option<u32>,
    /// Why, for the players
    #[arg(long = "because", value_name = "REASON")]
    reason: String,
    /// Show what would change, and stop
    #[arg(long)]
    preview: bool,
    /// Do not ask
    #[arg(long, conflicts_with = "preview")]
    yes: bool,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(args.game.as_deref())?;
    let seat = args.seat.as_deref().map(|seat| folder.seat(&game, seat)).transpose()?;
    let wish = wish(args, seat)?;
    let turn = args.turn.map(TurnNo);
    let now = folder.now();
    let preview = folder.desk().preview_ruling(&game, turn, &wish, now)?;
    show(&mut folder, &game, &preview)?;
    if args.preview {
        return Ok(ExitCode::SUCCESS);
    }
    if !args.yes && !print::agreed("Rule so?") {
        return Err(Failure::new("nothing was ruled", "answer y, or give --yes"));
    }
    let ruled = folder.desk().rule(&game, turn, &wish, &args.reason, now)?;
    match ruled.issue {
        Some(issue) => {
            println!("Ruling {} stands; issue {issue} goes to {}.", ruled.ruling, print::list(&ruled.seats, "nobody"))
        }
        None => println!("Ruling {} stands.", ruled.ruling),
    }
    if let Some(until) = ruled.until {
        println!("Challenges to what changed are taken until {}.", print::moment(until));
    }
    if !ruled.orders_changed.is_empty() {
        println!(
            "Orders for the next turn read differently now for {}; they are told.",
            print::list(&ruled.orders_changed, "")
        );
    }
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}

fn wish(args: &Args, seat: Option<SeatId>) -> Result<RulingWish, Failure> {
    let owner = || seat.clone().ok_or_else(|| Failure::new("whose order is it?", "give --seat"));
    if let Some(order) = args.strike {
        return Ok(RulingWish::Strike { seat: owner()?, order });
    }
    if let Some(words) = &args.admit {
        return Ok(RulingWish::Admit { seat: owner()?, words: words.clone() });
    }
    if let Some(text) = &args.die {
        let (event, die, face) = die_of(text).ok_or_else(|| {
            Failure::new(
                format!("\"{text}\" names no die"),
                "write EVENT.DIE=FACE: 16.2=3 sets die 2 of event 16 to a 3",
            )
        })?;
        return Ok(RulingWish::FixDie { event, seat, die, face });
    }
    if let Some(event) = args.reroll {
        return Ok(RulingWish::Reroll { event, seat, volley: args.volley });
    }
    if let Some(words) = &args.impose {
        return Ok(RulingWish::Impose { words: words.clone(), after: args.after.as_deref().map(StepName::new) });
    }
    let ruling = args.withdraw.ok_or_else(|| Failure::new("nothing to rule", "see umpire rule --help"))?;
    Ok(RulingWish::Withdraw { ruling: RulingNo(ruling) })
}

/// `16.2=3`, `s3.1=6`, `14.2.1=6`: the event's number is all before the last point.
fn die_of(text: &str) -> Option<(EventNo, usize, u8)> {
    let (die, face) = text.split_once('=')?;
    let (event, die) = die.rsplit_once('.')?;
    let face: u8 = face.trim().parse().ok()?;
    (1..=6).contains(&face).then_some(())?;
    Some((event.parse().ok()?, die.trim().parse().ok().filter(|die| *die > 0)?, face))
}

fn show(folder: &mut Folder, game: &GameId, preview: &Preview) -> Result<(), Failure> {
    println!("Turn {} of {game}: {}", preview.turn, preview.what);
    if let Some(hidden) = &preview.hidden {
        println!("  {hidden}");
    }
    for (no, before, after) in &preview.lines {
        println!("  {no:>5}  - {}", if before.is_empty() { "(nothing)" } else { before });
        println!("         + {}", if after.is_empty() { "(nothing)" } else { after });
    }
    let now = folder.now();
    let names = folder.desk().status(game, now)?.seats;
    let name = |seat: &SeatId| names.iter().find(|s| s.seat == *seat).map_or(seat.to_string(), |s| s.name.clone());
    let seats: Vec<String> = preview.seats.iter().map(name).collect();
    println!(
        "  Reports that differ: {}{}.",
        print::list(&seats, "none"),
        if preview.public { ", and the public page" } else { "" }
    );
    println!("  Unrelated dice unchanged ({}).", preview.dice);
    if let Some(until) = preview.until {
        println!("  Issue {}; challenges are open until {}.", preview.issue, print::moment(until));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_die_is_named_by_event_place_and_face() {
        assert_eq!(die_of("16.2=3"), Some((EventNo::Public(16), 2, 3)));
        for wrong in ["16=3", "16.0=3", "16.2=7", "16.2=", "x.2=3", ""] {
            assert_eq!(die_of(wrong), None, "{wrong}");
        }
    }
}
