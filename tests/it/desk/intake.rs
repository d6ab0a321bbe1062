//! Letters: who is heard, what is answered.

use super::bench::*;
use umpire::desk::Outcome;
use umpire::engine::{LetterNo, SeatId};

#[test]
fn orders_are_taken_and_acknowledged() {
    let mut bench = Bench::new();
    bench.pass(opened());
    assert_eq!(bench.take_sent().len(), 2, "each player is told that the game is open");
    bench.drop("n1", NORTH, "[duel] Round 1", "Dear Umpire,\nnumber 5\nnumber 77", opened() + later(1));
    let pass = bench.pass(opened() + later(2));
    assert_eq!(pass.letters[0].1.outcome, Outcome::Orders);
    assert_eq!(pass.letters[0].1.note, "1 order in force, 1 remark");
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 1);
    let ack = &sent[0];
    assert_eq!((ack.to.as_str(), ack.in_reply_to.as_deref()), ("nils@example.org", Some("n1@example.org")));
    for word in ["number 5", "A number is 1 to 9", "21:00"] {
        assert!(ack.text.contains(word), "{word} is missing in:\n{}", ack.text);
    }
    let status = bench.folder.desk.status(&bench.game.clone(), opened() + later(2)).unwrap();
    assert_eq!(status.seats.iter().map(|seat| seat.letters).collect::<Vec<_>>(), [1, 0]);
    assert!(status.waits_for[0].contains("1 of 2 seats"), "{:?}", status.waits_for);
    assert!(bench.folder.inbox.list(opened()).unwrap().is_empty(), "the letter is filed away");
}

#[test]
fn a_second_letter_mends_the_first_and_doubts_are_asked() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5\nspend 1", opened() + later(1));
    bench.drop("n2", NORTH, "[duel]", "number 4 or 6", opened() + later(2));
    bench.pass(opened() + later(3));
    bench.take_sent();
    bench.drop("n3", NORTH, "[duel]", "1b", opened() + later(4));
    bench.pass(opened() + later(5));
    let sent = bench.take_sent();
    assert!(sent[0].text.contains("number 6") && sent[0].text.contains("spend 1"), "{}", sent[0].text);
    assert!(!sent[0].text.contains("number 5"), "{}", sent[0].text);
}

/// [R-003-86] Letters count in the sequence of their receipt, whenever they are read.
#[test]
fn a_letter_read_late_takes_its_place_by_the_time_of_receipt() {
    let mut bench = Bench::new();
    bench.drop("n2", NORTH, "[duel]", "number 2", opened() + later(2));
    bench.pass(opened() + later(3));
    bench.drop("n1", NORTH, "[duel]", "number 1\nspend 1", opened() + later(1));
    bench.pass(opened() + later(4));
    let review = bench.folder.desk.status(&bench.game.clone(), opened() + later(4)).unwrap();
    let words: Vec<String> = review.seats[0].sheet.as_ref().unwrap().orders.iter().map(|o| o.words.clone()).collect();
    assert_eq!(words, ["number 2", "spend 1"]);
}

#[test]
fn a_stranger_gets_a_polite_answer_without_any_fact() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    bench.drop("x1", "Mallory <mallory@example.org>", "[duel] Round 1", "number 5\nSTATUS", opened() + later(1));
    let pass = bench.pass(opened() + later(2));
    assert_eq!(pass.letters[0].1.outcome, Outcome::Refused);
    let sent = bench.take_sent();
    assert_eq!((sent.len(), sent[0].to.as_str()), (1, "mallory@example.org"));
    let said = String::from_utf8(sent[0].raw.clone()).unwrap();
    for fact in ["Round 2", "Nils", "Sofia", "North", "South", "2027-01-11", "11 January"] {
        assert!(!said.contains(fact), "{fact} is told to a stranger:\n{said}");
    }
    let kept = bench.folder.desk.letter(LetterNo(1)).unwrap();
    assert!(kept.raw.starts_with(b"From: Mallory"), "the letter is kept");
}

#[test]
fn a_letter_for_no_game_is_not_guessed_at() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    bench.drop("n1", NORTH, "[livonia] orders", "number 5", opened() + later(1));
    bench.open_game("second", "");
    bench.pass(opened() + later(1));
    bench.take_sent();
    bench.drop("n2", NORTH, "my orders", "number 5", opened() + later(1));
    let pass = bench.pass(opened() + later(2));
    assert!(pass.letters.iter().all(|(_, done)| done.outcome == Outcome::Refused), "{:?}", pass.letters);
    let sent = bench.take_sent();
    assert!(sent[0].subject.contains("which game"), "{}", sent[0].subject);
    bench.drop("n3", NORTH, "AW: [EXT] [Second] my orders", "number 5", opened() + later(3));
    assert_eq!(bench.pass(opened() + later(3)).letters[0].1.game, Some(umpire::engine::GameId::new("second")));
}

#[test]
fn programs_are_not_answered() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    let auto = b"From: nils@example.org\r\nAuto-Submitted: auto-replied\r\nSubject: [duel] away\r\n\r\nnumber 5\r\n";
    bench.drop_raw("auto", auto, opened() + later(1));
    bench.drop_raw("nobody", b"Subject: [duel] orders\r\n\r\nnumber 5\r\n", opened() + later(1));
    let pass = bench.pass(opened() + later(2));
    let outcomes: Vec<Outcome> = pass.letters.iter().map(|(_, done)| done.outcome).collect();
    assert_eq!(outcomes, [Outcome::Ignored, Outcome::ForUmpire]);
    assert!(bench.sent().is_empty());
    assert_eq!(bench.folder.desk.letters_for_umpire().unwrap().len(), 1);
}

#[test]
fn answers_to_one_address_are_capped_and_orders_taken_all_the_same() {
    let mut bench = Bench::with("[mail]\nanswers_per_hour = 3\n", "");
    bench.pass(opened());
    bench.take_sent();
    for i in 1..=5 {
        bench.drop(&format!("n{i}"), NORTH, "[duel]", &format!("number {i}"), opened() + later(1));
    }
    bench.pass(opened() + later(2));
    assert_eq!(bench.take_sent().len(), 3);
    let status = bench.folder.desk.status(&bench.game.clone(), opened() + later(2)).unwrap();
    assert_eq!(status.seats[0].sheet.as_ref().unwrap().orders[0].words, "number 5");
}

#[test]
fn status_and_help_are_answered_and_change_nothing() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.pass(opened() + later(1));
    bench.take_sent();
    bench.drop("n2", NORTH, "[duel]", "Hello Umpire,\nSTATUS\nHELP\n", opened() + later(2));
    let pass = bench.pass(opened() + later(2));
    assert_eq!(pass.letters[0].1.outcome, Outcome::Command);
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().any(|letter| letter.text.contains("number 5")));
    assert!(sent.iter().any(|letter| letter.text.contains("CHALLENGE")), "{sent:#?}");
}

#[test]
fn an_empty_letter_is_told_that_no_orders_were_found() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    bench.drop("n1", NORTH, "[duel]", "> number 5\n", opened() + later(1));
    bench.drop("s1", SOUTH, "[duel]", "Thank you, a fine game!", opened() + later(1));
    bench.pass(opened() + later(1));
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2);
    assert!(sent.iter().all(|letter| letter.subject.contains("no order")), "{sent:#?}");
}

#[test]
fn a_letter_too_large_is_answered_and_kept() {
    let mut bench = Bench::with("[mail]\nmax_letter_kib = 16\n", "");
    bench.pass(opened());
    bench.take_sent();
    bench.drop("n1", NORTH, "[duel] big", &"number 5\n".repeat(3000), opened() + later(1));
    bench.pass(opened() + later(1));
    let sent = bench.take_sent();
    assert!(sent[0].subject.contains("too large"), "{sent:#?}");
    let kept = bench.folder.config.inbox.join(".Rejected/cur");
    assert_eq!(std::fs::read_dir(kept).unwrap().count(), 1);
}

/// The telephone: what the umpire enters is acknowledged to the player, and kept.
#[test]
fn the_umpire_enters_orders_for_a_player() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    let (game, south) = (bench.game.clone(), SeatId::new("south"));
    let (_, check) = bench.folder.desk.check(&game, &south, b"number 9\nspend 50", opened()).unwrap();
    assert_eq!((check.letter, check.receipt.as_str(), check.sheet.orders.len()), (0, "", 2));
    assert!(check.sheet.orders[1].out_of_force.is_some());
    let facts = bench.folder.desk.submit(&game, &south, b"number 9", opened() + later(1)).unwrap();
    assert!(facts.by_umpire && facts.letter == 1 && facts.receipt.len() == 9);
    bench.pass(opened() + later(2));
    let sent = bench.take_sent();
    assert_eq!((sent.len(), sent[0].to.as_str()), (1, "sofia@example.org"));
    assert!(sent[0].text.contains("number 9"));
    assert_eq!(bench.folder.desk.letter(LetterNo(1)).unwrap().raw, b"number 9");
    assert!(bench.folder.desk.submit(&game, &SeatId::new("east"), b"number 9", opened()).is_err());
}
