//! How an umpire wants his games run: what the configuration says, as the desk sees it.

use crate::engine::GameId;
use jiff::SignedDuration;
use jiff::civil::{Date, Time, Weekday};
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
    /// How letters leave.
    pub post: PostPolicy,
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

/// How letters leave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PostPolicy {
    /// A letter that could not be delivered for so long is given up.
    pub give_up: SignedDuration,
    /// At most so many letters are tried within a minute to addresses of one domain; 0: no bound.
    pub per_minute: u32,
    /// Domains, in small letters, with a bound of their own.
    pub domains: BTreeMap<String, u32>,
    /// The umpire's own address, to which it is written that a player cannot be reached.
    pub advice: Option<String>,
}

impl Default for PostPolicy {
    fn default() -> Self {
        Self { give_up: SignedDuration::from_hours(5 * 24), per_minute: 300, domains: BTreeMap::new(), advice: None }
    }
}

impl PostPolicy {
    /// How many letters may be tried within a minute to a domain; `None`: any number.
    pub fn bound(&self, domain: &str) -> Option<u32> {
        Some(*self.domains.get(domain).unwrap_or(&self.per_minute)).filter(|bound| *bound > 0)
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

/// What an absence announced by a player does to a deadline within it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbsenceRule {
    /// The deadline moves behind it, by so many days at most.
    Extend,
    /// The deadline stays, and what he has left standing is carried out.
    Standing,
}

/// How many have to be missing for a deadline to move by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missing {
    /// It never moves for that.
    Never,
    /// At least half of those who owe orders.
    Half,
    /// At least so many of them.
    Count(u16),
}

/// Days on which no deadline falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Holiday {
    /// The first.
    pub first: Date,
    /// The last.
    pub last: Date,
}

/// How one game is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GamePolicy {
    /// IANA zone in which a new game's deadlines stand.
    pub zone: String,
    /// Days from the opening of a turn to its deadline, at least.
    pub deadline_days: u16,
    /// The days of the week on which deadlines fall; all if empty.
    pub weekdays: Vec<Weekday>,
    /// The hour of the day at which orders close, in the game's zone.
    pub deadline_time: Time,
    /// Days on which none falls.
    pub holidays: Vec<Holiday>,
    /// How long after the deadline letters still count.
    pub grace: SignedDuration,
    /// Whether a turn closes before its deadline when all who owe orders are ready.
    pub close_early: bool,
    /// How long after its opening it closes at the earliest, then.
    pub earliest: SignedDuration,
    /// How long before the deadline those who have sent nothing are reminded.
    pub reminders: Vec<SignedDuration>,
    /// What an absence does.
    pub absence: AbsenceRule,
    /// By how many days absences move a turn's deadline at most, all together.
    pub absence_max_days: u16,
    /// How many have to be missing for the deadline to move by itself.
    pub extend_if_missing: Missing,
    /// By how much it moves then, at least: it stays at the fixed hour.
    pub extend_by: SignedDuration,
    /// How often a turn's deadline moves so.
    pub extend_times: u16,
    /// Whether results go out by themselves.
    pub posting: Posting,
    /// How long results can be challenged.
    pub challenge: SignedDuration,
    /// The language.
    pub language: Language,
}

impl Default for GamePolicy {
    /// What umpire.toml shows.
    fn default() -> Self {
        Self {
            zone: "UTC".to_owned(),
            deadline_days: 7,
            weekdays: Vec::new(),
            deadline_time: jiff::civil::time(20, 0, 0, 0),
            holidays: Vec::new(),
            grace: SignedDuration::ZERO,
            close_early: true,
            earliest: SignedDuration::from_hours(24),
            reminders: vec![SignedDuration::from_hours(48), SignedDuration::from_hours(6)],
            absence: AbsenceRule::Extend,
            absence_max_days: 7,
            extend_if_missing: Missing::Never,
            extend_by: SignedDuration::from_hours(48),
            extend_times: 1,
            posting: Posting::Auto,
            challenge: SignedDuration::from_hours(24),
            language: Language::English,
        }
    }
}
