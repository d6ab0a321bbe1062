//! The board as one viewer may see it, for drawing [R-003-83].

use super::super::board::{Board, City, Fort, Ground, Hex, Side, Standing, Terrain};
use super::super::campaign::Fog;
use super::super::event::Event;
use super::super::state::{State, Unit};
use crate::engine::board_picture::{
    ArrowPicture, BoardPicture, CityPicture, Counter, HexPicture, LinkPicture, RoadPicture, SidePicture,
};
use crate::engine::{HexId, HexSide, SeatId, Viewer};
use std::collections::{BTreeMap, BTreeSet};

/// What a turn adds to the board after it.
#[derive(Default)]
pub(super) struct Doings {
    /// Where battles were fought.
    pub battlefields: BTreeSet<HexId>,
    /// Moves that the viewer is told of.
    pub arrows: Vec<ArrowPicture>,
}

/// The board as it stands, with what a turn left on it; `when` is that turn in words.
pub(super) fn picture(state: &State, when: &str, doings: Doings, viewer: &Viewer) -> BoardPicture {
    let board = &state.campaign.board;
    let mut piles: BTreeMap<HexId, BTreeMap<usize, Vec<&Unit>>> = BTreeMap::new();
    for unit in state.units.values().filter(|unit| is_seen(state, viewer, unit)) {
        let place = state.campaign.seats.iter().position(|seat| seat.id == unit.seat).unwrap_or(usize::MAX);
        piles.entry(unit.at).or_default().entry(place).or_default().push(unit);
    }
    let hexes = board.hexes.iter().map(|(id, hex)| {
        let counters = piles.remove(id).unwrap_or_default();
        let province = hex.province.as_ref().and_then(|id| board.provinces.iter().find(|p| p.id == *id));
        HexPicture {
            hex: *id,
            ground: ground(hex).to_owned(),
            name: hex.name.clone(),
            province: province.map(|p| p.name.clone()).unwrap_or_default(),
            standing: province.map(|p| standing(p.standing).to_owned()).unwrap_or_default(),
            fill: state.controller(*id).and_then(|seat| colour(state, seat)),
            city: hex.city.as_ref().map(|found| city(state, *id, found)),
            counters: counters.into_values().filter_map(|units| counter(state, viewer, &units)).collect(),
            battle: doings.battlefields.contains(id),
        }
    });
    let hexes = hexes.collect();
    let sides = board.sides.iter().filter_map(|(id, side)| drawn(state, *id, side)).collect();
    let legend = state.campaign.seats.iter().map(|seat| (seat.name.clone(), seat.colour.clone())).collect();
    let roads = board.roads.iter().map(|road| RoadPicture { name: road.name.clone(), hexes: road.hexes.clone() });
    BoardPicture {
        title: state.campaign.title.clone(),
        subtitle: subtitle(state, when, viewer),
        scale_km: Some(board.scale_km),
        grid: board.grid,
        hexes,
        sides,
        roads: roads.collect(),
        links: links(board),
        arrows: doings.arrows,
        legend,
    }
}

/// What an event shows of a march or retreat; whether the viewer is told of it at all is the caller's question.
pub(super) fn arrow(state: &State, event: &Event) -> Option<ArrowPicture> {
    let (seat, path, retreat) = match event {
        Event::Moved { seat, path, .. } => (seat.clone(), path.clone(), false),
        Event::Retreated { units, from, to, .. } => {
            let unit = units.iter().find_map(|id| state.units.get(id))?;
            (unit.seat.clone(), vec![*from, *to], true)
        }
        _ => return None,
    };
    let colour = colour(state, &seat)?;
    (path.len() > 1).then_some(ArrowPicture { seat, colour, path, retreat })
}

fn subtitle(state: &State, when: &str, viewer: &Viewer) -> String {
    match viewer {
        Viewer::Public => when.to_owned(),
        Viewer::Umpire => format!("{when}, as the umpire sees it"),
        Viewer::Seat(id) => {
            let name = state.campaign.seat(id).map_or(id.as_str(), |seat| seat.name.as_str());
            format!("{when}, as {name} sees it")
        }
    }
}

fn links(board: &Board) -> Vec<LinkPicture> {
    let of = |hex: HexId| {
        let ways = board.links.by_land(hex).iter().map(|to| (*to, false));
        ways.chain(board.links.by_sea(hex).iter().map(|to| (*to, true)))
    };
    let each_once = board.hexes.keys().flat_map(|hex| of(*hex).map(move |(to, sea)| (*hex, to, sea)));
    each_once.filter(|(a, b, _)| a < b).map(|(a, b, sea)| LinkPicture { ends: [a, b], sea }).collect()
}

fn standing(standing: Standing) -> &'static str {
    match standing {
        Standing::Home => "home",
        Standing::Vassal => "vassal",
        Standing::Neutral => "neutral",
    }
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
        ships: known && units.iter().any(|unit| unit.kind.is_naval()),
        names: names.collect(),
    })
}

fn ground(hex: &Hex) -> &'static str {
    match hex.ground {
        Ground::Land if hex.off_map => "box",
        Ground::Land => "land",
        Ground::Sea => "sea",
        Ground::Lake => "lake",
    }
}

fn city(state: &State, at: HexId, city: &City) -> CityPicture {
    let of_a_seat = state.campaign.seats.iter().any(|seat| seat.capitals.contains(&at));
    let capital = match &city.capital_of {
        _ if of_a_seat => "seat",
        Some(_) => "province",
        None => "",
    };
    let fort = match city.fort {
        Fort::None => "none",
        Fort::Square => "square",
        Fort::Hexagon => "hexagon",
    };
    CityPicture {
        name: city.name.clone(),
        value: city.value,
        fort: fort.to_owned(),
        port: city.port.is_some(),
        capital: capital.to_owned(),
    }
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
        strait: side.strait,
    })
}
