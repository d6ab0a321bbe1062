//! The year and its turns [003 Game Turns, R-003-01]: what ends one and begins the next.

use super::Season;
use super::campaign::{LevySetup, Season as Quarter, rule};
use super::control::capitals_lost;
use super::diplomacy::plain;
use super::event::{Event, Loss, NewUnit};
use super::order::Order;
use super::state::State;
use crate::engine::{Cause, Dice, Expectation, Flow, HexId, Orders, SeatId, UnitId, Working};

/// At the end of Fall feudal troops go home [003 Feudal Troops, R-003-65].
pub(super) fn disband(working: &mut Working<'_, Season>, _: &Orders<Order>, _: &Dice) -> Flow {
    if working.state().season == Quarter::Fall {
        let levies: Vec<(UnitId, HexId)> =
            working.state().units.values().filter(|u| u.kind.is_feudal()).map(|u| (u.id, u.at)).collect();
        for (unit, hex) in levies {
            let cause = Cause::new(format!("home u{unit}"), &[rule("003 Feudal Troops"), rule("R-003-65")]);
            working.emit(cause, Event::Gone { unit, how: Loss::Disbanded, by: None, hex });
        }
    }
    Flow::Done
}

/// Defeated countries leave, wars begin and end, then the next turn: departures, arrivals, levies in Spring, income.
pub(super) fn turn_over(working: &mut Working<'_, Season>, orders: &Orders<Order>, _: &Dice) -> Flow {
    bury_the_defeated(working);
    super::diplomacy::turn_over(working, orders);
    if is_over(working.state()) {
        let scores = scores(working.state());
        working.emit(Cause::new("end", &[rule("R-003-60"), rule("R-003-91")]), Event::GameOver { scores });
        return Flow::Done;
    }
    let state = working.state();
    let (season, new_year) = state.season.next();
    let year = state.year + u16::from(new_year);
    working.emit(Cause::new("turn", &[rule("003 Game Turns"), rule("R-003-01")]), Event::TurnEnded { year, season });
    super::fates::departures(working);
    arrivals(working);
    if season == Quarter::Spring {
        release_captives(working);
        call_levies(working, orders);
    }
    income(working);
    Flow::Done
}

/// A seat whose sovereign fell this turn: the treasury goes to the killer, the rest dissolves [R-003-39, R-003-100].
fn bury_the_defeated(working: &mut Working<'_, Season>) {
    let fallen: Vec<(SeatId, Option<SeatId>, u32)> = working
        .state()
        .seats
        .iter()
        .filter(|(seat, s)| s.defeated && has_anything(working.state(), seat))
        .map(|(seat, s)| (seat.clone(), s.killer.clone(), s.bank))
        .collect();
    for (seat, killer, money) in fallen {
        if let (Some(by), true) = (killer, money > 0) {
            let cause = Cause::new(format!("treasury {seat}"), &[rule("R-003-39")]);
            working.emit(cause, Event::TreasuryTaken { from: seat.clone(), by, money });
        }
        super::winter::dissolve(working, &seat);
    }
}

fn has_anything(state: &State, seat: &SeatId) -> bool {
    let unit = state.units.values().any(|unit| unit.seat == *seat);
    unit || state.control.values().any(|holder| holder.as_ref() == Some(seat))
}

/// The Winter after which the game ends; no new hand is dealt then.
pub(super) fn is_last_winter(state: &State) -> bool {
    state.season == Quarter::Winter && state.year >= state.campaign.end_year
}

/// After the last Winter, or when one player is left [R-003-60].
fn is_over(state: &State) -> bool {
    is_last_winter(state) || state.living().count() <= 1
}

/// Values of cities controlled less those at the start, capitals held, countries surrendered to one; highest first, then the
/// setup's order [R-003-60].
fn scores(state: &State) -> Vec<(SeatId, i32)> {
    let figures = &state.campaign.figures;
    let mut scores: Vec<(SeatId, i32)> = state
        .campaign
        .seats
        .iter()
        .map(|seat| {
            let capitals = seat.capitals.iter().filter(|hex| state.controller(**hex) == Some(&seat.id)).count();
            let surrenders = state.seats.get(&seat.id).map_or(0, |s| s.surrenders);
            let score = city_values(state, &seat.id) - state.start_values.get(&seat.id).copied().unwrap_or(0)
                + figures.score_capital * i32::try_from(capitals).unwrap_or(0)
                + figures.score_surrendered * i32::try_from(surrenders).unwrap_or(0);
            (seat.id.clone(), score)
        })
        .collect();
    scores.sort_by_key(|(_, score)| std::cmp::Reverse(*score));
    scores
}

/// The summed values of the cities that a seat controls.
pub(super) fn city_values(state: &State, seat: &SeatId) -> i32 {
    let held = state.campaign.board.hexes.iter().filter(|(hex, _)| state.controller(**hex) == Some(seat));
    held.filter_map(|(_, hex)| hex.city.as_ref()).map(|city| i32::from(city.value)).sum()
}

/// Whether new or returning units can appear in a place: its city is the seat's own, not besieged and not contested.
pub(super) fn can_appear(state: &State, seat: &SeatId, at: HexId) -> bool {
    state.controller(at) == Some(seat) && !state.sieges.contains_key(&at) && !state.contested(at)
}

/// Units of the timetable appear when their season has come, and wait while their place is closed [R-003-P01].
fn arrivals(working: &mut Working<'_, Season>) {
    let state = working.state();
    let now = (state.year, state.season);
    let due: Vec<(UnitId, HexId)> = state
        .campaign
        .units
        .iter()
        .filter(|unit| state.awaited.contains(&unit.id) && unit.arrives.is_some_and(|when| when <= now))
        .filter(|unit| can_appear(state, &unit.seat, unit.place) && !super::fates::time_is_up(state, unit))
        .map(|unit| (unit.id, unit.place))
        .collect();
    for (unit, at) in due {
        working.emit(Cause::new(format!("arrival u{unit}"), &[rule("R-003-P01")]), Event::Arrived { unit, at });
    }
}

/// Captured leaders are out for the year; they come back in Spring to their first place, or to their first capital
/// [R-003-77, R-003-P02].
fn release_captives(working: &mut Working<'_, Season>) {
    let state = working.state();
    let back: Vec<(UnitId, HexId)> = state
        .campaign
        .units
        .iter()
        .filter(|unit| state.captives.get(&unit.id).is_some_and(|year| *year < state.year))
        .filter(|unit| !super::fates::time_is_up(state, unit))
        .filter_map(|unit| {
            let capitals = state.campaign.seat(&unit.seat).map_or(&[][..], |s| s.capitals.as_slice());
            let mut places = std::iter::once(&unit.place).chain(capitals);
            places.find(|at| can_appear(state, &unit.seat, **at)).map(|at| (unit.id, *at))
        })
        .collect();
    for (unit, at) in back {
        let cause = Cause::new(format!("return u{unit}"), &[rule("R-003-77"), rule("R-003-P02")]);
        working.emit(cause, Event::Arrived { unit, at });
    }
}

/// Levies muster at full strength at the start of Spring where their province capital is held and free, unless the Winter letter
/// leaves them at home [003 Feudal Troops, R-003-65, R-003-P03].
fn call_levies(working: &mut Working<'_, Season>, orders: &Orders<Order>) {
    for levy in working.state().campaign.levies.clone() {
        let state = working.state();
        let living = state.seats.get(&levy.seat).is_some_and(|s| !s.defeated);
        if living
            && wanted(orders, &levy)
            && can_appear(state, &levy.seat, levy.place)
            && !state.units.contains_key(&levy.id)
        {
            let unit = muster_levy(&levy);
            let cause = Cause::new(format!("levy u{}", levy.id), &[rule("003 Feudal Troops"), rule("R-003-65")]);
            working.emit(cause, Event::Mustered { unit });
        }
    }
}

/// The brigade that a levy is.
pub(super) fn muster_levy(levy: &LevySetup) -> NewUnit {
    NewUnit {
        id: levy.id,
        seat: levy.seat.clone(),
        kind: levy.kind,
        name: levy.name.clone(),
        short: levy.short.clone(),
        strength: levy.strength,
        at: levy.place,
    }
}

fn wanted(orders: &Orders<Order>, levy: &LevySetup) -> bool {
    let mut said = orders.get(&levy.seat).into_iter().flatten().filter_map(|held| match plain(&held.order) {
        Order::Levy { call, places } if places.is_empty() || places.contains(&levy.place) => Some(*call),
        _ => None,
    });
    said.next_back().unwrap_or(true)
}

/// Money and manpower come in at the start of the turn; none while all capitals are lost
/// [003 Income and Manpower, Capture of a Capital, R-003-51, R-003-61].
fn income(working: &mut Working<'_, Season>) {
    let seats: Vec<SeatId> = working.state().living().cloned().collect();
    for seat in seats {
        let state = working.state();
        let taxed = !capitals_lost(state, &seat);
        let levels = state.seats.get(&seat).map_or((0, 0), |s| (s.money_level, s.manpower_level));
        let (money, manpower) = if taxed { levels } else { (0, 0) };
        let cause = Cause::new(format!("income {seat}"), &[rule("003 Income and Manpower"), rule("R-003-61")]);
        working.emit(cause, Event::Income { seat, money, manpower });
    }
}

/// Who owes orders now, and what stands without them.
pub(super) fn expects(state: &State) -> Expectation {
    Expectation {
        turn: state.turn,
        phase: state.phase(),
        owing: state.living().cloned().collect(),
        without_orders:
            "Without a letter your standing orders are carried out; beyond them your units hold, give battle when \
                         attacked and go on with their sieges, and no card is played."
                .to_owned(),
        over: state.scores.is_some(),
    }
}
