//! `umpire extend`, `hold`, `resume`: the game's clock.

use super::folder::Folder;
use super::{Failure, Outcome, print};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use std::path::Path;
use std::process::ExitCode;

/// `umpire extend`.
#[derive(clap::Args, Debug)]
pub(super) struct ExtendArgs {
    /// The game; may be left out if there is only one
    game: Option<String>,
    /// The new deadline in the game's zone, as 2026-12-04T20:00
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
    game: Option<String>,
    /// Why, for the players
    #[arg(long = "because", value_name = "REASON")]
    reason: String,
}
