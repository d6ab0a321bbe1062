//! Who is away and when, and what that does to a deadline.

use super::room::{Room, Why};
use super::table::Table;
use super::telling::{self, NoticeNews};
use super::timing::Timetable;
use super::{AbsenceRule, Desk, DeskError, dates, enrol};
use crate::engine::{Absence, Fact, GameId, LetterNo, MoveCause, SeatId, TurnNo};
use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;

/// What came of an absence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbsenceNoted {
    /// The first day.
    pub from: Date,
    /// The last day.
    pub to: Date,
    /// Where the deadline of the open turn stands now, if it moved.
    pub moved: Option<Timestamp>,
    /// What it means for the turns that fall into it, a sentence or two.
    pub means: String,
}

impl Desk {
    /// Notes that a player is away, from the words for the days: "3 Jan to 12 Jan". If the deadline moves, all are told; he is.
    ///
    /// # Errors
    /// If there is no such game or seat, nobody sits in it, or the words are no days.
    pub fn absent(
        &mut self,
        game: &GameId,
        seat: &SeatId,
        days: &str,
        now: Timestamp,
    ) -> Result<AbsenceNoted, DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            check_seated(table, seat)?;
            let Some((from, to)) = dates::span(days, today(room, table, seat)?) else {
                let help = "write 2027-01-03 to 2027-01-12; the last day must not be over";
                return Err(DeskError::refused(format!("\"{days}\" are no days of an absence"), help));
            };
            let noted = note(room, table, seat, (from, to), None)?;
            let news = absent_news(&noted.0, String::new());
            telling::send_notice(room, table, seat, Why::Entry(noted.1), &news)?;
            Ok(noted.0)
        })
    }

    /// Notes that a player is back, or not going. A deadline that has moved stays where it is.
    ///
    /// # Errors
    /// If there is no such game or seat, or nobody sits in it.
    pub fn back(&mut self, game: &GameId, seat: &SeatId, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            check_seated(table, seat)?;
            room.append(table, Fact::BackSaid { seat: seat.clone(), at: now })?;
            Ok(())
        })
    }
}

fn check_seated(table: &Table, seat: &SeatId) -> Result<(), DeskError> {
    enrol::check_seat(table.boards.opening(), seat)?;
    if table.record.players.contains_key(seat) {
        return Ok(());
    }
    Err(DeskError::refused(
        format!("nobody sits in {}", table.seat_name(seat)),
        "`umpire seat` gives a seat to a player",
    ))
}

/// The zone in which a seat's player lives.
fn zone(table: &Table, seat: &SeatId) -> Result<TimeZone, DeskError> {
    let name = table.record.players.get(seat).map_or(table.record.zone.as_str(), |player| player.zone.as_str());
    Ok(TimeZone::get(name)?)
}

/// What day it is where a seat's player lives.
pub(super) fn today(room: &Room<'_>, table: &Table, seat: &SeatId) -> Result<Date, DeskError> {
    Ok(room.now.to_zoned_datetime(zone(table, seat)?).date())
}

/// Writes an absence down and moves the deadline if the rule says so. Gives what came of it and the entry of the absence; all but
/// the player himself have been told.
pub(super) fn note(
    room: &Room<'_>,
    table: &mut Table,
    seat: &SeatId,
    (from, to): (Date, Date),
    letter: Option<LetterNo>,
) -> Result<(AbsenceNoted, u64), DeskError> {
    let zone = zone(table, seat)?;
    let midnight = |day: Date| {
        Ok::<_, DeskError>(zone.to_ambiguous_zoned_datetime(day.to_datetime(Time::midnight())).compatible()?)
    };
    let (begins, ends) = (midnight(from)?.timestamp(), midnight(to.tomorrow()?)?.timestamp());
    let absence = Absence { from, to, begins, ends, letter };
    let entry = room.append(table, Fact::AbsenceSaid { seat: seat.clone(), absence: absence.clone() })?.seq;
    let open = telling::open_turn(table);
    let moved = match open {
        Some(turn) => mind(room, table, turn, Some(seat))?,
        None => None,
    };
    let means = meaning(room, table, seat, &absence, moved)?;
    Ok((AbsenceNoted { from, to, moved, means }, entry))
}

/// Moves the deadline of a turn behind the absences that it falls into, as far as the rule allows; all are told but `except`.
pub(super) fn mind(
    room: &Room<'_>,
    table: &mut Table,
    no: TurnNo,
    except: Option<&SeatId>,
) -> Result<Option<Timestamp>, DeskError> {
    let policy = room.policy.of(&table.id);
    let timetable = Timetable::new(policy, &table.record.zone)?;
    let waited_for = table.waited_for(no)?;
    let mut moved = None;
    loop {
        let turn = table.turn(no)?.clone();
        let mut next = None;
        for seat in waited_for.iter().filter(|seat| !turn.has_word_of(seat)) {
            let Some(absence) = table.record.away(seat, turn.deadline) else { continue };
            if let Some(at) = timetable.behind(&turn, absence)? {
                next = next.max(Some((at, absence.to)));
            }
        }
        let Some((deadline, to)) = next else { break };
        let reason = format!("a player is away until {}", to.strftime("%-d %B"));
        let fact = Fact::Extended { turn: no, deadline, reason: reason.clone(), cause: MoveCause::Absence };
        moved = Some((room.append(table, fact)?.seq, deadline, reason));
    }
    let Some((entry, deadline, reason)) = moved else { return Ok(None) };
    let news = NoticeNews { kind: "extended", turn: Some(no), reason, moment: Some(deadline), ..NoticeNews::default() };
    for seat in table.players().iter().filter(|seat| except != Some(*seat)) {
        telling::send_notice(room, table, seat, Why::Entry(entry), &news)?;
    }
    Ok(Some(deadline))
}

fn meaning(
    room: &Room<'_>,
    table: &mut Table,
    seat: &SeatId,
    absence: &Absence,
    moved: Option<Timestamp>,
) -> Result<String, DeskError> {
    let open = telling::open_turn(table);
    let turn = open.and_then(|no| table.record.turn(no)).cloned();
    if moved.is_some() {
        return Ok("Orders close later because of it, and the others are told that somebody is away.".to_owned());
    }
    let Some(turn) = turn.filter(|turn| absence.covers(turn.deadline)) else {
        return Ok("No deadline that is set now falls into it.".to_owned());
    };
    let (without, _) = super::reminder::without_orders(table, turn.no, seat)?;
    let without = without.trim_end_matches(':');
    Ok(match room.policy.of(&table.id).absence {
        _ if turn.has_word_of(seat) => {
            "The deadline falls into it and stays where it is, since I have your orders.".to_owned()
        }
        AbsenceRule::Standing => format!("The deadline falls into it and stays where it is. {without}"),
        AbsenceRule::Extend => format!(
            "The deadline falls into it and stays where it is: the absence is longer than this game waits. {without} \
             Somebody may write for you: ask the umpire for a deputy."
        ),
    })
}

/// The letter that tells a player what was noted.
pub(super) fn absent_news(noted: &AbsenceNoted, about: String) -> NoticeNews<'static> {
    let day = |date: Date| date.strftime("%A %-d %B %Y").to_string();
    let days =
        if noted.from == noted.to { day(noted.from) } else { format!("{} to {}", day(noted.from), day(noted.to)) };
    NoticeNews {
        kind: "absent",
        reason: noted.means.clone(),
        moment: noted.moved,
        lines: vec![days],
        about,
        ..NoticeNews::default()
    }
}
