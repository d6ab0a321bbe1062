//! Pinning: who enters a hex first holds as many of the enemy there as came [003 Pinning, R-003-26, R-003-27].

use super::super::Season;
use super::super::campaign::rule;
use super::super::diplomacy::plain;
use super::super::event::Event;
use super::super::order::{Arrival, March, Order, Picked};
use super::super::state::{State, Unit};
use super::avoids;
use super::walk::Arrived;
use crate::engine::{Cause, HexId, Orders, SeatId, UnitId, Working};
use std::collections::BTreeMap;

/// Pins in each hex where brigades of `seat` have just ended among enemies.
pub(super) fn pin(working: &mut Working<'_, Season>, seat: &SeatId, orders: &Orders<Order>, arrived: &[Arrived]) {
    for Arrived { hex, units } in arrived {
        let state = working.state();
        let came = units.iter().filter(|id| pins(state, orders, seat, *hex, **id)).count();
        if came == 0 {
            continue;
        }
        let mut held: BTreeMap<SeatId, Vec<UnitId>> = BTreeMap::new();
        for unit in candidates(state, orders, seat, *hex).into_iter().take(came) {
            held.entry(unit.seat.clone()).or_default().push(unit.id);
        }
        for (owner, units) in held {
            let cause =
                Cause::new(format!("pin {hex} {owner}"), &[rule("003 Pinning"), rule("R-003-26"), rule("R-003-27")]);
            working.emit(cause, Event::Pinned { hex: *hex, seat: owner, units, by: seat.clone() });
        }
    }
}

/// Only brigades that give battle, or came for the city, pin [R-003-26]; leaders do not [R-003-27].
fn pins(state: &State, orders: &Orders<Order>, seat: &SeatId, hex: HexId, unit: UnitId) -> bool {
    let brigade = state.units.get(&unit).is_some_and(|u| u.is_brigade());
    let for_city = state.now.entries.get(&unit).is_some_and(|entry| entry.arrival != Arrival::Stand);
    brigade && (for_city || !avoids(state, orders, seat, hex))
}

/// The enemy brigades that can still be pinned, in the sequence in which their owner gives them up: units without an order to
/// march first, then the weakest, then the lowest number. A brigade that has marched already is not pinned any more.
fn candidates<'s>(state: &'s State, orders: &Orders<Order>, seat: &SeatId, hex: HexId) -> Vec<&'s Unit> {
    let free = |unit: &&Unit| {
        state.at_war(&unit.seat, seat)
            && !state.now.pinned.contains(&unit.id)
            && !state.now.entries.contains_key(&unit.id)
    };
    let mut found: Vec<&Unit> = state.brigades_in(hex).filter(free).collect();
    found.sort_by_key(|unit| (wants_to_march(orders, unit), unit.strength, unit.id));
    found
}

fn wants_to_march(orders: &Orders<Order>, unit: &Unit) -> bool {
    orders.get(&unit.seat).into_iter().flatten().any(|held| match plain(&held.order) {
        Order::March(March { units: Picked::These(named), .. }) => named.contains(&unit.id),
        Order::March(March { units: Picked::All, from, .. }) => *from == unit.at,
        _ => false,
    })
}
