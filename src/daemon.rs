//! The loop: fetch, take in, close what is due, make official what is due, render, send. No rules.
//!
//! A pass can be killed anywhere and run again: every step is one transaction that knows whether it was done, a letter is filed
//! away only after what became of it is written down, and what is sent bears a name by which a repetition is known.

mod folder;
mod pages;
mod send;

pub use folder::{Folder, FolderError, LOCK_FILE};
pub use send::{Answer, WorkedOff, work_off};

use crate::desk::{Closed, DeskError, Handled, Incoming, Outcome, Ratified};
use crate::engine::{GameId, LetterNo, TurnNo};
use crate::mail::{self, InboxError, Waiting};
use crate::post::SendError;
use jiff::Timestamp;

/// After so many letters that cannot be read the server is left alone until the next pass.
const PATIENCE: usize = 3;

/// What a pass did.
#[derive(Debug, Default)]
pub struct Pass {
    /// Letters handled, in the sequence of their receipt, and what became of each.
    pub letters: Vec<(LetterNo, Handled)>,
    /// Turns that were closed.
    pub closed: Vec<ClosedTurn>,
    /// Turns that became official: game, turn, phase.
    pub ratified: Vec<(GameId, TurnNo, String)>,
    /// Pages that were written.
    pub pages: usize,
    /// Letters that were sent.
    pub sent: usize,
    /// Letters that were not taken now and are tried again later.
    pub put_off: usize,
    /// Letters that were refused for good.
    pub refused: usize,
    /// What went wrong. The rest was done all the same.
    pub failures: Vec<Failure>,
}

/// A turn that a pass closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClosedTurn {
    /// The game.
    pub game: GameId,
    /// The turn.
    pub turn: TurnNo,
    /// What it is called.
    pub phase: String,
    /// How many events there were.
    pub events: usize,
    /// When challenges close; `None` if the results wait for review.
    pub until: Option<Timestamp>,
}

/// Something that a pass could not do.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The inbox cannot be used. Nothing is closed before it can.
    #[error("the inbox: {0}")]
    Inbox(#[from] InboxError),
    /// A letter could not be stored; it stays in the inbox.
    #[error("the letter {name} could not be taken in: {fault}")]
    Letter {
        /// Its name in the mailbox, or its number.
        name: String,
        /// Why.
        fault: Box<DeskError>,
    },
    /// A game could not be moved on.
    #[error("game {game} could not go on: {fault}")]
    Game {
        /// Which.
        game: GameId,
        /// Why.
        fault: Box<DeskError>,
    },
    /// The desk could not be asked.
    #[error("{0}")]
    Desk(Box<DeskError>),
    /// The pages could not be written.
    #[error("the pages: could not write {path}: {fault}")]
    Site {
        /// Which file.
        path: String,
        /// Why.
        fault: std::io::Error,
    },
    /// A letter could not be sent; it is kept.
    #[error("a letter to {recipient} could not be sent: {fault}")]
    Post {
        /// To whom.
        recipient: String,
        /// Why.
        fault: SendError,
    },
}

impl From<DeskError> for Failure {
    fn from(fault: DeskError) -> Self {
        Failure::Desk(Box::new(fault))
    }
}

impl Failure {
    /// Whether it may well go away by itself; if not, the umpire has to be woken.
    pub fn is_retryable(&self) -> bool {
        match self {
            Failure::Inbox(fault) => fault.is_retryable(),
            Failure::Letter { fault, .. } | Failure::Game { fault, .. } | Failure::Desk(fault) => fault.is_retryable(),
            Failure::Site { fault, .. } => matches!(fault.kind(), std::io::ErrorKind::StorageFull),
            Failure::Post { fault, .. } => fault.is_retryable(),
        }
    }
}

/// One pass over an umpire's folder at the time `now`.
pub fn pass(folder: &mut Folder, now: Timestamp) -> Pass {
    let mut pass = Pass::default();
    let complete = take_in(folder, now, &mut pass);
    if complete {
        move_on(folder, now, &mut pass);
    }
    match pages::render(folder, now) {
        Ok(written) => pass.pages = written,
        Err(failure) => pass.failures.push(failure),
    }
    send::send(folder, now, &mut pass);
    pass
}

/// Takes in all letters that lie in the inbox, and handles all that wait. Says whether it got through: only then may a turn be
/// closed, since a letter that came in time may be among the rest.
fn take_in(folder: &mut Folder, now: Timestamp, pass: &mut Pass) -> bool {
    let letters = match folder.inbox.list(now) {
        Ok(letters) => letters,
        Err(fault) => {
            pass.failures.push(fault.into());
            return false;
        }
    };
    let mut stored = Vec::new();
    let mut unread = 0;
    for letter in letters {
        match store(folder, &letter, now) {
            Ok(Some(no)) => stored.push((letter, no)),
            Ok(None) => {}
            Err(failure) => {
                unread += 1;
                if give_up(folder, unread, failure, pass) {
                    break;
                }
            }
        }
    }
    let handled = handle_all(folder, now, pass);
    let mut unmoved = 0;
    for (letter, no) in stored {
        if let Err(failure) = file_away(folder, &letter, no, now) {
            unmoved += 1;
            if give_up(folder, unmoved, failure, pass) {
                break;
            }
        }
    }
    handled && unread == 0
}

/// Notes a failure, and says whether the rest is left to the next pass. A maildir's letters have nothing to do with one another.
fn give_up(folder: &Folder, failures: usize, failure: Failure, pass: &mut Pass) -> bool {
    let all = matches!(&failure, Failure::Inbox(fault) if fault.stops_all());
    pass.failures.push(failure);
    matches!(folder.inbox, mail::Inbox::Imap(_)) && (all || failures >= PATIENCE)
}

/// Stores a letter, unless it is stored already. `None`: somebody took it away between the listing and the reading, and it is no
/// longer ours.
fn store(folder: &mut Folder, letter: &Waiting, now: Timestamp) -> Result<Option<LetterNo>, Failure> {
    let Folder { inbox, desk, config, .. } = folder;
    if let Some(no) = desk.letter_named(inbox.name(), &letter.unique)? {
        return Ok(Some(no));
    }
    let raw = match inbox.read(letter, config.max_letter, now) {
        Ok(raw) => raw,
        Err(fault) if fault.is_gone() => return Ok(None),
        Err(fault) => return Err(fault.into()),
    };
    let incoming = Incoming {
        mailbox: inbox.name(),
        unique_name: &letter.unique,
        received: letter.received,
        raw: &raw.bytes,
        cut: raw.oversize,
    };
    let taken = desk.receive(&incoming, now);
    taken.map(|taken| Some(taken.no())).map_err(|fault| {
        let fault = Box::new(fault);
        Failure::Letter { name: letter.unique.clone(), fault }
    })
}

fn handle_all(folder: &mut Folder, now: Timestamp, pass: &mut Pass) -> bool {
    let waiting = match folder.desk.waiting_letters() {
        Ok(waiting) => waiting,
        Err(fault) => {
            pass.failures.push(fault.into());
            return false;
        }
    };
    for no in waiting {
        match folder.desk.handle(no, now) {
            Ok(done) => pass.letters.push((no, done)),
            Err(fault) => {
                let again = fault.is_retryable();
                let why = fault.to_string();
                pass.failures.push(Failure::Letter { name: no.to_string(), fault: Box::new(fault) });
                // What fails for good must not keep all other letters out: it is laid aside for the umpire.
                if again || folder.desk.set_aside(no, &why, now).is_err() {
                    return false;
                }
            }
        }
    }
    true
}

fn file_away(folder: &mut Folder, letter: &Waiting, no: LetterNo, now: Timestamp) -> Result<(), Failure> {
    let Some(done) = folder.desk.letter(no)?.disposition else { return Ok(()) };
    let to = match done.outcome {
        Outcome::Orders | Outcome::Command => mail::Folder::Processed,
        Outcome::Refused | Outcome::Ignored | Outcome::ForUmpire => mail::Folder::Rejected,
    };
    folder.inbox.file_away(letter, to, now)?;
    Ok(())
}

/// Closes what is due and makes official what is due, in every game, until nothing more is.
fn move_on(folder: &mut Folder, now: Timestamp, pass: &mut Pass) {
    let games = match folder.desk.games() {
        Ok(games) => games,
        Err(fault) => return pass.failures.push(fault.into()),
    };
    for game in games {
        loop {
            match step(folder, &game, now, pass) {
                Ok(true) => {}
                Ok(false) => break,
                Err(fault) => {
                    pass.failures.push(Failure::Game { game: game.clone(), fault: Box::new(fault) });
                    break;
                }
            }
        }
    }
}

/// Moves a game on by one stage, if one is due.
fn step(folder: &mut Folder, game: &GameId, now: Timestamp, pass: &mut Pass) -> Result<bool, DeskError> {
    if let Closed::Done { turn, phase, events, until } = folder.desk.close_if_due(game, now, now)? {
        pass.closed.push(ClosedTurn { game: game.clone(), turn, phase, events, until });
        return Ok(true);
    }
    if let Ratified::Done { turn, phase } = folder.desk.ratify_if_due(game, now, now)? {
        pass.ratified.push((game.clone(), turn, phase));
        return Ok(true);
    }
    Ok(false)
}
