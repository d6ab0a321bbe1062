//! `umpire serve` as a process: signals, the service manager, what it logs, what it notices.

use super::served::*;
use jiff::SignedDuration;
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;
use umpire::campaign;

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// A letter that comes while it sleeps is answered, a command of the umpire's is seen, and it ends as it should.
#[test]
fn it_answers_wakes_and_stops() {
    let house = House::opened(days(1), "", "");
    let config = house.dir.join("umpire.toml");
    let slow = std::fs::read_to_string(&config).unwrap().replace("poll_seconds = 1", "poll_seconds = 3600");
    std::fs::write(&config, slow).unwrap();
    let serving = house.serve(&[]);
    wait_until("the welcomes", || house.sent() == 3);
    assert_eq!(house.spring_letters(SignedDuration::ZERO), 3);
    wait_until("three answers", || house.sent() == 6);
    let held = house.umpire(&["hold", "--because", "a storm"]);
    assert!(held.status.success(), "{}", said(&held));
    wait_until("three notices of what another process did", || house.sent() == 9);
    let second = house.umpire(&["serve"]);
    assert!(!second.status.success() && said(&second).contains("another umpire"), "{}", said(&second));
    let status = house.status();
    assert!(status.contains("daemon  at work, process ") && status.contains("last complete intake"), "{status}");
    let (code, log) = serving.stop(Signal::TERM);
    assert_eq!(code, Some(0), "{log}");
    assert!(log.ends_with("stopped\n"), "{log}");
    assert!(house.status().contains("daemon  not at work"));
    let (code, _) = house.serve(&[]).stop_when_serving(Signal::INT);
    assert_eq!(code, Some(0));
}

/// READY=1 when it serves, WATCHDOG=1 often enough, STOPPING=1 at the end: heard on a real socket (sd_notify(3)).
#[test]
fn it_speaks_to_the_service_manager() {
    let house = House::empty("", "");
    let path = house.dir.join("notify");
    let socket = UnixDatagram::bind(&path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let serving = house.serve(&[("NOTIFY_SOCKET", path.to_str().unwrap()), ("WATCHDOG_USEC", "2000000")]);
    let mut heard = Vec::new();
    let mut hear = |until: &str| loop {
        let mut buffer = [0; 512];
        let length = socket.recv(&mut buffer).unwrap_or_else(|fault| panic!("{until} did not come: {fault}"));
        let said = String::from_utf8_lossy(&buffer[..length]).trim().to_owned();
        heard.push(said.clone());
        if said == until {
            break;
        }
    };
    hear("READY=1");
    hear("WATCHDOG=1");
    hear("WATCHDOG=1");
    serving.signal(Signal::TERM);
    hear("STOPPING=1");
    assert_eq!(heard[0], "READY=1");
    let (code, _) = serving.stop(Signal::TERM);
    assert_eq!(code, Some(0));
}

/// The log of a played season, at the usual level: who wrote and what closed, and nothing that a rival might like to read.
#[test]
fn the_log_of_a_season_hides_what_is_hidden() {
    let house = House::opened(days(5), "", "");
    house.spring_letters(days(4));
    let stranger =
        b"From: mallory@example.org\r\nTo: umpire@example.org\r\nMessage-ID: <x@example.org>\r\n\r\nmarch to Narva\r\n";
    umpire::mail::deliver(&house.dir.join("mail/inbox"), "stranger", stranger, now()).unwrap();
    let serving = house.serve(&[]);
    serving.wait_for("Spring 1700 closed");
    wait_until("the results", || house.sent() >= 10);
    let (_, log) = serving.stop(Signal::TERM);
    for seat in ["russia", "saxony_poland", "sweden"] {
        assert!(log.contains(&format!("(livonia, {seat}): orders taken")), "{log}");
    }
    assert!(log.lines().all(|line| line.starts_with('<')), "every line has its priority:\n{log}");
    assert!(!log.contains("example.org"), "addresses:\n{log}");
    let lower = log.to_lowercase();
    let hidden = words_of_letters();
    assert!(hidden.len() > 40 && hidden.contains("flemming") && hidden.contains("mitau"), "{hidden:?}");
    let told: Vec<&String> = hidden.iter().filter(|word| lower.contains(*word)).collect();
    assert!(told.is_empty(), "the log tells {told:?}:\n{log}");
    for number in ["in force", "out of force", "remark", "doubtful", "card", "secret", "hand"] {
        assert!(!lower.contains(number), "{number}:\n{log}");
    }
}

/// All words of the players' letters, but for those that any log may hold.
fn words_of_letters() -> BTreeSet<String> {
    let public = [
        "livonia",
        "spring",
        "orders",
        "umpire",
        "results",
        "letter",
        "closed",
        "challenges",
        "until",
        "sweden",
        "russia",
        "saxony",
        "poland",
        "serving",
        "taken",
        "posted",
        "stopped",
        "answered",
        "nothing",
    ];
    let letters = &campaign::sample_letters("livonia-1700")["spring-1700"];
    let text: String = letters.iter().map(|letter| String::from_utf8_lossy(letter.raw).into_owned()).collect();
    let bodies = text.to_lowercase();
    let words = bodies.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() > 4);
    words.filter(|word| !public.contains(word)).map(str::to_owned).collect()
}

/// At `-v` the umpire reads more; a filter of his own replaces all.
#[test]
fn more_is_said_when_asked_for() {
    let house = House::opened(days(1), "", "");
    house.spring_letters(SignedDuration::ZERO);
    let serving = house.serve_with(&["-v", "serve"], &[]);
    serving.wait_for("in force");
    let (_, log) = serving.stop(Signal::TERM);
    assert!(log.contains("<7>letter 1: "), "{log}");
}

impl Serving {
    fn stop_when_serving(self, signal: Signal) -> (Option<i32>, String) {
        self.wait_for("serving");
        self.stop(signal)
    }
}
