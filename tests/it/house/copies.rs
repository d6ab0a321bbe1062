//! Backup, restore, export and import, with the binary; and that the same game goes on.

use super::served::*;
use jiff::SignedDuration;
use rusqlite::Connection;
use rustix::process::Signal;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use umpire::daemon::Folder;

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

/// The outbox as it is kept, letter by letter, and the addresses that cannot be reached.
fn outbox(dir: &Path) -> Vec<String> {
    let store = Connection::open(dir.join("umpire.sqlite")).unwrap();
    let sql = "SELECT json_array(message_id, game, seat, recipient, kind, turn, cause, created, sent, gave_up, attempts, last_error,
                 standing, next_try, last_try, answer, dropped_why, returned, report,
                 (SELECT message_id FROM outbox WHERE id = o.dropped_by)) FROM outbox AS o ORDER BY message_id";
    let mut query = store.prepare(sql).unwrap();
    let mut rows: Vec<String> = query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let mut query = store.prepare("SELECT json_array(address, since, why) FROM bad_address").unwrap();
    rows.extend(query.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap));
    rows
}

/// Letters that wait for another try, were dropped for a newer one, or came back: each goes on where it stood.
#[test]
fn the_outbox_moves_as_it_stands() {
    let house = House::opened(days(1), "", "");
    house.spring_letters(SignedDuration::ZERO);
    good(&house.umpire(&["run"]));
    let store = Connection::open(house.dir.join("umpire.sqlite")).unwrap();
    store
        .execute_batch(
            "UPDATE outbox SET sent = NULL, attempts = 2, last_error = '450 later', next_try = '2027-01-01T00:00:00.000000Z' WHERE id = 4;
             UPDATE outbox SET sent = NULL, gave_up = created, dropped_by = 6, dropped_why = 'a newer one' WHERE id = 5;
             UPDATE outbox SET returned = created, report = '5.1.1 nobody' WHERE id = 6;
             INSERT INTO bad_address (address, since, why, post)
               SELECT recipient, created, '5.1.1 nobody', id FROM outbox WHERE id = 6;",
        )
        .unwrap();
    drop(store);
    let file = house.dir.with_extension("tar");
    good(&house.umpire(&["export", "livonia", file.to_str().unwrap()]));
    let new = House::empty("", "");
    good(&new.umpire(&["import", file.to_str().unwrap()]));
    let (here, there) = (outbox(&house.dir), outbox(&new.dir));
    assert_eq!(here.len(), 7, "three welcomes, three answers, one address");
    assert_eq!(here, there);
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
