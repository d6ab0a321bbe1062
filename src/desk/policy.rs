//! How an umpire wants his games run: what the configuration says, as the desk sees it.

use crate::engine::GameId;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use std::collections::BTreeMap;

/// What holds in an umpire's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The umpire's name, as the sender of letters.
    pub umpire_name: String,
    /// The address to which orders are sent and from which letters come.
    pub umpire_address: String,
    /// At most this many answers go to one address within an hour; what it orders beyond them is taken and not acknowledged.
    pub answers_per_hour: u32,
    /// How far the clock may be from where it should be before nothing closes any more.
    pub clock_slack: SignedDuration,
    /// What holds for a game that has no entry of its own.
    pub games: GamePolicy,
    /// Games with an entry of their own.
    pub own: BTreeMap<GameId, GamePolicy>,
}

impl Policy {
    /// What holds for `game`.
    pub fn of(&self, game: &GameId) -> &GamePolicy {
        self.own.get(game).unwrap_or(&self.games)
    }
}

/// Whether results go out by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Posting {
    /// As soon as the turn is adjudicated.
    Auto,
    /// When the umpire has seen and released them.
    AfterReview,
}

/// The language of dates and letters. There is one so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// English.
    English,
}

/// How one game is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePolicy {
    /// IANA zone in which a new game's deadlines stand.
    pub zone: String,
    /// Days from the opening of a turn to its deadline.
    pub deadline_days: u16,
    /// The hour of the day at which orders close, in the game's zone.
    pub deadline_time: Time,
    /// Whether results go out by themselves.
    pub posting: Posting,
    /// How long results can be challenged.
    pub challenge: SignedDuration,
    /// The language.
    pub language: Language,
}

impl GamePolicy {
    /// When a turn that is opened at `now` closes: `deadline_days` later at the fixed hour in `zone`, or the first day after
    /// that on which the hour is not before `not_before` (the end of the window for challenges to the turn before).
    ///
    /// # Errors
    /// If there is no such zone, or the time lies beyond the calendar.
    pub fn deadline(&self, zone: &str, now: Timestamp, not_before: Timestamp) -> Result<Timestamp, jiff::Error> {
        let zone = TimeZone::get(zone)?;
        let mut date = now.to_zoned_datetime(zone.clone()).date().checked_add(Span::new().days(self.deadline_days))?;
        loop {
            // An hour that the change to summer time leaves out is the hour after it; one that comes twice is the first.
            let at = zone.to_ambiguous_zoned_datetime(date.to_datetime(self.deadline_time)).compatible()?.timestamp();
            if at > now && at >= not_before {
                return Ok(at);
            }
            date = date.tomorrow()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn weekly() -> GamePolicy {
        GamePolicy {
            zone: "Europe/Stockholm".to_owned(),
            deadline_days: 7,
            deadline_time: jiff::civil::time(20, 0, 0, 0),
            posting: Posting::Auto,
            challenge: SignedDuration::from_hours(24),
            language: Language::English,
        }
    }

    #[test]
    fn the_hour_stays_the_same_over_the_change_of_clocks() {
        let deadline = |now| weekly().deadline("Europe/Stockholm", at(now), at(now)).unwrap().to_string();
        assert_eq!(deadline("2027-01-05T18:42:10Z"), "2027-01-12T19:00:00Z");
        assert_eq!(deadline("2027-03-26T10:00:00Z"), "2027-04-02T18:00:00Z");
        let missing = GamePolicy { deadline_days: 1, deadline_time: jiff::civil::time(2, 30, 0, 0), ..weekly() };
        let on_the_night = missing.deadline("Europe/Stockholm", at("2027-03-27T10:00:00Z"), at("2027-03-27T10:00:00Z"));
        assert_eq!(on_the_night.unwrap().to_string(), "2027-03-28T01:30:00Z");
    }

    #[test]
    fn orders_do_not_close_while_the_turn_before_can_be_challenged() {
        let daily = GamePolicy { deadline_days: 1, ..weekly() };
        let (now, until) = (at("2027-01-05T21:00:00Z"), at("2027-01-06T21:00:00Z"));
        assert_eq!(daily.deadline("Europe/Stockholm", now, until).unwrap().to_string(), "2027-01-07T19:00:00Z");
        let hourly = GamePolicy { deadline_days: 0, ..weekly() };
        let noon = at("2027-01-05T12:00:00Z");
        assert_eq!(hourly.deadline("Europe/Stockholm", noon, noon).unwrap().to_string(), "2027-01-05T19:00:00Z");
    }
}
