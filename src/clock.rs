//! The only reader of the wall clock. Everything else is told what time it is.

use jiff::{SignedDuration, Timestamp};
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant};

/// Where the time comes from.
#[derive(Debug)]
pub enum Clock {
    /// The machine's clock.
    Wall,
    /// A clock that stands still until it is moved: the demo and the tests run their own time forward.
    Stopped(Stopped),
}

/// A clock that is moved by hand, and never backwards.
#[derive(Debug)]
pub struct Stopped {
    micros: AtomicI64,
}

impl Clock {
    /// A clock that stands at `at`.
    pub fn stopped_at(at: Timestamp) -> Self {
        Self::Stopped(Stopped { micros: AtomicI64::new(at.as_microsecond()) })
    }

    /// The time. No finer than a microsecond, which is what the journal keeps.
    pub fn now(&self) -> Timestamp {
        let micros = match self {
            #[expect(clippy::disallowed_methods, reason = "this is the one place")]
            Clock::Wall => Timestamp::now().as_microsecond(),
            Clock::Stopped(stopped) => stopped.micros.load(Ordering::Relaxed),
        };
        Timestamp::from_microsecond(micros).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// One look at all clocks there are.
    pub fn reading(&self) -> Reading {
        let wall = self.now();
        match self {
            Clock::Wall => Reading { wall, since_boot: pulse(Pulse::SinceBoot), awake: pulse(Pulse::Awake) },
            Clock::Stopped(_) => {
                let moved = wall.duration_since(Timestamp::UNIX_EPOCH);
                Reading { wall, since_boot: moved, awake: moved }
            }
        }
    }

    /// Moves a stopped clock to `at`, if that is later. The wall clock goes its own way.
    pub fn forward_to(&self, at: Timestamp) {
        if let Clock::Stopped(stopped) = self {
            stopped.micros.fetch_max(at.as_microsecond(), Ordering::Relaxed);
        }
    }

    /// Moves a stopped clock on by `by`.
    pub fn forward_by(&self, by: SignedDuration) {
        if let Ok(at) = self.now().checked_add(by) {
            self.forward_to(at);
        }
    }
}

/// An end of waiting. It runs by the machine's own pulse, which no setting of the clock moves, and says nothing of the hour.
#[derive(Clone, Copy, Debug)]
pub struct Timer {
    begun: Instant,
    length: Duration,
}

impl Timer {
    /// Starts to run now, for `length`.
    pub fn of(length: Duration) -> Self {
        #[expect(clippy::disallowed_methods, reason = "this is the one place")]
        let begun = Instant::now();
        Self { begun, length }
    }

    /// What is left of it; `None` when it has run out.
    pub fn left(&self) -> Option<Duration> {
        self.length.checked_sub(self.begun.elapsed()).filter(|left| !left.is_zero())
    }
}

/// What the clock says, and how far the machine's own pulse has come, which no setting of the clock moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The clock.
    pub wall: Timestamp,
    /// Since the machine was started, the time for which it slept included.
    pub since_boot: SignedDuration,
    /// The same without the time for which it slept.
    pub awake: SignedDuration,
}

enum Pulse {
    SinceBoot,
    Awake,
}

#[cfg(target_os = "linux")]
fn pulse(which: Pulse) -> SignedDuration {
    use rustix::time::{ClockId, clock_gettime};
    let read = match which {
        Pulse::SinceBoot => clock_gettime(ClockId::Boottime),
        Pulse::Awake => clock_gettime(ClockId::Monotonic),
    };
    SignedDuration::new(read.tv_sec, i32::try_from(read.tv_nsec).unwrap_or(0))
}

/// Elsewhere the one pulse there is: a machine that has slept looks as if its clock had jumped, and asks the umpire.
#[cfg(not(target_os = "linux"))]
fn pulse(_: Pulse) -> SignedDuration {
    let read = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    SignedDuration::new(read.tv_sec.into(), i32::try_from(read.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopped_clock_goes_only_forward() {
        let start: Timestamp = "2027-01-05T18:00:00Z".parse().unwrap();
        let clock = Clock::stopped_at(start);
        assert_eq!(clock.now(), start);
        clock.forward_by(SignedDuration::from_hours(24));
        clock.forward_to(start);
        assert_eq!(clock.now().to_string(), "2027-01-06T18:00:00Z");
    }

    #[test]
    fn the_wall_clock_is_read_and_not_moved() {
        let before = Clock::Wall.now();
        Clock::Wall.forward_by(SignedDuration::from_hours(24));
        assert!(Clock::Wall.now() >= before && Clock::Wall.now() < before + SignedDuration::from_hours(1));
    }

    #[test]
    fn a_timer_runs_out() {
        assert!(Timer::of(Duration::from_secs(60)).left().is_some_and(|left| left > Duration::from_secs(50)));
        assert!(Timer::of(Duration::ZERO).left().is_none());
    }
}
