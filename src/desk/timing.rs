//! When things are due: pure functions of the policy, the record of a turn, and the time. Everything falls on the fixed hour of
//! the day in the game's zone, whatever the clocks do; nothing here looks at a clock.

use super::policy::{AbsenceRule, GamePolicy, Holiday, Missing};
use crate::engine::{Absence, MoveCause, SeatId, Turn};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

/// The days and hours on which a game's deadlines can fall.
pub struct Timetable<'p> {
    policy: &'p GamePolicy,
    zone: TimeZone,
}

impl<'p> Timetable<'p> {
    /// The timetable of a game in its own zone.
    ///
    /// # Errors
    /// If there is no such zone.
    pub fn new(policy: &'p GamePolicy, zone: &str) -> Result<Self, jiff::Error> {
        Ok(Self { policy, zone: TimeZone::get(zone)? })
    }

    /// The fixed hour of a day. An hour that the change to summer time leaves out is the hour after it; of one that comes twice
    /// the first counts.
    fn hour_of(&self, date: Date) -> Result<Timestamp, jiff::Error> {
        let local = date.to_datetime(self.policy.deadline_time);
        Ok(self.zone.to_ambiguous_zoned_datetime(local).compatible()?.timestamp())
    }

    fn date_of(&self, at: Timestamp) -> Date {
        at.to_zoned_datetime(self.zone.clone()).date()
    }

    fn is_holiday(&self, date: Date) -> bool {
        let within = |holiday: &Holiday| holiday.first <= date && date <= holiday.last;
        self.policy.holidays.iter().any(within)
    }

    fn is_regular(&self, date: Date) -> bool {
        let days = &self.policy.weekdays;
        !self.is_holiday(date) && (days.is_empty() || days.contains(&date.weekday()))
    }

    /// The first day from `date` on that will do, at the fixed hour, later than `after`.
    fn first(
        &self,
        mut date: Date,
        after: Timestamp,
        will_do: impl Fn(Date) -> bool,
    ) -> Result<Timestamp, jiff::Error> {
        loop {
            let at = self.hour_of(date)?;
            if at > after && will_do(date) {
                return Ok(at);
            }
            date = date.tomorrow()?;
        }
    }

    /// The deadline of a turn that is opened at `now`: `deadline_days` later at least, on a day of the week on which deadlines
    /// fall and that is no holiday, and not before `not_before` (the end of the window for challenges to the turn before).
    ///
    /// # Errors
    /// If it lies beyond the calendar.
    pub fn deadline(&self, now: Timestamp, not_before: Timestamp) -> Result<Timestamp, jiff::Error> {
        let date = self.date_of(now).checked_add(Span::new().days(self.policy.deadline_days))?;
        let late_enough = |date| self.is_regular(date) && self.hour_of(date).is_ok_and(|at| at >= not_before);
        self.first(date, now, late_enough)
    }

    /// The fixed hour so many days after a deadline, or of the first day after that which is no holiday.
    ///
    /// # Errors
    /// If it lies beyond the calendar.
    pub fn days_later(&self, deadline: Timestamp, days: i64) -> Result<Timestamp, jiff::Error> {
        let date = self.date_of(deadline).checked_add(Span::new().try_days(days)?)?;
        self.first(date, deadline, |date| !self.is_holiday(date))
    }

    /// A deadline as many whole days later as `held` has begun, at its own hour of the day, on no holiday. One that stands at the
    /// fixed hour keeps to that, also over a night in which the hour did not exist.
    ///
    /// # Errors
    /// If it lies beyond the calendar.
    pub fn given_back(&self, deadline: Timestamp, held: SignedDuration) -> Result<Timestamp, jiff::Error> {
        let days = days_begun(held);
        if days == 0 || self.hour_of(self.date_of(deadline))? == deadline {
            return if days == 0 { Ok(deadline) } else { self.days_later(deadline, days) };
        }
        let local = deadline.to_zoned_datetime(self.zone.clone()).datetime();
        let mut later = local.checked_add(Span::new().try_days(days)?)?;
        while self.is_holiday(later.date()) {
            later = later.tomorrow()?;
        }
        Ok(self.zone.to_ambiguous_zoned_datetime(later).compatible()?.timestamp())
    }

    /// Where a turn's deadline moves because of an absence, if it does: to the first fixed hour after it that is no holiday,
    /// unless absences would then have moved it by more days than they may. To move it halfway would keep everybody waiting
    /// and help nobody.
    ///
    /// # Errors
    /// If it lies beyond the calendar.
    pub fn behind(&self, turn: &Turn, absence: &Absence) -> Result<Option<Timestamp>, jiff::Error> {
        if self.policy.absence != AbsenceRule::Extend || !absence.covers(turn.deadline) {
            return Ok(None);
        }
        let back = self.date_of(absence.ends);
        let moved = self.first(back, turn.deadline, |date| {
            !self.is_holiday(date) && self.hour_of(date).is_ok_and(|at| at >= absence.ends)
        })?;
        let before: i64 =
            turn.moves.iter().filter(|m| m.cause == MoveCause::Absence).map(|m| self.days(m.from, m.to)).sum();
        let days = before + self.days(turn.deadline, moved);
        Ok((days <= self.policy.absence_max_days.into()).then_some(moved))
    }

    fn days(&self, from: Timestamp, to: Timestamp) -> i64 {
        self.date_of(from).until(self.date_of(to)).map_or(i64::MAX / 4, |span| span.get_days().into())
    }

    /// Where the deadline moves because too many have sent nothing, if it does.
    ///
    /// # Errors
    /// If it lies beyond the calendar.
    pub fn for_the_missing(
        &self,
        turn: &Turn,
        waited_for: usize,
        missing: usize,
    ) -> Result<Option<Timestamp>, jiff::Error> {
        let enough = match self.policy.extend_if_missing {
            Missing::Never => false,
            Missing::Half => missing > 0 && missing * 2 >= waited_for,
            Missing::Count(count) => missing >= usize::from(count),
        };
        let times = turn.moves.iter().filter(|m| m.cause == MoveCause::Missing).count();
        if !enough || times >= usize::from(self.policy.extend_times) {
            return Ok(None);
        }
        self.days_later(turn.deadline, days_begun(self.policy.extend_by)).map(Some)
    }
}

fn days_begun(span: SignedDuration) -> i64 {
    const DAY: i64 = 86_400;
    (span.as_secs() + DAY - 1) / DAY
}

/// The last moment at which a letter for the turn counts: the deadline, or the end of the grace after it.
pub fn last_moment(policy: &GamePolicy, turn: &Turn) -> Timestamp {
    if turn.closed_early {
        return turn.deadline;
    }
    turn.deadline.checked_add(policy.grace).unwrap_or(Timestamp::MAX)
}

/// The earliest moment at which a turn can close because all are ready.
pub fn earliest(policy: &GamePolicy, turn: &Turn) -> Timestamp {
    turn.opened.checked_add(policy.earliest).unwrap_or(Timestamp::MAX).min(turn.deadline)
}

/// Whether a turn's time for orders is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    /// Not before this moment is past, as things stand.
    NotBefore(Timestamp),
    /// It was over at this moment. A complete intake has to begin after it.
    AtDeadline(Timestamp),
    /// All are ready, and have been since this moment. A complete intake has to begin after it.
    Early(Timestamp),
}

/// Whether a turn is due at `now`, if these seats are waited for, and the turn before became final at `free_since`.
pub fn due(policy: &GamePolicy, turn: &Turn, waited_for: &[SeatId], free_since: Timestamp, now: Timestamp) -> Due {
    let last = last_moment(policy, turn);
    if now > last {
        return Due::AtDeadline(last);
    }
    let ready: Option<Vec<Timestamp>> = waited_for.iter().map(|seat| turn.ready.get(seat).copied()).collect();
    let Some(said) = ready.filter(|said| policy.close_early && !said.is_empty()) else { return Due::NotBefore(last) };
    let since = said.into_iter().fold(earliest(policy, turn).max(free_since), Timestamp::max);
    match since {
        // Who is ready only in the grace waits for its end: nothing is early any more.
        _ if since >= turn.deadline => Due::NotBefore(last),
        _ if now > since => Due::Early(since),
        _ => Due::NotBefore(since),
    }
}

/// The moment behind which a turn's time for orders is over, as things stand: [`due`] without the present.
pub fn closes(policy: &GamePolicy, turn: &Turn, waited_for: &[SeatId], free_since: Timestamp) -> Timestamp {
    match due(policy, turn, waited_for, free_since, Timestamp::MIN) {
        Due::NotBefore(at) | Due::AtDeadline(at) | Due::Early(at) => at,
    }
}

/// The reminder that is due now, if one is: the distance nearest to the deadline that has been reached. One that a sleeping
/// machine let pass is not sent beside the next, nor is any of a distance that had been passed when the deadline was set: the
/// letter that told of it has just been read.
pub fn reminder(policy: &GamePolicy, turn: &Turn, now: Timestamp) -> Option<SignedDuration> {
    let reached = |ahead: &SignedDuration| {
        let at = turn.deadline.checked_sub(*ahead).unwrap_or(Timestamp::MIN);
        set_at(turn) < at && at <= now
    };
    let nearest = policy.reminders.iter().copied().filter(reached).min()?;
    let sent = |(deadline, ahead): &(Timestamp, i64)| *deadline == turn.deadline && *ahead <= nearest.as_secs();
    (now < turn.deadline && !turn.reminded.iter().any(sent)).then_some(nearest)
}

/// The next moment at which a reminder is due that has not been sent.
pub fn unsent_reminder(policy: &GamePolicy, turn: &Turn) -> Option<Timestamp> {
    let sent = |ahead: &SignedDuration| {
        turn.reminded.iter().any(|(deadline, done)| *deadline == turn.deadline && *done <= ahead.as_secs())
    };
    let at = |ahead: &SignedDuration| turn.deadline.checked_sub(*ahead).ok();
    policy.reminders.iter().filter(|ahead| !sent(ahead)).filter_map(at).filter(|at| *at > set_at(turn)).min()
}

/// When the present deadline was set.
fn set_at(turn: &Turn) -> Timestamp {
    turn.moves.last().map_or(turn.opened, |last| last.at)
}

#[cfg(test)]
mod tests;
