//! The map files: hexes, cities, provinces, places; then what lies between them ([`sides`], [`links`], [`rivers`], [`roads`]).

use super::raw::{At, Faults, Row, did_you_mean, rows};
use super::terms::{MapTerms, is_slug};
use super::{links, rivers, roads, sides};
use crate::engine::{Grid, HexId, SeatId};
use crate::rules::season::board::{
    Board, City, Fort, Ground, Hex, Links, PlaceName, Port, Province, ProvinceId, Standing,
};
use crate::rules::season::net::Woven;
use std::collections::{BTreeMap, BTreeSet};

/// The map, with the lines where things stand for later checks.
pub(super) struct Map {
    pub board: Board,
    /// City id to hex and line.
    pub cities: BTreeMap<String, (HexId, At)>,
    /// Further names, each with the line where it stands: name, hex, preferred.
    pub names: Vec<(PlaceName, At)>,
    /// Where each hex stands in hexes.csv.
    pub hex_lines: BTreeMap<HexId, At>,
    /// Marches of history that must be possible.
    pub marches: Vec<roads::HistoricMarch>,
}

/// A province before its capital is found on the map.
struct RawProvince {
    at: At,
    id: ProvinceId,
    name: String,
    owner: Option<SeatId>,
    standing: Standing,
    capital: String,
    income: u32,
    manpower: u32,
}

/// What has been read so far.
pub(super) struct Found<'a> {
    seats: &'a BTreeSet<SeatId>,
    pub grid: Grid,
    provinces: Vec<RawProvince>,
    pub hexes: BTreeMap<HexId, Hex>,
    hex_lines: BTreeMap<HexId, At>,
    pub cities: BTreeMap<String, (HexId, At)>,
    capital_of: BTreeMap<String, (ProvinceId, At)>,
    names: Vec<(PlaceName, At)>,
}

/// Reads the files of the map.
pub(super) fn read(
    files: &BTreeMap<String, String>,
    seats: &BTreeSet<SeatId>,
    terms: &MapTerms,
    faults: &mut Faults,
) -> Map {
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
    let columns = ["id", "name", "owner", "standing", "capital_city", "income", "manpower", "source"];
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
    found.lone_boxes(faults);
    found.hex_names();
    let provinces = found.capitals(faults);
    let mut board = Board {
        grid: found.grid,
        scale_km: terms.scale_km,
        seas: terms.seas,
        hexes: std::mem::take(&mut found.hexes),
        sides: BTreeMap::new(),
        links: Links::default(),
        roads: Vec::new(),
        provinces,
        rivers: BTreeMap::new(),
        river_aliases: Vec::new(),
        places: found.names.iter().map(|(place, _)| place.clone()).collect(),
        woven: Woven::default(),
    };
    let lines = sides::read(files, &mut board, faults);
    rivers::read(files, &mut board, &lines, faults);
    links::read(files, &mut board, &found.hex_lines, faults);
    sides::ports(&board, &found.cities, faults);
    roads::read(files, &mut board, faults);
    let marches = roads::marches(files, &found.cities, faults);
    Map { board, cities: found.cities, names: found.names, hex_lines: found.hex_lines, marches }
}

/// The words for what a hex is; the flag says whether it is a box.
const GROUNDS: [(&str, (Ground, bool)); 4] = [
    ("land", (Ground::Land, false)),
    ("sea", (Ground::Sea, false)),
    ("lake", (Ground::Lake, false)),
    ("box", (Ground::Land, true)),
];
const STANDINGS: [(&str, Standing); 3] =
    [("home", Standing::Home), ("vassal", Standing::Vassal), ("neutral", Standing::Neutral)];
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
            let owner = row.seat("owner", self.seats, faults);
            let standing = row.choice("standing", &STANDINGS, faults).unwrap_or(Standing::Home);
            ruled(&row, standing, faults);
            self.provinces.push(RawProvince {
                at: row.at,
                id: ProvinceId(id.as_str().into()),
                name: row.needed("name", faults),
                owner,
                standing,
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
            let (ground, off_map) = row.choice("kind", &GROUNDS, faults).unwrap_or((Ground::Land, false));
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
            self.hexes.insert(id, Hex { ground, owner, province, off_map, name, city: None });
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
            Some(h) => {
                if h.province.is_none() {
                    faults.add(at, format!("{name} lies in {hex}, which is of no province"), "see hexes.csv");
                }
                h.city = Some(city);
            }
        }
    }

    /// A box lies off the map: no hex of the board may lie beside the cell where it is drawn [R-003-P46].
    fn lone_boxes(&self, faults: &mut Faults) {
        for (id, _) in self.hexes.iter().filter(|(_, hex)| hex.off_map) {
            if let Some(beside) = self.grid.neighbours(*id).into_iter().find(|next| self.hexes.contains_key(next)) {
                let at = self.hex_lines.get(id).copied().unwrap_or(At { file: "hexes.csv", line: 0 });
                let message = format!("{id} is a box and {beside} of the board lies beside it");
                faults.add(at, message, "draw it at a cell with nothing around; links.csv says what it is next to");
            }
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
            standing: raw.standing,
            capital: *capital,
            income: raw.income,
            manpower: raw.manpower,
        })
    }
}

/// Home and vassal land has an owner, neutral land none [R-003-P45].
fn ruled(row: &Row, standing: Standing, faults: &mut Faults) {
    let owner = row.text("owner");
    match (standing, owner.is_empty()) {
        (Standing::Neutral, false) => {
            let help = "leave owner empty, or make it vassal";
            faults.add(row.at, format!("{} is neutral and has the owner {owner}", row.text("id")), help);
        }
        (Standing::Home | Standing::Vassal, true) if !row.text("standing").is_empty() => {
            let message = format!("{} is {} and has no owner", row.text("id"), row.text("standing"));
            faults.add(row.at, message, "name the seat that has it, or make it neutral");
        }
        _ => {}
    }
}
