//! What was ordered for a battle: intent, conditions, retreat and siege orders [003 When Battle Occurs, 003 Retreats].

use super::super::diplomacy::plain;
use super::super::movement::holds;
use super::super::order::{Condition, Order, RetreatWhen, SiegeAction, Who};
use super::super::state::{State, Unit};
use super::{Ground, sides};
use crate::engine::{HexId, Orders, SeatId, Source, UnitId};

/// Where an order stands in its letter; `None` where something happens without an order.
pub(in crate::rules::season) type Said<'o> = Option<&'o Source>;

/// A seat's orders and where they stand.
fn said<'o>(orders: &'o Orders<Order>, seat: &SeatId) -> impl Iterator<Item = (&'o Order, Said<'o>)> {
    let sheet = orders.get(seat).map_or(&[][..], Vec::as_slice);
    sheet.iter().map(|held| (plain(&held.order), Some(&held.source)))
}

/// How closely `who` names a unit, 3 = by itself; a leader stands for whoever of his is in his hex.
fn covers(state: &State, who: &Who, unit: &Unit) -> Option<u8> {
    let his_army = |id: &UnitId| {
        let leader = state.units.get(id).filter(|leader| leader.is_leader());
        leader.is_some_and(|leader| leader.at == unit.at && leader.seat == unit.seat)
    };
    match who {
        Who::Units(ids) if ids.contains(&unit.id) => Some(3),
        Who::Units(ids) => ids.iter().any(his_army).then_some(2),
        Who::At(hex) => (*hex == unit.at).then_some(1),
        Who::All => Some(0),
    }
}

/// Of the orders that cover a unit, those that name it most closely: the general order yields to the particular one,
/// wherever it is written.
fn closest<'s, T>(state: &State, unit: &Unit, orders: impl Iterator<Item = (&'s Who, T)>) -> Vec<T> {
    let mut best = 0;
    let mut found = Vec::new();
    for (who, order) in orders {
        match covers(state, who, unit) {
            Some(near) if near > best => {
                best = near;
                found = vec![order];
            }
            Some(near) if near == best => found.push(order),
            _ => {}
        }
    }
    found
}

/// Whether a seat avoids battle with these units: only if every brigade is told to; by default armies give battle
/// [003 When Battle Occurs, R-003-P20]. The order that says so, if they avoid.
pub(in crate::rules::season) fn avoids<'o>(
    state: &State,
    orders: &'o Orders<Order>,
    seat: &SeatId,
    units: &[UnitId],
) -> Option<Said<'o>> {
    avoids_if(state, orders, seat, units, |condition| met(state, orders, seat, condition))
}

fn avoids_if<'o>(
    state: &State,
    orders: &'o Orders<Order>,
    seat: &SeatId,
    units: &[UnitId],
    holds: impl Fn(&Condition) -> bool,
) -> Option<Said<'o>> {
    let intents = || {
        said(orders, seat).filter_map(|(order, source)| match order {
            Order::Intent(intent) if intent.condition.as_ref().is_none_or(&holds) => {
                Some((&intent.who, (intent.give, source)))
            }
            _ => None,
        })
    };
    intents().next()?;
    let mut source = None;
    for unit in units.iter().filter_map(|id| state.units.get(id)).filter(|unit| unit.is_brigade()) {
        match closest(state, unit, intents()).pop() {
            Some((false, by)) => source = Some(by),
            _ => return None,
        }
    }
    source
}

/// A side of a field, sorted by who gives battle.
pub(super) struct Sorted<'o> {
    /// Seats that fight if there is a fight.
    pub giving: Vec<SeatId>,
    /// Seats that avoid, and by which order.
    pub avoiding: Vec<(SeatId, Said<'o>)>,
    /// Whether any brigade is left.
    pub present: bool,
    /// All seats of the side.
    pub all: Vec<SeatId>,
}

/// Sorts a side into those who give and those who avoid battle; who is forced gives it [003 When Battle Occurs].
pub(super) fn sort_out<'o>(
    state: &State,
    ground: Ground<'o>,
    side: &[SeatId],
    enemies: &[SeatId],
    here: &impl Fn(&SeatId) -> Vec<UnitId>,
) -> Sorted<'o> {
    let mut sorted = Sorted { giving: Vec::new(), avoiding: Vec::new(), present: false, all: side.to_vec() };
    for seat in side {
        let units = here(seat);
        if !units.iter().any(|id| state.units.get(id).is_some_and(Unit::is_brigade)) {
            continue;
        }
        sorted.present = true;
        match avoids(state, ground.orders, seat, &units) {
            Some(source) if !enemies.iter().any(|enemy| sides::forces(state, ground.hex, enemy, seat)) => {
                sorted.avoiding.push((seat.clone(), source));
            }
            _ => sorted.giving.push(seat.clone()),
        }
    }
    sorted
}

/// Whether a condition holds for its writer at the moment of battle, when it shows who is about to avoid it [R-003-89].
pub(in crate::rules::season) fn met(
    state: &State,
    orders: &Orders<Order>,
    seat: &SeatId,
    condition: &Condition,
) -> bool {
    let about_to_avoid = |hex| enemy_avoids(state, orders, seat, hex);
    matches!(condition, Condition::EnemyAvoids(hex) if about_to_avoid(*hex)) || holds(state, seat, condition)
}

/// Whether an enemy in the hex avoids battle there. His own conditions are left aside: two that hang on each other would
/// never be settled.
fn enemy_avoids(state: &State, orders: &Orders<Order>, seat: &SeatId, hex: HexId) -> bool {
    state.wars.iter().any(|(a, b)| {
        let enemy = if a == seat { b } else { a };
        let units: Vec<UnitId> = state.own_brigades(hex, enemy).map(|unit| unit.id).collect();
        (a == seat || b == seat) && avoids_if(state, orders, enemy, &units, |_| false).is_some()
    })
}

/// A retreat order as it applies to one unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct RetreatRule<'o> {
    /// When.
    pub when: RetreatWhen,
    /// Whereto, if the player says.
    pub to: Option<HexId>,
    /// Where it stands.
    pub source: Said<'o>,
}

/// The retreat orders for a unit; none = no retreat [003 Retreats].
pub(super) fn retreats<'o>(state: &State, orders: &'o Orders<Order>, unit: &Unit) -> Vec<RetreatRule<'o>> {
    let all = said(orders, &unit.seat).filter_map(|(order, source)| match order {
        Order::Retreat(retreat) => Some((&retreat.who, RetreatRule { when: retreat.when, to: retreat.to, source })),
        _ => None,
    });
    closest(state, unit, all)
}

/// Whether a leader is himself ordered to hold to the last [R-003-38].
pub(super) fn stays(state: &State, orders: &Orders<Order>, leader: &Unit) -> bool {
    said(orders, &leader.seat).any(|(order, _)| match order {
        Order::Retreat(retreat) => retreat.when == RetreatWhen::Never && covers(state, &retreat.who, leader) == Some(3),
        _ => false,
    })
}

/// What a seat ordered about a city, the last word counting; with the order's place [003 Sieges].
pub(in crate::rules::season) fn siege_order<'o>(
    orders: &'o Orders<Order>,
    seat: &SeatId,
    city: HexId,
) -> Option<(SiegeAction, Said<'o>)> {
    let about = said(orders, seat).filter_map(|(order, source)| match order {
        Order::Siege { city: named, action } if *named == city => Some((*action, source)),
        _ => None,
    });
    about.last()
}

/// The place of a unit in its owner's list of who takes hits first; units not listed come after all that are [R-003-22].
pub(super) fn hits_rank(orders: &Orders<Order>, unit: &Unit) -> usize {
    let listed = said(orders, &unit.seat).filter_map(|(order, _)| match order {
        Order::HitsFirst(list) => list.iter().position(|id| *id == unit.id),
        _ => None,
    });
    listed.last().unwrap_or(usize::MAX)
}
