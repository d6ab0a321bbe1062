//! Letters that come back.

use super::bench::*;
use umpire::desk::{Outcome, PostState};

/// A report as Postfix writes it.
fn report(to: &str, action: &str, status: &str, said: &str, returned: &str) -> Vec<u8> {
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.org (Mail Delivery System)\r\nTo: umpire@example.org\r\n\
         Subject: Undelivered Mail Returned to Sender\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n\
         Message-ID: <{action}.{status}@mx.example.org>\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nI am sorry.\r\n\r\n\
         --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.org\r\n\r\n\
         Final-Recipient: rfc822; {to}\r\nAction: {action}\r\nStatus: {status}\r\n\
         Diagnostic-Code: smtp; {said}\r\n\r\n\
         --b\r\nContent-Type: text/rfc822-headers\r\n\r\n{returned}\r\n--b--\r\n"
    )
    .into_bytes()
}

fn bench() -> (Bench, String) {
    let mut bench = Bench::with_head("advice = \"me@example.net\"\n");
    bench.pass(opened());
    let id = to(&bench.take_sent(), "sofia@example.org")[0].message_id.clone();
    (bench, id)
}

#[test]
fn a_letter_that_comes_back_marks_its_seat_and_the_umpire_is_told_once() {
    let (mut bench, id) = bench();
    let game = bench.game.clone();
    let returned = format!("From: umpire@example.org\r\nMessage-ID: <{id}>\r\n");
    let said = "550 5.1.1 <sofia@example.org>:\r\n    Recipient address rejected";
    // Sofia has her letters forwarded: the report names an address that we never wrote to.
    bench.drop_raw(
        "r1",
        &report("sofia@elsewhere.example.org", "failed", "5.1.1", said, &returned),
        opened() + later(1),
    );
    let pass = bench.pass(opened() + later(1));
    let (_, done) = &pass.letters[0];
    assert_eq!((done.outcome, done.seat.as_ref().unwrap().as_str()), (Outcome::ForUmpire, "south"), "{done:?}");
    assert!(done.note.contains("Recipient address rejected"), "the line that goes on is read: {}", done.note);
    let sent = bench.take_sent();
    assert_eq!((sent.len(), sent[0].to.as_str()), (1, "me@example.net"), "the report itself is never answered");
    assert!(sent[0].subject.contains("South cannot be reached"), "{}", sent[0].subject);
    let status = bench.folder.desk.status(&game, opened() + later(1)).unwrap();
    assert!(status.seats[1].unreachable.as_deref().is_some_and(|why| why.contains("5.1.1")), "{status:?}");
    let view = bench.folder.desk.outbox(opened() + later(1)).unwrap();
    assert!(matches!(view.undelivered[0].state(), PostState::Returned(_)));
    bench.drop_raw("r2", &report("sofia@example.org", "failed", "5.1.10", "gone", &returned), opened() + later(2));
    let pass = bench.pass(opened() + later(2));
    assert_eq!(pass.letters[0].1.outcome, Outcome::Ignored, "it is known");
    assert!(bench.take_sent().is_empty());
    // The mailbox works again: the letter that came back is sent once more, under the same name.
    bench.folder.desk.retry(view.undelivered[0].id, opened() + later(3)).unwrap();
    assert_eq!(bench.folder.desk.status(&game, opened()).unwrap().seats[1].unreachable, None);
    assert_eq!(bench.pass(opened() + later(3)).sent, 1);
}

#[test]
fn a_new_address_is_a_good_one() {
    let (mut bench, id) = bench();
    let game = bench.game.clone();
    let returned = format!("Message-ID: <{id}>\r\n");
    bench.drop_raw("r1", &report("sofia@example.org", "failed", "5.1.1", "no", &returned), opened() + later(1));
    bench.pass(opened() + later(1));
    let moved = player("Sofia South", "sofia@example.com");
    bench.folder.desk.enrol(&game, &umpire::engine::SeatId::new("south"), &moved, opened() + later(2)).unwrap();
    let status = bench.folder.desk.status(&game, opened() + later(2)).unwrap();
    assert_eq!(status.seats[1].unreachable, None);
}

#[test]
fn a_delay_is_noted_and_a_letter_lost_on_the_way_is_said_without_blaming_the_address() {
    let (mut bench, id) = bench();
    let game = bench.game.clone();
    let returned = format!("Message-ID: <{id}>\r\n");
    bench.drop_raw("r1", &report("sofia@example.org", "delayed", "4.4.1", "no answer", &returned), opened() + later(4));
    let pass = bench.pass(opened() + later(4));
    assert_eq!(pass.letters[0].1.outcome, Outcome::Ignored);
    assert!(pass.letters[0].1.note.contains("delayed 4.4.1"), "{:?}", pass.letters);
    bench.drop_raw("r2", &report("sofia@example.org", "failed", "4.4.7", "expired", &returned), opened() + later(99));
    let pass = bench.pass(opened() + later(99));
    assert_eq!(pass.letters[0].1.outcome, Outcome::ForUmpire);
    assert_eq!(bench.folder.desk.status(&game, opened() + later(99)).unwrap().seats[1].unreachable, None);
    assert_eq!(bench.folder.desk.outbox(opened() + later(99)).unwrap().undelivered.len(), 1);
    assert!(bench.take_sent().is_empty());
}

/// Some servers return nothing of the letter; some write no report at all.
#[test]
fn a_report_that_returns_nothing_is_tied_by_its_recipient() {
    let (mut bench, _) = bench();
    bench.drop_raw("r1", &report("Sofia@Example.org", "failed", "5.2.1", "disabled", "X: y\r\n"), opened() + later(1));
    bench.drop_raw("r2", &report("nobody@example.org", "failed", "5.1.1", "no", "X: y\r\n"), opened() + later(2));
    let old =
        b"From: MAILER-DAEMON@old.example.org\r\nSubject: failure notice\r\n\r\nHi. This is the mail program.\r\n";
    bench.drop_raw("r3", old, opened() + later(3));
    let pass = bench.pass(opened() + later(3));
    let outcomes: Vec<Outcome> = pass.letters.iter().map(|(_, done)| done.outcome).collect();
    assert_eq!(outcomes, [Outcome::ForUmpire, Outcome::Ignored, Outcome::ForUmpire], "{:?}", pass.letters);
    assert_eq!(pass.letters[0].1.seat.as_ref().map(|seat| seat.as_str()), Some("south"));
    assert_eq!(to(&bench.take_sent(), "me@example.net").len(), 1);
}
