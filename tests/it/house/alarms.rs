//! The umpire is woken by a script of his own, and not twice within the hour.

use super::served::*;
use jiff::SignedDuration;
use rusqlite::Connection;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// A house whose alarms are written to a file by a real script.
fn alarmed(serve_toml: &str) -> (House, PathBuf) {
    let scripts = tempfile::tempdir().unwrap().keep();
    let (script, heard) = (scripts.join("wake-me"), scripts.join("heard"));
    fs::write(&script, "#!/bin/sh\n{ echo \"== $UMPIRE_ALERT $1\"; cat; } >> \"$2\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let command = format!("alert_command = [{script:?}, \"by name\", {heard:?}]");
    (House::opened(SignedDuration::from_hours(24), &command, serve_toml), heard)
}

fn heard(file: &PathBuf) -> String {
    fs::read_to_string(file).unwrap_or_default()
}

/// Mail is down: nothing for as long as that may be an hour's trouble, then an alarm, and one only.
#[test]
fn mail_that_is_down_for_long_wakes_the_umpire_once() {
    let (house, file) = alarmed("alert_after_minutes = 30");
    assert!(house.umpire(&["run"]).status.success());
    let inbox = house.dir.join("mail/inbox/new");
    let in_the_way = || {
        fs::remove_dir_all(&inbox).unwrap();
        fs::write(&inbox, "in the way").unwrap();
    };
    let serving = house.serve(&[]);
    serving.wait_for("serving");
    in_the_way();
    serving.wait_for("the inbox");
    assert_eq!(heard(&file), "", "half an hour is not over");
    drop(serving);
    fs::remove_file(&inbox).unwrap();
    // Half an hour later, as the lock file remembers it. The daemon opens its folder, and then mail goes down again: a start
    // with a broken inbox is refused at once, and somebody looks on.
    let lock = house.dir.join("umpire.lock");
    let letters = house.dir.join("mail/inbox/cur");
    let mut folder = {
        fs::write(&lock, format!("1\n{}\n", now() - SignedDuration::from_mins(31))).unwrap();
        house.folder()
    };
    fs::remove_dir_all(&letters).unwrap();
    fs::write(&letters, "in the way").unwrap();
    for _ in 0..2 {
        let pass = umpire::daemon::pass(&mut folder, now());
        let alarms = umpire::daemon::alert::alarms(&mut folder, &pass, now());
        assert_eq!(alarms.iter().map(|alarm| alarm.cause.as_str()).collect::<Vec<_>>(), ["mail-in"]);
        umpire::daemon::alert::raise(&mut folder, &alarms, now());
    }
    let heard = heard(&file);
    assert_eq!(heard.matches("== mail-in by name").count(), 1, "{heard}");
    assert!(heard.contains("No letter could be fetched since"), "{heard}");
}

/// A game whose journal cannot be read does not keep the others from going on, and the umpire is told once.
#[test]
fn a_game_that_cannot_go_on_wakes_the_umpire_once() {
    let (house, file) = alarmed("");
    assert!(house.umpire(&["run"]).status.success());
    let store = Connection::open(house.dir.join("umpire.sqlite")).unwrap();
    let nonsense = "INSERT INTO journal SELECT game, max(seq) + 1, at, version, '{\"fact\":\"rained\"}' FROM journal";
    store.execute(nonsense, []).unwrap();
    store.execute("UPDATE agenda SET due = '2020-01-01T00:00:00.000000Z'", []).unwrap();
    for _ in 0..2 {
        let run = house.umpire(&["run"]);
        assert!(!run.status.success() && said(&run).contains("game livonia"), "{}", said(&run));
    }
    let heard = heard(&file);
    assert_eq!(heard.matches("== game livonia by name").count(), 1, "{heard}");
    assert!(heard.contains("restore it from a backup"), "{heard}");
    store.execute("UPDATE alert SET at = '2020-01-01T00:00:00.000000Z'", []).unwrap();
    house.umpire(&["run"]);
    assert_eq!(self::heard(&file).matches("== game livonia").count(), 2, "after an hour again");
}

/// Letters that do not leave: an alarm when the oldest has waited for too long.
#[test]
fn letters_that_do_not_leave_wake_the_umpire() {
    let (house, file) = alarmed("");
    let outbox = house.dir.join("mail/outbox");
    fs::remove_dir_all(&outbox).unwrap();
    fs::write(&outbox, "in the way").unwrap();
    let run = house.umpire(&["run"]);
    assert!(!run.status.success());
    assert_eq!(heard(&file).matches("== mail-out").count(), 1, "the welcomes were written a day ago: {}", heard(&file));
    // The way out is closed after the first: the others are not tried in vain.
    let status = house.status();
    assert!(status.contains("NO LETTER CAN BE SENT since"), "{status}");
    assert!(status.contains("outbox  3 letters to be sent, 1 of them tried in vain so far"), "{status}");
}

/// A full disk: a real one, where the machine lets us make one.
#[test]
fn a_full_disk_wakes_the_umpire() {
    let (house, file) = alarmed("");
    assert!(house.umpire(&["run"]).status.success());
    let outbox = house.dir.join("mail/outbox");
    fs::remove_dir_all(&outbox).unwrap();
    fs::create_dir(&outbox).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=4k", "tmpfs"])
        .arg(&outbox)
        .output()
        .is_ok_and(|out| out.status.success());
    if !mounted {
        return;
    }
    house.spring_letters(SignedDuration::ZERO);
    let run = house.umpire(&["run"]);
    let told = heard(&file);
    std::process::Command::new("umount").arg("-l").arg(&outbox).status().unwrap();
    assert!(!run.status.success(), "{}", out(&run));
    assert_eq!(told.matches("== disk by name").count(), 1, "{told}{}", said(&run));
}
