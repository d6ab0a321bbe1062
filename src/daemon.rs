//! The loop: fetch, take in, close what is due, make official what is due, render, send. No rules.
//!
//! A pass can be killed anywhere and run again: every step is one transaction that knows whether it was done, a letter is filed
//! away only after what became of it is written down, and what is sent bears a name by which a repetition is known.

pub mod alert;
mod failure;
mod folder;
mod guard;
mod intake;
mod log;
mod pages;
mod patience;
mod send;
mod serve;
mod wake;

pub use failure::Failure;
pub use folder::{Folder, FolderError, Heartbeat, LOCK_FILE};
pub use guard::{ClockWatch, Seen};
pub use send::{Answer, WorkedOff, work_off};
pub use serve::serve;
pub use wake::{Wake, Waker};

use crate::desk::{Closed, DeskError, Handled, Ratified};
use crate::engine::{GameId, LetterNo, TurnNo};
use jiff::Timestamp;

/// Games moved on before letters are looked for again: when ten thousand deadlines fall into one minute, letters are answered
/// all the same.
const GAMES_AT_ONCE: usize = 32;

/// What a pass did.
#[derive(Debug, Default)]
pub struct Pass {
    /// Letters handled, in the sequence of their receipt, and what became of each.
    pub letters: Vec<(LetterNo, Handled)>,
    /// Turns that were closed.
    pub closed: Vec<ClosedTurn>,
    /// Turns whose deadline moved because too many had sent nothing: the mail may be at fault, and the umpire should look.
    pub extended: Vec<ExtendedTurn>,
    /// How many reminders were written.
    pub reminded: usize,
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
    /// The intake was complete: everything that had come in time has been read.
    pub complete: bool,
    /// There is more to do at once.
    pub more: bool,
}

impl Pass {
    /// Whether nothing was done.
    pub fn is_idle(&self) -> bool {
        self.letters.is_empty()
            && self.closed.is_empty()
            && self.extended.is_empty()
            && self.ratified.is_empty()
            && self.sent + self.refused + self.pages + self.reminded == 0
    }

    fn and_then(&mut self, next: Pass) {
        self.letters.extend(next.letters);
        self.closed.extend(next.closed);
        self.extended.extend(next.extended);
        self.reminded += next.reminded;
        self.ratified.extend(next.ratified);
        self.failures.extend(next.failures);
        (self.pages, self.sent) = (self.pages + next.pages, self.sent + next.sent);
        (self.put_off, self.refused) = (self.put_off + next.put_off, self.refused + next.refused);
        (self.complete, self.more) = (next.complete, next.more);
    }
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

/// A turn whose deadline moved by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtendedTurn {
    /// The game.
    pub game: GameId,
    /// The turn.
    pub turn: TurnNo,
    /// What it is called.
    pub phase: String,
    /// The new deadline.
    pub deadline: Timestamp,
    /// From whom nothing has come, by name.
    pub missing: Vec<String>,
    /// How many are waited for.
    pub waited_for: usize,
}

/// Everything that is to be done in an umpire's folder at the time `now`.
pub fn pass(folder: &mut Folder, now: Timestamp) -> Pass {
    let mut all = Pass::default();
    loop {
        let slice = slice(folder, now, &mut || true);
        let goes_on = slice.more && !slice.is_idle();
        all.and_then(slice);
        if !goes_on {
            return all;
        }
    }
}

/// One pass over an umpire's folder at the time `now`, of bounded length unless many letters wait. Between transactions `go_on`
/// is asked; the pass ends early if it says no.
pub fn slice(folder: &mut Folder, now: Timestamp, go_on: &mut dyn FnMut() -> bool) -> Pass {
    let mut pass = Pass::default();
    pass.complete = intake::take_in(folder, now, &mut pass, go_on);
    if pass.complete {
        folder.note_intake(now);
        move_on(folder, now, &mut pass, go_on);
    }
    pages::render(folder, now, &mut pass, go_on);
    send::send(folder, now, &mut pass, go_on);
    pass
}

/// Closes what is due and makes official what is due, in every game in which something is.
fn move_on(folder: &mut Folder, now: Timestamp, pass: &mut Pass, go_on: &mut dyn FnMut() -> bool) {
    match folder.desk.clock_trouble(now) {
        Ok(None) => {}
        Ok(Some(trouble)) => return pass.failures.push(Failure::Clock(trouble)),
        Err(fault) => return pass.failures.push(fault.into()),
    }
    let limit = u32::try_from(GAMES_AT_ONCE + 1 + folder.stuck.len()).unwrap_or(u32::MAX);
    let mut due = match folder.desk.due(now, limit) {
        Ok(due) => due,
        Err(fault) => return pass.failures.push(fault.into()),
    };
    due.retain(|(game, length)| folder.stuck.is_over(game, *length, now));
    pass.more |= due.len() > GAMES_AT_ONCE;
    for (game, length) in due.into_iter().take(GAMES_AT_ONCE) {
        if !go_on() {
            return;
        }
        move_game(folder, &game, length, now, pass);
    }
}

/// Moves a game on until nothing more is due. One that did not move is left alone for a while: it was due by the agenda, and
/// something else holds it.
fn move_game(folder: &mut Folder, game: &GameId, length: u64, now: Timestamp, pass: &mut Pass) {
    let mut moved = false;
    loop {
        match step(folder, game, now, pass) {
            Ok(true) => moved = true,
            Ok(false) => break,
            Err(fault) => {
                pass.failures.push(Failure::Game { game: game.clone(), fault: Box::new(fault) });
                moved = false;
                break;
            }
        }
    }
    if moved { folder.stuck.free(game) } else { folder.stuck.hold(game, length, now) }
}

/// Moves a game on by one stage, if one is due.
fn step(folder: &mut Folder, game: &GameId, now: Timestamp, pass: &mut Pass) -> Result<bool, DeskError> {
    match folder.desk.close_if_due(game, now, now)? {
        Closed::Done { turn, phase, events, until } => {
            pass.closed.push(ClosedTurn { game: game.clone(), turn, phase, events, until });
            return Ok(true);
        }
        Closed::Extended { turn, phase, deadline, missing, waited_for } => {
            let game = game.clone();
            pass.extended.push(ExtendedTurn { game, turn, phase, deadline, missing, waited_for });
            return Ok(true);
        }
        Closed::NotYet(_) => {}
    }
    if let Ratified::Done { turn, phase } = folder.desk.ratify_if_due(game, now, now)? {
        pass.ratified.push((game.clone(), turn, phase));
        return Ok(true);
    }
    let reminded = folder.desk.remind_if_due(game, now)?;
    pass.reminded += reminded;
    Ok(reminded > 0)
}
