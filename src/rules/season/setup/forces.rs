//! The forces: brigade table, units, leaders, levies.

use super::names::plain;
use super::raw::{At, Faults, Row, did_you_mean, rows};
use super::terms::RawSeat;
use crate::engine::{HexId, SeatId, UnitId};
use crate::rules::season::board::Board;
use crate::rules::season::campaign::{BrigadeType, Kind, LeaderFigures, Letter, LevySetup, Rating, Season, UnitSetup};
use std::collections::{BTreeMap, BTreeSet};

/// Numbers from here on belong to levies; those that brigades get in the game follow.
const LEVIES_FROM: u16 = 901;

/// The forces, with the lines where units stand for later checks.
pub(super) struct Forces {
    pub table: BTreeMap<(SeatId, Kind), BrigadeType>,
    pub units: Vec<UnitSetup>,
    pub levies: Vec<LevySetup>,
    /// Where each unit and levy stands in the files.
    pub lines: BTreeMap<UnitId, At>,
}

/// What units are checked against.
pub(super) struct Ground<'a> {
    pub seats: &'a [RawSeat],
    pub ids: &'a BTreeSet<SeatId>,
    pub cities: &'a BTreeMap<String, (HexId, At)>,
    pub board: &'a Board,
    pub years: (u16, u16),
}

/// Reads the four files.
pub(super) fn read(files: &BTreeMap<String, String>, ground: &Ground, faults: &mut Faults) -> Forces {
    let columns = ["seat", "kind", "arm", "max", "rating", "move", "rally", "money", "manpower", "limit", "source"];
    let table = table(rows(files, "brigade_types.csv", &columns, faults), ground, faults);
    let mut forces = Forces { table, units: Vec::new(), levies: Vec::new(), lines: BTreeMap::new() };
    let columns = ["id", "seat", "kind", "name", "short", "strength", "place", "history", "arrives", "source"];
    for row in rows(files, "units.csv", &columns, faults) {
        forces.unit(&row, ground, faults);
    }
    let columns = [
        "id",
        "seat",
        "name",
        "short",
        "kind",
        "move",
        "sr",
        "strength",
        "rating",
        "rally",
        "sovereign",
        "place",
        "arrives",
        "leaves",
        "aliases",
        "source",
    ];
    for row in rows(files, "leaders.csv", &columns, faults) {
        forces.leader(&row, ground, faults);
    }
    let columns = ["seat", "kind", "name", "short", "city", "strength", "source"];
    for (row, id) in rows(files, "levies.csv", &columns, faults).iter().zip(LEVIES_FROM..) {
        forces.levy(row, UnitId(id), ground, faults);
    }
    sovereigns(&forces, ground, faults);
    forces.units.sort_by_key(|unit| unit.id);
    forces
}

/// What a leader is to the crown of his seat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Crown {
    No,
    Wears,
    Heir,
}

fn kinds() -> Vec<(&'static str, Kind)> {
    Kind::ALL.iter().filter(|kind| **kind != Kind::Leader).map(|kind| (kind.slug(), *kind)).collect()
}

/// A seat's own line replaces everyone's whole [003 Brigade Table].
fn table(rows: Vec<Row>, ground: &Ground, faults: &mut Faults) -> BTreeMap<(SeatId, Kind), BrigadeType> {
    let mut lines: BTreeMap<(Option<SeatId>, Kind), (BrigadeType, At)> = BTreeMap::new();
    for row in rows {
        let everyone = row.text("seat") == "*";
        let seat = if everyone { None } else { row.seat("seat", ground.ids, faults) };
        if !everyone && row.text("seat").is_empty() {
            faults.add(row.at, "seat is empty", "* stands for everyone");
        }
        row.choice("arm", &[("foot", ()), ("horse", ()), ("ship", ()), ("train", ())], faults);
        let Some(kind) = row.choice("kind", &kinds(), faults) else { continue };
        let found = BrigadeType {
            max: row.count("max", 1, 99, faults),
            rating: if row.text("rating").is_empty() { None } else { rating(&row, faults) },
            movement: row.count("move", 0, 99, faults),
            rally: row.count("rally", 0, 6, faults),
            money: row.count("money", 0, 9_999, faults),
            manpower: row.count("manpower", 0, 9_999, faults),
            limit: row.number("limit", 1, 9_999, faults),
        };
        // A seat that is not known must not be taken for everyone.
        if seat.is_none() && !everyone {
            continue;
        }
        if let Some((_, first)) = lines.get(&(seat.clone(), kind)) {
            let message = format!("{kind} stands twice for {}", row.text("seat"));
            faults.add(row.at, message, format!("first in line {}", first.line));
        }
        lines.insert((seat, kind), (found, row.at));
    }
    let mut merged = BTreeMap::new();
    for seat in ground.ids {
        for kind in Kind::ALL {
            let own = lines.get(&(Some(seat.clone()), kind)).or_else(|| lines.get(&(None, kind)));
            if let Some((row, _)) = own {
                merged.insert((seat.clone(), kind), row.clone());
            }
        }
    }
    merged
}

fn rating(row: &Row, faults: &mut Faults) -> Option<Rating> {
    let cell = row.text("rating");
    let letter = match cell.get(..1) {
        Some("A") => Some(Letter::A),
        Some("B") => Some(Letter::B),
        Some("C") => Some(Letter::C),
        _ => None,
    };
    let hits_on = cell.get(1..).and_then(|digit| digit.parse().ok()).filter(|n| (1..=6).contains(n));
    let found = letter.zip(hits_on).map(|(letter, hits_on)| Rating { letter, hits_on });
    if found.is_none() {
        faults.add(row.at, format!("rating is \"{cell}\""), "a letter A to C and the highest die that hits, as B3");
    }
    found
}

impl Forces {
    fn unit(&mut self, row: &Row, ground: &Ground, faults: &mut Faults) {
        let kind = row.choice("kind", &kinds(), faults);
        let strength = row.count("strength", 1, 99, faults);
        let Some(unit) = self.common(row, kind.unwrap_or(Kind::Infantry), strength, ground, faults) else { return };
        if let Some(kind) = kind {
            self.fits(row, &unit.seat, kind, strength, faults);
            if kind.is_naval() && ground.board.city(unit.place).is_some_and(|city| city.port.is_none()) {
                faults.add(
                    row.at,
                    format!("{} lies in {}, which is no port", unit.name, row.text("place")),
                    "ships lie in ports",
                );
            }
        }
        self.units.push(unit);
    }

    /// A kind that the table has, and no more than its greatest strength.
    fn fits(&self, row: &Row, seat: &SeatId, kind: Kind, strength: u8, faults: &mut Faults) {
        let name = row.text("name");
        match self.table.get(&(seat.clone(), kind)) {
            None => {
                let message = format!("{name} is {kind}, of which brigade_types.csv has no line for {seat}");
                faults.add(row.at, message, "a line for * or for the seat is needed");
            }
            Some(known) if strength > known.max => {
                let message = format!("{name} has strength {strength}, {kind} at most {}", known.max);
                faults.add(row.at, message, "lower it, or split the brigade");
            }
            Some(_) => {}
        }
    }

    fn leader(&mut self, row: &Row, ground: &Ground, faults: &mut Faults) {
        let strength = row.count("strength", 1, 99, faults);
        let on = row.choice("kind", &[("foot", 1), ("cavalry", 2)], faults);
        let movement: u8 = row.count("move", 0, 99, faults);
        if on.is_some_and(|rate| rate != movement) {
            let message = format!("a leader of {} moves {}", row.text("kind"), on.unwrap_or_default());
            faults.add(row.at, message, "printed: foot (move 1) or cavalry (move 2)");
        }
        let crowns = [("", Crown::No), ("yes", Crown::Wears), ("heir", Crown::Heir)];
        let crown = row.choice("sovereign", &crowns, faults);
        let rated = if row.needed("rating", faults).is_empty() { None } else { rating(row, faults) };
        let figures = LeaderFigures {
            movement,
            strategic: row.count("sr", 1, 7, faults),
            rating: rated.unwrap_or(Rating { letter: Letter::C, hits_on: 1 }),
            max: strength,
            rally: row.count("rally", 0, 6, faults),
            sovereign: crown == Some(Crown::Wears),
        };
        let Some(mut unit) = self.common(row, Kind::Leader, strength, ground, faults) else { return };
        unit.leader = Some(figures);
        unit.aliases = row.list("aliases");
        unit.heir = crown == Some(Crown::Heir);
        unit.leaves = turn(row, "leaves", ground, faults);
        if unit.leaves.is_some_and(|when| unit.arrives.is_some_and(|first| first >= when)) {
            faults.add(
                row.at,
                format!("{} leaves before he arrives", unit.name),
                "leaves = the first turn without him",
            );
        }
        self.units.push(unit);
    }

    fn common(
        &mut self,
        row: &Row,
        kind: Kind,
        strength: u8,
        ground: &Ground,
        faults: &mut Faults,
    ) -> Option<UnitSetup> {
        row.needed("seat", faults);
        let seat = row.seat("seat", ground.ids, faults);
        let (name, short) = (row.needed("name", faults), row.needed("short", faults));
        let place = city(row, "place", ground, faults);
        let arrives = turn(row, "arrives", ground, faults);
        let id = UnitId(row.count("id", 1, LEVIES_FROM - 1, faults));
        if let Some(first) = self.lines.get(&id) {
            let message = format!("the number {id} stands twice");
            faults.add(row.at, message, format!("first in {} line {}", first.file, first.line));
            return None;
        }
        self.lines.insert(id, row.at);
        Some(UnitSetup {
            id,
            seat: seat?,
            kind,
            name,
            short,
            aliases: Vec::new(),
            strength,
            place: place?,
            arrives,
            leaves: None,
            heir: false,
            leader: None,
        })
    }

    /// Levies come at full strength, in the capital of their province [003 Feudal Troops].
    fn levy(&mut self, row: &Row, id: UnitId, ground: &Ground, faults: &mut Faults) {
        row.needed("seat", faults);
        let seat = row.seat("seat", ground.ids, faults);
        let kinds = [Kind::FeudalFoot, Kind::FeudalHorse].map(|kind| (kind.slug(), kind));
        let kind = row.choice("kind", &kinds, faults);
        let strength = row.count("strength", 1, 99, faults);
        let (name, short) = (row.needed("name", faults), row.needed("short", faults));
        let place = city(row, "city", ground, faults);
        let (Some(seat), Some(kind), Some(place)) = (seat, kind, place) else { return };
        self.fits(row, &seat, kind, strength, faults);
        let full = self.table.get(&(seat.clone(), kind)).map(|known| known.max);
        if full.is_some_and(|full| strength < full) {
            let message = format!("{name} has strength {strength}, a levy comes at full strength");
            faults.add(row.at, message, format!("strength = {}", full.unwrap_or_default()));
        }
        if ground.board.city(place).is_some_and(|city| city.capital_of.is_none()) {
            let message = format!("{name} musters at {}, which is no province's capital", row.text("city"));
            faults.add(row.at, message, "levies muster in the capital of their province");
        }
        self.lines.insert(id, row.at);
        self.levies.push(LevySetup { id, seat, kind, name, short, place, strength });
    }
}

fn city(row: &Row, column: &str, ground: &Ground, faults: &mut Faults) -> Option<HexId> {
    let cell = row.needed(column, faults);
    let found = ground.cities.get(&cell).map(|(hex, _)| *hex);
    if found.is_none() && !cell.is_empty() {
        let help = did_you_mean(&cell, ground.cities.keys().map(String::as_str));
        let help = elsewhere(&cell, ground).unwrap_or(help);
        faults.add(row.at, format!("{column} \"{cell}\" is no city of cities.csv"), help);
    }
    found
}

/// Which city stands for a place that has no hex to itself.
fn elsewhere(cell: &str, ground: &Ground) -> Option<String> {
    let wanted = plain(&cell.replace('_', " "));
    let place = ground.board.places.iter().find(|place| plain(&place.name) == wanted)?;
    let city = ground.cities.iter().find(|(_, (hex, _))| *hex == place.hex);
    Some(match city {
        Some((id, _)) => format!("{} lies in {}, where the city is {id}", place.name, place.hex),
        None => format!("{} lies in {}, where no city is", place.name, place.hex),
    })
}

/// "summer 1700", within the game.
fn turn(row: &Row, column: &str, ground: &Ground, faults: &mut Faults) -> Option<(u16, Season)> {
    let cell = row.text(column);
    if cell.is_empty() {
        return None;
    }
    let seasons = [Season::Spring, Season::Summer, Season::Fall, Season::Winter];
    let parts = cell.split_once(' ');
    let season = parts.and_then(|(word, _)| seasons.into_iter().find(|s| s.to_string().to_lowercase() == word));
    let year = parts.and_then(|(_, year)| year.parse().ok());
    let year = year.filter(|year| (ground.years.0..=ground.years.1).contains(year));
    let found = year.zip(season);
    if found.is_none() {
        let message = format!("{column} is \"{cell}\"");
        let (first, last) = ground.years;
        faults.add(row.at, message, format!("a season and a year from {first} to {last}, as summer {first}"));
    }
    found
}

/// Each seat's sovereign is one of its leaders, and nobody else is marked as one [003 Leader Casualties].
fn sovereigns(forces: &Forces, ground: &Ground, faults: &mut Faults) {
    for seat in ground.seats {
        let own = forces.units.iter().filter(|unit| unit.seat == seat.id && unit.leader.is_some());
        let marked: Vec<&UnitSetup> = own.filter(|unit| unit.leader.is_some_and(|l| l.sovereign)).collect();
        if !marked.iter().any(|unit| unit.name == seat.sovereign) {
            let message = format!("\"{}\" is no leader of {} marked sovereign = yes", seat.sovereign, seat.id);
            faults.add(seat.at, message, "name him as leaders.csv does");
        }
        for other in marked.iter().filter(|unit| unit.name != seat.sovereign) {
            let at = forces.lines.get(&other.id).copied().unwrap_or(seat.at);
            let message = format!("{} is marked sovereign, {} names {}", other.name, seat.id, seat.sovereign);
            faults.add(at, message, "a seat has one sovereign");
        }
    }
}
