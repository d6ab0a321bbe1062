//! Works the outbox off, letter by letter, each as it was stored.

use super::{Failure, Folder, Pass};
use crate::desk::{Desk, DeskError, OutboxRow, TakenUp};
use crate::post::{Sealed, SendError, StoredLetter};
use jiff::Timestamp;
use std::collections::BTreeSet;

/// How many numbers of letters are looked up in one go.
const BATCH: u32 = 100;

/// What became of one try to send a letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It was taken; the server's words.
    Taken(String),
    /// It was not taken now.
    NotNow(String),
    /// It will never be taken.
    Never(String),
    /// Nothing can be sent now.
    NoLine(String),
}

/// How far the outbox was worked off.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkedOff {
    /// Letters that were taken.
    pub sent: usize,
    /// Letters that were not taken now.
    pub put_off: usize,
    /// Letters that were refused for good.
    pub refused: usize,
}

/// Sends what may be sent at `now`, each letter once at most; ends early when `go_on` says no. What becomes of a letter is written
/// down before the next is tried.
///
/// # Errors
/// If the desk cannot be asked or cannot write down what became of a letter. It is sent again then, with the same Message-ID.
pub fn work_off(
    desk: &mut Desk,
    now: Timestamp,
    done: &mut WorkedOff,
    go_on: &mut dyn FnMut() -> bool,
    mut send: impl FnMut(&OutboxRow) -> Answer,
) -> Result<(), DeskError> {
    let mut after = 0;
    let mut enough = BTreeSet::new();
    loop {
        let numbers = desk.may_leave(after, BATCH, now)?;
        let Some((last, _)) = numbers.last() else { return Ok(()) };
        after = *last;
        for (id, domain) in numbers {
            if enough.contains(&domain) {
                continue;
            }
            let row = match desk.take_up(id, now)? {
                TakenUp::Now(row) => row,
                TakenUp::NotNow => continue,
                TakenUp::Enough => {
                    enough.insert(domain);
                    continue;
                }
            };
            if !go_on() {
                return Ok(());
            }
            match send(&row) {
                Answer::Taken(said) => {
                    desk.sent(id, &said, now)?;
                    done.sent += 1;
                }
                Answer::NotNow(why) => {
                    desk.not_sent(id, &why, false, now)?;
                    done.put_off += 1;
                }
                Answer::Never(why) => {
                    desk.not_sent(id, &why, true, now)?;
                    done.refused += 1;
                }
                Answer::NoLine(why) => return desk.line_fault(id, &why, now),
            }
        }
    }
}

/// Sends what may be sent by the folder's way out.
pub(super) fn send(folder: &mut Folder, now: Timestamp, pass: &mut Pass, go_on: &mut dyn FnMut() -> bool) {
    let Folder { desk, transport, config, .. } = folder;
    let from = config.policy.umpire_address.as_str();
    let mut done = WorkedOff::default();
    let failures = &mut pass.failures;
    let worked = work_off(desk, now, &mut done, go_on, |row| {
        let letter = StoredLetter { message_id: &row.post.message_id, bytes: &row.post.raw };
        match transport.send(&Sealed { letter, from, to: &row.post.recipient }, now) {
            Ok(said) => Answer::Taken(said),
            Err(fault) => answer(row, fault, failures),
        }
    });
    if let Err(fault) = worked {
        pass.failures.push(fault.into());
    }
    pass.sent += done.sent;
    pass.put_off += done.put_off;
    pass.refused += done.refused;
}

/// That one player's server is slow is everyday and no failure of the pass; that nothing leaves is. The server's words most
/// often hold the player's address: they are kept with the letter, not in the log.
fn answer(row: &OutboxRow, fault: SendError, failures: &mut Vec<Failure>) -> Answer {
    let why = fault.to_string();
    let (id, to) = (row.id, row.post.recipient.as_str());
    if fault.concerns_all() {
        failures.push(Failure::Post { recipient: to.to_owned(), fault });
        Answer::NoLine(why)
    } else if fault.is_permanent() {
        tracing::warn!("letter {id} was refused for good (`umpire outbox show {id}`)");
        tracing::debug!(letter = id, to, "{why}");
        Answer::Never(why)
    } else {
        tracing::info!("letter {id} was not taken now (`umpire outbox show {id}`)");
        tracing::debug!(letter = id, to, "{why}");
        Answer::NotNow(why)
    }
}
