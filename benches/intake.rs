//! Letters through the intake to a durable, acknowledged state; ten thousand games in one daemon. Each figure asserts its answer
//! first. Not by criterion: what is measured waits for the disk and cannot be done twice.
//!
//!     cargo bench --bench intake              all of it (some minutes, a gigabyte in the temporary folder)
//!     cargo bench --bench intake -- letters   letters a second
//!     cargo bench --bench intake -- games     ten thousand games; UMPIRE_BENCH_GAMES=1000 for fewer

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use cpu_time::ProcessTime;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use umpire::campaign;
use umpire::daemon::{Folder, Pass, slice};
use umpire::desk::{Incoming, NewGame, Outcome};
use umpire::engine::{GameId, Player, SeatId, Secret};
use umpire::mail;

const SEATS: [&str; 3] = ["sweden", "russia", "saxony_poland"];
/// Letters that share a commit, as in the daemon.
const GROUP: usize = 64;

fn start() -> Timestamp {
    "2027-01-05T09:00:00Z".parse().unwrap()
}

fn hours(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

fn folder() -> (TempDir, Folder) {
    let dir = tempfile::tempdir().unwrap();
    let config = "[umpire]\naddress = \"umpire@example.org\"\n[mail]\nanswers_per_hour = 10000\nper_minute = 0\n";
    Folder::create_with(dir.path(), config, &Secret::from_bytes([1; 32])).unwrap();
    let folder = Folder::open(dir.path()).unwrap();
    (dir, folder)
}

fn address(game: usize, seat: &str) -> String {
    format!("{}.{game}@example.org", seat.replace('_', "-"))
}

fn open(folder: &mut Folder, games: usize) {
    let campaign = campaign::find("livonia-1700", None).unwrap();
    for game in 0..games {
        let player = |seat: &str| Player {
            name: format!("Player of {seat}"),
            address: address(game, seat),
            zone: "Europe/Stockholm".to_owned(),
        };
        let new = NewGame {
            game: GameId::new(&format!("g{game}")),
            campaign: campaign.clone(),
            players: SEATS.iter().map(|seat| (SeatId::new(seat), player(seat))).collect::<BTreeMap<_, _>>(),
            zone: None,
            secret: Some(Secret::from_bytes([2; 32])),
        };
        folder.desk.open_game(&new, start()).unwrap();
    }
}

fn letter(game: usize, seat: &str, no: usize) -> Vec<u8> {
    let from = address(game, seat);
    format!(
        "From: {from}\r\nTo: umpire@example.org\r\nSubject: [g{game}] orders\r\nMessage-ID: <{no}.{from}>\r\n\r\n\
         Dear umpire,\r\nbuy {} infantry\r\nKind regards\r\n",
        no % 3 + 1
    )
    .into_bytes()
}

/// Wall and processor time of some work.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration, Duration) {
    #[expect(clippy::disallowed_methods, reason = "it is a stopwatch")]
    let (wall, processor) = (Instant::now(), ProcessTime::now());
    let done = work();
    (done, wall.elapsed(), processor.elapsed())
}

fn say(what: &str, count: usize, wall: Duration, processor: Duration) {
    let rate = |time: Duration| count as f64 / time.as_secs_f64();
    println!("{what:<58} {:>8.0} /s by the clock {:>8.0} /s of processor", rate(wall), rate(processor));
}

/// Resident memory of this process, in MiB: now, and at its highest.
fn resident() -> (u64, u64) {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let field = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
    };
    (field("VmRSS:"), field("VmHWM:"))
}

/// All letters: twenty of each seat in some games, in the sequence in which they come.
fn letters(games: usize, each: usize) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for no in 0..each {
        for game in 0..games {
            all.extend(SEATS.iter().map(|seat| (format!("{no}.{game}.{seat}"), letter(game, seat, no))));
        }
    }
    all
}

fn incoming<'l>((name, raw): &'l (String, Vec<u8>)) -> Incoming<'l> {
    Incoming { mailbox: "bench", unique_name: name, received: start() + hours(1), raw, cut: false }
}

fn all_answered(folder: &mut Folder, letters: usize, games: usize) {
    let waiting = folder.desk.waiting_letters(u32::MAX).unwrap();
    assert!(waiting.is_empty(), "{} letters wait", waiting.len());
    // Those whose place a newer acknowledgement took are counted, too.
    let store = rusqlite::Connection::open(folder.dir.join("umpire.sqlite")).unwrap();
    let written: i64 = store.query_row("SELECT count(*) FROM outbox", [], |row| row.get(0)).unwrap();
    assert_eq!(written as usize, letters + 3 * games, "a welcome to each seat, an acknowledgement of each letter");
}

fn letters_a_second() {
    let (games, each) = (8, 20);
    let letters = letters(games, each);
    let now = start() + hours(2);

    let (_dir, mut folder) = self::folder();
    open(&mut folder, games);
    let ((), wall, processor) = timed(|| {
        for letter in &letters {
            let taken = folder.desk.receive(&incoming(letter), now).unwrap();
            let done = folder.desk.handle(taken.no(), now).unwrap();
            assert_eq!(done.outcome, Outcome::Orders);
        }
    });
    all_answered(&mut folder, letters.len(), games);
    say("stored, read, acknowledged: a commit each (aim: 200)", letters.len(), wall, processor);

    let (_dir, mut folder) = self::folder();
    open(&mut folder, games);
    let ((), wall, processor) = timed(|| {
        for some in letters.chunks(GROUP) {
            let some: Vec<Incoming<'_>> = some.iter().map(incoming).collect();
            let taken = folder.desk.receive_many(&some, now).unwrap();
            let numbers: Vec<_> = taken.iter().map(|taken| taken.no()).collect();
            for done in folder.desk.handle_many(&numbers, now).unwrap() {
                assert_eq!(done.unwrap().outcome, Outcome::Orders);
            }
        }
    });
    all_answered(&mut folder, letters.len(), games);
    say("the same, 64 to a commit (aim: 1000)", letters.len(), wall, processor);

    let (_dir, mut folder) = self::folder();
    open(&mut folder, games);
    for (name, raw) in &letters {
        mail::deliver(&folder.config.inbox, name, raw, start() + hours(1)).unwrap();
    }
    let (pass, wall, processor) = timed(|| umpire::daemon::pass(&mut folder, now));
    // A welcome to each seat, and its newest acknowledgement, which says all that the others would have said.
    assert_eq!((pass.letters.len(), pass.sent), (letters.len(), 2 * 3 * games), "{:?}", pass.failures);
    say("the daemon's pass: maildir to maildir, filed, pages", letters.len(), wall, processor);
}

fn a_slice(folder: &mut Folder, now: Timestamp) -> Pass {
    let pass = slice(folder, now, &mut || true);
    assert!(pass.failures.is_empty(), "{:?}", pass.failures);
    pass
}

/// Slices until there is nothing more to do: letters handled, turns closed.
fn worked_off(folder: &mut Folder, now: Timestamp) -> (usize, usize) {
    let (mut letters, mut closed) = (0, 0);
    loop {
        let pass = a_slice(folder, now);
        letters += pass.letters.len();
        closed += pass.closed.len();
        if !pass.more {
            return (letters, closed);
        }
    }
}

fn ten_thousand_games() {
    let games: usize = std::env::var("UMPIRE_BENCH_GAMES").map_or(10_000, |text| text.parse().unwrap());
    let (dir, mut folder) = self::folder();
    let ((), wall, processor) = timed(|| open(&mut folder, games));
    say("games opened", games, wall, processor);
    let ((_, _), wall, processor) = timed(|| worked_off(&mut folder, start()));
    say("games: first pages written, welcomes sent", games, wall, processor);
    drop(folder);

    let (folder, wall, _) = timed(|| Folder::open(dir.path()));
    let mut folder = folder.unwrap();
    println!("opening the folder of {games} games: {:.0} ms", wall.as_secs_f64() * 1e3);
    let now = start() + hours(1);
    a_slice(&mut folder, now);
    let passes = 1_000;
    let (_, _, processor) = timed(|| {
        for _ in 0..passes {
            assert!(a_slice(&mut folder, now).is_idle());
        }
    });
    let each = processor / passes;
    let share = each.as_secs_f64() / 30.0;
    println!("an idle pass: {each:?} of processor, {:.5} % of one at a pass every 30 s", 100.0 * share);
    println!("resident, idle: {} MiB (highest {})", resident().0, resident().1);
    assert!(each < Duration::from_millis(3), "an idle folder costs {each:?} a pass");

    for game in 0..games {
        let seat = SEATS[game % 3];
        mail::deliver(&folder.config.inbox, &format!("l{game}"), &letter(game, seat, 1), now).unwrap();
    }
    let before = resident();
    let ((letters, _), wall, processor) = timed(|| worked_off(&mut folder, now));
    assert_eq!(letters, games);
    say("letters that waited, one a game, worked off and sent", games, wall, processor);
    println!("resident: {} MiB before, {} MiB behind them (highest {})", before.0, resident().0, resident().1);

    let now = start() + hours(24 * 8);
    let ((_, closed), wall, processor) = timed(|| worked_off(&mut folder, now));
    assert_eq!(closed, games, "all of their deadlines in the same minute");
    say("turns closed, posted, sent, pages written", games, wall, processor);
    println!("resident: {} MiB (highest {})", resident().0, resident().1);
    if games <= 10_000 {
        assert!(resident().1 < 256, "{} MiB", resident().1);
    }
}

fn main() {
    let wanted = |name: &str| {
        let asked: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
        asked.is_empty() || asked.iter().any(|arg| arg == name)
    };
    if wanted("letters") {
        letters_a_second();
    }
    if wanted("games") {
        ten_thousand_games();
    }
}
