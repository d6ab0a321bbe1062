//! The way of a march, worked out when the letter is read, against what the seat can see.

use super::index::Index;
use crate::engine::{HexId, SeatId};
use crate::rules::season::board::{Ground, RiverId};
use crate::rules::season::order::Pace;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Who goes, for the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    /// Hexes of the slowest at the normal rate.
    pub rate: u32,
    /// A leader goes along: rivers can be tried [003 Rivers, R-003-94].
    pub led: bool,
}

/// What a way costs, worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Cost {
    /// Certain halts on the way.
    halts: u32,
    /// Hexes of powers that are neither enemies nor friends.
    strangers: u32,
    /// Marching beyond the normal rate.
    beyond: u32,
    /// River rolls.
    rolls: u32,
    /// Hexes.
    length: u32,
    /// Sides over which fewer brigades can go than over clear ones.
    narrow: u32,
}

/// A way and what stands in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    /// Every hex, the start not included.
    pub path: Vec<HexId>,
    /// Where it certainly comes to a halt before its goal, if it does.
    pub halts_at: Option<HexId>,
}

/// Why there is no way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoWay {
    /// Too far: so many hexes.
    Far(u32),
    /// No way by land at all.
    None,
    /// The places do not lie on one river.
    River,
}

/// The best way from `from` over `legs` (places to pass, the goal last): among the ways within reach the one with the fewest
/// certain halts (forest, marsh or mountains crossed in mid-way, enemies seen), then over no land where the march would make
/// war, then without marching beyond the normal rate, then with the fewest rivers to force, then the shortest, then the widest,
/// then the lowest hex numbers [003 Army Movement, Side Limits, Rivers, R-003-82].
///
/// # Errors
/// If no way is within reach.
pub(super) fn way(
    index: &Index<'_>,
    from: HexId,
    legs: &[HexId],
    pace: Pace,
    column: Column,
    river: Option<&RiverId>,
) -> Result<Way, NoWay> {
    if pace == Pace::River {
        return by_river(index, from, legs, river);
    }
    let reach = if pace == Pace::Forced { column.rate.saturating_mul(2) } else { column.rate };
    let mut search = Search { index, legs, reach, column, best: None, path: Vec::new() };
    search.go(from, 0, Cost::default(), false);
    if let Some((_, path)) = search.best {
        let halts_at = halt(index, from, &path, column);
        return Ok(Way { path, halts_at });
    }
    let mut at = from;
    let mut length = 0;
    for leg in legs {
        length += distance(index, at, *leg).ok_or(NoWay::None)?;
        at = *leg;
    }
    Err(NoWay::Far(length))
}

struct Search<'a, 'b> {
    index: &'a Index<'b>,
    legs: &'a [HexId],
    reach: u32,
    column: Column,
    best: Option<(Cost, Vec<HexId>)>,
    path: Vec<HexId>,
}

impl Search<'_, '_> {
    fn go(&mut self, at: HexId, leg: usize, cost: Cost, halted: bool) {
        let Some(target) = self.legs.get(leg).copied() else {
            let better = self.best.as_ref().is_none_or(|(best, path)| (cost, &self.path) < (*best, path));
            if better {
                self.best = Some((cost, self.path.clone()));
            }
            return;
        };
        if at == target && !(leg == 0 && self.path.is_empty()) {
            return self.go(at, leg + 1, cost, halted);
        }
        let left = self.reach.saturating_sub(cost.length);
        if left == 0 || !self.index.view.campaign.board.is_within(at, target, left) {
            return;
        }
        let steps: Vec<(HexId, bool)> = steps(self.index, at).collect();
        for (next, stops) in steps {
            if self.path.contains(&next) {
                continue;
            }
            let board = &self.index.view.campaign.board;
            let crossing = board.needs_crossing(at, next);
            let blocked = crossing && !self.column.led;
            let length = cost.length + 1;
            let cost = Cost {
                halts: cost.halts + u32::from(halted) + u32::from(blocked),
                strangers: cost.strangers + u32::from(stranger(self.index, next).is_some()),
                beyond: cost.beyond.max(u32::from(length > self.column.rate)),
                rolls: cost.rolls + u32::from(crossing),
                length,
                narrow: cost.narrow + u32::from(stops),
            };
            if self.best.as_ref().is_some_and(|(best, _)| cost.halts > best.halts) {
                continue;
            }
            self.path.push(next);
            let must_halt = stops || self.index.view.enemies_seen(self.index.seat, next) > 0;
            self.go(next, leg, cost, must_halt);
            self.path.pop();
        }
    }
}

/// Where brigades can go from a hex, and whether they must stop behind the side [003 Side Limits].
fn steps<'a>(index: &'a Index<'_>, at: HexId) -> impl Iterator<Item = (HexId, bool)> + 'a {
    let board = &index.view.campaign.board;
    let land = |hex: HexId| board.hexes.get(&hex).is_some_and(|hex| hex.ground == Ground::Land);
    let stops = &index.view.campaign.figures.stops;
    board.ways_from(at).filter(move |(next, _)| land(*next)).map(|(next, side)| (next, stops.contains(&side.terrain)))
}

/// The power that rules a hex, if it is neither enemy nor friend: who marches in makes war [R-003-03, R-003-82].
pub(super) fn stranger<'a>(index: &'a Index<'_>, hex: HexId) -> Option<&'a SeatId> {
    let (view, seat) = (index.view, index.seat);
    let owner = view.controller(hex)?;
    let friendly = owner == seat || view.passage.contains(&(owner.clone(), seat.clone()));
    (!friendly && !view.at_war(seat, owner)).then_some(owner)
}

/// Hexes by land between two places.
pub(super) fn distance(index: &Index<'_>, from: HexId, to: HexId) -> Option<u32> {
    let mut seen = BTreeMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(at) = queue.pop_front() {
        let far = seen.get(&at).copied().unwrap_or(0);
        if at == to {
            return Some(far);
        }
        for (next, _) in steps(index, at) {
            if let std::collections::btree_map::Entry::Vacant(entry) = seen.entry(next) {
                entry.insert(far + 1);
                queue.push_back(next);
            }
        }
    }
    None
}

fn halt(index: &Index<'_>, from: HexId, path: &[HexId], column: Column) -> Option<HexId> {
    let mut at = from;
    let last = path.len().saturating_sub(1);
    for (i, next) in path.iter().enumerate() {
        if index.view.campaign.board.needs_crossing(at, *next) && !column.led {
            return Some(at);
        }
        let stops = steps(index, at).any(|(hex, stops)| hex == *next && stops);
        if i < last && (stops || index.view.enemies_seen(index.seat, *next) > 0) {
            return Some(*next);
        }
        at = *next;
    }
    None
}

/// Along one river, at most so many hexes; hexes with enemies or an enemy fortified city stop it [003 River Movement, R-003-66].
fn by_river(index: &Index<'_>, from: HexId, legs: &[HexId], river: Option<&RiverId>) -> Result<Way, NoWay> {
    let board = &index.view.campaign.board;
    let goal = legs.last().copied().ok_or(NoWay::None)?;
    let mut rivers = board.rivers_at(from);
    rivers.retain(|id| board.rivers_at(goal).contains(id) && river.is_none_or(|named| named == id));
    let most = index.view.campaign.figures.river_move_max;
    let mut best: Option<(u32, Vec<HexId>)> = None;
    let mut far = None;
    for river in rivers {
        let mut at = from;
        let mut path = Vec::new();
        let mut whole = true;
        for leg in legs {
            match along(index, &river, at, *leg) {
                Some(part) => path.extend(part),
                None => whole = false,
            }
            at = *leg;
        }
        let length = u32::try_from(path.len()).unwrap_or(u32::MAX);
        if !whole {
            continue;
        }
        if length > most {
            far = Some(length);
        } else if best.as_ref().is_none_or(|(have, _)| length < *have) {
            best = Some((length, path));
        }
    }
    match (best, far) {
        (Some((_, path)), _) => Ok(Way { path, halts_at: None }),
        (None, Some(length)) => Err(NoWay::Far(length)),
        (None, None) => Err(NoWay::River),
    }
}

/// Along a river between two hexes: from hex to neighbouring hex, both on the river and the side between them open; the way
/// with the fewest hexes with enemies or strangers, then the shortest, then the widest, then the lowest numbers.
fn along(index: &Index<'_>, river: &RiverId, from: HexId, to: HexId) -> Option<Vec<HexId>> {
    let board = &index.view.campaign.board;
    let on_river = |hex: HexId| board.rivers_at(hex).contains(river);
    let hostile = |hex: HexId| {
        let fort = board.city(hex).is_some_and(|city| city.fort > crate::rules::season::board::Fort::None);
        let enemy = index.view.controller(hex).is_some_and(|owner| index.view.at_war(index.seat, owner));
        let strange = stranger(index, hex).is_some();
        u32::from(hex != to && (index.view.enemies_seen(index.seat, hex) > 0 || (fort && enemy) || strange))
    };
    let start = (0, 0, 0, Vec::new());
    let mut best: BTreeMap<HexId, (u32, u32, u32, Vec<HexId>)> = BTreeMap::from([(from, start.clone())]);
    let mut open: BTreeSet<((u32, u32, u32, Vec<HexId>), HexId)> = [(start, from)].into();
    while let Some(((bad, length, narrow, path), at)) = open.pop_first() {
        if at == to {
            return Some(path);
        }
        if best.get(&at).is_some_and(|have| *have < (bad, length, narrow, path.clone())) {
            continue;
        }
        for (next, stops) in steps(index, at).filter(|(next, _)| on_river(*next)) {
            let mut longer = path.clone();
            longer.push(next);
            let state = (bad + hostile(next), length + 1, narrow + u32::from(stops), longer);
            if best.get(&next).is_none_or(|have| state < *have) {
                best.insert(next, state.clone());
                open.insert((state, next));
            }
        }
    }
    None
}
