//! `umpire map check`: boards looked over, all faults of a campaign at once.

use super::super::{Outcome, print};
use crate::engine::survey::{Marched, Survey, Undertaking};
use crate::{campaign, rules};
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Looks over the campaigns that are built in and those in DIR/campaigns: what a campaign's files say wrongly, land that nobody
can reach, ports that no ship leaves, marches of history that the board does not allow.
Exit code 1 if there is any fault.";

/// `umpire map check`.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(in crate::cli) struct Args {
    /// The campaigns by their folders' names; all of them if left out
    #[arg(value_name = "CAMPAIGN")]
    campaigns: Vec<String>,
    /// The board itself, a line a hex: what it is, and where its ways lead
    #[arg(long)]
    list: bool,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let own = path.join("campaigns");
    let names = if args.campaigns.is_empty() { campaign::list(Some(&own))? } else { args.campaigns.clone() };
    let mut sound = true;
    for (place, name) in names.iter().enumerate() {
        let found = campaign::find(name, Some(&own))?;
        let surveyed = found.heading().and_then(|heading| {
            let survey = rules::survey(&heading.system, &found.files)?;
            Ok((heading.title, survey))
        });
        if place > 0 {
            println!();
        }
        let (title, survey) = surveyed.unwrap_or_else(|faults| {
            let title = found.heading().map(|heading| heading.title).unwrap_or_default();
            (title, Survey { faults, ..Survey::default() })
        });
        if args.list {
            survey.listing.iter().for_each(|line| println!("{line}"));
        } else {
            show(name, &title, &survey);
        }
        // A list is to be compared with another: faults do not belong in it.
        for fault in &survey.faults {
            if args.list { eprintln!("campaigns/{name}/{fault}") } else { println!("    campaigns/{name}/{fault}") }
        }
        sound &= survey.faults.is_empty();
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(name: &str, title: &str, survey: &Survey) {
    println!("{name}: {title}");
    for (what, line) in &survey.counts {
        println!("  {what:<9} {line}");
    }
    if !survey.marches.is_empty() {
        println!("  marches of foot, and the chance that every roll on the way succeeds:");
        let width = survey.marches.iter().map(|march| march.name.chars().count()).max().unwrap_or(0);
        for march in &survey.marches {
            println!("    {:<width$}  {}", march.name, in_words(march));
        }
    }
    match survey.faults.len() {
        0 => println!("  sound"),
        faults => println!("  {}:", print::count(faults, "fault")),
    }
}

/// "3 of 4 seasons, 2 rolls of 4 in 6: 44 %; all 4: no roll".
fn in_words(march: &Marched) -> String {
    let Some(quickest) = &march.quickest else { return "no way".to_owned() };
    let late = if quickest.turns > march.allowed { "TOO LONG: " } else { "" };
    let mut words = format!("{late}{} of {} seasons, {}", quickest.turns, march.allowed, risk(quickest));
    if let Some(surest) = &march.surest {
        words.push_str(&format!("; in {}: {}", surest.turns, risk(surest)));
    }
    words
}

fn risk(way: &Undertaking) -> String {
    match way.rolls {
        0 => "no roll".to_owned(),
        1 => format!("1 roll of {} in 6: {} %", way.sixths, way.per_cent()),
        rolls => format!("{rolls} rolls of {} in 6: {} %", way.sixths, way.per_cent()),
    }
}
