//! `umpire outbox`: letters that wait, that were not delivered, that others took the place of.

use super::folder::Folder;
use super::{Outcome, print};
use crate::desk::{OutboxRow, OutboxView, PostState};
use clap::Subcommand;
use jiff::Timestamp;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// `umpire outbox`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand, Debug)]
enum What {
    /// Show a letter as it was written, and what became of it
    Show {
        /// Its number, as `umpire outbox` lists it
        id: i64,
    },
    /// Have a letter tried again at once: one that waits, was given up or came back; without a number, all that wait
    Retry {
        /// Its number
        id: Option<i64>,
    },
    /// Do not send a letter that waits
    Drop {
        /// Its number
        id: i64,
        /// Why: kept with the letter
        #[arg(long, value_name = "REASON")]
        because: String,
    },
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let mut folder = Folder::open(path)?;
    let now = folder.now();
    match &args.what {
        None => list(&folder.desk().outbox(now)?, now),
        Some(What::Show { id }) => show(&folder.desk().outgoing(*id)?)?,
        Some(What::Retry { id: Some(id) }) => {
            let row = folder.desk().retry(*id, now)?;
            println!("Letter {id} to {} is tried again with the next pass.", row.post.recipient);
        }
        Some(What::Retry { id: None }) => {
            let waiting = usize::try_from(folder.desk().retry_all(now)?).unwrap_or(usize::MAX);
            println!("{} tried again with the next pass.", print::count(waiting, "letter"));
        }
        Some(What::Drop { id, because }) => {
            let row = folder.desk().drop_letter(*id, because, now)?;
            println!("Letter {id} to {} will not be sent.", row.post.recipient);
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// What `umpire status` says of the outbox: nothing if all is well.
pub(super) fn at_a_glance(view: &OutboxView) {
    let waiting = usize::try_from(view.waiting_count).unwrap_or(usize::MAX);
    let put_off = view.waiting.iter().filter(|row| row.attempts > 0).count();
    let mut said = format!("outbox  {} to be sent", print::count(waiting, "letter"));
    if put_off > 0 {
        said = format!("{said}, {put_off} of them tried in vain so far");
    }
    if !view.undelivered.is_empty() {
        said = format!("{said}; {} of the last 30 days undelivered", view.undelivered.len());
    }
    let more = put_off > 0 || !view.undelivered.is_empty();
    println!("{said}{}", if more { " (`umpire outbox`)" } else { "" });
    closed(view);
}

fn closed(view: &OutboxView) {
    if let Some(down) = &view.line {
        println!(
            "NO LETTER CAN BE SENT since {} ({}): {}\n  It is tried again at {}; `umpire outbox retry` tries at once.",
            print::moment(down.since),
            attempts(down.tries),
            down.why,
            print::moment(down.next_try),
        );
    }
}

fn list(view: &OutboxView, now: Timestamp) {
    closed(view);
    let group = |title: &str, rows: &[OutboxRow]| {
        if !rows.is_empty() {
            println!("{title}");
        }
        for row in rows {
            println!("{}", line(row, &view.waiting));
        }
    };
    group("Waiting:", &view.waiting);
    group("Not delivered, in the last 30 days:", &view.undelivered);
    group("Dropped, in the last 30 days:", &view.dropped);
    for bad in &view.bad_addresses {
        println!("{} cannot be reached since {}: {}", bad.address, print::moment(bad.since), bad.why);
    }
    match view.next {
        None => println!("Nothing waits."),
        Some(next) if next <= now => {
            println!("The next letter leaves with the next pass (`umpire serve` or `umpire run`).")
        }
        Some(next) => println!("The next letter may leave at {}.", print::moment(next)),
    }
}

fn line(row: &OutboxRow, waiting: &[OutboxRow]) -> String {
    let post = &row.post;
    let whose = match (&post.game, &post.seat) {
        (Some(game), Some(seat)) => format!("{game} {seat}"),
        (Some(game), None) => game.to_string(),
        _ => "-".to_owned(),
    };
    format!("{:>6}  {whose:<20} {:<28} {:<16} {}", row.id, post.recipient, post.kind, fate(row, waiting))
}

fn attempts(number: u32) -> String {
    print::count(usize::try_from(number).unwrap_or(usize::MAX), "attempt")
}

/// What became of a letter, in a few words.
fn fate(row: &OutboxRow, waiting: &[OutboxRow]) -> String {
    let error = row.last_error.as_deref().unwrap_or_default();
    let same = |other: &&OutboxRow| other.post.recipient.eq_ignore_ascii_case(&row.post.recipient);
    match row.state() {
        PostState::Waiting(next) => {
            let ahead = waiting.iter().filter(same).find(|other| other.id < row.id);
            match (ahead, next) {
                (Some(ahead), _) => format!("behind {}", ahead.id),
                (None, Some(at)) => {
                    format!("next try {}, after {}: {error}", print::moment(at), attempts(row.attempts))
                }
                (None, None) => "with the next pass".to_owned(),
            }
        }
        PostState::Sent(at) => {
            format!("sent {}: {}", print::moment(at), row.answer.as_deref().unwrap_or("taken"))
        }
        PostState::Returned(at) => {
            format!("came back {}: {}", print::moment(at), row.report.as_deref().unwrap_or_default())
        }
        PostState::GivenUp(at) => format!("given up {}, after {}: {error}", print::moment(at), attempts(row.attempts)),
        PostState::Dropped(at) => match &row.dropped {
            Some((why, Some(by))) => format!("dropped {} for {by}: {why}", print::moment(at)),
            Some((why, None)) => format!("dropped {}: {why}", print::moment(at)),
            None => String::new(),
        },
    }
}

fn show(row: &OutboxRow) -> Result<(), std::io::Error> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", line(row, &[]))?;
    writeln!(out, "written {} for: {}", print::moment(row.created), row.post.cause)?;
    if let Some(report) = &row.report {
        writeln!(out, "the newest report about it: {report}")?;
    }
    writeln!(out)?;
    out.write_all(&row.post.raw)
}
