//! The process dies at every commit of a week's work, and is started again: the same results are posted, no letter is lost, none
//! is answered twice under another Message-ID.

use super::bench::*;
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use umpire::daemon::pass;

const DIR: &str = "UMPIRE_TEST_KILL_DIR";
const AT: &str = "UMPIRE_TEST_KILL_AT";

/// What is done in the child: three passes, each done once; a file remembers which.
#[test]
fn the_child_works() {
    let Ok(dir) = std::env::var(DIR) else { return };
    let dir = PathBuf::from(dir);
    let mut bench = Bench::reopen(&dir);
    bench.folder.lock().unwrap();
    let doom: u64 = std::env::var(AT).unwrap().parse().unwrap();
    bench.folder.desk.after_commit(Box::new(move |count| {
        if count == doom {
            // No destructor runs, nothing is flushed: as if the machine had been switched off between two instructions.
            std::process::abort();
        }
    }));
    let closing = deadline() + minute();
    for (no, now) in [opened() + later(2), closing, closing + later(25)].into_iter().enumerate() {
        let done = dir.join(format!("pass-{no}"));
        if done.exists() {
            continue;
        }
        // The post comes before each pass; a letter that has come does not come again.
        for letter in fs::read_dir(dir.join(format!("post-{no}"))).unwrap().map(|entry| entry.unwrap().path()) {
            fs::rename(&letter, bench.folder.config.inbox.join("new").join(letter.file_name().unwrap())).unwrap();
        }
        let pass = pass(&mut bench.folder, now);
        assert!(pass.failures.is_empty(), "{:#?}", pass.failures);
        fs::write(done, "").unwrap();
    }
}

fn prepare(dir: &Path) {
    let mut bench = Bench::at(dir, "");
    bench.open_game("duel", "");
    let post = |bench: &Bench, no: u32, letters: &[(&str, &str, &str, Timestamp)]| {
        for (name, from, body, received) in letters {
            bench.drop(name, from, "[duel] orders", body, *received);
        }
        fs::rename(bench.folder.config.inbox.join("new"), dir.join(format!("post-{no}"))).unwrap();
        fs::create_dir(bench.folder.config.inbox.join("new")).unwrap();
    };
    let hour = opened() + later(1);
    post(
        &bench,
        0,
        &[
            ("n1", NORTH, "number 5\nnumber 4 or 6", hour),
            ("s1", SOUTH, "number 3\nspend 4", hour),
            ("n2", NORTH, "1b", hour + minute()),
            ("x1", "mallory@example.org", "number 1", hour),
        ],
    );
    post(
        &bench,
        1,
        &[("s2", SOUTH, "number 9\nSTATUS", deadline()), ("s3", SOUTH, "number 8", deadline() + minute() / 2)],
    );
    post(
        &bench,
        2,
        &[
            ("n3", NORTH, "CHALLENGE 1: in doubt", deadline() + later(20)),
            ("s4", SOUTH, "STATUS", deadline() + later(21)),
        ],
    );
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), &target).unwrap();
            let modified = entry.metadata().unwrap().modified().unwrap();
            fs::File::options().append(true).open(&target).unwrap().set_modified(modified).unwrap();
        }
    }
}

/// Runs the child in `dir`, to die at its `doom`-th commit. Says whether it lived.
fn run(dir: &Path, doom: u64) -> bool {
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "desk::kill::the_child_works", "--nocapture"])
        .env(DIR, dir)
        .env(AT, doom.to_string())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(!said.contains("panicked"), "the child failed otherwise than by dying:\n{said}");
    child.status.success()
}

/// Everything that anybody outside could have seen: letters by Message-ID, pages by name, letters of the inbox by where they are.
fn seen(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![dir.join("mail"), dir.join("site")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().display().to_string();
                all.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    all
}

#[test]
fn killed_at_every_commit_and_started_again_it_comes_out_the_same() {
    let keep = tempfile::tempdir().unwrap();
    let start = keep.path().join("start");
    prepare(&start);
    let whole = keep.path().join("whole");
    copy(&start, &whole);
    assert!(run(&whole, u64::MAX));
    let expected = seen(&whole);
    let letters =
        |seen: &BTreeMap<String, Vec<u8>>| seen.keys().filter(|name| name.starts_with("mail/outbox/")).count();
    // Two welcomes; a letter each for s1, n2 (and n1 with it), x1, s2 with its STATUS, and the late s3; a challenge; a STATUS; results,
    // twice two less the official ones that the challenge holds back.
    assert_eq!(letters(&expected), 11, "{:#?}", expected.keys());
    let mut deaths = 0;
    for doom in 1.. {
        let dir = keep.path().join(format!("killed-{doom}"));
        copy(&start, &dir);
        if run(&dir, doom) {
            break;
        }
        deaths += 1;
        assert!(run(&dir, u64::MAX), "it could not be started again after commit {doom}");
        let after = seen(&dir);
        assert_eq!(after.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "after commit {doom}");
        assert!(after == expected, "after commit {doom} something reads differently");
        let mut bench = Bench::reopen(&dir);
        assert_eq!(bench.folder.desk.integrity().unwrap(), "ok");
        assert!(bench.folder.desk.verify(&bench.game.clone(), deadline()).unwrap().is_sound());
        fs::remove_dir_all(&dir).unwrap();
    }
    assert!(deaths > 25, "only {deaths} commits were tried");
}

/// Death between a letter's delivery and the note that it was delivered: it is delivered again under the same name, so once.
#[test]
fn a_letter_delivered_and_not_noted_is_not_doubled() {
    let mut bench = Bench::new();
    let waiting = bench.folder.desk.outbox(opened()).unwrap().waiting;
    for row in &waiting {
        let letter = umpire::post::StoredLetter { message_id: &row.post.message_id, bytes: &row.post.raw };
        umpire::post::deliver(&bench.folder.config.outbox, &letter).unwrap();
    }
    assert_eq!(bench.pass(opened()).sent, waiting.len());
    assert_eq!(bench.sent().len(), waiting.len());
    assert!(bench.folder.desk.outbox(opened()).unwrap().waiting.is_empty());
}
