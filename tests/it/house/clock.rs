//! The clock guard, with the real binary and a clock that is set (libfaketime; without it these tests say so and pass).

use super::served::*;
use crate::counts::Counts;
use jiff::SignedDuration;
use rustix::process::Signal;
use std::fs;
use std::path::PathBuf;

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

/// The library that sets a process's clock, if this machine has it.
fn library() -> Option<PathBuf> {
    let found = fs::read_dir("/usr/lib").ok()?.flatten().map(|entry| entry.path().join("faketime/libfaketime.so.1"));
    let found = found.chain([PathBuf::from("/usr/lib/faketime/libfaketime.so.1")]).find(|path| path.is_file());
    if found.is_none() {
        eprintln!("skipped: libfaketime is not installed");
    }
    found
}

/// A clock that can be set while a process runs by it.
struct SetClock {
    library: String,
    file: PathBuf,
}

impl SetClock {
    fn of(house: &House) -> Option<Self> {
        let library = library()?.to_str().unwrap().to_owned();
        let clock = Self { library, file: house.dir.join("the-time") };
        clock.set("+0");
        Some(clock)
    }

    fn set(&self, offset: &str) {
        // Written aside and moved: a process must not read half an offset.
        let draft = self.file.with_extension("new");
        fs::write(&draft, format!("{offset}\n")).unwrap();
        fs::rename(draft, &self.file).unwrap();
    }

    fn variables(&self) -> [(&str, &str); 4] {
        [
            ("LD_PRELOAD", &self.library),
            ("FAKETIME_TIMESTAMP_FILE", self.file.to_str().unwrap()),
            ("FAKETIME_NO_CACHE", "1"),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1"),
        ]
    }

    fn umpire(&self, house: &House, args: &[&str]) -> std::process::Output {
        house.command(args).envs(self.variables()).output().unwrap()
    }
}

/// A clock a day behind what was written down: letters are answered, nothing closes, and the umpire can say that it is right.
#[test]
fn a_clock_behind_the_journal_closes_nothing() {
    let house = House::opened(hours(24 * 5), "", "");
    let Some(clock) = SetClock::of(&house) else { return };
    house.spring_letters(hours(24 * 4));
    let clock_at = |offset: &str| clock.set(offset);
    // A letter was stored just now; then the clock is set back to a day ago, still behind the deadline.
    let stored = umpire::desk::Incoming {
        mailbox: "maildir",
        unique_name: "early",
        received: now(),
        raw: b"From: mallory@example.org\r\nMessage-ID: <e@example.org>\r\n\r\nhello\r\n",
        cut: false,
    };
    house.folder().desk.receive(&stored, now()).unwrap();
    clock_at("-1d");
    let run = clock.umpire(&house, &["run", "--once"]);
    assert!(!run.status.success(), "{}", out(&run));
    let told = said(&run);
    assert!(told.contains("nothing closes: the clock says") && told.contains("resume --clock"), "{told}");
    assert!(out(&run).contains("orders"), "letters are taken all the same: {}", out(&run));
    let status = out(&clock.umpire(&house, &["status"]));
    assert!(status.contains("NOTHING CLOSES") && status.contains("open, orders close"), "{status}");
    let trusted = clock.umpire(&house, &["resume", "--clock"]);
    assert!(trusted.status.success() && out(&trusted).contains("trusted again"), "{}{}", out(&trusted), said(&trusted));
    let run = clock.umpire(&house, &["run", "--once"]);
    assert!(run.status.success() && out(&run).contains("Spring 1700 closed"), "{}{}", out(&run), said(&run));
    Counts::of_folder(&house.dir, 1, 3).row("the clock is set back a day, and trusted by the umpire");
}

/// Right again by itself, it needs nobody's word.
#[test]
fn a_clock_that_is_set_right_goes_on_by_itself() {
    let house = House::opened(hours(24 * 5), "", "");
    let Some(clock) = SetClock::of(&house) else { return };
    clock.set("-6d");
    assert!(said(&clock.umpire(&house, &["run"])).contains("nothing closes"));
    clock.set("+0");
    let run = clock.umpire(&house, &["run"]);
    assert!(out(&run).contains("Spring 1700 closed"), "{}{}", out(&run), said(&run));
}

/// The clock leaps over the deadline while the daemon runs: it closes nothing, wakes the umpire, and goes on when he says so.
#[test]
fn a_leap_over_the_deadline_closes_nothing_before_the_umpire_has_looked() {
    let heard = tempfile::tempdir().unwrap();
    let file = heard.path().join("heard");
    let command = format!("alert_command = [\"/bin/sh\", \"-c\", \"cat >> {}\"]", file.display());
    let house = House::opened(hours(1), &command, "clock_jump_minutes = 5");
    let Some(clock) = SetClock::of(&house) else { return };
    house.spring_letters(hours(0));
    let serving = house.serve(&clock.variables());
    wait_until("the welcomes and the answers", || house.sent() == 6);
    clock.set("+10d");
    serving.wait_for("the clock jumped forward by");
    serving.wait_for("nothing closes:");
    wait_until("the alarm", || fs::read_to_string(&file).is_ok_and(|text| text.contains("jumped forward")));
    let status = out(&clock.umpire(&house, &["status"]));
    assert!(status.contains("NOTHING CLOSES: the clock jumped forward"), "{status}");
    assert!(!serving.log().contains("closed,"), "{}", serving.log());
    let trusted = clock.umpire(&house, &["resume", "--clock"]);
    assert!(trusted.status.success(), "{}", said(&trusted));
    serving.wait_for("Spring 1700 closed");
    let (code, log) = serving.stop(Signal::TERM);
    assert_eq!(code, Some(0), "{log}");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 1, "one alarm for one jump");
    Counts::of_folder(&house.dir, 1, 3).row("the clock leaps forward over a deadline while it serves");
}

/// Forward and back again, as a wrong time server does it: when it is back, all is well, and nothing has happened.
#[test]
fn a_leap_that_is_taken_back_is_forgotten() {
    let house = House::opened(hours(1), "", "clock_jump_minutes = 5");
    let Some(clock) = SetClock::of(&house) else { return };
    let serving = house.serve(&clock.variables());
    wait_until("the welcomes", || house.sent() == 3);
    clock.set("+10d");
    serving.wait_for("the clock jumped forward by");
    clock.set("+0");
    serving.wait_for("the clock is back where it should be");
    let status = house.status();
    assert!(status.contains("clock   sound"), "{status}");
    let (_, log) = serving.stop(Signal::TERM);
    assert!(!log.contains("closed,"), "{log}");
}

/// A daemon that is started anew does not forget a jump.
#[test]
fn a_jump_outlives_the_daemon() {
    let house = House::opened(hours(24 * 5), "", "");
    house.folder().desk.distrust_clock("the clock jumped forward by 1d", now()).unwrap();
    let run = house.umpire(&["run"]);
    assert!(said(&run).contains("jumped forward") && !out(&run).contains("closed"), "{}{}", out(&run), said(&run));
    assert!(house.umpire(&["resume", "--clock"]).status.success());
    assert!(out(&house.umpire(&["run"])).contains("Spring 1700 closed"));
}
