//! Hexes as printed, their sides, and the grid that says who is whose neighbour.
//!
//! A hex is named by column and row (`0910` is column 9, row 10), the numbering of all four rulebooks.
//! Geometry is hexx's; what a map *means* (terrain, rivers, cities) belongs to the rule systems.

use hexx::{Hex as Cube, HexOrientation, OffsetHexMode};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A hex by its printed number CCRR, columns and rows 00 to 99.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct HexId {
    col: u8,
    row: u8,
}

/// A text that is not a hex number.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is not a hex number: four digits, column then row, as in 0910")]
pub struct NotAHex(pub String);

impl HexId {
    /// The hex in this column and row, if both are 0 to 99.
    pub fn new(col: u8, row: u8) -> Option<Self> {
        (col <= 99 && row <= 99).then_some(Self { col, row })
    }

    /// Column, 0 to 99, from the west.
    pub fn col(self) -> u8 {
        self.col
    }

    /// Row, 0 to 99, from the north.
    pub fn row(self) -> u8 {
        self.row
    }

    fn from_offset([col, row]: [i32; 2]) -> Option<Self> {
        Self::new(u8::try_from(col).ok()?, u8::try_from(row).ok()?)
    }
}

impl fmt::Display for HexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.col, self.row)
    }
}

impl FromStr for HexId {
    type Err = NotAHex;

    fn from_str(text: &str) -> Result<Self, NotAHex> {
        let fault = || NotAHex(text.to_owned());
        if text.len() != 4 || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(fault());
        }
        let number: u16 = text.parse().map_err(|_| fault())?;
        let part = |n: u16| u8::try_from(n).map_err(|_| fault());
        Self::new(part(number / 100)?, part(number % 100)?).ok_or_else(fault)
    }
}

impl Serialize for HexId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HexId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The side between two hexes; the same value whichever hex is named first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct HexSide(HexId, HexId);

impl HexSide {
    /// The side between `a` and `b`.
    pub fn between(a: HexId, b: HexId) -> Self {
        if a <= b { Self(a, b) } else { Self(b, a) }
    }

    /// Both hexes, the lower number first.
    pub fn hexes(self) -> [HexId; 2] {
        [self.0, self.1]
    }

    /// Whether `hex` is one of the two.
    pub fn touches(self, hex: HexId) -> bool {
        self.0 == hex || self.1 == hex
    }
}

impl fmt::Display for HexSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}

/// How a map's hexes lie. All numberings count columns from the west and rows from the north.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grid {
    /// Points up; odd rows stand half a hex to the east (the campaign maps).
    PointyOddRows,
    /// Flat tops; even columns stand half a hex to the south (Poltava [R-000-59]).
    FlatEvenColumns,
}

impl Grid {
    fn hexx(self) -> (OffsetHexMode, HexOrientation) {
        match self {
            Grid::PointyOddRows => (OffsetHexMode::Odd, HexOrientation::Pointy),
            Grid::FlatEvenColumns => (OffsetHexMode::Even, HexOrientation::Flat),
        }
    }

    fn cube(self, hex: HexId) -> Cube {
        let (mode, orientation) = self.hexx();
        Cube::from_offset_coordinates([i32::from(hex.col), i32::from(hex.row)], mode, orientation)
    }

    fn printed(self, cube: Cube) -> Option<HexId> {
        let (mode, orientation) = self.hexx();
        HexId::from_offset(cube.to_offset_coordinates(mode, orientation))
    }

    /// The neighbours of `hex` that have a printable number, in hex order. Whether they are on a board the board knows.
    pub fn neighbours(self, hex: HexId) -> Vec<HexId> {
        let mut found: Vec<HexId> =
            self.cube(hex).all_neighbors().into_iter().filter_map(|n| self.printed(n)).collect();
        found.sort_unstable();
        found
    }

    /// Whether the two hexes share a side.
    pub fn adjacent(self, a: HexId, b: HexId) -> bool {
        self.distance(a, b) == 1
    }

    /// Hexes from `a` to `b`, the start not counted.
    pub fn distance(self, a: HexId, b: HexId) -> u32 {
        self.cube(a).unsigned_distance_to(self.cube(b))
    }

    /// The hexes at whose corner a side ends: one at each of its two ends, but for the edge of the numbering, in hex order.
    pub fn ends_of(self, side: HexSide) -> Vec<HexId> {
        let [a, b] = side.hexes();
        let beside = self.neighbours(b);
        self.neighbours(a).into_iter().filter(|c| beside.contains(c)).collect()
    }

    /// All hexes within `radius` of `centre` that have a printable number, `centre` included, in hex order.
    pub fn within(self, centre: HexId, radius: u32) -> Vec<HexId> {
        let mut found: Vec<HexId> = self.cube(centre).range(radius).filter_map(|cube| self.printed(cube)).collect();
        found.sort_unstable();
        found
    }

    /// The middle of a hex in units of the hex's outer radius, x to the east, y to the south; for drawing.
    pub fn centre(self, hex: HexId) -> (f32, f32) {
        let (col, row) = (f32::from(hex.col), f32::from(hex.row));
        let root3 = 3f32.sqrt();
        match self {
            Grid::PointyOddRows => {
                let shift = if hex.row % 2 == 1 { 0.5 } else { 0.0 };
                (root3 * (col + shift), 1.5 * row)
            }
            Grid::FlatEvenColumns => {
                let shift = if hex.col.is_multiple_of(2) { 0.5 } else { 0.0 };
                (1.5 * col, root3 * (row + shift))
            }
        }
    }

    /// The six corners of a hex in the units of [`Grid::centre`], in turning order.
    pub fn corners(self, hex: HexId) -> [(f32, f32); 6] {
        let (x, y) = self.centre(hex);
        let first = match self {
            Grid::PointyOddRows => 30.0_f32,
            Grid::FlatEvenColumns => 0.0,
        };
        [0.0, 60.0, 120.0, 180.0, 240.0, 300.0].map(|turn: f32| {
            let angle = (first + turn).to_radians();
            (x + angle.cos(), y + angle.sin())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> HexId {
        text.parse().unwrap()
    }

    #[test]
    fn numbers_are_four_digits() {
        assert_eq!(hex("0910").to_string(), "0910");
        for bad in ["910", "09100", "o910", "", "0１0"] {
            assert!(bad.parse::<HexId>().is_err(), "{bad} was taken for a hex");
        }
    }

    #[test]
    fn odd_rows_stand_to_the_east() {
        let of = |text| Grid::PointyOddRows.neighbours(hex(text));
        assert_eq!(of("0505"), ["0405", "0504", "0506", "0604", "0605", "0606"].map(hex));
        assert_eq!(of("0504"), ["0403", "0404", "0405", "0503", "0505", "0604"].map(hex));
    }

    /// The gaps of the redoubt chain at Poltava are two hexes wide and no two redoubts touch [R-000-59].
    #[test]
    fn poltava_redoubts_do_not_touch() {
        let line = ["1533", "1727", "1732", "1830", "1927", "2029", "2128", "2328", "2529", "2729"].map(hex);
        for (i, a) in line.iter().enumerate() {
            for b in line.iter().skip(i + 1) {
                assert!(!Grid::FlatEvenColumns.adjacent(*a, *b), "{a} touches {b}");
            }
        }
    }

    #[test]
    fn a_side_is_one_side() {
        assert_eq!(HexSide::between(hex("0102"), hex("0101")), HexSide::between(hex("0101"), hex("0102")));
    }

    #[test]
    fn corners_of_neighbours_meet() {
        for grid in [Grid::PointyOddRows, Grid::FlatEvenColumns] {
            let here = hex("0505");
            for there in grid.neighbours(here) {
                let close = |(ax, ay): (f32, f32), (bx, by): (f32, f32)| (ax - bx).hypot(ay - by) < 1e-3;
                let shared =
                    grid.corners(here).iter().filter(|a| grid.corners(there).iter().any(|b| close(**a, *b))).count();
                assert_eq!(shared, 2, "{here} and {there} share a side");
            }
        }
    }
}
