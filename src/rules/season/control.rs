//! Who holds what [003 Capturing territory, Capture of a Capital].

use super::Season;
use super::campaign::rule;
use super::diplomacy::plain;
use super::event::{Event, Loss};
use super::order::{Diplomacy, Order};
use super::state::{State, Unit};
use crate::engine::{Cause, Dice, Flow, HexId, Orders, SeatId, UnitId, Working};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Leaders left alone among enemies are taken, hexes change hands, treasuries of fallen capitals too.
pub(super) fn run(working: &mut Working<'_, Season>, orders: &Orders<Order>, _: &Dice) -> Flow {
    capture_leaders(working);
    let hexes: BTreeSet<HexId> = working.state().units.values().filter(|u| u.is_brigade()).map(|u| u.at).collect();
    for hex in hexes {
        if let Some(captor) = captor(working.state(), hex) {
            let from = working.state().controller(hex).cloned();
            let cause = Cause::new(format!("control {hex}"), &[rule("003 Capturing territory"), rule("R-003-49")]);
            working.emit(cause, Event::Control { hex, from: from.clone(), to: Some(captor.clone()) });
            if let Some(loser) = from {
                take_treasury(working, &loser, &captor, hex);
            }
        }
    }
    cede(working, orders);
    Flow::Done
}

/// A leader without brigades beside him in a hex where enemy brigades end is captured: out for the year, a sovereign for good.
/// Only a sovereign killed in battle defeats his player [003 Leader Casualties, R-003-77].
fn capture_leaders(working: &mut Working<'_, Season>) {
    let state = working.state();
    let alone = |leader: &&Unit| {
        let friends = state.brigades_in(leader.at).any(|u| !state.at_war(&u.seat, &leader.seat));
        leader.is_leader() && !friends && state.enemies_of(&leader.seat, leader.at).next().is_some()
    };
    let taken: Vec<(UnitId, HexId, SeatId)> = state
        .units
        .values()
        .filter(alone)
        .filter_map(|leader| {
            let by = strongest_seat(state, leader.at, |u| state.at_war(&u.seat, &leader.seat))?;
            Some((leader.id, leader.at, by))
        })
        .collect();
    for (unit, hex, by) in taken {
        let cause = Cause::new(format!("captured u{unit}"), &[rule("R-003-77")]);
        working.emit(cause, Event::Gone { unit, how: Loss::Captured, by: Some(by), hex });
    }
}

/// The seat with most strength among brigades of a hex that `counts`; of equals, the one that entered first [R-003-49].
fn strongest_seat(state: &State, hex: HexId, counts: impl Fn(&Unit) -> bool) -> Option<SeatId> {
    let mut forces: BTreeMap<&SeatId, (u32, u32)> = BTreeMap::new();
    for unit in state.brigades_in(hex).filter(|unit| counts(unit)) {
        let force = forces.entry(&unit.seat).or_insert((0, u32::MAX));
        force.0 += u32::from(unit.strength);
        force.1 = force.1.min(unit.entered);
    }
    forces
        .into_iter()
        .max_by_key(|(_, (strength, entered))| (*strength, Reverse(*entered)))
        .map(|(seat, _)| seat.clone())
}

/// A hex changes hands if at the end of the turn a brigade of an enemy of its owner is there and none of the owner or of his
/// side; ground that has become nobody's goes to whoever stands on it alone [003 Capturing territory, R-003-49]. The land of a
/// neutral whom nobody plays is never captured [R-003-P45].
fn captor(state: &State, hex: HexId) -> Option<SeatId> {
    if state.campaign.board.is_neutral(hex) {
        return None;
    }
    let owner = state.controller(hex);
    let hostile = |unit: &Unit| owner.is_none_or(|owner| state.at_war(&unit.seat, owner));
    let found = strongest_seat(state, hex, hostile)?;
    let defended = state.brigades_in(hex).any(|unit| !hostile(unit) && state.at_war(&unit.seat, &found));
    let own = state.brigades_in(hex).any(|unit| Some(&unit.seat) == owner);
    let disputed = owner.is_none() && state.contested(hex);
    (!defended && !own && !disputed && owner != Some(&found)).then_some(found)
}

/// The treasury passes whole when the last capital that is needed falls [003 Capture of a Capital, R-003-51].
fn take_treasury(working: &mut Working<'_, Season>, loser: &SeatId, captor: &SeatId, hex: HexId) {
    let state = working.state();
    let Some(seat) = state.campaign.seat(loser) else { return };
    let last = seat.capitals.contains(&hex) && capitals_lost(state, loser);
    let money = state.seats.get(loser).map_or(0, |s| s.bank);
    if last && money > 0 {
        let cause = Cause::new(format!("treasury {loser}"), &[rule("003 Capture of a Capital"), rule("R-003-51")]);
        working.emit(cause, Event::TreasuryTaken { from: loser.clone(), by: captor.clone(), money });
    }
}

/// Whether all of a seat's capitals are held by its enemies.
pub(super) fn capitals_lost(state: &State, seat: &SeatId) -> bool {
    let capitals = state.campaign.seat(seat).map_or(&[][..], |s| s.capitals.as_slice());
    let lost = |hex: &HexId| state.controller(*hex).is_some_and(|holder| state.at_war(holder, seat));
    !capitals.is_empty() && capitals.iter().all(lost)
}

/// A hex that its holder's letter hands over goes to a friend [R-003-49].
fn cede(working: &mut Working<'_, Season>, orders: &Orders<Order>) {
    for (seat, sheet) in orders {
        for held in sheet {
            let Order::Diplomacy(Diplomacy::Cede { hex, to }) = plain(&held.order) else { continue };
            let state = working.state();
            let free = state.enemies_of(seat, *hex).next().is_none() && !state.at_war(seat, to);
            if state.controller(*hex) == Some(seat) && seat != to && free {
                let cause = Cause::new(format!("control {hex}"), &[rule("R-003-49")]).ordered(seat, &held.source);
                working.emit(cause, Event::Control { hex: *hex, from: Some(seat.clone()), to: Some(to.clone()) });
            }
        }
    }
}
