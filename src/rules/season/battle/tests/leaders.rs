//! Leaders: hits, death, flight, capture.

use super::super::super::event::{Event, Loss};
use super::super::super::order::RetreatWhen;
use super::super::super::testing::{Table, only};
use super::{ended, retreats};
use crate::engine::{Recorded, SeatId};

/// Swedes from A, which is theirs, attack at B.
fn table(land: &str, sweden: &str) -> Table {
    let mut table = Table::new(&format!(
        "A--B clear, B--C clear
         land {land}
         A: sweden {sweden}
         B: russia cavalry Boyars 4 A5"
    ));
    table.enter(&["Dal", "Charles"], &["A", "B"]);
    table
}

fn gone(events: &[Recorded<Event>], unit: crate::engine::UnitId) -> Option<(Loss, Option<SeatId>)> {
    events.iter().find_map(|recorded| match &recorded.event {
        Event::Gone { unit: who, how, by, .. } if *who == unit => Some((*how, by.clone())),
        _ => None,
    })
}

/// On equal strength hits go to brigades first; a stronger leader takes the hit [R-003-38].
#[test]
fn equal_hits_go_to_brigades_first() {
    let mut equal = table("A sweden", "infantry Dal 2; leader Charles 2 C3");
    equal.volley("Boyars", "B", 1, &[1]);
    equal.battles();
    assert_eq!((equal.strength("Dal"), equal.strength("Charles")), (1, 2));

    let mut stronger = table("A sweden", "infantry Dal 2; leader Charles 3 C3");
    stronger.volley("Boyars", "B", 1, &[1]);
    stronger.battles();
    assert_eq!((stronger.strength("Dal"), stronger.strength("Charles")), (2, 2));
}

/// A leader fights at his letter with a die a strength point [R-003-38].
#[test]
fn a_leader_fights() {
    let mut table = table("A sweden", "infantry Dal 2; leader Charles 3 A3");
    table.volley("Charles", "B", 1, &[3, 4, 1]);
    table.battles();
    assert_eq!(table.strength("Boyars"), 2);
}

/// Left alone he leaves by a legal hexside before the next volley [R-003-38]; brigades alone decide whether all were wiped out
/// [003 Steamroller, R-003-14].
#[test]
fn a_leader_left_alone_leaves() {
    let mut table = table("A sweden", "infantry Dal 1; leader Charles 1 C3");
    table.volley("Boyars", "B", 1, &[1]);
    let charles = table.id("Charles");
    let events = table.battles();
    assert_eq!(retreats(&events), [(vec![charles], 1)]);
    assert_eq!(table.at("Charles"), "A");
    assert_eq!(ended(&events)[0].0, ["russia"]);
    assert!(ended(&events)[0].3);
}

/// Without a legal hexside he is captured [R-003-38].
#[test]
fn a_leader_without_a_way_out_is_captured() {
    let mut table = table("A russia, C russia", "infantry Dal 1; leader Charles 1 C3");
    table.volley("Boyars", "B", 1, &[1]);
    let charles = table.id("Charles");
    let events = table.battles();
    assert_eq!(gone(&events, charles), Some((Loss::Captured, Some(SeatId::new("russia")))));
}

/// Ordered to stay he fights on, to the last [R-003-38].
#[test]
fn a_leader_may_be_ordered_to_stay() {
    let mut table = table("A sweden", "infantry Dal 1; leader Charles 1 C3");
    table.retreat("sweden", &["Charles"], RetreatWhen::Never, None);
    table.volley("Boyars", "B", 1, &[1]);
    table.volley("Charles", "B", 1, &[1]);
    table.volley("Boyars", "B", 2, &[1]);
    let charles = table.id("Charles");
    let events = table.battles();
    assert_eq!(gone(&events, charles), Some((Loss::Battle, Some(SeatId::new("russia")))));
    assert_eq!(table.strength("Boyars"), 3);
    assert_eq!(ended(&events)[0].2, 2);
}

/// He follows his brigades if they retreated.
#[test]
fn a_leader_follows_his_brigades() {
    let mut table = Table::new(
        "A--B clear, B--C clear, B--D clear
         land B russia, C russia, D russia
         A: sweden infantry Dal 4
         B: russia infantry Foot 2; leader Peter 1 C2",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, Some("D"));
    table.battles();
    assert_eq!((table.at("Foot"), table.at("Peter")), ("D", "D"));
}

/// A leader who falls to 0 is killed; the sovereign's death is his player's defeat, and the killer is whose die it was
/// [003 Leader Casualties, R-003-39, R-003-100].
#[test]
fn a_sovereign_falls() {
    let mut table = table("A sweden", "infantry Dal 1; leader Charles 1 C3 sovereign");
    table.volley("Boyars", "B", 1, &[1, 1]);
    let charles = table.id("Charles");
    let events = table.battles();
    assert_eq!(gone(&events, charles), Some((Loss::Battle, Some(SeatId::new("russia")))));
    let fell = only(&events, |event| match event {
        Event::SovereignFell { seat, killer } => Some((seat.clone(), killer.clone())),
        _ => None,
    });
    assert_eq!(fell, (SeatId::new("sweden"), Some(SeatId::new("russia"))));
    assert!(table.state.seats[&SeatId::new("sweden")].defeated);
}

/// Lost steps of a leader rally like a brigade's [R-003-36].
#[test]
fn a_leader_regroups() {
    let mut table = table("A sweden", "infantry Dal 2; leader Charles 3 C3");
    table.volley("Boyars", "B", 1, &[1]);
    table.rally("Charles", "B", &[4]);
    table.battles();
    assert_eq!(table.strength("Charles"), 3);
}
