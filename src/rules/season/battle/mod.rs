//! Battles [003 Battles]: which are fought and in what order. The chapters of a battle lie beside this file:
//! [`intent`] what was ordered, [`sides`] who stands with whom, [`city`] storm, sortie and relief, [`muster`] the line-up,
//! [`fight`] rounds and hits, [`retreat`], [`leaders`], [`regroup`], [`plays`] the cards of that moment.

mod city;
mod fight;
pub(super) mod intent;
mod leaders;
mod muster;
mod plays;
mod regroup;
mod retreat;
mod sides;
#[cfg(test)]
mod tests;

use super::Season;
use super::campaign::rule;
use super::event::Event;
use super::order::Order;
use super::play;
use super::state::{State, Unit};
use crate::engine::{Cause, Cite, Dice, EventId, Flow, HexId, Orders, SeatId, UnitId, Working};
use muster::Lineup;
use std::collections::BTreeMap;

pub(super) use city::inside;
pub(super) use plays::can_work;

/// Where a battle may be fought, and what it is decided by.
#[derive(Clone, Copy)]
pub(super) struct Ground<'o> {
    orders: &'o Orders<Order>,
    dice: &'o Dice,
    hex: HexId,
    /// Set for a battle that newcomers bring about when others have been fought: only who entered after this running number
    /// brings one about.
    since: Option<u32>,
}

impl Ground<'_> {
    /// Whether a unit's coming can bring a battle about now [R-003-P33].
    fn is_new(&self, unit: &Unit) -> bool {
        self.since.is_none_or(|since| unit.entered > since)
    }
}

/// All battles of the movement step, one hex after another in order of first entry [003 Battles, R-003-75].
pub(super) fn run(w: &mut Working<'_, Season>, orders: &Orders<Order>, dice: &Dice) -> Flow {
    play::before_battles(w, orders, dice);
    plays::siege_engineers(w);
    for hex in in_order_of_entry(w.state()) {
        fight_hex(w, orders, dice, hex, None);
    }
    Flow::Done
}

/// Fights whatever is to be fought in one hex: relief or sortie before the walls, then the field, then the storm. In the open
/// first, because whoever is beaten there storms nothing [R-003-P27]. `since` is set when newcomers bring a battle about after
/// the others have been fought: the running number of entries before they came [R-003-P33].
pub(super) fn fight_hex(
    w: &mut Working<'_, Season>,
    orders: &Orders<Order>,
    dice: &Dice,
    hex: HexId,
    since: Option<u32>,
) {
    let ground = Ground { orders, dice, hex, since };
    let city = w.state().campaign.board.city(hex).is_some();
    if city {
        city::before_the_walls(w, ground);
    }
    field(w, ground);
    if city {
        city::storm(w, ground);
    }
}

/// The hexes in which enemies stand against each other, by the first entry of this turn; where nobody came in, first of all
/// [R-003-75].
fn in_order_of_entry(state: &State) -> Vec<HexId> {
    let mut hexes: BTreeMap<HexId, (Option<u32>, Vec<&SeatId>)> = BTreeMap::new();
    for unit in state.units.values().filter(|unit| unit.is_brigade()) {
        let (first, seats) = hexes.entry(unit.at).or_default();
        if state.now.entries.contains_key(&unit.id) {
            *first = Some(first.map_or(unit.entered, |earlier| earlier.min(unit.entered)));
        }
        if !seats.contains(&&unit.seat) {
            seats.push(&unit.seat);
        }
    }
    let hostile = |seats: &[&SeatId]| seats.iter().any(|a| seats.iter().any(|b| state.at_war(a, b)));
    let mut found: Vec<(Option<u32>, HexId)> =
        hexes.into_iter().filter(|(_, (_, seats))| hostile(seats)).map(|(hex, (first, _))| (first, hex)).collect();
    found.sort_unstable();
    found.into_iter().map(|(_, hex)| hex).collect()
}

/// The field of a hex: hostile pairs of sides one after another, survivors going on to the next [R-003-28].
fn field(w: &mut Working<'_, Season>, ground: Ground<'_>) {
    let outside = |state: &State, unit: &Unit| !city::inside(state, unit);
    let seats = sides::seats_by_entry(w.state(), ground.hex, outside);
    if seats.len() < 2 {
        return;
    }
    let sides = sides::form(w.state(), ground.hex, &seats);
    for (one, other) in sides::hostile_pairs(w.state(), ground.hex, &sides) {
        meet(w, ground, &one, &other);
    }
}

/// Two sides in the open: battle if both give it, or if the one that wants it forces it [003 When Battle Occurs, R-003-24].
fn meet<'o>(w: &mut Working<'_, Season>, ground: Ground<'o>, one: &[SeatId], other: &[SeatId]) {
    let state = w.state();
    let here = |seat: &SeatId| -> Vec<UnitId> {
        let own = state.in_hex(ground.hex).filter(|unit| unit.seat == *seat && !city::inside(state, unit));
        own.map(|unit| unit.id).collect()
    };
    let new = |seat: &SeatId| state.own_brigades(ground.hex, seat).any(|unit| ground.is_new(unit));
    if !one.iter().chain(other).any(new) {
        return;
    }
    let one = intent::sort_out(state, ground, one, other, &here);
    let other = intent::sort_out(state, ground, other, &one.all, &here);
    if !one.present || !other.present {
        return;
    }
    if one.giving.is_empty() || other.giving.is_empty() {
        no_battle(w, ground.hex, one.avoiding.into_iter().chain(other.avoiding).collect());
        return;
    }
    let units = |seats: &[SeatId]| muster::fighting(state, seats.iter().flat_map(&here));
    let (first, second) = (units(&one.giving), units(&other.giving));
    let forced = sides::forcer(state, ground.hex, &one.giving, &other.giving);
    let one_attacks = sides::attacks(state, (&one.giving, &first), (&other.giving, &second), forced);
    let mut lineup = Lineup {
        attackers: one.giving,
        defenders: other.giving,
        attacking: first,
        defending: second,
        cites: vec![rule("003 When Battle Occurs"), rule("R-003-29")],
        ..Lineup::default()
    };
    if !one_attacks {
        lineup.swap();
    }
    battle(w, ground, lineup);
}

/// Nobody fights; both stay and the hex is contested [R-003-24].
fn no_battle(w: &mut Working<'_, Season>, hex: HexId, avoiding: Vec<(SeatId, intent::Said<'_>)>) {
    let mut avoided_by: Vec<SeatId> = w.state().now.avoided.get(&hex).cloned().unwrap_or_default();
    for (seat, _) in &avoiding {
        if !avoided_by.contains(seat) {
            avoided_by.push(seat.clone());
        }
    }
    let cause = Cause::new(format!("no battle @{hex}"), &[rule("003 When Battle Occurs"), rule("R-003-24")])
        .ordered_by(avoiding.first().and_then(|(seat, said)| Some((seat, (*said)?))));
    w.emit(cause, Event::NoBattle { hex, avoided_by });
}

/// Fights one battle from line-up to Regrouping.
fn battle(w: &mut Working<'_, Season>, ground: Ground<'_>, lineup: Lineup<'_>) {
    if let Some(mut battle) = muster::join(w, ground, lineup) {
        battle.fight_out(w, ground.dice);
        battle.regroup(w, ground.dice);
    }
}

/// The events by which units of these came into the hex this turn.
fn arrivals(w: &Working<'_, Season>, hex: HexId, units: &[UnitId]) -> Vec<EventId> {
    let moves = w.events().iter().filter_map(|recorded| match &recorded.event {
        Event::Moved { units: moved, path, .. } if path.last() == Some(&hex) => {
            moved.iter().any(|id| units.contains(id)).then(|| recorded.id.clone())
        }
        _ => None,
    });
    moves.collect()
}

/// A cause with several earlier events behind it.
fn led_to(cause: Cause, events: impl IntoIterator<Item = EventId>) -> Cause {
    events.into_iter().fold(cause, Cause::because)
}

/// Citations of the printed text and a ruling.
const fn by(printed: &'static str, ruling: &'static str) -> [Cite; 2] {
    [rule(printed), rule(ruling)]
}
