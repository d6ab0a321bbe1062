//! What is to be sent, and what became of it. Sending itself is the daemon's.
//!
//! A letter waits until the mail server has taken it or said a permanent no, or until it is too old. To one address letters leave
//! in the sequence in which they were written; to one domain not too many within a minute.

use super::bounce::{self, Unreachable};
use super::room::Room;
use super::{Desk, DeskError, backoff, window};
use crate::store::{BadAddress, LineDown, OutboxRow, StoreError};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// How long letters that were not delivered, or dropped, are listed.
const LISTED: SignedDuration = SignedDuration::from_hours(30 * 24);
const LISTED_AT_MOST: u32 = 1_000;
const MINUTE: SignedDuration = SignedDuration::from_mins(1);

/// Whether a letter may be sent now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TakenUp {
    /// This is what is to be sent.
    Now(Box<OutboxRow>),
    /// Not now: it has left, was dropped, or waits behind another.
    NotNow,
    /// Enough letters went to its domain within the minute.
    Enough,
}

/// The outbox at a glance.
#[derive(Clone, PartialEq, Debug)]
pub struct OutboxView {
    /// Set while nothing can be sent at all.
    pub line: Option<LineDown>,
    /// Letters that wait, in the sequence of writing; a thousand at most.
    pub waiting: Vec<OutboxRow>,
    /// How many wait.
    pub waiting_count: u32,
    /// Letters of the last 30 days that were given up or came back, newest first.
    pub undelivered: Vec<OutboxRow>,
    /// Letters of the last 30 days whose place others took, newest first.
    pub dropped: Vec<OutboxRow>,
    /// Addresses that cannot be reached.
    pub bad_addresses: Vec<BadAddress>,
    /// When something can leave.
    pub next: Option<Timestamp>,
}

impl Desk {
    /// While nothing can be sent at all: the oldest letter that was written before `before` and could not be sent, when it was
    /// written, and why it could not be. That one player's server is slow is not meant.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn oldest_failed(&mut self, before: Timestamp) -> Result<Option<(Timestamp, String)>, DeskError> {
        let found = self.store.read(|tx| if tx.line()?.is_some() { tx.oldest_failed(before) } else { Ok(None) });
        Ok(found.map_err(|fault: StoreError| fault)?)
    }

    /// The numbers of letters behind number `after` that may be due, with the domains of their addresses, at most `limit`. Ask
    /// [`Desk::take_up`] before each is sent: what happens to one can hold up the next.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn may_leave(&mut self, after: i64, limit: u32, now: Timestamp) -> Result<Vec<(i64, String)>, DeskError> {
        let due = self.store.read(|tx| {
            let closed = tx.line()?.is_some_and(|down| down.next_try > now);
            if closed { Ok(Vec::new()) } else { tx.may_leave(now, after, limit) }
        });
        Ok(due.map_err(|fault: StoreError| fault)?)
    }

    /// A letter to be sent now, if it is.
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn take_up(&mut self, id: i64, now: Timestamp) -> Result<TakenUp, DeskError> {
        self.look(now, |room, _| {
            let Some(row) = room.tx.first_in_turn(id, now)? else { return Ok(TakenUp::NotNow) };
            match free_at(room, &domain_of(&row.post.recipient))? {
                None => Ok(TakenUp::Now(Box::new(row))),
                Some(_) => Ok(TakenUp::Enough),
            }
        })
    }

    /// Writes down that a letter was accepted, and what the server said.
    ///
    /// # Errors
    /// If it cannot be written; the letter will be sent again, with the same Message-ID.
    pub fn sent(&mut self, id: i64, answer: &str, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, tables| {
            let Some(row) = room.tx.post_no(id)? else { return Ok(()) };
            room.tx.sent(id, answer, now)?;
            room.tx.line_up()?;
            room.tx.unmark_address(&row.post.recipient, true)?;
            window::letter_settled(room, tables, &row)
        })
    }

    /// Writes down that the server did not take a letter. It is tried again later, unless the no is `for_good` or the letter has
    /// waited for too long.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn not_sent(&mut self, id: i64, why: &str, for_good: bool, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, tables| {
            let Some(row) = room.tx.post_no(id)? else { return Ok(()) };
            room.tx.line_up()?;
            let too_old = now.duration_since(row.created) >= room.policy.post.give_up;
            if !for_good && !too_old {
                let next = backoff::next_try(&row.post.message_id, row.attempts.saturating_add(1), now);
                return Ok(room.tx.not_sent(id, why, Some(next), now)?);
            }
            room.tx.not_sent(id, why, None, now)?;
            bounce::unreachable(
                room,
                tables,
                &Unreachable { post: &row, address: &row.post.recipient, why, letter: None },
            )?;
            window::letter_settled(room, tables, &row)
        })
    }

    /// Writes down that nothing can be sent at all, found out with this letter: no server, no login, no disk. However long that
    /// lasts, no letter is given up for it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn line_fault(&mut self, id: i64, why: &str, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| {
            let before = room.tx.line()?;
            let tries = before.as_ref().map_or(0, |down| down.tries).saturating_add(1);
            let since = before.map_or(now, |down| down.since);
            let next_try = backoff::next_line(tries, now);
            room.tx.line_down(&LineDown { since, tries, next_try, why: why.to_owned() })?;
            // A letter that alone makes the server hang up must not be tried before all others for ever.
            let Some(row) = room.tx.post_no(id)? else { return Ok(()) };
            let next = backoff::next_try(&row.post.message_id, row.attempts.saturating_add(1), now);
            Ok(room.tx.not_sent(id, why, Some(next), now)?)
        })
    }

    /// The next moment at which a letter may leave: past or present if one may now, `None` if none waits.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn outbox_due(&mut self, now: Timestamp) -> Result<Option<Timestamp>, DeskError> {
        self.look(now, |room, _| next_leave(room))
    }

    /// The outbox at a glance.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn outbox(&mut self, now: Timestamp) -> Result<OutboxView, DeskError> {
        self.look(now, |room, _| {
            let since = now.checked_sub(LISTED).unwrap_or(Timestamp::MIN);
            Ok(OutboxView {
                line: room.tx.line()?,
                waiting: room.tx.unsent(LISTED_AT_MOST)?,
                waiting_count: room.tx.count_waiting()?,
                undelivered: room.tx.undelivered(since, LISTED_AT_MOST)?,
                dropped: room.tx.dropped(since, LISTED_AT_MOST)?,
                bad_addresses: room.tx.bad_addresses()?,
                next: next_leave(room)?,
            })
        })
    }

    /// A letter of ours by number.
    ///
    /// # Errors
    /// If there is none.
    pub fn outgoing(&mut self, id: i64) -> Result<OutboxRow, DeskError> {
        let row = self.store.read(|tx| tx.post_no(id)).map_err(|fault: StoreError| fault)?;
        row.ok_or_else(|| no_letter(id))
    }

    /// Has a letter tried again at once: one that waits, was given up, was dropped or came back. Its address counts as good again.
    ///
    /// # Errors
    /// If there is none of this number, or it was delivered as far as anybody knows.
    pub fn retry(&mut self, id: i64, now: Timestamp) -> Result<OutboxRow, DeskError> {
        self.work(now, |room, _| {
            let row = room.tx.post_no(id)?.ok_or_else(|| no_letter(id))?;
            if row.sent.is_some() && row.returned.is_none() {
                let help = "if it got lost behind that server, send it to the player by hand: `umpire outbox show`";
                return Err(DeskError::refused(format!("letter {id} was taken by the mail server"), help));
            }
            room.tx.try_again(id)?;
            room.tx.line_up()?;
            room.tx.unmark_address(&row.post.recipient, false)?;
            Ok(row)
        })
    }

    /// Has all that waits tried again at once.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn retry_all(&mut self, now: Timestamp) -> Result<u32, DeskError> {
        self.work(now, |room, _| {
            room.tx.try_all_again()?;
            Ok(room.tx.count_waiting()?)
        })
    }

    /// Drops a waiting letter by the umpire's hand.
    ///
    /// # Errors
    /// If there is no reason, no such letter, or it does not wait.
    pub fn drop_letter(&mut self, id: i64, because: &str, now: Timestamp) -> Result<OutboxRow, DeskError> {
        let because = because.trim();
        if because.is_empty() {
            return Err(DeskError::refused("a letter is dropped for a reason", "say --because \"...\""));
        }
        self.work(now, |room, tables| {
            let row = room.tx.post_no(id)?.ok_or_else(|| no_letter(id))?;
            if !room.tx.drop_post(id, &format!("by the umpire: {because}"), now)? {
                return Err(DeskError::refused(format!("letter {id} does not wait any more"), "`umpire outbox` lists"));
            }
            window::letter_settled(room, tables, &row)?;
            Ok(row)
        })
    }
}

fn no_letter(id: i64) -> DeskError {
    DeskError::refused(format!("there is no letter {id} in the outbox"), "`umpire outbox` lists them by number")
}

/// What stands behind the `@`, in small letters.
fn domain_of(address: &str) -> String {
    address.split_once('@').map_or("", |(_, domain)| domain).to_ascii_lowercase()
}

/// When one more letter may go to a domain; `None`: at once.
fn free_at(room: &Room<'_>, domain: &str) -> Result<Option<Timestamp>, DeskError> {
    let Some(bound) = room.policy.post.bound(domain) else { return Ok(None) };
    let since = room.now.checked_sub(MINUTE).unwrap_or(Timestamp::MIN);
    let tried = room.tx.tried_at(domain, since, bound)?;
    let full = u32::try_from(tried.len()).is_ok_and(|tried| tried >= bound);
    Ok(tried.last().filter(|_| full).map(|oldest| oldest.checked_add(MINUTE).unwrap_or(Timestamp::MAX)))
}

fn next_leave(room: &Room<'_>) -> Result<Option<Timestamp>, DeskError> {
    let mut by_domain = BTreeMap::new();
    for head in room.tx.heads()? {
        by_domain.insert(head.domain, head.next_try.unwrap_or(room.now));
    }
    let mut next: Option<Timestamp> = None;
    for (domain, at) in by_domain {
        let at = free_at(room, &domain)?.map_or(at, |free| at.max(free));
        next = Some(next.map_or(at, |next| next.min(at)));
    }
    let closed_until = room.tx.line()?.map(|down| down.next_try);
    Ok(next.map(|next| closed_until.map_or(next, |opens| next.max(opens))))
}
