//! The map files: hexes, hexsides, cities, provinces, places.

use super::raw::{At, Faults, Row, did_you_mean, rows};
use super::rivers;
use super::terms::{TERRAINS, is_slug};
use crate::engine::{Grid, HexId, HexSide, SeatId};
use crate::rules::season::board::{
    Board, City, Fort, Ground, Hex, PlaceName, Port, Province, ProvinceId, RiverId, Side, SideRiver, Terrain,
};
use std::collections::{BTreeMap, BTreeSet};

/// The map, with the lines where things stand for later checks.
pub(super) struct Map {
    pub board: Board,
    /// City id to hex and line.
    pub cities: BTreeMap<String, (HexId, At)>,
    /// Further names, each with the line where it stands: name, hex, preferred.
    pub names: Vec<(PlaceName, At)>,
}

/// A province before its capital is found on the map.
struct RawProvince {
    at: At,
    id: ProvinceId,
    name: String,
    owner: Option<SeatId>,
    capital: String,
    income: u32,
    manpower: u32,
}

struct Found<'a> {
    seats: &'a BTreeSet<SeatId>,
    grid: Grid,
    provinces: Vec<RawProvince>,
    hexes: BTreeMap<HexId, Hex>,
    hex_lines: BTreeMap<HexId, At>,
    cities: BTreeMap<String, (HexId, At)>,
    capital_of: BTreeMap<String, (ProvinceId, At)>,
    names: Vec<(PlaceName, At)>,
}

/// Reads the five files.
pub(super) fn read(files: &BTreeMap<String, String>, seats: &BTreeSet<SeatId>, faults: &mut Faults) -> Map {
    let mut found = Found {
        seats,
        grid: Grid::PointyOddRows,
        provinces: Vec::new(),
        hexes: BTreeMap::new(),
        hex_lines: BTreeMap::new(),
        cities: BTreeMap::new(),
        capital_of: BTreeMap::new(),
        names: Vec::new(),
    };
    let columns = ["id", "name", "owner", "capital_city", "income", "manpower", "source"];
    found.provinces(rows(files, "provinces.csv", &columns, faults), faults);
    found.hexes(rows(files, "hexes.csv", &["hex", "kind", "owner", "province", "name", "lat", "lon"], faults), faults);
    let columns =
        ["id", "name", "hex", "value", "fort", "port", "port_factor", "capital_of", "home_of", "cossack", "aliases"];
    for row in rows(files, "cities.csv", &columns, faults) {
        found.city(&row, faults);
    }
    for row in rows(files, "places.csv", &["name", "hex", "aliases"], faults) {
        found.place(&row, faults);
    }
    let columns = ["hex_a", "hex_b", "terrain", "river", "class", "barrier"];
    let (sides, lines) = found.sides(rows(files, "hexsides.csv", &columns, faults), faults);
    rivers::check(found.grid, &sides, &lines, faults);
    found.ports(&sides, faults);
    let provinces = found.capitals(faults);
    found.hex_names();
    let rivers = sides.values().filter_map(|side| side.river.as_ref()?.id.clone());
    let rivers = rivers.map(|id| (id.clone(), rivers::name(&id))).collect();
    let places = found.names.iter().map(|(place, _)| place.clone()).collect();
    let board = Board { grid: found.grid, hexes: found.hexes, sides, provinces, rivers, places };
    Map { board, cities: found.cities, names: found.names }
}

const GROUNDS: [(&str, Ground); 3] = [("land", Ground::Land), ("sea", Ground::Sea), ("lake", Ground::Lake)];
const FORTS: [(&str, Fort); 3] = [("none", Fort::None), ("square", Fort::Square), ("hexagon", Fort::Hexagon)];

impl Found<'_> {
    fn provinces(&mut self, rows: Vec<Row>, faults: &mut Faults) {
        for row in rows {
            let id = row.needed("id", faults);
            if !is_slug(&id) {
                faults.add(row.at, format!("\"{id}\" is no id"), "lower-case letters, digits and _ are");
            }
            if self.provinces.iter().any(|p| *p.id.0 == *id) {
                faults.add(row.at, format!("the province \"{id}\" stands twice"), "strike one or rename it");
                continue;
            }
            self.provinces.push(RawProvince {
                at: row.at,
                id: ProvinceId(id.as_str().into()),
                name: row.needed("name", faults),
                owner: row.seat("owner", self.seats, faults),
                capital: row.needed("capital_city", faults),
                income: row.count("income", 0, 9_999, faults),
                manpower: row.count("manpower", 0, 9_999, faults),
            });
        }
    }

    fn province(&self, row: &Row, column: &str, faults: &mut Faults) -> Option<ProvinceId> {
        let cell = row.text(column);
        if cell.is_empty() {
            return None;
        }
        let known = self.provinces.iter().find(|p| *p.id.0 == *cell).map(|p| p.id.clone());
        if known.is_none() {
            let help = did_you_mean(cell, self.provinces.iter().map(|p| &*p.id.0));
            faults.add(row.at, format!("{column} \"{cell}\" is no province of provinces.csv"), help);
        }
        known
    }

    fn hexes(&mut self, rows: Vec<Row>, faults: &mut Faults) {
        for row in rows {
            let Some(id) = row.hex("hex", faults) else { continue };
            if let Some(first) = self.hex_lines.get(&id) {
                faults.add(row.at, format!("hex {id} stands twice"), format!("first in line {}", first.line));
                continue;
            }
            let ground = row.choice("kind", &GROUNDS, faults).unwrap_or(Ground::Land);
            let owner = row.seat("owner", self.seats, faults);
            let province = self.province(&row, "province", faults);
            let ruled = !row.text("owner").is_empty() || !row.text("province").is_empty();
            if ground != Ground::Land && ruled {
                faults.add(row.at, format!("hex {id} is water and has an owner or a province"), "leave both empty");
            }
            self.belongs(&row, id, owner.as_ref(), province.as_ref(), faults);
            for (column, most) in [("lat", 90.0), ("lon", 180.0)] {
                row.number(column, -most, most, faults);
            }
            self.hex_lines.insert(id, row.at);
            let name = row.needed("name", faults);
            self.hexes.insert(id, Hex { ground, owner, province, name, city: None });
        }
    }

    /// A province is one owner's at the start [R-003-61].
    fn belongs(
        &self,
        row: &Row,
        id: HexId,
        owner: Option<&SeatId>,
        province: Option<&ProvinceId>,
        faults: &mut Faults,
    ) {
        let found = self.provinces.iter().find(|p| Some(&p.id) == province);
        let Some(found) = found.filter(|p| p.owner.as_ref() != owner) else { return };
        let nobody = || "nobody".to_owned();
        let of = |seat: Option<&SeatId>| seat.map_or_else(nobody, ToString::to_string);
        let message =
            format!("hex {id} belongs to {}, its province {} to {}", of(owner), found.id, of(found.owner.as_ref()));
        faults.add(row.at, message, "a province's hexes have its owner");
    }

    fn city(&mut self, row: &Row, faults: &mut Faults) {
        let id = row.needed("id", faults);
        if !is_slug(&id) {
            faults.add(row.at, format!("\"{id}\" is no id"), "lower-case letters, digits and _ are");
        }
        let port = row.choice("port", &[("sea", Some(true)), ("river", Some(false)), ("none", None)], faults).flatten();
        let factor = row.number("port_factor", 1, 9, faults);
        if (port == Some(true)) != factor.is_some() && row.text("port_factor").is_empty() {
            faults.add(row.at, format!("{id} is a sea port without a port_factor"), "1 for a small port");
        } else if port != Some(true) && factor.is_some() {
            faults.add(row.at, format!("{id} has a port_factor and is no sea port"), "leave port_factor empty");
        }
        let capital_of = self.province(row, "capital_of", faults);
        let city = City {
            name: row.needed("name", faults),
            value: row.count("value", 0, 4, faults),
            fort: row.choice("fort", &FORTS, faults).unwrap_or(Fort::None),
            port: port.map(|sea| Port { sea, factor: factor.unwrap_or(0) }),
            capital_of: capital_of.clone(),
            home_of: row.seat("home_of", self.seats, faults),
            cossack: row.choice("cossack", &[("", false), ("yes", true)], faults).unwrap_or(false),
            id: id.clone(),
        };
        let Some(hex) = row.hex("hex", faults) else { return };
        if let Some((_, first)) = self.cities.get(&id) {
            faults.add(row.at, format!("the city \"{id}\" stands twice"), format!("first in line {}", first.line));
            return;
        }
        self.cities.insert(id.clone(), (hex, row.at));
        if let Some(province) = capital_of {
            self.capital_of.insert(id, (province, row.at));
        }
        self.name(&city.name, hex, true, row.at);
        for alias in row.list("aliases") {
            self.name(&alias, hex, false, row.at);
        }
        self.settle(row.at, hex, city, faults);
    }

    fn settle(&mut self, at: At, hex: HexId, city: City, faults: &mut Faults) {
        let name = city.name.clone();
        match self.hexes.get_mut(&hex) {
            None => {
                faults.add(at, format!("{name} lies in {hex}, which is not in hexes.csv"), "give it a hex of the board")
            }
            Some(h) if h.ground != Ground::Land => {
                faults.add(at, format!("{name} lies in {hex}, which is water"), "a city stands on land");
            }
            Some(Hex { city: Some(other), .. }) => {
                let message = format!("{name} lies in {hex}, where {} is already", other.name);
                faults.add(at, message, "one city a hex");
            }
            Some(h) => h.city = Some(city),
        }
    }

    fn place(&mut self, row: &Row, faults: &mut Faults) {
        let name = row.needed("name", faults);
        let Some(hex) = row.hex("hex", faults) else { return };
        if self.hexes.get(&hex).is_none_or(|h| h.ground != Ground::Land) {
            let message = format!("{name} lies in {hex}, which is no land hex of hexes.csv");
            faults.add(row.at, message, "give it a land hex of the board");
        }
        self.name(&name, hex, true, row.at);
        for alias in row.list("aliases") {
            self.name(&alias, hex, false, row.at);
        }
    }

    fn name(&mut self, name: &str, hex: HexId, preferred: bool, at: At) {
        self.names.push((PlaceName { name: name.to_owned(), hex, preferred }, at));
    }

    /// Results call open country by the hex's own name: players may write it back.
    fn hex_names(&mut self) {
        let open = self.hexes.iter().filter(|(_, hex)| hex.ground == Ground::Land && hex.city.is_none());
        let names: Vec<_> = open.map(|(id, hex)| (hex.name.clone(), *id, self.hex_lines.get(id).copied())).collect();
        for (name, hex, at) in names {
            self.name(&name, hex, true, at.unwrap_or(At { file: "hexes.csv", line: 0 }));
        }
    }

    fn sides(&self, rows: Vec<Row>, faults: &mut Faults) -> (BTreeMap<HexSide, Side>, BTreeMap<HexSide, At>) {
        let mut sides = BTreeMap::new();
        let mut lines: BTreeMap<HexSide, At> = BTreeMap::new();
        for row in rows {
            let (Some(a), Some(b)) = (row.hex("hex_a", faults), row.hex("hex_b", faults)) else { continue };
            if !self.is_side(&row, a, b, faults) {
                continue;
            }
            let side = HexSide::between(a, b);
            if let Some(first) = lines.insert(side, row.at) {
                faults.add(row.at, format!("the side {side} stands twice"), format!("first in line {}", first.line));
            }
            sides.insert(side, self.side(&row, faults));
        }
        for (&a, hex) in self.hexes.iter().filter(|(_, hex)| hex.ground == Ground::Land) {
            for b in self.grid.neighbours(a).into_iter().filter(|b| a < *b) {
                let land = self.hexes.get(&b).is_some_and(|other| other.ground == hex.ground);
                if land && !lines.contains_key(&HexSide::between(a, b)) {
                    let at = At { file: "hexsides.csv", line: 0 };
                    faults.add(
                        at,
                        format!("the side {a}/{b} is missing"),
                        "every two neighbouring land hexes have a line",
                    );
                }
            }
        }
        (sides, lines)
    }

    fn is_side(&self, row: &Row, a: HexId, b: HexId, faults: &mut Faults) -> bool {
        for hex in [a, b] {
            match self.hexes.get(&hex) {
                None => faults.add(
                    row.at,
                    format!("{hex} is not in hexes.csv"),
                    "a side lies between two hexes of the board",
                ),
                Some(h) if h.ground != Ground::Land => {
                    faults.add(row.at, format!("{hex} is water"), "only sides between two land hexes are listed");
                }
                Some(_) => continue,
            }
            return false;
        }
        let adjacent = self.grid.adjacent(a, b);
        if !adjacent {
            faults.add(row.at, format!("{a} and {b} are no neighbours"), "odd rows stand half a hex to the right");
        }
        adjacent
    }

    fn side(&self, row: &Row, faults: &mut Faults) -> Side {
        let terrain = row.choice("terrain", &TERRAINS, faults).unwrap_or(Terrain::Clear);
        let class = row.choice("class", &[("", None), ("major", Some(true)), ("minor", Some(false))], faults).flatten();
        let name = row.text("river");
        if !name.is_empty() && !is_slug(name) {
            faults.add(row.at, format!("\"{name}\" is no id of a river"), "lower-case letters, digits and _ are");
        }
        if !name.is_empty() && row.text("class").is_empty() {
            faults.add(row.at, format!("the river {name} has no class"), "major or minor");
        }
        let id = (!name.is_empty()).then(|| RiverId(name.into()));
        let river = (id.is_some() || class.is_some()).then(|| SideRiver { id, major: class.unwrap_or(false) });
        let closed = row.choice("barrier", &[("", false), ("impassable", true)], faults).unwrap_or(false);
        Side { terrain, river, closed }
    }

    /// A sea port lies by the sea, a river port on a named river [003 Ports].
    fn ports(&self, sides: &BTreeMap<HexSide, Side>, faults: &mut Faults) {
        for (hex, at) in self.cities.values() {
            let city = self.hexes.get(hex).and_then(|h| h.city.as_ref());
            let Some((city, port)) = city.and_then(|city| Some((city, city.port?))) else { continue };
            let next = self.grid.neighbours(*hex);
            let by_sea = next.iter().any(|n| self.hexes.get(n).is_some_and(|h| h.ground == Ground::Sea));
            let named = |n| {
                sides.get(&HexSide::between(*hex, n)).is_some_and(|s| s.river.as_ref().is_some_and(|r| r.id.is_some()))
            };
            if port.sea && !by_sea {
                faults.add(
                    *at,
                    format!("{} is a sea port and no sea hex is beside {hex}", city.name),
                    "port = river or none",
                );
            } else if !port.sea && !next.into_iter().any(named) {
                faults.add(
                    *at,
                    format!("{} is a river port and no named river touches {hex}", city.name),
                    "port = none",
                );
            }
        }
    }

    /// Gives each province the hex of its capital; both files must say the same.
    fn capitals(&self, faults: &mut Faults) -> Vec<Province> {
        for (city, (of, at)) in &self.capital_of {
            if !self.provinces.iter().any(|p| p.id == *of && p.capital == *city) {
                let message = format!("{city} is called the capital of {of}, which provinces.csv denies");
                faults.add(*at, message, "the two files must agree");
            }
        }
        self.provinces.iter().filter_map(|raw| self.with_capital(raw, faults)).collect()
    }

    fn with_capital(&self, raw: &RawProvince, faults: &mut Faults) -> Option<Province> {
        let (city, id) = (&raw.capital, &raw.id);
        let Some((capital, at)) = self.cities.get(city) else {
            let help = did_you_mean(city, self.cities.keys().map(String::as_str));
            faults.add(raw.at, format!("capital_city \"{city}\" is no city of cities.csv"), help);
            return None;
        };
        if self.hexes.get(capital).is_some_and(|h| h.province.as_ref() != Some(id)) {
            let message = format!("{city}, the capital of {id}, lies in another province");
            faults.add(raw.at, message, format!("see hex {capital} in hexes.csv"));
        }
        if self.capital_of.get(city).is_none_or(|(of, _)| of != id) {
            faults.add(*at, format!("provinces.csv makes {city} the capital of {id}"), format!("capital_of = {id}"));
        }
        Some(Province {
            id: id.clone(),
            name: raw.name.clone(),
            owner: raw.owner.clone(),
            capital: *capital,
            income: raw.income,
            manpower: raw.manpower,
        })
    }
}
