//! `umpire why`: the chain of causes behind a line of the results, or what became of an order.

use super::folder::Folder;
use super::{Failure, Outcome, print};
use crate::desk::{Ordered, Reason};
use crate::engine::{EventNo, Roll, TurnNo, bracketed};
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
  umpire why livonia 14                     what led to event 14 of the newest results
  umpire why livonia s3 --seat sweden       event s3 of Sweden's own report
  umpire why livonia --seat sweden --order 2    what became of Sweden's order 2
What is said here may be hidden from players: read it before you pass it on.";

/// `umpire why`.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// The game
    game: String,
    /// The number in front of the line: 14, 14.2, s3
    #[arg(required_unless_present = "order", conflicts_with = "order")]
    event: Option<EventNo>,
    /// In whose report the number stands, or whose order it is
    #[arg(long)]
    seat: Option<String>,
    /// What became of the order of this number instead
    #[arg(long, value_name = "N", requires = "seat")]
    order: Option<u32>,
    /// The turn, by number; the newest with results if left out
    #[arg(long)]
    turn: Option<u32>,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(Some(&args.game))?;
    let seat = args.seat.as_deref().map(|seat| folder.seat(&game, seat)).transpose()?;
    let turn = args.turn.map(TurnNo);
    let now = folder.now();
    if let (Some(seat), Some(number)) = (&seat, args.order) {
        let fate = folder.desk().fate(&game, turn, seat, number, now)?;
        println!("Order {number} of {}: {}", fate.order.seat, fate.words);
        println!("  {}", typed(&fate.order));
        match &fate.out_of_force {
            Some(why) => println!("  It was out of force: {why}"),
            None if fate.events.is_empty() => {
                println!("  It was in force, and nothing on the board was changed by it.")
            }
            None => println!("  It was in force. What came of it:"),
        }
        for reason in &fate.events {
            show(reason, 1);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let event = args.event.ok_or_else(|| Failure::new("which event?", "umpire why --help"))?;
    show(&folder.desk().why(&game, turn, event, seat.as_ref(), now)?, 0);
    Ok(ExitCode::SUCCESS)
}

/// An event, and under it what led to it, one step further in each time.
fn show(reason: &Reason, depth: usize) {
    let indent = "  ".repeat(depth);
    let no = reason.no.map_or_else(String::new, |no| format!("{no}  "));
    println!("{indent}{no}{} {}", reason.sentence, bracketed(&reason.cites));
    if let Some(order) = &reason.order {
        println!("{indent}  by order of {}: {}", order.seat, typed(order));
    }
    for roll in &reason.rolls {
        println!("{indent}  {}", thrown(roll));
    }
    if let Some((no, why)) = &reason.ruling {
        println!("{indent}  by ruling {no} of the umpire: {why}");
    }
    for cause in &reason.because {
        println!("{indent}  because of");
        show(cause, depth + 2);
    }
}

fn typed(order: &Ordered) -> String {
    let received = order.received.map_or_else(String::new, |at| format!(", received {}", print::moment(at)));
    format!("\"{}\" (letter {}, line {}{received})", order.source.words, order.source.letter, order.source.line)
}

fn thrown(roll: &Roll) -> String {
    let faces: Vec<String> = roll.faces.iter().map(ToString::to_string).collect();
    let set = if roll.set_by_ruling.is_empty() { "" } else { "; set by a ruling where it differs from its key" };
    format!("by the dice {} (key {}{set})", faces.join(" "), roll.key)
}
