//! The life of a turn: closing, posting, becoming official, the next one.

use super::bench::*;
use umpire::desk::{Closed, Ratified, Verdict};
use umpire::engine::{SeatId, Stage, TurnNo};

#[test]
fn a_turn_closes_after_its_deadline_and_every_seat_is_told() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.pass(opened() + later(1));
    assert!(bench.pass(deadline()).closed.is_empty(), "at the very moment orders still count");
    bench.take_sent();
    let closing = deadline() + minute();
    let pass = bench.pass(closing);
    assert_eq!(pass.closed[0].until, Some(closing + later(24)));
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2);
    let north = to(&sent, "nils@example.org")[0];
    assert!(north.subject.contains("Round 1"), "{}", north.subject);
    for word in ["PRELIMINARY", "Round 2", "South"] {
        assert!(north.text.to_uppercase().contains(&word.to_uppercase()), "{word} is missing in:\n{}", north.text);
    }
    assert!(bench.folder.config.site.join("index.html").exists());
    let status = bench.folder.desk.status(&bench.game.clone(), closing).unwrap();
    let stages: Vec<&Stage> = status.turns.iter().map(|turn| &turn.stage).collect();
    assert!(matches!(stages.as_slice(), [Stage::Preliminary { .. }, Stage::Open]), "{stages:?}");
}

/// Each seat is told its own secrets and nobody else's; nor are they on the public page.
#[test]
fn secrets_stay_with_their_owner() {
    let mut bench = Bench::new();
    bench.play_first_turn();
    bench.pass(deadline() + later(30));
    let sent = bench.take_sent();
    let of = |address| &to(&sent, address)[0].text;
    let (north, south) = (of("nils@example.org"), of("sofia@example.org"));
    assert!(north.contains("seat:north") && !north.contains("seat:south"), "{north}");
    assert!(south.contains("seat:south") && !south.contains("seat:north"), "{south}");
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(bench.folder.config.site.join("duel")).unwrap() {
        pages.push(std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    assert!(pages.iter().any(|page| page.contains("public")));
    assert!(pages.iter().all(|page| !page.contains("seat:") && !page.to_lowercase().contains("whisper")));
}

#[test]
fn results_become_official_after_the_window_with_their_secrets() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    assert!(
        bench.pass(closing + later(24)).ratified.is_empty(),
        "a challenge at the very moment still counts [R-003-87]"
    );
    let pass = bench.pass(closing + later(24) + minute());
    assert_eq!(pass.ratified, [(bench.game.clone(), TurnNo(1), "Round 1".to_owned())]);
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2);
    assert!(sent[0].text.to_uppercase().contains("OFFICIAL"));
    for letter in &sent {
        let checked = umpire::results::dice_block::read(&letter.text).unwrap().check();
        assert_eq!(
            (checked.proven, checked.unproven, checked.faults),
            (3, 0, Vec::new()),
            "two throws and an own whisper"
        );
    }
}

#[test]
fn nothing_is_done_twice() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    let desk = &mut bench.folder.desk;
    assert!(matches!(desk.close_if_due(&game, closing, closing).unwrap(), Closed::NotYet(_)));
    let official = closing + later(25);
    assert!(matches!(desk.ratify_if_due(&game, official, official).unwrap(), Ratified::Done { .. }));
    assert!(matches!(desk.ratify_if_due(&game, official, official).unwrap(), Ratified::NotYet(_)));
}

/// What came in time counts, though the umpire's machine was asleep: no turn closes on an intake from before the deadline.
#[test]
fn closing_waits_for_an_intake_that_began_after_the_deadline() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    let (before, after) = (deadline() - minute(), deadline() + minute());
    let Closed::NotYet(why) = bench.folder.desk.close_if_due(&game, before, after).unwrap() else { panic!("closed") };
    assert!(why.contains("letters"), "{why}");
    bench.drop("n1", NORTH, "[duel]", "number 5", deadline() - minute());
    let pass = bench.pass(deadline() + later(10));
    assert_eq!((pass.letters.len(), pass.closed.len()), (1, 1));
    let results =
        &to(&bench.take_sent(), "nils@example.org").iter().map(|l| l.text.clone()).collect::<Vec<_>>().join("\n");
    assert!(results.contains("number: 5") || results.contains("number 5"), "{results}");
}

#[test]
fn a_late_order_is_refused_with_both_times_and_not_taken_for_the_next_turn() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    bench.drop("n2", NORTH, "[duel] Round 1", "number 9", deadline() + minute() / 2);
    bench.drop("s2", SOUTH, "[duel] Round 1", "number 9", closing + later(1));
    bench.pass(closing + later(2));
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2);
    for letter in &sent {
        assert!(letter.subject.contains("too late"), "{}", letter.subject);
        assert!(letter.text.contains("21:00"), "when orders closed, in the player's zone:\n{}", letter.text);
    }
    assert!(sent[1].text.contains("22:01"), "when it was received:\n{}", sent[1].text);
    let status = bench.folder.desk.status(&bench.game.clone(), closing).unwrap();
    assert!(status.seats.iter().all(|seat| seat.letters == 0));
}

/// A letter under the name of a turn long gone is not the open turn's either.
#[test]
fn a_letter_for_a_turn_long_gone_is_refused() {
    let mut bench = Bench::new();
    bench.play_first_turn();
    bench.pass(deadline() + later(25));
    let second = at("2027-01-18T20:01:00Z");
    bench.pass(second);
    bench.take_sent();
    bench.drop("n2", NORTH, "[duel] Round 1", "number 9", second + later(1));
    bench.drop("s2", SOUTH, "[duel] Round 3", "number 9", second + later(1));
    let pass = bench.pass(second + later(1));
    let turns: Vec<Option<TurnNo>> = pass.letters.iter().map(|(_, done)| done.turn).collect();
    assert_eq!(turns, [Some(TurnNo(1)), Some(TurnNo(3))]);
    assert!(to(&bench.take_sent(), "nils@example.org")[0].subject.contains("Round 1"));
}

#[test]
fn orders_for_the_next_turn_are_taken_while_results_are_preliminary() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    bench.drop("n2", NORTH, "[duel] Round 2", "number 7", closing + later(1));
    bench.pass(closing + later(1));
    let ack = &bench.take_sent()[0];
    assert!(ack.text.contains("number 7") && ack.subject.contains("Round 2"), "{} {}", ack.subject, ack.text);
    // A reply to that acknowledgement names the turn, whatever its subject says.
    let reply = format!(
        "From: {NORTH}\r\nSubject: Re: [duel] Round 1\r\nIn-Reply-To: <{}>\r\nMessage-ID: <n3@example.org>\r\n\r\nnumber 8\r\n",
        ack.message_id
    );
    bench.drop_raw("n3", reply.as_bytes(), closing + later(2));
    bench.pass(closing + later(2));
    assert!(bench.take_sent()[0].text.contains("number 8"));
}

/// A timely letter that turns up after the sealing stops the turn and wakes the umpire.
#[test]
fn a_timely_letter_found_after_the_sealing_stops_the_game() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    bench.drop("n2", NORTH, "[duel]", "number 9", deadline() - minute());
    bench.pass(closing + later(1));
    let game = bench.game.clone();
    let status = bench.folder.desk.status(&game, closing + later(1)).unwrap();
    assert!(status.held.is_some());
    assert_eq!(bench.folder.desk.letters_for_umpire().unwrap().len(), 1);
    assert!(bench.pass(closing + later(30)).ratified.is_empty());
    bench.folder.desk.resume(&game, "seen to", closing + later(31)).unwrap();
    assert_eq!(bench.pass(closing + later(31)).ratified.len(), 1);
}

#[test]
fn results_wait_for_review_where_the_umpire_wants_it() {
    let mut bench = Bench::with("post = \"after-review\"\n", "");
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    let game = bench.game.clone();
    bench.pass(opened() + later(1));
    assert!(bench.folder.desk.release(&game, deadline()).is_err());
    bench.take_sent();
    let pass = bench.pass(deadline() + minute());
    assert_eq!((pass.closed.len(), pass.closed[0].until), (1, None));
    assert!(bench.sent().is_empty());
    let status = bench.folder.desk.status(&game, deadline() + later(1)).unwrap();
    assert!(status.waits_for[0].starts_with("you:"), "{:?}", status.waits_for);
    let until = bench.folder.desk.release(&game, deadline() + later(5)).unwrap();
    assert_eq!(until, deadline() + later(29));
    bench.pass(deadline() + later(5));
    assert_eq!(bench.take_sent().len(), 2);
}

/// A question in the middle of a turn is a turn of its own in which one seat owes the answer.
#[test]
fn a_question_in_mid_turn_is_asked_and_answered() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5\ndare", opened() + later(1));
    bench.drop("s1", SOUTH, "[duel]", "number 3", opened() + later(1));
    bench.pass(opened() + later(1));
    bench.pass(deadline() + minute());
    bench.pass(deadline() + later(25));
    let game = bench.game.clone();
    let status = bench.folder.desk.status(&game, deadline() + later(25)).unwrap();
    assert_eq!(status.turns[1].phase, "Answer 2");
    assert_eq!(status.seats.iter().map(|seat| seat.owes).collect::<Vec<_>>(), [false, true]);
    bench.drop("s2", SOUTH, "[duel]", "yes", deadline() + later(26));
    bench.pass(deadline() + later(26));
    bench.take_sent();
    bench.pass(at("2027-01-18T20:01:00Z"));
    let status = bench.folder.desk.status(&game, at("2027-01-18T20:01:00Z")).unwrap();
    assert_eq!(
        status.turns.iter().map(|turn| turn.phase.as_str()).collect::<Vec<_>>(),
        ["Round 1", "Answer 2", "Round 3"]
    );
    let verified = bench.folder.desk.verify(&game, at("2027-01-18T20:01:00Z")).unwrap();
    assert!(verified.is_sound() && verified.turns.len() == 2, "{verified:?}");
}

#[test]
fn a_game_comes_to_its_end() {
    let mut bench = Bench::with("", "rounds = 1\n");
    let closing = bench.play_first_turn();
    let pass = bench.pass(closing + later(25));
    assert_eq!(pass.ratified.len(), 1);
    bench.take_sent();
    bench.drop("n2", NORTH, "[duel]", "number 9", closing + later(26));
    bench.pass(closing + later(1000));
    assert!(bench.take_sent()[0].subject.contains("No orders are taken"));
    let status = bench.folder.desk.status(&bench.game.clone(), closing).unwrap();
    assert_eq!(status.waits_for, ["nothing: the game is over"]);
    let page = std::fs::read_to_string(bench.folder.config.site.join("duel/index.html")).unwrap();
    assert!(page.contains("seat:north") && page.contains("seat:south"), "all secrets are published at the end");
}

#[test]
fn replay_finds_every_turn_the_same() {
    let mut bench = Bench::new();
    bench.play_first_turn();
    let verified = bench.folder.desk.verify(&bench.game.clone(), deadline()).unwrap();
    assert!(matches!(verified.turns[0].verdict, Verdict::Same { events: 5 }), "{verified:?}");
    assert!(verified.is_sound());
}

#[test]
fn a_dry_run_throws_other_dice_and_changes_nothing() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.pass(opened() + later(1));
    let game = bench.game.clone();
    let runs: Vec<String> = (0..40)
        .map(|_| {
            serde_json::to_string(&bench.folder.desk.dry_run(&game, opened()).unwrap().report.entries[0].rolls).unwrap()
        })
        .collect();
    assert!(runs.iter().any(|run| *run != runs[0]), "forty dry runs with the same die");
    let status = bench.folder.desk.status(&game, opened()).unwrap();
    assert_eq!((status.turns.len(), &status.turns[0].stage), (1, &Stage::Open));
}

#[test]
fn a_seat_without_player_gets_no_letters_and_owes_none() {
    let mut bench = Bench::new();
    let (game, east) = (bench.game.clone(), SeatId::new("east"));
    let someone = player("Ella East", "ella@example.org");
    assert!(bench.folder.desk.enrol(&game, &east, &someone, opened()).is_err(), "there is no such seat");
    let nobody = player("Nobody", "not an address");
    assert!(bench.folder.desk.enrol(&game, &SeatId::new("south"), &nobody, opened()).is_err());
    bench.folder.desk.enrol(&game, &SeatId::new("south"), &someone, opened()).unwrap();
    bench.pass(opened());
    assert_eq!(to(&bench.take_sent(), "ella@example.org").len(), 1);
    bench.drop("e1", "ella@example.org", "orders", "number 4", opened() + later(1));
    bench.drop("s1", SOUTH, "orders", "number 9", opened() + later(1));
    bench.pass(opened() + later(1));
    let status = bench.folder.desk.status(&game, opened() + later(1)).unwrap();
    assert_eq!(status.seats[1].sheet.as_ref().unwrap().orders[0].words, "number 4");
}
