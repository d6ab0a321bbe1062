//! Supply once a turn after all fighting [003 Supply, R-003-57]; in Winter shelter instead [003 Winter, R-003-52].

use super::Season;
use super::board::Fort;
use super::campaign::{Kind, Season as Quarter, rule};
use super::diplomacy::plain;
use super::event::{Event, Loss};
use super::net::Net;
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
    let situation = Situation::of(state);
    let lines: BTreeMap<SeatId, Lines> =
        state.living().map(|seat| (seat.clone(), Lines::of(state, &situation, seat))).collect();
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

/// Who holds each hex and where brigades stand, by the numbers of the board's net and of the seats.
struct Situation<'a> {
    net: &'a Net,
    seats: Vec<&'a SeatId>,
    holders: Vec<Option<usize>>,
    brigades: BTreeSet<(usize, usize)>,
}

impl<'a> Situation<'a> {
    fn of(state: &'a State) -> Self {
        let net = state.campaign.board.net();
        let seats: Vec<&SeatId> = state.seats.keys().collect();
        let number = |seat: &SeatId| seats.iter().position(|known| *known == seat);
        let holders = net.hexes.iter().map(|hex| number(state.controller(*hex)?)).collect();
        let brigades = state.units.values().filter(|unit| unit.is_brigade());
        let brigades = brigades.filter_map(|unit| Some((net.number(unit.at)?, number(&unit.seat)?))).collect();
        Situation { net, seats, holders, brigades }
    }
}

/// How far a seat's lines of supply reach, and over what, by the net's numbers [003 Tracing Supply, R-003-54].
struct Lines<'a> {
    seat: SeatId,
    net: &'a Net,
    /// Where the lines come.
    reached: Vec<bool>,
    /// Controlled by the seat or by a friend who gives passage and free of enemy brigades, or a hex where the enemy refused the
    /// battle that the seat offered [R-003-24].
    held: Vec<bool>,
    /// Where a river carries a line, through enemy ground too, but not past enemy brigades or an enemy-held fortified city.
    afloat: Vec<bool>,
}

impl<'a> Lines<'a> {
    fn of(state: &State, at: &Situation<'a>, seat: &SeatId) -> Self {
        let net = at.net;
        let friends: Vec<bool> = at.seats.iter().map(|holder| state.may_pass(seat, holder)).collect();
        let enemies: Vec<bool> = at.seats.iter().map(|holder| state.at_war(holder, seat)).collect();
        let is = |what: &[bool], holder: Option<usize>| holder.is_some_and(|no| what.get(no) == Some(&true));
        let mut taken = vec![false; net.hexes.len()];
        for (hex, _) in at.brigades.iter().filter(|(_, owner)| is(&enemies, Some(*owner))) {
            if let Some(taken) = taken.get_mut(*hex) {
                *taken = true;
            }
        }
        let mut lines = Lines { seat: seat.clone(), net, reached: Vec::new(), held: Vec::new(), afloat: Vec::new() };
        let mut open = Vec::new();
        for (no, (hex, holder)) in net.hexes.iter().zip(&at.holders).enumerate() {
            let offered = offered_battle(state, seat, *hex);
            let free = taken.get(no) == Some(&false) || offered;
            let friendly = is(&friends, *holder);
            let city = state.campaign.board.city(*hex);
            let fort = city.is_some_and(|city| city.fort != Fort::None);
            // Lines start in cities that the seat or a friend holds; a neutral's feed nobody [R-003-P45].
            let source = city.is_some() && friendly && free && !state.campaign.board.is_neutral(*hex);
            lines.held.push((friendly && free) || offered);
            lines.afloat.push(free && !(fort && is(&enemies, *holder)));
            lines.reached.push(source);
            if source {
                open.push(no);
            }
        }
        while let Some(here) = open.pop() {
            for (next, river) in net.ways.get(here).into_iter().flatten() {
                let passes = (lines.is_held(here) && lines.is_held(*next))
                    || (*river && lines.is_afloat(here) && lines.is_afloat(*next));
                if let Some(reached) = lines.reached.get_mut(*next).filter(|reached| passes && !**reached) {
                    *reached = true;
                    open.push(*next);
                }
            }
        }
        lines
    }

    fn is_held(&self, hex: usize) -> bool {
        self.held.get(hex) == Some(&true)
    }

    fn is_afloat(&self, hex: usize) -> bool {
        self.afloat.get(hex) == Some(&true)
    }

    fn is_reached(&self, hex: usize) -> bool {
        self.reached.get(hex) == Some(&true)
    }

    /// The unit's own hex never breaks the line; who stands in a friendly city is at the source.
    fn reach(&self, state: &State, unit: &Unit) -> bool {
        let holder = state.controller(unit.at);
        let at_home = unit.in_city && holder.is_some_and(|holder| state.may_pass(&self.seat, holder));
        let Some(here) = self.net.number(unit.at) else { return at_home };
        at_home
            || self.is_reached(here)
            || self.net.ways.get(here).into_iter().flatten().any(|(next, river)| {
                self.is_reached(*next) && (self.is_held(*next) || (*river && self.is_afloat(*next)))
            })
    }
}

/// The seat stands in the hex and all its enemies there avoided it [R-003-24].
fn offered_battle(state: &State, seat: &SeatId, hex: HexId) -> bool {
    state.now.avoided.get(&hex).is_some_and(|avoided| {
        let met = state.enemies_of(seat, hex).all(|enemy| avoided.contains(&enemy.seat));
        met && !avoided.contains(seat) && state.own_brigades(hex, seat).next().is_some()
    })
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
