//! `links.csv`: what boxes are next to [R-003-P46].

use super::raw::{At, Faults, Row, rows_if_there};
use super::terms::TERRAINS;
use crate::engine::{HexId, HexSide};
use crate::rules::season::board::{Board, Ground, Hex, Port, Side, Terrain};
use std::collections::BTreeMap;

const COLUMNS: [&str; 4] = ["hex_a", "hex_b", "by", "terrain"];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Land,
    Sea,
}

/// Reads the file, if there is one, into the board.
pub(super) fn read(
    files: &BTreeMap<String, String>,
    board: &mut Board,
    hexes: &BTreeMap<HexId, At>,
    faults: &mut Faults,
) {
    let mut lines: BTreeMap<(HexSide, By), At> = BTreeMap::new();
    for row in rows_if_there(files, "links.csv", &COLUMNS, faults) {
        let by = row.choice("by", &[("land", By::Land), ("sea", By::Sea)], faults);
        let (Some(a), Some(b)) = (row.hex("hex_a", faults), row.hex("hex_b", faults)) else { continue };
        let Some(by) = by.filter(|_| are_ends(board, &row, a, b, faults)) else { continue };
        let id = HexSide::between(a, b);
        if let Some(first) = lines.insert((id, by), row.at) {
            let message = format!("the link {id} by {} stands twice", row.text("by"));
            faults.add(row.at, message, format!("first in line {}", first.line));
            continue;
        }
        match by {
            By::Land => by_land(board, &row, [a, b], faults),
            By::Sea => by_sea(board, &row, [a, b], faults),
        }
    }
    for (id, _) in board.hexes.iter().filter(|(_, hex)| hex.off_map) {
        if board.links.by_land(*id).is_empty() && board.links.by_sea(*id).is_empty() {
            let at = hexes.get(id).copied().unwrap_or(At { file: "hexes.csv", line: 0 });
            faults.add(at, format!("no link leads to the box {id}"), "a line of links.csv is needed");
        }
    }
}

/// Two different hexes of hexes.csv, at least one of them a box.
fn are_ends(board: &Board, row: &Row, a: HexId, b: HexId, faults: &mut Faults) -> bool {
    let unknown = [a, b].into_iter().find(|hex| !board.hexes.contains_key(hex));
    let (message, help) = if let Some(hex) = unknown {
        (format!("{hex} is not in hexes.csv"), "a link joins a box to a hex of the board or to another box")
    } else if a == b {
        (format!("{a} is linked to itself"), "name two hexes")
    } else if !board.is_off_map(a) && !board.is_off_map(b) {
        (format!("neither {a} nor {b} is a box"), "hexes of the board have sides, see hexsides.csv")
    } else {
        return true;
    };
    faults.add(row.at, message, help);
    false
}

/// A land link is a side like any other.
fn by_land(board: &mut Board, row: &Row, [a, b]: [HexId; 2], faults: &mut Faults) {
    let water = |hex: &HexId| board.hexes.get(hex).is_some_and(|h| h.ground != Ground::Land);
    if let Some(hex) = [a, b].into_iter().find(water) {
        faults.add(row.at, format!("{hex} is water"), "by = sea, or link the box to a land hex");
        return;
    }
    let terrain = row.choice("terrain", &TERRAINS, faults).unwrap_or(Terrain::Clear);
    board.sides.insert(HexSide::between(a, b), Side { terrain, river: None, closed: false, strait: false });
    board.links.join_by_land(a, b);
}

/// A sea link leads from the sea port of a box to a sea hex, or to another box with one.
fn by_sea(board: &mut Board, row: &Row, [a, b]: [HexId; 2], faults: &mut Faults) {
    if !row.text("terrain").is_empty() {
        faults.add(row.at, "a sea link has a terrain", "leave it empty");
    }
    for hex in [a, b] {
        let found = board.hexes.get(&hex);
        let port = found.and_then(|h: &Hex| h.city.as_ref()?.port.as_ref()).is_some_and(|port: &Port| port.sea);
        let (fits, why) = match found {
            Some(h) if h.off_map => (port, format!("the box {hex} has no sea port")),
            Some(h) => (h.ground == Ground::Sea, format!("{hex} is no sea hex")),
            None => continue,
        };
        if !fits {
            faults.add(row.at, why, "a sea link joins a box with a sea port to a sea hex or to another such box");
            return;
        }
    }
    board.links.join_by_sea(a, b);
}
