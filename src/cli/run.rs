//! `umpire run`: one pass of the daemon.

use super::folder::Folder;
use super::{Failure, Outcome, print};
use crate::daemon::{self, Pass, alert};
use std::path::Path;
use std::process::ExitCode;

/// `umpire run`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// One pass, then stop: what it does anyway, spelt out for crontabs
    #[arg(long)]
    once: bool,
}

pub(super) fn run(path: &Path, _: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    folder.inner.lock()?;
    let now = folder.now();
    let pass = daemon::pass(&mut folder.inner, now);
    report(&pass);
    let alarms = alert::alarms(&mut folder.inner, &pass, now);
    alert::raise(&mut folder.inner, &alarms, now);
    ended(&pass)
}

/// A pass whose failures need the umpire ends badly; what may go away by itself is tried again by the next.
pub(super) fn ended(pass: &Pass) -> Outcome {
    match pass.failures.as_slice() {
        [] => Ok(ExitCode::SUCCESS),
        failures => Err(Failure::new(
            failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n        "),
            if failures.iter().all(daemon::Failure::is_retryable) {
                "nothing is lost: the next pass tries again"
            } else {
                "nothing is lost, but it will not mend itself"
            },
        )),
    }
}

/// Says what a pass did.
pub(super) fn report(pass: &Pass) {
    for (no, handled) in &pass.letters {
        let who = match (&handled.game, &handled.seat) {
            (Some(game), Some(seat)) => format!("{game}, {seat}: "),
            (Some(game), None) => format!("{game}: "),
            _ => String::new(),
        };
        println!("letter {no}: {who}{}", handled.note);
    }
    for turn in &pass.closed {
        let until = turn.until.map_or_else(
            || "waiting for your review (`umpire release`)".to_owned(),
            |until| format!("posted as preliminary, challenges until {}", print::moment(until)),
        );
        println!("{}: {} closed, {} events, {until}", turn.game, turn.phase, turn.events);
    }
    for turn in &pass.extended {
        println!(
            "{}: {} takes orders until {}: nothing has come from {} of {} players ({}). Is the mail all right?",
            turn.game,
            turn.phase,
            print::moment(turn.deadline),
            turn.missing.len(),
            turn.waited_for,
            turn.missing.join(", ")
        );
    }
    if pass.reminded > 0 {
        println!("{} written", print::count(pass.reminded, "reminder"));
    }
    for (game, _, phase) in &pass.ratified {
        println!("{game}: {phase} is official");
    }
    if pass.put_off + pass.refused > 0 {
        let tried = print::count(pass.put_off, "letter");
        println!("{tried} not taken now, {} refused for good (`umpire outbox` says why)", pass.refused);
    }
    println!("{} sent, {} pages written", print::count(pass.sent, "letter"), pass.pages);
}
