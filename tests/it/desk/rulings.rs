//! The umpire's hand on results.

use super::bench::*;
use umpire::desk::{DiceCount, RulingWish};
use umpire::engine::{EventNo, IssueNo, RulingNo, SeatId};

fn fix(face: u8) -> RulingWish {
    RulingWish::FixDie { event: EventNo::Public(1), seat: None, die: 1, face }
}

#[test]
fn a_preview_says_whose_report_would_differ_and_writes_nothing() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    let face = (1..=6)
        .find(|face| !bench.folder.desk.preview_ruling(&game, None, &fix(*face), closing).unwrap().lines.is_empty());
    let preview = bench.folder.desk.preview_ruling(&game, None, &fix(face.unwrap()), closing).unwrap();
    assert_eq!(preview.seats, ["north", "south"].map(SeatId::new));
    assert!(preview.public && preview.until == Some(closing + later(24)));
    assert_eq!(preview.dice, DiceCount { unchanged: 7, of: 8 });
    assert_eq!((preview.issue, preview.lines.len(), preview.lines[0].0), (IssueNo(2), 1, EventNo::Public(1)));
    assert!(preview.what.contains("event 1"), "{}", preview.what);
    assert!(bench.pass(closing + later(1)).closed.is_empty() && bench.sent().is_empty());
}

#[test]
fn a_correction_keeps_the_numbers_strikes_and_appends() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    let wish = RulingWish::Strike { seat: SeatId::new("north"), order: 1 };
    let ruled =
        bench.folder.desk.rule(&game, None, &wish, "he had withdrawn it by telephone", closing + later(1)).unwrap();
    assert_eq!((ruled.issue, ruled.ruling, ruled.seats.len()), (Some(IssueNo(2)), RulingNo(1), 2));
    bench.pass(closing + later(1));
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2);
    let south = &to(&sent, "sofia@example.org")[0].text;
    assert!(south.contains("issue 2") && south.contains("he had withdrawn it by telephone"), "{south}");
    assert!(!south.contains("number 5\" of North"), "what North had ordered is North's:\n{south}");
    let gain = RulingWish::Impose { words: "gain south 2".to_owned(), after: None };
    bench.folder.desk.rule(&game, None, &gain, "a bonus", closing + later(2)).unwrap();
    let withdraw = RulingWish::Withdraw { ruling: RulingNo(1) };
    bench.folder.desk.rule(&game, None, &withdraw, "the call was a joke", closing + later(3)).unwrap();
    bench.pass(closing + later(3));
    let sent = bench.take_sent();
    let last =
        to(&sent, "nils@example.org").iter().map(|l| l.text.clone()).find(|text| text.contains("issue 4")).unwrap();
    // Event 1, struck by issue 2, is back under its number; the gain, new in issue 3, keeps the one that it got.
    let rows: Vec<&str> =
        last.lines().map(str::trim_start).filter(|l| l.starts_with(['1', '2', '3', '4', '+', '*'])).collect();
    assert!(rows.iter().any(|row| row.starts_with("+1 ") || row.starts_with("1 ")), "{last}");
    assert!(rows.iter().any(|row| row.starts_with("4 ")), "{last}");
    let verified = bench.folder.desk.verify(&game, closing).unwrap();
    assert!(verified.is_sound() && verified.turns.len() == 4, "{verified:?}");
}

/// Who is not concerned learns that there was a correction, and nothing of it.
#[test]
fn the_unaffected_get_a_note_without_any_fact() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    let whisper =
        |face| RulingWish::FixDie { event: EventNo::Secret(1), seat: Some(SeatId::new("south")), die: 1, face };
    let changing = (1..=6)
        .find(|face| !bench.folder.desk.preview_ruling(&game, None, &whisper(*face), closing).unwrap().seats.is_empty())
        .unwrap();
    let preview = bench.folder.desk.preview_ruling(&game, None, &whisper(changing), closing).unwrap();
    assert_eq!((preview.seats, preview.public), (vec![SeatId::new("south")], false));
    bench.folder.desk.rule(&game, None, &whisper(changing), "South's whisper was misread", closing + later(1)).unwrap();
    bench.pass(closing + later(1));
    let sent = bench.take_sent();
    let north = to(&sent, "nils@example.org")[0];
    let all = format!("{} {}", north.subject, north.text);
    assert!(all.contains("correct") && !all.to_lowercase().contains("whisper") && !all.contains("South"), "{all}");
    assert!(to(&sent, "sofia@example.org")[0].text.contains("misread"));
    for entry in std::fs::read_dir(bench.folder.config.site.join("duel")).unwrap() {
        let page = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!page.to_lowercase().contains("whisper") && !page.contains("misread"));
    }
}

#[test]
fn a_reroll_cannot_be_looked_at_beforehand() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    let wish = RulingWish::Reroll { event: EventNo::Public(1), seat: None, volley: 1 };
    let preview = bench.folder.desk.preview_ruling(&game, None, &wish, closing).unwrap();
    assert!(preview.hidden.is_some() && preview.lines.is_empty());
    let ruled = bench.folder.desk.rule(&game, None, &wish, "the die fell off the table", closing).unwrap();
    assert_eq!(ruled.issue, Some(IssueNo(2)), "the volley bears the ruling's number, so the report differs");
}

/// Orders for the next turn are read again after a correction, and their owner is told what became of them.
#[test]
fn a_correction_looks_at_the_next_turns_orders_again() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    bench.drop("n2", NORTH, "[duel] Round 2", "number 5\nspend 6", closing + later(1));
    bench.drop("s2", SOUTH, "[duel] Round 2", "number 5", closing + later(1));
    bench.pass(closing + later(1));
    assert!(to(&bench.take_sent(), "nils@example.org")[0].text.contains("spend 6"));
    let wish = RulingWish::Impose { words: "gain north -9".to_owned(), after: None };
    let ruled = bench.folder.desk.rule(&game, None, &wish, "counted twice", closing + later(2)).unwrap();
    assert_eq!(ruled.orders_changed, [SeatId::new("north")]);
    bench.pass(closing + later(2));
    let sent = bench.take_sent();
    let told =
        to(&sent, "nils@example.org").iter().any(|l| l.text.contains("corrected") && l.text.contains("You have"));
    assert!(told, "{sent:#?}");
    assert_eq!(to(&sent, "sofia@example.org").len(), 1, "South's orders read as before");
}

#[test]
fn rulings_that_cannot_be_are_refused_with_a_reason() {
    let mut bench = Bench::new();
    let closing = bench.play_first_turn();
    let game = bench.game.clone();
    let desk = &mut bench.folder.desk;
    let north = || SeatId::new("north");
    let wishes = [
        (RulingWish::Strike { seat: north(), order: 7 }, "no order 7"),
        (RulingWish::Strike { seat: SeatId::new("east"), order: 1 }, "north, south"),
        (RulingWish::Admit { seat: north(), words: "nonsense".to_owned() }, "nonsense"),
        (RulingWish::FixDie { event: EventNo::Public(1), seat: None, die: 2, face: 6 }, "no die 2"),
        (fix(7), "no face 7"),
        (RulingWish::FixDie { event: EventNo::Public(50), seat: None, die: 1, face: 6 }, "no event 50"),
        (RulingWish::Impose { words: "lose everything".to_owned(), after: None }, "gain SEAT AMOUNT"),
        (
            RulingWish::Impose {
                words: "gain north 1".to_owned(),
                after: Some(umpire::engine::StepName::new("lunch")),
            },
            "the steps are",
        ),
        (RulingWish::Withdraw { ruling: RulingNo(3) }, "no ruling 3"),
    ];
    for (wish, said) in wishes {
        let fault = desk.rule(&game, None, &wish, "because", closing).unwrap_err();
        assert!(fault.is_users_mistake() && fault.to_string().contains(said), "{wish:?}: {fault}");
    }
    assert!(desk.rule(&game, None, &fix(6), "  ", closing).unwrap_err().to_string().contains("reason"));
    bench.pass(closing + later(25));
    let late = bench.folder.desk.rule(&game, Some(umpire::engine::TurnNo(1)), &fix(6), "because", closing + later(26));
    assert!(late.unwrap_err().to_string().contains("R-003-90"));
}

/// A ruling on a turn that is still open counts when it closes, and shows no true die beforehand.
#[test]
fn a_ruling_before_the_closing_counts_at_the_closing() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.pass(opened() + later(1));
    let game = bench.game.clone();
    let admit = RulingWish::Admit { seat: SeatId::new("south"), words: "number 9".to_owned() };
    assert!(bench.folder.desk.preview_ruling(&game, None, &admit, opened()).unwrap().hidden.is_some());
    let ruled = bench.folder.desk.rule(&game, None, &admit, "he telephoned", opened() + later(2)).unwrap();
    assert_eq!((ruled.issue, ruled.until), (None, None));
    assert_eq!(bench.pass(deadline() + minute()).closed[0].events, 5);
}
