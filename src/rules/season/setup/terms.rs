//! `campaign.toml`: length, figures, house rules, seats, wars, treaties.

use super::raw::{At, Faults, Keys, did_you_mean, parse, text};
use crate::engine::SeatId;
use crate::rules::season::board::Terrain;
use crate::rules::season::campaign::{Figures, Fog, HouseRules};
use std::collections::{BTreeMap, BTreeSet};

const FILE: &str = "campaign.toml";
/// Larger than any figure of these rules; keeps sums far from their limits.
const MOST: i64 = 9_999;

/// A seat before its capitals are found on the map.
pub(super) struct RawSeat {
    pub at: At,
    pub id: SeatId,
    pub name: String,
    pub adjective: String,
    pub aliases: Vec<String>,
    pub capitals: Vec<String>,
    pub sovereign: String,
    pub bank: u32,
    pub colour: String,
}

/// What `campaign.toml` says.
pub(super) struct Terms {
    pub name: String,
    pub title: String,
    pub start_year: u16,
    pub end_year: u16,
    pub map: MapTerms,
    pub figures: Figures,
    pub house: HouseRules,
    pub seats: Vec<RawSeat>,
    pub wars: Vec<(SeatId, SeatId)>,
    pub treaties: Vec<(SeatId, SeatId)>,
}

/// What it says of the board as a whole.
pub(super) struct MapTerms {
    pub scale_km: u32,
    pub seas: u32,
}

impl Terms {
    /// All seats.
    pub fn seat_ids(&self) -> BTreeSet<SeatId> {
        self.seats.iter().map(|seat| seat.id.clone()).collect()
    }
}

/// Reads the file; `None` if it is missing.
pub(super) fn read(files: &BTreeMap<String, String>, system: &str, faults: &mut Faults) -> Option<Terms> {
    let text = text(files, FILE, faults)?;
    let parsed = parse(FILE, text, faults);
    let top = Keys::top(FILE, text, &parsed);
    let known = [
        "name",
        "title",
        "system",
        "data_version",
        "start_year",
        "years",
        "hand_size",
        "map",
        "movement",
        "fort",
        "supply",
        "economy",
        "house_rules",
        "seat",
        "war",
        "consent",
        "scoring",
    ];
    top.only(&known, faults);
    top.choice("system", &[(system, ())], faults);
    top.number::<u32>("data_version", 1, MOST, faults);
    let start_year = top.number("start_year", 1600, 1800, faults);
    let years: u16 = top.number("years", 1, 99, faults);
    let seats = seats(&top, faults);
    let ids = seats.iter().map(|seat| seat.id.clone()).collect();
    Some(Terms {
        name: top.text("name", faults),
        title: top.text("title", faults),
        start_year,
        end_year: (start_year + years).saturating_sub(1),
        map: map(&top, faults),
        figures: figures(&top, faults),
        house: house(&top, faults),
        wars: wars(&top, &ids, faults),
        treaties: treaties(&top, &ids, faults),
        seats,
    })
}

/// The scale, and how many seas there are that no ship passes between: one unless the file says so.
fn map(top: &Keys, faults: &mut Faults) -> MapTerms {
    let mut map = MapTerms { scale_km: 1, seas: 1 };
    if let Some(keys) = top.table("map", faults) {
        keys.only(&["scale_km", "seas"], faults);
        map.scale_km = keys.number("scale_km", 1, MOST, faults);
        if keys.has("seas") {
            map.seas = keys.number("seas", 0, 9, faults);
        }
    }
    map
}

fn figures(top: &Keys, faults: &mut Faults) -> Figures {
    let mut figures = Figures {
        hand_size: top.number("hand_size", 1, 29, faults),
        side_limit: BTreeMap::new(),
        stops: Vec::new(),
        river_limit_bonus: 0,
        river_move_max: 0,
        quiet_rounds: 0,
        square_divisor: 1,
        hexagon_divisor: 1,
        land_feeds: 0,
        supply_loss: 0,
        winter_loss: 0,
        siege_free_turns: 0,
        money_divisor: 1,
        manpower_divisor: 1,
        score_capital: 0,
        score_surrendered: 0,
    };
    if let Some(keys) = top.table("movement", faults) {
        movement(&keys, &mut figures, faults);
    }
    if let Some(keys) = top.table("fort", faults) {
        keys.only(&["square", "hexagon"], faults);
        figures.square_divisor = keys.number("square", 1, 99, faults);
        figures.hexagon_divisor = keys.number("hexagon", 1, 99, faults);
    }
    if let Some(keys) = top.table("supply", faults) {
        keys.only(&["land_feeds", "loss", "winter_loss", "siege_free_turns"], faults);
        figures.land_feeds = keys.number("land_feeds", 0, 99, faults);
        figures.supply_loss = keys.number("loss", 0, 99, faults);
        figures.winter_loss = keys.number("winter_loss", 0, 99, faults);
        figures.siege_free_turns = keys.number("siege_free_turns", 0, 99, faults);
    }
    if let Some(keys) = top.table("economy", faults) {
        keys.only(&["money_divisor", "manpower_divisor"], faults);
        figures.money_divisor = keys.number("money_divisor", 1, MOST, faults);
        figures.manpower_divisor = keys.number("manpower_divisor", 1, MOST, faults);
    }
    if let Some(keys) = top.table("scoring", faults) {
        keys.only(&["capital", "surrendered"], faults);
        figures.score_capital = keys.number("capital", 0, MOST, faults);
        figures.score_surrendered = keys.number("surrendered", 0, MOST, faults);
    }
    figures
}

/// Terrains by their words in the files.
pub(super) const TERRAINS: [(&str, Terrain); 4] = [
    ("clear", Terrain::Clear),
    ("forest", Terrain::Forest),
    ("marsh", Terrain::Marsh),
    ("mountain", Terrain::Mountain),
];

fn movement(keys: &Keys, figures: &mut Figures, faults: &mut Faults) {
    keys.only(&["river_move_max", "river_limit_bonus", "quiet_rounds", "must_stop_after", "side_limit"], faults);
    figures.river_move_max = keys.number("river_move_max", 0, 99, faults);
    figures.river_limit_bonus = keys.number("river_limit_bonus", 0, 99, faults);
    figures.quiet_rounds = keys.number("quiet_rounds", 1, 99, faults);
    for word in keys.texts("must_stop_after", faults) {
        match TERRAINS.iter().find(|(name, _)| *name == word) {
            Some((_, terrain)) => figures.stops.push(*terrain),
            None => {
                let help = did_you_mean(&word, TERRAINS.iter().map(|(name, _)| *name));
                faults.add(keys.at("must_stop_after"), format!("there is no terrain \"{word}\""), help);
            }
        }
    }
    if let Some(limits) = keys.table("side_limit", faults) {
        limits.only(&TERRAINS.map(|(name, _)| name), faults);
        for (name, _) in TERRAINS {
            figures.side_limit.insert(name, limits.number(name, 1, 99, faults));
        }
    }
}

fn house(top: &Keys, faults: &mut Faults) -> HouseRules {
    let mut house = HouseRules {
        event_as_action: true,
        defender_first: false,
        fort_remainder_carried: true,
        stragglers: false,
        deploy_cap: false,
        fog: Fog::Blocks,
        reopen_on_correction: true,
        open_challenge_holds: true,
        leaders_leave: false,
    };
    let Some(keys) = top.table("house_rules", faults) else { return house };
    let known = [
        "event_as_action",
        "letter_order",
        "fort_remainder",
        "forced_march_loss",
        "deploy_cap",
        "fog",
        "reopen_on_correction",
        "open_challenge_holds",
        "leaders_leave",
    ];
    keys.only(&known, faults);
    let mut either = |key, off, on| keys.choice(key, &[(off, false), (on, true)], faults).unwrap_or_default();
    house.defender_first = either("letter_order", "simultaneous", "defender_first");
    house.fort_remainder_carried = either("fort_remainder", "lost", "carried");
    house.stragglers = either("forced_march_loss", "printed", "stragglers");
    house.deploy_cap = either("deploy_cap", "none", "city value");
    let fogs = [("blocks", Fog::Blocks), ("open", Fog::Open), ("scouted", Fog::Scouted)];
    house.fog = keys.choice("fog", &fogs, faults).unwrap_or(Fog::Blocks);
    house.event_as_action = keys.flag("event_as_action", faults);
    house.reopen_on_correction = keys.flag("reopen_on_correction", faults);
    house.open_challenge_holds = keys.flag("open_challenge_holds", faults);
    house.leaders_leave = keys.flag("leaders_leave", faults);
    house
}

fn seats(top: &Keys, faults: &mut Faults) -> Vec<RawSeat> {
    let mut seats: Vec<RawSeat> = Vec::new();
    for keys in top.tables("seat", faults) {
        keys.only(&["id", "name", "adjective", "aliases", "capitals", "sovereign", "bank", "color"], faults);
        let id = keys.text("id", faults);
        if !is_slug(&id) {
            faults.add(keys.at("id"), format!("\"{id}\" is no id"), "lower-case letters, digits and _ are");
        }
        if seats.iter().any(|seat| seat.id.as_str() == id) {
            faults.add(keys.at("id"), format!("the seat \"{id}\" stands twice"), "strike one or rename it");
            continue;
        }
        let colour = keys.text("color", faults);
        let digits = colour.strip_prefix('#').unwrap_or("");
        if digits.len() != 6 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            faults.add(keys.at("color"), format!("\"{colour}\" is no colour"), "write it as #rrggbb");
        }
        seats.push(RawSeat {
            at: At { line: keys.at("capitals").line, ..keys.at },
            id: SeatId::new(&id),
            name: keys.text("name", faults),
            adjective: keys.text("adjective", faults),
            aliases: if keys.has("aliases") { keys.texts("aliases", faults) } else { Vec::new() },
            capitals: keys.texts("capitals", faults),
            sovereign: keys.text("sovereign", faults),
            bank: keys.number("bank", 0, MOST, faults),
            colour,
        });
    }
    if seats.len() < 2 {
        faults.add(At { file: FILE, line: 0 }, "there are fewer than two seats", "a [[seat]] table for each is needed");
    }
    seats
}

/// Whether a word can be an id.
pub(super) fn is_slug(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// Two seats that must be known and different [R-003-03].
fn two(first: &str, second: &str, at: At, ids: &BTreeSet<SeatId>, faults: &mut Faults) -> Option<(SeatId, SeatId)> {
    for word in [first, second].iter().filter(|word| !ids.contains(**word)) {
        let help = did_you_mean(word, ids.iter().map(SeatId::as_str));
        faults.add(at, format!("\"{word}\" is no seat"), help);
    }
    if first == second {
        faults.add(at, format!("\"{first}\" stands against itself"), "name two seats");
        return None;
    }
    Some((ids.get(first)?.clone(), ids.get(second)?.clone()))
}

fn wars(top: &Keys, ids: &BTreeSet<SeatId>, faults: &mut Faults) -> Vec<(SeatId, SeatId)> {
    let mut wars = Vec::new();
    for keys in top.tables("war", faults) {
        keys.only(&["between"], faults);
        let between = keys.texts("between", faults);
        match between.as_slice() {
            [first, second] => wars.extend(two(first, second, keys.at("between"), ids, faults)),
            _ => faults.add(keys.at("between"), "a war is between two seats", "between = [\"one\", \"other\"]"),
        }
    }
    wars
}

fn treaties(top: &Keys, ids: &BTreeSet<SeatId>, faults: &mut Faults) -> Vec<(SeatId, SeatId)> {
    let mut treaties = Vec::new();
    for keys in top.tables("consent", faults) {
        keys.only(&["a", "b"], faults);
        let (first, second) = (keys.text("a", faults), keys.text("b", faults));
        treaties.extend(two(&first, &second, keys.at("b"), ids, faults));
    }
    treaties
}
