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
        self.hexes
            .iter()
            .filter(move |(_, hex)| hex.city.as_ref().and_then(|city| city.port.as_ref()).is_some_and(is_port))
            .map(|(hex, _)| *hex)
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

#[cfg(test)]
mod tests {
    use super::super::board::{City, Fort, Hex, Links, Terrain};
    use super::super::net::Woven;
    use super::*;
    use crate::engine::Grid;

    /// A board drawn with a letter for each hex, odd rows half a hex to the right: `~` sea, `P` land with a sea port, `#` land,
    /// `B` a box with a sea port, `.` nothing.
    fn board(rows: &[&str]) -> Board {
        let mut hexes = BTreeMap::new();
        for (row, line) in (0..).zip(rows) {
            for (col, sign) in (0..).zip(line.chars()).filter(|(_, sign)| *sign != '.') {
                let ground = if sign == '~' { Ground::Sea } else { Ground::Land };
                let city = matches!(sign, 'P' | 'B').then(|| City {
                    id: format!("city_{col}_{row}"),
                    name: format!("city {col} {row}"),
                    value: 1,
                    fort: Fort::None,
                    port: Some(Port { sea: true, factor: 1 }),
                    capital_of: None,
                    home_of: None,
                    cossack: false,
                });
                let hex = Hex { ground, owner: None, province: None, off_map: sign == 'B', name: String::new(), city };
                hexes.insert(HexId::new(col, row).unwrap(), hex);
            }
        }
        Board {
            grid: Grid::PointyOddRows,
            scale_km: 70,
            seas: 1,
            hexes,
            sides: BTreeMap::new(),
            links: Links::default(),
            roads: Vec::new(),
            provinces: Vec::new(),
            rivers: BTreeMap::new(),
            river_aliases: Vec::new(),
            places: Vec::new(),
            woven: Woven::default(),
        }
    }

    fn hex(text: &str) -> HexId {
        text.parse().unwrap()
    }

    fn strait(board: &mut Board, a: &str, b: &str) -> HexSide {
        let side = HexSide::between(hex(a), hex(b));
        board.sides.insert(side, Side { terrain: Terrain::Clear, river: None, closed: true, strait: true });
        side
    }

    /// A voyage is counted in sea hexes [R-003-68]: from a port over three of them to the other, and land is no way.
    #[test]
    fn a_voyage_is_counted_in_sea_hexes() {
        let board = board(&["P~~~P", "#####"]);
        assert_eq!(board.sea_distance(hex("0000"), hex("0400")), Some(3));
        assert_eq!(board.sea_distance(hex("0000"), hex("0000")), Some(0));
        let cut = self::board(&["P~#~P", "#####"]);
        assert_eq!(cut.sea_distance(hex("0000"), hex("0400")), None);
    }

    /// The strait between 0200 and 0101 ends at the corner with 0100, sea, in the west and with 0201, sea, in the east: fleets
    /// pass it, brigades do not, and it is no hex [R-003-P47].
    #[test]
    fn a_strait_joins_the_waters_at_its_ends() {
        let rows = ["P~#~P", "##~##"];
        let mut board = board(&rows);
        let closed = Side { terrain: Terrain::Clear, river: None, closed: true, strait: false };
        board.sides.insert(HexSide::between(hex("0200"), hex("0101")), closed);
        assert_eq!(board.sea_ways_from(Water::Sea(hex("0100"))), []);
        assert_eq!(board.sea_distance(hex("0000"), hex("0400")), None, "an impassable side is no strait");
        let side = strait(&mut board, "0200", "0101");
        assert_eq!(board.sea_ways_from(Water::Strait(side)), [Water::Sea(hex("0100")), Water::Sea(hex("0201"))]);
        assert_eq!(board.sea_ways_from(Water::Sea(hex("0100"))), [Water::Strait(side)]);
        assert!(board.open_side(hex("0200"), hex("0101")).is_none());
        // Over 0100, through the strait to 0201, and 0300: three sea hexes.
        assert_eq!(board.sea_distance(hex("0000"), hex("0400")), Some(3));
    }

    /// Straits that meet at a corner are one water; a port opens on a strait along its hex; and the shortest voyage is one hex.
    #[test]
    fn ports_open_on_straits() {
        let mut board = board(&["#P#", "#P#", "..."]);
        let sound = strait(&mut board, "0100", "0101");
        assert_eq!(board.waters_at(hex("0100")), [Water::Strait(sound)]);
        assert_eq!(board.sea_ways_from(Water::Strait(sound)), []);
        assert_eq!(board.sea_distance(hex("0100"), hex("0101")), Some(1));
        // 0100, 0200 and 0101 meet at a corner.
        let belt = strait(&mut board, "0200", "0101");
        assert_eq!(board.sea_ways_from(Water::Strait(sound)), [Water::Strait(belt)]);
    }

    /// A box is sailed to over its sea link, from sea hex or box [R-003-P46].
    #[test]
    fn a_box_is_reached_by_its_sea_links() {
        let mut board = board(&["P~~..B.B", "###....."]);
        assert_eq!(board.sea_distance(hex("0000"), hex("0500")), None);
        board.links.join_by_sea(hex("0200"), hex("0500"));
        board.links.join_by_sea(hex("0500"), hex("0700"));
        assert_eq!(board.waters_at(hex("0500")), [Water::Sea(hex("0200"))]);
        assert_eq!(board.sea_distance(hex("0000"), hex("0500")), Some(2));
        assert_eq!(board.sea_distance(hex("0500"), hex("0700")), Some(1));
        assert_eq!(board.sea_distance(hex("0000"), hex("0700")), None, "nobody sails through a port without calling");
        // The crow flies over links, and over nothing else to a box: 0000, 0100, 0200, then the link.
        assert_eq!(board.distance(hex("0000"), hex("0500")), 3);
        assert_eq!(board.distance(hex("0000"), hex("0700")), 4);
        assert!(board.is_within(hex("0000"), hex("0700"), 4) && !board.is_within(hex("0000"), hex("0700"), 3));
    }
}
