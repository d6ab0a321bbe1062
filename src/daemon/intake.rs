//! Takes letters in: stores what lies in the inbox, handles what waits, files away what was handled. Several letters share a
//! commit when many wait; the disk is waited for once.

use super::{Failure, Folder, Pass};
use crate::desk::{Handled, Incoming, Outcome};
use crate::engine::LetterNo;
use crate::mail::{self, MailFile, MaildirError, RawLetter};
use jiff::Timestamp;

/// The mailbox's name in the intake. There is one inbox; where it lies may change.
const INBOX: &str = "maildir";

/// Letters that share a commit. Beyond some dozens the disk is no longer what takes the time.
const AT_ONCE: u32 = 64;

/// Takes in all letters that lie in the inbox, and handles all that wait. Says whether it got through: only then may a turn be
/// closed, since a letter that came in time may be among the rest.
pub(super) fn take_in(folder: &mut Folder, now: Timestamp, pass: &mut Pass, go_on: &mut dyn FnMut() -> bool) -> bool {
    let files = match folder.inbox.list() {
        Ok(files) => files,
        Err(fault) => {
            pass.failures.push(fault.into());
            return false;
        }
    };
    let mut complete = true;
    for some in files.chunks(AT_ONCE as usize) {
        let stored = store(folder, some, now, pass);
        complete &= stored.len() == some.len();
        complete &= handle_all(folder, now, pass, go_on);
        for (file, no) in stored.into_iter().filter_map(|(file, no)| Some((file, no?))) {
            if let Err(failure) = file_away(folder, file, no) {
                pass.failures.push(failure);
            }
        }
        if !go_on() {
            return false;
        }
    }
    complete & handle_all(folder, now, pass, go_on)
}

/// Stores letters. Gives those with which all is well: with their number, or without if somebody took them away.
fn store<'f>(
    folder: &mut Folder,
    files: &'f [MailFile],
    now: Timestamp,
    pass: &mut Pass,
) -> Vec<(&'f MailFile, Option<LetterNo>)> {
    let mut read = Vec::new();
    let mut done = Vec::new();
    for file in files {
        match folder.inbox.read(file, folder.config.max_letter) {
            Ok(raw) => read.push((file, raw)),
            // Somebody took it away between the listing and the reading: it is no longer ours.
            Err(MaildirError::Gone { .. }) => done.push((file, None)),
            Err(fault) => pass.failures.push(fault.into()),
        }
    }
    let letters: Vec<Incoming<'_>> = read.iter().map(|(file, raw)| incoming(file, raw)).collect();
    if let Ok(taken) = folder.desk.receive_many(&letters, now) {
        done.extend(read.iter().zip(taken).map(|((file, _), taken)| (*file, Some(taken.no()))));
        return done;
    }
    // One by one: on a full disk some may still find room, and whatever is wrong is said of the letter that it is wrong with.
    for (file, letter) in read.iter().zip(&letters).map(|((file, _), letter)| (*file, letter)) {
        match folder.desk.receive(letter, now) {
            Ok(taken) => done.push((file, Some(taken.no()))),
            Err(fault) => {
                pass.failures.push(Failure::Letter { name: file.unique.clone(), fault: Box::new(fault) });
            }
        }
    }
    done
}

fn incoming<'l>(file: &'l MailFile, raw: &'l RawLetter) -> Incoming<'l> {
    Incoming { mailbox: INBOX, unique_name: &file.unique, received: file.received, raw: &raw.bytes, cut: raw.oversize }
}

fn handle_all(folder: &mut Folder, now: Timestamp, pass: &mut Pass, go_on: &mut dyn FnMut() -> bool) -> bool {
    loop {
        let waiting = match folder.desk.first_waiting(AT_ONCE) {
            Ok(waiting) => waiting,
            Err(fault) => {
                pass.failures.push(fault.into());
                return false;
            }
        };
        if waiting.is_empty() {
            return true;
        }
        if !go_on() || !handle_some(folder, &waiting, now, pass) {
            return false;
        }
    }
}

fn handle_some(folder: &mut Folder, waiting: &[LetterNo], now: Timestamp, pass: &mut Pass) -> bool {
    let all = match folder.desk.handle_many(waiting, now) {
        Ok(all) => all,
        Err(fault) => {
            let name = waiting.first().map_or_else(String::new, ToString::to_string);
            pass.failures.push(Failure::Letter { name, fault: Box::new(fault) });
            return false;
        }
    };
    for (no, done) in waiting.iter().zip(all) {
        match done {
            Ok(done) => pass.letters.push((*no, done)),
            Err(fault) => {
                let why = fault.to_string();
                pass.failures.push(Failure::Letter { name: no.to_string(), fault: Box::new(fault) });
                // What fails for good must not keep all other letters out: it is laid aside for the umpire.
                if folder.desk.set_aside(*no, &why, now).is_err() {
                    return false;
                }
            }
        }
    }
    true
}

fn file_away(folder: &mut Folder, file: &MailFile, no: LetterNo) -> Result<(), Failure> {
    let Some(outcome) = folder.desk.outcome(no)? else { return Ok(()) };
    let to = match outcome {
        Outcome::Orders | Outcome::Command => mail::Folder::Processed,
        Outcome::Refused | Outcome::Ignored | Outcome::ForUmpire => mail::Folder::Rejected,
    };
    folder.inbox.file_away(file, to)?;
    Ok(())
}

/// What became of a letter, for a log that many may read: no word of what it said, and no address.
pub(super) fn in_short(no: LetterNo, done: &Handled) -> String {
    let whose = match (&done.game, &done.seat) {
        (Some(game), Some(seat)) => format!(" ({game}, {seat})"),
        (Some(game), None) => format!(" ({game})"),
        _ => String::new(),
    };
    let what = match done.outcome {
        Outcome::Orders => "orders taken",
        Outcome::Command => "a challenge or command",
        Outcome::Refused => "answered, nothing taken",
        Outcome::Ignored => "not a person's, not answered",
        Outcome::ForUmpire => "needs you (`umpire review --letter`)",
    };
    format!("letter {no}{whose}: {what}")
}
