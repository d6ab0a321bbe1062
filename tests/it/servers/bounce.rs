//! What real servers refuse and send back.

use super::pair::{Pair, now, wait_until};
use super::reach::{duel, sound_pass};
use crate::desk::bench::player;
use umpire::desk::{Outcome, PostState};
use umpire::engine::{GameId, SeatId};

/// A user that Postfix does not know is refused at once; a letter that it took and could not pass on comes back as its report.
#[test]
fn a_refusal_and_a_report_are_tied_to_their_seats() {
    let Some(pair) = Pair::start() else { return };
    let mut folder = duel(&pair);
    let game = GameId::new("duel");
    let mut move_to = |seat: &str, address: &str| {
        folder.desk.enrol(&game, &SeatId::new(seat), &player("Somebody", address), now()).unwrap();
        folder.desk.outbox(now()).unwrap().waiting.into_iter().find(|row| row.post.recipient == address).unwrap().id
    };
    let unknown = move_to("north", "nobody@example.org");
    let far = move_to("south", "sofia@far.example.net");
    let pass = sound_pass(&mut folder);
    assert_eq!(pass.refused, 1, "{pass:#?}");
    let refused = folder.desk.outgoing(unknown).unwrap();
    assert!(matches!(refused.state(), PostState::GivenUp(_)), "{refused:?}");
    let taken = folder.desk.outgoing(far).unwrap();
    assert!(matches!(taken.state(), PostState::Sent(_)) && taken.answer.unwrap().contains("queued"));
    let status = folder.desk.status(&game, now()).unwrap();
    assert!(status.seats[0].unreachable.as_deref().is_some_and(|why| why.contains("5.1.1")), "{status:?}");

    let report = wait_until("the report", || sound_pass(&mut folder).letters.pop());
    assert_eq!((report.1.outcome, report.1.seat), (Outcome::ForUmpire, Some(SeatId::new("south"))));
    assert!(report.1.note.contains(&format!("letter {far} to sofia@far.example.net")), "{}", report.1.note);
    assert!(matches!(folder.desk.outgoing(far).unwrap().state(), PostState::Returned(_)));
    // Postfix gave up after trying: that says nothing final of the address (class 4).
    assert_eq!(folder.desk.status(&game, now()).unwrap().seats[1].unreachable, None);
    assert_eq!(sound_pass(&mut folder).sent, 0, "a report is not answered");
}
