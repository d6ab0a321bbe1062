//! The umpire's hand on the clock: extend, hold, resume.

use super::telling::{self, NoticeNews};
use super::timing::Timetable;
use super::{Desk, DeskError};
use crate::engine::{Fact, GameId, MoveCause, Stage, TurnNo};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

impl Desk {
    /// Moves the deadline of the open turn to a later moment; every seat is told. Gives the turn.
    ///
    /// # Errors
    /// If no turn takes orders, or the moment is not later than the deadline and the present.
    pub fn extend(
        &mut self,
        game: &GameId,
        deadline: Timestamp,
        reason: &str,
        now: Timestamp,
    ) -> Result<TurnNo, DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let Some(turn) = table.record.turns.iter().find(|turn| turn.stage == Stage::Open) else {
                return Err(DeskError::refused(
                    format!("no turn of {game} takes orders"),
                    "a closed turn is not reopened",
                ));
            };
            if deadline <= turn.deadline || deadline <= now {
                let help = format!("orders close at {}; name a later moment", turn.deadline);
                return Err(DeskError::refused(format!("{deadline} is no extension"), help));
            }
            let turn = turn.no;
            let reason_said = reason.trim().to_owned();
            let fact = Fact::Extended { turn, deadline, reason: reason_said, cause: MoveCause::Umpire };
            let entry = room.append(table, fact)?.seq;
            telling::send_notice_to_all(
                room,
                table,
                entry,
                &clock_news("extended", Some(turn), reason, Some(deadline)),
            )?;
            Ok(turn)
        })
    }

    /// A moment as an umpire types it, in the zone of a game: `2026-12-04 20:00`, or with an offset or zone of its own.
    ///
    /// # Errors
    /// If it is no moment, or there is no such game.
    pub fn moment(&mut self, game: &GameId, text: &str, now: Timestamp) -> Result<Timestamp, DeskError> {
        self.look(now, |room, tables| {
            let zone = tables.sit(room.tx, game)?.record.zone.clone();
            let text = text.trim();
            if let Ok(at) = text.parse::<Timestamp>() {
                return Ok(at);
            }
            let civil = text.parse::<DateTime>().map_err(|_| {
                DeskError::refused(format!("\"{text}\" is no moment"), format!("write 2026-12-04 20:00, in {zone}"))
            })?;
            Ok(TimeZone::get(&zone)?.to_ambiguous_zoned_datetime(civil).compatible()?.timestamp())
        })
    }

    /// Stops a game's clock: nothing closes, nothing becomes official; letters are still taken in. Every seat is told.
    ///
    /// # Errors
    /// If it is held already.
    pub fn hold(&mut self, game: &GameId, reason: &str, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            if let Some((since, why)) = &table.record.held {
                let what = format!("game {game} is held since {since}: {why}");
                return Err(DeskError::refused(what, "`umpire resume` lets it go on"));
            }
            let entry = room.append(table, Fact::Held { reason: reason.trim().to_owned() })?.seq;
            let turn = table.record.current().map(|turn| turn.no);
            telling::send_notice_to_all(room, table, entry, &clock_news("held", turn, reason, None))
        })
    }

    /// Lets a held game go on. An open turn whose deadline was still ahead when the clock stopped gets as many whole days as the
    /// hold has eaten, so that the hour of the day stays. Every seat is told. Gives the deadline.
    ///
    /// # Errors
    /// If it is not held.
    pub fn resume(&mut self, game: &GameId, reason: &str, now: Timestamp) -> Result<Option<Timestamp>, DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let Some((since, _)) = table.record.held.clone() else {
                return Err(DeskError::refused(format!("game {game} is not held"), ""));
            };
            let entry = room.append(table, Fact::Resumed { reason: reason.trim().to_owned() })?.seq;
            let open = table.record.turns.iter().find(|turn| turn.stage == Stage::Open);
            let open = open.map(|turn| (turn.no, turn.deadline));
            let mut told = open.map(|(_, deadline)| deadline);
            if let Some((turn, deadline)) = open.filter(|(_, deadline)| since <= *deadline) {
                let timetable = Timetable::new(room.policy.of(game), &table.record.zone)?;
                let later = timetable.given_back(deadline, now.duration_since(since))?;
                if later > deadline {
                    let reason = "the game was held".to_owned();
                    let cause = MoveCause::Held;
                    room.append(table, Fact::Extended { turn, deadline: later, reason, cause })?;
                }
                told = Some(later);
            }
            let turn = open.map(|(turn, _)| turn).or_else(|| table.record.current().map(|turn| turn.no));
            telling::send_notice_to_all(room, table, entry, &clock_news("resumed", turn, reason, told))?;
            Ok(told)
        })
    }
}

fn clock_news<'a>(kind: &'a str, turn: Option<TurnNo>, reason: &str, moment: Option<Timestamp>) -> NoticeNews<'a> {
    NoticeNews { kind, turn, reason: reason.trim().to_owned(), moment, ..NoticeNews::default() }
}
