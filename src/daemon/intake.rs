//! Takes letters in: stores what lies in the inbox, handles what waits, files away what was handled. Several letters share a
//! commit when many wait; the disk is waited for once.

use super::{Failure, Folder, Pass};
use crate::desk::{Handled, Incoming, Outcome};
use crate::engine::LetterNo;
use crate::mail::{self, Inbox, RawLetter, Waiting};
use jiff::Timestamp;

/// Letters that share a commit. Beyond some dozens the disk is no longer what takes the time.
const AT_ONCE: usize = 64;
/// Octets of letters that are held in memory at once; a larger letter is held alone.
const OCTETS_AT_ONCE: u64 = 4 << 20;
/// After so many letters that cannot be read or moved the server is left alone until the next pass.
const PATIENCE: usize = 3;

/// Takes in all letters that lie in the inbox, and handles all that wait. Says whether it got through: only then may a turn be
/// closed, since a letter that came in time may be among the rest.
pub(super) fn take_in(folder: &mut Folder, now: Timestamp, pass: &mut Pass, go_on: &mut dyn FnMut() -> bool) -> bool {
    let letters = match folder.inbox.list(now) {
        Ok(letters) => letters,
        Err(fault) => {
            pass.failures.push(fault.into());
            return false;
        }
    };
    let mut visit = Visit { folder, now, pass, go_on, unread: 0, unmoved: 0, left_alone: false };
    let mut complete = true;
    for some in groups(&letters) {
        let stored = visit.store(some);
        complete &= visit.handle_all();
        visit.file_all_away(&stored);
        if visit.left_alone || !(visit.go_on)() {
            complete = false;
            break;
        }
    }
    visit.handle_all() && complete && visit.unread == 0
}

/// Letters in groups that share a commit.
fn groups(mut letters: &[Waiting]) -> Vec<&[Waiting]> {
    let mut groups = Vec::new();
    while !letters.is_empty() {
        let mut octets = 0;
        let fits = |letter: &&Waiting| {
            octets += letter.size;
            octets <= OCTETS_AT_ONCE
        };
        let many = letters.iter().take(AT_ONCE).take_while(fits).count().max(1);
        let (group, rest) = letters.split_at_checked(many).unwrap_or((letters, &[]));
        groups.push(group);
        letters = rest;
    }
    groups
}

/// A visit to the inbox.
struct Visit<'v> {
    folder: &'v mut Folder,
    now: Timestamp,
    pass: &'v mut Pass,
    go_on: &'v mut dyn FnMut() -> bool,
    /// Letters that could not be stored.
    unread: usize,
    /// Letters that could not be filed away.
    unmoved: usize,
    /// The server does not answer as it should: the rest is left to the next pass.
    left_alone: bool,
}

impl Visit<'_> {
    /// Stores letters, unless they are stored already. Gives those that are stored now.
    fn store<'l>(&mut self, letters: &'l [Waiting]) -> Vec<(&'l Waiting, LetterNo)> {
        let mut stored = Vec::new();
        let mut read = Vec::new();
        for letter in letters {
            if self.left_alone || !(self.go_on)() {
                self.left_alone = true;
                break;
            }
            match self.read(letter) {
                Ok(Read::Known(no)) => stored.push((letter, no)),
                Ok(Read::Gone) => {}
                Ok(Read::Raw(raw)) => read.push((letter, raw)),
                Err(failure) => self.unread(failure),
            }
        }
        let name = self.folder.inbox.name().to_owned();
        let incoming: Vec<Incoming<'_>> = read.iter().map(|(letter, raw)| incoming(&name, letter, raw)).collect();
        match self.folder.desk.receive_many(&incoming, self.now) {
            Ok(taken) => stored.extend(read.iter().zip(taken).map(|((letter, _), taken)| (*letter, taken.no()))),
            Err(_) => stored.extend(self.store_one_by_one(&read, &incoming)),
        }
        stored
    }

    /// On a full disk some may still find room, and whatever is wrong is said of the letter that it is wrong with.
    fn store_one_by_one<'l>(
        &mut self,
        read: &[(&'l Waiting, RawLetter)],
        incoming: &[Incoming<'_>],
    ) -> Vec<(&'l Waiting, LetterNo)> {
        let mut stored = Vec::new();
        for ((letter, _), incoming) in read.iter().zip(incoming) {
            match self.folder.desk.receive(incoming, self.now) {
                Ok(taken) => stored.push((*letter, taken.no())),
                Err(fault) => self.unread(Failure::Letter { name: letter.unique.clone(), fault: Box::new(fault) }),
            }
        }
        stored
    }

    fn read(&mut self, letter: &Waiting) -> Result<Read, Failure> {
        let Folder { inbox, desk, config, .. } = &mut *self.folder;
        if let Some(no) = desk.letter_named(inbox.name(), &letter.unique)? {
            return Ok(Read::Known(no));
        }
        match inbox.read(letter, config.max_letter, self.now) {
            Ok(raw) => Ok(Read::Raw(raw)),
            Err(fault) if fault.is_gone() => Ok(Read::Gone),
            Err(fault) => Err(fault.into()),
        }
    }

    fn unread(&mut self, failure: Failure) {
        self.unread += 1;
        self.left_alone |= self.gives_up(self.unread, &failure);
        self.pass.failures.push(failure);
    }

    /// Whether the rest is left to the next pass. A maildir's letters have nothing to do with one another.
    fn gives_up(&self, failures: usize, failure: &Failure) -> bool {
        let all = matches!(failure, Failure::Inbox(fault) if fault.stops_all());
        matches!(self.folder.inbox, Inbox::Imap(_)) && (all || failures >= PATIENCE)
    }

    fn handle_all(&mut self) -> bool {
        handle_all(self.folder, self.now, self.pass, self.go_on)
    }

    fn file_all_away(&mut self, stored: &[(&Waiting, LetterNo)]) {
        for (letter, no) in stored {
            // Where they cannot be moved they stay; they are stored, and the next pass tries again.
            if self.unmoved >= PATIENCE && matches!(self.folder.inbox, Inbox::Imap(_)) {
                return;
            }
            if let Err(failure) = file_away(self.folder, letter, *no, self.now) {
                self.unmoved += 1;
                if self.gives_up(self.unmoved, &failure) {
                    self.unmoved = PATIENCE;
                }
                self.pass.failures.push(failure);
            }
        }
    }
}

enum Read {
    /// It is stored under this number.
    Known(LetterNo),
    /// Somebody took it away between the listing and the reading: it is no longer ours.
    Gone,
    Raw(RawLetter),
}

fn incoming<'l>(mailbox: &'l str, letter: &'l Waiting, raw: &'l RawLetter) -> Incoming<'l> {
    Incoming { mailbox, unique_name: &letter.unique, received: letter.received, raw: &raw.bytes, cut: raw.oversize }
}

fn handle_all(folder: &mut Folder, now: Timestamp, pass: &mut Pass, go_on: &mut dyn FnMut() -> bool) -> bool {
    loop {
        let waiting = match folder.desk.waiting_letters(u32::try_from(AT_ONCE).unwrap_or(u32::MAX)) {
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

fn file_away(folder: &mut Folder, letter: &Waiting, no: LetterNo, now: Timestamp) -> Result<(), Failure> {
    let Some(outcome) = folder.desk.outcome(no)? else { return Ok(()) };
    let to = match outcome {
        Outcome::Orders | Outcome::Command => mail::Folder::Processed,
        Outcome::Refused | Outcome::Ignored | Outcome::ForUmpire => mail::Folder::Rejected,
    };
    folder.inbox.file_away(letter, to, now)?;
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
