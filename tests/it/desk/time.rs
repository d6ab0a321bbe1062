//! Deadlines that move, READY, reminders, absences, and who is missed.

use super::bench::*;
use umpire::desk::Outcome;
use umpire::engine::SeatId;

fn north() -> SeatId {
    SeatId::new("north")
}

fn status_line(bench: &mut Bench, now: jiff::Timestamp) -> String {
    let game = bench.game.clone();
    bench.folder.desk.status(&game, now).unwrap().waits_for.join("; ")
}

#[test]
fn all_ready_closes_a_turn_after_a_day_and_a_wait_keeps_it_open() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    bench.drop("n1", NORTH, "[duel]", "number 5\nREADY", opened() + later(1));
    bench.drop("s1", SOUTH, "[duel]", "number 3", opened() + later(1));
    bench.pass(opened() + later(2));
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2, "READY beside orders is answered with them: {sent:#?}");
    let north = &to(&sent, "nils@example.org")[0].text;
    assert!(north.contains("You are READY.") && north.contains("5 January 2027, 13:00"), "{north}");
    bench.drop("s2", SOUTH, "[duel]", "Ready.", opened() + later(3));
    let pass = bench.pass(opened() + later(3));
    assert_eq!((pass.letters[0].1.outcome, pass.closed.len()), (Outcome::Command, 0), "not within the first day");
    assert!(bench.take_sent()[0].text.contains("number 3"), "the whole sheet is shown");
    assert!(status_line(&mut bench, opened() + later(4)).contains("2 of 2 seats have sent, 2 ready"));
    bench.drop("n2", NORTH, "[duel]", "WAIT", opened() + later(20));
    assert!(bench.pass(opened() + later(30)).closed.is_empty());
    bench.drop("n3", NORTH, "[duel]", "READY", opened() + later(31));
    let closing = opened() + later(31) + minute();
    bench.take_sent();
    assert_eq!(bench.pass(closing).closed.len(), 1);
    let sent = bench.take_sent();
    let early: Vec<_> = sent.iter().filter(|l| l.text.contains("was ready")).collect();
    assert_eq!(early.len(), 2, "{sent:#?}");
    // The next deadline is at the fixed hour, whenever this one closed.
    let text = &sent.iter().find(|l| l.text.contains("PRELIMINARY")).unwrap().text;
    assert!(text.contains("12 January 2027, 21:00"), "{text}");
    bench.drop("n4", NORTH, "[duel] Round 1", "number 9", closing + minute());
    let late = bench.pass(closing + minute() + minute());
    assert_eq!(
        late.letters[0].1.note, "late",
        "what comes after an early close is late, though the deadline was later"
    );
}

#[test]
fn new_orders_take_ready_back_and_say_so() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "READY", opened() + later(1));
    bench.drop("s1", SOUTH, "[duel]", "number 3\nREADY", opened() + later(1));
    bench.pass(opened() + later(1));
    let north = bench
        .take_sent()
        .iter()
        .find(|l| l.to.starts_with("nils") && l.text.contains("orders in force"))
        .unwrap()
        .text
        .clone();
    assert!(north.contains("You have sent no orders. You throw nothing."), "{north}");
    bench.drop("s2", SOUTH, "[duel]", "number 4", opened() + later(2));
    bench.pass(opened() + later(2));
    assert!(bench.take_sent()[0].text.contains("so no longer"));
    assert!(bench.pass(opened() + later(40)).closed.is_empty());
    // An older READY that is found after newer orders says nothing of them.
    bench.drop("s0", SOUTH, "[duel]", "ready", opened() + later(1) + minute());
    bench.pass(opened() + later(41));
    assert!(bench.take_sent()[0].text.contains("newer letter"), "it was received before them");
    assert!(bench.pass(opened() + later(42)).closed.is_empty());
}

/// An early close needs an intake begun after it became due, as every close does.
#[test]
fn an_early_close_waits_for_the_letters_of_its_hour() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5\nREADY", opened() + later(30));
    bench.drop("s1", SOUTH, "[duel]", "number 3\nREADY", opened() + later(30));
    let game = bench.game.clone();
    bench.pass(opened() + later(30));
    let now = opened() + later(31);
    let closed = bench.folder.desk.close_if_due(&game, opened() + later(30), now).unwrap();
    assert!(matches!(closed, umpire::desk::Closed::NotYet(why) if why.contains("letters")));
    assert_eq!(bench.pass(now).closed.len(), 1);
}

#[test]
fn letters_in_the_grace_count_with_a_remark() {
    let mut bench = Bench::with("grace_hours = 6\n", "");
    bench.drop("n1", NORTH, "[duel]", "number 5", deadline() + later(3));
    let pass = bench.pass(deadline() + later(3));
    assert_eq!((pass.letters[0].1.outcome, pass.closed.len()), (Outcome::Orders, 0));
    let ack = bench.take_sent().iter().find(|l| l.text.contains("as I hold them")).unwrap().text.clone();
    assert!(ack.contains("within the grace"), "{ack}");
    bench.drop("s1", SOUTH, "[duel]", "number 3", deadline() + later(7));
    let pass = bench.pass(deadline() + later(7));
    assert_eq!((pass.letters[0].1.note.as_str(), pass.closed.len()), ("late", 1));
    // One that came within the grace and was found afterwards stops the game.
    bench.drop("s2", SOUTH, "[duel] Round 1", "number 3", deadline() + later(5));
    let pass = bench.pass(deadline() + later(8));
    assert_eq!(pass.letters[0].1.outcome, Outcome::ForUmpire);
}

#[test]
fn who_has_sent_nothing_is_reminded_and_nobody_else() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.pass(opened() + later(1));
    bench.take_sent();
    assert_eq!(bench.pass(deadline() - later(49)).reminded, 0);
    assert_eq!(bench.pass(deadline() - later(47)).reminded, 1);
    let sent = bench.take_sent();
    assert_eq!((sent.len(), sent[0].to.as_str()), (1, "sofia@example.org"));
    for words in ["Nothing has come from South", "You throw nothing.", "11 January 2027, 21:00", "ABSENT"] {
        assert!(sent[0].text.replace('\n', " ").contains(words), "{words}:\n{}", sent[0].text);
    }
    assert_eq!(bench.pass(deadline() - later(40)).reminded, 0, "once for each distance");
    bench.drop("s1", SOUTH, "[duel]", "READY", deadline() - later(39));
    bench.pass(deadline() - later(39));
    assert_eq!(bench.pass(deadline() - later(5)).reminded, 0, "READY without orders is a word, too");
    let pass = bench.pass(deadline() + minute());
    let status = bench.folder.desk.status(&bench.game.clone(), deadline() + later(1)).unwrap();
    assert_eq!((pass.closed.len(), status.seats[1].missed), (1, 0));
}

#[test]
fn an_announced_absence_moves_the_deadline_and_all_are_told() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    bench.drop("n1", NORTH, "[duel]", "ABSENT from 3 Jan to 12 Jan", opened() + later(1));
    bench.pass(opened() + later(1));
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2, "{sent:#?}");
    let north = &to(&sent, "nils@example.org")[0].text;
    assert!(
        north.contains("Sunday 3 January 2027 to Tuesday 12 January 2027") && north.contains("13 January"),
        "{north}"
    );
    let south = &to(&sent, "sofia@example.org")[0].text;
    assert!(south.contains("a player is away until 12 January") && !south.contains("North"), "{south}");
    assert!(bench.pass(deadline() + later(1)).closed.is_empty());
    bench.drop("n2", NORTH, "[duel]", "number 5", deadline() + later(40));
    assert_eq!(bench.pass(deadline() + later(48) + minute()).closed.len(), 1);
    let game = bench.game.clone();
    assert!(bench.folder.desk.verify(&game, deadline() + later(49)).unwrap().is_sound());
}

#[test]
fn an_absence_too_long_or_unreadable_moves_nothing() {
    let mut bench = Bench::new();
    bench.pass(opened());
    bench.take_sent();
    bench.drop("n1", NORTH, "[duel]", "ABSENT next week", opened() + later(1));
    bench.pass(opened() + later(1));
    let asked = bench.take_sent();
    assert!(asked.len() == 1 && asked[0].subject.contains("Which days"), "{asked:#?}");
    assert!(asked[0].text.contains("next week"), "{}", asked[0].text);
    bench.drop("n2", NORTH, "[duel]", "absent 5 January - 30 January", opened() + later(2));
    bench.pass(opened() + later(2));
    let told = bench.take_sent();
    assert!(told.len() == 1 && told[0].text.replace('\n', " ").contains("longer than this game waits"), "{told:#?}");
    // Nor is one who said so counted among those who let a turn go by.
    assert_eq!(bench.pass(deadline() + minute()).closed.len(), 1);
    let status = bench.folder.desk.status(&bench.game.clone(), deadline() + later(1)).unwrap();
    assert_eq!((status.seats[0].missed, status.seats[1].missed), (0, 1));
    let results = bench.take_sent();
    let own = &to(&results, "sofia@example.org")[0].text;
    assert!(own.contains("No orders received from you. You throw nothing."), "{own}");
    let page = std::fs::read_to_string(bench.folder.config.site.join("duel/1-round-1.html"));
    assert!(page.is_err() || !page.unwrap().contains("received from you"));
}

#[test]
fn an_absence_known_before_moves_the_next_turns_deadline_at_its_opening() {
    let mut bench = Bench::new();
    bench.drop("n1", NORTH, "[duel]", "number 5\nABSENT 17 Jan to 20 Jan", opened() + later(1));
    bench.pass(opened() + later(1));
    bench.take_sent();
    bench.pass(deadline() + minute());
    let sent = bench.take_sent();
    let moved: Vec<_> = sent.iter().filter(|l| l.text.contains("orders now close")).collect();
    assert_eq!(moved.len(), 2, "{sent:#?}");
    assert!(moved[0].text.contains("21 January 2027, 21:00"), "{}", moved[0].text);
    bench.drop("n2", NORTH, "[duel]", "BACK", deadline() + later(5));
    bench.pass(deadline() + later(5));
    assert!(bench.take_sent()[0].subject.contains("Welcome back"));
    let status = bench.folder.desk.status(&bench.game.clone(), deadline() + later(6)).unwrap();
    assert_eq!((status.seats[0].away, status.turns[1].deadline.utc.as_str()), (None, "2027-01-21T20:00:00Z"));
}

#[test]
fn the_umpire_enters_an_absence() {
    let mut bench = Bench::with("absence = \"standing\"\n", "");
    let game = bench.game.clone();
    bench.pass(opened());
    bench.take_sent();
    let noted = bench.folder.desk.absent(&game, &north(), "2027-01-10 to 2027-01-12", opened()).unwrap();
    assert!(noted.moved.is_none() && noted.means.contains("You throw nothing."), "{noted:?}");
    assert!(bench.folder.desk.absent(&game, &north(), "soon", opened()).unwrap_err().is_users_mistake());
    bench.pass(opened());
    assert_eq!(bench.take_sent().len(), 1, "only he is told");
}

/// At the deadline too many are missing: more time, once; the umpire is told first, since it may be the mail.
#[test]
fn when_many_are_missing_the_mail_is_suspected_first() {
    let config = "extend_if_missing = \"half\"\nextend_hours = 24\n";
    let mut bench = Bench::with(config, "");
    bench.drop("n1", NORTH, "[duel]", "number 5", opened() + later(1));
    bench.pass(opened() + later(1));
    bench.take_sent();
    let pass = bench.pass(deadline() + minute());
    assert_eq!((pass.closed.len(), pass.extended.len()), (0, 1));
    assert_eq!(pass.extended[0].missing, ["South"]);
    assert_eq!(pass.extended[0].deadline, deadline() + later(24));
    let alarms = umpire::daemon::alert::alarms(&mut bench.folder, &pass, deadline() + minute());
    assert!(alarms.len() == 1 && alarms[0].text.contains("from 1 of 2 players (South)"), "{alarms:?}");
    let sent = bench.take_sent();
    assert_eq!(sent.len(), 2);
    assert!(sent[0].text.replace('\n', " ").contains("nothing has come from 1 of 2 players"), "{}", sent[0].text);
    assert!(sent.iter().all(|letter| !letter.text.contains("South")), "who it is stays with the umpire");
    assert!(status_line(&mut bench, deadline() + later(1)).contains("is the mail all right?"));
    assert_eq!(bench.pass(deadline() + later(24) + minute()).closed.len(), 1, "only once");
}

#[test]
fn the_umpire_is_written_to_at_his_own_address() {
    let keep = tempfile::tempdir().unwrap();
    let mut bench = Bench::at_with(keep.path(), "advice = \"me@example.org\"\n", "extend_if_missing = 2\n");
    bench.open_game("duel", "");
    bench.pass(opened());
    bench.take_sent();
    bench.pass(deadline() + minute());
    let sent = bench.take_sent();
    let mine = to(&sent, "me@example.org");
    assert!(mine.len() == 1 && mine[0].text.replace('\n', " ").contains("North and South"), "{sent:#?}");
}

#[test]
fn the_next_moment_is_known_beforehand() {
    let mut bench = Bench::new();
    let next = |bench: &mut Bench, now| bench.folder.desk.next_due(now).unwrap();
    let just_before = |at: jiff::Timestamp| Some(at - jiff::SignedDuration::from_micros(1));
    assert_eq!(next(&mut bench, opened()), just_before(deadline() - later(48)));
    bench.pass(deadline() - later(48));
    assert_eq!(next(&mut bench, deadline() - later(48)), just_before(deadline() - later(6)));
    bench.pass(deadline() - later(6));
    assert_eq!(next(&mut bench, deadline() - later(6)), Some(deadline()));
    let closing = deadline() + minute();
    assert!(bench.folder.desk.due(deadline(), 9).unwrap().is_empty(), "a letter of this very moment is in time");
    assert_eq!(bench.folder.desk.due(closing, 9).unwrap()[0].0, bench.game);
    bench.pass(closing);
    assert_eq!(next(&mut bench, closing), Some(closing + later(24)), "the window for challenges");
}

#[test]
fn reminders_changed_in_umpire_toml_hold_for_an_open_turn() {
    let keep = tempfile::tempdir().unwrap();
    let mut bench = Bench::at(keep.path(), "reminders = [\"48h\"]\n");
    bench.open_game("duel", "");
    bench.pass(opened());
    bench.take_sent();
    drop(bench);
    let file = keep.path().join("umpire.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("48h", "72h")).unwrap();
    let mut bench = Bench::reopen(keep.path());
    let hour = deadline() - later(72);
    let due = bench.folder.desk.next_due(opened()).unwrap();
    assert_eq!(due, Some(hour - jiff::SignedDuration::from_micros(1)), "the daemon would sleep past it");
    bench.pass(hour);
    assert_eq!(bench.take_sent().len(), 2);
    bench.pass(deadline() - later(48));
    assert!(bench.take_sent().is_empty(), "the old hour holds no more");
}
