//! The tables, and how an older file becomes a newer one. A migration that has landed is never edited.

use super::StoreError;
use crate::engine::Secret;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::Path;

/// "UMPR": says that a SQLite file is ours.
const APPLICATION_ID: i64 = 0x554d_5052;

/// Schema n is made from schema n-1 by the n-th of these, counted from 1.
const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE folder (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE game (
    id TEXT PRIMARY KEY
) STRICT;

CREATE TABLE journal (
    game    TEXT    NOT NULL REFERENCES game(id),
    seq     INTEGER NOT NULL,
    at      TEXT    NOT NULL,
    version INTEGER NOT NULL,
    fact    TEXT    NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER journal_is_never_edited BEFORE UPDATE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_is_never_cut BEFORE DELETE ON journal
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

CREATE TABLE intake (
    no          INTEGER PRIMARY KEY AUTOINCREMENT,
    mailbox     TEXT NOT NULL,
    unique_name TEXT NOT NULL,
    message_id  TEXT,
    body_hash   TEXT NOT NULL,
    received    TEXT NOT NULL,
    stored      TEXT NOT NULL,
    raw         BLOB NOT NULL,
    cut         INTEGER NOT NULL,
    outcome     TEXT,
    note        TEXT,
    game        TEXT REFERENCES game(id),
    seat        TEXT,
    turn        INTEGER,
    UNIQUE (mailbox, unique_name)
) STRICT;
CREATE UNIQUE INDEX intake_once ON intake (message_id, body_hash) WHERE message_id IS NOT NULL;
CREATE INDEX intake_by_seat ON intake (game, seat, turn) WHERE outcome = 'orders';
CREATE INDEX intake_waiting ON intake (received, no) WHERE outcome IS NULL;

CREATE TRIGGER letters_are_kept BEFORE DELETE ON intake
    BEGIN SELECT RAISE(ABORT, 'letters are kept'); END;
CREATE TRIGGER letters_stay_as_they_came BEFORE UPDATE OF no, mailbox, unique_name, message_id, received, raw ON intake
    BEGIN SELECT RAISE(ABORT, 'letters stay as they came'); END;

CREATE TABLE outbox (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT NOT NULL UNIQUE,
    game       TEXT REFERENCES game(id),
    seat       TEXT,
    recipient  TEXT NOT NULL,
    kind       TEXT NOT NULL,
    turn       INTEGER,
    cause      TEXT NOT NULL,
    raw        BLOB NOT NULL,
    created    TEXT NOT NULL,
    sent       TEXT,
    gave_up    TEXT,
    attempts   INTEGER NOT NULL DEFAULT 0,
    last_error TEXT
) STRICT;
CREATE INDEX outbox_waiting ON outbox (id) WHERE sent IS NULL AND gave_up IS NULL;
CREATE INDEX outbox_by_recipient ON outbox (recipient, created);

CREATE TRIGGER outgoing_letters_are_fixed BEFORE UPDATE OF message_id, recipient, raw ON outbox
    BEGIN SELECT RAISE(ABORT, 'a letter is sent as it was written'); END;
",
    "
CREATE INDEX intake_nameless ON intake (body_hash) WHERE message_id IS NULL;

-- What can be asked of all games without folding a journal. All of it follows from the journals and is made anew from them.
CREATE TABLE agenda (
    game     TEXT    PRIMARY KEY REFERENCES game(id),
    edition  INTEGER NOT NULL,
    length   INTEGER NOT NULL,
    at       TEXT    NOT NULL,
    due      TEXT,
    awaits   TEXT,
    rendered INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX agenda_due ON agenda (due) WHERE due IS NOT NULL;
CREATE INDEX agenda_at ON agenda (at);
CREATE INDEX agenda_unrendered ON agenda (game) WHERE rendered IS NOT length;

CREATE TABLE seated (
    address TEXT NOT NULL,
    game    TEXT NOT NULL REFERENCES game(id),
    seat    TEXT NOT NULL,
    PRIMARY KEY (address, game, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX seated_in_game ON seated (game);

CREATE TABLE front (
    game  TEXT PRIMARY KEY REFERENCES game(id),
    facts TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE alert (
    cause TEXT PRIMARY KEY,
    at    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_by_cause ON outbox (cause);
CREATE INDEX outbox_by_time ON outbox (created);
CREATE INDEX intake_by_time ON intake (stored);
DROP INDEX intake_by_seat;
CREATE INDEX intake_by_seat ON intake (game, seat, turn, received, no) WHERE outcome = 'orders';

-- What became of each letter that goes out. `gave_up` ends the waiting of a dropped letter, too; `dropped_why` tells the two apart.
ALTER TABLE outbox ADD COLUMN domain TEXT
    GENERATED ALWAYS AS (lower(substr(recipient, instr(recipient, '@') + 1))) VIRTUAL;
ALTER TABLE outbox ADD COLUMN standing TEXT;
ALTER TABLE outbox ADD COLUMN next_try TEXT;
ALTER TABLE outbox ADD COLUMN last_try TEXT;
ALTER TABLE outbox ADD COLUMN answer TEXT;
ALTER TABLE outbox ADD COLUMN dropped_by INTEGER REFERENCES outbox(id);
ALTER TABLE outbox ADD COLUMN dropped_why TEXT;
ALTER TABLE outbox ADD COLUMN returned TEXT;
ALTER TABLE outbox ADD COLUMN report TEXT;
CREATE INDEX outbox_per_recipient ON outbox (recipient COLLATE NOCASE, id) WHERE sent IS NULL AND gave_up IS NULL;
CREATE INDEX outbox_put_off ON outbox (recipient COLLATE NOCASE, next_try)
    WHERE next_try IS NOT NULL AND sent IS NULL AND gave_up IS NULL;
CREATE INDEX outbox_tried ON outbox (domain, last_try) WHERE last_try IS NOT NULL;
CREATE INDEX outbox_standing ON outbox (game, standing) WHERE standing IS NOT NULL AND sent IS NULL AND gave_up IS NULL;
CREATE INDEX outbox_failed ON outbox (gave_up) WHERE gave_up IS NOT NULL AND dropped_why IS NULL;

CREATE TABLE bad_address (
    address TEXT PRIMARY KEY COLLATE NOCASE,
    since   TEXT NOT NULL,
    why     TEXT NOT NULL,
    post    INTEGER REFERENCES outbox(id),
    letter  INTEGER REFERENCES intake(no)
) STRICT, WITHOUT ROWID;

-- One row while the way out as a whole is closed: no server, no login, no disk.
CREATE TABLE line_down (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    since    TEXT NOT NULL,
    tries    INTEGER NOT NULL,
    next_try TEXT NOT NULL,
    why      TEXT NOT NULL
) STRICT;
",
];

fn newest() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}

pub(super) fn create(connection: &mut Connection, secret: &Secret) -> rusqlite::Result<()> {
    let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    bring_up(&tx, 0)?;
    let hex = data_encoding::HEXLOWER.encode(secret.as_bytes());
    tx.execute("INSERT INTO folder (name, value) VALUES ('secret', ?1)", [hex])?;
    tx.commit()
}

pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), StoreError> {
    let said = |fault| StoreError::of(path, "open", fault);
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    if number("application_id").map_err(said)? != APPLICATION_ID {
        let why = "it is a SQLite database of another program, or its making was cut short".to_owned();
        return Err(StoreError::NotOurs { path: path.to_owned(), why });
    }
    let found = u32::try_from(number("user_version").map_err(said)?).unwrap_or(u32::MAX);
    if found > newest() {
        return Err(StoreError::Newer { path: path.to_owned(), found, known: newest() });
    }
    if found < newest() {
        let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(said)?;
        bring_up(&tx, found).map_err(said)?;
        tx.commit().map_err(said)?;
    }
    Ok(())
}

fn bring_up(tx: &Transaction<'_>, from: u32) -> rusqlite::Result<()> {
    for (migration, version) in MIGRATIONS.iter().zip(1u32..) {
        if version > from {
            tx.execute_batch(migration)?;
        }
    }
    tx.pragma_update(None, "user_version", newest())
}
