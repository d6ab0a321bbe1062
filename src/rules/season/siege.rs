//! Sieges [003 Sieges]: who is in a city and who before it, laying, counting and raising.

use super::Season;
use super::battle::intent::{Said, siege_order};
use super::board::Fort;
use super::campaign::rule;
use super::event::{Event, VoidReason};
use super::order::{Arrival, Order, SiegeAction};
use super::state::{Siege, State, Unit};
use crate::engine::{Cause, Dice, EventId, Flow, HexId, Orders, SeatId, UnitId, Working};
use std::collections::BTreeSet;

/// The sieges step: empty cities are entered, then each siege is laid, counted or raised [003 Sieges].
pub(super) fn run(w: &mut Working<'_, Season>, orders: &Orders<Order>, _: &Dice) -> Flow {
    enter_empty_cities(w);
    for city in cities_in_question(w.state()) {
        settle(w, orders, city);
    }
    no_walls(w, orders);
    Flow::Done
}

/// What attackers' hits on a city's garrison are divided by now: a square is unfortified after one full turn of siege, a
/// hexagon falls to a square after one and is unfortified after two [003 Fortified Cities, 003 Sieges].
pub(super) fn divisor(state: &State, city: HexId) -> u32 {
    let figures = &state.campaign.figures;
    let turns = state.sieges.get(&city).map_or(0, |siege| siege.full_turns);
    match (state.campaign.board.city(city).map_or(Fort::None, |city| city.fort), turns) {
        (Fort::Hexagon, 0) => figures.hexagon_divisor,
        (Fort::Hexagon, 1) | (Fort::Square, 0) => figures.square_divisor,
        _ => 1,
    }
}

/// A brigade that ends in the hex of a city in which no enemy is, is in the city [R-003-97].
fn enter_empty_cities(w: &mut Working<'_, Season>) {
    let state = w.state();
    let mut entering: Vec<(HexId, Vec<UnitId>)> = Vec::new();
    for city in outside_of_cities(state) {
        if !state.contested(city) {
            let units = state.in_hex(city).filter(|unit| !unit.in_city).map(|unit| unit.id);
            entering.push((city, units.collect()));
        }
    }
    for (city, units) in entering {
        let cause = Cause::new(format!("in city @{city}"), &[rule("003 Sieges"), rule("R-003-97")]);
        w.emit(cause, Event::InCity { city, units });
    }
}

/// The city hexes with brigades outside the city.
fn outside_of_cities(state: &State) -> BTreeSet<HexId> {
    let outside = state.units.values().filter(|unit| unit.is_brigade() && !unit.in_city);
    outside.map(|unit| unit.at).filter(|hex| state.campaign.board.city(*hex).is_some()).collect()
}

/// The fortified cities that are besieged or may be from now on.
fn cities_in_question(state: &State) -> BTreeSet<HexId> {
    let fortified = |hex: &HexId| state.campaign.board.city(*hex).is_some_and(|city| city.fort != Fort::None);
    outside_of_cities(state).into_iter().filter(fortified).chain(state.sieges.keys().copied()).collect()
}

/// Whether a unit outside is kept from the garrison's throat by nobody: some brigade inside is its enemy.
fn faces_a_garrison(state: &State, unit: &Unit) -> bool {
    !unit.in_city && state.garrison(unit.at).any(|inside| state.at_war(&inside.seat, &unit.seat))
}

/// The seats that besiege a city at the end of this turn, who was first in it first: an order to, an arrival for it, a storm
/// that failed [R-003-96], or the siege of the turns before, which goes on until it is raised.
fn besiegers<'o>(state: &State, orders: &'o Orders<Order>, city: HexId) -> Vec<(SeatId, Said<'o>)> {
    let mut found: Vec<(u32, SeatId, Said<'o>)> = Vec::new();
    let outside = state.brigades_in(city).filter(|unit| faces_a_garrison(state, unit));
    for unit in outside {
        if let Some(known) = found.iter_mut().find(|(_, seat, _)| *seat == unit.seat) {
            known.0 = known.0.min(unit.entered);
            continue;
        }
        if let Some(said) = besieges(state, orders, &unit.seat, city) {
            found.push((unit.entered, unit.seat.clone(), said));
        }
    }
    found.sort_by_key(|(entered, ..)| *entered);
    found.into_iter().map(|(_, seat, said)| (seat, said)).collect()
}

fn besieges<'o>(state: &State, orders: &'o Orders<Order>, seat: &SeatId, city: HexId) -> Option<Said<'o>> {
    if truce_with_garrison(state, seat, city) {
        return None;
    }
    match siege_order(state, orders, seat, city) {
        Some((SiegeAction::Besiege | SiegeAction::Storm, said)) => return Some(said),
        Some((SiegeAction::Raise, _)) => return None,
        _ => {}
    }
    let came_for_it = |unit: &Unit| {
        let entry = state.now.entries.get(&unit.id).filter(|_| !state.now.retreated.contains(&unit.id));
        entry.is_some_and(|entry| matches!(entry.arrival, Arrival::Besiege | Arrival::Enter))
    };
    let goes_on = state.sieges.get(&city).is_some_and(|siege| {
        siege.by == *seat || !state.at_war(&siege.by, seat)
    });
    let here_before = |unit: &Unit| goes_on && !state.now.entries.contains_key(&unit.id);
    state.own_brigades(city, seat).any(|unit| came_for_it(unit) || here_before(unit)).then_some(None)
}

/// A Truce lets neither begin nor keep up a siege against the other (the card's text).
fn truce_with_garrison(state: &State, seat: &SeatId, city: HexId) -> bool {
    state.now.events.iter().filter(|(_, card, ..)| card == "truce").any(|(by, _, _, _, with)| {
        let other = |a: &SeatId| (a == by && with.contains(seat)) || (by == seat && with.contains(a));
        state.garrison(city).any(|unit| other(&unit.seat))
    })
}

/// Lays, counts or raises the siege of one city. The turn of arrival does not count; a later one does if a besieger is there
/// at its end [R-003-42]; without any besieger the fortification is whole again at once [R-003-45].
fn settle(w: &mut Working<'_, Season>, orders: &Orders<Order>, city: HexId) {
    let state = w.state();
    let besiegers = besiegers(state, orders, city);
    let siege = state.sieges.get(&city).cloned();
    match (siege, besiegers.first()) {
        (None, None) => {}
        (None, Some((by, said))) => {
            let by = by.clone();
            lay(w, city, &by, *said);
        }
        (Some(siege), None) => raise(w, orders, city, &siege),
        (Some(siege), Some((first, said))) => {
            let counts = siege.since < state.turn;
            let full_turns = siege.full_turns + u32::from(counts);
            let goes_on = besiegers.iter().any(|(seat, _)| *seat == siege.by);
            if !goes_on {
                let first = first.clone();
                lay(w, city, &first, *said);
            }
            if counts || (!goes_on && full_turns > 0) {
                count(w, city, full_turns);
            }
        }
    }
}

fn lay(w: &mut Working<'_, Season>, city: HexId, by: &SeatId, said: Said<'_>) {
    let cause = Cause::new(format!("siege laid @{city}"), &[rule("003 Sieges"), rule("R-003-42")])
        .ordered_by(said.map(|source| (by, source)));
    let cause = came_by(w, city, by).into_iter().fold(cause, Cause::because);
    w.emit(cause, Event::SiegeLaid { city, by: by.clone() });
}

fn count(w: &mut Working<'_, Season>, city: HexId, full_turns: u32) {
    let cites = [rule("003 Sieges"), rule("R-003-42"), rule("R-003-96")];
    w.emit(Cause::new(format!("siege counted @{city}"), &cites), Event::SiegeCounted { city, full_turns });
}

fn raise(w: &mut Working<'_, Season>, orders: &Orders<Order>, city: HexId, siege: &Siege) {
    let ordered = match siege_order(w.state(), orders, &siege.by, city) {
        Some((SiegeAction::Raise, said)) => said,
        _ => None,
    };
    let cause = Cause::new(format!("siege raised @{city}"), &[rule("003 Sieges"), rule("R-003-45")])
        .ordered_by(ordered.map(|source| (&siege.by, source)));
    let fought = last_battle(w, city);
    let cause = fought.into_iter().fold(cause, Cause::because);
    w.emit(cause, Event::SiegeRaised { city });
}

fn came_by(w: &Working<'_, Season>, city: HexId, seat: &SeatId) -> Vec<EventId> {
    let moves = w.events().iter().filter(|recorded| match &recorded.event {
        Event::Moved { seat: by, path, .. } => by == seat && path.last() == Some(&city),
        _ => false,
    });
    moves.map(|recorded| recorded.id.clone()).collect()
}

fn last_battle(w: &Working<'_, Season>, city: HexId) -> Option<EventId> {
    let mut events = w.events().iter().rev();
    let ended = events.find(|recorded| matches!(&recorded.event, Event::BattleEnded { hex, .. } if *hex == city))?;
    Some(ended.id.clone())
}

/// Only fortified cities are besieged [003 Sieges]: an order to besiege another comes to nothing.
fn no_walls(w: &mut Working<'_, Season>, orders: &Orders<Order>) {
    for (seat, sheet) in orders {
        for held in sheet.iter().filter(|held| held.out_of_force.is_none()) {
            let Order::Siege { city, action: SiegeAction::Besiege } = &held.order else { continue };
            if w.state().campaign.board.city(*city).is_some_and(|known| known.fort != Fort::None) {
                continue;
            }
            let why = VoidReason::Rule("there are no walls there to besiege".to_owned());
            let cause = Cause::new(format!("void siege {seat} @{city}"), &[rule("003 Sieges")]).ordered(seat, &held.source);
            w.emit(cause, Event::Void { seat: seat.clone(), words: held.source.words.clone(), why });
        }
    }
}
