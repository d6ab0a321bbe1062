//! Movement [003 Movement]: simultaneous in name, executed player by player from the highest Action card to the lowest, each
//! player's marches in written order [R-003-11].

mod pinning;
pub(super) mod walk;

use super::Season;
use super::campaign::rule;
use super::diplomacy::plain;
use super::event::{Event, VoidReason};
use super::order::{Condition, March, Order, Pace, Picked};
use super::state::{State, Unit};
use crate::engine::{Cause, Dice, Flow, Held, HexId, Orders, SeatId, UnitId, Working};
use std::collections::BTreeSet;

/// Marches, player by player.
pub(super) fn run(working: &mut Working<'_, Season>, orders: &Orders<Order>, dice: &Dice) -> Flow {
    for seat in working.state().now.sequence.clone() {
        let sheet = orders.get(&seat).map_or(&[][..], Vec::as_slice);
        for (place, held) in sheet.iter().enumerate() {
            if let Order::March(march) = plain(&held.order) {
                let ordered = Ordered { seat: &seat, sheet, place, held, march };
                carry_out(working, &ordered, orders, dice);
            }
        }
    }
    Flow::Done
}

/// One march order with its surroundings.
pub(super) struct Ordered<'o> {
    /// Whose.
    pub seat: &'o SeatId,
    /// All orders of the seat.
    pub sheet: &'o [Held<Order>],
    /// The order's place among them.
    pub place: usize,
    /// The order and its words.
    pub held: &'o Held<Order>,
    /// The march.
    pub march: &'o March,
}

impl Ordered<'_> {
    /// A cause that cites `cites` and the player's words.
    pub fn cause(&self, subject: String, cites: &[crate::engine::Cite]) -> Cause {
        Cause::new(subject, cites).ordered(self.seat, &self.held.source)
    }

    fn void(&self, working: &mut Working<'_, Season>, why: VoidReason, cites: &[crate::engine::Cite]) {
        let words = self.held.source.words.clone();
        let cause =
            self.cause(format!("void {} {}.{}", self.seat, self.held.source.letter, self.held.source.line), cites);
        working.emit(cause, Event::Void { seat: self.seat.clone(), words, why });
    }
}

fn carry_out(working: &mut Working<'_, Season>, ordered: &Ordered<'_>, orders: &Orders<Order>, dice: &Dice) {
    let march = ordered.march;
    if let Some(condition) = &march.condition
        && !holds(working.state(), ordered.seat, condition)
    {
        return ordered.void(working, VoidReason::ConditionUnmet, &[rule("R-003-89")]);
    }
    let named = movers(working.state(), ordered);
    if named.is_empty() {
        return ordered.void(working, VoidReason::NotThere, &[rule("003 Movement")]);
    }
    let pinned = &working.state().now.pinned;
    let (held_fast, free): (Vec<UnitId>, Vec<UnitId>) = named.into_iter().partition(|unit| pinned.contains(unit));
    if free.is_empty() {
        return ordered.void(working, VoidReason::Pinned, &[rule("003 Pinning"), rule("R-003-26")]);
    }
    if !held_fast.is_empty() {
        ordered.void(working, VoidReason::Pinned, &[rule("003 Pinning"), rule("R-003-26")]);
    }
    let arrived = walk::go(working, ordered, free, dice);
    pinning::pin(working, ordered.seat, orders, &arrived);
}

/// The units that a march is about: those that stand where it starts, are the seat's own and have not moved; units move once per
/// turn [003 Movement]. "All" leaves out brigades that another march of the same seat names.
fn movers(state: &State, ordered: &Ordered<'_>) -> Vec<UnitId> {
    let march = ordered.march;
    let ready = |unit: &Unit| {
        unit.seat == *ordered.seat
            && unit.at == march.from
            && !state.now.entries.contains_key(&unit.id)
            && !unit.kind.is_naval()
    };
    let mut units: Vec<UnitId> = match &march.units {
        Picked::These(named) => named.iter().copied().filter(|id| state.units.get(id).is_some_and(ready)).collect(),
        Picked::All => {
            let elsewhere = named_elsewhere(ordered);
            let free = |unit: &&Unit| ready(unit) && !unit.is_leader() && !elsewhere.contains(&unit.id);
            state.in_hex(march.from).filter(free).map(|unit| unit.id).collect()
        }
    };
    if let Some(leader) = march.army_of
        && march.leader_goes
        && state.units.get(&leader).is_some_and(ready)
        && !units.contains(&leader)
    {
        units.insert(0, leader);
    }
    units
}

fn named_elsewhere(ordered: &Ordered<'_>) -> BTreeSet<UnitId> {
    let others = ordered.sheet.iter().enumerate().filter(|(place, _)| *place != ordered.place);
    others
        .flat_map(|(_, held)| match plain(&held.order) {
            Order::March(March { units: Picked::These(named), .. }) => named.clone(),
            Order::Hold(units) => units.clone(),
            _ => Vec::new(),
        })
        .collect()
}

/// Whether a condition on what can be seen now is met [R-003-89]. What only battles decide is judged where battles are.
pub(super) fn holds(state: &State, seat: &SeatId, condition: &Condition) -> bool {
    let enemy = |hex: HexId| state.enemies_of(seat, hex).next().is_some();
    match condition {
        Condition::EnemyAt(hex) => enemy(*hex),
        Condition::NoEnemyAt(hex) => !enemy(*hex),
        Condition::WeHold(hex) => state.controller(*hex) == Some(seat),
        Condition::EnemyAvoids(hex) => {
            state.now.avoided.get(hex).is_some_and(|seats| seats.iter().any(|other| state.at_war(other, seat)))
        }
        Condition::WeWin(hex) => {
            state.now.battles.iter().any(|(at, fought)| at == hex && fought.victors.contains(seat))
        }
    }
}

/// Whether a seat's units in a hex have said that they avoid battle; unless they say so, all give battle
/// [003 When Battle Occurs].
pub(super) fn avoids(state: &State, orders: &Orders<Order>, seat: &SeatId, hex: HexId) -> bool {
    let units: Vec<UnitId> = state.own_brigades(hex, seat).map(|unit| unit.id).collect();
    super::battle::intent::avoids(state, orders, seat, &units).is_some()
}

/// The hexes a unit may go this turn [003 Movement Rating, Forced Marches, River Movement].
pub(super) fn rate(state: &State, unit: &Unit, pace: Pace) -> u32 {
    match pace {
        Pace::Normal => u32::from(unit.movement),
        Pace::Forced => u32::from(unit.movement) * 2,
        Pace::River => state.campaign.figures.river_move_max,
    }
}
