//! The campaign map: what a hex, a hexside and a city are [003 Mapboard].

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
    /// Nothing passes: a lake shore, a gulf.
    pub closed: bool,
}

/// A river along a hexside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideRiver {
    /// Which river; `None` = unnamed.
    pub id: Option<RiverId>,
    /// Major or minor, for drawing: the rule knows no difference.
    pub major: bool,
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

/// The whole board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// How the hexes lie.
    pub grid: Grid,
    /// All hexes.
    pub hexes: BTreeMap<HexId, Hex>,
    /// All sides between land hexes.
    pub sides: BTreeMap<HexSide, Side>,
    /// Provinces in the data's order.
    pub provinces: Vec<Province>,
    /// River names: slug to name.
    pub rivers: BTreeMap<RiverId, String>,
    /// All names of places.
    pub places: Vec<PlaceName>,
}

impl Board {
    /// The city in a hex.
    pub fn city(&self, hex: HexId) -> Option<&City> {
        self.hexes.get(&hex)?.city.as_ref()
    }

    /// The side between two hexes, if brigades can cross it at all.
    pub fn open_side(&self, a: HexId, b: HexId) -> Option<&Side> {
        self.sides.get(&HexSide::between(a, b)).filter(|side| !side.closed)
    }

    /// The land hexes that can be entered from `hex`, in hex order.
    pub fn ways_from(&self, hex: HexId) -> impl Iterator<Item = (HexId, &Side)> {
        self.grid.neighbours(hex).into_iter().filter_map(move |next| Some((next, self.open_side(hex, next)?)))
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
