//! Backup, restore, export and import, with the binary; and that the same game goes on.

use super::served::*;
use jiff::SignedDuration;
use rusqlite::Connection;
use rusqlite::types::Value;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use umpire::daemon::{Answer, Folder, WorkedOff, work_off};
use umpire::desk::Incoming;

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

fn in_folder(dir: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_umpire")).arg("-C").arg(dir).args(args).output().unwrap()
}

fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}{}", out(output), said(output));
    out(output)
}

/// The journal as it lies in the file: place, moment, words.
fn journal(dir: &Path) -> Vec<(i64, String, String)> {
    let store = Connection::open(dir.join("umpire.sqlite")).unwrap();
    let mut query = store.prepare("SELECT seq, at, fact FROM journal WHERE game = 'livonia' ORDER BY seq").unwrap();
    query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap().map(Result::unwrap).collect()
}

/// Takes a folder over its deadline; gives the events that came out.
fn adjudicated(dir: &Path) -> String {
    good(&in_folder(dir, &["run"]));
    let facts = journal(dir).into_iter().map(|(_, _, fact)| fact);
    facts.filter(|fact| fact.contains("\"fact\":\"adjudicated\"")).collect()
}

/// A backup made while the daemon works is sound, and the game goes on from it: the same orders, the same dice.
#[test]
fn a_backup_made_while_the_daemon_serves_goes_on_elsewhere() {
    let house = House::opened(days(1), "", "");
    let serving = house.serve(&[]);
    house.spring_letters(SignedDuration::ZERO);
    wait_until("answers", || house.sent() == 6);
    fs::create_dir_all(house.dir.join("templates/shared")).unwrap();
    fs::write(house.dir.join("templates/shared/own.txt"), "Subject: x\n\nx").unwrap();
    let (file, again) = (house.dir.with_extension("backup"), house.dir.with_extension("again"));
    let shown = good(&house.umpire(&["backup", file.to_str().unwrap()]));
    assert!(shown.contains("1 game") && shown.contains("sound"), "{shown}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "it holds all secrets");
    assert!(!house.umpire(&["backup", file.to_str().unwrap()]).status.success(), "nothing is written over");
    serving.stop(Signal::TERM);
    let shown = good(&in_folder(&again, &["restore", file.to_str().unwrap()]));
    assert!(shown.contains("livonia: ") && shown.contains("SQLite says ok"), "{shown}");
    assert_eq!(journal(&again), journal(&house.dir));
    assert!(again.join("templates/shared/own.txt").is_file());
    assert!(!in_folder(&again, &["restore", file.to_str().unwrap()]).status.success(), "a folder is restored once");
    let late = Folder::open(&again).unwrap();
    drop(late);
    assert!(house.status().contains("3 of 3 seats") && out(&in_folder(&again, &["status"])).contains("3 of 3 seats"));
}

#[test]
fn a_damaged_backup_is_refused_and_leaves_nothing() {
    let house = House::opened(days(1), "", "");
    let file = house.dir.with_extension("backup");
    good(&house.umpire(&["backup", file.to_str().unwrap()]));
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0x55);
    fs::write(&file, bytes).unwrap();
    let again = house.dir.with_extension("again");
    let refused = in_folder(&again, &["restore", file.to_str().unwrap()]);
    assert!(!refused.status.success(), "{}", out(&refused));
    assert!(!again.join("umpire.sqlite").exists() && !again.join("umpire.sqlite.new").exists());
}

/// A game exported, imported into another folder and played on there: the same journal to the byte, the same dice.
#[test]
fn a_game_moves_house_with_its_dice() {
    let house = House::opened(days(5), "", "");
    house.spring_letters(days(4));
    // Letters are taken while the game is held, so that both houses stand before the same closing.
    good(&house.umpire(&["hold", "--because", "moving house"]));
    good(&house.umpire(&["run"]));
    let file = house.dir.with_extension("tar");
    let shown = good(&house.umpire(&["export", "livonia", file.to_str().unwrap()]));
    assert!(shown.contains("3 letters") && shown.contains("holds the secrets"), "{shown}");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let new = House::empty("", "");
    let shown = good(&new.umpire(&["import", file.to_str().unwrap()]));
    assert!(shown.contains("goes on here") && shown.contains("held"), "{shown}");
    assert_eq!(journal(&new.dir), journal(&house.dir), "to the byte");
    let again = new.umpire(&["import", file.to_str().unwrap()]);
    assert!(!again.status.success() && said(&again).contains("already"), "{}", said(&again));
    for dir in [&house.dir, &new.dir] {
        good(&in_folder(dir, &["resume", "--because", "moved"]));
    }
    let (here, there) = (adjudicated(&house.dir), adjudicated(&new.dir));
    assert!(here.len() > 5_000, "a season with events");
    assert_eq!(here, there, "the same dice");
    let sound = good(&in_folder(&new.dir, &["replay", "--verify"]));
    assert!(sound.contains("the same to the byte"), "{sound}");
    let review = good(&in_folder(&new.dir, &["review", "--letter", "1"]));
    assert!(review.contains("From:"), "the letters came along: {review}");
}

/// The outbox as it lies in the file but for its numbers, which are another folder's own; then the addresses out of reach.
fn outbox(dir: &Path) -> Vec<String> {
    let store = Connection::open(dir.join("umpire.sqlite")).unwrap();
    let columns = "o.message_id, o.seat, o.recipient, o.kind, o.turn, o.cause, hex(o.raw), o.created, o.sent, o.gave_up, o.attempts,
        o.last_error, o.domain, o.standing, o.next_try, o.last_try, o.answer, by.message_id, o.dropped_why, o.returned, o.report";
    let letters =
        format!("SELECT {columns} FROM outbox AS o LEFT JOIN outbox AS by ON by.id = o.dropped_by ORDER BY o.id");
    let mut lines = Vec::new();
    let bad = "SELECT address, since, why, (SELECT message_id FROM outbox WHERE id = post), letter FROM bad_address";
    for sql in [letters.as_str(), bad] {
        let mut query = store.prepare(sql).unwrap();
        let width = query.column_count();
        let line = |row: &rusqlite::Row<'_>| (0..width).map(|at| row.get(at)).collect::<Result<Vec<Value>, _>>();
        lines.extend(query.query_map([], line).unwrap().map(|row| format!("{:?}", row.unwrap())));
    }
    lines
}

/// Letters that wait, were refused, came back or were dropped are the same there, and go on as they would have here.
#[test]
fn the_outbox_moves_house_with_its_game() {
    let house = House::opened(days(1), "", "");
    let mut folder = house.folder();
    let raw = b"From: pavel@example.org\r\nMessage-ID: <p1@example.org>\r\nSubject: [livonia]\r\n\r\nSTATUS\r\n";
    let incoming = Incoming { mailbox: "test", unique_name: "p1", received: now(), raw, cut: false };
    let no = folder.desk.receive(&incoming, now()).unwrap().no();
    folder.desk.handle(no, now()).unwrap();
    let game = folder.desk.games().unwrap().remove(0);
    folder.desk.hold(&game, "one thing", now()).unwrap();
    folder.desk.resume(&game, "another", now()).unwrap();
    // Three seats with three letters each: one seat's wait, one's first is refused, one's first comes back.
    work_off(&mut folder.desk, now(), &mut WorkedOff::default(), &mut || true, |row| {
        match row.post.seat.as_ref().map(|seat| seat.as_str()) {
            Some("sweden") => Answer::NotNow("451 4.7.1 greylisted".to_owned()),
            Some("russia") => Answer::Never("550 5.1.1 no such user".to_owned()),
            _ => Answer::Taken("250 2.0.0 Ok".to_owned()),
        }
    })
    .unwrap();
    let waiting: Vec<i64> = folder.desk.outbox(now()).unwrap().waiting.iter().map(|row| row.id).collect();
    folder.desk.drop_letter(*waiting.last().unwrap(), "he has it by telephone", now()).unwrap();
    drop(folder);
    let store = Connection::open(house.dir.join("umpire.sqlite")).unwrap();
    let since = "(SELECT created FROM outbox LIMIT 1)";
    let back = format!(
        "UPDATE outbox SET returned = {since}, report = '5.1.1 gone' WHERE seat = 'saxony_poland' AND turn = 1"
    );
    assert!(store.execute(&back, []).unwrap() > 0);
    // A mark made by a report stays when our own server takes a letter again: which report has to come along.
    assert_eq!(store.execute("UPDATE bad_address SET letter = ?1", [no.0]).unwrap(), 1);
    let newest = "(SELECT max(id) FROM outbox)";
    let by = format!("UPDATE outbox SET dropped_by = {newest} WHERE dropped_why IS NOT NULL AND id < {newest}");
    assert_eq!(store.execute(&by, []).unwrap(), 1);
    drop(store);
    let file = house.dir.with_extension("tar");
    good(&house.umpire(&["export", "livonia", file.to_str().unwrap()]));
    let new = House::empty("", "");
    good(&new.umpire(&["import", file.to_str().unwrap()]));
    let (here, there) = (outbox(&house.dir), outbox(&new.dir));
    assert!(here.iter().any(|line| line.contains("pavel@example.org") && line.contains("no such user")), "{here:#?}");
    for word in ["greylisted", "5.1.1 gone", "by telephone"] {
        assert!(here.iter().any(|line| line.contains(word)), "{word}");
    }
    assert!(here == there, "there, not here: {:?}", there.iter().find(|line| !here.contains(line)));
    let shown = |house: &House| good(&house.umpire(&["outbox"])).replace(char::is_numeric, "");
    assert_eq!(shown(&house), shown(&new));
}

#[test]
fn an_archive_without_secrets_holds_none_and_cannot_go_on() {
    let house = House::opened(days(5), "", "");
    house.spring_letters(days(4));
    good(&house.umpire(&["run"]));
    let file = house.dir.with_extension("tar");
    good(&house.umpire(&["export", "livonia", file.to_str().unwrap(), "--without-secrets"]));
    let mut archive = tar::Archive::new(fs::File::open(&file).unwrap());
    let mut names = BTreeMap::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut entry, &mut text).unwrap();
        names.insert(entry.path().unwrap().display().to_string(), text);
    }
    assert!(
        names.contains_key("livonia/campaign/campaign.toml") && names.contains_key("livonia/pages/livonia/index.html")
    );
    assert!(names.keys().all(|name| !name.contains("secret/")), "{:?}", names.keys());
    let secret = "02".repeat(32);
    assert!(names.values().all(|text| !text.contains(&secret) && !text.contains("example.org>")));
    let new = House::empty("", "");
    let refused = new.umpire(&["import", file.to_str().unwrap()]);
    assert!(!refused.status.success() && said(&refused).contains("--without-secrets"), "{}", said(&refused));
}

/// A changed journal, a missing letter, a folder whose letters have the same numbers: refused, and nothing stays.
#[test]
fn what_does_not_fit_is_not_imported() {
    let house = House::opened(days(1), "", "");
    house.spring_letters(SignedDuration::ZERO);
    good(&house.umpire(&["run"]));
    let file = house.dir.with_extension("tar");
    good(&house.umpire(&["export", "livonia", file.to_str().unwrap()]));
    let mut bytes = fs::read(&file).unwrap();
    let at = bytes.windows(14).position(|w| w == b"\"turn_opened\",").unwrap();
    bytes[at + 1] = b'T';
    let forged = house.dir.with_extension("forged");
    fs::write(&forged, bytes).unwrap();
    let new = House::empty("", "");
    let refused = new.umpire(&["import", forged.to_str().unwrap()]);
    assert!(said(&refused).contains("damaged"), "{}", said(&refused));
    let stranger = b"From: mallory@example.org\r\nMessage-ID: <x@example.org>\r\n\r\nhello\r\n";
    umpire::mail::deliver(&new.dir.join("mail/inbox"), "stranger", stranger, now()).unwrap();
    good(&new.umpire(&["run"]));
    let refused = new.umpire(&["import", file.to_str().unwrap()]);
    assert!(said(&refused).contains("a folder of its own"), "{}", said(&refused));
    assert!(new.status().contains("no game in this folder"), "{}", new.status());
}
