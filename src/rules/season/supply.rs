//! Supply once a turn after all fighting [003 Supply, R-003-57]; in Winter shelter instead [003 Winter, R-003-52].

use super::Season;
use super::board::{Fort, RiverId};
use super::campaign::{Kind, Season as Quarter, rule};
use super::diplomacy::plain;
use super::event::{Event, Loss};
use super::order::Order;
use super::play::hurt;
use super::state::{State, Unit};
use crate::engine::{Cause, Cite, Dice, Flow, HexId, Orders, SeatId, UnitId, Working};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The supply step.
pub(super) fn run(working: &mut Working<'_, Season>, orders: &Orders<Order>, _: &Dice) -> Flow {
    if working.state().season == Quarter::Winter {
        shelter(working, orders);
    } else {
        lines_trains_and_land(working, orders);
    }
    Flow::Done
}

fn lose(working: &mut Working<'_, Season>, unit: UnitId, steps: u8, cause: Loss, cites: &[Cite]) {
    let Some(hex) = working.state().units.get(&unit).map(|u| u.at) else { return };
    let known = working.emit(Cause::new(format!("unsupplied u{unit}"), cites), Event::OutOfSupply { unit, hex });
    hurt(working, unit, steps, cause, Cause::new(format!("supply u{unit}"), cites).because(known));
}

/// Who of a seat is served first: its FeedFirst orders, then the strongest, then the lowest number [R-003-53, R-003-55].
fn served_first(orders: &Orders<Order>, units: &mut [&Unit]) {
    let rank = |unit: &Unit| {
        let lists = orders.get(&unit.seat).into_iter().flatten().filter_map(|held| match plain(&held.order) {
            Order::FeedFirst(list) => Some(list),
            _ => None,
        });
        lists.flatten().position(|id| *id == unit.id).unwrap_or(usize::MAX)
    };
    units.sort_by_key(|unit| (rank(unit), Reverse(unit.strength), unit.id));
}

/// Outside Winter a brigade needs a line, a baggage train or land that feeds it, else it loses strength
/// [003 Check Supply, Units Not in Supply].
fn lines_trains_and_land(working: &mut Working<'_, Season>, orders: &Orders<Order>) {
    besieged(working, orders);
    let state = working.state();
    let lines: BTreeMap<SeatId, Lines> = state.living().map(|seat| (seat.clone(), Lines::of(state, seat))).collect();
    let mut hungry: BTreeMap<HexId, Vec<UnitId>> = BTreeMap::new();
    for unit in state.units.values().filter(|unit| unit.is_brigade() && !is_besieged(state, unit)) {
        if !lines.get(&unit.seat).is_some_and(|lines| lines.reach(state, unit)) {
            hungry.entry(unit.at).or_default().push(unit.id);
        }
    }
    for (hex, units) in hungry {
        let units = trains(working, hex, units);
        live_off_the_land(working, orders, hex, &units);
    }
}

fn is_besieged(state: &State, unit: &Unit) -> bool {
    unit.in_city && state.sieges.contains_key(&unit.at)
}

fn besieged(working: &mut Working<'_, Season>, orders: &Orders<Order>) {
    let loss = working.state().campaign.figures.supply_loss;
    for unit in starving(working.state(), orders) {
        lose(working, unit, loss, Loss::Supply, &[rule("003 Units Not in Supply"), rule("R-003-46")]);
    }
}

/// A garrison up to the city's value is fed for the free siege turns, then loses each turn; what is above the value loses from the
/// first counted turn [R-003-46].
fn starving(state: &State, orders: &Orders<Order>) -> Vec<UnitId> {
    let mut found = Vec::new();
    for (hex, siege) in state.sieges.iter().filter(|(_, siege)| siege.full_turns >= 1) {
        let free = siege.full_turns <= state.campaign.figures.siege_free_turns;
        let places = state.campaign.board.city(*hex).map_or(0, |city| usize::try_from(city.shelter()).unwrap_or(0));
        let mut inside: Vec<&Unit> = state.garrison(*hex).collect();
        served_first(orders, &mut inside);
        found.extend(inside.iter().skip(if free { places } else { 0 }).map(|unit| unit.id));
    }
    found
}

/// A baggage train keeps its side's brigades in its hex for one turn and is spent [R-003-56].
fn trains(working: &mut Working<'_, Season>, hex: HexId, units: Vec<UnitId>) -> Vec<UnitId> {
    let state = working.state();
    let feeds = if state.depleted.contains(&hex) { 0 } else { state.campaign.figures.land_feeds };
    if units.len() <= feeds {
        return units;
    }
    let trains: Vec<(UnitId, SeatId)> =
        state.in_hex(hex).filter(|u| u.kind == Kind::BaggageTrain).map(|u| (u.id, u.seat.clone())).collect();
    let mut left = units;
    for (train, seat) in trains {
        let of_seat = |id: &UnitId, state: &State| state.units.get(id).is_some_and(|u| u.seat == seat);
        if left.iter().any(|id| of_seat(id, working.state())) {
            let cause = Cause::new(format!("train u{train}"), &[rule("003 Check Supply"), rule("R-003-56")]);
            working.emit(cause, Event::TrainSpent { unit: train, hex });
            left.retain(|id| !of_seat(id, working.state()));
        }
    }
    left
}

/// A hex that is not eaten bare feeds so many brigades, hostile forces by order of arrival; if more had to live there it is bare
/// until the end of the next Winter [003 Check Supply, R-003-55].
fn live_off_the_land(working: &mut Working<'_, Season>, orders: &Orders<Order>, hex: HexId, hungry: &[UnitId]) {
    let state = working.state();
    let mut forces: BTreeMap<(u32, &SeatId), Vec<&Unit>> = BTreeMap::new();
    let first_in = |seat: &SeatId| state.own_brigades(hex, seat).map(|unit| unit.entered).min().unwrap_or(0);
    for unit in hungry.iter().filter_map(|id| state.units.get(id)) {
        forces.entry((first_in(&unit.seat), &unit.seat)).or_default().push(unit);
    }
    let bare = state.depleted.contains(&hex);
    let feeds = state.campaign.figures.land_feeds;
    let in_turn: Vec<UnitId> = forces
        .into_values()
        .flat_map(|mut units| {
            served_first(orders, &mut units);
            units.into_iter().map(|unit| unit.id).collect::<Vec<_>>()
        })
        .collect();
    let loss = state.campaign.figures.supply_loss;
    for unit in in_turn.iter().skip(if bare { 0 } else { feeds }) {
        lose(working, *unit, loss, Loss::Supply, &[rule("003 Units Not in Supply"), rule("R-003-55")]);
    }
    if in_turn.len() > feeds && !bare {
        let cause = Cause::new(format!("depleted {hex}"), &[rule("R-003-55")]);
        working.emit(cause, Event::Depleted { hex });
    }
}

/// The hexes from which a seat's lines of supply start to reach [003 Tracing Supply, R-003-54].
struct Lines {
    seat: SeatId,
    reached: BTreeSet<HexId>,
}

impl Lines {
    fn of(state: &State, seat: &SeatId) -> Self {
        let mut lines = Lines { seat: seat.clone(), reached: BTreeSet::new() };
        let mut open: Vec<HexId> = state
            .campaign
            .board
            .hexes
            .iter()
            .filter(|(hex, data)| data.city.is_some() && lines.is_source(state, **hex))
            .map(|(hex, _)| *hex)
            .collect();
        lines.reached.extend(open.iter().copied());
        while let Some(here) = open.pop() {
            let next: Vec<HexId> = state
                .campaign
                .board
                .ways_from(here)
                .map(|(next, _)| next)
                .filter(|next| !lines.reached.contains(next) && lines.passes(state, here, *next))
                .collect();
            lines.reached.extend(next.iter().copied());
            open.extend(next);
        }
        lines
    }

    /// Lines start in cities that the seat or a friend who gives passage holds [R-003-54]; a neutral's feed nobody [R-003-P45].
    fn is_source(&self, state: &State, hex: HexId) -> bool {
        self.friendly(state, hex) && self.free(state, hex) && !state.campaign.board.is_neutral(hex)
    }

    fn friendly(&self, state: &State, hex: HexId) -> bool {
        state.controller(hex).is_some_and(|holder| state.may_pass(&self.seat, holder))
    }

    /// Controlled by the seat or by a friend who gives passage and free of enemy brigades, or a hex where the enemy refused the
    /// battle that the seat offered [R-003-24].
    fn held(&self, state: &State, hex: HexId) -> bool {
        (self.friendly(state, hex) && self.free(state, hex)) || self.offered_battle(state, hex)
    }

    fn free(&self, state: &State, hex: HexId) -> bool {
        state.enemies_of(&self.seat, hex).next().is_none() || self.offered_battle(state, hex)
    }

    /// The seat stands in the hex and all its enemies there avoided it.
    fn offered_battle(&self, state: &State, hex: HexId) -> bool {
        state.now.avoided.get(&hex).is_some_and(|avoided| {
            let met = state.enemies_of(&self.seat, hex).all(|enemy| avoided.contains(&enemy.seat));
            met && !avoided.contains(&self.seat) && state.own_brigades(hex, &self.seat).next().is_some()
        })
    }

    /// A river carries a line through enemy ground, but not past enemy brigades or an enemy-held fortified city.
    fn afloat(&self, state: &State, hex: HexId) -> bool {
        let fort = state.campaign.board.city(hex).is_some_and(|city| city.fort != Fort::None);
        let hostile = state.controller(hex).is_some_and(|holder| state.at_war(holder, &self.seat));
        self.free(state, hex) && !(fort && hostile)
    }

    fn passes(&self, state: &State, here: HexId, next: HexId) -> bool {
        if self.held(state, next) && self.held(state, here) {
            return true;
        }
        let rivers: Vec<RiverId> = state.campaign.board.rivers_at(here);
        let common = state.campaign.board.rivers_at(next).into_iter().any(|river| rivers.contains(&river));
        common && self.afloat(state, here) && self.afloat(state, next)
    }

    /// The unit's own hex never breaks the line; who stands in a friendly city is at the source.
    fn reach(&self, state: &State, unit: &Unit) -> bool {
        let holder = state.controller(unit.at);
        let at_home = unit.in_city && holder.is_some_and(|holder| state.may_pass(&self.seat, holder));
        if at_home || self.reached.contains(&unit.at) {
            return true;
        }
        let board = &state.campaign.board;
        let rivers = board.rivers_at(unit.at);
        board.ways_from(unit.at).any(|(next, _)| {
            let river = board.rivers_at(next).into_iter().any(|river| rivers.contains(&river));
            self.reached.contains(&next) && (self.held(state, next) || (river && self.afloat(state, next)))
        })
    }
}

/// In Winter each brigade outside a friendly city or in excess of its value loses strength, and a garrison that a siege starves
/// does too; nobody loses twice. Friends share a city one brigade each in turn, highest card first
/// [003 Winter, R-003-46, R-003-52, R-003-53, R-003-99].
fn shelter(working: &mut Working<'_, Season>, orders: &Orders<Order>) {
    let state = working.state();
    let mut out: BTreeSet<UnitId> = state.units.values().filter(|unit| unit.is_brigade()).map(|unit| unit.id).collect();
    let cities: Vec<HexId> =
        state.campaign.board.hexes.iter().filter(|(_, hex)| hex.city.is_some()).map(|(hex, _)| *hex).collect();
    for hex in cities {
        for unit in sheltered(state, orders, hex) {
            out.remove(&unit);
        }
    }
    out.extend(starving(state, orders));
    let loss = state.campaign.figures.winter_loss;
    for unit in out {
        lose(working, unit, loss, Loss::Winter, &[rule("003 Winter"), rule("R-003-52")]);
    }
}

fn sheltered(state: &State, orders: &Orders<Order>, hex: HexId) -> Vec<UnitId> {
    let places = state.campaign.board.city(hex).map_or(0, |city| usize::try_from(city.shelter()).unwrap_or(0));
    // A neutral's city shelters nobody [R-003-P45], whoever is said to hold it.
    let holder = state.controller(hex).filter(|_| !state.campaign.board.is_neutral(hex));
    let mut queues: Vec<Vec<UnitId>> = state
        .now
        .sequence
        .iter()
        .filter(|seat| holder.is_some_and(|holder| state.may_pass(seat, holder)))
        .map(|seat| {
            let mut units: Vec<&Unit> = state.own_brigades(hex, seat).filter(|unit| unit.in_city).collect();
            served_first(orders, &mut units);
            units.into_iter().rev().map(|unit| unit.id).collect()
        })
        .collect();
    let mut inside = Vec::new();
    while inside.len() < places && queues.iter().any(|queue| !queue.is_empty()) {
        for queue in &mut queues {
            if inside.len() < places
                && let Some(unit) = queue.pop()
            {
                inside.push(unit);
            }
        }
    }
    inside
}
