//! Rivers run along hexsides without a gap or a fork, or a river move could not follow them [003 River Movement].

use super::names::plain;
use super::raw::{At, Faults, did_you_mean, rows};
use super::terms::is_slug;
use crate::engine::{Grid, HexId, HexSide};
use crate::rules::season::board::{Board, RiverId, Side};
use std::collections::{BTreeMap, BTreeSet};

const FILE: &str = "rivers.csv";

/// A corner of the map: the three hexes that meet there.
type Corner = [HexId; 3];

/// The one or two corners at the ends of a side. At the very edge of the numbering a corner has no third hex; no other side
/// can end there.
fn corners(grid: Grid, side: HexSide) -> Vec<Corner> {
    let [a, b] = side.hexes();
    let corner = |c: HexId| {
        let mut corner = [a, b, c];
        corner.sort_unstable();
        corner
    };
    grid.ends_of(side).into_iter().map(corner).collect()
}

/// Reads `rivers.csv` and holds it against the sides: every river has a name and a course.
pub(super) fn read(
    files: &BTreeMap<String, String>,
    board: &mut Board,
    lines: &BTreeMap<HexSide, At>,
    faults: &mut Faults,
) {
    check(board.grid, &board.sides, lines, faults);
    let mut named: BTreeMap<RiverId, At> = BTreeMap::new();
    let mut names: BTreeMap<String, (RiverId, At)> = BTreeMap::new();
    for row in rows(files, FILE, &["id", "name", "aliases"], faults) {
        let id = row.needed("id", faults);
        if !is_slug(&id) {
            faults.add(row.at, format!("\"{id}\" is no id"), "lower-case letters, digits and _ are");
        }
        let (id, name, aliases) = (RiverId(id.into()), row.needed("name", faults), row.list("aliases"));
        if let Some(first) = named.insert(id.clone(), row.at) {
            faults.add(row.at, format!("the river \"{id}\" stands twice"), format!("first in line {}", first.line));
            continue;
        }
        for name in aliases.iter().chain([&name]) {
            let known = names.entry(plain(name)).or_insert_with(|| (id.clone(), row.at));
            if known.0 != id {
                let help = format!("it is already in line {}; a river move must know which is meant", known.1.line);
                faults.add(row.at, format!("the name \"{name}\" stands for two rivers"), help);
            }
        }
        board.river_aliases.extend(aliases.into_iter().map(|alias| (id.clone(), alias)));
        board.rivers.insert(id, name);
    }
    // Without the file at all there is one fault, not one for every river.
    if files.contains_key(FILE) {
        unnamed(board, lines, &named, faults);
    }
}

fn unnamed(board: &Board, lines: &BTreeMap<HexSide, At>, named: &BTreeMap<RiverId, At>, faults: &mut Faults) {
    let mut flowing: BTreeSet<&RiverId> = BTreeSet::new();
    for (side, found) in &board.sides {
        let Some(id) = found.river.as_ref().and_then(|river| river.id.as_ref()) else { continue };
        if flowing.insert(id) && !named.contains_key(id) {
            let at = lines.get(side).copied().unwrap_or(At { file: "hexsides.csv", line: 0 });
            let near = did_you_mean(&id.0, named.keys().map(|id| &*id.0));
            faults.add(at, format!("the river \"{id}\" is not in rivers.csv"), near);
        }
    }
    for (id, at) in named.iter().filter(|(id, _)| !flowing.contains(id)) {
        faults.add(*at, format!("the river \"{id}\" is on no side of hexsides.csv"), "strike it, or draw its course");
    }
}

/// Checks every named river.
fn check(grid: Grid, sides: &BTreeMap<HexSide, Side>, lines: &BTreeMap<HexSide, At>, faults: &mut Faults) {
    let mut rivers: BTreeMap<&RiverId, Vec<HexSide>> = BTreeMap::new();
    for (side, found) in sides {
        if let Some(id) = found.river.as_ref().and_then(|river| river.id.as_ref()) {
            rivers.entry(id).or_default().push(*side);
        }
    }
    for (river, course) in rivers {
        let mut at_corner: BTreeMap<Corner, Vec<HexSide>> = BTreeMap::new();
        for side in &course {
            for corner in corners(grid, *side) {
                at_corner.entry(corner).or_default().push(*side);
            }
        }
        let line = |side: &HexSide| lines.get(side).copied().unwrap_or(At { file: "hexsides.csv", line: 0 });
        for fork in at_corner.values().filter(|meeting| meeting.len() > 2) {
            if let Some(last) = fork.last() {
                let message = format!("the river {river} forks at the end of {last}");
                faults.add(line(last), message, "give the branch a name of its own");
            }
        }
        let reached = reach(&course, &at_corner);
        if let Some(cut_off) = course.iter().find(|side| !reached.contains(side)) {
            let message = format!("the river {river} has a gap: {cut_off} does not join the sides before it");
            faults.add(line(cut_off), message, "fill the gap, or give the parts two names");
        }
    }
}

fn reach(course: &[HexSide], at_corner: &BTreeMap<Corner, Vec<HexSide>>) -> BTreeSet<HexSide> {
    let mut reached: BTreeSet<HexSide> = course.first().copied().into_iter().collect();
    loop {
        let joined = at_corner.values().filter(|meeting| meeting.iter().any(|side| reached.contains(side)));
        let grown: BTreeSet<HexSide> = joined.flatten().copied().chain(reached.iter().copied()).collect();
        if grown.len() == reached.len() {
            return reached;
        }
        reached = grown;
    }
}
