//! City hexes: the garrison is inside, the enemy before the walls; they fight only by relief, sortie or storm [R-003-43].

use super::super::Season;
use super::super::campaign::rule;
use super::super::order::{Arrival, SiegeAction};
use super::super::siege;
use super::super::state::{State, Unit};
use super::intent::{self, Said};
use super::muster::{Lineup, Manner, fighting};
use super::{Ground, battle, by, no_battle, sides};
use crate::engine::{SeatId, UnitId, Working};

/// Whether a unit is in the city of its hex as one of those who hold it [R-003-43]. An enemy of the holder who slipped into
/// an empty city this turn holds nothing before the control step.
pub(in crate::rules::season) fn inside(state: &State, unit: &Unit) -> bool {
    unit.in_city && state.controller(unit.at).is_none_or(|holder| !state.at_war(holder, &unit.seat))
}

/// Whether a unit came into the hex of its own side's city this turn after an enemy stood before it: it comes to the relief
/// [R-003-44].
fn relieves(state: &State, ground: Ground<'_>, unit: &Unit) -> bool {
    let first =
        state.enemies_of(&unit.seat, ground.hex).filter(|enemy| !inside(state, enemy)).map(|enemy| enemy.entered);
    inside(state, unit)
        && ground.is_new(unit)
        && state.now.entries.contains_key(&unit.id)
        && first.min().is_some_and(|enemy| enemy < unit.entered)
}

/// Relief and sortie, both in the open [R-003-43, R-003-44]. The march into the hex is the order to relieve; a relief that
/// avoids battle has slipped into the city [R-003-P27].
pub(super) fn before_the_walls(w: &mut Working<'_, Season>, ground: Ground<'_>) {
    let state = w.state();
    let outside = sides::seats_by_entry(state, ground.hex, |state, unit| !inside(state, unit));
    let within = sides::seats_by_entry(state, ground.hex, inside);
    if outside.is_empty() || within.is_empty() {
        return;
    }
    let comes = |unit: &Unit| relieves(state, ground, unit);
    let relievers = sides::seats_by_entry(state, ground.hex, |_, unit| comes(unit));
    let gives = |seat: &SeatId| {
        let units = pick(state, ground, seat, comes);
        intent::avoids(state, ground.orders, seat, &units).is_none()
    };
    let relief: Vec<SeatId> = relievers.into_iter().filter(gives).collect();
    let wants = |seat: &SeatId, action| ordered(ground, seat, action);
    let sorties: Vec<SeatId> =
        within.iter().filter(|seat| wants(seat, SiegeAction::Sortie).is_some()).cloned().collect();
    if !relief.is_empty() {
        let joins = |seat: &&SeatId| sorties.contains(seat) || wants(seat, SiegeAction::JoinRelief).is_some();
        let units: Vec<UnitId> = relief.iter().flat_map(|seat| pick(state, ground, seat, comes)).collect();
        let behind = |unit: &Unit| inside(state, unit) && !units.contains(&unit.id);
        let garrison = within.iter().filter(joins).flat_map(|seat| pick(state, ground, seat, behind));
        let reserve = fighting(state, garrison);
        let mut seats = relief.clone();
        seats.extend(within.iter().filter(joins).filter(|seat| !relief.contains(seat)).cloned());
        sally(w, ground, Sally { seats, units, reserve, outside, manner: Manner::Open, said: None });
    } else if let Some(first) = sorties.first().filter(|_| ground.since.is_none()) {
        let said = wants(first, SiegeAction::Sortie).flatten().map(|source| (first.clone(), source));
        let all = |seat: &SeatId| pick(state, ground, seat, |unit| inside(state, unit));
        let units: Vec<UnitId> = sorties.iter().flat_map(all).collect();
        sally(w, ground, Sally { seats: sorties, units, reserve: Vec::new(), outside, manner: Manner::Sortie, said });
    }
}

/// A fight of those who come to or out of the city with those outside.
struct Sally<'o> {
    seats: Vec<SeatId>,
    units: Vec<UnitId>,
    reserve: Vec<UnitId>,
    outside: Vec<SeatId>,
    manner: Manner,
    said: Option<(SeatId, &'o crate::engine::Source)>,
}

/// The besiegers may avoid it like any battle in the open [003 When Battle Occurs]; it is fought without walls [R-003-43].
fn sally<'o>(w: &mut Working<'_, Season>, ground: Ground<'o>, sally: Sally<'o>) {
    let state = w.state();
    let met = |seat: &SeatId| sally.seats.iter().any(|own| sides::hostile(state, ground.hex, own, seat));
    let enemies: Vec<SeatId> = sally.outside.into_iter().filter(met).collect();
    let here = |seat: &SeatId| pick(state, ground, seat, |unit| !inside(state, unit));
    let sorted = intent::sort_out(state, ground, &enemies, &sally.seats, &here);
    if sorted.giving.is_empty() {
        if sorted.present {
            no_battle(w, ground.hex, sorted.avoiding);
        }
        return;
    }
    let ruling = if sally.manner == Manner::Sortie { "R-003-43" } else { "R-003-44" };
    let lineup = Lineup {
        defending: fighting(state, sorted.giving.iter().flat_map(here)),
        attacking: fighting(state, sally.units),
        attackers: sally.seats,
        defenders: sorted.giving,
        reserve: sally.reserve,
        manner: sally.manner,
        cites: by("003 When Battle Occurs", ruling).into(),
        said: sally.said,
    };
    battle(w, ground, lineup);
}

/// Storms: by order, or by an entry that named the city [003 When Battle Occurs, R-003-43, R-003-47]. The defender cannot
/// avoid it, and all brigades of the seat before the walls take part [R-003-P28].
pub(super) fn storm(w: &mut Working<'_, Season>, ground: Ground<'_>) {
    let state = w.state();
    let outside = sides::seats_by_entry(state, ground.hex, |state, unit| !inside(state, unit));
    let mut said = None;
    let mut attackers: Vec<SeatId> = Vec::new();
    for seat in outside {
        let Some(source) = storms(state, ground, &seat) else { continue };
        if attackers.iter().all(|other| !state.at_war(other, &seat)) {
            said = said.or_else(|| source.map(|source| (seat.clone(), source)));
            attackers.push(seat);
        }
    }
    let faced = |seat: &SeatId| attackers.iter().any(|own| sides::hostile(state, ground.hex, own, seat));
    let mut defenders = sides::seats_by_entry(state, ground.hex, inside);
    defenders.retain(faced);
    if defenders.is_empty() {
        return;
    }
    let own = |inside_wanted: bool| {
        move |seat: &SeatId| pick(state, ground, seat, move |unit| inside(state, unit) == inside_wanted)
    };
    let lineup = Lineup {
        attacking: fighting(state, attackers.iter().flat_map(own(false))),
        defending: fighting(state, defenders.iter().flat_map(own(true))),
        attackers,
        defenders,
        reserve: Vec::new(),
        manner: Manner::Storm,
        cites: vec![rule("003 When Battle Occurs"), rule("003 Fortified Cities"), rule("R-003-47")],
        said,
    };
    battle(w, ground, lineup);
}

/// Whether a seat storms the city of this hex: by its siege order, or because units of it came to enter [R-003-43, R-003-47].
fn storms<'o>(state: &State, ground: Ground<'o>, seat: &SeatId) -> Option<Said<'o>> {
    let came_to_enter = |unit: &Unit| {
        let entry = state.now.entries.get(&unit.id).filter(|_| ground.is_new(unit));
        entry.is_some_and(|entry| entry.arrival == Arrival::Enter) && !inside(state, unit)
    };
    match intent::siege_order(ground.orders, seat, ground.hex) {
        Some((SiegeAction::Storm, source)) if ground.since.is_none() => Some(source),
        _ => state.own_brigades(ground.hex, seat).any(came_to_enter).then_some(None),
    }
}

/// The order of a seat about the city of this hex, if it is this one.
fn ordered<'o>(ground: Ground<'o>, seat: &SeatId, action: SiegeAction) -> Option<Said<'o>> {
    let order = intent::siege_order(ground.orders, seat, ground.hex);
    order.filter(|(said, _)| *said == action).map(|(_, source)| source)
}

/// A seat's units in the hex that answer to something.
fn pick(state: &State, ground: Ground<'_>, seat: &SeatId, wanted: impl Fn(&Unit) -> bool) -> Vec<UnitId> {
    let units = state.in_hex(ground.hex).filter(|unit| unit.seat == *seat && wanted(unit));
    units.map(|unit| unit.id).collect()
}

/// What the walls of a hex divide the attackers' hits by, 1 = nothing [003 Fortified Cities, 003 Sieges].
pub(super) fn divisor(state: &State, ground: Ground<'_>) -> u32 {
    siege::divisor(state, ground.hex)
}
