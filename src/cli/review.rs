//! `umpire review`: the seats' sheets as they stand, the letters behind them.

use super::folder::Folder;
use super::{Outcome, print};
use crate::engine::LetterNo;
use crate::engine::sheet::SheetText;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// `umpire review`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game; may be left out if there is only one
    game: Option<String>,
    /// One seat only
    #[arg(long)]
    seat: Option<String>,
    /// Show this letter instead, raw, as it came
    #[arg(long, value_name = "N", conflicts_with_all = ["game", "seat"])]
    letter: Option<u32>,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    if let Some(no) = args.letter {
        let row = folder.desk().letter(LetterNo(no))?;
        std::io::stdout().write_all(&row.raw)?;
        return Ok(ExitCode::SUCCESS);
    }
    let game = folder.game(args.game.as_deref())?;
    let only = args.seat.as_deref().map(|seat| folder.seat(&game, seat)).transpose()?;
    let now = folder.now();
    for seat in folder.desk().status(&game, now)?.seats {
        if only.as_ref().is_some_and(|only| *only != seat.seat) {
            continue;
        }
        println!("{} ({})", seat.name, print::count(seat.letters, "letter"));
        match &seat.sheet {
            Some(sheet) => show(sheet),
            None => println!("  nothing received"),
        }
        println!();
    }
    Ok(ExitCode::SUCCESS)
}

fn show(sheet: &SheetText) {
    for order in &sheet.orders {
        let state = order.out_of_force.as_ref().map_or_else(String::new, |why| format!("   OUT OF FORCE: {why}"));
        println!("  {:>3}  {}{state}", order.number, order.words);
        println!("       from letter {}, line {}: \"{}\"", order.source.letter, order.source.line, order.source.words);
    }
    for question in &sheet.questions {
        println!(
            "  DOUBTFUL, letter {}, line {}: \"{}\"",
            question.source.letter, question.source.line, question.source.words
        );
        println!("       {}", question.message);
        for (label, reading) in ('a'..='z').zip(&question.readings) {
            println!("       {}{label}  {reading}", question.number);
        }
    }
    for line in &sheet.still_open {
        println!("  open: {line}");
    }
}
