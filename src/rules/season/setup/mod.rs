//! `campaigns/<name>/` -> [`Campaign`] -> [`State`](super::state::State): raw data, then checked data, all faults at once.
//!
//! `raw` reads tables and keys with their lines; `terms`, `map` (with `sides`, `rivers`, `links`, `roads`), `forces` and `deck`
//! check one group of files each; `names` looks over all of them; `opening` sets the board up.

mod deck;
mod forces;
mod links;
mod map;
mod names;
mod opening;
mod raw;
mod rivers;
mod roads;
mod sides;
mod terms;

pub use opening::{deal, open};
pub use roads::HistoricMarch;

use super::Season as System;
use super::campaign::{Campaign, Seat};
use crate::engine::{DataFault, HexId, Rules};
use raw::{Faults, did_you_mean};
use std::collections::BTreeMap;

/// A checked campaign with what only a survey of its board needs.
pub struct Charted {
    /// The campaign.
    pub campaign: Campaign,
    /// Marches of history that must be possible.
    pub marches: Vec<HistoricMarch>,
    /// The line of hexes.csv in which each hex stands.
    pub hex_lines: BTreeMap<HexId, usize>,
}

/// Reads and checks a campaign's files (name within the campaign's folder to text).
///
/// # Errors
/// All faults at once, by file and line, each with what to do about it.
pub fn load(files: &BTreeMap<String, String>) -> Result<Campaign, Vec<DataFault>> {
    chart(files).map(|charted| charted.campaign)
}

/// As [`load`], for a survey of the board.
///
/// # Errors
/// As [`load`].
pub fn chart(files: &BTreeMap<String, String>) -> Result<Charted, Vec<DataFault>> {
    let mut faults = Faults::default();
    let Some(terms) = terms::read(files, System::SYSTEM, &mut faults) else { return Err(faults.into_list()) };
    let ids = terms.seat_ids();
    let map = map::read(files, &ids, &terms.map, &mut faults);
    let ground = forces::Ground {
        seats: &terms.seats,
        ids: &ids,
        cities: &map.cities,
        board: &map.board,
        years: (terms.start_year, terms.end_year),
    };
    let forces = forces::read(files, &ground, &mut faults);
    let cards = deck::read(files, &ids, &mut faults);
    names::check(&terms.seats, &map, &forces, &mut faults);
    let seats = seats(&terms, &map, &mut faults);
    if !faults.none() {
        return Err(faults.into_list());
    }
    let campaign = Campaign {
        name: terms.name,
        title: terms.title,
        start_year: terms.start_year,
        end_year: terms.end_year,
        seats,
        board: map.board,
        table: forces.table,
        units: forces.units,
        levies: forces.levies,
        cards,
        figures: terms.figures,
        house: terms.house,
        wars: terms.wars,
        treaties: terms.treaties,
    };
    let hex_lines = map.hex_lines.into_iter().map(|(hex, at)| (hex, at.line)).collect();
    Ok(Charted { campaign, marches: map.marches, hex_lines })
}

/// Seats with their capitals found on the map [003 Capture of a Capital].
fn seats(terms: &terms::Terms, map: &map::Map, faults: &mut Faults) -> Vec<Seat> {
    let mut seats = Vec::new();
    for raw in &terms.seats {
        let mut capitals: Vec<HexId> = Vec::new();
        for city in &raw.capitals {
            match map.cities.get(city) {
                None => {
                    let help = did_you_mean(city, map.cities.keys().map(String::as_str));
                    faults.add(raw.at, format!("capital \"{city}\" is no city of cities.csv"), help);
                }
                Some((hex, _)) => {
                    let owner = map.board.hexes.get(hex).and_then(|h| h.owner.as_ref());
                    if owner != Some(&raw.id) {
                        faults.add(raw.at, format!("capital {city} does not belong to {}", raw.id), "see hexes.csv");
                    }
                    if capitals.contains(hex) {
                        faults.add(raw.at, format!("capital {city} stands twice"), "strike one");
                    }
                    capitals.push(*hex);
                }
            }
        }
        if !(1..=2).contains(&raw.capitals.len()) {
            faults.add(raw.at, format!("{} has {} capitals", raw.id, raw.capitals.len()), "one or two are needed");
        }
        seats.push(Seat {
            id: raw.id.clone(),
            name: raw.name.clone(),
            adjective: raw.adjective.clone(),
            aliases: raw.aliases.clone(),
            capitals,
            bank: raw.bank,
            colour: raw.colour.clone(),
        });
    }
    seats
}

#[cfg(test)]
mod tests;
