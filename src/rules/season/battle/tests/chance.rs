//! What holds whatever the dice say.

use super::super::super::event::Event;
use super::super::super::order::{Order, Retreat, RetreatWhen, Who};
use super::super::super::testing::Table;
use super::{ended, joined};
use crate::engine::UnitId;
use std::collections::BTreeMap;

fn table(seed: u8) -> Table {
    let mut table = Table::new(
        "A--B clear, C--B forest, D--B clear, B--E marsh
         land A sweden, B russia, C sweden, D saxony, E russia
         peace russia saxony
         A: sweden infantry Dal 4 B3, cavalry Horse 3 A3; leader Charles 3 A3 sovereign
         C: sweden guards Life 4 A3
         D: saxony infantry Koenigin 3, dragoons Leib 3 B2; leader Flemming 2 B2
         B: russia infantry Foot 4 C2, infantry Sem 4 B3, cossacks Don 2 C2",
    );
    table.enter(&["Koenigin", "Leib", "Flemming"], &["D", "B"]);
    table.enter(&["Dal", "Horse", "Charles"], &["A", "B"]);
    table.enter(&["Life"], &["C", "B"]);
    let conditions = [
        RetreatWhen::Never,
        RetreatWhen::LossPercent(40),
        RetreatWhen::AfterRound(1),
        RetreatWhen::OddsPercent(110),
        RetreatWhen::AtOnce,
    ];
    for (place, seat) in ["sweden", "russia", "saxony"].iter().enumerate() {
        let when = conditions[(usize::from(seed) / 5_usize.pow(u32::try_from(place).unwrap())) % 5];
        table.order(seat, Order::Retreat(Retreat { who: Who::All, when, to: None }));
    }
    table.campaign().house.defender_first = seed % 2 == 1;
    table.leave_to_chance(seed);
    table
}

/// Every battle ends; nobody without strength stays on the map; nobody ends stronger than he began or further than one hex away;
/// losses and recoveries add up; one that wins has no enemy left beside it.
#[test]
fn battles_keep_their_books() {
    for seed in 0..125 {
        let mut table = table(seed);
        let before: BTreeMap<UnitId, u8> = table.state.units.iter().map(|(id, unit)| (*id, unit.strength)).collect();
        let events = table.battles();
        assert_eq!(joined(&events).len(), ended(&events).len(), "seed {seed}");
        let mut balance: BTreeMap<UnitId, i32> = before.iter().map(|(id, s)| (*id, i32::from(*s))).collect();
        for recorded in &events {
            match &recorded.event {
                Event::StepsLost { unit, steps, .. } => *balance.get_mut(unit).unwrap() -= i32::from(*steps),
                Event::Regrouped { unit, recovered, .. } => *balance.get_mut(unit).unwrap() += i32::from(*recovered),
                Event::Volley { unit, .. } => assert!(balance[unit] > 0, "seed {seed}: u{unit} fired dead"),
                _ => {}
            }
        }
        for unit in table.state.units.values() {
            assert!(unit.strength > 0 && unit.strength <= before[&unit.id], "seed {seed}: {}", unit.short);
            assert_eq!(i32::from(unit.strength), balance[&unit.id], "seed {seed}: {}", unit.short);
            assert!(table.state.campaign.board.grid.distance(unit.at, table.hex("B")) <= 1);
        }
        let one_side_left = ended(&events).last().unwrap().0.len() + ended(&events).last().unwrap().1.len() > 0;
        assert_eq!(table.state.contested(table.hex("B")), !one_side_left, "seed {seed}");
    }
}

/// The same orders and the same secret give the same events to the letter.
#[test]
fn the_same_again_is_the_same() {
    assert_eq!(table(7).battles(), table(7).battles());
}
