//! The end of the year: conquest, surrender, levels, recovery, the new deal [003 Winter, R-003-50, R-003-51, R-003-75].

use super::Season;
use super::board::{ProvinceId, Standing};
use super::campaign::{Season as Quarter, rule};
use super::control::capitals_lost;
use super::event::{Event, Loss};
use super::order::Order;
use super::state::State;
use crate::engine::{Cause, Dice, Flow, HexId, Orders, SeatId, UnitId, Working};

/// What happens after the other steps of a Winter turn.
pub(super) fn run(working: &mut Working<'_, Season>, _: &Orders<Order>, dice: &Dice) -> Flow {
    if working.state().season != Quarter::Winter {
        return Flow::Done;
    }
    conquer(working);
    surrender(working);
    levels(working);
    recover(working);
    if !super::calendar::is_last_winter(working.state()) {
        super::cards::deal(working, dice);
    }
    Flow::Done
}

/// A province is conquered by whoever occupies its capital with a brigade while no enemy stands in any city of it
/// [003 Conquer a province, R-003-50]; its hexes without an enemy brigade go with it [R-003-99]. The province of a neutral whom
/// nobody plays is never conquered [R-003-P45].
fn conquer(working: &mut Working<'_, Season>) {
    let board = &working.state().campaign.board;
    let played = board.provinces.iter().filter(|p| p.standing != Standing::Neutral);
    let provinces: Vec<(ProvinceId, HexId)> = played.map(|p| (p.id.clone(), p.capital)).collect();
    for (province, capital) in provinces {
        let Some(victor) = conqueror(working.state(), &province, capital) else { continue };
        let from = working.state().provinces.get(&province).cloned().flatten();
        let cause = Cause::new(format!("conquest {province}"), &[rule("003 Conquer a province"), rule("R-003-50")]);
        let event = Event::Conquered { province: province.clone(), from, to: Some(victor.clone()) };
        let known = working.emit(cause, event);
        for hex in hexes_of(working.state(), &province) {
            let state = working.state();
            let held = state.controller(hex).cloned();
            let hostile = held.as_ref().is_none_or(|holder| state.at_war(holder, &victor));
            if hostile && state.enemies_of(&victor, hex).next().is_none() {
                let cause = Cause::new(format!("control {hex}"), &[rule("R-003-99")]).because(known.clone());
                working.emit(cause, Event::Control { hex, from: held, to: Some(victor.clone()) });
            }
        }
    }
}

fn hexes_of(state: &State, province: &ProvinceId) -> Vec<HexId> {
    let of = |hex: &super::board::Hex| hex.province.as_ref() == Some(province);
    state.campaign.board.hexes.iter().filter(|(_, data)| of(data)).map(|(hex, _)| *hex).collect()
}

fn conqueror(state: &State, province: &ProvinceId, capital: HexId) -> Option<SeatId> {
    let holder = state.controller(capital)?;
    let owner = state.provinces.get(province).and_then(Option::as_ref);
    let occupied = state.own_brigades(capital, holder).any(|unit| unit.in_city);
    let hostile = owner.is_none_or(|owner| state.at_war(owner, holder));
    let cities = hexes_of(state, province).into_iter().filter(|hex| state.campaign.board.city(*hex).is_some());
    let resisted = cities.into_iter().any(|hex| state.enemies_of(holder, hex).next().is_some());
    (occupied && hostile && owner != Some(holder) && !resisted).then(|| holder.clone())
}

/// Whose capitals are all captured *and occupied* at the end of the Winter turn must surrender, to the occupant of the first
/// [003 Capture of a Capital, R-003-51].
fn surrender(working: &mut Working<'_, Season>) {
    let losers: Vec<SeatId> = working.state().living().cloned().collect();
    for seat in losers {
        let state = working.state();
        let capitals = state.campaign.seat(&seat).map_or(&[][..], |s| s.capitals.as_slice());
        let occupied = |hex: &HexId| {
            let holder = state.controller(*hex);
            holder.is_some_and(|holder| state.own_brigades(*hex, holder).next().is_some())
        };
        if !capitals_lost(state, &seat) || !capitals.iter().all(occupied) {
            continue;
        }
        let to = capitals.first().and_then(|hex| state.controller(*hex)).cloned();
        let cause = Cause::new(format!("surrender {seat}"), &[rule("003 Capture of a Capital"), rule("R-003-51")]);
        working.emit(cause, Event::Surrendered { seat: seat.clone(), to });
        dissolve(working, &seat);
    }
}

/// A defeated country's units leave the map; its provinces pass to the occupants who hold their capitals, the rest becomes
/// neutral; a hex where a victor stands is his [R-003-39, R-003-51, R-003-100].
pub(super) fn dissolve(working: &mut Working<'_, Season>, seat: &SeatId) {
    let cites = [rule("R-003-39"), rule("R-003-51")];
    let units: Vec<(UnitId, HexId)> =
        working.state().units.values().filter(|u| u.seat == *seat).map(|u| (u.id, u.at)).collect();
    for (unit, hex) in units {
        let event = Event::Gone { unit, how: Loss::Defeat, by: None, hex };
        working.emit(Cause::new(format!("defeat u{unit}"), &cites), event);
    }
    let state = working.state();
    let provinces: Vec<(ProvinceId, Option<SeatId>)> = state
        .campaign
        .board
        .provinces
        .iter()
        .filter(|p| state.provinces.get(&p.id).is_some_and(|owner| owner.as_ref() == Some(seat)))
        .map(|p| (p.id.clone(), state.controller(p.capital).filter(|holder| *holder != seat).cloned()))
        .collect();
    for (province, to) in provinces {
        let event = Event::Conquered { province: province.clone(), from: Some(seat.clone()), to };
        working.emit(Cause::new(format!("defeat {province}"), &cites), event);
    }
    let held: Vec<HexId> = working
        .state()
        .control
        .iter()
        .filter(|(_, holder)| holder.as_ref() == Some(seat))
        .map(|(hex, _)| *hex)
        .collect();
    for hex in held {
        let to = working.state().brigades_in(hex).map(|unit| unit.seat.clone()).next();
        let event = Event::Control { hex, from: Some(seat.clone()), to };
        working.emit(Cause::new(format!("defeat {hex}"), &cites), event);
    }
}

/// Money and manpower a turn for the coming year, from the provinces held: a quarter of their income, half up
/// [003 Income and Manpower, R-003-61].
fn levels(working: &mut Working<'_, Season>) {
    let seats: Vec<SeatId> = working.state().living().cloned().collect();
    for seat in seats {
        let (money, manpower) = levels_of(working.state(), &seat);
        let cause = Cause::new(format!("levels {seat}"), &[rule("003 Income and Manpower"), rule("R-003-61")]);
        working.emit(cause, Event::Levels { seat, money, manpower });
    }
}

/// The levels that a seat's provinces give.
pub(super) fn levels_of(state: &State, seat: &SeatId) -> (u32, u32) {
    let figures = &state.campaign.figures;
    let own = |id: &ProvinceId| state.provinces.get(id).is_some_and(|owner| owner.as_ref() == Some(seat));
    let provinces = state.campaign.board.provinces.iter().filter(|p| own(&p.id));
    let (income, men) = provinces.fold((0, 0), |(income, men), p| (income + p.income, men + p.manpower));
    let share = |sum: u32, divisor: u32| (2 * sum + divisor) / (2 * divisor).max(1);
    (share(income, figures.money_divisor), share(men, figures.manpower_divisor))
}

/// Wounded leaders recover a step [R-003-38]; the land recovers [R-003-55].
fn recover(working: &mut Working<'_, Season>) {
    let wounded: Vec<UnitId> =
        working.state().units.values().filter(|u| u.is_leader() && u.strength < u.max).map(|u| u.id).collect();
    for unit in wounded {
        let cause = Cause::new(format!("recovery u{unit}"), &[rule("R-003-38")]);
        working.emit(cause, Event::LeaderRecovered { unit, steps: 1 });
    }
    if !working.state().depleted.is_empty() {
        working.emit(Cause::new("land", &[rule("R-003-55")]), Event::LandRecovered);
    }
}
