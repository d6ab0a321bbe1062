//! Rivers run along hexsides without a gap or a fork, or a river move could not follow them [003 River Movement].

use super::raw::{At, Faults};
use crate::engine::{Grid, HexId, HexSide};
use crate::rules::season::board::{RiverId, Side};
use std::collections::{BTreeMap, BTreeSet};

/// A corner of the map: the three hexes that meet there.
type Corner = [HexId; 3];

/// The one or two corners at the ends of a side. At the very edge of the numbering a corner has no third hex; no other side
/// can end there.
fn corners(grid: Grid, side: HexSide) -> Vec<Corner> {
    let [a, b] = side.hexes();
    let beside = grid.neighbours(b);
    let third = grid.neighbours(a).into_iter().filter(|c| beside.contains(c));
    third
        .map(|c| {
            let mut corner = [a, b, c];
            corner.sort_unstable();
            corner
        })
        .collect()
}

/// Checks every named river.
pub(super) fn check(grid: Grid, sides: &BTreeMap<HexSide, Side>, lines: &BTreeMap<HexSide, At>, faults: &mut Faults) {
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

/// A river's name from its id: `courland_aa` is the Courland Aa.
pub(super) fn name(id: &RiverId) -> String {
    let words = id.0.split('_').map(|word| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    words.collect::<Vec<_>>().join(" ")
}
