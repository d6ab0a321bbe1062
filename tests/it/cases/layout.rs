//! Hexes named by letters find places on the real grid, so that two of them touch if and only if the case says so.

use std::collections::{BTreeMap, BTreeSet};
use umpire::engine::{Grid, HexId};

const GRID: Grid = Grid::PointyOddRows;

/// Places letters. Letters that touch are neighbours; others are not, or (`Err` of none) it cannot be done on a hex grid.
pub fn place(letters: &BTreeSet<char>, sides: &BTreeSet<(char, char)>) -> BTreeMap<char, HexId> {
    let touching = |a: char, b: char| sides.contains(&(a.min(b), a.max(b)));
    let mut placed = BTreeMap::new();
    let mut left = letters.clone();
    let mut column = 10;
    while let Some(first) = left.first().copied() {
        let mut order = vec![first];
        left.remove(&first);
        let mut next = 0;
        while let Some(here) = order.get(next).copied() {
            for there in left.iter().copied().filter(|there| touching(here, *there)).collect::<Vec<_>>() {
                left.remove(&there);
                order.push(there);
            }
            next += 1;
        }
        let mut part = BTreeMap::from([(first, HexId::new(column, 10).unwrap())]);
        assert!(fit(&order[1..], &touching, &mut part), "the hexes {order:?} do not fit on a hex grid as described");
        placed.extend(part);
        column += 15;
    }
    placed
}

fn fit(order: &[char], touching: &impl Fn(char, char) -> bool, placed: &mut BTreeMap<char, HexId>) -> bool {
    let Some((&letter, rest)) = order.split_first() else { return true };
    let anchor = placed.iter().find(|(other, _)| touching(letter, **other)).map(|(_, hex)| *hex);
    for hex in anchor.map(|anchor| GRID.neighbours(anchor)).unwrap_or_default() {
        let free = placed.values().all(|taken| *taken != hex);
        let agrees = placed.iter().all(|(other, at)| GRID.adjacent(hex, *at) == touching(letter, *other));
        if free && agrees {
            placed.insert(letter, hex);
            if fit(rest, touching, placed) {
                return true;
            }
            placed.remove(&letter);
        }
    }
    false
}

#[test]
fn letters_touch_as_described() {
    let sides = BTreeSet::from([('A', 'B'), ('A', 'C'), ('B', 'C'), ('C', 'D')]);
    let placed = place(&BTreeSet::from(['A', 'B', 'C', 'D', 'E']), &sides);
    for (a, at) in &placed {
        for (b, bt) in placed.iter().filter(|(b, _)| a < *b) {
            assert_eq!(GRID.adjacent(*at, *bt), sides.contains(&(*a, *b)), "{a} {b}");
        }
    }
}
