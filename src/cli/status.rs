//! `umpire status`: what each game waits for, at a glance.

use super::folder::Folder;
use super::{Failure, Outcome, outbox, print};
use crate::desk::{self, GameStatus, SeatStatus};
use crate::engine::Stage;
use jiff::Timestamp;
use std::path::Path;
use std::process::ExitCode;

/// `umpire status`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The game; all of the folder if left out
    game: Option<String>,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    let games = match &args.game {
        Some(name) => vec![folder.game(Some(name))?],
        None => folder.desk().games()?,
    };
    if games.is_empty() {
        println!("There is no game in this folder yet: `umpire new NAME --campaign ...` opens one.");
    }
    let now = folder.now();
    for game in games {
        show(&folder.desk().status(&game, now)?);
    }
    let letters = folder.desk().letters_for_umpire()?;
    if !letters.is_empty() {
        println!("Letters that need you (`umpire review --letter N` shows one):");
        for letter in letters {
            println!("  {:>4}  {}  {}", letter.no, print::moment(letter.received), letter.note);
        }
    }
    house(&mut folder, now)?;
    Ok(ExitCode::SUCCESS)
}

/// What concerns all games: the daemon, the clock, the mail.
fn house(folder: &mut Folder, now: Timestamp) -> Result<(), Failure> {
    let beat = folder.inner.heartbeat();
    let daemon = match beat.process {
        Some(process) => format!("at work, process {process}"),
        None => "not at work (`umpire serve` is the daemon, `umpire run` one pass)".to_owned(),
    };
    println!("daemon  {daemon}");
    match beat.intake {
        Some(at) => println!("mail    last complete intake {} ({})", print::moment(at), print::ago(at, now)),
        None => println!("mail    there was no complete intake yet"),
    }
    outbox::at_a_glance(&folder.desk().outbox(now)?);
    match folder.desk().clock_trouble(now)? {
        None => println!("clock   sound"),
        Some(trouble) => {
            println!("clock   NOTHING CLOSES: {trouble}");
            println!("        set the clock, or say `umpire resume --clock` if it is right");
        }
    }
    Ok(())
}

fn show(status: &GameStatus) {
    println!("{}: {} ({})", status.game, status.title, status.campaign.0);
    if let Some(reason) = &status.held {
        println!("  HELD: {reason}");
    }
    for line in &status.waits_for {
        println!("  {line}");
    }
    for turn in status.turns.iter().rev().take(3) {
        let stage = match &turn.stage {
            Stage::Open => format!("open, orders close {} ({})", turn.deadline.text, turn.deadline.away),
            Stage::Sealed => "sealed".to_owned(),
            Stage::Preliminary { issue, .. } => format!("preliminary, issue {issue}"),
            Stage::Official { issue } => format!("official, issue {issue}"),
        };
        println!("  turn {} {}: {stage}", turn.turn, turn.phase);
    }
    for seat in &status.seats {
        println!("  {:<16} {}", seat.name, in_short(seat));
    }
    for view in status.challenges.iter().filter(|view| view.answer.is_none()) {
        println!("  challenge {} of {} is open: \"{}\"", view.challenge.no, view.seat_name, view.challenge.text);
    }
    println!();
}

fn in_short(seat: &SeatStatus) -> String {
    let player = seat.player.as_ref().map_or("no player", |(name, _)| name.as_str());
    let orders = match &seat.sheet {
        _ if seat.player.is_none() => "not waited for".to_owned(),
        _ if !seat.owes => "nothing to decide".to_owned(),
        None => "nothing received".to_owned(),
        Some(sheet) => desk::in_short(sheet),
    };
    let mut more = String::new();
    if seat.ready {
        more.push_str(", READY");
    }
    if let Some((from, to)) = &seat.away {
        more.push_str(&format!(", away {from} to {to}"));
    }
    if let Some((deputy, _)) = &seat.deputy {
        more.push_str(&format!(", deputy {deputy}"));
    }
    if seat.missed > 0 {
        more.push_str(&format!(", {} missed", print::count(seat.missed, "turn")));
    }
    format!("{player:<20} {}, {orders}{more}", print::count(seat.letters, "letter"))
}
