//! Retreats: conditions, hexes, sides, limits.

use super::super::super::event::{Event, Loss};
use super::super::super::order::{Arrival, Order, Pace, Retreat, RetreatWhen, Who};
use super::super::super::testing::Table;
use super::{ended, retreats, volleys};

/// Swedes from A attack Russians at B, who have C and D behind them.
fn table(russia: &str) -> Table {
    let mut table = Table::new(&format!(
        "A--B clear, B--C clear, B--D clear, A--C clear
         land A sweden, B russia, C russia, D russia
         A: sweden cavalry Horse 4 A5
         B: russia {russia}"
    ));
    table.enter(&["Horse"], &["A", "B"]);
    table
}

fn stuck(events: &[crate::engine::Recorded<Event>]) -> usize {
    events.iter().filter(|recorded| matches!(recorded.event, Event::CannotRetreat { .. })).count()
}

/// The default is no retreat [003 Retreats].
#[test]
fn without_an_order_nobody_retreats() {
    let mut table = table("infantry Foot 2");
    table.volley("Horse", "B", 1, &[1]);
    assert!(retreats(&table.battles()).is_empty());
}

/// At its own letter's turn, before it would fight; who retreats does not fire [R-003-32]. It goes where it was told.
#[test]
fn a_brigade_leaves_before_it_would_fight() {
    let mut table = table("infantry Foot 3");
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, Some("D"));
    table.volley("Horse", "B", 1, &[1]);
    let (foot, horse) = (table.id("Foot"), table.id("Horse"));
    let events = table.battles();
    // The A's come first: Foot loses a step before its turn to leave.
    assert_eq!(volleys(&events), [(1, horse, 1)]);
    assert_eq!(retreats(&events), [(vec![foot], 1)]);
    assert_eq!((table.at("Foot"), table.strength("Foot")), ("D", 2));
    let order = events.iter().find(|recorded| matches!(recorded.event, Event::Retreated { .. })).unwrap();
    assert!(order.source.is_some());
    // It retreated: nobody was wiped out [003 Steamroller].
    assert!(!ended(&events)[0].3);
}

/// Retreated brigades regroup too [R-003-36].
#[test]
fn retreated_brigades_regroup() {
    let mut table = table("infantry Foot 3");
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, Some("D"));
    table.volley("Horse", "B", 1, &[1]);
    table.rally("Foot", "B", &[3]);
    table.battles();
    assert_eq!(table.strength("Foot"), 3);
}

/// Never through a hexside that the attacker used: told to go to A, it goes elsewhere [003 Retreat Hexes].
#[test]
fn the_defender_may_not_go_through_the_attacker() {
    let mut table = table("infantry Foot 3");
    table.state.control.insert(table.hex("A"), None);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, Some("A"));
    table.battles();
    assert_ne!(table.at("Foot"), "A");
    assert_ne!(table.at("Foot"), "B");
}

/// Only into friendly or neutral hexes free of enemy brigades [003 Retreat Hexes]: C is the enemy's, D holds an enemy; so it
/// fights on, and that is said once [R-003-33].
#[test]
fn without_a_legal_hex_it_fights_on() {
    let mut table = Table::new(
        "A--B clear, B--C clear, B--D clear
         land A sweden, B russia, C sweden, D russia
         A: sweden infantry Dal 4
         D: sweden infantry Kalmar 1
         B: russia infantry Foot 2",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, None);
    let foot = table.id("Foot");
    let events = table.battles();
    assert!(retreats(&events).is_empty());
    assert_eq!(stuck(&events), 1);
    assert!(volleys(&events).contains(&(1, foot, 0)));
}

/// An enemy's hex where a friend stands unopposed is friendly for the moment [R-003-P22].
#[test]
fn ground_held_by_a_friend_is_friendly() {
    let mut table = Table::new(
        "A--B clear, B--C clear
         land A sweden, B russia, C sweden
         A: sweden infantry Dal 4
         C: russia infantry Sem 1
         B: russia infantry Foot 2",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, None);
    table.battles();
    assert_eq!(table.at("Foot"), "C");
}

/// Hexside limits are counted afresh in every round: over a marsh one brigade a round [R-003-35].
#[test]
fn limits_hold_for_each_round() {
    let mut table = Table::new(
        "A--B clear, B--C marsh
         land A sweden, B russia, C russia
         A: sweden infantry Dal 4
         B: russia infantry Foot 2, infantry Sem 2, infantry Pre 2",
    );
    table.enter(&["Dal"], &["A", "B"]);
    let here = Who::At(table.hex("B"));
    table.order("russia", Order::Retreat(Retreat { who: here, when: RetreatWhen::AtOnce, to: None }));
    let ids = table.ids(&["Foot", "Sem", "Pre"]);
    let events = table.battles();
    assert_eq!(retreats(&events), [(vec![ids[0]], 1), (vec![ids[1]], 2), (vec![ids[2]], 3)]);
    assert_eq!(ended(&events)[0].0, ["sweden"]);
}

/// Three brigades that came along the river retreat along it over a forest side in one round, though Forest allows 2; by land two
/// do [003 Retreat Hexes, R-003-17].
#[test]
fn a_river_lets_one_more_through() {
    for (pace, in_first_round) in [(Pace::River, 3), (Pace::Normal, 2)] {
        let mut table = Table::new(
            "A--B forest river
             land A sweden, B russia
             A: sweden infantry Dal 2, infantry Kalmar 2, infantry Upland 2
             B: russia infantry Foot 4",
        );
        table.enter_as(&["Dal", "Kalmar", "Upland"], &["A", "B"], Arrival::Stand, pace);
        table.retreat("sweden", &["Dal", "Kalmar", "Upland"], RetreatWhen::AtOnce, None);
        let events = table.battles();
        assert_eq!(retreats(&events)[0].0.len(), in_first_round, "{pace:?}");
    }
}

/// Attackers go back only by the hexsides that their side used [003 Retreat Hexes]; reserves and all, these are A and C.
#[test]
fn attackers_go_back_the_way_they_came() {
    let mut table = Table::new(
        "A--B clear, C--B clear, D--B clear
         land A sweden, B russia, C sweden, D sweden
         A: sweden infantry Dal 4
         C: sweden infantry Kalmar 2
         B: russia infantry Foot 4",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.enter(&["Kalmar"], &["C", "B"]);
    table.retreat("sweden", &["Dal"], RetreatWhen::AtOnce, Some("D"));
    table.retreat("sweden", &["Kalmar"], RetreatWhen::AtOnce, Some("A"));
    table.battles();
    assert!(["A", "C"].contains(&table.at("Dal")), "not to D, which is Swedish too");
    assert_eq!(table.at("Kalmar"), "A", "by a side that another of his side used");
}

/// Both used the side A-B; the Swede came last through it: he may go back, the Russian may not [003 Retreat Hexes, R-003-34].
#[test]
fn who_came_last_through_a_side_may_use_it() {
    let position = "A--B clear
         A: sweden infantry Dal 4
         A: russia infantry Foot 4";
    let mut table = Table::new(position);
    table.enter(&["Foot"], &["A", "B"]);
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, None);
    let events = table.battles();
    assert_eq!((stuck(&events), retreats(&events).len()), (1, 0));

    let mut table = Table::new(position);
    table.enter(&["Foot"], &["A", "B"]);
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("sweden", &["Dal"], RetreatWhen::AtOnce, None);
    table.battles();
    assert_eq!(table.at("Dal"), "A");
}

/// The Russian came through A-B after the first Swede and before the second came from C: he may use it, the first Swede must go
/// by C [003 Retreat Hexes, R-003-34].
#[test]
fn a_later_defender_takes_the_side_from_the_attacker() {
    let position = "A--B clear, C--B clear
         A: sweden infantry Dal 4
         A: russia infantry Foot 4
         C: sweden infantry Kalmar 2";
    let mut table = Table::new(position);
    table.enter(&["Dal"], &["A", "B"]);
    table.enter(&["Foot"], &["A", "B"]);
    table.enter(&["Kalmar"], &["C", "B"]);
    table.retreat("sweden", &["Dal"], RetreatWhen::AtOnce, Some("A"));
    table.battles();
    assert_eq!(table.at("Dal"), "C");

    let mut table = Table::new(position);
    table.enter(&["Dal"], &["A", "B"]);
    table.enter(&["Foot"], &["A", "B"]);
    table.enter(&["Kalmar"], &["C", "B"]);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, None);
    table.battles();
    assert_eq!(table.at("Foot"), "A");
}

/// Half of the force lost: 4 of 8, at the B's turn, since the A's fired first; 3 of 8 is not half [R-003-32, R-003-95].
#[test]
fn a_loss_in_per_cent() {
    for (hits, left) in [(&[1, 1, 1, 1][..], 2), (&[1, 1, 1, 6][..], 0)] {
        let mut table = table("infantry Foot 4, infantry Sem 4");
        table.retreat("russia", &["Foot", "Sem"], RetreatWhen::LossPercent(50), None);
        table.volley("Horse", "B", 1, hits);
        let events = table.battles();
        let gone: usize = retreats(&events).iter().map(|(units, _)| units.len()).sum();
        assert_eq!(gone, left);
    }
}

/// The enemy has two to one: 4 against 2, not 4 against 3 [R-003-32].
#[test]
fn odds() {
    for (strength, left) in [(2, 1), (3, 0)] {
        let mut table = table(&format!("infantry Foot {strength}"));
        table.retreat("russia", &["Foot"], RetreatWhen::OddsPercent(200), None);
        assert_eq!(retreats(&table.battles()).len(), left);
    }
}

/// After one round: it fires in round 1 and leaves at its turn in round 2 [R-003-32].
#[test]
fn after_a_round() {
    let mut table = table("infantry Foot 3");
    table.retreat("russia", &["Foot"], RetreatWhen::AfterRound(1), None);
    let foot = table.id("Foot");
    let events = table.battles();
    assert_eq!(retreats(&events), [(vec![foot], 2)]);
    assert!(volleys(&events).contains(&(1, foot, 0)));
}

/// An order for the one brigade outweighs the order for all in the hex: it holds, the others go.
#[test]
fn the_particular_order_outweighs_the_general() {
    let mut table = table("infantry Foot 3, infantry Sem 3");
    let all = Order::Retreat(Retreat { who: Who::All, when: RetreatWhen::AtOnce, to: None });
    table.retreat("russia", &["Foot"], RetreatWhen::Never, None);
    table.order("russia", all);
    table.battles();
    assert_eq!(table.at("Foot"), "B");
    assert_ne!(table.at("Sem"), "B");
}

/// A leader's name stands for his army.
#[test]
fn a_leader_stands_for_his_army() {
    let mut table = table("infantry Foot 3; leader Peter 2 A3");
    table.retreat("russia", &["Peter"], RetreatWhen::AtOnce, Some("D"));
    table.battles();
    assert_eq!((table.at("Foot"), table.at("Peter")), ("D", "D"));
}

/// Told nothing, it goes to its own ground nearest to a supply city of its own.
#[test]
fn the_way_home_is_the_default() {
    let mut table = Table::new(
        "A--B clear, B--C clear, B--D clear, D--E clear
         land A sweden, B russia, C russia, D russia, E russia
         city E pskov 2
         A: sweden infantry Dal 4
         B: russia infantry Foot 2",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, None);
    let to_the_city = |hex: &str| table.state.campaign.board.grid.distance(table.hex(hex), table.hex("E"));
    assert!(to_the_city("D") < to_the_city("C"), "the board is laid out that way");
    table.battles();
    assert_eq!(table.at("Foot"), "D");
}

/// Three quiet rounds: an attacker with an order to retreat, whatever its condition, goes [R-003-31, R-003-P24].
#[test]
fn a_willing_attacker_goes_after_quiet_rounds() {
    let mut table = Table::new(
        "A--B clear
         land A sweden, B russia
         A: sweden infantry Dal 4
         B: russia infantry Foot 4",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("sweden", &["Dal"], RetreatWhen::LossPercent(50), None);
    let events = table.battles();
    assert_eq!(table.at("Dal"), "A");
    let (victors, losers, rounds, wiped_out) = ended(&events).remove(0);
    assert_eq!((victors, losers), (vec!["russia".to_owned()], vec!["sweden".to_owned()]));
    assert_eq!((rounds, wiped_out), (3, false));
}

/// The whole side must go and nobody of it can: captured [R-003-33]. A is Russian and empty behind the Swede.
#[test]
fn an_attacker_who_must_go_and_cannot_is_captured() {
    let mut table = Table::new(
        "A--B clear
         land A russia, B russia
         A: sweden infantry Dal 4
         B: russia infantry Foot 4",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("sweden", &["Dal"], RetreatWhen::LossPercent(50), None);
    let events = table.battles();
    let how = events.iter().find_map(|recorded| match &recorded.event {
        Event::Gone { how, .. } => Some(*how),
        _ => None,
    });
    assert_eq!(how, Some(Loss::Captured));
    assert_eq!(ended(&events)[0].0, ["russia"]);
}

/// A retreat into the land of a neutral who gave no consent is legal where it is ordered, and ends in internment [R-003-82].
#[test]
fn interned() {
    let mut table = Table::new(
        "A--B clear, B--C clear
         land A sweden, B russia, C prussia
         A: sweden infantry Dal 4
         B: russia infantry Foot 2",
    );
    let seats = ["russia", "prussia"].map(crate::engine::SeatId::new);
    table.state.wars.remove(&super::super::super::state::pair(&seats[0], &seats[1]));
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, Some("C"));
    let events = table.battles();
    assert_eq!(retreats(&events).len(), 1);
    assert_eq!(table.strength("Foot"), 0);
}

/// Both are to go at once: the defender goes first, and the attacker has won the field then.
#[test]
fn who_is_left_the_field_stays() {
    let mut table = table("infantry Foot 3");
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, Some("D"));
    table.retreat("sweden", &["Horse"], RetreatWhen::AfterRound(1), None);
    table.battles();
    assert_eq!((table.at("Foot"), table.at("Horse")), ("D", "B"));

    let mut table = Table::new(
        "A--B clear, B--C clear
         land A sweden, B russia, C russia
         A: sweden infantry Dal 4
         B: russia infantry Foot 4",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, None);
    table.retreat("sweden", &["Dal"], RetreatWhen::AtOnce, None);
    let events = table.battles();
    assert_eq!((table.at("Foot"), table.at("Dal")), ("C", "B"));
    assert_eq!(ended(&events)[0].0, ["sweden"]);
}
