//! The board as one viewer may see it, for drawing [R-003-83].

use super::super::board::{City, Fort, Ground, Hex, Side, Terrain};
use super::super::campaign::Fog;
use super::super::state::{State, Unit};
use crate::engine::board_picture::{ArrowPicture, BoardPicture, CityPicture, Counter, HexPicture, SidePicture};
use crate::engine::{HexId, HexSide, SeatId, Viewer};
use std::collections::{BTreeMap, BTreeSet};

/// The board after a turn in which battles were fought in `battlefields`.
pub(super) fn picture(state: &State, battlefields: &BTreeSet<HexId>, viewer: &Viewer) -> BoardPicture {
    let board = &state.campaign.board;
    let mut piles: BTreeMap<HexId, BTreeMap<usize, Vec<&Unit>>> = BTreeMap::new();
    for unit in state.units.values().filter(|unit| is_seen(state, viewer, unit)) {
        let place = state.campaign.seats.iter().position(|seat| seat.id == unit.seat).unwrap_or(usize::MAX);
        piles.entry(unit.at).or_default().entry(place).or_default().push(unit);
    }
    let hexes = board.hexes.iter().map(|(id, hex)| {
        let counters = piles.remove(id).unwrap_or_default();
        HexPicture {
            hex: *id,
            ground: ground(hex).to_owned(),
            fill: state.controller(*id).and_then(|seat| colour(state, seat)),
            city: hex.city.as_ref().map(city),
            counters: counters.into_values().filter_map(|units| counter(state, viewer, &units)).collect(),
            battle: battlefields.contains(id),
        }
    });
    let hexes = hexes.collect();
    let sides = board.sides.iter().filter_map(|(id, side)| drawn(state, *id, side)).collect();
    let legend = state.campaign.seats.iter().map(|seat| (seat.name.clone(), seat.colour.clone())).collect();
    BoardPicture { grid: board.grid, hexes, sides, legend }
}

fn knows(state: &State, viewer: &Viewer, seat: &SeatId) -> bool {
    state.campaign.house.fog == Fog::Open || viewer.may_see_secrets_of(seat)
}

/// Others' leaders, fleets and trains are not on the board that a player sees.
fn is_seen(state: &State, viewer: &Viewer, unit: &Unit) -> bool {
    knows(state, viewer, &unit.seat) || (unit.is_brigade() && state.sees_counters(viewer, unit.at))
}

fn colour(state: &State, seat: &SeatId) -> Option<String> {
    state.campaign.seat(seat).map(|seat| seat.colour.clone())
}

fn counter(state: &State, viewer: &Viewer, units: &[&Unit]) -> Option<Counter> {
    let seat = &units.first()?.seat;
    let brigades: Vec<&&Unit> = units.iter().filter(|unit| unit.is_brigade()).collect();
    let known = knows(state, viewer, seat);
    let leaders = units.iter().filter(|unit| unit.is_leader());
    let others = units.iter().filter(|unit| !unit.is_leader());
    let names = leaders.chain(others).filter(|_| known).map(|unit| format!("{} {}", unit.short, unit.strength));
    Some(Counter {
        seat: seat.clone(),
        colour: colour(state, seat).unwrap_or_default(),
        brigades: u32::try_from(brigades.len()).unwrap_or(u32::MAX),
        strength: known.then(|| brigades.iter().map(|unit| u32::from(unit.strength)).sum()),
        names: names.collect(),
    })
}

fn ground(hex: &Hex) -> &'static str {
    match hex.ground {
        Ground::Land => "land",
        Ground::Sea => "sea",
        Ground::Lake => "lake",
    }
}

fn city(city: &City) -> CityPicture {
    let fort = match city.fort {
        Fort::None => "none",
        Fort::Square => "square",
        Fort::Hexagon => "hexagon",
    };
    CityPicture { name: city.name.clone(), value: city.value, fort: fort.to_owned(), port: city.port.is_some() }
}

fn drawn(state: &State, id: HexSide, side: &Side) -> Option<SidePicture> {
    if side.terrain == Terrain::Clear && side.river.is_none() && !side.closed {
        return None;
    }
    let terrain = match side.terrain {
        Terrain::Clear => "clear",
        Terrain::Forest => "forest",
        Terrain::Marsh => "marsh",
        Terrain::Mountain => "mountain",
    };
    let river = side.river.as_ref().map(|river| {
        let name = river.id.as_ref().and_then(|id| state.campaign.board.rivers.get(id));
        name.cloned().unwrap_or_else(|| "river".to_owned())
    });
    Some(SidePicture {
        side: id,
        terrain: terrain.to_owned(),
        river: river.unwrap_or_default(),
        major: side.river.as_ref().is_some_and(|river| river.major),
        closed: side.closed,
    })
}
