//! The board as one reader may see it, for drawing: facts only. What they look like is decided in `results`.

use super::hex::{Grid, HexId, HexSide};
use super::ids::SeatId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What a hex looks like to one reader.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HexPicture {
    /// Which.
    pub hex: HexId,
    /// `land`, `sea`, `lake`, or `box` for land that lies off the map.
    pub ground: String,
    /// What prose calls it; on the picture for waters only, else in the words behind a hex. May be empty.
    #[serde(default)]
    pub name: String,
    /// Its province's name; empty on water.
    #[serde(default)]
    pub province: String,
    /// `home`, `vassal` or `neutral`; empty on water.
    #[serde(default)]
    pub standing: String,
    /// Colour of whoever holds it, `#rrggbb`; `None` for neutral ground and water.
    pub fill: Option<String>,
    /// The city in it.
    pub city: Option<CityPicture>,
    /// Counters, as far as the reader may know them.
    pub counters: Vec<Counter>,
    /// A battle was fought here this turn.
    pub battle: bool,
}

impl HexPicture {
    /// Whether it is land of the map proper.
    pub fn is_land(&self) -> bool {
        self.ground == "land"
    }

    /// Whether it is a box off the map.
    pub fn is_box(&self) -> bool {
        self.ground == "box"
    }
}

/// A city on the picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CityPicture {
    /// Name of 1700.
    pub name: String,
    /// Supply value, 0 to 4.
    pub value: u8,
    /// `none`, `square` or `hexagon`.
    pub fort: String,
    /// Anchor or not.
    pub port: bool,
    /// `seat` for a seat's capital, `province` for a province's, else empty.
    #[serde(default)]
    pub capital: String,
}

/// A pile of one seat's units in one hex.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counter {
    /// Whose.
    pub seat: SeatId,
    /// Colour `#rrggbb`.
    pub colour: String,
    /// How many brigades (leaders and fleets not counted).
    pub brigades: u32,
    /// Total strength, where the reader may know it.
    pub strength: Option<u32>,
    /// Whether ships are among them, as far as the reader may know.
    #[serde(default)]
    pub ships: bool,
    /// Names of leaders, where the reader may know them, then of brigades; for the hover text.
    pub names: Vec<String>,
}

/// A hexside worth drawing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SidePicture {
    /// Which.
    pub side: HexSide,
    /// `clear`, `forest`, `marsh` or `mountain`.
    pub terrain: String,
    /// River name, empty for none.
    pub river: String,
    /// Whether it is a major river.
    pub major: bool,
    /// Whether nothing passes.
    pub closed: bool,
    /// Whether it is water too narrow for a hex: ships pass along it, nobody across.
    #[serde(default)]
    pub strait: bool,
}

/// A road.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RoadPicture {
    /// Name, for the words behind it.
    pub name: String,
    /// Its hexes, each beside the one before.
    pub hexes: Vec<HexId>,
}

/// A way between a box off the map and a hex or another box.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LinkPicture {
    /// What it joins.
    pub ends: [HexId; 2],
    /// Whether it is a way for ships, else a road for armies.
    pub sea: bool,
}

/// A move of this turn, as far as the reader may know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ArrowPicture {
    /// Whose.
    pub seat: SeatId,
    /// Colour `#rrggbb`.
    pub colour: String,
    /// The hexes from the first to the last.
    pub path: Vec<HexId>,
    /// Out of a battle, else a march or voyage.
    pub retreat: bool,
}

/// The whole board as one reader may see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoardPicture {
    /// What it is a board of: "Livonia 1700-1701". May be empty.
    #[serde(default)]
    pub title: String,
    /// Of when, and for whom: "Spring 1700". May be empty.
    #[serde(default)]
    pub subtitle: String,
    /// Kilometres across a hex, if the campaign says.
    #[serde(default)]
    pub scale_km: Option<u32>,
    /// How the hexes lie.
    pub grid: Grid,
    /// All hexes, in hex order.
    pub hexes: Vec<HexPicture>,
    /// Hexsides with something on them.
    pub sides: Vec<SidePicture>,
    /// Roads.
    #[serde(default)]
    pub roads: Vec<RoadPicture>,
    /// Links of the boxes.
    #[serde(default)]
    pub links: Vec<LinkPicture>,
    /// The turn's moves.
    #[serde(default)]
    pub arrows: Vec<ArrowPicture>,
    /// Who is which colour: name and `#rrggbb`.
    pub legend: Vec<(String, String)>,
}

impl BoardPicture {
    /// The part of the board that lies within these hexes. Roads and moves are cut where they leave it. The
    /// legend stays whole: a seat's place in it decides how its land is hatched.
    #[must_use]
    pub fn within(&self, keep: &BTreeSet<HexId>) -> BoardPicture {
        let hexes: Vec<HexPicture> = self.hexes.iter().filter(|h| keep.contains(&h.hex)).cloned().collect();
        let both = |[a, b]: [HexId; 2]| keep.contains(&a) && keep.contains(&b);
        let roads = self.roads.iter().flat_map(|road| {
            let pieces = pieces(&road.hexes, keep);
            pieces.into_iter().map(|hexes| RoadPicture { name: road.name.clone(), hexes })
        });
        let arrows = self.arrows.iter().flat_map(|arrow| {
            let pieces = pieces(&arrow.path, keep);
            pieces.into_iter().map(|path| ArrowPicture { path, ..arrow.clone() })
        });
        BoardPicture {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            scale_km: self.scale_km,
            grid: self.grid,
            sides: self.sides.iter().filter(|s| both(s.side.hexes())).cloned().collect(),
            roads: roads.collect(),
            links: self.links.iter().filter(|l| both(l.ends)).cloned().collect(),
            legend: self.legend.clone(),
            arrows: arrows.collect(),
            hexes,
        }
    }

    /// The colours of the seats that have land, units or moves on it.
    pub fn colours(&self) -> BTreeSet<&str> {
        let fills = self.hexes.iter().filter_map(|h| h.fill.as_deref());
        let piles = self.hexes.iter().flat_map(|h| &h.counters).map(|c| c.colour.as_str());
        fills.chain(piles).chain(self.arrows.iter().map(|a| a.colour.as_str())).collect()
    }

    /// The hexes of the board within `radius` of `centre`.
    pub fn around(&self, centre: HexId, radius: u32) -> BTreeSet<HexId> {
        let near = self.hexes.iter().map(|h| h.hex).filter(|hex| self.grid.distance(centre, *hex) <= radius);
        near.collect()
    }

    /// The hexes of a province, or all that a seat holds, by name without regard to case, with a rim of one hex about them; or
    /// those between two numbers, `0203-0806`.
    pub fn region(&self, name: &str) -> Option<BTreeSet<HexId>> {
        if let Some(block) = self.block(name) {
            return Some(block).filter(|block| !block.is_empty());
        }
        let wanted = name.trim().to_lowercase();
        let colour = self.legend.iter().find(|(seat, _)| seat.to_lowercase() == wanted).map(|(_, colour)| colour);
        let inside =
            |h: &&HexPicture| h.province.to_lowercase() == wanted || (colour.is_some() && h.fill.as_ref() == colour);
        let core: Vec<HexId> = self.hexes.iter().filter(inside).map(|h| h.hex).collect();
        let present: BTreeSet<HexId> = self.hexes.iter().map(|h| h.hex).collect();
        let rim = core.iter().flat_map(|hex| self.grid.neighbours(*hex)).filter(|hex| present.contains(hex));
        let all: BTreeSet<HexId> = core.iter().copied().chain(rim).collect();
        (!all.is_empty()).then_some(all)
    }

    fn block(&self, range: &str) -> Option<BTreeSet<HexId>> {
        let (a, b) = range.split_once('-')?;
        let (a, b): (HexId, HexId) = (a.trim().parse().ok()?, b.trim().parse().ok()?);
        let between = |x: u8, a: u8, b: u8| (a.min(b)..=a.max(b)).contains(&x);
        let inside = |hex: &HexId| between(hex.col(), a.col(), b.col()) && between(hex.row(), a.row(), b.row());
        Some(self.hexes.iter().map(|h| h.hex).filter(inside).collect())
    }

    /// All names that [`BoardPicture::region`] knows: provinces, then seats.
    pub fn regions(&self) -> Vec<String> {
        let provinces: BTreeSet<&str> =
            self.hexes.iter().map(|h| h.province.as_str()).filter(|p| !p.is_empty()).collect();
        provinces.into_iter().chain(self.legend.iter().map(|(name, _)| name.as_str())).map(str::to_owned).collect()
    }

    /// The hexes by number.
    pub fn by_hex(&self) -> BTreeMap<HexId, &HexPicture> {
        self.hexes.iter().map(|h| (h.hex, h)).collect()
    }
}

/// The stretches of a way that lie inside, as far as they lead anywhere.
fn pieces(way: &[HexId], keep: &BTreeSet<HexId>) -> Vec<Vec<HexId>> {
    let stretches = way.split(|hex| !keep.contains(hex));
    stretches.filter(|stretch| stretch.len() > 1).map(<[HexId]>::to_vec).collect()
}
