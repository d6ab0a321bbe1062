//! Walls, storm, sortie, relief.

use super::super::super::event::Event;
use super::super::super::order::{Arrival, Intent, Order, Pace, SiegeAction, Who};
use super::super::super::state::Siege;
use super::super::super::testing::Table;
use super::{ended, joined, volleys};
use crate::engine::{SeatId, TurnNo};

/// Russians come from A to the Swedish city at C; relief can come from D.
fn city(fort: &str, arrival: Arrival) -> Table {
    let mut table = Table::new(&format!(
        "A--C clear, D--C clear, B--C clear
         land A russia, B russia, C sweden, D sweden
         city C narva 2 {fort}
         A: russia cavalry Boyars 6 A5, infantry Foot 4
         C: sweden infantry Horn 4 B3
         D: sweden infantry Dal 4"
    ));
    table.enter_as(&["Boyars", "Foot"], &["A", "C"], arrival, Pace::Normal);
    table
}

fn siege(table: &mut Table, full_turns: u32) {
    let siege = Siege { by: SeatId::new("russia"), since: TurnNo(0), full_turns };
    table.state.sieges.insert(table.hex("C"), siege);
}

/// Being in the hex is no attempt on the city, and giving battle is neither storm nor sortie [R-003-43, R-003-47].
#[test]
fn besieging_is_no_battle() {
    for arrival in [Arrival::Besiege, Arrival::Stand] {
        let mut table = city("hexagon", arrival);
        let give = |who| Order::Intent(Intent { who, give: true, condition: None });
        table.order("russia", give(Who::All));
        table.order("sweden", give(Who::All));
        assert!(table.battles().is_empty());
    }
}

/// An army that attempts to enter an occupied city fights for it, and the defender cannot avoid it
/// [003 When Battle Occurs, R-003-47].
#[test]
fn entering_is_a_storm() {
    for (fort, divisor) in [("none", 1), ("square", 2), ("hexagon", 3)] {
        let mut table = city(fort, Arrival::Enter);
        table.order("sweden", Order::Intent(Intent { who: Who::All, give: false, condition: None }));
        assert_eq!(joined(&table.battles()), [("russia".into(), "sweden".into(), vec![], divisor)]);
    }
}

/// A hexagon divides by three as the hits grow: 5 hits count 1 and leave 2, the next hit makes the second count
/// [003 Fortified Cities, R-003-40].
#[test]
fn a_hexagon_with_the_remainder_carried() {
    let mut table = city("hexagon", Arrival::Enter);
    table.volley("Boyars", "C", 1, &[1, 1, 1, 1, 1, 6]);
    table.volley("Boyars", "C", 2, &[1]);
    let events = table.battles();
    assert_eq!(table.strength("Horn"), 2);
    let told: Vec<(u32, u32, u32, u32)> = events
        .iter()
        .filter_map(|recorded| match &recorded.event {
            Event::FortDivided { round, hits, counted, carried, .. } => Some((*round, *hits, *counted, *carried)),
            _ => None,
        })
        .collect();
    assert_eq!(told, [(1, 5, 1, 2), (2, 1, 1, 0)]);
}

/// House rule `fort_remainder = "lost"`: what is left over at the end of a round is dropped; within the round it grows
/// [R-003-40].
#[test]
fn a_hexagon_with_the_remainder_lost() {
    let mut table = city("hexagon", Arrival::Enter);
    table.campaign().house.fort_remainder_carried = false;
    table.volley("Boyars", "C", 1, &[1, 1, 1, 1, 6, 6]);
    table.volley("Foot", "C", 1, &[1, 1]);
    table.volley("Boyars", "C", 2, &[1, 1]);
    table.battles();
    // Round 1: 4 of the A's count 1, 2 more of the B's make 6, the second count; round 2: 2 count nothing.
    assert_eq!(table.strength("Horn"), 2);
    let mut table = city("hexagon", Arrival::Enter);
    table.campaign().house.fort_remainder_carried = false;
    table.volley("Boyars", "C", 1, &[1, 1, 1, 1, 1, 6]);
    table.volley("Boyars", "C", 2, &[1]);
    table.battles();
    assert_eq!(table.strength("Horn"), 3);
}

/// A square halves: 3 hits count 1, and 1 more in the next round makes 2 [003 Fortified Cities].
#[test]
fn a_square_halves() {
    let mut table = city("square", Arrival::Enter);
    table.volley("Boyars", "C", 1, &[1, 1, 1]);
    table.volley("Boyars", "C", 2, &[1]);
    table.battles();
    assert_eq!(table.strength("Horn"), 2);
}

/// The defenders' own hits are not divided.
#[test]
fn walls_protect_one_side() {
    let mut table = city("hexagon", Arrival::Enter);
    table.volley("Horn", "C", 1, &[1, 2, 3, 4]);
    table.battles();
    assert_eq!(table.strength("Boyars"), 3);
}

/// A square is unfortified after one full turn of siege; a hexagon is a square after one, unfortified after two
/// [003 Sieges].
#[test]
fn sieges_wear_walls_down() {
    for (fort, turns, divisor) in
        [("square", 0, 2), ("square", 1, 1), ("hexagon", 1, 2), ("hexagon", 2, 1), ("hexagon", 5, 1)]
    {
        let mut table = city(fort, Arrival::Enter);
        siege(&mut table, turns);
        assert_eq!(joined(&table.battles())[0].3, divisor, "{fort} after {turns}");
    }
}

/// Who storms and wins is in the city when the turn ends; the garrison was wiped out.
#[test]
fn a_successful_storm() {
    let mut table = city("none", Arrival::Enter);
    table.volley("Boyars", "C", 1, &[1, 1, 1, 1]);
    let events = table.battles();
    assert!(ended(&events)[0].3);
    table.next_turn();
    assert!(table.state.units.values().filter(|unit| unit.at == table.hex("C")).all(|unit| unit.in_city));
}

/// A storm by order of those who besiege already and of those who come up for it by one way this turn; a second way is in
/// reserve [R-003-30, R-003-P26].
#[test]
fn a_storm_by_order() {
    let mut table = Table::new(
        "A--C clear, B--C clear
         land C sweden
         city C narva 2 square
         C: russia infantry Foot 4
         C: sweden infantry Horn 2
         A: russia cavalry Boyars 3
         B: russia cavalry Levy 2",
    );
    table.enter_as(&["Boyars"], &["A", "C"], Arrival::Besiege, Pace::Normal);
    table.enter_as(&["Levy"], &["B", "C"], Arrival::Besiege, Pace::Normal);
    table.siege("russia", "C", SiegeAction::Storm);
    let levy = table.id("Levy");
    let events = table.battles();
    assert_eq!(joined(&events), [("russia".into(), "sweden".into(), vec![levy], 2)]);
    let start = events.iter().find(|recorded| matches!(recorded.event, Event::BattleJoined { .. })).unwrap();
    assert!(start.source.is_some());
}

/// In a sortie the garrison attacks and both fight without walls [R-003-29, R-003-43]; the besiegers all stand before the walls.
#[test]
fn a_sortie() {
    let mut table = city("hexagon", Arrival::Besiege);
    table.siege("sweden", "C", SiegeAction::Sortie);
    table.volley("Boyars", "C", 1, &[1, 1]);
    let events = table.battles();
    assert_eq!(joined(&events), [("sweden".into(), "russia".into(), vec![], 1)]);
    assert_eq!(table.strength("Horn"), 2);
}

/// A relieving army fights the besiegers in the open as attacker; the garrison joins as reserve of round 2 if ordered
/// [R-003-44, R-003-96].
#[test]
fn a_relief_with_the_garrison() {
    let mut table = city("hexagon", Arrival::Besiege);
    table.enter(&["Dal"], &["D", "C"]);
    table.siege("sweden", "C", SiegeAction::JoinRelief);
    let (horn, dal) = (table.id("Horn"), table.id("Dal"));
    let events = table.battles();
    assert_eq!(joined(&events), [("sweden".into(), "russia".into(), vec![horn], 1)]);
    let rounds: Vec<u32> = volleys(&events).iter().filter(|(_, unit, _)| *unit == horn).map(|v| v.0).collect();
    assert_eq!(rounds[0], 2);
    assert!(volleys(&events).contains(&(1, dal, 0)));
}

/// Without the order the garrison stays behind its walls; a relief that avoids battle slips in.
#[test]
fn a_relief_without_the_garrison_and_one_that_avoids() {
    let mut table = city("hexagon", Arrival::Besiege);
    table.enter(&["Dal"], &["D", "C"]);
    table.volley("Boyars", "C", 1, &[1, 1, 1, 1]);
    let events = table.battles();
    assert_eq!((table.strength("Dal"), table.strength("Horn")), (0, 4));
    assert_eq!(ended(&events)[0].0, ["russia"]);

    let mut table = city("hexagon", Arrival::Besiege);
    table.enter(&["Dal"], &["D", "C"]);
    let dal = Who::Units(table.ids(&["Dal"]));
    table.order("sweden", Order::Intent(Intent { who: dal, give: false, condition: None }));
    assert!(table.battles().is_empty());
}

/// Whoever was in the city before the besieger came is garrison, not relief, whatever intent he has [R-003-43].
#[test]
fn who_came_first_is_garrison() {
    let mut table = Table::new(
        "A--C clear, D--C clear
         land C sweden
         city C riga 4 hexagon
         A: russia infantry Foot 4
         D: sweden infantry Dal 4",
    );
    table.enter(&["Dal"], &["D", "C"]);
    table.enter_as(&["Foot"], &["A", "C"], Arrival::Besiege, Pace::Normal);
    assert!(table.battles().is_empty());
}

/// A relief beaten in the open, then a storm of the same turn on the garrison that stayed inside.
#[test]
fn first_the_field_then_the_walls() {
    let mut table = city("square", Arrival::Besiege);
    table.siege("russia", "C", SiegeAction::Storm);
    table.enter(&["Dal"], &["D", "C"]);
    table.volley("Boyars", "C", 1, &[1, 1, 1, 1]);
    let events = table.battles();
    let fought: Vec<(String, u32)> =
        joined(&events).into_iter().map(|(attacker, _, _, divisor)| (attacker, divisor)).collect();
    assert_eq!(fought, [("sweden".into(), 1), ("russia".into(), 2)]);
}

/// Siege Engineers count a siege turn more before the storm of the same turn [R-003-96].
#[test]
fn siege_engineers_before_a_storm() {
    use super::super::super::cards::Card;
    use super::super::super::order::EventPlay;
    let mut table = city("hexagon", Arrival::Enter);
    siege(&mut table, 1);
    let card = Card::Event { id: "siege_engineers".to_owned(), copy: 1 };
    let seat = SeatId::new("russia");
    table.state.seats.get_mut(&seat).unwrap().hand.push(card.clone());
    let hexes = vec![table.hex("C")];
    let play = EventPlay { card, units: Vec::new(), hexes, seats: Vec::new(), condition: None };
    table.order("russia", Order::EventCard(play));
    let events = table.battles();
    assert_eq!(joined(&events)[0].3, 1);
    assert_eq!(table.state.sieges[&table.hex("C")].full_turns, 2);
}

/// The enemy in a city that nobody held is met in the open by its owner: he holds it only from the control step on
/// [R-003-41, R-003-49].
#[test]
fn an_empty_city_gives_no_walls_to_its_captor() {
    let mut table = Table::new(
        "A--C clear, D--C clear
         land C sweden
         city C riga 4 hexagon
         A: russia infantry Foot 4
         D: sweden infantry Dal 4",
    );
    table.enter_as(&["Foot"], &["A", "C"], Arrival::Enter, Pace::Normal);
    table.enter(&["Dal"], &["D", "C"]);
    assert_eq!(joined(&table.battles()), [("sweden".into(), "russia".into(), vec![], 1)]);
}

/// A leader who rode with those who took a city is in it with them when the turn ends, and takes part in its defence.
#[test]
fn a_leader_is_in_the_city_with_his_brigades() {
    let mut table = Table::new(
        "A--C clear, D--C clear
         land C sweden
         city C riga 4 hexagon
         A: russia infantry Foot 4; leader Peter 3
         D: sweden infantry Dal 4",
    );
    table.enter(&["Foot", "Peter"], &["A", "C"]);
    let (hex, russia) = (table.hex("C"), SeatId::new("russia"));
    let leader = table.id("Peter");
    table.state.units.get_mut(&leader).unwrap().in_city = false;
    table.state.carry_out(&Event::Control { hex, from: None, to: Some(russia) });
    table.next_turn();
    assert!(table.state.units[&leader].in_city);
}
