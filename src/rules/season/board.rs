//! The campaign map: what a hex, a hexside and a city are [003 Mapboard].

use super::net::{Net, Woven};
use crate::engine::{Grid, HexId, HexSide, SeatId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

macro_rules! slug {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub std::sync::Arc<str>);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

slug! {
    /// A province by its slug: `livonia`.
    ProvinceId
}
slug! {
    /// A river by its slug: `dvina`. A river move follows one river [003 River Movement].
    RiverId
}

/// What covers a hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Brigades may stand here.
    Land,
    /// Fleets may pass here.
    Sea,
    /// Nothing enters.
    Lake,
}

/// A hex of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hex {
    /// Ground.
    pub ground: Ground,
    /// The seat that owns it at the start; `None` = neutral or water.
    pub owner: Option<SeatId>,
    /// Its province, on land.
    pub province: Option<ProvinceId>,
    /// A box: land that lies off the map and has no neighbours but those that links give it [R-003-P46].
    pub off_map: bool,
    /// What prose calls it when no city lies there: "the Luga woods".
    pub name: String,
    /// The city in it.
    pub city: Option<City>,
}

/// How a city is fortified [003 Hexes, Fortified Cities].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fort {
    /// No symbol but the circle.
    None,
    /// A square: attackers' hits are halved.
    Square,
    /// A hexagon: attackers' hits are divided by three.
    Hexagon,
}

/// A harbour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Port {
    /// Reached from the sea, else by river only.
    pub sea: bool,
    /// The supply factor noted beside the anchor [003 Port Fortifications].
    pub factor: u8,
}

/// A city [003 Cities].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct City {
    /// Slug: `riga`.
    pub id: String,
    /// Name of 1700.
    pub name: String,
    /// Supply value 1 to 4; 0 for a town or fortress without a circle, which shelters one brigade [R-003-53].
    pub value: u8,
    /// Fortification.
    pub fort: Fort,
    /// Harbour.
    pub port: Option<Port>,
    /// The province whose capital it is.
    pub capital_of: Option<ProvinceId>,
    /// The seat for which it is a home supply city: new brigades of that seat may be deployed here [003 Deployment].
    pub home_of: Option<SeatId>,
    /// Cossacks can be raised here [R-003-58].
    pub cossack: bool,
}

impl City {
    /// How many brigades it shelters in winter and feeds under siege [R-003-53].
    pub fn shelter(&self) -> u32 {
        u32::from(self.value.max(1))
    }

    /// A Supply City is a circle with a value of 1 to 4 [R-003-58].
    pub fn is_supply_city(&self) -> bool {
        self.value >= 1
    }
}

/// What a hexside is made of [003 Side Limits].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Terrain {
    /// Clear.
    Clear,
    /// Forest.
    Forest,
    /// Marsh.
    Marsh,
    /// Mountains.
    Mountain,
}

/// A hexside between two land hexes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// Terrain.
    pub terrain: Terrain,
    /// The river along it, and whether it is a major one. An unnamed river can be crossed, not travelled along.
    pub river: Option<SideRiver>,
    /// No brigade passes: a lake shore, a gulf, a strait.
    pub closed: bool,
    /// Water too narrow for a hex of its own, along which fleets pass [R-003-P47]. Closed to brigades.
    pub strait: bool,
}

/// A river along a hexside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideRiver {
    /// Which river; `None` = unnamed.
    pub id: Option<RiverId>,
    /// Major or minor, for drawing: the rule knows no difference.
    pub major: bool,
}

/// How a province stands at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// A seat's own land.
    Home,
    /// Land of a prince under a seat, ruled like its own.
    Vassal,
    /// Land of a prince whom nobody plays: it may be marched through, and is never captured or conquered [R-003-P45].
    Neutral,
}

/// A province [003 Income, Conquer a province].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Province {
    /// Slug.
    pub id: ProvinceId,
    /// Name.
    pub name: String,
    /// The seat that has it at the start; `None` = neutral.
    pub owner: Option<SeatId>,
    /// Whether it is a seat's own, a vassal's or a neutral's.
    pub standing: Standing,
    /// The hex of its capital city.
    pub capital: HexId,
    /// Income points a year.
    pub income: u32,
    /// Men in thousands.
    pub manpower: u32,
}

/// A name that players may use for a hex: city, village, in any language.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PlaceName {
    /// The name as written in the data.
    pub name: String,
    /// Where.
    pub hex: HexId,
    /// The name by which prose calls the place (the city's name, else the village's own).
    pub preferred: bool,
}

/// A road of the time. It has no effect of its own [R-003-P48].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Road {
    /// Slug.
    pub id: String,
    /// "the Smolensk road".
    pub name: String,
    /// Its hexes from end to end, each next to the one before.
    pub hexes: Vec<HexId>,
}

/// The ways between boxes and the board, each from both its ends [R-003-P46].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Links {
    by_land: BTreeMap<HexId, Vec<HexId>>,
    by_sea: BTreeMap<HexId, Vec<HexId>>,
}

impl Links {
    /// Adds a link for brigades.
    pub fn join_by_land(&mut self, a: HexId, b: HexId) {
        Self::join(&mut self.by_land, a, b);
    }

    /// Adds a link for fleets.
    pub fn join_by_sea(&mut self, a: HexId, b: HexId) {
        Self::join(&mut self.by_sea, a, b);
    }

    fn join(links: &mut BTreeMap<HexId, Vec<HexId>>, a: HexId, b: HexId) {
        for (from, to) in [(a, b), (b, a)] {
            let ends = links.entry(from).or_default();
            ends.push(to);
            ends.sort_unstable();
        }
    }

    /// The hexes that a land link joins to `hex`, in hex order.
    pub fn by_land(&self, hex: HexId) -> &[HexId] {
        self.by_land.get(&hex).map_or(&[], Vec::as_slice)
    }

    /// The hexes that a sea link joins to `hex`, in hex order.
    pub fn by_sea(&self, hex: HexId) -> &[HexId] {
        self.by_sea.get(&hex).map_or(&[], Vec::as_slice)
    }

    /// All hexes at which links end, with what each is linked to.
    fn ends(&self) -> impl Iterator<Item = (HexId, &[HexId])> {
        self.by_land.iter().chain(&self.by_sea).map(|(hex, ends)| (*hex, ends.as_slice()))
    }

    /// Whether there is no link.
    pub fn is_empty(&self) -> bool {
        self.by_land.is_empty() && self.by_sea.is_empty()
    }

    /// How many links there are by land and by sea.
    pub fn count(&self) -> (usize, usize) {
        let half = |links: &BTreeMap<HexId, Vec<HexId>>| links.values().map(Vec::len).sum::<usize>() / 2;
        (half(&self.by_land), half(&self.by_sea))
    }
}

/// The whole board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// How the hexes lie.
    pub grid: Grid,
    /// Kilometres across a hex.
    pub scale_km: u32,
    /// How many seas there are that no ship passes between.
    pub seas: u32,
    /// All hexes; a box stands at the cell where it is drawn.
    pub hexes: BTreeMap<HexId, Hex>,
    /// All sides between land hexes; a land link is a side between two hexes that the grid does not join.
    pub sides: BTreeMap<HexSide, Side>,
    /// What joins boxes to the board.
    pub links: Links,
    /// Roads.
    pub roads: Vec<Road>,
    /// Provinces in the data's order.
    pub provinces: Vec<Province>,
    /// River names: slug to name.
    pub rivers: BTreeMap<RiverId, String>,
    /// Other names of rivers, in any language.
    pub river_aliases: Vec<(RiverId, String)>,
    /// All names of places.
    pub places: Vec<PlaceName>,
    /// The same as numbers.
    pub woven: Woven,
}

impl Board {
    /// The hexes as numbers.
    pub(super) fn net(&self) -> &Net {
        self.woven.of(self)
    }

    /// The city in a hex.
    pub fn city(&self, hex: HexId) -> Option<&City> {
        self.hexes.get(&hex)?.city.as_ref()
    }

    /// The side between two hexes, if brigades can cross it at all.
    pub fn open_side(&self, a: HexId, b: HexId) -> Option<&Side> {
        self.sides.get(&HexSide::between(a, b)).filter(|side| !side.closed)
    }

    /// The hexes of the board next to `hex`, and those that a land link joins to it, in hex order [R-003-P46].
    pub fn beside(&self, hex: HexId) -> Vec<HexId> {
        let mut found = self.grid.neighbours(hex);
        let linked = self.links.by_land(hex);
        if !linked.is_empty() {
            found.extend_from_slice(linked);
            found.sort_unstable();
        }
        found
    }

    /// The land hexes that can be entered from `hex`, over its sides and links, in hex order.
    pub fn ways_from(&self, hex: HexId) -> impl Iterator<Item = (HexId, &Side)> {
        self.beside(hex).into_iter().filter_map(move |next| Some((next, self.open_side(hex, next)?)))
    }

    /// Whether a hex is a box.
    pub fn is_off_map(&self, hex: HexId) -> bool {
        self.hexes.get(&hex).is_some_and(|hex| hex.off_map)
    }

    /// Hexes from `a` to `b` as the crow flies. A link is one step, and a box is reached by its links alone [R-003-P46].
    pub fn distance(&self, a: HexId, b: HexId) -> u32 {
        if self.links.is_empty() {
            return self.grid.distance(a, b);
        }
        let mut open: BTreeMap<HexId, u32> = self.links.ends().map(|(end, _)| (end, u32::MAX)).collect();
        open.insert(b, u32::MAX);
        open.insert(a, 0);
        while let Some((here, far)) = open.iter().map(|(hex, far)| (*hex, *far)).min_by_key(|(hex, far)| (*far, *hex)) {
            if here == b || far == u32::MAX {
                return far;
            }
            open.remove(&here);
            for (next, known) in &mut open {
                let linked = self.links.by_land(here).contains(next) || self.links.by_sea(here).contains(next);
                let step = if linked { Some(1) } else { self.straight(here, *next) };
                *known = step.map_or(*known, |step| (*known).min(far.saturating_add(step)));
            }
        }
        u32::MAX
    }

    /// Whether two hexes are at most so many hexes apart; quicker than [`Board::distance`].
    pub fn is_within(&self, a: HexId, b: HexId, most: u32) -> bool {
        if self.straight(a, b).is_some_and(|far| far <= most) {
            return true;
        }
        most > 0
            && self.links.ends().any(|(end, linked)| {
                let left = self.straight(a, end).and_then(|far| most.checked_sub(far + 1));
                left.is_some_and(|left| linked.iter().any(|next| self.is_within(*next, b, left)))
            })
    }

    /// Hexes between two places without the use of links.
    fn straight(&self, a: HexId, b: HexId) -> Option<u32> {
        match a == b {
            true => Some(0),
            false if self.is_off_map(a) || self.is_off_map(b) => None,
            false => Some(self.grid.distance(a, b)),
        }
    }

    /// Whether a hex belongs to a neutral whom nobody plays [R-003-P45].
    pub fn is_neutral(&self, hex: HexId) -> bool {
        let province = self.hexes.get(&hex).and_then(|hex| hex.province.as_ref());
        province.is_some_and(|id| self.provinces.iter().any(|p| p.id == *id && p.standing == Standing::Neutral))
    }

    /// Whether crossing between two hexes needs a leader's roll: a river without a city on either bank
    /// [003 Rivers, R-003-16].
    pub fn needs_crossing(&self, a: HexId, b: HexId) -> bool {
        let river = self.open_side(a, b).is_some_and(|side| side.river.is_some());
        river && self.city(a).is_none() && self.city(b).is_none()
    }

    /// The named rivers that touch a hex [R-003-16].
    pub fn rivers_at(&self, hex: HexId) -> Vec<RiverId> {
        let mut found: Vec<RiverId> = self
            .grid
            .neighbours(hex)
            .into_iter()
            .filter_map(|next| self.sides.get(&HexSide::between(hex, next))?.river.as_ref()?.id.clone())
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What prose calls a hex: its city, else its own name.
    pub fn name(&self, hex: HexId) -> &str {
        match self.hexes.get(&hex) {
            Some(Hex { city: Some(city), .. }) => &city.name,
            Some(hex) => &hex.name,
            None => "off the map",
        }
    }
}
