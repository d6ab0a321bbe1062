//! Watches the clock against the machine's own pulse. What the clock gains or loses on it in small steps is a clock being kept
//! right; what it gains or loses at one stroke is a jump, and a jump closes turns before their time.

use crate::clock::Reading;
use jiff::SignedDuration;

/// The clock as it was last trusted.
#[derive(Debug)]
pub struct ClockWatch {
    slack: SignedDuration,
    trusted: Option<Reading>,
    jumped: bool,
}

/// What a look at the clock shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// It goes as it should.
    Sound,
    /// It goes as it should; the machine has slept for so long.
    Slept(SignedDuration),
    /// It has jumped by so much, forward or (negative) back.
    Jumped(SignedDuration),
    /// It had jumped, and is back where it should be.
    Back,
}

impl ClockWatch {
    /// A watch that lets pass what is not more than `slack`.
    pub fn new(slack: SignedDuration) -> Self {
        Self { slack, trusted: None, jumped: false }
    }

    /// Whether it has seen a jump that is not over.
    pub fn has_jumped(&self) -> bool {
        self.jumped
    }

    /// Looks at the clock.
    pub fn look(&mut self, now: Reading) -> Seen {
        let Some(trusted) = self.trusted else {
            self.trust(now);
            return Seen::Sound;
        };
        let passed = now.since_boot - trusted.since_boot;
        let off = now.wall.duration_since(trusted.wall) - passed;
        if off.abs() > self.slack {
            self.jumped = true;
            return Seen::Jumped(off);
        }
        let slept = passed - (now.awake - trusted.awake);
        let was_off = self.jumped;
        self.trust(now);
        match was_off {
            true => Seen::Back,
            false if slept > self.slack => Seen::Slept(slept),
            false => Seen::Sound,
        }
    }

    /// Forgets that a jump was seen, but not by what: the next look sees it again.
    pub fn unsee(&mut self) {
        self.jumped = false;
    }

    /// Takes the clock as it is now for right.
    pub fn trust(&mut self, now: Reading) {
        (self.trusted, self.jumped) = (Some(now), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn reading(wall: &str, since_boot: i64, awake: i64) -> Reading {
        let [since_boot, awake] = [since_boot, awake].map(SignedDuration::from_mins);
        Reading { wall: wall.parse::<Timestamp>().unwrap(), since_boot, awake }
    }

    fn watch() -> ClockWatch {
        let mut watch = ClockWatch::new(SignedDuration::from_mins(10));
        assert_eq!(watch.look(reading("2027-03-28T00:30:00Z", 100, 100)), Seen::Sound);
        watch
    }

    /// In the night of 28 March 2027 the clocks of Stockholm go from two to three: the time does not.
    #[test]
    fn summer_time_is_no_jump() {
        let zone = jiff::tz::TimeZone::get("Europe/Stockholm").unwrap();
        let at = |hour, minute, boot| {
            let local = jiff::civil::date(2027, 3, 28).at(hour, minute, 0, 0);
            let wall = zone.to_ambiguous_zoned_datetime(local).compatible().unwrap().timestamp();
            reading(&wall.to_string(), boot, boot)
        };
        let mut watch = ClockWatch::new(SignedDuration::from_mins(10));
        assert_eq!(watch.look(at(1, 59, 100)), Seen::Sound);
        assert_eq!(watch.look(at(3, 1, 102)), Seen::Sound);
    }

    #[test]
    fn a_slow_clock_that_is_kept_right_is_no_jump() {
        let mut watch = watch();
        assert_eq!(watch.look(reading("2027-03-28T00:39:00Z", 100, 100)), Seen::Sound);
        assert_eq!(watch.look(reading("2027-03-28T00:48:00Z", 100, 100)), Seen::Sound);
    }

    #[test]
    fn sleep_is_no_jump() {
        let slept = watch().look(reading("2027-03-28T08:30:00Z", 580, 101));
        assert_eq!(slept, Seen::Slept(SignedDuration::from_mins(479)));
    }

    #[test]
    fn a_leap_is_seen_until_the_clock_is_back_or_trusted() {
        let mut watch = watch();
        assert_eq!(watch.look(reading("2027-03-29T00:31:00Z", 101, 101)), Seen::Jumped(SignedDuration::from_hours(24)));
        let later = watch.look(reading("2027-03-29T00:32:00Z", 102, 102));
        assert_eq!(
            (later, watch.has_jumped()),
            (Seen::Jumped(SignedDuration::from_hours(24)), true),
            "it stays a leap"
        );
        assert_eq!(watch.look(reading("2027-03-28T00:33:00Z", 103, 103)), Seen::Back);
        let back = reading("2027-03-27T00:33:00Z", 103, 103);
        assert_eq!(watch.look(back), Seen::Jumped(SignedDuration::from_hours(-24)));
        watch.trust(back);
        assert_eq!((watch.look(back), watch.has_jumped()), (Seen::Sound, false));
    }
}
