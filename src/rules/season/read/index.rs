//! What a seat's words can name: units, places, seats, cards, rivers, as its own view knows them.

use super::lexicon::UnitName;
use crate::engine::{HexId, SeatId, UnitId};
use crate::orders::fold::{fold, words_of};
use crate::orders::names::{Closeness, Found, Names};
use crate::rules::season::board::RiverId;
use crate::rules::season::campaign::{Campaign, UnitSetup};
use crate::rules::season::state::Unit;
use crate::rules::season::view::View;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Something that has a name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Thing {
    /// A unit, whosever.
    Unit(UnitId),
    /// A hex.
    Place(HexId),
    /// A seat.
    Seat(SeatId),
    /// An Event card, by slug.
    Card(String),
    /// A river.
    River(RiverId),
}

/// The names a letter can use, and the seat's forces.
pub(super) struct Index<'a> {
    /// The seat's view.
    pub view: &'a View,
    /// The seat.
    pub seat: &'a SeatId,
    /// The seat's units, with those that appear before any order is carried out.
    pub forces: BTreeMap<UnitId, Unit>,
    fixed: Arc<Fixed>,
    // Made when the first name is sought: whoever puts orders into words seeks none.
    of_units: OnceCell<OfUnits>,
}

/// The names of the seat's units, whole, and the words of which they are made.
#[derive(Default)]
struct OfUnits {
    whole: Names<Thing>,
    partial: Names<Thing>,
}

/// Names that stand in the campaign's data.
struct Fixed {
    names: Names<Thing>,
}

impl<'a> Index<'a> {
    /// The index for one seat's view.
    pub fn new(view: &'a View, seat: &'a SeatId) -> Self {
        let forces = forces(view, seat);
        Self { view, seat, forces, fixed: fixed(&view.campaign), of_units: OnceCell::new() }
    }

    fn own(&self) -> &Names<Thing> {
        &self.of_units.get_or_init(|| of_units(&self.forces)).whole
    }

    fn partial(&self) -> &Names<Thing> {
        &self.of_units.get_or_init(|| of_units(&self.forces)).partial
    }

    /// What stands at the beginning of these folded words: a whole name, else a unique part of one of the own units' names, else
    /// a shortened name.
    pub fn find(&self, sentence: &[&str]) -> Option<Found<Thing>> {
        let exact = longer(self.own().exact(sentence), self.fixed.names.exact(sentence));
        if exact.is_some() {
            return exact.map(|found| self.tidy(found));
        }
        let part = self.partial().exact(sentence).map(|found| Found { closeness: Closeness::Shortened, ..found });
        part.or_else(|| longer(self.own().shortened(sentence), self.fixed.names.shortened(sentence)))
            .or_else(|| self.partial().shortened(sentence))
            .map(|found| self.tidy(found))
    }

    /// A whole name at the beginning of these words.
    pub fn exact(&self, sentence: &[&str]) -> Option<Found<Thing>> {
        longer(self.own().exact(sentence), self.fixed.names.exact(sentence)).map(|found| self.tidy(found))
    }

    /// A name one slip of the pen away, if there is only one.
    pub fn slip(&self, word: &str) -> Option<Found<Thing>> {
        let whole = [self.own().slip(word), self.fixed.names.slip(word)].into_iter().flatten();
        let mut things: Vec<Thing> = whole.flat_map(|found| found.things).collect();
        if things.is_empty() {
            things.extend(self.partial().slip(word).into_iter().flat_map(|found| found.things));
        }
        things.sort();
        things.dedup();
        (!things.is_empty()).then(|| self.tidy(Found { words: 1, things, closeness: Closeness::Slip }))
    }

    /// Names that the player may have meant, nearest first, as they are written.
    pub fn near(&self, word: &str) -> Vec<Thing> {
        let allowed = (word.len() / 3).clamp(1, 3);
        let mut near = self.own().near(word, allowed);
        near.extend(self.partial().near(word, allowed));
        near.extend(self.fixed.names.near(word, allowed));
        near.sort();
        let mut things: Vec<Thing> = Vec::new();
        for (_, _, thing) in near {
            if !things.contains(&thing) {
                things.push(thing);
            }
        }
        things.truncate(3);
        things
    }

    /// The own units whose names hold this word.
    pub fn units_called(&self, word: &str) -> Vec<UnitId> {
        let found = self.partial().exact(&[word]);
        let units = found.into_iter().flat_map(|found| found.things).filter_map(|thing| match thing {
            Thing::Unit(id) => Some(id),
            _ => None,
        });
        units.collect()
    }

    /// A shortened name that fits an own unit fits nothing that the player cannot command.
    fn tidy(&self, mut found: Found<Thing>) -> Found<Thing> {
        let own = |thing: &Thing| matches!(thing, Thing::Unit(id) if self.forces.contains_key(id));
        let foreign = |thing: &Thing| matches!(thing, Thing::Unit(id) if !self.forces.contains_key(id));
        if found.things.iter().any(own) || found.closeness > Closeness::Exact {
            let rest: Vec<Thing> = found.things.iter().filter(|thing| !foreign(thing)).cloned().collect();
            if !rest.is_empty() {
                found.things = rest;
            }
        }
        found
    }

    /// An own unit.
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.forces.get(&id)
    }

    /// A unit's setup in the campaign's data, whosever.
    pub fn setup(&self, id: UnitId) -> Option<&UnitSetup> {
        self.view.campaign.units.iter().find(|unit| unit.id == id)
    }

    /// What a thing is called.
    pub fn name(&self, thing: &Thing) -> String {
        let campaign = &self.view.campaign;
        match thing {
            Thing::Unit(id) => self.unit_name(*id),
            Thing::Place(hex) => self.place_name(*hex),
            Thing::Seat(seat) => campaign.seat_name(seat).to_owned(),
            Thing::Card(id) => card_name(campaign, id),
            Thing::River(river) => campaign.board.rivers.get(river).cloned().unwrap_or_else(|| river.to_string()),
        }
    }

    /// A unit's short name.
    pub fn unit_name(&self, id: UnitId) -> String {
        let own = self.forces.get(&id).map(|unit| unit.short.to_string());
        own.or_else(|| self.setup(id).map(|unit| unit.short.clone())).unwrap_or_else(|| format!("unit {id}"))
    }

    /// A place in words that name it and nothing else; else its number.
    pub fn place_name(&self, hex: HexId) -> String {
        let name = self.view.campaign.board.name(hex);
        let name = name.strip_prefix("before ").unwrap_or(name);
        let words = words_of(name);
        let refs: Vec<&str> = words.iter().map(String::as_str).collect();
        let alone =
            self.exact(&refs).is_some_and(|found| found.words == refs.len() && found.things == [Thing::Place(hex)]);
        let placed = self.exact(&refs).is_some_and(|found| {
            let places: Vec<&Thing> = found.things.iter().filter(|thing| matches!(thing, Thing::Place(_))).collect();
            found.words == refs.len() && places == [&Thing::Place(hex)]
        });
        if alone || placed { name.to_owned() } else { hex.to_string() }
    }
}

/// A card's name as orders write it: no brackets, no shouting.
pub(super) fn card_name(campaign: &Campaign, id: &str) -> String {
    let name = campaign.cards.event(id).map_or(id, |card| card.name.as_str());
    name.trim_end_matches('!').to_owned()
}

/// Words in unit names that name no unit.
const GENERIC: &[&str] = &[
    "garrison",
    "horse",
    "foot",
    "guard",
    "guards",
    "regiment",
    "regiments",
    "dragoons",
    "levy",
    "banner",
    "new",
    "squadron",
    "transports",
    "cossacks",
    "cuirassiers",
    "infantry",
    "cavalry",
    "noble",
    "town",
    "of",
    "brigade",
    "the",
    "and",
    "von",
    "van",
    "streltsy",
    "great",
    "strong",
    "king",
    "duke",
    "tsar",
    "czar",
    "life",
];

fn longer(a: Option<Found<Thing>>, b: Option<Found<Thing>>) -> Option<Found<Thing>> {
    match (a, b) {
        (Some(a), Some(b)) if a.words == b.words => {
            let mut things = a.things;
            things.extend(b.things);
            things.sort();
            things.dedup();
            Some(Found { things, ..b })
        }
        (Some(a), Some(b)) => Some(if a.words > b.words { a } else { b }),
        (a, b) => a.or(b),
    }
}

fn unit_names(unit: &Unit) -> [UnitName; 2] {
    [(unit.name.to_string(), unit.id), (unit.short.to_string(), unit.id)]
}

/// The seat's units: what stands on the board, and what the timetable or the yearly levy brings before any order is carried
/// out [003 Feudal Troops, R-003-65, R-003-75].
fn forces(view: &View, seat: &SeatId) -> BTreeMap<UnitId, Unit> {
    let mut forces: BTreeMap<UnitId, Unit> =
        view.own.iter().filter(|(_, unit)| unit.seat == *seat).map(|(id, unit)| (*id, unit.clone())).collect();
    let campaign = &view.campaign;
    let held = |hex: HexId| view.controller(hex) == Some(seat) && !view.sieges.contains_key(&hex);
    let known: Vec<Arc<str>> = forces.values().map(|unit| Arc::clone(&unit.name)).collect();
    let absent = |id: UnitId, name: &str| !view.own.contains_key(&id) && !known.iter().any(|have| **have == *name);
    let mut expected: Vec<UnitSetup> = campaign
        .units
        .iter()
        .filter(|unit| unit.seat == *seat && unit.arrives == Some((view.year, view.season)))
        .filter(|unit| absent(unit.id, &unit.name) && held(unit.place))
        .cloned()
        .collect();
    if view.season == crate::rules::season::campaign::Season::Spring {
        let levies = campaign.levies.iter().filter(|levy| levy.seat == *seat && held(levy.place));
        expected.extend(levies.filter(|levy| absent(levy.id, &levy.name)).map(|levy| UnitSetup {
            id: levy.id,
            seat: levy.seat.clone(),
            kind: levy.kind,
            name: levy.name.clone(),
            short: levy.short.clone(),
            aliases: Vec::new(),
            strength: levy.strength,
            place: levy.place,
            arrives: None,
            leaves: None,
            heir: false,
            leader: None,
        }));
    }
    for setup in expected {
        forces.insert(setup.id, mustered(view, &setup));
    }
    forces
}

fn mustered(view: &View, setup: &UnitSetup) -> Unit {
    let row = view.campaign.brigade(&setup.seat, setup.kind);
    let movement = setup.leader.map(|leader| leader.movement).or_else(|| row.map(|row| row.movement)).unwrap_or(1);
    Unit {
        id: setup.id,
        seat: setup.seat.clone(),
        kind: setup.kind,
        name: setup.name.as_str().into(),
        short: setup.short.as_str().into(),
        strength: setup.strength,
        max: row.map_or(setup.strength, |row| row.max),
        rating: setup.leader.map(|leader| leader.rating).or_else(|| row.and_then(|row| row.rating)),
        movement,
        rally: row.map_or(0, |row| row.rally),
        leader: setup.leader,
        at: setup.place,
        in_city: true,
        entered: 0,
        entered_turn: view.turn,
    }
}

/// The names of a campaign's data, made once for each campaign in use: folding a few thousand names would otherwise be most of
/// the work of reading a letter.
fn of_units(forces: &BTreeMap<UnitId, Unit>) -> OfUnits {
    let mut names = OfUnits::default();
    for (name, id) in forces.values().flat_map(unit_names) {
        let words = words_of(&name);
        if words.len() > 1 {
            for word in words.iter().filter(|word| word.len() >= 3 && !GENERIC.contains(&word.as_str())) {
                names.partial.add_words(vec![word.clone()], Thing::Unit(id));
            }
        }
        names.whole.add_words(words, Thing::Unit(id));
    }
    names
}

fn fixed(campaign: &Arc<Campaign>) -> Arc<Fixed> {
    static MADE: Mutex<Vec<(Arc<Campaign>, Arc<Fixed>)>> = Mutex::new(Vec::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, names)) = made.iter().find(|(have, _)| Arc::ptr_eq(have, campaign)) {
        return Arc::clone(names);
    }
    let names = Arc::new(Fixed { names: fixed_names(campaign) });
    if made.len() >= 4 {
        made.remove(0);
    }
    made.push((Arc::clone(campaign), Arc::clone(&names)));
    names
}

fn fixed_names(campaign: &Campaign) -> Names<Thing> {
    let mut names = Names::default();
    let board = &campaign.board;
    for place in &board.places {
        names.add(&place.name, Thing::Place(place.hex));
    }
    for (hex, data) in &board.hexes {
        names.add(&data.name, Thing::Place(*hex));
        if let Some(city) = &data.city {
            names.add(&city.name, Thing::Place(*hex));
            names.add(&city.id.replace('_', " "), Thing::Place(*hex));
        }
    }
    let aliases = board.river_aliases.iter().map(|(river, alias)| (river, alias));
    for (river, name) in board.rivers.iter().chain(aliases) {
        names.add(name, Thing::River(river.clone()));
        names.add(&format!("{name} river"), Thing::River(river.clone()));
        names.add(&format!("river {name}"), Thing::River(river.clone()));
    }
    for seat in &campaign.seats {
        for name in seat_names(&seat.name, &seat.adjective, seat.id.as_str()) {
            names.add_words(name, Thing::Seat(seat.id.clone()));
        }
        for alias in &seat.aliases {
            names.add(alias, Thing::Seat(seat.id.clone()));
        }
    }
    for unit in &campaign.units {
        for name in [&unit.name, &unit.short].into_iter().chain(&unit.aliases) {
            names.add(name, Thing::Unit(unit.id));
        }
    }
    for levy in &campaign.levies {
        names.add(&levy.name, Thing::Unit(levy.id));
        names.add(&levy.short, Thing::Unit(levy.id));
    }
    for card in &campaign.cards.events {
        names.add(&card.name, Thing::Card(card.id.clone()));
        names.add(&card.id.replace('_', " "), Thing::Card(card.id.clone()));
    }
    names
}

/// What a country and its people are called: Saxony-Poland, Saxony, Poland, Saxon, Saxons; Swedish, Swedes.
fn seat_names(name: &str, adjective: &str, id: &str) -> Vec<Vec<String>> {
    let mut names = vec![words_of(name), words_of(&id.replace('_', " ")), words_of(adjective)];
    for part in words_of(name) {
        if let Some(stem) = part.strip_suffix("and").filter(|stem| stem.len() >= 3) {
            names.extend(["es", "ish", "e"].map(|end| vec![format!("{stem}{end}")]));
        }
        names.push(vec![part]);
    }
    let adjective = fold(adjective);
    names.push(vec![format!("{adjective}s")]);
    if let Some(stem) = adjective.strip_suffix("ish") {
        names.push(vec![format!("{stem}s")]);
        names.push(vec![format!("{stem}es")]);
        names.push(vec![format!("{stem}e")]);
    }
    names
}
