//! Who stands with whom in a hex, and which side attacks [R-003-28, R-003-29].

use super::super::state::{PlayedEvent, State, Unit};
use crate::engine::{HexId, SeatId, UnitId};

/// Whether two seats fight in this hex: they are at war and no mediation keeps them apart.
pub(super) fn hostile(state: &State, hex: HexId, a: &SeatId, b: &SeatId) -> bool {
    state.at_war(a, b) && !mediated(state, hex, a, b)
}

/// Imperial Mediation: two players named fight no battle with each other, save where one of them was in the hex of an
/// occupied city before the turn began (the card's text).
fn mediated(state: &State, hex: HexId, a: &SeatId, b: &SeatId) -> bool {
    let named = state
        .now
        .events
        .iter()
        .any(|event| event.card == "imperial_mediation" && event.seats.contains(a) && event.seats.contains(b));
    let was_there = |unit: &Unit| (unit.seat == *a || unit.seat == *b) && !state.now.entries.contains_key(&unit.id);
    named && !(state.campaign.board.city(hex).is_some() && state.brigades_in(hex).any(was_there))
}

/// The seats with brigades in a hex that count, by their first entry.
pub(super) fn seats_by_entry(state: &State, hex: HexId, counts: impl Fn(&State, &Unit) -> bool) -> Vec<SeatId> {
    let mut first: Vec<(u32, UnitId, &SeatId)> = Vec::new();
    for unit in state.brigades_in(hex).filter(|unit| counts(state, unit)) {
        match first.iter_mut().find(|(_, _, seat)| *seat == &unit.seat) {
            Some(known) => known.0 = known.0.min(unit.entered),
            None => first.push((unit.entered, unit.id, &unit.seat)),
        }
    }
    first.sort_unstable();
    first.into_iter().map(|(_, _, seat)| seat.clone()).collect()
}

/// Sides: players at war with the same enemy there, and not with each other, stand together [R-003-28].
pub(super) fn form(state: &State, hex: HexId, seats: &[SeatId]) -> Vec<Vec<SeatId>> {
    let enemies = |seat: &SeatId| seats.iter().filter(|other| hostile(state, hex, seat, other)).collect::<Vec<_>>();
    let mut sides: Vec<Vec<SeatId>> = Vec::new();
    for seat in seats {
        let own = enemies(seat);
        if own.is_empty() {
            continue;
        }
        let joins = |side: &&mut Vec<SeatId>| {
            side.iter()
                .all(|member| !state.at_war(member, seat) && own.iter().any(|enemy| hostile(state, hex, member, enemy)))
        };
        match sides.iter_mut().find(joins) {
            Some(side) => side.push(seat.clone()),
            None => sides.push(vec![seat.clone()]),
        }
    }
    sides
}

/// The pairs of sides that fight, in the order in which each pair became complete [R-003-28].
pub(super) fn hostile_pairs(state: &State, hex: HexId, sides: &[Vec<SeatId>]) -> Vec<(Vec<SeatId>, Vec<SeatId>)> {
    let at_odds =
        |one: &[SeatId], other: &[SeatId]| one.iter().any(|a| other.iter().any(|b| hostile(state, hex, a, b)));
    let mut pairs = Vec::new();
    for (place, later) in sides.iter().enumerate() {
        for earlier in sides.iter().take(place).filter(|earlier| at_odds(earlier, later)) {
            pairs.push((earlier.clone(), later.clone()));
        }
    }
    pairs
}

/// Whether `by` played Force Battle on this hex against `on` [003 When Battle Occurs].
pub(super) fn forces(state: &State, hex: HexId, by: &SeatId, on: &SeatId) -> bool {
    let played = |event: &PlayedEvent| event.seat == *by && event.card == "force_battle" && event.hexes.contains(&hex);
    state.at_war(by, on) && state.now.events.iter().any(played)
}

/// Which of two sides forced the battle: `Some(true)` = the first.
pub(super) fn forcer(state: &State, hex: HexId, one: &[SeatId], other: &[SeatId]) -> Option<bool> {
    let forced = |by: &[SeatId], on: &[SeatId]| by.iter().any(|a| on.iter().any(|b| forces(state, hex, a, b)));
    match (forced(one, other), forced(other, one)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// Whether the first of two sides attacks: the one whose brigades entered last; if that cannot be told, who forced the
/// battle, else the lower Action card [R-003-29].
pub(super) fn attacks(
    state: &State,
    one: (&[SeatId], &[UnitId]),
    other: (&[SeatId], &[UnitId]),
    forced: Option<bool>,
) -> bool {
    let entered = |units: &[UnitId]| {
        let brigades = units.iter().filter_map(|id| state.units.get(id)).filter(|unit| unit.is_brigade());
        brigades.map(|unit| unit.entered).max().unwrap_or(0)
    };
    let rank = |seats: &[SeatId]| {
        let places = seats.iter().map(|seat| state.now.sequence.iter().position(|known| known == seat));
        places.map(|place| place.unwrap_or(usize::MAX)).min()
    };
    let (first, second) = (entered(one.1), entered(other.1));
    match first.cmp(&second) {
        std::cmp::Ordering::Greater => true,
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => forced.unwrap_or_else(|| rank(one.0) >= rank(other.0)),
    }
}
