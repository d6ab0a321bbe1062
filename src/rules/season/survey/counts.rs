//! What there is on a board, in figures.

use super::super::board::{Board, City, Fort, Ground, Side, Standing, Terrain};
use super::super::campaign::Campaign;
use super::land::Sea;
use std::collections::BTreeSet;

/// A line for each kind of thing.
pub(super) fn of(campaign: &Campaign, seas: &[Sea]) -> Vec<(String, String)> {
    let board = &campaign.board;
    let lines = [
        ("hexes", hexes(board)),
        ("hexsides", sides(board)),
        ("rivers", rivers(board)),
        ("cities", cities(board)),
        ("ports", ports(board, seas)),
        ("lands", lands(campaign)),
        ("names", format!("{} for {} places", board.places.len(), places(board))),
        ("roads", roads(board)),
        ("links", links(board)),
    ];
    lines.into_iter().filter(|(_, line)| !line.is_empty()).map(|(what, line)| (what.to_owned(), line)).collect()
}

/// "3 land, 2 sea": the parts that are not none.
fn parts(parts: &[(usize, &str)]) -> String {
    let there = parts.iter().filter(|(number, _)| *number > 0);
    there.map(|(number, what)| format!("{number} {what}")).collect::<Vec<_>>().join(", ")
}

fn hexes(board: &Board) -> String {
    let of =
        |ground, off_map| board.hexes.values().filter(|hex| hex.ground == ground && hex.off_map == off_map).count();
    let found = parts(&[
        (of(Ground::Land, false), "land"),
        (of(Ground::Sea, false), "sea"),
        (of(Ground::Lake, false), "lake"),
        (of(Ground::Land, true), "off the map"),
    ]);
    format!("{}: {found}; {} km across", board.hexes.len(), board.scale_km)
}

fn sides(board: &Board) -> String {
    let count = |fits: &dyn Fn(&Side) -> bool| board.sides.values().filter(|side| fits(side)).count();
    let terrain = |terrain| count(&|side| side.terrain == terrain && !side.closed);
    let found = parts(&[
        (terrain(Terrain::Clear), "clear"),
        (terrain(Terrain::Forest), "forest"),
        (terrain(Terrain::Marsh), "marsh"),
        (terrain(Terrain::Mountain), "mountain"),
        (count(&|side| side.closed && !side.strait), "impassable"),
        (count(&|side| side.strait), "straits"),
    ]);
    format!("{}: {found}", board.sides.len())
}

fn rivers(board: &Board) -> String {
    let flowing = || board.sides.values().filter_map(|side| side.river.as_ref());
    let found = parts(&[
        (flowing().filter(|river| river.major).count(), "sides major"),
        (flowing().filter(|river| !river.major).count(), "minor"),
        (flowing().filter(|river| river.id.is_none()).count(), "of these without a name"),
    ]);
    format!("{} with a name; {found}", board.rivers.len())
}

fn all_cities(board: &Board) -> impl Iterator<Item = &City> {
    board.hexes.values().filter_map(|hex| hex.city.as_ref())
}

fn cities(board: &Board) -> String {
    let value = |value| all_cities(board).filter(|city| city.value == value).count();
    let fort = |fort| all_cities(board).filter(|city| city.fort == fort).count();
    let values = parts(&[
        (value(4), "of value 4"),
        (value(3), "of 3"),
        (value(2), "of 2"),
        (value(1), "of 1"),
        (value(0), "of 0"),
    ]);
    let forts =
        parts(&[(fort(Fort::Hexagon), "hexagons"), (fort(Fort::Square), "squares"), (fort(Fort::None), "open")]);
    format!("{}: {values}; {forts}", all_cities(board).count())
}

fn ports(board: &Board, seas: &[Sea]) -> String {
    let river = all_cities(board).filter(|city| city.port.is_some_and(|port| !port.sea)).count();
    let lying = match seas.len() {
        0 => String::new(),
        1 => " on one sea".to_owned(),
        more => format!(" on {more} seas"),
    };
    format!("{} by the sea{lying}, {river} by rivers", board.sea_ports().count())
}

fn lands(campaign: &Campaign) -> String {
    let board = &campaign.board;
    let stands = |standing| board.provinces.iter().filter(|province| province.standing == standing).count();
    let found = parts(&[
        (stands(Standing::Home), "home"),
        (stands(Standing::Vassal), "vassal"),
        (stands(Standing::Neutral), "neutral"),
    ]);
    let of_none = board.hexes.values().filter(|hex| hex.ground == Ground::Land && hex.province.is_none()).count();
    let none = if of_none > 0 { format!("; {of_none} land hexes of no province") } else { String::new() };
    format!("{} provinces of {} seats: {found}{none}", board.provinces.len(), campaign.seats.len())
}

fn places(board: &Board) -> usize {
    board
        .places
        .iter()
        .filter(|place| place.preferred)
        .map(|place| (&place.name, place.hex))
        .collect::<BTreeSet<_>>()
        .len()
}

fn roads(board: &Board) -> String {
    let steps: usize = board.roads.iter().map(|road| road.hexes.len().saturating_sub(1)).sum();
    if board.roads.is_empty() { String::new() } else { format!("{} over {steps} sides", board.roads.len()) }
}

fn links(board: &Board) -> String {
    let (by_land, by_sea) = board.links.count();
    parts(&[(by_land, "by land"), (by_sea, "by sea")])
}
