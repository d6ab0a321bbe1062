//! The whole way: letters given to a real server by the programs that players use, fetched, answered and adjudicated by the program as
//! an umpire runs it, and the results in every player's mailbox.

use super::pair::{Pair, now, wait_until};
use crate::house::served::Serving;
use jiff::SignedDuration;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use umpire::campaign;
use umpire::clock::Timer;
use umpire::daemon::Folder;
use umpire::desk::NewGame;
use umpire::engine::{GameId, Player, SeatId};

/// The daemon as a process.
fn serving(dir: &Path) -> Serving {
    let log = dir.join("run.err");
    let file = std::fs::File::create(&log).unwrap();
    let mut umpire = Command::new(env!("CARGO_BIN_EXE_umpire"));
    Serving::begun(umpire.arg("-C").arg(dir).arg("serve").stdin(Stdio::null()).stdout(Stdio::null()), file, log)
}

fn umpire(dir: &Path, args: &[&str]) -> (bool, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_umpire")).arg("-C").arg(dir).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    (done.status.success(), said)
}

/// A game of the small campaign whose orders close in a few seconds: letters that are with the server before that are in time,
/// whenever they are fetched.
fn game_that_closes_soon(dir: &Path) {
    let mut folder = Folder::open(dir).unwrap();
    let players: BTreeMap<SeatId, Player> = toml::from_str(&sample("players.toml")).unwrap();
    let game = GameId::new("livonia");
    let new = NewGame {
        game: game.clone(),
        campaign: campaign::find("livonia-1700", None).unwrap(),
        players,
        zone: Some("UTC".to_owned()),
        secret: None,
    };
    let opened = now() - SignedDuration::from_hours(24 * 30);
    folder.desk.open_game(&new, opened).unwrap();
    let closes = now() + SignedDuration::from_secs(4);
    folder.desk.extend(&game, closes, "so that this test is soon over", opened + SignedDuration::from_mins(1)).unwrap();
}

fn sample(name: &str) -> String {
    std::fs::read_to_string(format!("orders/livonia-1700/{name}")).unwrap()
}

fn body(eml: &str) -> String {
    eml.split_once("\n\n").unwrap().1.to_owned()
}

#[test]
fn letters_by_swaks_and_mutt_become_results_in_every_mailbox() {
    let Some(pair) = Pair::start() else { return };
    let dir = pair.dir().join("play");
    Folder::create(&dir, &format!("[umpire]\naddress = \"umpire@example.org\"\n{}", pair.toml())).unwrap();
    let (sound, said) = umpire(&dir, &["mail", "check"]);
    assert!(sound, "{said}");
    for line in
        ["encrypted from the first byte", "IDLE", "letters are moved", "Processed, Rejected", "logged in as umpire"]
    {
        assert!(said.contains(line), "`umpire mail check` says nothing of \"{line}\":\n{said}");
    }
    assert!(!said.contains("umpire-password"));

    let spring = Path::new("orders/livonia-1700/spring-1700");
    pair.swaks("astrid", &spring.join("sweden.eml"));
    pair.swaks("august", &spring.join("saxony_poland.eml"));
    pair.mutt("pavel", "Pavel Orlov", "[livonia] Spring 1700 orders", &body(&sample("spring-1700/russia.eml")));
    pair.wait_for("umpire", "INBOX", 3);

    game_that_closes_soon(&dir);
    let daemon = serving(&dir);
    // Every letter of a turn has the same subject, so that it is one thread.
    let holding = |player: &str, words: &str| pair.texts(player, "INBOX").iter().filter(|t| t.contains(words)).count();
    for player in ["astrid", "pavel", "august"] {
        wait_until(&format!("the results of {player}"), || {
            Some(()).filter(|()| holding(player, "PRELIMINARY, issue 1") > 0)
        });
        assert_eq!(holding(player, "PRELIMINARY, issue 1"), 1, "{player}");
        assert_eq!(holding(player, "your orders as I hold them"), 1, "{player}");
    }
    // A letter that comes while it listens at the server is answered, and it ends at once although it listens.
    pair.mutt("pavel", "Pavel Orlov", "[livonia] status", "STATUS\n");
    wait_until("an answer", || Some(()).filter(|()| holding("pavel", "your orders as I hold them") > 1));
    // It must not take as long as it listens.
    let soon = Timer::of(Duration::from_secs(5));
    let (code, log) = daemon.stop(Signal::TERM);
    assert_eq!(code, Some(0));
    assert!(soon.left().is_some(), "it did not stop within five seconds");

    assert!(pair.mailbox("umpire", "INBOX").is_empty());
    assert_eq!(pair.mailbox("umpire", "Processed").len(), 4);
    for raw in pair.mailbox("pavel", "INBOX") {
        let letter = String::from_utf8_lossy(&raw).into_owned();
        assert!(letter.contains("Return-Path: <umpire@example.org>") && letter.contains("(using TLSv1"), "{letter}");
    }
    let (fine, said) = umpire(&dir, &["replay", "--verify"]);
    assert!(fine && said.contains("the same to the byte"), "{said}");
    assert!(log.lines().all(|line| line.starts_with("<6>")), "something went wrong:\n{log}");
    assert!(!log.contains("umpire-password") && !log.contains("pavel@"), "{log}");
}
