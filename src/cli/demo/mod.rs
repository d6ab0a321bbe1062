//! `umpire demo`: a campaign's sample letters, taken through the daemon's own passes in a new folder. No mail server, no
//! network; the demo runs its own clock forward, so that what it posts last was posted just now.

mod script;
mod show;

use super::folder::Folder;
use super::run::ended;
use super::{Failure, Outcome};
use crate::campaign::{self, SampleLetter};
use crate::clock::Clock;
use crate::config::EXAMPLE;
use crate::daemon::{self, Pass};
use crate::desk::NewGame;
use crate::engine::{ChallengeNo, GameId, Secret, Stage};
use crate::mail;
use jiff::{SignedDuration, Timestamp};
use script::{Players, Script};
use show::Show;
use std::path::PathBuf;
use std::process::ExitCode;

/// The demo's dice are always the same, so that what the README shows is what a reader sees.
const DICE: [u8; 32] = *b"The demo's dice are known to all";
/// Orders close so many days after a turn is opened.
const DAYS_A_TURN: i64 = 3;

/// `umpire demo`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The folder to make
    #[arg(long, value_name = "DIR", default_value = "umpire-demo")]
    dir: PathBuf,
    /// The campaign to play
    #[arg(long, default_value = "livonia-1700")]
    campaign: String,
    /// Play on through a whole year: a challenge, a ruling, the corrected issue, the official results, winter, new cards
    #[arg(long)]
    play: bool,
}

pub(super) fn run(args: &Args) -> Outcome {
    refuse_to_overwrite(args)?;
    let files = campaign::find(&args.campaign, None)?;
    let letters = campaign::sample_letters(&args.campaign);
    let script = Script::of(&args.campaign)?;
    let players = Players::of(&args.campaign)?;
    if letters.is_empty() {
        return Err(Failure::new(format!("the campaign {} has no sample letters", args.campaign), "play another one"));
    }
    let turns = if args.play { letters.len() } else { 1 };
    let show = Show::begin(turns);
    let game = game_of(&args.campaign);
    daemon::Folder::create(&args.dir, &configuration(&game))?;
    let clock = Clock::stopped_at(beginning(turns));
    let mut demo = Demo { folder: Folder::open_with(&args.dir, clock)?, game, show };
    demo.folder.inner.lock()?;
    demo.show.made(&args.dir);
    let new = NewGame {
        game: demo.game.clone(),
        campaign: files,
        players: players.seated(),
        zone: None,
        secret: Some(Secret::from_bytes(DICE)),
    };
    let now = demo.folder.now();
    demo.folder.desk().open_game(&new, now)?;
    demo.opened()?;
    if args.play {
        for _ in 0..letters.len() {
            demo.play_turn(&letters, &script, &players)?;
        }
    } else {
        demo.orders(&letters)?;
        demo.folder.clock.forward_to(Clock::Wall.now());
        demo.close()?;
    }
    demo.show.farewell(&args.dir, args.play);
    Ok(ExitCode::SUCCESS)
}

fn refuse_to_overwrite(args: &Args) -> Result<(), Failure> {
    let filled = std::fs::read_dir(&args.dir).is_ok_and(|mut entries| entries.next().is_some());
    if filled {
        let help = format!("take it away (rm -r {}), or name another folder with --dir", args.dir.display());
        return Err(Failure::new(format!("{} is there already", args.dir.display()), help));
    }
    Ok(())
}

/// The demo's game is called as its campaign without the year: `livonia` for `livonia-1700`.
fn game_of(campaign: &str) -> GameId {
    GameId::new(campaign.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-'))
}

/// The example configuration, with what the demo's game wants of its own.
fn configuration(game: &GameId) -> String {
    format!("{EXAMPLE}\n[game.{game}]\nzone = \"Europe/Stockholm\"\ndeadline_days = {DAYS_A_TURN}\n")
}

/// So long before now that the last of `turns` is posted (played on: made official) just before now.
fn beginning(turns: usize) -> Timestamp {
    let days = 1 + DAYS_A_TURN * i64::try_from(turns).unwrap_or(1) + i64::from(turns > 1);
    Clock::Wall.now() - SignedDuration::from_hours(24 * days)
}

struct Demo {
    folder: Folder,
    game: GameId,
    show: Show,
}

type Letters = std::collections::BTreeMap<&'static str, Vec<SampleLetter>>;

impl Demo {
    fn pass(&mut self) -> Result<Pass, Failure> {
        let now = self.folder.now();
        let pass = daemon::pass(&mut self.folder.inner, now);
        ended(&pass)?;
        Ok(pass)
    }

    fn status(&mut self) -> Result<crate::desk::GameStatus, Failure> {
        let (game, now) = (self.game.clone(), self.folder.now());
        Ok(self.folder.desk().status(&game, now)?)
    }

    fn opened(&mut self) -> Result<(), Failure> {
        let status = self.status()?;
        if let Some(turn) = status.turns.last() {
            self.show.opened(&status, turn);
        }
        Ok(())
    }

    /// Drops the turn's sample letters into the inbox, a few hours after it was opened, and has them answered.
    fn orders(&mut self, letters: &Letters) -> Result<(), Failure> {
        let phase = self.status()?.turns.last().map_or_else(String::new, |turn| turn.phase.clone());
        let folder = phase.to_lowercase().replace(' ', "-");
        for letter in letters.get(folder.as_str()).into_iter().flatten() {
            self.folder.clock.forward_by(SignedDuration::from_mins(95));
            let name = format!("{folder}.{}.demo", letter.name);
            mail::deliver(&self.folder.inner.config.inbox, &name, letter.raw, self.folder.now())?;
        }
        self.folder.clock.forward_by(SignedDuration::from_mins(2));
        let pass = self.pass()?;
        let seats = self.status()?.seats;
        self.show.letters(&pass, &seats);
        Ok(())
    }

    /// The first pass after the deadline closes the turn.
    fn close(&mut self) -> Result<(), Failure> {
        let pass = self.pass()?;
        let status = self.status()?;
        for closed in &pass.closed {
            self.show.closed(closed, &status, pass.sent);
        }
        Ok(())
    }

    fn play_turn(&mut self, letters: &Letters, script: &Script, players: &Players) -> Result<(), Failure> {
        self.orders(letters)?;
        let status = self.status()?;
        let Some(turn) = status.turns.last().cloned() else { return Ok(()) };
        self.folder.clock.forward_to(turn.deadline.utc.parse::<Timestamp>()? + SignedDuration::from_secs(30));
        self.close()?;
        self.challenged(&turn.phase, script, players)?;
        self.ratified()
    }

    /// A challenge by mail, the ruling it leads to, the corrected issue.
    fn challenged(&mut self, phase: &str, script: &Script, players: &Players) -> Result<(), Failure> {
        let Some(scene) = script.scene(phase) else { return Ok(()) };
        self.folder.clock.forward_by(SignedDuration::from_hours(5));
        let letter = scene.letter(&self.game, players, phase, self.folder.now())?;
        mail::deliver(&self.folder.inner.config.inbox, "challenge.demo", &letter, self.folder.now())?;
        self.pass()?;
        self.show.challenged(scene);
        self.folder.clock.forward_by(SignedDuration::from_hours(2));
        let (game, now) = (self.game.clone(), self.folder.now());
        let preview = self.folder.desk().preview_ruling(&game, None, &scene.wish(), now)?;
        let ruled = self.folder.desk().rule(&game, None, &scene.wish(), &scene.because, now)?;
        let open = self.folder.desk().challenges(&game, now)?;
        let no = open.iter().find(|view| view.answer.is_none()).map_or(ChallengeNo(1), |view| view.challenge.no);
        self.folder.desk().answer_challenge(&game, no, &scene.answer, true, now)?;
        let pass = self.pass()?;
        self.show.ruled(scene, &preview, &ruled, pass.sent);
        Ok(())
    }

    /// The first pass after the window makes the results official.
    fn ratified(&mut self) -> Result<(), Failure> {
        let status = self.status()?;
        let until = status.turns.iter().rev().find_map(|turn| match &turn.stage {
            Stage::Preliminary { until, .. } => Some(*until),
            _ => None,
        });
        if let Some(until) = until {
            self.folder.clock.forward_to(until + SignedDuration::from_mins(1));
        }
        let pass = self.pass()?;
        let status = self.status()?;
        for (_, _, phase) in &pass.ratified {
            self.show.official(phase, &status, pass.sent);
        }
        Ok(())
    }
}
