//! A full disk, a second daemon, a broken campaign, a folder that is none.

use super::bench::*;
use super::numbers;
use crate::counts::Counts;
use umpire::daemon::{Folder, FolderError, pass};
use umpire::desk::NewGame;
use umpire::engine::{GameId, Secret};

#[test]
fn a_second_daemon_is_refused() {
    let mut bench = Bench::new();
    bench.folder.lock().unwrap();
    bench.folder.lock().unwrap();
    let mut second = Folder::open_with(&bench.dir, numbers::start).unwrap();
    let fault = second.lock().unwrap_err();
    assert!(matches!(fault, FolderError::Occupied { .. }));
    let said = fault.to_string();
    assert!(said.contains("another umpire") && said.contains(&std::process::id().to_string()), "{said}");
    drop(bench.folder);
    second.lock().unwrap();
}

/// With no room left in the store letters stay in the inbox, nothing closes, and all goes on when there is room.
#[test]
fn a_full_disk_loses_nothing() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    bench.folder.desk.bound_pages(1).unwrap();
    for i in 0..40 {
        bench.drop(
            &format!("n{i}"),
            NORTH,
            "[duel]",
            &format!("number {}\n{}", i % 9 + 1, "far too long ".repeat(900)),
            opened() + later(1),
        );
    }
    let full = pass(&mut bench.folder, deadline() + minute());
    assert!(
        !full.failures.is_empty() && full.failures.iter().all(umpire::daemon::Failure::is_retryable),
        "{:#?}",
        full.failures
    );
    assert!(full.closed.is_empty(), "a letter in time has not been read");
    let said = full.failures[0].to_string();
    assert!(said.contains("no room left") && said.contains("make room"), "{said}");
    bench.folder.desk.bound_pages(1_000_000).unwrap();
    let pass = bench.pass(deadline() + later(1));
    assert_eq!(pass.closed.len(), 1);
    assert!(bench.folder.inbox.list(opened()).unwrap().is_empty());
    assert_eq!(bench.folder.desk.integrity().unwrap(), "ok");
}

/// A real disk of little room, where the machine lets us make one.
#[test]
fn a_full_file_system_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(dir.path())
        .output()
        .is_ok_and(|out| out.status.success());
    if !mounted {
        return;
    }
    let outcome = std::panic::catch_unwind(|| on_a_small_disk(&dir.path().join("umpire")));
    std::process::Command::new("umount").arg("-l").arg(dir.path()).status().unwrap();
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

fn on_a_small_disk(dir: &std::path::Path) {
    let mut bench = Bench::at(dir, "");
    bench.open_game("duel", "");
    bench.pass(opened());
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    let mut fillers = Vec::new();
    let mut size = 1 << 19;
    while size > 256 {
        let file = dir.join(format!("filler-{}", fillers.len()));
        if std::fs::write(&file, vec![b'x'; size]).is_err() {
            size /= 2;
        }
        fillers.push(file);
    }
    let full = pass(&mut bench.folder, opened() + later(2));
    assert!(!full.failures.is_empty(), "the disk was not full");
    for file in fillers {
        std::fs::remove_file(file).unwrap();
    }
    bench.pass(opened() + later(3));
    let game = bench.game.clone();
    let status = bench.folder.desk.status(&game, opened() + later(3)).unwrap();
    assert_eq!(status.seats[0].letters, 1);
    assert_eq!(bench.folder.desk.integrity().unwrap(), "ok");
    bench.pass(deadline() + minute());
    Counts::of_folder(dir, 1, 1).row("the disk is full (a tmpfs of 1 MiB)");
}

/// While another process writes and does not come to its end, nothing is done and nothing is lost.
#[test]
fn a_locked_store_loses_nothing() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.drop("s1", SOUTH, "[duel]", "number 3", opened() + later(1));
    let mut other = rusqlite::Connection::open(bench.dir.join("umpire.sqlite")).unwrap();
    let writing = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let locked = pass(&mut bench.folder, deadline() + minute());
    assert!(!locked.failures.is_empty() && locked.closed.is_empty() && locked.letters.is_empty(), "{locked:#?}");
    assert!(locked.failures.iter().all(umpire::daemon::Failure::is_retryable), "{:#?}", locked.failures);
    drop(writing);
    let free = bench.pass(deadline() + later(1));
    assert_eq!((free.letters.len(), free.closed.len()), (2, 1));
    Counts::of_folder(&bench.dir, 1, 2).row("another process holds the store for longer than is waited");
}

#[test]
fn a_broken_campaign_and_a_bad_name_are_refused() {
    let mut bench = Bench::new();
    let mut new = NewGame {
        game: GameId::new("second"),
        campaign: campaign(""),
        players: std::collections::BTreeMap::new(),
        zone: None,
        secret: Some(Secret::from_bytes([3; 32])),
    };
    let mut open = |new: &NewGame| bench.folder.desk.open_game(new, opened()).unwrap_err().to_string();
    new.campaign.files.insert("campaign.toml".to_owned(), "title = 3\n".to_owned());
    let said = open(&new);
    assert!(said.contains("campaign.toml:1") && said.contains("system"), "{said}");
    new.campaign = campaign("");
    new.campaign.files.insert("campaign.toml".to_owned(), "title = \"x\"\nsystem = \"chess\"\n".to_owned());
    assert!(open(&new).contains("no rule system \"chess\""));
    new.campaign = campaign("");
    for bad in ["", "Duel", "a b", "-x", "duel]", "räv"] {
        new.game = GameId::new(bad);
        assert!(open(&new).contains("cannot be the name"), "{bad}");
    }
    new.game = GameId::new("duel");
    assert!(open(&new).contains("already"));
    assert_eq!(bench.folder.desk.games().unwrap(), [GameId::new("duel")], "nothing is left of them");
}

#[test]
fn a_folder_that_is_none_is_said_so() {
    let dir = tempfile::tempdir().unwrap();
    let said = Folder::open_with(dir.path(), numbers::start).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("umpire.toml"), "{said}");
    std::fs::write(dir.path().join("umpire.toml"), "[umpire]\naddress = \"u@example.org\"\n").unwrap();
    let said = Folder::open_with(dir.path(), numbers::start).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("umpire.sqlite"), "{said}");
}

/// An umpire's template that does not parse is named with its file, before anything is done.
#[test]
fn a_broken_template_is_named() {
    let bench = Bench::new();
    let own = bench.dir.join("templates/shared");
    std::fs::create_dir_all(&own).unwrap();
    std::fs::write(own.join("results.txt"), "Subject: x\n\n{% if %}").unwrap();
    let said = Folder::open_with(&bench.dir, numbers::start).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("results.txt"), "{said}");
}

#[test]
fn an_unknown_game_is_answered_with_those_there_are() {
    let mut bench = Bench::new();
    let said = bench.folder.desk.status(&GameId::new("dual"), opened()).unwrap_err().to_string();
    assert!(said.contains("duel"), "{said}");
}
