//! `hexsides.csv`: the sides between land hexes; and whether ports lie where ships come.

use super::raw::{At, Faults, Row, rows};
use super::terms::{TERRAINS, is_slug};
use crate::engine::{HexId, HexSide};
use crate::rules::season::board::{Board, Ground, RiverId, Side, SideRiver, Terrain};
use crate::rules::season::waters::Water;
use std::collections::BTreeMap;

const FILE: &str = "hexsides.csv";
const COLUMNS: [&str; 6] = ["hex_a", "hex_b", "terrain", "river", "class", "barrier"];
/// Words for what bars a side: closed to brigades, passed by fleets.
const BARRIERS: [(&str, (bool, bool)); 3] =
    [("", (false, false)), ("impassable", (true, false)), ("strait", (true, true))];

/// Reads the file into the board and gives each side's line.
pub(super) fn read(files: &BTreeMap<String, String>, board: &mut Board, faults: &mut Faults) -> BTreeMap<HexSide, At> {
    let mut lines: BTreeMap<HexSide, At> = BTreeMap::new();
    for row in rows(files, FILE, &COLUMNS, faults) {
        let (Some(a), Some(b)) = (row.hex("hex_a", faults), row.hex("hex_b", faults)) else { continue };
        if !is_side(board, &row, a, b, faults) {
            continue;
        }
        let id = HexSide::between(a, b);
        if let Some(first) = lines.insert(id, row.at) {
            faults.add(row.at, format!("the side {id} stands twice"), format!("first in line {}", first.line));
        }
        let side = side(&row, faults);
        board.sides.insert(id, side);
    }
    missing(board, &lines, faults);
    straits(board, &lines, faults);
    lines
}

fn is_side(board: &Board, row: &Row, a: HexId, b: HexId, faults: &mut Faults) -> bool {
    for hex in [a, b] {
        let (message, help) = match board.hexes.get(&hex) {
            None => (format!("{hex} is not in hexes.csv"), "a side lies between two hexes of the board"),
            Some(h) if h.ground != Ground::Land => {
                (format!("{hex} is water"), "only sides between two land hexes are listed")
            }
            Some(h) if h.off_map => (format!("{hex} is a box and has no sides"), "links.csv says what it is next to"),
            Some(_) => continue,
        };
        faults.add(row.at, message, help);
        return false;
    }
    let adjacent = board.grid.adjacent(a, b);
    if !adjacent {
        faults.add(row.at, format!("{a} and {b} are no neighbours"), "odd rows stand half a hex to the right");
    }
    adjacent
}

fn side(row: &Row, faults: &mut Faults) -> Side {
    let terrain = row.choice("terrain", &TERRAINS, faults).unwrap_or(Terrain::Clear);
    let class = row.choice("class", &[("", None), ("major", Some(true)), ("minor", Some(false))], faults).flatten();
    let name = row.text("river");
    if !name.is_empty() && !is_slug(name) {
        faults.add(row.at, format!("\"{name}\" is no id of a river"), "lower-case letters, digits and _ are");
    }
    if !name.is_empty() && row.text("class").is_empty() {
        faults.add(row.at, format!("the river {name} has no class"), "major or minor");
    }
    let id = (!name.is_empty()).then(|| RiverId(name.into()));
    let river = (id.is_some() || class.is_some()).then(|| SideRiver { id, major: class.unwrap_or(false) });
    let (closed, strait) = row.choice("barrier", &BARRIERS, faults).unwrap_or((false, false));
    if strait && river.is_some() {
        faults.add(row.at, "a side is a strait and a river", "a strait is sea: leave river and class empty");
    }
    Side { terrain, river, closed, strait }
}

/// Every two land hexes that touch have a line: what is not said is not guessed.
fn missing(board: &Board, lines: &BTreeMap<HexSide, At>, faults: &mut Faults) {
    let land = |hex: &HexId| board.hexes.get(hex).is_some_and(|h| h.ground == Ground::Land && !h.off_map);
    for a in board.hexes.keys().copied().filter(land) {
        for b in board.grid.neighbours(a).into_iter().filter(|b| a < *b && land(b)) {
            if !lines.contains_key(&HexSide::between(a, b)) {
                let at = At { file: FILE, line: 0 };
                let help = "every two neighbouring land hexes have a line";
                faults.add(at, format!("the side {a}/{b} is missing"), help);
            }
        }
    }
}

/// A strait that meets no water at either end is none [R-003-P47].
fn straits(board: &Board, lines: &BTreeMap<HexSide, At>, faults: &mut Faults) {
    for (id, _) in board.sides.iter().filter(|(_, side)| side.strait) {
        if board.sea_ways_from(Water::Strait(*id)).is_empty() {
            let at = lines.get(id).copied().unwrap_or(At { file: FILE, line: 0 });
            let message = format!("the strait {id} joins nothing: no sea hex and no strait is at its ends");
            faults.add(at, message, "impassable, if no ship passes; else make the hex at its end sea");
        }
    }
}

/// A sea port lies where ships come, a river port on a named river (which a box's lies off the map with it) [003 Ports, R-003-P46, R-003-P47].
pub(super) fn ports(board: &Board, cities: &BTreeMap<String, (HexId, At)>, faults: &mut Faults) {
    for (hex, at) in cities.values() {
        let Some((city, port)) = board.city(*hex).and_then(|city| Some((city, city.port?))) else { continue };
        if port.sea && board.waters_at(*hex).is_empty() && board.links.by_sea(*hex).is_empty() {
            let message = match board.is_off_map(*hex) {
                true => format!("{} is a sea port and no sea link leads to its box {hex}", city.name),
                false => format!("{} is a sea port and no sea hex or strait is beside {hex}", city.name),
            };
            faults.add(*at, message, "port = river or none");
        } else if !port.sea && board.rivers_at(*hex).is_empty() && !board.is_off_map(*hex) {
            let message = format!("{} is a river port and no named river touches {hex}", city.name);
            faults.add(*at, message, "port = none");
        }
    }
}
