//! `umpire run`: the daemon, or one pass of it.

use super::folder::Folder;
use super::{Failure, Outcome, print};
use crate::daemon::{self, Pass};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// `umpire run`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// One pass, then stop: for cron
    #[arg(long)]
    once: bool,
    /// Seconds between passes; a mail server that can say when mail comes (IDLE) is listened to meanwhile
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400), conflicts_with = "once")]
    every: u64,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    folder.inner.lock()?;
    loop {
        let now = folder.now();
        let pass = daemon::pass(&mut folder.inner, now);
        report(&pass, args.once);
        if args.once {
            return ended(&pass);
        }
        wait(&mut folder, Duration::from_secs(args.every));
    }
}

/// Until mail comes, and no longer than `every`.
fn wait(folder: &mut Folder, every: Duration) {
    let now = folder.now();
    // What is wrong with the inbox the next pass tells; here it only must not be asked without pause.
    if folder.inner.inbox.wait_for_mail(every, now).is_err() {
        std::thread::sleep(every);
    }
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

/// Says what a pass did; `quiet_too` says so even if it did nothing.
pub(super) fn report(pass: &Pass, quiet_too: bool) {
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
    for (game, _, phase) in &pass.ratified {
        println!("{game}: {phase} is official");
    }
    if pass.put_off + pass.refused > 0 {
        let tried = print::count(pass.put_off, "letter");
        println!("{tried} not taken now, {} refused for good (`umpire outbox` says why)", pass.refused);
    }
    let idle = pass.letters.is_empty() && pass.closed.is_empty() && pass.ratified.is_empty() && pass.sent == 0;
    if !idle || quiet_too {
        println!("{} sent, {} pages written", print::count(pass.sent, "letter"), pass.pages);
    }
    for failure in &pass.failures {
        eprintln!("umpire: {failure}");
    }
}
