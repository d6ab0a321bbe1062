//! The command line: one file a command. What a command prints is for the umpire; what it does is the desk's.

mod adjudicate;
mod archive;
mod backup;
mod challenge;
mod check;
mod demo;
mod folder;
mod log;
mod mail;
mod map;
mod moving;
mod new;
mod outbox;
mod print;
mod ratify;
mod replay;
mod review;
mod rule;
mod run;
mod seat;
mod serve;
mod status;
mod submit;
mod turns;
mod verify;
mod why;

use clap::{Parser, Subcommand};
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;

/// A play-by-email umpire: reads players' orders from mail, adjudicates, posts results that can be challenged.
#[derive(Parser, Debug)]
#[command(
    name = "umpire",
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "An umpire's folder holds umpire.toml, umpire.sqlite, the maildirs and site/. `umpire demo` makes one to look at."
)]
struct Cli {
    /// The umpire's folder
    #[arg(
        short = 'C',
        long = "folder",
        global = true,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    folder: PathBuf,

    /// Say more of what is done (-vv: still more)
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play a sample turn (or year) in a new folder, without a mail server
    Demo(demo::Args),
    /// Make an umpire's folder here, or open a game in it
    New(new::Args),
    /// The daemon: letters in, answers out, turns closed and posted, until it is told to stop
    Serve(serve::Args),
    /// One pass of the daemon, for cron: fetch, answer, close and post what is due, deliver what waits
    Run(run::Args),
    /// The mail servers: try them out, or give leave to use them
    #[command(subcommand)]
    Mail(mail::Args),
    /// Say at a glance what each game waits for
    Status(status::Args),
    /// Look at orders: each seat's sheet, its doubts, the letters behind it
    Review(review::Args),
    /// Read orders as a letter of that seat would be read, and store nothing
    Check(check::Args),
    /// Enter orders for a player who telephoned; he gets the acknowledgement
    Submit(submit::Args),
    /// Close a turn that is due, or work it out with throw-away dice
    Adjudicate(adjudicate::Args),
    /// Release results that waited for review
    Release(adjudicate::ReleaseArgs),
    /// Rule on a turn's results: strike or admit an order, set or re-throw dice, impose an event
    Rule(rule::Args),
    /// List challenges, or answer one
    #[command(subcommand)]
    Challenge(challenge::Args),
    /// Make results official when their window has closed
    Ratify(ratify::Args),
    /// Look at letters that wait or were not delivered; try one again, drop one
    Outbox(outbox::Args),
    /// Move a deadline
    Extend(turns::ExtendArgs),
    /// Stop a game's clock
    Hold(turns::HoldArgs),
    /// Let a game's clock run again
    Resume(turns::ResumeArgs),
    /// Give a seat to a player, leave it without, or put a deputy beside him
    Seat(seat::Args),
    /// Note that a player is away; the deadline moves if umpire.toml says so
    Absent(seat::AbsentArgs),
    /// Say why a line of the results is there, back to letter, line, rule and die; or what became of an order
    Why(why::Args),
    /// Fold a game from its journal; with --verify, adjudicate every turn again and compare
    Replay(replay::Args),
    /// Draw the board of a campaign or game as SVG or PNG, or check it
    Map(map::Args),
    /// Copy the folder's truth into one file, while the daemon serves
    Backup(backup::BackupArgs),
    /// Make an umpire's folder from a backup
    Restore(backup::RestoreArgs),
    /// Write a game with its letters into one archive
    Export(moving::ExportArgs),
    /// Take a game from an archive into this folder: it goes on here
    Import(moving::ImportArgs),
    /// Check the dice of a letter or page against the root published before orders opened
    Verify(verify::Args),
}

/// A command that was not carried out: what is the matter, and what to do.
#[derive(Debug)]
struct Failure {
    what: String,
    help: String,
}

impl Failure {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into() }
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(fault: E) -> Self {
        let mut what = fault.to_string();
        let mut cause = fault.source();
        while let Some(deeper) = cause {
            let more = deeper.to_string();
            if !what.contains(&more) {
                what = format!("{what}: {more}");
            }
            cause = deeper.source();
        }
        Self::new(what, "")
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "umpire: {}", self.what)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, "\n        {}", self.help) }
    }
}

type Outcome = Result<ExitCode, Failure>;

/// Runs the command line of this process: 0 if it was carried out, 1 if not, 2 if its words were no command.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let daemon = matches!(cli.command, Command::Serve(_));
    if !daemon && !matches!(cli.command, Command::Run(_)) {
        // `umpire status | head` ends quietly, as every Unix command does. What sends letters and starts commands must not end
        // because one of them does not listen.
        sigpipe::reset();
    }
    log::begin(daemon, cli.verbose);
    let outcome = match cli.command {
        Command::Demo(args) => demo::run(&args),
        Command::New(args) => new::run(&cli.folder, &args),
        Command::Serve(args) => serve::run(&cli.folder, &args),
        Command::Run(args) => run::run(&cli.folder, &args),
        Command::Mail(args) => mail::run(&cli.folder, &args),
        Command::Status(args) => status::run(&cli.folder, &args),
        Command::Review(args) => review::run(&cli.folder, &args),
        Command::Check(args) => check::run(&cli.folder, &args),
        Command::Submit(args) => submit::run(&cli.folder, &args),
        Command::Adjudicate(args) => adjudicate::run(&cli.folder, &args),
        Command::Release(args) => adjudicate::release(&cli.folder, &args),
        Command::Rule(args) => rule::run(&cli.folder, &args),
        Command::Challenge(args) => challenge::run(&cli.folder, &args),
        Command::Ratify(args) => ratify::run(&cli.folder, &args),
        Command::Outbox(args) => outbox::run(&cli.folder, &args),
        Command::Extend(args) => turns::extend(&cli.folder, &args),
        Command::Hold(args) => turns::hold(&cli.folder, &args),
        Command::Resume(args) => turns::resume(&cli.folder, &args),
        Command::Seat(args) => seat::run(&cli.folder, &args),
        Command::Absent(args) => seat::absent(&cli.folder, &args),
        Command::Replay(args) => replay::run(&cli.folder, &args),
        Command::Map(args) => map::run(&cli.folder, &args),
        Command::Backup(args) => backup::backup(&cli.folder, &args),
        Command::Restore(args) => backup::restore(&cli.folder, &args),
        Command::Export(args) => moving::export(&cli.folder, &args),
        Command::Import(args) => moving::import(&cli.folder, &args),
        Command::Verify(args) => verify::run(&args),
        Command::Why(args) => why::run(&cli.folder, &args),
    };
    outcome.unwrap_or_else(|failure| {
        eprintln!("{failure}");
        ExitCode::FAILURE
    })
}
