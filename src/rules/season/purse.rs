//! Reinforcements: brigades are deployed from the pool, then purchases fill it again [003 Reinforcements, R-003-75].

use super::Season;
use super::campaign::{Kind, rule};
use super::diplomacy::plain;
use super::event::{Event, NewUnit, VoidReason};
use super::order::{Build, Buy, Order};
use super::state::State;
use crate::engine::{Cause, Cite, Dice, Flow, Held, HexId, Orders, SeatId, UnitId, Working};
use std::collections::BTreeMap;

/// Builds first, then purchases, seat by seat in the turn's sequence.
pub(super) fn run(working: &mut Working<'_, Season>, orders: &Orders<Order>, _: &Dice) -> Flow {
    let sequence = working.state().now.sequence.clone();
    for seat in &sequence {
        let mut built_at: BTreeMap<HexId, u32> = BTreeMap::new();
        for held in orders.get(seat).into_iter().flatten() {
            if let Order::Build(build) = plain(&held.order) {
                deploy(working, seat, held, build, &mut built_at);
            }
        }
    }
    for seat in &sequence {
        for held in orders.get(seat).into_iter().flatten() {
            if let Order::Buy(buy) = plain(&held.order) {
                purchase(working, seat, held, buy);
            }
        }
        let men = working.state().seats.get(seat).map_or(0, |s| s.manpower);
        if men > 0 {
            let cause = Cause::new(format!("manpower {seat}"), &[rule("003 Income and Manpower"), rule("R-003-62")]);
            working.emit(cause, Event::ManpowerLost { seat: seat.clone(), men });
        }
    }
    Flow::Done
}

fn void(working: &mut Working<'_, Season>, seat: &SeatId, held: &Held<Order>, why: VoidReason, cites: &[Cite]) {
    let subject = format!("void {seat} {}.{}", held.source.letter, held.source.line);
    let event = Event::Void { seat: seat.clone(), words: held.source.words.clone(), why };
    working.emit(Cause::new(subject, cites).ordered(seat, &held.source), event);
}

/// How many of a kind a country has, pool and map together, in whole brigades [R-003-101].
pub(super) fn count_of(state: &State, seat: &SeatId, kind: Kind) -> u32 {
    let on_map = state.units.values().filter(|unit| unit.seat == *seat && unit.kind == kind).count();
    let max = state.brigade_type(seat, kind).map_or(1, |row| u32::from(row.max).max(1));
    let steps = state.seats.get(seat).and_then(|s| s.pool.get(&kind)).copied().unwrap_or(0);
    u32::try_from(on_map).unwrap_or(u32::MAX).saturating_add(steps / max)
}

/// A new brigade needs a full brigade's steps in the pool and a home supply city that is held, not besieged and not contested
/// [003 Deployment of Land Forces, R-003-63].
fn deploy(
    working: &mut Working<'_, Season>,
    seat: &SeatId,
    held: &Held<Order>,
    build: &Build,
    built_at: &mut BTreeMap<HexId, u32>,
) {
    const CITES: &[Cite] = &[rule("003 Deployment of Land Forces"), rule("R-003-63")];
    let state = working.state();
    let Some(row) = state.brigade_type(seat, build.kind) else { return };
    let (need, strength) = (u32::from(row.max), row.max);
    let pool = state.seats.get(seat).and_then(|s| s.pool.get(&build.kind)).copied().unwrap_or(0);
    let city = state.campaign.board.city(build.at);
    let home = city.is_some_and(|city| city.is_supply_city() && city.home_of.as_ref() == Some(seat));
    let open =
        state.controller(build.at) == Some(seat) && !state.sieges.contains_key(&build.at) && !state.contested(build.at);
    let cap = city.map_or(0, super::board::City::shelter);
    let here = built_at.entry(build.at).or_insert(0);
    if !home || !open {
        return void(working, seat, held, VoidReason::NoPlace, CITES);
    }
    if pool < need {
        return void(working, seat, held, VoidReason::NotEnough, CITES);
    }
    if state.campaign.house.deploy_cap && *here >= cap {
        return void(working, seat, held, VoidReason::Limit, &[rule("R-003-63")]);
    }
    *here += 1;
    let name = build.name.clone().unwrap_or_else(|| fresh_name(state, seat, build.kind, build.at));
    let id = UnitId(state.next_unit);
    let unit = NewUnit { id, seat: seat.clone(), kind: build.kind, short: name.clone(), name, strength, at: build.at };
    let cause = |subject: String| Cause::new(subject, CITES).ordered(seat, &held.source);
    let used = Event::PoolUsed { seat: seat.clone(), kind: build.kind, steps: need };
    let known = working.emit(cause(format!("pool {seat} {}", build.kind.slug())), used);
    working.emit(cause(format!("built {}", build.at)).because(known), Event::Mustered { unit });
}

/// "Riga Infantry", or "Riga Infantry 2" if there is one already.
pub(super) fn fresh_name(state: &State, seat: &SeatId, kind: Kind, at: HexId) -> String {
    let kind = kind.to_string();
    let mut letters = kind.chars();
    let kind: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let base = format!("{} {kind}", state.campaign.board.name(at));
    let taken = |name: &str| {
        let on_map = state.units.values().any(|unit| *unit.short == *name || *unit.name == *name);
        on_map
            || state.campaign.units.iter().any(|unit| unit.seat == *seat && (unit.short == name || unit.name == name))
    };
    let numbered = (2..).map(|n| format!("{base} {n}"));
    std::iter::once(base.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(base)
}

/// Whole brigades (steps of ships) as far as money, manpower and the kind's limit go
/// [003 Purchase new Brigades, R-003-62, R-003-101].
fn purchase(working: &mut Working<'_, Season>, seat: &SeatId, held: &Held<Order>, buy: &Buy) {
    const CITES: &[Cite] = &[rule("003 Purchase new Brigades"), rule("R-003-101")];
    let mut bought = 0;
    while bought < buy.count {
        let state = working.state();
        let (Some(row), Some(purse)) = (state.brigade_type(seat, buy.kind), state.seats.get(seat)) else { break };
        let max = u32::from(row.max).max(1);
        // The price of ships is rounded up once for the whole purchase.
        let share = |price: u32| (price * (bought + 1)).div_ceil(max) - (price * bought).div_ceil(max);
        let (steps, money, men) = if buy.kind.is_naval() {
            (1, share(row.money), share(row.manpower))
        } else {
            (max, row.money, row.manpower)
        };
        let free = row.money == 0 && row.manpower == 0;
        let full = row.limit.is_some_and(|limit| count_of(state, seat, buy.kind) >= limit);
        if free || full || purse.bank < money || purse.manpower < men {
            let why = if full { VoidReason::Limit } else { VoidReason::NotEnough };
            void(working, seat, held, why, CITES);
            break;
        }
        let cause = Cause::new(format!("bought {seat} {}", buy.kind.slug()), CITES).ordered(seat, &held.source);
        let event = Event::Bought { seat: seat.clone(), kind: buy.kind, steps, money, manpower: men };
        working.emit(cause, event);
        bought += 1;
    }
}
