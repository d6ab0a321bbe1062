//! `umpire map check`: boards looked over, all faults of a campaign at once.

use super::super::{Outcome, print};
use crate::{campaign, rules};
use std::path::Path;
use std::process::ExitCode;

/// `umpire map check`.
#[derive(clap::Args, Debug)]
pub(in crate::cli) struct Args {
    /// The campaigns by their folders' names; all of them if left out
    #[arg(value_name = "CAMPAIGN")]
    campaigns: Vec<String>,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let own = path.join("campaigns");
    let names = if args.campaigns.is_empty() { campaign::list(Some(&own))? } else { args.campaigns.clone() };
    let mut whole = true;
    for name in &names {
        let files = campaign::find(name, Some(&own))?;
        let faults = match files.heading() {
            Ok(heading) => rules::start(&heading.system, &files.files).err().unwrap_or_default(),
            Err(faults) => faults,
        };
        println!("{name}: {}", print::count(faults.len(), "fault"));
        for fault in &faults {
            println!("  {fault}");
        }
        whole &= faults.is_empty();
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
