//! The clock guard: while the clock cannot be trusted, nothing closes and nothing becomes official. Letters are taken all the same.

use super::room::Room;
use super::{Desk, DeskError};
use crate::store::{StoreError, Tx};
use jiff::{SignedDuration, Timestamp};
use std::fmt;

/// The remark of the folder that says since when the clock is not trusted, and why.
const STOPPED: &str = "clock stopped";
/// The remark of the folder that names the newest moment that the umpire knows to be wrong.
const ACCEPTED: &str = "clock accepted";

/// Why the clock is not trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClockTrouble {
    /// Something was written down at a moment that is still to come.
    Behind {
        /// What the clock says.
        now: Timestamp,
        /// The newest moment in the store.
        newest: Timestamp,
    },
    /// It jumped while the daemon watched it, and the umpire has not said yet that it is right.
    Jumped {
        /// When that was seen.
        since: Timestamp,
        /// What was seen, a sentence.
        why: String,
    },
}

impl fmt::Display for ClockTrouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Behind { now, newest } => {
                let by = whole(newest.duration_since(*now));
                write!(f, "the clock says {}, {by} before the newest thing that was written down here", said(*now))
            }
            Self::Jumped { since, why } => write!(f, "{why} (seen at {})", said(*since)),
        }
    }
}

fn said(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

/// A span without its seconds' fractions: "2h 10m".
fn whole(span: SignedDuration) -> String {
    format!("{:#}", SignedDuration::from_secs(span.as_secs()))
}

/// Why nothing may close or become official, if that is so.
pub(super) fn trouble(room: &Room<'_>) -> Result<Option<ClockTrouble>, DeskError> {
    Ok(look(room.tx, room.now, room.policy.clock_slack)?)
}

fn look(tx: &Tx<'_>, now: Timestamp, slack: SignedDuration) -> Result<Option<ClockTrouble>, StoreError> {
    if let Some(text) = tx.remark(STOPPED)? {
        let (since, why) = text.split_once(' ').unwrap_or(("", &text));
        let since = since.parse().unwrap_or(now);
        return Ok(Some(ClockTrouble::Jumped { since, why: why.to_owned() }));
    }
    let Some(newest) = tx.newest_moment()? else { return Ok(None) };
    if newest.duration_since(now) <= slack {
        return Ok(None);
    }
    let accepted = tx.remark(ACCEPTED)?.and_then(|text| text.parse::<Timestamp>().ok());
    Ok(Some(ClockTrouble::Behind { now, newest }).filter(|_| accepted != Some(newest)))
}

impl Desk {
    /// Why nothing may close or become official, if that is so.
    ///
    /// # Errors
    /// If it cannot be looked up.
    pub fn clock_trouble(&mut self, now: Timestamp) -> Result<Option<ClockTrouble>, DeskError> {
        let slack = self.policy.clock_slack;
        Ok(self.store.read(|tx| look(tx, now, slack)).map_err(|fault: StoreError| fault)?)
    }

    /// Writes down that the clock has jumped: `why` is a sentence. Until [`Desk::trust_clock`] nothing closes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn distrust_clock(&mut self, why: &str, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| match room.tx.remark(STOPPED)? {
            Some(_) => Ok(()),
            None => Ok(room.tx.set_remark(STOPPED, Some(&format!("{now} {why}")))?),
        })
    }

    /// The umpire (or the clock, by going back to where it was) says that it is right now. What was written down at moments to
    /// come is known to be wrong from now on.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn trust_clock(&mut self, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| {
            room.tx.set_remark(STOPPED, None)?;
            let newest = room.tx.newest_moment()?.filter(|newest| *newest > now);
            Ok(room.tx.set_remark(ACCEPTED, newest.map(|at| at.to_string()).as_deref())?)
        })
    }
}
