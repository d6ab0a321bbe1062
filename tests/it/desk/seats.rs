//! A new player in an old seat, a seat without player, and deputies.

use super::bench::*;
use umpire::desk::Outcome;
use umpire::engine::SeatId;

fn south() -> SeatId {
    SeatId::new("south")
}

fn seat(bench: &mut Bench, now: jiff::Timestamp) -> umpire::desk::SeatStatus {
    let game = bench.game.clone();
    bench.folder.desk.status(&game, now).unwrap().seats.remove(1)
}

#[test]
fn a_new_player_is_briefed_and_the_old_one_is_refused_politely() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    bench.drop("s1", SOUTH, "[duel]", "number 3", opened() + later(1));
    bench.pass(opened() + later(1));
    bench.take_sent();
    bench.folder.desk.enrol(&game, &south(), &player("Ella East", "ella@example.org"), opened() + later(2)).unwrap();
    bench.drop("s2", SOUTH, "[duel]", "number 9", opened() + later(3));
    let pass = bench.pass(opened() + later(3));
    assert_eq!(pass.letters[0].1.outcome, Outcome::Refused);
    let sent = bench.take_sent();
    let ella = to(&sent, "ella@example.org");
    assert_eq!(ella.len(), 1);
    for words in ["Welcome", "number 3", "You throw nothing.", "TOTALS", "11 January 2027, 21:00"] {
        assert!(ella[0].text.contains(words), "{words}:\n{}", ella[0].text);
    }
    let old = to(&sent, "sofia@example.org");
    assert_eq!(old.len(), 2, "thanked, and then refused: {old:#?}");
    let refused = old.iter().find(|l| l.subject == "Your letter to the umpire").unwrap();
    assert!(refused.text.contains("you hold no seat any more"), "{}", refused.text.replace('\n', " "));
    assert!(old.iter().all(|l| !l.text.contains("Ella") && !l.text.contains("11 January")), "{old:#?}");
    assert_eq!(seat(&mut bench, opened() + later(4)).sheet.unwrap().orders[0].words, "number 3");
}

/// Nobody waits for a seat without player, reminds it, counts it or carries out what it had sent.
#[test]
fn a_seat_without_player_is_not_waited_for() {
    let mut bench = Bench::with("extend_if_missing = 1\n", "");
    let game = bench.game.clone();
    bench.drop("s1", SOUTH, "[duel]", "number 3", opened() + later(1));
    bench.pass(opened() + later(1));
    let old = bench.folder.desk.vacate(&game, &south(), "resigned", opened() + later(2)).unwrap();
    assert_eq!(old.name, "Sofia South");
    assert!(bench.folder.desk.vacate(&game, &south(), "again", opened() + later(2)).is_err());
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(3));
    bench.pass(opened() + later(3));
    bench.take_sent();
    assert_eq!(bench.pass(deadline() - later(5)).reminded, 0);
    let now = seat(&mut bench, deadline());
    assert_eq!((now.owes, now.player, now.sheet), (false, None, None));
    let pass = bench.pass(deadline() + minute());
    assert_eq!((pass.closed.len(), pass.extended.len()), (1, 0));
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 1, "{sent:#?}");
    let text = &sent[0].text;
    assert!(text.contains("Without player: South.") && !text.contains("No orders came from"), "{text}");
    assert!(!text.contains("number: 3") && !text.contains("number 3"), "{text}");
    // Who comes afterwards changes nothing about a turn that was sealed.
    bench.folder.desk.enrol(&game, &south(), &player("Ella East", "ella@example.org"), deadline() + later(1)).unwrap();
    assert!(bench.folder.desk.verify(&game, deadline() + later(1)).unwrap().is_sound());
    assert!(seat(&mut bench, deadline() + later(1)).owes);
}

#[test]
fn all_ready_means_all_who_have_a_player() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    bench.folder.desk.vacate(&game, &south(), "", opened()).unwrap();
    bench.drop("n1", NORTH, "[duel]", "number 5\nREADY", opened() + later(25));
    assert_eq!(bench.pass(opened() + later(25) + minute()).closed.len(), 1);
}

#[test]
fn a_deputy_writes_beside_the_player_and_both_are_answered() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    let dora = player("Dora Deputy", "dora@example.org");
    bench.folder.desk.deputise(&game, &south(), Some(&dora), opened()).unwrap();
    bench.pass(opened());
    let sent = bench.take_sent();
    assert!(to(&sent, "dora@example.org")[0].text.contains("beside its player"), "{sent:#?}");
    assert!(to(&sent, "sofia@example.org").iter().any(|l| l.text.replace('\n', " ").contains("Dora Deputy may write")));
    bench.drop("d1", "Dora <dora@example.org>", "[duel]", "number 4", opened() + later(2));
    bench.pass(opened() + later(2));
    bench.drop("s1", SOUTH, "[duel]", "number 3", opened() + later(1));
    bench.pass(opened() + later(3));
    let sent = bench.take_sent();
    assert_eq!((to(&sent, "dora@example.org").len(), to(&sent, "sofia@example.org").len()), (2, 2), "{sent:#?}");
    assert_eq!(seat(&mut bench, opened() + later(3)).sheet.unwrap().orders[0].words, "number 4", "the newest counts");
    assert_eq!(bench.pass(deadline() + minute()).closed.len(), 1);
    assert_eq!(to(&bench.take_sent(), "dora@example.org").len(), 1, "he gets the results, too");
    bench.folder.desk.deputise(&game, &south(), None, deadline() + later(1)).unwrap();
    bench.drop("d2", "Dora <dora@example.org>", "[duel]", "number 8", deadline() + later(2));
    let pass = bench.pass(deadline() + later(2));
    assert_eq!(pass.letters[0].1.outcome, Outcome::Refused);
    assert!(bench.folder.desk.deputise(&game, &south(), Some(&player("S", "SOFIA@example.org")), deadline()).is_err());
}

#[test]
fn turns_missed_are_counted_for_the_player_and_not_for_the_seat() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.pass(deadline() + minute());
    assert_eq!(seat(&mut bench, deadline() + later(1)).missed, 1);
    let moved = player("Sofia South", "sofia@home.example.org");
    bench.folder.desk.enrol(&game, &south(), &moved, deadline() + later(1)).unwrap();
    assert_eq!(seat(&mut bench, deadline() + later(1)).missed, 1, "a new address is no new player");
    bench.folder.desk.enrol(&game, &south(), &player("Ella East", "ella@example.org"), deadline() + later(2)).unwrap();
    assert_eq!(seat(&mut bench, deadline() + later(2)).missed, 0);
}
