//! Where ships can go: sea hexes, straits that join them, links of boxes [003 Fleet Movement, R-003-68, R-003-P46, R-003-P47].

use super::board::{Board, Ground, Port, Side};
use crate::engine::{HexId, HexSide};
use std::collections::{BTreeMap, VecDeque};

/// A piece of water.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Water {
    /// A sea hex.
    Sea(HexId),
    /// A strait between two land hexes.
    Strait(HexSide),
}

impl Water {
    /// What it adds to a voyage, which is counted in sea hexes [R-003-68]: a strait is none [R-003-P47].
    fn hexes(self) -> u32 {
        match self {
            Water::Sea(_) => 1,
            Water::Strait(_) => 0,
        }
    }
}

impl Board {
    fn is_sea(&self, hex: HexId) -> bool {
        self.hexes.get(&hex).is_some_and(|hex| hex.ground == Ground::Sea)
    }

    fn is_strait(&self, side: HexSide) -> bool {
        self.sides.get(&side).is_some_and(|side: &Side| side.strait)
    }

    /// The cities that ships reach from the sea, by their hexes [003 Ports].
    pub fn sea_ports(&self) -> impl Iterator<Item = HexId> {
        let is_port = |port: &Port| port.sea;
        self.hexes.iter().filter(move |(_, hex)| {
            hex.city.as_ref().and_then(|city| city.port.as_ref()).is_some_and(is_port)
        }).map(|(hex, _)| *hex)
    }

    /// The waters on which a sea port opens: the sea hexes beside its hex, the straits along it, and for a box the sea hexes that
    /// links join to it [003 Ports, R-003-P46, R-003-P47].
    pub fn waters_at(&self, port: HexId) -> Vec<Water> {
        let mut found: Vec<Water> = Vec::new();
        if !self.is_off_map(port) {
            for next in self.grid.neighbours(port) {
                let side = HexSide::between(port, next);
                if self.is_sea(next) {
                    found.push(Water::Sea(next));
                } else if self.is_strait(side) {
                    found.push(Water::Strait(side));
                }
            }
        }
        found.extend(self.links.by_sea(port).iter().filter(|hex| self.is_sea(**hex)).map(|hex| Water::Sea(*hex)));
        found.sort_unstable();
        found
    }

    /// The waters next to one: neighbouring sea hexes, and what meets at the two ends of a strait [R-003-P47].
    pub fn sea_ways_from(&self, water: Water) -> Vec<Water> {
        let mut found: Vec<Water> = match water {
            Water::Sea(hex) => self.around(hex),
            Water::Strait(side) => self.ends(side),
        };
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The sea hexes beside a sea hex, and the straits that end at one of its corners.
    fn around(&self, sea: HexId) -> Vec<Water> {
        let beside = self.grid.neighbours(sea);
        let hexes = beside.iter().filter(|hex| self.is_sea(**hex)).map(|hex| Water::Sea(*hex));
        let sides = beside.iter().flat_map(|a| beside.iter().map(move |b| (*a, *b))).filter(|(a, b)| a < b);
        let straits = sides.map(|(a, b)| HexSide::between(a, b)).filter(|side| self.is_strait(*side));
        hexes.chain(straits.map(Water::Strait)).collect()
    }

    /// What meets a strait at its two ends: a sea hex, or other straits.
    fn ends(&self, strait: HexSide) -> Vec<Water> {
        let mut found = Vec::new();
        for third in self.grid.ends_of(strait) {
            if self.is_sea(third) {
                found.push(Water::Sea(third));
            }
            let others = strait.hexes().map(|hex| HexSide::between(hex, third));
            found.extend(others.into_iter().filter(|side| self.is_strait(*side)).map(Water::Strait));
        }
        found
    }

    /// The sea hexes of the shortest voyage from one sea port to another [R-003-68]: straits count as none, but every voyage is at
    /// least one hex long, and so is a link from box to box [R-003-P46, R-003-P47]. `None` if no ship comes there.
    pub fn sea_distance(&self, from: HexId, to: HexId) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        if self.links.by_sea(from).contains(&to) {
            return Some(1);
        }
        let goals = self.waters_at(to);
        let mut far: BTreeMap<Water, u32> = BTreeMap::new();
        let mut open: VecDeque<(Water, u32)> = VecDeque::new();
        let reach = |water: Water, sum: u32, far: &mut BTreeMap<Water, u32>, open: &mut VecDeque<(Water, u32)>| {
            let sum = sum + water.hexes();
            if far.get(&water).is_none_or(|known| sum < *known) {
                far.insert(water, sum);
                // What costs nothing is looked at first: so the nearest is always at the front.
                if water.hexes() == 0 { open.push_front((water, sum)) } else { open.push_back((water, sum)) }
            }
        };
        for water in self.waters_at(from) {
            reach(water, 0, &mut far, &mut open);
        }
        while let Some((water, sum)) = open.pop_front() {
            if far.get(&water).is_some_and(|known| *known < sum) {
                continue;
            }
            if goals.contains(&water) {
                return Some(sum.max(1));
            }
            for next in self.sea_ways_from(water) {
                reach(next, sum, &mut far, &mut open);
            }
        }
        None
    }
}
