//! `roads.csv`, roads of the time, and `marches.csv`, marches of history that the board must allow. A campaign may do without
//! either.

use super::raw::{At, Faults, did_you_mean, rows_if_there};
use super::terms::is_slug;
use crate::engine::{HexId, HexSide};
use crate::rules::season::board::{Board, Road};
use std::collections::{BTreeMap, BTreeSet};

/// A march that a foot army has to be able to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoricMarch {
    /// The line of marches.csv.
    pub line: usize,
    /// What it is called: "Charles XII to Poltava".
    pub name: String,
    /// The hexes of the cities it touches, in order.
    pub through: Vec<HexId>,
    /// The seasons it may take.
    pub seasons: u32,
    /// The leader's Strategic Rating.
    pub rating: u8,
}

/// Reads the roads into the board: each step leads over a side or link that brigades can pass [R-003-P48].
pub(super) fn read(files: &BTreeMap<String, String>, board: &mut Board, faults: &mut Faults) {
    let mut known: BTreeMap<String, At> = BTreeMap::new();
    for row in rows_if_there(files, "roads.csv", &["id", "name", "hexes"], faults) {
        let id = row.needed("id", faults);
        if !is_slug(&id) {
            faults.add(row.at, format!("\"{id}\" is no id"), "lower-case letters, digits and _ are");
        }
        if let Some(first) = known.insert(id.clone(), row.at) {
            faults.add(row.at, format!("the road \"{id}\" stands twice"), format!("first in line {}", first.line));
        }
        let mut hexes: Vec<HexId> = Vec::new();
        for word in row.list("hexes") {
            match word.parse() {
                Ok(hex) => hexes.push(hex),
                Err(fault) => faults.add(row.at, format!("{fault}"), "a leading 0 may have been lost in a spreadsheet"),
            }
        }
        if row.list("hexes").len() < 2 {
            faults.add(row.at, format!("the road {id} has no two hexes"), "hexes parted by |, from end to end");
        }
        for (from, to) in hexes.iter().zip(hexes.iter().skip(1)) {
            if let Some((what, help)) = barred(board, *from, *to) {
                faults.add(row.at, format!("the road {id} cannot go from {from} to {to}: {what}"), help);
            }
        }
        board.roads.push(Road { id, name: row.needed("name", faults), hexes });
    }
}

fn barred(board: &Board, from: HexId, to: HexId) -> Option<(&'static str, &'static str)> {
    match board.sides.get(&HexSide::between(from, to)) {
        Some(side) if side.strait => Some(("a strait is between them", "a road ends where the ferry begins")),
        Some(side) if side.closed => Some(("their side is impassable", "see hexsides.csv")),
        Some(_) => None,
        None => Some(("they are no neighbouring land hexes", "name every hex on its way")),
    }
}

/// Reads the marches of history.
pub(super) fn marches(
    files: &BTreeMap<String, String>,
    cities: &BTreeMap<String, (HexId, At)>,
    faults: &mut Faults,
) -> Vec<HistoricMarch> {
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    for row in rows_if_there(files, "marches.csv", &["name", "through", "seasons", "rating", "source"], faults) {
        let name = row.needed("name", faults);
        if !names.insert(name.clone()) {
            faults.add(row.at, format!("the march \"{name}\" stands twice"), "strike one or rename it");
        }
        let words = row.list("through");
        let mut through = Vec::new();
        for city in &words {
            match cities.get(city) {
                Some((hex, _)) => through.push(*hex),
                None => {
                    let help = did_you_mean(city, cities.keys().map(String::as_str));
                    faults.add(row.at, format!("\"{city}\" is no city of cities.csv"), help);
                }
            }
        }
        if words.len() < 2 {
            faults.add(row.at, format!("the march \"{name}\" names no two cities"), "their ids parted by |, in order");
        }
        let (seasons, rating) = (row.count("seasons", 1, 99, faults), row.count("rating", 1, 7, faults));
        found.push(HistoricMarch { line: row.at.line, name, through, seasons, rating });
    }
    found
}
