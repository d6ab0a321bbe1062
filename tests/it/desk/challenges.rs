//! Challenges: in time by the server's clock, or refused with both times; an open one holds the turn.

use super::bench::*;
use umpire::desk::RulingWish;
use umpire::engine::{ChallengeNo, EventNo, SeatId};

#[test]
fn a_challenge_is_numbered_answered_and_holds_the_turn() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    bench.drop("n2", NORTH, "Re: [duel] Round 1", "CHALLENGE 1: my die\nwas a six", closing + later(24));
    bench.pass(closing + later(25));
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 1, "{sent:#?}");
    assert!(sent[0].text.contains("was a six"), "{}", sent[0].text);
    let open = bench.folder.desk.challenges(&game, closing).unwrap();
    assert_eq!((open[0].challenge.no, open[0].challenge.event), (ChallengeNo(1), Some(EventNo::Public(1))));
    let status = bench.folder.desk.status(&game, closing + later(25)).unwrap();
    assert!(status.waits_for.iter().any(|w| w.contains("challenge 1")), "{:?}", status.waits_for);
    assert!(bench.pass(closing + later(200)).ratified.is_empty(), "it is held [R-003-88]");
    let page = std::fs::read_to_string(bench.folder.config.site.join("duel/index.html")).unwrap();
    assert!(!page.contains("was a six"), "the words stay with the umpire");
    bench.folder.desk.answer_challenge(&game, ChallengeNo(1), "It was a two.", false, closing + later(201)).unwrap();
    assert!(bench.folder.desk.answer_challenge(&game, ChallengeNo(1), "Again.", false, closing).is_err());
    let pass = bench.pass(closing + later(202));
    assert_eq!(pass.ratified.len(), 1);
    assert!(bench.take_sent().iter().any(|letter| letter.text.contains("It was a two.")));
}

#[test]
fn the_house_rule_lets_a_turn_become_official_over_a_challenge() {
    let mut bench = Bench::with("", "[house_rules]\nopen_challenge_holds = false\n");
    let closing = bench.play_first_turn();
    bench.drop("n2", NORTH, "[duel]", "CHALLENGE 1: no", closing + later(1));
    assert_eq!(bench.pass(closing + later(25)).ratified.len(), 1);
}

#[test]
fn a_late_challenge_is_refused_with_both_times() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    bench.drop("n2", NORTH, "[duel]", "CHALLENGE 1: too late", closing + later(24) + minute());
    bench.pass(closing + later(24) + minute() * 2);
    let sent = bench.take_sent();
    let refusal = sent.iter().find(|letter| letter.in_reply_to.as_deref() == Some("n2@example.org")).unwrap();
    for time in ["21:01", "21:02"] {
        assert!(refusal.text.contains(time), "{time} is missing in:\n{}", refusal.text);
    }
    assert!(bench.folder.desk.challenges(&bench.game.clone(), closing).unwrap().is_empty());
}

#[test]
fn a_challenge_before_any_results_is_refused() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    bench.drop("n1", NORTH, "[duel]", "CHALLENGE 1: what?", opened() + later(1));
    bench.pass(opened() + later(1));
    assert!(bench.take_sent()[0].text.contains("no results to challenge"));
}

/// A number that is none of the report's is no reason not to listen.
#[test]
fn a_challenge_with_a_wrong_number_is_heard() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    bench.drop("n2", NORTH, "[duel]", "CHALLENGE 99: the other thing\n\nCHALLENGE s1: my whisper", closing + later(1));
    bench.pass(closing + later(1));
    let all = bench.folder.desk.challenges(&bench.game.clone(), closing).unwrap();
    assert_eq!(all.iter().map(|c| c.challenge.event).collect::<Vec<_>>(), [None, Some(EventNo::Secret(1))]);
    assert_eq!(all[0].challenge.text, "99: the other thing");
    assert_eq!(bench.take_sent().len(), 2);
}

/// After a correction the 24 hours run anew for what it changed, and for that only [R-003-85].
#[test]
fn a_reopened_window_is_for_what_changed() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    let wish = RulingWish::Impose { words: "gain north 10".to_owned(), after: None };
    bench.folder.desk.rule(&game, None, &wish, "a bonus was forgotten", closing + later(20)).unwrap();
    bench.pass(closing + later(20));
    bench.take_sent();
    let new = bench.folder.desk.preview_ruling(&game, None, &wish, closing + later(20)).unwrap();
    assert!(!new.lines.is_empty());
    bench.drop("s2", SOUTH, "[duel]", "CHALLENGE 1: an old thing", closing + later(30));
    bench.drop("s3", SOUTH, "[duel]", "CHALLENGE 4: the new thing", closing + later(30));
    bench.pass(closing + later(30));
    let all = bench.folder.desk.challenges(&game, closing).unwrap();
    assert_eq!(all.iter().map(|c| c.challenge.text.as_str()).collect::<Vec<_>>(), ["the new thing"]);
    let refusal = bench.take_sent();
    assert!(refusal.iter().any(|letter| letter.text.contains("R-003-85")), "{refusal:#?}");
    assert_eq!(all[0].challenge.seat, SeatId::new("south"));
}
