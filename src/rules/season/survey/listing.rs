//! A board as text, one line a hex: two boards differ where the lines differ.

use super::super::board::{Board, City, Fort, Ground, Hex, Side, Terrain};
use super::super::waters::Water;
use crate::engine::{HexId, HexSide};

/// What the signs mean; the first lines of the listing.
const HEAD: [&str; 4] = [
    "# hex, ground, province, owner, \"name\", city with value, fort and port | ways in turn from the north-east",
    "# way: direction, hex, c clear f forest m marsh M mountain, ~river minor ~~river major, # impassable, = strait",
    "# water: the waters next to it, by hex; =a/b a strait that ends at its corner",
    "# link: a way to or from a box; sea-link: one for fleets",
];
/// In turn, as a clock goes.
const TURN: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// The listing.
pub(super) fn of(board: &Board) -> Vec<String> {
    let hexes = board.hexes.iter().map(|(id, hex)| line(board, *id, hex));
    HEAD.iter().map(|line| (*line).to_owned()).chain(hexes).collect()
}

fn line(board: &Board, id: HexId, hex: &Hex) -> String {
    let mut line = format!("{id} {}", head(hex));
    let mut ways: Vec<(usize, String)> = Vec::new();
    if !hex.off_map {
        for next in board.grid.neighbours(id) {
            let turn = direction(board, id, next);
            if let Some(what) = way(board, id, hex, next) {
                ways.push((turn, format!("{} {next} {what}", TURN.get(turn).copied().unwrap_or("?"))));
            }
        }
    }
    ways.sort();
    let mut ways: Vec<String> = ways.into_iter().map(|(_, way)| way).collect();
    if hex.ground == Ground::Sea {
        let straits = board.sea_ways_from(Water::Sea(id)).into_iter().filter_map(|water| match water {
            Water::Strait(side) => Some(format!("={side}")),
            Water::Sea(_) => None,
        });
        ways.extend(straits);
    }
    for next in board.links.by_land(id) {
        let side = board.sides.get(&HexSide::between(id, *next)).map(side).unwrap_or_default();
        ways.push(format!("link {next} {side}"));
    }
    ways.extend(board.links.by_sea(id).iter().map(|next| format!("sea-link {next}")));
    for way in ways {
        line.push_str(" | ");
        line.push_str(&way);
    }
    line
}

fn head(hex: &Hex) -> String {
    let ground = match (hex.ground, hex.off_map) {
        (Ground::Land, true) => "box",
        (Ground::Land, false) => "land",
        (Ground::Sea, _) => "sea",
        (Ground::Lake, _) => "lake",
    };
    let of = |word: Option<&str>| word.unwrap_or("-").to_owned();
    let province = of(hex.province.as_ref().map(|province| &*province.0));
    let owner = of(hex.owner.as_ref().map(|seat| seat.as_str()));
    let land = if hex.ground == Ground::Land { format!(" {province} {owner}") } else { String::new() };
    let city = hex.city.as_ref().map(city).unwrap_or_default();
    format!("{ground}{land} \"{}\"{city}", hex.name)
}

fn city(city: &City) -> String {
    let fort = match city.fort {
        Fort::None => "open",
        Fort::Square => "square",
        Fort::Hexagon => "hexagon",
    };
    let port = match city.port {
        Some(port) if port.sea => format!(" sea-port {}", port.factor),
        Some(_) => " river-port".to_owned(),
        None => String::new(),
    };
    format!(" {} {} {fort}{port}", city.name, city.value)
}

/// Where on the clock a neighbour lies, as a place of [`TURN`].
fn direction(board: &Board, from: HexId, to: HexId) -> usize {
    let ((ax, ay), (bx, by)) = (board.grid.centre(from), board.grid.centre(to));
    let sign = |way: f32| {
        if way > 0.1 {
            1
        } else if way < -0.1 {
            -1
        } else {
            0
        }
    };
    match (sign(bx - ax), sign(by - ay)) {
        (0, -1) => 0,
        (1, -1) => 1,
        (1, 0) => 2,
        (1, 1) => 3,
        (0, 1) => 4,
        (-1, 1) => 5,
        (-1, 0) => 6,
        _ => 7,
    }
}

/// What lies between a hex and one beside it: for land the side, or the water where the land ends; for water other water.
fn way(board: &Board, id: HexId, hex: &Hex, next: HexId) -> Option<String> {
    let other = board.hexes.get(&next).filter(|other| !other.off_map)?;
    match (hex.ground, other.ground) {
        (Ground::Land, Ground::Land) => {
            Some(board.sides.get(&HexSide::between(id, next)).map(side).unwrap_or_default())
        }
        (_, Ground::Sea) => Some("sea".to_owned()),
        (Ground::Land, Ground::Lake) => Some("lake".to_owned()),
        _ => None,
    }
}

fn side(side: &Side) -> String {
    let terrain = match side.terrain {
        Terrain::Clear => "c",
        Terrain::Forest => "f",
        Terrain::Marsh => "m",
        Terrain::Mountain => "M",
    };
    let river = side.river.as_ref().map(|river| {
        let name = river.id.as_ref().map_or("", |id| &*id.0);
        format!(" {}{name}", if river.major { "~~" } else { "~" })
    });
    let bar = match (side.strait, side.closed) {
        (true, _) => " =",
        (false, true) => " #",
        (false, false) => "",
    };
    format!("{terrain}{}{bar}", river.unwrap_or_default())
}
