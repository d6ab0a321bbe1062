//! What others' programs say of ours: Python computes the same dice, SQLite's own shell finds the file sound. `tests/run`
//! installs both; without them these tests say that they were skipped.

use std::process::Command;
use umpire::engine::{DieKey, Secret, StepName, TurnNo, dice};

fn output(command: &mut Command) -> Option<String> {
    match command.output() {
        Ok(done) => {
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            Some(String::from_utf8(done.stdout).unwrap())
        }
        Err(fault) => {
            eprintln!("skipped: {command:?} could not be started ({fault})");
            None
        }
    }
}

#[test]
fn python_computes_the_same_faces() {
    for (seed, what, subject, count) in
        [(0, "volley", "u1", 12), (7, "crossing", "u103 0406-0407", 1), (255, "rally", "u211", 300)]
    {
        let secret = [seed; 32];
        let key = DieKey {
            turn: TurnNo(4),
            step: StepName::new("battles"),
            what: what.to_owned(),
            subject: subject.to_owned(),
            ordinal: 2,
            reroll: None,
        };
        let mut python = Command::new("python3");
        let hexadecimal: String = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        python.args(["tests/dice/check.py", &hexadecimal, &key.to_string(), &count.to_string()]);
        let Some(theirs) = output(&mut python) else { return };
        let ours = dice::faces(&Secret::from_bytes(secret), &key, count);
        assert_eq!(theirs.trim(), format!("{ours:?}"));
    }
}

#[test]
fn sqlites_own_shell_finds_the_demo_sound() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("play");
    let made =
        Command::new(env!("CARGO_BIN_EXE_umpire")).args(["demo", "--dir", dir.to_str().unwrap()]).output().unwrap();
    assert!(made.status.success());
    let mut shell = Command::new("sqlite3");
    shell.arg(dir.join("umpire.sqlite")).arg("PRAGMA integrity_check; SELECT count(*) FROM journal;");
    let Some(said) = output(&mut shell) else { return };
    let mut lines = said.lines();
    assert_eq!(lines.next(), Some("ok"));
    assert!(lines.next().unwrap().parse::<u32>().unwrap() >= 7, "{said}");
}
