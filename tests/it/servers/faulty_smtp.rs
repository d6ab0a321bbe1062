//! An SMTP server that breaks off in every command in turn: no letter is lost, and none comes under two names.

use super::scripted::{Fault, Next, Script, lines, listen, step};
use crate::counts::Counts;
use crate::desk::bench::*;
use std::collections::BTreeMap;
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use umpire::daemon::{Failure, pass};
use umpire::mail;

/// Letters taken, by Message-ID: their octets, and how often they came.
type Taken = BTreeMap<String, (Vec<u8>, usize)>;

fn serve(mut out: TcpStream, taken: &Mutex<Taken>, script: &Mutex<Script>) {
    let say = |words: &str| format!("{words}\r\n").into_bytes();
    if step(script, &mut out, "greeting", || say("220 mail.example.org at your service")) == Next::HangUp {
        return;
    }
    let mut lines = lines(&out);
    while let Some(line) = lines.next() {
        let name = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        let next = match name.as_str() {
            "EHLO" => step(script, &mut out, "EHLO", || say("250-mail.example.org\r\n250-AUTH PLAIN\r\n250 8BITMIME")),
            "AUTH" => step(script, &mut out, "AUTH", || say("235 2.7.0 welcome")),
            "MAIL" => step(script, &mut out, "MAIL", || say("250 2.1.0 fine")),
            "RCPT" => step(script, &mut out, "RCPT", || say("250 2.1.5 fine")),
            "DATA" => {
                let asked = step(script, &mut out, "DATA", || say("354 go on"));
                let letter = if asked == Next::Go { read_letter(&mut lines) } else { None };
                match letter {
                    Some(letter) => step(script, &mut out, "the letter", || {
                        let id = mail::read(&letter).message_id.unwrap();
                        taken.lock().unwrap().entry(id).or_insert((letter, 0)).1 += 1;
                        say("250 2.0.0 taken")
                    }),
                    None => Next::HangUp,
                }
            }
            "QUIT" => {
                step(script, &mut out, "QUIT", || say("221 2.0.0 goodbye"));
                Next::HangUp
            }
            _ => step(script, &mut out, "?", || say("500 5.5.2 what?")),
        };
        if next == Next::HangUp {
            return;
        }
    }
}

/// The letter after DATA; nothing if the client gives up instead.
fn read_letter(lines: &mut impl Iterator<Item = String>) -> Option<Vec<u8>> {
    let mut letter = Vec::new();
    for line in lines {
        if line == "." {
            return Some(letter);
        }
        if letter.is_empty() && line == "QUIT" {
            return None;
        }
        letter.extend_from_slice(line.strip_prefix('.').unwrap_or(&line).as_bytes());
        letter.extend_from_slice(b"\r\n");
    }
    None
}

struct Played {
    steps: Vec<String>,
    taken: Taken,
    failures: Vec<String>,
    refused: usize,
    /// A newer letter that was taken says all that they say.
    dropped: usize,
}

fn play(fault: Option<(usize, Fault)>) -> Played {
    let taken = Arc::new(Mutex::new(Taken::new()));
    let script = Arc::new(Mutex::new(Script::new(fault)));
    let (theirs, steps) = (Arc::clone(&taken), Arc::clone(&script));
    let port = listen(move |out| serve(out, &theirs, &steps));
    let config = format!(
        "[mail.smtp]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\npassword_command = [\"echo\", \"x\"]\ntimeout_seconds = 1\n"
    );
    let mut bench = Bench::with(&config, "");
    bench.drop("n1", NORTH, "[duel] orders", "number 5", opened() + later(1));
    let (mut failures, mut refused) = (Vec::new(), 0);
    // Hours apart: whatever patience the outbox has, an hour is enough for it.
    for no in 0..8 {
        let done = pass(&mut bench.folder, opened() + later(2 + 6 * no));
        for failure in &done.failures {
            assert!(matches!(failure, Failure::Post { .. }), "{fault:?}: {failure}");
            failures.push(failure.to_string());
        }
        refused += done.refused;
        if done.failures.is_empty() && bench.folder.desk.outbox(opened()).unwrap().waiting.is_empty() {
            break;
        }
    }
    let left = bench.folder.desk.outbox(opened() + later(48)).unwrap();
    assert!(left.waiting.is_empty(), "{fault:?}: letters are still in the outbox: {failures:?}");
    let steps = script.lock().unwrap().steps.clone();
    let taken = taken.lock().unwrap().clone();
    Played { steps, taken, failures, refused, dropped: left.dropped.len() }
}

#[test]
fn no_letter_is_lost_and_none_has_two_names() {
    use Fault::{CutAfter, CutBefore, CutWithin, Garbage, Say, Stall};
    let sound = play(None);
    assert!(sound.failures.is_empty() && sound.taken.values().all(|(_, times)| *times == 1));
    let permanent = Say("550 5.1.1 nobody of that name");
    let faults = [
        CutBefore,
        CutWithin,
        CutAfter,
        Garbage,
        Stall,
        Say("421 4.3.2 going down"),
        Say("450 4.2.0 greylisted, come again"),
        permanent,
    ];
    for fault in faults {
        let mut counts = Counts::default();
        for (at, name) in sound.steps.iter().enumerate() {
            if sound.steps[..at].contains(name) && (fault == Stall || at > sound.steps.len() / 2) {
                continue;
            }
            let played = play(Some((at, fault)));
            counts.struck += 1;
            counts.letters += sound.taken.len();
            counts.again += played.taken.values().map(|(_, times)| times - 1).sum::<usize>();
            // Only a no to the recipient or the letter is the end of a letter.
            let ends = fault == permanent && matches!(name.as_str(), "RCPT" | "DATA" | "the letter");
            assert_eq!(played.refused, usize::from(ends), "{fault:?} in {name}: {:?}", played.failures);
            let settled = played.taken.len() + played.refused + played.dropped;
            counts.settled += settled;
            counts.lost += sound.taken.len().saturating_sub(settled);
            for (id, (octets, _)) in &played.taken {
                assert_eq!(Some(octets), sound.taken.get(id).map(|(octets, _)| octets), "{fault:?} in {name}: {id}");
            }
        }
        counts.row(&format!("SMTP, in every command: {}", said(fault)));
    }
}

fn said(fault: Fault) -> String {
    match fault {
        Fault::CutBefore => "cut off before it was heard".to_owned(),
        Fault::CutWithin => "cut off in the answer".to_owned(),
        Fault::CutAfter => "cut off behind the answer".to_owned(),
        Fault::Garbage => "an answer that is none".to_owned(),
        Fault::Stall => "silence".to_owned(),
        Fault::Say(words) => words.to_owned(),
    }
}
