//! `umpire extend`, `hold`, `resume`: the game's clock.

use super::folder::Folder;
use super::{Failure, Outcome, print};
use crate::engine::{GameId, Stage};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use std::path::Path;
use std::process::ExitCode;

/// `umpire extend`.
#[derive(clap::Args, Debug)]
pub(super) struct ExtendArgs {
    /// The game; may be left out if there is only one
    game: Option<String>,
    /// The new deadline in the game's zone, as "2026-12-04 20:00"
    #[arg(long, value_name = "WHEN", conflicts_with = "by", required_unless_present = "by")]
    to: Option<String>,
    /// How much later than now set, as 2d or 12h
    #[arg(long, value_name = "SPAN")]
    by: Option<String>,
    /// Why, for the players
    #[arg(long = "because", value_name = "REASON")]
    reason: String,
}

/// `umpire hold`.
#[derive(clap::Args, Debug)]
pub(super) struct HoldArgs {
    /// The game; may be left out if there is only one
    game: Option<String>,
    /// Why, for the players
    #[arg(long = "because", value_name = "REASON")]
    reason: String,
}

/// `umpire resume`.
#[derive(clap::Args, Debug)]
pub(super) struct ResumeArgs {
    /// The game; may be left out if there is only one
    #[arg(conflicts_with = "clock")]
    game: Option<String>,
    /// Why, for the players
    #[arg(long = "because", value_name = "REASON", required_unless_present = "clock")]
    reason: Option<String>,
    /// The machine's clock is right as it is now: let turns close again
    #[arg(long, conflicts_with = "reason")]
    clock: bool,
}

pub(super) fn extend(path: &Path, args: &ExtendArgs) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(args.game.as_deref())?;
    let now = folder.now();
    let deadline = match (&args.to, &args.by) {
        (Some(to), _) => folder.desk().moment(&game, to, now)?,
        (None, Some(by)) => later(&mut folder, &game, by)?,
        (None, None) => return Err(Failure::new("the new deadline is missing", "give --to or --by")),
    };
    folder.desk().extend(&game, deadline, &args.reason, now)?;
    let status = folder.desk().status(&game, now)?;
    let turn = status.turns.iter().rev().find(|turn| turn.stage == Stage::Open);
    if let Some(turn) = turn {
        println!("{}: orders close {} ({}). Every player is told.", turn.phase, turn.deadline.text, turn.deadline.zone);
    }
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}

/// The deadline in force moved on by a span of days and hours, in the game's zone (a day can have 23 hours).
fn later(folder: &mut Folder, game: &GameId, by: &str) -> Result<Timestamp, Failure> {
    let span: Span = by.parse().map_err(|_| {
        Failure::new(
            format!("\"{by}\" is no span of time"),
            "write 2d for two days, 12h for twelve hours, 1d12h for both",
        )
    })?;
    let now = folder.now();
    let status = folder.desk().status(game, now)?;
    let open = status.turns.iter().rev().find(|turn| turn.stage == Stage::Open);
    let Some(turn) = open else {
        return Err(Failure::new(format!("no turn of {game} takes orders"), "a closed turn is not reopened"));
    };
    let deadline: Timestamp = turn.deadline.utc.parse()?;
    let zone = TimeZone::get(&turn.deadline.zone).unwrap_or(TimeZone::UTC);
    Ok(deadline.to_zoned_datetime(zone).checked_add(span)?.timestamp())
}

pub(super) fn hold(path: &Path, args: &HoldArgs) -> Outcome {
    let mut folder = Folder::open(path)?;
    let game = folder.game(args.game.as_deref())?;
    let now = folder.now();
    folder.desk().hold(&game, &args.reason, now)?;
    println!("{game} is held: nothing closes and nothing becomes official. Every player is told.");
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}

pub(super) fn resume(path: &Path, args: &ResumeArgs) -> Outcome {
    let mut folder = Folder::open(path)?;
    if args.clock {
        return trust_clock(&mut folder);
    }
    let game = folder.game(args.game.as_deref())?;
    let now = folder.now();
    folder.desk().resume(&game, args.reason.as_deref().unwrap_or_default(), now)?;
    println!("{game} goes on. Every player is told.");
    for line in folder.desk().status(&game, now)?.waits_for {
        println!("  {line}");
    }
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}

fn trust_clock(folder: &mut Folder) -> Outcome {
    let now = folder.now();
    let trouble = folder.desk().clock_trouble(now)?;
    folder.desk().trust_clock(now)?;
    match trouble {
        Some(trouble) => println!("Noted: {trouble}.\nThe clock is trusted again from {} on.", print::moment(now)),
        None => println!("The clock was trusted already; it is {}.", print::moment(now)),
    }
    Ok(ExitCode::SUCCESS)
}
