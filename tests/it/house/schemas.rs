//! Every schema that ever landed, opened by this program: a file that the program of that day wrote (`tests/schemas/`), with a
//! turn played on it.

use rusqlite::Connection;
use std::fs;
use umpire::daemon::{Folder, pass};
use umpire::engine::{GameId, Secret};
use umpire::mail;

/// The SQL dumps, oldest first: schema and text.
fn dumps() -> Vec<(u32, String)> {
    let mut dumps: Vec<(u32, String)> = fs::read_dir("tests/schemas")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "sql"))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().parse().unwrap(), fs::read_to_string(path).unwrap()))
        .collect();
    dumps.sort();
    dumps
}

fn version(dir: &std::path::Path) -> u32 {
    let store = Connection::open(dir.join("umpire.sqlite")).unwrap();
    store.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
}

#[test]
fn every_schema_that_landed_has_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let config = "[umpire]\naddress = \"umpire@example.org\"\n";
    Folder::create_with(dir.path(), config, &Secret::from_bytes([1; 32])).unwrap();
    let known: Vec<u32> = dumps().into_iter().map(|(schema, _)| schema).collect();
    let older: Vec<u32> = (1..version(dir.path())).collect();
    assert_eq!(known, older, "a migration comes with a dump of the schema before it (tests/schemas/README.md)");
}

/// The demo's game as each program left it, Spring posted and Summer open: Summer is played on it, and Spring becomes official.
#[test]
fn a_turn_is_played_on_every_schema() {
    for (schema, dump) in dumps() {
        let dir = tempfile::tempdir().unwrap();
        let store = Connection::open(dir.path().join("umpire.sqlite")).unwrap();
        store.execute_batch(&dump).unwrap();
        drop(store);
        assert_eq!(version(dir.path()), schema);
        fs::write(dir.path().join("umpire.toml"), "[umpire]\naddress = \"umpire@example.org\"\n").unwrap();
        let mut folder = Folder::open(dir.path()).unwrap();
        let game = GameId::new("livonia");
        let last = folder.desk.status(&game, jiff::Timestamp::UNIX_EPOCH).unwrap();
        let [.., spring, summer] = last.turns.as_slice() else { panic!("two turns") };
        assert_eq!((spring.phase.as_str(), summer.phase.as_str()), ("Spring 1700", "Summer 1700"));
        let deadline: jiff::Timestamp = summer.deadline.utc.parse().unwrap();
        let hour = jiff::SignedDuration::from_hours(1);
        let raw = b"From: astrid@example.org\r\nTo: umpire@example.org\r\nSubject: [livonia] Summer 1700\r\n\
                    Message-ID: <summer@example.org>\r\n\r\nbuy 1 infantry\r\n";
        mail::deliver(&dir.path().join("mail/inbox"), "summer", raw, deadline - hour).unwrap();
        let done = pass(&mut folder, deadline + hour);
        assert!(done.failures.is_empty(), "schema {schema}: {:#?}", done.failures);
        assert_eq!(done.letters.len(), 1);
        assert!(done.letters[0].1.note.contains("order"), "{:?}", done.letters);
        let official: Vec<_> = done.ratified.iter().map(|(_, _, phase)| phase.as_str()).collect();
        let closed: Vec<_> = done.closed.iter().map(|closed| closed.phase.as_str()).collect();
        assert_eq!((official, closed), (vec!["Spring 1700"], vec!["Summer 1700"]), "schema {schema}");
        assert!(folder.desk.verify(&game, deadline).unwrap().is_sound());
        assert_eq!(folder.desk.integrity().unwrap(), "ok");
    }
}
