use super::*;
use crate::engine::journal::{Numbering, Written};
use crate::engine::{Fact, Hash, LetterNo, Secret, Stage, TurnNo};
use jiff::civil::{Weekday, date, time};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn weekly() -> GamePolicy {
    GamePolicy { zone: "Europe/Stockholm".to_owned(), ..GamePolicy::default() }
}

fn timetable(policy: &GamePolicy) -> Timetable<'_> {
    Timetable::new(policy, &policy.zone).unwrap()
}

fn deadline(policy: &GamePolicy, now: &str) -> String {
    timetable(policy).deadline(at(now), at(now)).unwrap().to_string()
}

fn root() -> Hash {
    crate::engine::TurnSecret::of(&Secret::from_bytes([1; 32]), TurnNo(1)).commit(&[crate::engine::Scope::Public])
}

/// An open turn, folded from facts as a journal holds them.
fn turn(opened: Timestamp, deadline: Timestamp, facts: &[Fact]) -> Turn {
    use crate::engine::Record;
    let first = Fact::GameOpened {
        campaign: String::new(),
        system: String::new(),
        files: BTreeMap::new(),
        players: BTreeMap::new(),
        zone: "UTC".to_owned(),
        secret: Secret::from_bytes([1; 32]),
    };
    let open =
        Fact::TurnOpened { turn: TurnNo(1), phase: "Spring".to_owned(), root: root(), rules_version: 1, deadline };
    let all = [first, open].into_iter().chain(facts.iter().cloned());
    let journal: Vec<Written> = all.zip(1..).map(|(fact, seq)| Written { seq, at: opened, fact }).collect();
    let turn = Record::fold(&journal).unwrap().turn(TurnNo(1)).unwrap().clone();
    assert!(turn.stage == Stage::Open && turn.numbering == Numbering::default());
    turn
}

fn said(seat: &str, ready: bool, received: &str) -> Fact {
    Fact::ReadySaid { turn: TurnNo(1), seat: SeatId::new(seat), ready, letter: LetterNo(1), received: at(received) }
}

fn absence(from: &str, to: &str) -> Absence {
    let zone = TimeZone::get("Europe/Stockholm").unwrap();
    let midnight = |d: Date| zone.to_ambiguous_zoned_datetime(d.at(0, 0, 0, 0)).compatible().unwrap().timestamp();
    let (from, to): (Date, Date) = (from.parse().unwrap(), to.parse().unwrap());
    Absence { from, to, begins: midnight(from), ends: midnight(to.tomorrow().unwrap()), letter: None }
}

#[test]
fn the_hour_stays_the_same_over_the_change_of_clocks() {
    assert_eq!(deadline(&weekly(), "2027-01-05T18:42:10Z"), "2027-01-12T19:00:00Z");
    assert_eq!(deadline(&weekly(), "2027-03-26T10:00:00Z"), "2027-04-02T18:00:00Z");
    assert_eq!(deadline(&weekly(), "2027-10-29T10:00:00Z"), "2027-11-05T19:00:00Z");
}

/// The hour that does not exist is the hour after it; of the one that comes twice the first counts. Both in several zones, one of
/// them south of the equator, one that shifts by half an hour only.
#[test]
fn hours_that_do_not_exist_and_hours_that_come_twice() {
    for (zone, hour, eve, expected, next) in [
        ("Europe/Stockholm", time(2, 30, 0, 0), "2027-03-27T10:00:00Z", "2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"),
        ("Europe/Stockholm", time(2, 30, 0, 0), "2027-10-30T10:00:00Z", "2027-10-31T00:30:00Z", "2027-11-01T01:30:00Z"),
        ("America/New_York", time(2, 30, 0, 0), "2027-03-13T12:00:00Z", "2027-03-14T07:30:00Z", "2027-03-15T06:30:00Z"),
        ("America/New_York", time(1, 30, 0, 0), "2027-11-06T12:00:00Z", "2027-11-07T05:30:00Z", "2027-11-08T06:30:00Z"),
        (
            "Australia/Lord_Howe",
            time(2, 10, 0, 0),
            "2027-10-02T00:00:00Z",
            "2027-10-02T15:40:00Z",
            "2027-10-03T15:10:00Z",
        ),
        ("Asia/Kolkata", time(2, 30, 0, 0), "2027-03-27T10:00:00Z", "2027-03-27T21:00:00Z", "2027-03-28T21:00:00Z"),
    ] {
        let daily = GamePolicy { zone: zone.to_owned(), deadline_days: 1, deadline_time: hour, ..weekly() };
        assert_eq!(deadline(&daily, eve), expected, "{zone}");
        let later = timetable(&daily).days_later(at(expected), 1).unwrap();
        assert_eq!(later.to_string(), next, "{zone}: the hour comes back the day after");
        let back = timetable(&daily).given_back(at(expected), SignedDuration::from_hours(3)).unwrap();
        assert_eq!(back, later, "{zone}: a hold gives whole days and keeps the hour");
    }
}

#[test]
fn orders_do_not_close_while_the_turn_before_can_be_challenged() {
    let daily = GamePolicy { deadline_days: 1, ..weekly() };
    let (now, until) = (at("2027-01-05T21:00:00Z"), at("2027-01-06T21:00:00Z"));
    assert_eq!(timetable(&daily).deadline(now, until).unwrap().to_string(), "2027-01-07T19:00:00Z");
    let hourly = GamePolicy { deadline_days: 0, ..weekly() };
    assert_eq!(deadline(&hourly, "2027-01-05T12:00:00Z"), "2027-01-05T19:00:00Z");
}

#[test]
fn deadlines_fall_on_their_days_and_on_no_holiday() {
    let sundays = GamePolicy { weekdays: vec![Weekday::Sunday], deadline_days: 5, ..weekly() };
    assert_eq!(deadline(&sundays, "2026-12-01T12:00:00Z"), "2026-12-06T19:00:00Z", "five days at least");
    assert_eq!(deadline(&sundays, "2026-12-02T12:00:00Z"), "2026-12-13T19:00:00Z");
    let christmas = Holiday { first: date(2026, 12, 24), last: date(2027, 1, 1) };
    let resting = GamePolicy { holidays: vec![christmas], ..sundays };
    assert_eq!(deadline(&resting, "2026-12-21T12:00:00Z"), "2027-01-03T19:00:00Z", "the 27th is a holiday");
    let moved = timetable(&resting).days_later(at("2026-12-22T19:00:00Z"), 2).unwrap();
    assert_eq!(moved.to_string(), "2027-01-02T19:00:00Z", "nor does an extension end on one");
}

#[test]
fn an_absence_moves_a_deadline_behind_it_or_not_at_all() {
    let policy = weekly();
    let opened = at("2027-01-04T12:00:00Z");
    let open = turn(opened, at("2027-01-11T19:00:00Z"), &[]);
    let behind = |policy: &GamePolicy, turn: &Turn, from, to| {
        timetable(policy).behind(turn, &absence(from, to)).unwrap().map(|at| at.to_string())
    };
    assert_eq!(behind(&policy, &open, "2027-01-03", "2027-01-12").as_deref(), Some("2027-01-13T19:00:00Z"));
    assert_eq!(behind(&policy, &open, "2027-01-11", "2027-01-17").as_deref(), Some("2027-01-18T19:00:00Z"));
    assert_eq!(behind(&policy, &open, "2027-01-11", "2027-01-18"), None, "eight days would be too many");
    assert_eq!(behind(&policy, &open, "2027-01-03", "2027-01-10"), None, "he is back in time");
    let standing = GamePolicy { absence: AbsenceRule::Standing, ..weekly() };
    assert_eq!(behind(&standing, &open, "2027-01-03", "2027-01-12"), None);
    let moved = Fact::Extended {
        turn: TurnNo(1),
        deadline: at("2027-01-15T19:00:00Z"),
        reason: String::new(),
        cause: MoveCause::Absence,
    };
    let twice = turn(opened, at("2027-01-11T19:00:00Z"), &[moved]);
    assert_eq!(behind(&policy, &twice, "2027-01-14", "2027-01-17").as_deref(), Some("2027-01-18T19:00:00Z"));
    assert_eq!(behind(&policy, &twice, "2027-01-14", "2027-01-18"), None, "four days have been used already");
}

#[test]
fn too_many_missing_move_it_once_and_to_the_fixed_hour() {
    let policy = GamePolicy { extend_if_missing: Missing::Half, extend_by: SignedDuration::from_hours(30), ..weekly() };
    let (opened, close) = (at("2027-03-20T12:00:00Z"), at("2027-03-27T19:00:00Z"));
    let open = turn(opened, close, &[]);
    let moved = |policy: &GamePolicy, turn: &Turn, of, missing| {
        timetable(policy).for_the_missing(turn, of, missing).unwrap().map(|at| at.to_string())
    };
    assert_eq!(moved(&policy, &open, 4, 2).as_deref(), Some("2027-03-29T18:00:00Z"));
    assert_eq!((moved(&policy, &open, 5, 2), moved(&policy, &open, 0, 0)), (None, None));
    let three = GamePolicy { extend_if_missing: Missing::Count(3), ..policy.clone() };
    assert!(moved(&three, &open, 8, 2).is_none() && moved(&three, &open, 8, 3).is_some());
    let cause = MoveCause::Missing;
    let once = Fact::Extended { turn: TurnNo(1), deadline: at("2027-03-29T18:00:00Z"), reason: String::new(), cause };
    let again = turn(opened, close, &[once]);
    assert_eq!(moved(&policy, &again, 4, 4), None);
    let twice = GamePolicy { extend_times: 2, ..policy };
    assert!(moved(&twice, &again, 4, 4).is_some());
}

#[test]
fn ready_closes_a_turn_but_not_before_its_earliest() {
    let policy = weekly();
    let (opened, close) = (at("2027-01-04T12:00:00Z"), at("2027-01-11T19:00:00Z"));
    let seats = [SeatId::new("a"), SeatId::new("b")];
    let due = |policy: &GamePolicy, facts: &[Fact], now: &str| {
        due(policy, &turn(opened, close, facts), &seats, Timestamp::MIN, at(now))
    };
    let both = [said("a", true, "2027-01-04T15:00:00Z"), said("b", true, "2027-01-06T15:00:00Z")];
    assert_eq!(due(&policy, &both, "2027-01-06T15:00:01Z"), Due::Early(at("2027-01-06T15:00:00Z")));
    assert_eq!(due(&policy, &both[..1], "2027-01-06T15:00:01Z"), Due::NotBefore(close));
    let soon = [said("a", true, "2027-01-04T15:00:00Z"), said("b", true, "2027-01-04T15:01:00Z")];
    assert_eq!(due(&policy, &soon, "2027-01-04T16:00:00Z"), Due::NotBefore(at("2027-01-05T12:00:00Z")));
    assert_eq!(due(&policy, &soon, "2027-01-05T12:00:01Z"), Due::Early(at("2027-01-05T12:00:00Z")));
    let waited = [both[0].clone(), both[1].clone(), said("a", false, "2027-01-06T16:00:00Z")];
    assert_eq!(due(&policy, &waited, "2027-01-06T17:00:00Z"), Due::NotBefore(close));
    let never = GamePolicy { close_early: false, ..weekly() };
    assert_eq!(due(&never, &both, "2027-01-07T00:00:00Z"), Due::NotBefore(close));
    let challenged = at("2027-01-08T00:00:00Z");
    let held_up = super::due(&policy, &turn(opened, close, &both), &seats, challenged, at("2027-01-07T00:00:00Z"));
    assert_eq!(held_up, Due::NotBefore(challenged), "the turn before can still be challenged");
    let nobody = super::due(&policy, &turn(opened, close, &both), &[], Timestamp::MIN, at("2027-01-07T00:00:00Z"));
    assert_eq!(nobody, Due::NotBefore(close), "where nobody is waited for, nobody is ready");
}

#[test]
fn the_grace_comes_after_the_deadline_and_not_after_an_early_close() {
    let policy = GamePolicy { grace: SignedDuration::from_hours(6), ..weekly() };
    let (opened, close) = (at("2027-01-04T12:00:00Z"), at("2027-01-11T19:00:00Z"));
    let open = turn(opened, close, &[]);
    let end = at("2027-01-12T01:00:00Z");
    assert_eq!(due(&policy, &open, &[], Timestamp::MIN, end), Due::NotBefore(end));
    assert_eq!(due(&policy, &open, &[], Timestamp::MIN, at("2027-01-12T01:00:01Z")), Due::AtDeadline(end));
    let early = turn(opened, close, &[Fact::ClosedEarly { turn: TurnNo(1), deadline: at("2027-01-06T00:00:00Z") }]);
    assert_eq!(last_moment(&policy, &early), at("2027-01-06T00:00:00Z"));
    // Who says READY in the grace, or at the deadline itself, makes nothing due before its end: the daemon sleeps until then.
    for said_at in ["2027-01-11T19:00:00Z", "2027-01-11T20:00:00Z"] {
        let ready = turn(opened, close, &[said("a", true, said_at)]);
        let seats = [SeatId::new("a")];
        assert_eq!(due(&policy, &ready, &seats, Timestamp::MIN, at("2027-01-11T21:00:00Z")), Due::NotBefore(end));
        assert_eq!(closes(&policy, &ready, &seats, Timestamp::MIN), end);
    }
}

#[test]
fn reminders_come_one_at_a_time_and_again_for_a_new_deadline() {
    let policy = weekly();
    let (opened, close) = (at("2027-01-04T12:00:00Z"), at("2027-01-11T19:00:00Z"));
    let hours = |facts: &[Fact], now: &str| {
        reminder(&policy, &turn(opened, close, facts), at(now)).map(|ahead| ahead.as_hours())
    };
    assert_eq!(hours(&[], "2027-01-09T18:59:59Z"), None);
    assert_eq!(hours(&[], "2027-01-09T19:00:00Z"), Some(48));
    assert_eq!(hours(&[], "2027-01-11T14:00:00Z"), Some(6), "a sleeper sends the nearer one alone");
    let sent = |ahead: i64| Fact::Reminded { turn: TurnNo(1), deadline: close, ahead: ahead * 3600, seats: Vec::new() };
    assert_eq!(hours(&[sent(48)], "2027-01-10T00:00:00Z"), None);
    assert_eq!(hours(&[sent(48)], "2027-01-11T14:00:00Z"), Some(6));
    assert_eq!(hours(&[sent(6)], "2027-01-11T18:00:00Z"), None, "and not the farther one after it");
    assert_eq!(hours(&[], "2027-01-11T19:00:00Z"), None);
    let moved = at("2027-01-13T19:00:00Z");
    let cause = MoveCause::Umpire;
    let extended = Fact::Extended { turn: TurnNo(1), deadline: moved, reason: String::new(), cause };
    assert_eq!(hours(&[sent(6), extended], "2027-01-11T19:00:00Z"), Some(48));
    let short = turn(at("2027-01-10T12:00:00Z"), close, &[]);
    assert_eq!(reminder(&policy, &short, at("2027-01-10T13:00:00Z")), None, "two days before it was not yet open");
    assert_eq!(unsent_reminder(&policy, &short), Some(at("2027-01-11T13:00:00Z")));
}

const ZONES: [&str; 6] =
    ["UTC", "Europe/Stockholm", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"];

prop_compose! {
    fn policies()(
        zone in 0..ZONES.len(),
        days in 0u16..15,
        weekdays in proptest::collection::vec(0i8..7, 0..3),
        (hour, minute) in (0i8..24, 0i8..60),
        holidays in proptest::collection::vec((0i64..400, 0i64..12), 0..4),
        grace in 0i64..24,
        earliest in 0i64..100,
        reminders in proptest::collection::vec(1i64..200, 0..4),
        max_days in 0u16..20,
        extend in 1i64..100,
    ) -> GamePolicy {
        let day = |n: i64| date(2027, 1, 1).checked_add(Span::new().days(n)).unwrap();
        GamePolicy {
            zone: ZONES[zone].to_owned(),
            deadline_days: days,
            weekdays: weekdays.into_iter().map(|n| Weekday::from_monday_zero_offset(n).unwrap()).collect(),
            deadline_time: time(hour, minute, 0, 0),
            holidays: holidays.into_iter().map(|(n, len)| Holiday { first: day(n), last: day(n + len) }).collect(),
            grace: SignedDuration::from_hours(grace),
            earliest: SignedDuration::from_hours(earliest),
            reminders: reminders.into_iter().map(SignedDuration::from_hours).collect(),
            absence_max_days: max_days,
            extend_if_missing: Missing::Count(1),
            extend_by: SignedDuration::from_hours(extend),
            extend_times: 2,
            ..GamePolicy::default()
        }
    }
}

/// The fixed hour of its day, or the first moment after the gap that swallowed it, and no holiday.
fn stands_well(policy: &GamePolicy, at: Timestamp) -> bool {
    let local = at.to_zoned_datetime(TimeZone::get(&policy.zone).unwrap());
    let hour = local.time() == policy.deadline_time;
    let in_gap = || {
        let zone = TimeZone::get(&policy.zone).unwrap();
        let wanted = zone.to_ambiguous_zoned_datetime(local.date().to_datetime(policy.deadline_time));
        wanted.is_ambiguous() && wanted.compatible().unwrap().timestamp() == at
    };
    let free = policy.holidays.iter().all(|h| !(h.first <= local.date() && local.date() <= h.last));
    (hour || in_gap()) && free
}

proptest! {
    #[test]
    fn deadlines_stand_at_the_fixed_hour_and_only_ever_move_later(
        policy in policies(),
        opened in 1_798_761_600i64..1_830_000_000,
        window in 0i64..100,
        away in proptest::collection::vec((0i64..40, 0i64..12), 0..4),
        missing in 0usize..3,
        held in 0i64..300,
    ) {
        let opened = Timestamp::from_second(opened).unwrap();
        let not_before = opened + SignedDuration::from_hours(window);
        let timetable = timetable(&policy);
        let first = timetable.deadline(opened, not_before).unwrap();
        prop_assert!(first > opened && first >= not_before && stands_well(&policy, first));
        let local = |at: Timestamp| at.to_zoned_datetime(TimeZone::get(&policy.zone).unwrap()).date();
        prop_assert!(local(opened).until(local(first)).unwrap().get_days() >= i32::from(policy.deadline_days));
        prop_assert!(policy.weekdays.is_empty() || policy.weekdays.contains(&local(first).weekday()));

        let mut facts = Vec::new();
        let mut last = first;
        let move_to = |to: Timestamp, cause, facts: &mut Vec<Fact>| {
            facts.push(Fact::Extended { turn: TurnNo(1), deadline: to, reason: String::new(), cause });
        };
        for (begin, length) in away {
            let begins = opened + SignedDuration::from_hours(24 * begin);
            let ends = begins + SignedDuration::from_hours(24 * length + 1);
            let absence = Absence { from: local(begins), to: local(ends), begins, ends, letter: None };
            let open = turn(opened, first, &facts);
            if let Some(to) = timetable.behind(&open, &absence).unwrap() {
                prop_assert!(to > last && to >= ends && stands_well(&policy, to));
                let days = local(first).until(local(to)).unwrap().get_days();
                prop_assert!(days <= policy.absence_max_days.into());
                move_to(to, MoveCause::Absence, &mut facts);
                last = to;
            }
        }
        for _ in 0..3 {
            let open = turn(opened, first, &facts);
            if let Some(to) = timetable.for_the_missing(&open, 3, missing).unwrap() {
                prop_assert!(missing > 0 && to > last && stands_well(&policy, to));
                prop_assert!(to.duration_since(last) > policy.extend_by - SignedDuration::from_hours(2));
                move_to(to, MoveCause::Missing, &mut facts);
                last = to;
            }
        }
        let by_itself = |fact: &&Fact| matches!(fact, Fact::Extended { cause: MoveCause::Missing, .. });
        prop_assert!(facts.iter().filter(by_itself).count() <= 2);
        let back = timetable.given_back(last, SignedDuration::from_hours(held)).unwrap();
        prop_assert!(back >= last && (held == 0 || stands_well(&policy, back)));
        prop_assert!(back.duration_since(last) > SignedDuration::from_hours(held) - SignedDuration::from_hours(2));
    }

    #[test]
    fn nothing_is_due_before_the_deadline_or_the_stated_earliest(
        policy in policies(),
        said in proptest::collection::vec((0usize..3, any::<bool>(), 0i64..400), 0..8),
        steps in proptest::collection::vec(0i64..500, 1..20),
    ) {
        let opened = at("2027-01-04T12:00:00Z");
        let close = timetable(&policy).deadline(opened, opened).unwrap();
        let seats: Vec<SeatId> = ["a", "b", "c"].map(SeatId::new).into();
        let facts: Vec<Fact> = said.iter().map(|(seat, ready, hour)| Fact::ReadySaid {
            turn: TurnNo(1),
            seat: seats[*seat].clone(),
            ready: *ready,
            letter: LetterNo(1),
            received: opened + SignedDuration::from_hours(*hour),
        }).collect();
        let turn = turn(opened, close, &facts);
        let mut reminded = None;
        for step in steps {
            let now = opened + SignedDuration::from_hours(step);
            match due(&policy, &turn, &seats, opened, now) {
                Due::AtDeadline(since) => prop_assert!(since == close + policy.grace && now > since),
                Due::Early(since) => {
                    prop_assert!(now > since && since < close && since >= earliest(&policy, &turn));
                    prop_assert!(since >= opened + policy.earliest);
                    prop_assert!(seats.iter().all(|seat| turn.ready.get(seat).is_some_and(|said| *said <= since)));
                }
                Due::NotBefore(until) => prop_assert!(until >= now && until <= close + policy.grace),
            }
            if let Some(ahead) = reminder(&policy, &turn, now) {
                prop_assert!(now < close && close - ahead <= now && close - ahead > opened);
                reminded = Some(now);
            }
        }
        prop_assert!(reminded.is_none() || !policy.reminders.is_empty());
    }
}
