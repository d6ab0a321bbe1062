//! A checked campaign -> the state before the first turn.

use crate::engine::{Dice, SeatId, TurnNo, Working};
use crate::rules::season::board::Ground;
use crate::rules::season::campaign::{Campaign, LeaderFigures, Season, UnitSetup};
use crate::rules::season::event::NewUnit;
use crate::rules::season::state::{SeatState, State, pair};
use crate::rules::season::{Season as System, calendar, cards, winter};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Numbers from here on are given to brigades raised in the game.
const RAISED_FROM: u16 = 1_000;

/// The state before the first turn: units placed, levels fixed, the Spring's levies called up [R-003-65] and its income in the
/// banks [R-003-75]. Hands are empty: the deal needs dice, see [`deal`].
pub fn open(campaign: Campaign) -> State {
    let land = campaign.board.hexes.iter().filter(|(_, hex)| hex.ground == Ground::Land);
    let both = |(a, b): &(SeatId, SeatId)| [(a.clone(), b.clone()), (b.clone(), a.clone())];
    let mut state = State {
        year: campaign.start_year,
        season: Season::Spring,
        turn: TurnNo(1),
        units: BTreeMap::new(),
        awaited: Default::default(),
        captives: BTreeMap::new(),
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
        let (money, manpower) = winter::levels_of(&state, &seat.id);
        let purse = SeatState {
            bank: seat.bank.saturating_add(money),
            manpower,
            money_level: money,
            manpower_level: manpower,
            ..SeatState::default()
        };
        state.seats.insert(seat.id.clone(), purse);
        let values = calendar::city_values(&state, &seat.id);
        state.start_values.insert(seat.id.clone(), values);
    }
    state.now = Default::default();
    state
}

/// The first deal, and with it the only events before the first turn [003 Cards].
pub fn deal(working: &mut Working<'_, System>, dice: &Dice) {
    cards::deal(working, dice);
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
fn stand(state: &mut State, new: &NewUnit, leader: Option<LeaderFigures>) {
    state.muster(new, leader);
    let city = state.campaign.board.city(new.at).is_some();
    let open = state.controller(new.at).is_some_and(|holder| !state.at_war(holder, &new.seat));
    if let Some(unit) = state.units.get_mut(&new.id) {
        unit.in_city = city && open;
        unit.entered = 0;
        unit.entered_turn = TurnNo(0);
    }
}

/// Levies come without being told to, where their seat holds the capital of their province [R-003-65, R-003-P03].
fn muster_levies(state: &mut State, campaign: &Campaign) {
    for levy in &campaign.levies {
        if calendar::can_appear(state, &levy.seat, levy.place) {
            stand(state, &calendar::muster_levy(levy), None);
        }
    }
}
