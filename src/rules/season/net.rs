//! The board as numbers, for what walks over all of it for every seat in every turn.

use super::board::{Board, RiverId};
use crate::engine::HexId;
use std::sync::OnceLock;

/// The hexes numbered in their order, and the open ways between them.
#[derive(Debug)]
pub(super) struct Net {
    /// The hexes, in hex order: a hex's number is its place here.
    pub hexes: Vec<HexId>,
    /// From each hex: the numbers of the hexes that can be entered, and whether one named river touches both.
    pub ways: Vec<Vec<(usize, bool)>>,
}

impl Net {
    fn of(board: &Board) -> Self {
        let hexes: Vec<HexId> = board.hexes.keys().copied().collect();
        let rivers: Vec<Vec<RiverId>> = hexes.iter().map(|hex| board.rivers_at(*hex)).collect();
        let way = |here: usize, there: HexId| {
            let there = hexes.binary_search(&there).ok()?;
            let (ours, theirs) = (rivers.get(here)?, rivers.get(there)?);
            Some((there, ours.iter().any(|river| theirs.contains(river))))
        };
        let from =
            |(here, hex): (usize, &HexId)| board.ways_from(*hex).filter_map(|(next, _)| way(here, next)).collect();
        let ways = hexes.iter().enumerate().map(from).collect();
        Net { hexes, ways }
    }

    /// A hex's number.
    pub fn number(&self, hex: HexId) -> Option<usize> {
        self.hexes.binary_search(&hex).ok()
    }
}

/// A net worked out when it is first asked for. It follows from its board, so two boards differ by it no more than by their own data.
#[derive(Debug, Default)]
pub struct Woven(OnceLock<Net>);

impl Woven {
    pub(super) fn of(&self, board: &Board) -> &Net {
        self.0.get_or_init(|| Net::of(board))
    }
}

impl Clone for Woven {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Woven {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Woven {}
