use super::*;
use crate::engine::{Fact, GameId, LetterNo, TurnNo};
use jiff::Timestamp;

fn now() -> Timestamp {
    "2027-01-05T18:42:10Z".parse().unwrap()
}

fn secret() -> Secret {
    Secret::from_bytes([3; 32])
}

fn folder() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::create(dir.path(), &secret()).unwrap();
    (dir, store)
}

fn letter<'a>(name: &'a str, raw: &'a [u8]) -> NewLetter<'a> {
    NewLetter { mailbox: "maildir:inbox", unique_name: name, received: now(), raw, cut: false }
}

fn post(id: &str) -> NewPost {
    NewPost {
        message_id: id.to_owned(),
        game: None,
        seat: None,
        recipient: "astrid@example.org".to_owned(),
        kind: "notice".to_owned(),
        turn: None,
        cause: "letter 1".to_owned(),
        standing: None,
        raw: b"Subject: x\r\n\r\nx".to_vec(),
    }
}

#[test]
fn what_is_written_is_read_again() {
    let (dir, mut store) = folder();
    let game = GameId::new("livonia");
    let fact = Fact::Held { reason: "storm".to_owned() };
    store
        .transaction(|tx| -> Result<(), StoreError> {
            tx.add_game(&game)?;
            assert_eq!(tx.append(&game, now(), fact.clone())?.seq, 1);
            assert_eq!(
                tx.append(&game, now(), Fact::Sealed { turn: TurnNo(1), silent: None, vacant: Vec::new() })?.seq,
                2
            );
            Ok(())
        })
        .unwrap();
    drop(store);
    let mut store = Store::open(dir.path()).unwrap();
    let read = store.read(|tx| -> Result<_, StoreError> { tx.journal(&game, 0) }).unwrap();
    assert_eq!((read.len(), &read[0].fact, read[0].at), (2, &fact, now()));
    let rest = store.read(|tx| tx.journal(&game, 1)).unwrap_or_else(|e: StoreError| panic!("{e}"));
    assert_eq!(rest.len(), 1);
    assert_eq!(store.read(|tx| tx.secret()).map_err(|e: StoreError| e.to_string()), Ok(secret()));
    assert_eq!(store.integrity().unwrap(), "ok");
}

#[test]
fn the_journal_and_the_letters_are_never_edited() {
    let (_dir, mut store) = folder();
    let game = GameId::new("livonia");
    store
        .transaction(|tx| -> Result<(), StoreError> {
            tx.add_game(&game)?;
            tx.append(&game, now(), Fact::Held { reason: String::new() })?;
            tx.receive(&letter("1", b"a\n\nb"), now())?;
            tx.post(&post("a@example.org"), now())?;
            Ok(())
        })
        .unwrap();
    for edit in [
        "UPDATE journal SET fact = ''",
        "DELETE FROM journal",
        "DELETE FROM intake",
        "UPDATE intake SET raw = x'00'",
        "UPDATE outbox SET raw = x'00'",
    ] {
        assert!(store.connection.execute(edit, []).is_err(), "{edit} went through");
    }
}

#[test]
fn a_failed_transaction_leaves_nothing() {
    let (_dir, mut store) = folder();
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let told_by_observer = told.clone();
    store.after_commit(Box::new(move |count| told_by_observer.lock().unwrap().push(count)));
    let failed: Result<(), StoreError> = store.transaction(|tx| {
        tx.add_game(&GameId::new("livonia"))?;
        Err(StoreError::Missing { path: "x".into() })
    });
    assert!(failed.is_err());
    assert!(store.read(|tx| tx.games()).unwrap_or_else(|e: StoreError| panic!("{e}")).is_empty());
    assert!(told.lock().unwrap().is_empty());
    store.transaction(|tx| tx.add_game(&GameId::new("livonia"))).unwrap_or_else(|e: StoreError| panic!("{e}"));
    assert_eq!(*told.lock().unwrap(), [1]);
}

#[test]
fn the_same_letter_is_stored_once() {
    let (_dir, mut store) = folder();
    store
        .transaction(|tx| -> Result<(), StoreError> {
            let first = tx.receive(&letter("1", b"Message-ID: <m1@example.org>\r\nTo: x\r\n\r\nHold all."), now())?;
            assert_eq!(first, Taken::New(LetterNo(1)));
            let again = [
                letter("1", b"To: x\r\n\r\nHold all."),
                letter("2", b"Received: by y\r\nmessage-id:\r\n <m1@example.org>\r\n\r\nHold all."),
            ];
            for same in again {
                assert_eq!(tx.receive(&same, now())?, Taken::Known(LetterNo(1)));
            }
            let others = [
                letter("3", b"Message-ID: <m1@example.org>\r\nTo: x\r\n\r\nHold none."),
                letter("4", b"To: x\r\n\r\nHold all."),
                letter("5", b"Message-ID: <m1@example.org> without any body"),
            ];
            for other in others {
                assert!(matches!(tx.receive(&other, now())?, Taken::New(_)));
            }
            assert!(
                tx.letter_named("maildir:inbox", "4")?.is_some() && tx.letter_named("maildir:inbox", "2")?.is_none()
            );
            Ok(())
        })
        .unwrap();
}

#[test]
fn letters_wait_in_the_sequence_of_receipt() {
    let (_dir, mut store) = folder();
    store
        .transaction(|tx| -> Result<(), StoreError> {
            let late = NewLetter { received: now() + jiff::SignedDuration::from_millis(250), ..letter("1", b"late") };
            tx.receive(&late, now())?;
            tx.receive(&letter("2", b"early"), now())?;
            assert_eq!(tx.waiting_letters(10)?, [LetterNo(2), LetterNo(1)]);
            let done = Disposition {
                outcome: Outcome::Ignored,
                note: "an auto-reply".to_owned(),
                game: None,
                seat: None,
                turn: Some(TurnNo(2)),
            };
            tx.dispose(LetterNo(2), &done)?;
            assert_eq!(tx.waiting_letters(10)?, [LetterNo(1)]);
            assert_eq!(tx.letter(LetterNo(2))?.disposition, Some(done));
            Ok(())
        })
        .unwrap();
}

#[test]
fn an_outgoing_letter_is_written_once() {
    let (_dir, mut store) = folder();
    store
        .transaction(|tx| -> Result<(), StoreError> {
            assert!(tx.post(&post("a@example.org"), now())?.is_some());
            assert!(tx.post(&post("a@example.org"), now())?.is_none());
            tx.post(&post("b@example.org"), now())?;
            let waiting = tx.unsent(10)?;
            assert_eq!(waiting.len(), 2);
            tx.sent(waiting[0].id, "250 ok", now())?;
            tx.not_sent(waiting[1].id, "451 later", Some(now()), now())?;
            let waiting = tx.unsent(10)?;
            assert_eq!((waiting.len(), waiting[0].attempts), (1, 1));
            tx.not_sent(waiting[0].id, "550 no", None, now())?;
            assert!(tx.unsent(10)?.is_empty());
            assert!(tx.posted("a@example.org")?.is_some_and(|row| row.sent == Some(now())));
            assert!(tx.posted("c@example.org")?.is_none());
            Ok(())
        })
        .unwrap();
}

#[test]
fn a_full_disk_is_said_plainly_and_changes_nothing() {
    let (_dir, mut store) = folder();
    store.bound_pages(40).unwrap();
    let big = vec![b'x'; 200_000];
    let failed = store.transaction(|tx| tx.receive(&letter("1", &big), now()));
    let fault: StoreError = failed.unwrap_err();
    assert!(matches!(fault, StoreError::Full { .. }) && fault.is_retryable(), "{fault}");
    assert!(fault.to_string().contains("make room"));
    store.bound_pages(100_000).unwrap();
    let taken = store.transaction(|tx| tx.receive(&letter("1", &big), now()));
    assert_eq!(taken.unwrap_or_else(|e: StoreError| panic!("{e}")), Taken::New(LetterNo(1)));
}

#[test]
fn other_files_are_refused_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(Store::open(dir.path()), Err(StoreError::Missing { .. })));
    std::fs::write(
        dir.path().join(FILE),
        "this is a poem, and long enough not to be taken for an empty database at all",
    )
    .unwrap();
    assert!(matches!(Store::open(dir.path()), Err(StoreError::NotOurs { .. })));
    std::fs::remove_file(dir.path().join(FILE)).unwrap();
    Connection::open(dir.path().join(FILE)).unwrap().execute("CREATE TABLE poem (line TEXT)", []).unwrap();
    assert!(matches!(Store::open(dir.path()), Err(StoreError::NotOurs { .. })));
}

#[test]
fn a_newer_file_is_refused_and_a_second_creation_too() {
    let (dir, store) = folder();
    assert!(matches!(Store::create(dir.path(), &secret()), Err(StoreError::Exists { .. })));
    store.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(store);
    assert!(matches!(Store::open(dir.path()), Err(StoreError::Newer { found: 99, .. })));
}

#[test]
fn a_locked_file_is_retryable() {
    let (dir, mut store) = folder();
    let mut other = Store::open(dir.path()).unwrap();
    other.connection.busy_timeout(Duration::ZERO).unwrap();
    let outcome: Result<(), StoreError> = store.transaction(|_| {
        let fault = other.transaction(|tx| tx.add_game(&GameId::new("x"))).unwrap_err();
        assert!(matches!(&fault, StoreError::Locked { .. }) && StoreError::is_retryable(&fault));
        Ok(())
    });
    outcome.unwrap();
}
