//! Letters that are not taken at once: they wait, in their sequence, and nothing is sent that a newer letter says better.

use super::bench::*;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;
use std::collections::BTreeMap;
use umpire::daemon::{Answer, WorkedOff, work_off};
use umpire::desk::{Incoming, OutboxRow, PostState};

const NILS: &str = "nils@example.org";
const SOFIA: &str = "sofia@example.org";

/// Works the outbox off at `now` with a server that answers so; gives what it was sent.
fn work(bench: &mut Bench, now: Timestamp, mut answer: impl FnMut(&OutboxRow) -> Answer) -> Vec<OutboxRow> {
    let mut seen = Vec::new();
    let mut done = WorkedOff::default();
    work_off(&mut bench.folder.desk, now, &mut done, &mut || true, |row| {
        seen.push(row.clone());
        answer(row)
    })
    .unwrap();
    seen
}

fn taken(_: &OutboxRow) -> Answer {
    Answer::Taken("250 2.0.0 Ok".to_owned())
}

fn greylists(who: &'static str) -> impl Fn(&OutboxRow) -> Answer {
    move |row| {
        if row.post.recipient == who { Answer::NotNow("451 4.7.1 greylisted".to_owned()) } else { taken(row) }
    }
}

fn down(_: &OutboxRow) -> Answer {
    Answer::NoLine("no route to the mail server".to_owned())
}

fn orders(bench: &mut Bench, name: &str, from: &str, body: &str, now: Timestamp) {
    let raw = format!("From: {from}\r\nSubject: [duel]\r\nMessage-ID: <{name}@example.org>\r\n\r\n{body}\r\n");
    let incoming = Incoming { mailbox: "test", unique_name: name, received: now, raw: raw.as_bytes(), cut: false };
    let no = bench.folder.desk.receive(&incoming, now).unwrap().no();
    bench.folder.desk.handle(no, now).unwrap();
}

fn recipients(rows: &[OutboxRow]) -> Vec<&str> {
    rows.iter().map(|row| row.post.recipient.as_str()).collect()
}

fn all_rows(bench: &mut Bench) -> Vec<OutboxRow> {
    (1..).map_while(|id| bench.folder.desk.outgoing(id).ok()).collect()
}

#[test]
fn a_letter_that_is_not_taken_waits_and_those_behind_it_wait_with_it() {
    let mut bench = Bench::new();
    assert_eq!(bench.folder.desk.outbox_due(opened()).unwrap(), Some(opened()));
    assert_eq!(work(&mut bench, opened(), greylists(NILS)).len(), 2);
    orders(&mut bench, "n1", NORTH, "number 5", opened());
    orders(&mut bench, "s1", SOUTH, "number 5", opened());
    let half = opened() + SignedDuration::from_secs(30);
    assert_eq!(
        recipients(&work(&mut bench, half, taken)),
        [SOFIA],
        "the acknowledgement must not overtake the welcome"
    );
    let due = bench.folder.desk.outbox_due(half).unwrap().unwrap();
    let wait = due.duration_since(opened()).as_secs();
    assert!((45..=75).contains(&wait), "{wait}");
    let second = work(&mut bench, due, greylists(NILS));
    assert_eq!((second.len(), second[0].attempts), (1, 1));
    let due = bench.folder.desk.outbox_due(due).unwrap().unwrap();
    let third = work(&mut bench, due, taken);
    assert_eq!(third.iter().map(|row| row.post.kind.as_str()).collect::<Vec<_>>(), ["notice", "acknowledgement"]);
    let kept = bench.folder.desk.outgoing(third[0].id).unwrap();
    assert_eq!((kept.state(), kept.answer.as_deref()), (PostState::Sent(due), Some("250 2.0.0 Ok")));
    assert_eq!(bench.folder.desk.outbox_due(due).unwrap(), None);
}

#[test]
fn what_nobody_takes_for_five_days_is_given_up_and_the_umpire_is_told() {
    let mut bench = Bench::with("[mail]\ngive_up_days = 5\n", "");
    work(&mut bench, opened(), greylists(NILS));
    orders(&mut bench, "n1", NORTH, "number 5", opened() + later(24));
    let before = opened() + later(5 * 24) - minute();
    assert_eq!(work(&mut bench, before, greylists(NILS)).len(), 1);
    let after = opened() + later(5 * 24 + 2);
    let tried = work(&mut bench, after, greylists(NILS));
    assert_eq!(tried.len(), 2, "the letter behind it is tried as soon as it is given up");
    let view = bench.folder.desk.outbox(after).unwrap();
    assert_eq!((view.undelivered.len(), view.waiting.len()), (1, 1));
    assert!(matches!(view.undelivered[0].state(), PostState::GivenUp(_)));
    let game = bench.game.clone();
    let status = bench.folder.desk.status(&game, after).unwrap();
    assert!(status.seats[0].unreachable.as_deref().is_some_and(|why| why.contains("greylisted")));
    assert!(status.waits_for.iter().any(|line| line.starts_with("you:") && line.contains(NILS)), "{status:?}");
    // A letter that is taken after all shows that the refusal was not for ever.
    work(&mut bench, after + later(2), taken);
    assert_eq!(bench.folder.desk.status(&game, after).unwrap().seats[0].unreachable, None);
}

#[test]
fn a_permanent_no_is_no_and_the_umpire_may_try_again() {
    let mut bench = Bench::new();
    let refuse = |row: &OutboxRow| {
        if row.post.recipient == NILS { Answer::Never("550 5.1.1 no such user".to_owned()) } else { taken(row) }
    };
    let id = work(&mut bench, opened(), refuse)[0].id;
    assert!(work(&mut bench, opened() + later(48), taken).is_empty(), "it is not tried again by itself");
    let said = bench.folder.desk.outgoing(id).unwrap();
    assert_eq!(
        (said.state(), said.last_error.as_deref()),
        (PostState::GivenUp(opened()), Some("550 5.1.1 no such user"))
    );
    bench.folder.desk.retry(id, opened() + later(49)).unwrap();
    assert!(bench.folder.desk.outbox(opened() + later(49)).unwrap().bad_addresses.is_empty());
    assert_eq!(work(&mut bench, opened() + later(49), taken).len(), 1);
    assert!(bench.folder.desk.retry(id, opened() + later(50)).unwrap_err().is_users_mistake(), "it was delivered");
}

#[test]
fn while_the_line_is_down_one_letter_at_a_time_tries_it_and_none_is_given_up() {
    let mut bench = Bench::new();
    assert_eq!(work(&mut bench, opened(), down).len(), 1);
    assert!(work(&mut bench, opened() + minute() / 2, taken).is_empty());
    assert_eq!(work(&mut bench, opened() + minute(), down).len(), 1);
    let view = bench.folder.desk.outbox(opened() + minute()).unwrap();
    let line = view.line.unwrap();
    assert_eq!((line.since, line.tries, view.next), (opened(), 2, Some(line.next_try)));
    let late = opened() + later(24 * 9);
    assert_eq!(work(&mut bench, late, down).len(), 1);
    assert_eq!(bench.folder.desk.outbox(late).unwrap().undelivered.len(), 0, "the fault is ours");
    bench.folder.desk.retry_all(late + minute()).unwrap();
    assert_eq!(work(&mut bench, late + minute(), taken).len(), 2);
    assert_eq!(bench.folder.desk.outbox(late + later(1)).unwrap().line, None);
}

#[test]
fn a_domain_gets_no_more_within_a_minute_than_it_likes() {
    let mut bench = Bench::with("[mail]\nper_minute = 0\n[mail.domain.\"example.org\"]\nper_minute = 3\n", "");
    for i in 1..=4 {
        orders(&mut bench, &format!("x{i}"), &format!("stranger{i}@example.org"), "hello", opened());
    }
    orders(&mut bench, "y", "stranger@example.net", "hello", opened());
    let first = work(&mut bench, opened(), taken);
    assert_eq!(recipients(&first), [NILS, SOFIA, "stranger1@example.org", "stranger@example.net"]);
    let due = bench.folder.desk.outbox_due(opened()).unwrap().unwrap();
    assert_eq!(due, opened() + minute());
    assert!(work(&mut bench, opened() + minute() / 2, taken).is_empty());
    assert_eq!(work(&mut bench, due, taken).len(), 3);
}

/// A player's server was away for a day; what he finds is what is true now.
#[test]
fn what_a_newer_letter_says_better_is_not_sent() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    work(&mut bench, opened(), greylists(NILS));
    orders(&mut bench, "n1", NORTH, "number 5", opened() + minute());
    orders(&mut bench, "n2", NORTH, "STATUS", opened() + minute() * 2);
    orders(&mut bench, "n3", NORTH, "STATUS", opened() + minute() * 3);
    orders(&mut bench, "n4", NORTH, "HELP", opened() + minute() * 4);
    orders(&mut bench, "n5", NORTH, "number 6", opened() + minute() * 5);
    for days in [1, 2] {
        let until = deadline() + later(24 * days);
        bench.folder.desk.extend(&game, until, "a storm", opened() + minute() * 6).unwrap();
    }
    let got: Vec<OutboxRow> = work(&mut bench, opened() + later(2), taken);
    let nils: Vec<&OutboxRow> = got.iter().filter(|row| row.post.recipient == NILS).collect();
    let kinds: Vec<_> = nils.iter().map(|row| row.post.standing.as_deref().unwrap_or(&row.post.kind)).collect();
    assert_eq!(kinds, ["notice", "help", "orders 1", "deadline 1"]);
    let text = String::from_utf8_lossy(&nils[2].post.raw);
    assert!(text.contains("number 6") && text.contains("takes the place"), "{text}");
    let ack = nils[2].id;
    let dropped = bench.folder.desk.outbox(opened() + later(2)).unwrap().dropped;
    let told: Vec<(&str, &str, Option<i64>)> = dropped
        .iter()
        .filter(|row| row.post.recipient == NILS)
        .map(|row| {
            let (why, by) = row.dropped.as_ref().unwrap();
            (row.post.standing.as_deref().unwrap(), why.as_str(), *by)
        })
        .collect();
    let whole = "a newer acknowledgement holds all orders";
    let second_status = dropped.iter().find(|row| row.post.standing.as_deref() == Some("status 1")).unwrap().id;
    assert_eq!(
        told,
        [
            ("deadline 1", "a newer deadline", Some(nils[3].id)),
            ("status 1", whole, Some(ack)),
            ("status 1", "a newer answer to STATUS holds all orders", Some(second_status)),
            ("orders 1", whole, Some(ack)),
        ]
    );
}

/// Results, corrections, challenges and rulings are facts of the game, and go out however many they are.
#[test]
fn results_are_never_dropped_and_a_closed_turns_deadline_is_no_news() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    work(&mut bench, opened(), greylists(NILS));
    bench.folder.desk.extend(&game, deadline() + later(24), "a storm", opened()).unwrap();
    orders(&mut bench, "n1", NORTH, "number 5", opened() + minute());
    let closing = deadline() + later(24) + minute();
    bench.folder.desk.close_if_due(&game, closing, closing).unwrap();
    orders(&mut bench, "n2", NORTH, "CHALLENGE 1: no", closing + minute());
    let got = work(&mut bench, closing + minute() * 20, taken);
    let nils: Vec<&str> =
        got.iter().filter(|row| row.post.recipient == NILS).map(|row| row.post.kind.as_str()).collect();
    assert_eq!(nils, ["notice", "acknowledgement", "results", "challenge"]);
}

#[test]
fn the_umpire_drops_a_letter_for_a_reason() {
    let mut bench = Bench::new();
    let id = bench.folder.desk.outbox(opened()).unwrap().waiting[0].id;
    assert!(bench.folder.desk.drop_letter(id, " ", opened()).is_err());
    bench.folder.desk.drop_letter(id, "he has it by telephone", opened()).unwrap();
    assert!(bench.folder.desk.drop_letter(id, "again", opened()).is_err());
    assert_eq!(recipients(&work(&mut bench, opened(), taken)), [SOFIA]);
    let row = bench.folder.desk.outgoing(id).unwrap();
    assert_eq!(row.dropped, Some(("by the umpire: he has it by telephone".to_owned(), None)));
}

/// What happens while letters wait.
#[derive(Clone, Debug)]
enum Happens {
    Orders {
        south: bool,
        number: u8,
    },
    Status {
        south: bool,
    },
    Extended,
    Minutes(u16),
    /// The server answers the tries of one pass so, in turn.
    Pass(Vec<Fate>),
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Fate {
    Taken,
    NotNow,
    Down,
    /// The letter arrived and the answer did not.
    AnswerLost,
    DiesBefore,
    /// The letter arrived, and the umpire's machine died before he could write that down.
    DiesAfter,
}

fn happens() -> impl Strategy<Value = Happens> {
    let fate = prop_oneof![
        4 => Just(Fate::Taken),
        3 => Just(Fate::NotNow),
        1 => Just(Fate::Down),
        1 => Just(Fate::AnswerLost),
        1 => Just(Fate::DiesBefore),
        1 => Just(Fate::DiesAfter),
    ];
    prop_oneof![
        4 => (any::<bool>(), 1u8..=9).prop_map(|(south, number)| Happens::Orders { south, number }),
        1 => any::<bool>().prop_map(|south| Happens::Status { south }),
        1 => Just(Happens::Extended),
        2 => (1u16..90).prop_map(Happens::Minutes),
        4 => prop::collection::vec(fate, 1..6).prop_map(Happens::Pass),
    ]
}

/// The world outside: what arrived at whom, in its sequence, and how often a letter may have to come again.
#[derive(Default)]
struct World {
    arrived: Vec<(String, i64, String)>,
    in_doubt: BTreeMap<i64, usize>,
}

fn one_pass(bench: &mut Bench, world: &mut World, fates: &[Fate], now: Timestamp) {
    let mut fates = fates.iter().copied().cycle();
    let died = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        work(bench, now, |row| {
            let fate = fates.next().unwrap();
            if matches!(fate, Fate::Taken | Fate::AnswerLost | Fate::DiesAfter) {
                world.arrived.push((row.post.recipient.clone(), row.id, row.post.message_id.clone()));
            }
            if matches!(fate, Fate::AnswerLost | Fate::DiesAfter) {
                *world.in_doubt.entry(row.id).or_default() += 1;
            }
            match fate {
                Fate::Taken => taken(row),
                Fate::NotNow => Answer::NotNow("451 4.3.0 later".to_owned()),
                Fate::AnswerLost => Answer::NotNow("the connection was lost".to_owned()),
                Fate::Down => down(row),
                Fate::DiesBefore | Fate::DiesAfter => {
                    std::panic::resume_unwind(Box::new("the machine is switched off"))
                }
            }
        });
    }));
    if died.is_err() {
        let dir = bench.dir.clone();
        bench.folder = Bench::reopen(&dir).folder;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Whatever fails, dies and is started again: each letter arrives once by its Message-ID, in the sequence of writing, and
    /// nothing arrives behind what took its place.
    #[test]
    fn every_letter_arrives_once_and_in_sequence(story in prop::collection::vec(happens(), 1..28)) {
        let mut bench = Bench::new();
        let game = bench.game.clone();
        let (mut now, mut until) = (opened(), deadline());
        let mut world = World::default();
        let mut newest = BTreeMap::new();
        for (happened, no) in story.into_iter().zip(0..) {
            now += SignedDuration::from_secs(20);
            match happened {
                Happens::Orders { south, number } => {
                    let (from, to) = if south { (SOUTH, SOFIA) } else { (NORTH, NILS) };
                    orders(&mut bench, &format!("m{no}"), from, &format!("number {number}"), now);
                    newest.insert(to, format!("number {number}"));
                }
                Happens::Status { south } => {
                    orders(&mut bench, &format!("m{no}"), if south { SOUTH } else { NORTH }, "STATUS", now);
                }
                Happens::Extended => {
                    until += later(24);
                    bench.folder.desk.extend(&game, until, "a storm", now).unwrap();
                }
                Happens::Minutes(minutes) => now += SignedDuration::from_mins(minutes.into()),
                Happens::Pass(fates) => one_pass(&mut bench, &mut world, &fates, now),
            }
        }
        let mut turns = 0;
        while let Some(due) = bench.folder.desk.outbox_due(now).unwrap() {
            now = now.max(due);
            one_pass(&mut bench, &mut world, &[Fate::Taken], now);
            turns += 1;
            prop_assert!(turns < 50, "the outbox does not empty");
        }
        let rows = all_rows(&mut bench);
        for who in [NILS, SOFIA] {
            let at_him: Vec<i64> = world.arrived.iter().filter(|(to, ..)| to == who).map(|(_, id, _)| *id).collect();
            prop_assert!(at_him.is_sorted(), "out of sequence: {:?}", at_him);
        }
        for row in &rows {
            let times = world.arrived.iter().filter(|(_, id, _)| *id == row.id).count();
            let doubt = world.in_doubt.get(&row.id).copied().unwrap_or(0);
            match row.state() {
                PostState::Sent(_) => prop_assert!((1..=1 + doubt).contains(&times), "letter {} came {times} times", row.id),
                // It is in doubt whether a letter that was dropped then had arrived; again it did not come.
                PostState::Dropped(_) => prop_assert!(times <= doubt, "letter {} was dropped and came", row.id),
                other => prop_assert!(false, "letter {} is {:?}", row.id, other),
            }
        }
        for (to, words) in newest {
            let last = rows.iter().rev().find(|row| row.post.recipient == to && row.post.kind == "acknowledgement").unwrap();
            prop_assert!(String::from_utf8_lossy(&last.post.raw).contains(&words));
            prop_assert!(matches!(last.state(), PostState::Sent(_)), "the newest acknowledgement has arrived");
        }
    }
}
