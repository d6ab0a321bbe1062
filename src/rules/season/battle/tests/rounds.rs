//! Letters, hits, reserves, quiet rounds, Regrouping.

use super::super::super::event::Event;
use super::super::super::order::{Order, Pace};
use super::super::super::testing::{Table, losses, only};
use super::{ended, joined, texts, volleys};
use crate::engine::EventId;

/// Swedes at A march on Russians at B.
fn attack(sweden: &str, russia: &str) -> Table {
    let mut table = Table::new(&format!(
        "A--B clear, A--C clear, B--C clear
         land A sweden, B russia
         A: sweden {sweden}
         B: russia {russia}"
    ));
    let units: Vec<String> = names(sweden);
    let units: Vec<&str> = units.iter().map(String::as_str).collect();
    table.enter(&units, &["A", "B"]);
    table
}

fn names(units: &str) -> Vec<String> {
    units.split([',', ';']).map(|unit| unit.split_whitespace().nth(1).unwrap().to_owned()).collect()
}

/// "All A Brigades fight first": three hits of the A's destroy the B's before they fire [003 Battle mechanics].
#[test]
fn letters_fight_in_order() {
    let mut table = attack("cavalry Horse 3 A3", "infantry Foot 3 B3");
    table.volley("Horse", "B", 1, &[1, 2, 3]);
    table.volley("Foot", "B", 1, &[1, 1, 1]);
    let horse = table.id("Horse");
    let events = table.battles();
    assert_eq!(volleys(&events), [(1, horse, 3)]);
    assert_eq!((table.strength("Horse"), table.strength("Foot")), (3, 0));
    assert_eq!(ended(&events), [(texts(&["sweden"]), texts(&["russia"]), 1, true)]);
}

/// A die equal to or lower than the number hits, a higher one does not [R-003-20].
#[test]
fn equal_or_lower_hits() {
    let mut table = attack("infantry Dal 4 B2", "infantry Foot 4");
    table.volley("Dal", "B", 1, &[1, 2, 3, 4]);
    table.battles();
    assert_eq!(table.strength("Foot"), 2);
}

/// Both sides of a letter fire together: two that destroy each other both fall, and nobody has won [R-003-21].
#[test]
fn one_letter_fires_together() {
    let mut table = attack("infantry Dal 2", "infantry Foot 2");
    table.volley("Dal", "B", 1, &[1, 1]);
    table.volley("Foot", "B", 1, &[1, 1]);
    let events = table.battles();
    assert_eq!((table.strength("Dal"), table.strength("Foot")), (0, 0));
    assert_eq!(ended(&events), [(texts(&[]), texts(&["sweden", "russia"]), 1, true)]);
}

/// House rule `letter_order = "defender_first"`: his hits count before the attacker fires [R-003-21].
#[test]
fn the_defender_may_fire_first() {
    let mut table = attack("infantry Dal 2", "infantry Foot 2");
    table.campaign().house.defender_first = true;
    table.volley("Dal", "B", 1, &[1, 1]);
    table.volley("Foot", "B", 1, &[1, 1]);
    let events = table.battles();
    assert_eq!((table.strength("Dal"), table.strength("Foot")), (0, 2));
    assert_eq!(ended(&events), [(texts(&["russia"]), texts(&["sweden"]), 1, true)]);
}

/// Each hit goes to the strongest at that moment, of equals to the lower number: five hits on 4, 4, 3 make 3, 4, 3, then
/// 3, 3, 3, then 2, 3, 3, then 2, 2, 3, then 2, 2, 2 [R-003-22].
#[test]
fn hits_go_to_the_strongest() {
    let mut table = attack("cavalry Horse 6 A5", "infantry Pre 4, infantry Sem 4, infantry She 3");
    table.volley("Horse", "B", 1, &[1, 1, 1, 1, 1, 6]);
    let events = table.battles();
    assert_eq!(["Pre", "Sem", "She"].map(|unit| table.strength(unit)), [2, 2, 2]);
    assert_eq!(losses(&table, &events), ["Pre -2", "Sem -2", "She -1"]);
}

/// Ties are decided by the owner's order list [R-003-22].
#[test]
fn the_owner_says_who_takes_a_hit_first() {
    let mut table = attack("cavalry Horse 1 A5", "infantry Pre 4, infantry Sem 4");
    table.volley("Horse", "B", 1, &[1]);
    let list = table.ids(&["Sem"]);
    table.order("russia", Order::HitsFirst(list));
    table.battles();
    assert_eq!((table.strength("Pre"), table.strength("Sem")), (4, 3));
}

/// Three rounds without a hit end it; without an order to retreat the attacker stays [R-003-31].
#[test]
fn quiet_rounds_break_a_battle_off() {
    let mut table = attack("infantry Dal 4", "infantry Foot 4");
    let events = table.battles();
    assert_eq!(ended(&events), [(texts(&[]), texts(&[]), 3, false)]);
    assert_eq!((table.at("Dal"), table.at("Foot")), ("B", "B"));
}

/// A hit starts the count of quiet rounds anew: hit in round 2, then 3, 4 and 5 are quiet [R-003-31].
#[test]
fn a_hit_starts_the_count_anew() {
    let mut table = attack("infantry Dal 4", "infantry Foot 4");
    table.volley("Dal", "B", 2, &[1]);
    assert_eq!(ended(&table.battles()), [(texts(&[]), texts(&[]), 5, false)]);
}

/// Every survivor rolls a die for each step lost, success on its Rally value (here 3) or less [003 Regrouping, R-003-36].
#[test]
fn survivors_regroup() {
    let mut table = attack("cavalry Horse 4 A5", "infantry Foot 4");
    table.volley("Horse", "B", 1, &[1, 1, 1]);
    table.rally("Foot", "B", &[3, 4, 1]);
    let events = table.battles();
    assert_eq!(table.strength("Foot"), 3);
    let told = only(&events, |event| match event {
        Event::Regrouped { recovered, lost, .. } => Some((*recovered, *lost)),
        _ => None,
    });
    assert_eq!(told, (2, 1));
}

/// Restored to at most the strength with which the battle began, though the brigade could be stronger [R-003-36].
#[test]
fn regrouping_never_exceeds_the_start() {
    let mut table = attack("cavalry Horse 4 A5", "infantry Foot 3");
    table.volley("Horse", "B", 1, &[1, 1]);
    table.rally("Foot", "B", &[1, 1, 1, 1]);
    table.battles();
    assert_eq!(table.strength("Foot"), 3);
}

/// A brigade at 0 leaves at once and gets no roll [R-003-37].
#[test]
fn nothing_regroups_from_zero() {
    let mut table = attack("cavalry Horse 4 A5", "infantry Foot 2, infantry Sem 1");
    table.volley("Horse", "B", 1, &[1, 1, 1, 6]);
    table.rally("Foot", "B", &[1, 1]);
    table.rally("Sem", "B", &[1, 1]);
    let events = table.battles();
    assert!(!events.iter().any(|recorded| matches!(recorded.event, Event::Regrouped { .. })));
    assert_eq!((table.strength("Foot"), table.strength("Sem")), (0, 0));
}

/// Of two ways the one with more strength is the main attack; the other comes in with round 2 and neither fires nor is hit
/// before [R-003-30].
#[test]
fn reserves_come_in_with_round_two() {
    let mut table = Table::new(
        "A--B clear, C--B clear
         A: sweden infantry Dal 4
         C: sweden cavalry Horse 3
         B: russia cavalry Boyars 2 A5",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.enter(&["Horse"], &["C", "B"]);
    table.volley("Boyars", "B", 1, &[1, 1]);
    let (dal, horse, boyars) = (table.id("Dal"), table.id("Horse"), table.id("Boyars"));
    let events = table.battles();
    assert_eq!(joined(&events), [("sweden".into(), "russia".into(), vec![horse], 1)]);
    // Round 1: Boyars hit Dal twice (4 to 2) though Horse (3) is stronger then; Horse does not fire.
    assert_eq!((table.strength("Dal"), table.strength("Horse")), (2, 3));
    let fired = volleys(&events);
    assert_eq!(fired[..2], [(1, boyars, 2), (1, dal, 0)]);
    assert!(fired.contains(&(2, horse, 0)));
}

/// If the first group is gone the reserves come in at once, and the battle goes on: they fire at their letter in the same
/// round [R-003-30].
#[test]
fn reserves_come_at_once_when_the_first_group_is_gone() {
    let mut table = Table::new(
        "A--B clear, C--B clear
         A: sweden infantry Dal 2
         C: sweden infantry Kalmar 1
         B: russia cavalry Boyars 2 A5",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.enter(&["Kalmar"], &["C", "B"]);
    table.volley("Boyars", "B", 1, &[1, 1]);
    let (kalmar, boyars) = (table.id("Kalmar"), table.id("Boyars"));
    let events = table.battles();
    assert_eq!(volleys(&events)[..2], [(1, boyars, 2), (1, kalmar, 0)]);
}

/// A river is a way of its own, and between ways of equal strength the hexside is the main attack [R-003-30].
#[test]
fn a_river_is_one_way() {
    let mut table = Table::new(
        "A--B clear river, C--B clear
         A: sweden infantry Dal 3
         C: sweden infantry Kalmar 3
         B: russia infantry Foot 3",
    );
    table.enter_as(&["Dal"], &["A", "B"], super::super::super::order::Arrival::Stand, Pace::River);
    table.enter(&["Kalmar"], &["C", "B"]);
    let dal = table.id("Dal");
    assert_eq!(joined(&table.battles())[0].2, [dal]);
}

/// Defenders who came after the first attacker are reserves too [R-003-30]; the side that entered last attacks [R-003-29].
#[test]
fn late_defenders_are_reserves() {
    let mut table = Table::new(
        "A--B clear, C--B clear, D--B clear
         A: sweden infantry Dal 3
         D: sweden infantry Kalmar 3
         C: russia infantry Sem 2
         B: russia infantry Foot 3",
    );
    table.enter(&["Dal"], &["A", "B"]);
    table.enter(&["Sem"], &["C", "B"]);
    table.enter(&["Kalmar"], &["D", "B"]);
    let late = table.ids(&["Kalmar", "Sem"]);
    let events = table.battles();
    // Dal and Kalmar are equal ways of 3; of equal hexsides the lower number is the main attack.
    let mut found = joined(&events).remove(0);
    assert_eq!((found.0.as_str(), found.1.as_str()), ("sweden", "russia"));
    assert!(found.2.contains(&late[1]), "the late defender is in reserve");
    found.2.retain(|unit| *unit != late[1]);
    assert_eq!(found.2.len(), 1, "one of the two equal ways is");
}

/// A loss names the volleys that made it, a death the loss, and the dice stand with the volley.
#[test]
fn the_chain_of_causes_is_told() {
    let mut table = attack("cavalry Horse 2 A5", "infantry Foot 2");
    table.volley("Horse", "B", 1, &[1, 1]);
    let events = table.battles();
    let find = |wanted: fn(&Event) -> bool| events.iter().find(|recorded| wanted(&recorded.event)).unwrap();
    let volley = find(|event| matches!(event, Event::Volley { .. }));
    let lost = find(|event| matches!(event, Event::StepsLost { .. }));
    let gone = find(|event| matches!(event, Event::Gone { .. }));
    assert_eq!(volley.rolls[0].faces, [1, 1]);
    assert_eq!(lost.because, std::slice::from_ref(&volley.id));
    assert_eq!(gone.because, std::slice::from_ref(&lost.id));
    let end = find(|event| matches!(event, Event::BattleEnded { .. }));
    let names: Vec<&EventId> = end.because.iter().collect();
    assert!(names.contains(&&gone.id));
    assert!(events.iter().all(|recorded| !recorded.cites.is_empty()), "every event cites a rule");
}

/// Gå På!: in the first round of one battle all brigades fire with the A's and hit on one number more (the card's text).
#[test]
fn ga_pa_in_the_first_round() {
    let mut table = attack("infantry Dal 2 B3", "cavalry Boyars 1 A3, infantry Foot 1");
    table.played("sweden", "ga_pa", "B");
    table.volley("Dal", "B", 1, &[4, 4]);
    let (dal, boyars) = (table.id("Dal"), table.id("Boyars"));
    let events = table.battles();
    // Both letters A in round 1: the Boyars fire (and miss), Dal hits twice on a 4; nobody is left for B.
    let fired = volleys(&events);
    assert_eq!(fired.len(), 2);
    assert!(fired.contains(&(1, dal, 2)) && fired.contains(&(1, boyars, 0)));
    assert_eq!(ended(&events)[0].0, ["sweden"]);
}
