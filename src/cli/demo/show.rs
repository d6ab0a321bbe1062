//! What the demo says while it plays.

use super::super::print;
use super::script::Scene;
use crate::daemon::{ClosedTurn, Pass};
use crate::desk::{GameStatus, Preview, Ruled, SeatStatus, TurnStatus};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::Duration;

/// The terminal: lines that stay, and a bar below them while it works.
pub(super) struct Show {
    bar: ProgressBar,
}

impl Show {
    pub fn begin(turns: usize) -> Self {
        // Made, opened; then per turn the letters, the close, and when played on the end of its window.
        let steps = 2 + turns * if turns > 1 { 3 } else { 2 };
        let bar = ProgressBar::new(u64::try_from(steps).unwrap_or(0));
        if let Ok(style) = ProgressStyle::with_template("  {spinner} [{bar:32}] {pos}/{len} {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Self { bar }
    }

    fn say(&self, what: &str, words: &str) {
        self.bar.suspend(|| {
            let mut lines = words.lines();
            println!("  {what:<10}{}", lines.next().unwrap_or_default());
            for line in lines {
                println!("  {:<10}{line}", "");
            }
        });
    }

    fn step(&self, doing: &'static str) {
        self.bar.inc(1);
        self.bar.set_message(doing);
    }

    pub fn made(&self, dir: &Path) {
        self.say("made", &format!("{}/ with umpire.toml, umpire.sqlite, maildirs and site/", dir.display()));
        self.step("opening the game");
    }

    pub fn opened(&self, status: &GameStatus, turn: &TurnStatus) {
        let seats: Vec<&str> = status.seats.iter().map(|seat| seat.name.as_str()).collect();
        let words = format!(
            "{}, game \"{}\": {}\n{}: orders close {} ({})",
            status.title,
            status.game,
            print::list(&seats, "nobody"),
            turn.phase,
            turn.deadline.text,
            turn.deadline.zone
        );
        self.say("opened", &words);
        self.step("reading letters");
    }

    pub fn letters(&self, pass: &Pass, seats: &[SeatStatus]) {
        for (no, handled) in &pass.letters {
            let name = |seat: &crate::engine::SeatId| seats.iter().find(|s| s.seat == *seat).map(|s| s.name.as_str());
            let who = handled.seat.as_ref().and_then(name).unwrap_or("somebody");
            self.say("received", &format!("letter {no}, {who}: {}", handled.note));
        }
        self.say("answered", &format!("{} sent", print::count(pass.sent, "letter")));
        self.step("adjudicating");
    }

    pub fn closed(&self, closed: &ClosedTurn, status: &GameStatus, sent: usize) {
        self.say("closed", &format!("{}, adjudicated: {} events", closed.phase, closed.events));
        let window = status.waits_for.first().cloned().unwrap_or_default();
        self.say("posted", &format!("preliminary results: site/ and {}\n{window}", print::count(sent, "letter")));
        self.step("waiting for challenges");
    }

    pub fn challenged(&self, scene: &Scene) {
        self.say("challenge", &format!("by {}: {}", scene.seat, scene.challenge));
    }

    pub fn ruled(&self, scene: &Scene, preview: &Preview, ruled: &Ruled, sent: usize) {
        let issue = ruled.issue.map_or_else(String::new, |issue| format!(", issue {issue} posted"));
        let words = format!(
            "{} ({})\nunrelated dice unchanged ({}){issue}, {} sent",
            preview.what,
            scene.because,
            preview.dice,
            print::count(sent, "letter")
        );
        self.say("ruled", &words);
    }

    pub fn official(&self, phase: &str, status: &GameStatus, sent: usize) {
        let next = status.turns.last().map_or_else(String::new, |turn| format!("; {} stands open", turn.phase));
        self.say(
            "official",
            &format!("{phase}: {} with the secrets of the dice sent{next}", print::count(sent, "letter")),
        );
        self.step("reading letters");
    }

    pub fn farewell(&self, dir: &Path, played: bool) {
        self.bar.finish_and_clear();
        let (dir, umpire) = (dir.display(), started_as());
        println!();
        println!("Look at   {dir}/site/index.html");
        println!("          {dir}/mail/outbox/new/      (the letters to the players)");
        println!("Next      {umpire} -C {dir} status");
        println!("          {umpire} -C {dir} review");
        println!("          {umpire} -C {dir} rule --help");
        println!("          {umpire} -C {dir} replay --verify");
        if !played {
            println!(
                "          {umpire} demo --play --dir {dir}-year      (a whole year, with a challenge and a ruling)"
            );
        }
    }
}

/// The program as its user started it, so that the next command can be copied from the screen.
fn started_as() -> String {
    std::env::args().next().filter(|name| !name.is_empty()).unwrap_or_else(|| "umpire".to_owned())
}
