//! `cards.toml`: the 87 cards [003 Cards].

use super::raw::{At, Faults, Keys, did_you_mean, parse, text};
use super::terms::is_slug;
use crate::engine::SeatId;
use crate::rules::season::cards::{CardData, EventCard, EventGroup};
use std::collections::{BTreeMap, BTreeSet};

const FILE: &str = "cards.toml";
/// Printed: "sixty (60) ACTION cards and twenty-seven (27) EVENT cards" [003 Cards].
const ACTIONS: usize = 60;
const EVENTS: usize = 27;
/// The countries for which the rulebook lists leaders [003 Armies].
const COUNTRIES: [&str; 8] =
    ["saxony_poland", "denmark_norway", "russia", "sweden", "ukraine", "turkey", "prussia", "austria"];

/// Reads the file.
pub(super) fn read(files: &BTreeMap<String, String>, seats: &BTreeSet<SeatId>, faults: &mut Faults) -> CardData {
    let mut cards = CardData { actions: Vec::new(), events: Vec::new() };
    let Some(text) = text(files, FILE, faults) else { return cards };
    let parsed = parse(FILE, text, faults);
    let top = Keys::top(FILE, text, &parsed);
    top.only(&["action", "event"], faults);
    for keys in top.tables("action", faults) {
        keys.only(&["value", "first", "last"], faults);
        let series: (u8, u8, u8) = (
            keys.number("value", 0, 9, faults),
            keys.number("first", 1, 99, faults),
            keys.number("last", 1, 99, faults),
        );
        cards.actions.push(series);
        serials(&cards.actions, keys.at("first"), faults);
    }
    for keys in top.tables("event", faults) {
        if let Some(card) = event(&keys, &cards, seats, faults) {
            cards.events.push(card);
        }
    }
    let whole = At { file: FILE, line: 0 };
    let actions: usize = cards.actions.iter().map(|(_, first, last)| (*first..=*last).count()).sum();
    let events: usize = cards.events.iter().map(|event| usize::from(event.count)).sum();
    for (what, found, printed) in [("Action", actions, ACTIONS), ("Event", events, EVENTS)] {
        if found != printed {
            faults.add(whole, format!("there are {found} {what} cards"), format!("the rulebook prints {printed}"));
        }
    }
    cards
}

/// Serials count on from 1 and rise with the value, or "highest numbered" would mean two things [R-003-06].
fn serials(actions: &[(u8, u8, u8)], at: At, faults: &mut Faults) {
    let Some((value, first, last)) = actions.last() else { return };
    let before = actions.iter().rev().nth(1);
    let expected = before.map_or(1, |(_, _, last)| last.saturating_add(1));
    if *first != expected || last < first {
        faults.add(at, format!("these serials run from {first} to {last}"), format!("they count on from {expected}"));
    }
    if before.is_some_and(|(lower, ..)| lower >= value) {
        faults.add(
            at,
            format!("cards of value {value} follow cards of the same or a higher value"),
            "serials rise with the value",
        );
    }
}

fn event(keys: &Keys, cards: &CardData, seats: &BTreeSet<SeatId>, faults: &mut Faults) -> Option<EventCard> {
    keys.only(&["id", "name", "count", "group", "steps", "country", "when", "figures", "text"], faults);
    let id = keys.text("id", faults);
    if !is_slug(&id) {
        faults.add(keys.at("id"), format!("\"{id}\" is no id"), "lower-case letters, digits and _ are");
    }
    if cards.events.iter().any(|event| event.id == id) {
        faults.add(keys.at("id"), format!("the card \"{id}\" stands twice"), "raise its count instead");
    }
    let moments = [
        "events",
        "before_movement",
        "with_movement",
        "during_movement",
        "end_of_movement",
        "before_battles",
        "before_reinforcements",
    ];
    keys.choice("when", &moments.map(|moment| (moment, ())), faults);
    let count = keys.number("count", 1, 99, faults);
    let (name, when, text) = (keys.text("name", faults), keys.text("when", faults), keys.text("text", faults));
    let group = match keys.choice("group", &[("supply", 0), ("generic", 1), ("country", 2)], faults)? {
        0 => EventGroup::Supply(keys.number("steps", 1, 9, faults)),
        1 => EventGroup::Generic,
        _ => EventGroup::Country(country(keys, seats, faults)),
    };
    let figures = keys.numbers("figures", faults);
    Some(EventCard { id, name, count, group, when, figures, text })
}

/// A country card may be one of a country that does not play [R-003-09]; but a country that is neither a seat nor one of the
/// rulebook's is a slip.
fn country(keys: &Keys, seats: &BTreeSet<SeatId>, faults: &mut Faults) -> SeatId {
    let country = keys.text("country", faults);
    if !seats.contains(country.as_str()) && !COUNTRIES.contains(&country.as_str()) {
        let help = did_you_mean(&country, seats.iter().map(SeatId::as_str).chain(COUNTRIES));
        faults.add(keys.at("country"), format!("there is no country \"{country}\""), help);
    }
    SeatId::new(&country)
}
