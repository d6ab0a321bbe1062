//! An IMAP server that breaks off in every command in turn: nothing is lost, nothing counts twice, nothing closes unread.

use super::scripted::{Fault, Next, Script, lines, listen, step};
use crate::counts::Counts;
use crate::desk::bench::*;
use std::collections::{BTreeMap, BTreeSet};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use umpire::clock::Timer;
use umpire::daemon::{Failure, pass};

#[derive(Default)]
struct Mailbox {
    next: u32,
    /// The letters of the inbox: UID, deleted, words.
    inbox: Vec<(u32, bool, String)>,
    folders: BTreeMap<String, Vec<String>>,
}

impl Mailbox {
    fn put(&mut self, words: String) {
        self.next += 1;
        self.inbox.push((self.next, false, words));
    }

    fn copy(&mut self, uid: u32, to: &str) {
        let words = self.inbox.iter().find(|(no, ..)| *no == uid).map(|(.., words)| words.clone());
        self.folders.get_mut(to).unwrap().extend(words);
    }

    /// The untagged part of the answer to a command, or the whole of a refusal.
    fn answer(&mut self, command: &str) -> Result<String, String> {
        let words: Vec<&str> = command.split(' ').collect();
        let last = words.last().unwrap_or(&"").trim_matches('"').to_owned();
        let uid = || words.get(2).and_then(|uid| uid.parse().ok()).unwrap_or(0);
        match (words[0], words.get(1).copied().unwrap_or("")) {
            ("LIST", _) if last.is_empty() => Ok("* LIST (\\Noselect) \"/\" \"\"\r\n".to_owned()),
            ("LIST", _) if self.folders.contains_key(&last) => Ok(format!("* LIST () \"/\" \"{last}\"\r\n")),
            ("CREATE", _) => {
                self.folders.entry(last).or_default();
                Ok(String::new())
            }
            ("SELECT", _) => Ok(format!(
                "* FLAGS (\\Seen \\Deleted)\r\n* {} EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 77] fine\r\n* OK [UIDNEXT {}] fine\r\n",
                self.inbox.len(),
                self.next + 1
            )),
            ("UID", "FETCH") if words[2] == "1:*" => {
                let row = |(no, (uid, _, words)): (usize, &(u32, bool, String))| {
                    format!(
                        "* {} FETCH (UID {uid} RFC822.SIZE {} INTERNALDATE \" 4-Jan-2027 13:00:0{no} +0000\")\r\n",
                        no + 1,
                        words.len()
                    )
                };
                Ok(self.inbox.iter().enumerate().map(row).collect())
            }
            ("UID", "FETCH") => {
                let wanted = uid();
                let found = self.inbox.iter().enumerate().find(|(_, (uid, ..))| *uid == wanted);
                Ok(found.map_or(String::new(), |(no, (uid, _, words))| {
                    format!("* {} FETCH (UID {uid} BODY[] {{{}}}\r\n{words})\r\n", no + 1, words.len())
                }))
            }
            ("UID", "STORE") if command.contains("\\Deleted") => {
                let wanted = uid();
                self.inbox.iter_mut().filter(|(uid, ..)| *uid == wanted).for_each(|row| row.1 = true);
                Ok(String::new())
            }
            ("UID", "COPY") => {
                self.copy(uid(), &last);
                Ok(String::new())
            }
            ("UID", "MOVE") => {
                self.copy(uid(), &last);
                let gone = uid();
                self.inbox.retain(|(uid, ..)| *uid != gone);
                Ok(String::new())
            }
            ("UID", "EXPUNGE") | ("EXPUNGE", _) => {
                self.inbox.retain(|(_, deleted, _)| !deleted);
                Ok(String::new())
            }
            ("LIST" | "SUBSCRIBE" | "NOOP" | "UID", _) => Ok(String::new()),
            _ => Err("BAD what?".to_owned()),
        }
    }
}

/// The name of a step, for the list of what was broken off in.
fn named(command: &str) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    match words.as_slice() {
        ["UID", "FETCH", "1:*", ..] => "UID FETCH (list)".to_owned(),
        ["UID", "FETCH", ..] => "UID FETCH (letter)".to_owned(),
        ["UID", what, ..] => format!("UID {what}"),
        [what, ..] => (*what).to_owned(),
        [] => String::new(),
    }
}

fn serve(mut out: TcpStream, mailbox: &Mutex<Mailbox>, script: &Mutex<Script>, abilities: &str) {
    if step(script, &mut out, "greeting", || b"* OK at your service\r\n".to_vec()) == Next::HangUp {
        return;
    }
    let mut lines = lines(&out);
    while let Some(line) = lines.next() {
        let (tag, command) = line.split_once(' ').unwrap_or((&line, ""));
        let done = format!("{tag} OK done\r\n");
        let next = match named(command).as_str() {
            "CAPABILITY" => step(script, &mut out, "CAPABILITY", || {
                let abilities = abilities.split('=').next().unwrap_or_default();
                format!("* CAPABILITY IMAP4rev1 AUTH=PLAIN {abilities}\r\n{done}").into_bytes()
            }),
            "AUTHENTICATE" => {
                let asked = step(script, &mut out, "AUTHENTICATE", || b"+ \r\n".to_vec());
                if asked == Next::Go && lines.next().is_some() {
                    step(script, &mut out, "AUTHENTICATE (answer)", || done.clone().into_bytes())
                } else {
                    Next::HangUp
                }
            }
            // Answered at once with what `abilities` says behind IDLE=, and never with mail.
            "IDLE" => {
                let answer = abilities.split("IDLE=").nth(1).unwrap_or("+ idling").replace("TAG", tag);
                step(script, &mut out, "IDLE", || {
                    if answer.is_empty() { Vec::new() } else { format!("{answer}\r\n").into_bytes() }
                })
            }
            "DONE" => Next::Go,
            name => step(script, &mut out, name, || match mailbox.lock().unwrap().answer(command) {
                Ok(untagged) => format!("{untagged}{done}").into_bytes(),
                Err(refused) => format!("{tag} {refused}\r\n").into_bytes(),
            }),
        };
        if next == Next::HangUp {
            return;
        }
    }
}

fn words(name: &str, from: &str, number: u32) -> String {
    format!(
        "From: {from}\r\nTo: umpire@example.org\r\nSubject: [duel] orders\r\nMessage-ID: <{name}@example.org>\r\n\r\nnumber {number}\r\n"
    )
}

/// What came of a play against a server with one fault.
struct Played {
    steps: Vec<String>,
    /// To whom and about what letters were written. (Message-IDs and receipts hang on which letter was stored first.)
    written: Vec<(String, String)>,
    failed: bool,
    counts: Counts,
}

/// Two letters in time; the first pass comes after the deadline. With or without a fault everything has to come out the same.
fn play(fault: Option<(usize, Fault)>, abilities: &'static str) -> Played {
    let mailbox = Arc::new(Mutex::new(Mailbox::default()));
    mailbox.lock().unwrap().put(words("n1", NORTH, 5));
    mailbox.lock().unwrap().put(words("s1", SOUTH, 3));
    let script = Arc::new(Mutex::new(Script::new(fault)));
    let (theirs, steps) = (Arc::clone(&mailbox), Arc::clone(&script));
    let port = listen(move |out| serve(out, &theirs, &steps, abilities));
    let config = format!(
        "[mail.imap]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\npassword_command = [\"echo\", \"x\"]\ntimeout_seconds = 1\n"
    );
    let mut bench = Bench::with(&config, "");
    let (mut handled, mut failed, mut closed) = (0, false, 0);
    for no in 0..8 {
        let now = deadline() + minute() + later(no);
        let done = pass(&mut bench.folder, now);
        handled += done.letters.len();
        closed += done.closed.len();
        assert!(done.closed.is_empty() || handled == 2, "{fault:?}: closed with timely mail unread");
        for failure in &done.failures {
            assert!(matches!(failure, Failure::Inbox(_)), "{fault:?}: {failure}");
        }
        failed |= !done.failures.is_empty();
        if done.failures.is_empty() && closed == 1 && mailbox.lock().unwrap().inbox.is_empty() {
            break;
        }
    }
    assert_eq!((handled, closed), (2, 1), "{fault:?}");
    let mailbox = mailbox.lock().unwrap();
    assert!(mailbox.inbox.is_empty(), "{fault:?}: letters were left in the inbox");
    let kept: BTreeSet<&String> = mailbox.folders["Processed"].iter().collect();
    assert_eq!(kept.len(), 2, "{fault:?}: both letters are in Processed");
    let mut written: Vec<_> = bench
        .sent()
        .into_iter()
        .map(|letter| (letter.to, letter.subject.split(", receipt").next().unwrap().to_owned()))
        .collect();
    written.sort();
    let steps = script.lock().unwrap().steps.clone();
    let counts = Counts::of_folder(&bench.dir, 1, 2);
    Played { steps, written, failed, counts }
}

fn break_off_everywhere(abilities: &'static str, faults: &[Fault]) {
    let sound = play(None, abilities);
    assert!(!sound.failed);
    let mut broken = BTreeSet::new();
    let mut counts = Counts::default();
    for &fault in faults {
        for (at, name) in sound.steps.iter().enumerate() {
            // A second of silence costs a second: once for each command is enough.
            if fault == Fault::Stall && sound.steps[..at].contains(name) {
                continue;
            }
            let played = play(Some((at, fault)), abilities);
            assert_eq!(played.written, sound.written, "{fault:?} in step {at}, {name}");
            broken.insert(name.clone());
            counts = counts.and(&played.counts);
        }
    }
    println!("broken off in {}", broken.into_iter().collect::<Vec<_>>().join(", "));
    counts.row(&format!("IMAP ({abilities}) cut in every command"));
}

#[test]
fn a_server_that_moves_letters() {
    use Fault::{CutAfter, CutBefore, CutWithin, Garbage, Say, Stall};
    break_off_everywhere(
        "IDLE MOVE UIDPLUS",
        &[CutBefore, CutWithin, CutAfter, Garbage, Stall, Say("* BYE going down"), Say("a1 OK of another command")],
    );
}

#[test]
fn a_server_that_copies_letters() {
    use Fault::{CutAfter, CutBefore, CutWithin};
    break_off_everywhere("UIDPLUS", &[CutBefore, CutWithin, CutAfter]);
}

/// Whatever a server makes of IDLE: the wait ends, the daemon lives, and letters can be listed afterwards.
#[test]
fn a_server_that_waits_badly() {
    for answer in
        ["IDLE=+ idling", "IDLE=TAG OK no need", "IDLE=TAG BAD what?", "IDLE=TAG NO thanks", "IDLE=", "IDLE=* 9 EXISTS"]
    {
        let mailbox = Mutex::new(Mailbox::default());
        mailbox.lock().unwrap().put(words("n1", NORTH, 5));
        let script = Mutex::new(Script::new(None));
        let port = listen(move |out| serve(out, &mailbox, &script, answer));
        let config = format!(
            "[mail.imap]\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\npassword_command = [\"echo\", \"x\"]\ntimeout_seconds = 1\n"
        );
        let mut bench = Bench::with(&config, "");
        let now = opened() + later(1);
        assert_eq!(bench.folder.inbox.list(now).unwrap().len(), 1, "{answer}");
        let timer = Timer::of(Duration::from_secs(10));
        let _ = bench.folder.inbox.wait_for_mail(Duration::from_secs(1), now);
        assert!(timer.left().is_some(), "{answer}: the wait did not end");
        assert_eq!(bench.folder.inbox.list(now).unwrap().len(), 1, "{answer}");
    }
}
