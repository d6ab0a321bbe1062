//! A checked campaign -> the state before the first turn.

use crate::engine::{Dice, SeatId, TurnNo, Working};
use crate::rules::season::board::ProvinceId;
use crate::rules::season::campaign::{Campaign, Season, UnitSetup};
use crate::rules::season::event::NewUnit;
use crate::rules::season::state::{SeatState, State, pair};
use crate::rules::season::{Season as System, cards};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Numbers from here on are given to brigades raised in the game.
const RAISED_FROM: u16 = 1_000;

/// The state before the first turn: units placed, levels fixed, the Spring's levies called up [R-003-65] and its income in the
/// banks [R-003-75]. Hands are empty: the deal needs dice, see [`deal`].
pub fn open(campaign: Campaign) -> State {
    let land = campaign.board.hexes.iter().filter(|(_, hex)| hex.ground == crate::rules::season::board::Ground::Land);
    let both = |(a, b): &(SeatId, SeatId)| [(a.clone(), b.clone()), (b.clone(), a.clone())];
    let mut state = State {
        year: campaign.start_year,
        season: Season::Spring,
        turn: TurnNo(1),
        units: BTreeMap::new(),
        awaited: Default::default(),
        control: land.map(|(id, hex)| (*id, hex.owner.clone())).collect(),
        depleted: Default::default(),
        sieges: BTreeMap::new(),
        provinces: campaign.board.provinces.iter().map(|p| (p.id.clone(), p.owner.clone())).collect(),
        seats: BTreeMap::new(),
        wars: campaign.wars.iter().map(|(a, b)| pair(a, b)).collect(),
        passage: campaign.treaties.iter().flat_map(both).collect(),
        start_values: BTreeMap::new(),
        next_unit: RAISED_FROM,
        now: Default::default(),
        scores: None,
        campaign: Arc::new(campaign),
    };
    let campaign = Arc::clone(&state.campaign);
    for unit in &campaign.units {
        if unit.arrives.is_some_and(|when| when > (state.year, state.season)) {
            state.awaited.insert(unit.id);
        } else {
            place(&mut state, unit);
        }
    }
    muster_levies(&mut state, &campaign);
    for seat in &campaign.seats {
        let (money, manpower) = levels(&campaign, &state.provinces, &seat.id);
        let purse = SeatState {
            bank: seat.bank.saturating_add(money),
            manpower,
            money_level: money,
            manpower_level: manpower,
            ..SeatState::default()
        };
        state.seats.insert(seat.id.clone(), purse);
        let values = held_values(&state, &seat.id);
        state.start_values.insert(seat.id.clone(), values);
    }
    state.now = Default::default();
    state
}

/// The first deal, and with it the only events before the first turn [003 Cards].
pub fn deal(working: &mut Working<'_, System>, dice: &Dice) {
    let year = working.state().year;
    cards::deal(working, dice, year);
}

fn place(state: &mut State, unit: &UnitSetup) {
    let new = NewUnit {
        id: unit.id,
        seat: unit.seat.clone(),
        kind: unit.kind,
        name: unit.name.clone(),
        short: unit.short.clone(),
        strength: unit.strength,
        at: unit.place,
    };
    stand(state, &new, unit.leader);
}

/// Who stands from the start entered no hex: the running number stays 0 [R-003-29]. A friend's city is open to him as his own.
fn stand(state: &mut State, new: &NewUnit, leader: Option<crate::rules::season::campaign::LeaderFigures>) {
    state.muster(new, leader);
    let city = state.campaign.board.city(new.at).is_some();
    let open = state.controller(new.at).is_some_and(|holder| !state.at_war(holder, &new.seat));
    if let Some(unit) = state.units.get_mut(&new.id) {
        unit.in_city = city && open;
        unit.entered = 0;
        unit.entered_turn = TurnNo(0);
    }
}

/// Levies come without being told to, where their seat holds the capital of their province [R-003-65, R-003-P01].
fn muster_levies(state: &mut State, campaign: &Campaign) {
    for levy in campaign.levies.iter().filter(|levy| state_holds(campaign, levy.place, &levy.seat)) {
        let new = NewUnit {
            id: levy.id,
            seat: levy.seat.clone(),
            kind: levy.kind,
            name: levy.name.clone(),
            short: levy.short.clone(),
            strength: levy.strength,
            at: levy.place,
        };
        stand(state, &new, None);
    }
}

fn state_holds(campaign: &Campaign, hex: crate::engine::HexId, seat: &SeatId) -> bool {
    campaign.board.hexes.get(&hex).is_some_and(|h| h.owner.as_ref() == Some(seat))
}

/// A seat's money and manpower a turn: the sums over its provinces, each through its own divisor, half up [R-003-61].
pub fn levels(campaign: &Campaign, provinces: &BTreeMap<ProvinceId, Option<SeatId>>, seat: &SeatId) -> (u32, u32) {
    let own =
        campaign.board.provinces.iter().filter(|p| provinces.get(&p.id).is_some_and(|o| o.as_ref() == Some(seat)));
    let (income, men) = own.fold((0, 0), |(income, men), p| (income + p.income, men + p.manpower));
    (half_up(income, campaign.figures.money_divisor), half_up(men, campaign.figures.manpower_divisor))
}

fn half_up(sum: u32, divisor: u32) -> u32 {
    let divisor = divisor.max(1);
    (2 * sum + divisor) / (2 * divisor)
}

/// The values of all cities that a seat controls [R-003-60].
pub fn held_values(state: &State, seat: &SeatId) -> i32 {
    let held = state.control.iter().filter(|(_, holder)| holder.as_ref() == Some(seat));
    held.filter_map(|(hex, _)| state.campaign.board.city(*hex)).map(|city| i32::from(city.value)).sum()
}
