//! The 24 hours run from the posting if every seat's letter was accepted within 30 minutes, else from the last acceptance or final
//! failure [R-003-87].

use super::bench::*;
use jiff::Timestamp;
use umpire::daemon::{Answer, WorkedOff, work_off};
use umpire::desk::{OutboxRow, Ratified};
use umpire::engine::Stage;

/// A turn is closed, its results lie in the outbox, all before has left.
fn posted(config: &str) -> (Bench, Timestamp) {
    let mut bench = Bench::with(config, "");
    bench.pass(opened());
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.drop("s1", SOUTH, "[duel]", "number 3", opened() + later(1));
    bench.pass(opened() + later(2));
    bench.take_sent();
    let closing = deadline() + minute();
    let game = bench.game.clone();
    bench.folder.desk.close_if_due(&game, closing, closing).unwrap();
    (bench, closing)
}

/// A pass in which Nils's server answers so, and all others take what they get. Gives what was sent.
fn nils(bench: &mut Bench, now: Timestamp, answer: &Answer) -> Vec<OutboxRow> {
    let mut taken = Vec::new();
    work_off(&mut bench.folder.desk, now, &mut WorkedOff::default(), &mut || true, |row| {
        let said =
            if row.post.recipient.starts_with("nils") { answer.clone() } else { Answer::Taken("250 ok".to_owned()) };
        if matches!(said, Answer::Taken(_)) {
            taken.push(row.clone());
        }
        said
    })
    .unwrap();
    taken
}

fn not_now() -> Answer {
    Answer::NotNow("451 4.7.1 greylisted".to_owned())
}

fn ok() -> Answer {
    Answer::Taken("250 ok".to_owned())
}

fn until(bench: &mut Bench, now: Timestamp) -> Timestamp {
    let game = bench.game.clone();
    match bench.folder.desk.status(&game, now).unwrap().turns[0].stage {
        Stage::Preliminary { until, .. } => until,
        ref other => panic!("{other:?}"),
    }
}

fn notices(rows: &[OutboxRow]) -> Vec<&str> {
    rows.iter()
        .filter(|row| row.post.standing.as_deref() == Some("window 1"))
        .map(|row| row.post.recipient.as_str())
        .collect()
}

#[test]
fn greylisting_of_half_an_hour_moves_nothing() {
    let (mut bench, closing) = posted("");
    nils(&mut bench, closing, &not_now());
    let sent = nils(&mut bench, closing + minute() * 30, &ok());
    assert_eq!(sent.len(), 1);
    assert_eq!(until(&mut bench, closing), closing + later(24));
    let game = bench.game.clone();
    let over = closing + later(24) + minute();
    assert!(matches!(bench.folder.desk.ratify_if_due(&game, over, over).unwrap(), Ratified::Done { .. }));
}

#[test]
fn an_acceptance_after_31_minutes_moves_the_end_at_once_and_every_seat_is_told() {
    let (mut bench, closing) = posted("");
    nils(&mut bench, closing, &not_now());
    let accepted = closing + minute() * 31;
    let sent = nils(&mut bench, accepted, &ok());
    assert_eq!(until(&mut bench, accepted), accepted + later(24), "it is in the journal with the acceptance");
    let more = nils(&mut bench, accepted, &ok());
    let all: Vec<OutboxRow> = sent.into_iter().chain(more).collect();
    assert_eq!(notices(&all), ["nils@example.org", "sofia@example.org"]);
    let told = String::from_utf8_lossy(&all.last().unwrap().post.raw).into_owned();
    assert!(told.contains("Tuesday 12 January 2027, 21:32"), "in the player's zone:\n{told}");
    bench.pass(accepted);
    let page = bench.folder.config.site.join("duel/index.html");
    assert!(std::fs::read_to_string(page).unwrap().contains("2027-01-12T20:32:00Z"), "the page states the new end");
    // The notices themselves leaving late move nothing more.
    let game = bench.game.clone();
    let over = accepted + later(24);
    assert!(matches!(bench.folder.desk.ratify_if_due(&game, over, over).unwrap(), Ratified::NotYet(_)));
    let over = over + minute();
    assert!(matches!(bench.folder.desk.ratify_if_due(&game, over, over).unwrap(), Ratified::Done { .. }));
}

#[test]
fn a_notice_of_the_move_that_leaves_late_moves_nothing_more() {
    let (mut bench, closing) = posted("");
    nils(&mut bench, closing, &not_now());
    let accepted = closing + later(2);
    let only_results = |row: &OutboxRow| row.post.kind == "results" || row.post.recipient.starts_with("sofia");
    work_off(&mut bench.folder.desk, accepted, &mut WorkedOff::default(), &mut || true, |row| {
        if only_results(row) { ok() } else { not_now() }
    })
    .unwrap();
    nils(&mut bench, accepted + later(5), &ok());
    assert_eq!(until(&mut bench, accepted), accepted + later(24));
}

#[test]
fn a_final_failure_ends_the_waiting_as_an_acceptance_does() {
    let (mut bench, closing) = posted("");
    nils(&mut bench, closing, &not_now());
    let refused = closing + later(3);
    nils(&mut bench, refused, &Answer::Never("550 5.1.1 no such user".to_owned()));
    assert_eq!(until(&mut bench, refused), refused + later(24));
    let (mut bench, closing) = posted("");
    nils(&mut bench, closing, &Answer::Never("550 5.1.1 no such user".to_owned()));
    assert_eq!(until(&mut bench, closing), closing + later(24), "within the half hour it moves nothing");
}

/// Nobody is told that he came too late by a clock that had not begun to run.
#[test]
fn while_a_letter_waits_the_window_is_open_though_its_first_end_is_past() {
    let (mut bench, closing) = posted("");
    nils(&mut bench, closing, &not_now());
    let game = bench.game.clone();
    let past = closing + later(25);
    let status = bench.folder.desk.status(&game, past).unwrap();
    assert!(status.waits_for.iter().any(|line| line.contains("at the earliest")), "{:?}", status.waits_for);
    bench.drop("s2", SOUTH, "[duel]", "CHALLENGE 1: in time after all", past);
    let pass = umpire::daemon::pass(&mut bench.folder, past);
    assert_eq!(pass.letters.len(), 1);
    assert_eq!(bench.folder.desk.challenges(&game, past).unwrap().len(), 1);
}

/// The turn that follows does not close before the challenges do.
#[test]
fn a_window_that_moves_takes_the_next_deadline_with_it() {
    let (mut bench, closing) = posted("deadline_days = 2\n");
    let game = bench.game.clone();
    let first = deadline() + later(48);
    assert!(bench.folder.desk.status(&game, closing).unwrap().turns[1].deadline.utc.starts_with("2027-01-13T20:00"));
    nils(&mut bench, closing, &not_now());
    let accepted = first - later(3);
    nils(&mut bench, accepted, &ok());
    let status = bench.folder.desk.status(&game, accepted).unwrap();
    assert_eq!(status.turns[1].deadline.utc, "2027-01-14T20:00:00Z", "a day more, at the same hour");
    let sent = nils(&mut bench, accepted, &ok());
    let told: Vec<&str> = sent.iter().filter_map(|row| row.post.standing.as_deref()).collect();
    assert!(told.is_empty() || told.contains(&"deadline 2"), "{told:?}");
}
