//! Intent, Force Battle, three powers in one hex, who attacks.

use super::super::super::cards::Card;
use super::super::super::event::Event;
use super::super::super::order::{Condition, EventPlay, Intent, Order, Who};
use super::super::super::state::PlayedEvent;
use super::super::super::testing::{Table, only};
use super::{ended, joined, texts, volleys};
use crate::engine::{HexId, SeatId};

fn two() -> Table {
    let mut table = Table::new(
        "A--B clear
         A: sweden infantry Dal 4, infantry Kalmar 2
         B: russia infantry Foot 4",
    );
    table.enter(&["Dal", "Kalmar"], &["A", "B"]);
    table
}

fn avoid(who: Who) -> Order {
    Order::Intent(Intent { who, give: false, condition: None })
}

fn give(who: Who) -> Order {
    Order::Intent(Intent { who, give: true, condition: None })
}

/// If one side avoids there is no battle, and both stay [R-003-24].
#[test]
fn one_side_avoids() {
    let mut table = two();
    table.order("russia", avoid(Who::All));
    let events = table.battles();
    let avoided = only(&events, |event| match event {
        Event::NoBattle { avoided_by, .. } => Some(avoided_by.clone()),
        _ => None,
    });
    assert_eq!(avoided, [SeatId::new("russia")]);
    assert!(joined(&events).is_empty());
    assert_eq!((table.at("Dal"), table.at("Foot")), ("B", "B"));
    assert!(events[0].source.is_some(), "the order that avoided is named");
}

/// Unless specified all give battle: an order for some of the brigades only does not hold the others back; the order that names
/// the hex outweighs the one for all [003 When Battle Occurs].
#[test]
fn avoiding_takes_an_order_for_every_brigade() {
    let mut table = two();
    let kalmar = Who::Units(table.ids(&["Kalmar"]));
    table.order("sweden", avoid(kalmar));
    assert_eq!(joined(&table.battles()).len(), 1);

    let mut table = two();
    let here = Who::At(table.hex("B"));
    table.order("russia", give(here));
    table.order("russia", avoid(Who::All));
    assert_eq!(joined(&table.battles()).len(), 1);
}

/// Force Battle makes the avoider's order void; who entered last attacks [003 When Battle Occurs, R-003-29].
#[test]
fn force_battle() {
    let mut table = two();
    table.order("russia", avoid(Who::All));
    table.played("sweden", "force_battle", "B");
    assert_eq!(joined(&table.battles())[0].0, "sweden");
}

/// A Force Battle card kept for the case that the enemy avoids is played when he does, and goes back to the hand when he does not
/// [R-003-89].
#[test]
fn force_battle_on_condition() {
    for avoids in [true, false] {
        let mut table = two();
        let card = Card::Event { id: "force_battle".to_owned(), copy: 1 };
        let seat = SeatId::new("sweden");
        table.state.seats.get_mut(&seat).unwrap().hand.push(card.clone());
        let hex: HexId = table.hex("B");
        let condition = Some(Condition::EnemyAvoids(hex));
        let play = EventPlay { card, units: Vec::new(), hexes: vec![hex], seats: Vec::new(), condition };
        table.order("sweden", Order::EventCard(play));
        if avoids {
            table.order("russia", avoid(Who::All));
        }
        let events = table.battles();
        assert_eq!(joined(&events).len(), 1);
        let played = events.iter().any(|recorded| matches!(recorded.event, Event::EventPlayed { .. }));
        let returned = events.iter().any(|recorded| matches!(recorded.event, Event::EventReturned { .. }));
        assert_eq!((played, returned), (avoids, !avoids));
        assert_eq!(table.state.seats[&seat].hand.len(), usize::from(!avoids));
    }
}

/// Who is at war with the same enemy and not with each other stands on one side [R-003-28].
#[test]
fn allies_form_one_side() {
    let mut table = Table::new(
        "A--B clear, C--B clear
         A: russia infantry Foot 2
         C: saxony infantry Koenigin 2
         B: sweden infantry Dal 4
         peace russia saxony",
    );
    table.enter(&["Foot"], &["A", "B"]);
    table.enter(&["Koenigin"], &["C", "B"]);
    let events = table.battles();
    assert_eq!(joined(&events), [("russia+saxony".into(), "sweden".into(), vec![], 1)]);
}

/// Three powers all at war fight pair by pair in the order they entered, survivors going on to the next; the survivors of a pair
/// regroup before it [R-003-28, R-003-95].
#[test]
fn three_powers_fight_in_pairs() {
    let mut table = Table::new(
        "A--B clear, C--B clear
         B: russia infantry Foot 2
         A: saxony infantry Koenigin 3
         C: sweden infantry Dal 4",
    );
    table.enter(&["Koenigin"], &["A", "B"]);
    table.enter(&["Dal"], &["C", "B"]);
    table.volley("Koenigin", "B", 1, &[1, 1]);
    table.volley("Foot", "B", 1, &[1]);
    table.rally("Koenigin", "B", &[1]);
    let events = table.battles();
    let fought: Vec<(String, String)> = joined(&events).into_iter().map(|(a, d, ..)| (a, d)).collect();
    // Saxony wipes Russia out and rallies its loss; then Sweden, last in, attacks Saxony: no Russian is left for it.
    assert_eq!(fought, [("saxony".into(), "russia".into()), ("sweden".into(), "saxony".into())]);
    assert_eq!(table.strength("Koenigin"), 3);
    assert_eq!(ended(&events)[0], (texts(&["saxony"]), texts(&["russia"]), 1, true));
}

/// The same unit's dice in a second battle of one hex are other dice: the key counts the battles.
#[test]
fn a_second_battle_has_its_own_dice() {
    let mut table = Table::new(
        "A--B clear, C--B clear
         B: russia infantry Foot 2
         A: saxony infantry Koenigin 3
         C: sweden infantry Dal 4",
    );
    table.enter(&["Koenigin"], &["A", "B"]);
    table.enter(&["Dal"], &["C", "B"]);
    let koenigin = table.id("Koenigin");
    let events = table.battles();
    let keys: Vec<u32> = events
        .iter()
        .filter(|recorded| matches!(recorded.event, Event::Volley { round: 1, unit, .. } if unit == koenigin))
        .map(|recorded| recorded.rolls[0].key.ordinal)
        .collect();
    assert_eq!(keys, [1, 3]);
    assert_eq!(joined(&events).len(), 3);
}

/// The side whose brigades entered last attacks, earlier turns included; if that cannot be told, the lower Action card
/// [R-003-29].
#[test]
fn who_attacks() {
    let mut table = two();
    table.next_turn();
    assert_eq!(joined(&table.battles())[0].0, "sweden");

    let mut table = Table::new(
        "A--B clear
         A: sweden infantry Dal 4
         A: russia infantry Foot 4",
    );
    // Both stand there since the setup, and Sweden (named first) has the higher card.
    assert_eq!(joined(&table.battles())[0].0, "russia");
    assert_eq!(volleys(&table.battles()).len(), 6);
}

/// Imperial Mediation keeps two players from each other for a turn (the card's text).
#[test]
fn mediation() {
    let mut table = two();
    let seats = ["russia", "sweden"].map(SeatId::new).into();
    table.state.now.events.push(PlayedEvent {
        seat: SeatId::new("austria"),
        card: "imperial_mediation".to_owned(),
        units: vec![],
        hexes: vec![],
        seats,
    });
    assert!(table.battles().is_empty());
}
