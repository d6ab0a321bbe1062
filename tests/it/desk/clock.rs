//! The umpire's hand on the clock.

use super::bench::*;

#[test]
fn an_extension_moves_the_deadline_and_is_told() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    bench.pass(opened());
    bench.take_sent();
    let new = bench.folder.desk.moment(&game, "2027-01-13 20:00", opened()).unwrap();
    assert_eq!(new, deadline() + later(48));
    assert!(bench.folder.desk.extend(&game, deadline() - minute(), "no", opened()).unwrap_err().is_users_mistake());
    bench.folder.desk.extend(&game, new, "the umpire is travelling", deadline() - later(1)).unwrap();
    assert!(bench.pass(deadline() + minute()).closed.is_empty());
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2);
    assert!(sent[0].text.contains("13 January") && sent[0].text.contains("travelling"), "{}", sent[0].text);
    bench.drop("n1", NORTH, "[duel]", "number 5", deadline() + later(1));
    assert_eq!(bench.pass(new + minute()).closed.len(), 1);
}

#[test]
fn a_held_game_stands_still_and_gets_its_time_back() {
    let mut bench = Bench::new();
    let game = bench.game.clone();
    bench.folder.desk.hold(&game, "a storm", deadline() - later(2)).unwrap();
    assert!(bench.folder.desk.hold(&game, "again", deadline()).is_err());
    bench.drop("n1", NORTH, "[duel]", "number 5", deadline() + later(1));
    let pass = bench.pass(deadline() + later(30));
    assert!(pass.closed.is_empty());
    assert_eq!(pass.letters[0].1.outcome, umpire::desk::Outcome::Orders, "the clock stood still");
    let told = bench.folder.desk.resume(&game, "it is over", deadline() + later(30)).unwrap();
    assert_eq!(told, Some(deadline() + later(48)), "two days were begun, and the hour stays");
    assert!(bench.folder.desk.resume(&game, "again", deadline()).is_err());
    assert!(bench.pass(deadline() + later(48)).closed.is_empty());
    assert_eq!(bench.pass(deadline() + later(49)).closed.len(), 1);
}

/// The 24 hours run from the last letter's acceptance if the post was slow [R-003-87].
#[test]
fn slow_post_moves_the_end_of_the_window() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    let outbox = bench.folder.config.outbox.clone();
    std::fs::remove_dir_all(&outbox).unwrap();
    std::fs::write(&outbox, "in the way").unwrap();
    let closing = deadline() + minute();
    let failed = umpire::daemon::pass(&mut bench.folder, closing);
    assert_eq!((failed.closed.len(), failed.sent), (1, 0));
    assert!(!failed.failures.is_empty() && failed.failures[0].to_string().contains("could not be sent"));
    let none = umpire::daemon::pass(&mut bench.folder, closing + later(25));
    assert!(none.ratified.is_empty(), "nobody has had the results");
    std::fs::remove_file(&outbox).unwrap();
    bench.pass(closing + later(26));
    bench.pass(closing + later(27));
    let sent = bench.take_sent();
    assert_eq!(sent.iter().filter(|l| l.text.contains("challenged for longer")).count(), 2, "{sent:#?}");
    assert!(bench.pass(closing + later(50)).ratified.is_empty());
    assert_eq!(bench.pass(closing + later(51)).ratified.len(), 1);
}
