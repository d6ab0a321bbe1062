//! Small boards for the tests by the rule: a position in a few lines of text, and dice that are all known.
//!
//! ```text
//! A--B clear, A--C forest, C--D clear river
//! land A sweden, B russia
//! city A riga 4 hexagon
//! A: sweden infantry Dal 4, cavalry Skane 3 A3; leader Charles 3 A3 sovereign
//! B: russia infantry Semenov 4
//! peace russia saxony
//! ```
//!
//! Hexes are letters; two hexes have a side only if the text says so. Seats are at war unless a line makes peace, and move in
//! order of appearance. All dice show 6 unless a test sets them.

use super::Season;
use super::board::{Board, City, Fort, Ground, Hex, Links, RiverId, Side, SideRiver, Terrain};
use super::campaign::{
    Campaign, Figures, Fog, HouseRules, Kind, LeaderFigures, Letter, Rating, Season as TimeOfYear, Seat,
};
use super::cards::{CardData, EventCard, EventGroup};
use super::event::{Event, Loss};
use super::net::Woven;
use super::order::{Arrival, Order, Pace, Retreat, RetreatWhen, SiegeAction, Who};
use super::state::{PlayedEvent, State, Unit, pair};
use crate::engine::{
    Dice, DieKey, Flow, Grid, Held, HexId, HexSide, LetterNo, Orders, Recorded, SeatId, Secret, Source, StepName,
    TurnNo, TurnSecret, UnitId, Working,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

type Run = fn(&mut Working<'_, Season>, &Orders<Order>, &Dice) -> Flow;

/// A position, the orders given in it, and the dice that were set.
pub(super) struct Table {
    pub state: State,
    pub orders: Orders<Order>,
    faces: BTreeMap<(String, String), Vec<u8>>,
    hexes: BTreeMap<String, HexId>,
    line: u32,
    chance: Option<u8>,
}

impl Table {
    /// Sets a position up.
    pub fn new(text: &str) -> Self {
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let edges: Vec<Vec<&str>> = lines
            .iter()
            .filter(|line| line.contains("--"))
            .flat_map(|line| line.split(','))
            .map(|edge| edge.split_whitespace().collect())
            .collect();
        let hexes = place(&edges);
        let mut table = Table {
            state: empty(campaign(&edges, &hexes)),
            orders: BTreeMap::new(),
            faces: BTreeMap::new(),
            hexes,
            line: 0,
            chance: None,
        };
        for line in lines.iter().filter(|line| !line.contains("--")) {
            table.read(line);
        }
        table.enclose();
        table
    }

    fn read(&mut self, line: &str) {
        if let Some(rest) = line.strip_prefix("land ") {
            for part in rest.split(',') {
                let (hex, seat) = part.trim().split_once(' ').unwrap();
                self.seat(seat);
                self.state.control.insert(self.hex(hex), Some(SeatId::new(seat)));
            }
        } else if let Some(rest) = line.strip_prefix("city ") {
            rest.split(',').for_each(|part| self.city(part));
        } else if let Some(rest) = line.strip_prefix("peace ") {
            let seats: Vec<SeatId> = rest.split_whitespace().map(SeatId::new).collect();
            self.state.wars.remove(&pair(&seats[0], &seats[1]));
            self.state.passage.insert((seats[0].clone(), seats[1].clone()));
            self.state.passage.insert((seats[1].clone(), seats[0].clone()));
        } else {
            let (hex, rest) = line.split_once(':').unwrap();
            let (seat, units) = rest.trim().split_once(' ').unwrap();
            self.seat(seat);
            units.split([',', ';']).for_each(|unit| self.unit(hex, seat, unit));
        }
    }

    fn seat(&mut self, name: &str) {
        let id = SeatId::new(name);
        if self.state.seats.contains_key(&id) {
            return;
        }
        let others: Vec<SeatId> = self.state.seats.keys().cloned().collect();
        self.state.wars.extend(others.iter().map(|other| pair(other, &id)));
        self.state.seats.insert(id.clone(), Default::default());
        self.state.now.sequence.push(id.clone());
        let (capitals, aliases, bank) = (Vec::new(), Vec::new(), 0);
        let (name, adjective, colour) = (name.to_owned(), name.to_owned(), String::new());
        self.campaign().seats.push(Seat { id, name, adjective, aliases, capitals, bank, colour });
    }

    fn city(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let fort = match words.get(3) {
            Some(&"square") => Fort::Square,
            Some(&"hexagon") => Fort::Hexagon,
            _ => Fort::None,
        };
        let city = City {
            id: words[1].to_owned(),
            name: words[1].to_owned(),
            value: words[2].parse().unwrap(),
            fort,
            port: None,
            capital_of: None,
            home_of: None,
            cossack: false,
        };
        let hex = self.hex(words[0]);
        self.campaign().board.hexes.get_mut(&hex).unwrap().city = Some(city);
    }

    fn unit(&mut self, hex: &str, seat: &str, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        let kind = *Kind::ALL.iter().find(|kind| kind.slug() == words[0]).unwrap();
        let sovereign = words.contains(&"sovereign");
        let (rating, movement, max) = match kind {
            Kind::Guards => ("B3", 1, 4),
            Kind::Cavalry => ("A2", 2, 4),
            Kind::Leader => ("A3", 2, 3),
            Kind::Dragoons => ("B2", 2, 4),
            Kind::FeudalFoot => ("C1", 1, 4),
            _ => ("B2", 1, 6),
        };
        let rating = self::rating(words.get(3).filter(|word| **word != "sovereign").unwrap_or(&rating));
        let leader = (kind == Kind::Leader).then_some(LeaderFigures {
            movement,
            strategic: 4,
            rating,
            max,
            rally: 4,
            sovereign,
        });
        let id = UnitId(u16::try_from(self.state.units.len() + 1).unwrap());
        let unit = Unit {
            id,
            seat: SeatId::new(seat),
            kind,
            name: words[1].into(),
            short: words[1].into(),
            strength: words[2].parse().unwrap(),
            max,
            rating: Some(rating),
            movement,
            rally: if kind == Kind::Leader { 4 } else { 3 },
            leader,
            at: self.hex(hex.trim()),
            in_city: false,
            entered: 0,
            entered_turn: TurnNo(0),
        };
        self.state.units.insert(id, unit);
    }

    /// Units in a city of their own side are inside it.
    fn enclose(&mut self) {
        let state = &self.state;
        let inside = |unit: &&Unit| {
            let holder = state.controller(unit.at).filter(|_| state.campaign.board.city(unit.at).is_some());
            holder.is_some_and(|holder| !state.at_war(holder, &unit.seat))
        };
        let inside: Vec<UnitId> = state.units.values().filter(inside).map(|unit| unit.id).collect();
        for id in inside {
            self.state.units.get_mut(&id).unwrap().in_city = true;
        }
    }

    /// The campaign, to be changed.
    pub fn campaign(&mut self) -> &mut Campaign {
        Arc::make_mut(&mut self.state.campaign)
    }

    /// A hex by its letter.
    pub fn hex(&self, letter: &str) -> HexId {
        *self.hexes.get(letter).unwrap_or_else(|| panic!("no hex {letter}"))
    }

    /// A unit's number by its short name.
    pub fn id(&self, name: &str) -> UnitId {
        let named = self.state.units.values().find(|unit| &*unit.short == name);
        named.unwrap_or_else(|| panic!("no unit {name}")).id
    }

    /// Several units' numbers.
    pub fn ids(&self, names: &[&str]) -> Vec<UnitId> {
        names.iter().map(|name| self.id(name)).collect()
    }

    /// A unit's strength, 0 if it is gone.
    pub fn strength(&self, name: &str) -> u8 {
        self.state.units.values().find(|unit| &*unit.short == name).map_or(0, |unit| unit.strength)
    }

    /// The letter of the hex where a unit stands, `-` if it is gone.
    pub fn at(&self, name: &str) -> &str {
        let unit = self.state.units.values().find(|unit| &*unit.short == name);
        let hex = unit.and_then(|unit| self.hexes.iter().find(|(_, hex)| **hex == unit.at));
        hex.map_or("-", |(letter, _)| letter)
    }

    /// Units march over these hexes, the first being where they stand.
    pub fn enter(&mut self, units: &[&str], path: &[&str]) {
        self.enter_as(units, path, Arrival::Stand, Pace::Normal);
    }

    /// As [`Table::enter`], for a purpose and at a pace.
    pub fn enter_as(&mut self, units: &[&str], path: &[&str], arrival: Arrival, pace: Pace) {
        let seat = self.state.units.get(&self.id(units[0])).unwrap().seat.clone();
        let units = self.ids(units);
        let path = path.iter().map(|hex| self.hex(hex)).collect();
        self.state.carry_out(&Event::Moved { seat, units, path, pace, arrival, leader: None });
    }

    /// Gives an order.
    pub fn order(&mut self, seat: &str, order: Order) {
        self.line += 1;
        let words = format!("line {}", self.line);
        let source = Source { letter: LetterNo(1), line: self.line, column: 0, words };
        self.orders.entry(SeatId::new(seat)).or_default().push(Held { order, source, out_of_force: None });
    }

    /// Gives an order to retreat, with a preferred hex or without.
    pub fn retreat(&mut self, seat: &str, units: &[&str], when: RetreatWhen, to: Option<&str>) {
        let who = Who::Units(self.ids(units));
        let to = to.map(|hex| self.hex(hex));
        self.order(seat, Order::Retreat(Retreat { who, when, to }));
    }

    /// Gives an order about a city.
    pub fn siege(&mut self, seat: &str, city: &str, action: SiegeAction) {
        let city = self.hex(city);
        self.order(seat, Order::Siege { city, action });
    }

    /// An event card was played on a hex.
    pub fn played(&mut self, seat: &str, card: &str, hex: &str) {
        let hex = self.hex(hex);
        self.state.now.events.push(PlayedEvent {
            seat: SeatId::new(seat),
            card: card.to_owned(),
            units: Vec::new(),
            hexes: vec![hex],
            seats: Vec::new(),
        });
    }

    /// Sets the first dice of a unit's volley.
    pub fn volley(&mut self, unit: &str, hex: &str, round: u32, faces: &[u8]) {
        let subject = format!("u{}@{} r{round}", self.id(unit), self.hex(hex));
        self.faces.insert(("volley".to_owned(), subject), faces.to_vec());
    }

    /// Sets the first dice of a unit's Regrouping.
    pub fn rally(&mut self, unit: &str, hex: &str, faces: &[u8]) {
        let subject = format!("u{}@{}", self.id(unit), self.hex(hex));
        self.faces.insert(("rally".to_owned(), subject), faces.to_vec());
    }

    /// Sets a leader's roll for a river.
    pub fn crossing(&mut self, leader: &str, from: &str, to: &str, face: u8) {
        let subject = format!("u{} {}-{}", self.id(leader), self.hex(from), self.hex(to));
        self.faces.insert(("crossing".to_owned(), subject), vec![face]);
    }

    /// Leaves the dice to chance, from this seed.
    pub fn leave_to_chance(&mut self, seed: u8) {
        self.chance = Some(seed);
    }

    /// Fights the battles.
    pub fn battles(&mut self) -> Vec<Recorded<Event>> {
        self.run(&[super::battle::run])
    }

    /// Fights the battles, then the victors march on.
    pub fn battles_and_steamroller(&mut self) -> Vec<Recorded<Event>> {
        self.run(&[super::battle::run, super::steamroller::run])
    }

    /// Settles the sieges.
    pub fn sieges(&mut self) -> Vec<Recorded<Event>> {
        self.run(&[super::siege::run])
    }

    /// Runs steps on the position.
    pub fn run(&mut self, steps: &[Run]) -> Vec<Recorded<Event>> {
        let dice = self.dice();
        let mut working = Working::<Season>::new(&mut self.state);
        for step in steps {
            step(&mut working, &self.orders, &dice);
        }
        working.events().to_vec()
    }

    /// The next turn begins.
    pub fn next_turn(&mut self) {
        let (year, season) = (self.state.year, self.state.season);
        self.orders.clear();
        let sequence = self.state.now.sequence.clone();
        self.state.carry_out(&Event::TurnEnded { year, season });
        self.state.now.sequence = sequence;
    }

    /// Dice that all show 6 but for those that were set.
    fn dice(&self) -> Dice {
        let turn = self.state.turn;
        let mut dice = Dice::new(turn, TurnSecret::of(&Secret::from_bytes([1; 32]), turn));
        if let Some(seed) = self.chance {
            return Dice::new(turn, TurnSecret::of(&Secret::from_bytes([seed; 32]), turn));
        }
        let step = StepName::new("start");
        let mut set = |what: &str, subject: String, ordinal: u32| {
            let known = self.faces.get(&(what.to_owned(), subject.clone()));
            for die in 0..6 {
                let face = known.and_then(|faces| faces.get(die)).copied().unwrap_or(6);
                let key = DieKey {
                    turn,
                    step: step.clone(),
                    what: what.to_owned(),
                    subject: subject.clone(),
                    ordinal,
                    reroll: None,
                };
                dice.set(key, die, face);
            }
        };
        for unit in self.state.units.keys() {
            for hex in self.hexes.values() {
                for ordinal in 1..=3 {
                    (1..=12).for_each(|round| set("volley", format!("u{unit}@{hex} r{round}"), ordinal));
                    set("rally", format!("u{unit}@{hex}"), ordinal);
                }
                self.hexes.values().for_each(|to| set("crossing", format!("u{unit} {hex}-{to}"), 1));
            }
        }
        dice
    }
}

/// The strength that units lost, by short name and round, in order: `Dal -1`.
pub(super) fn losses(table: &Table, events: &[Recorded<Event>]) -> Vec<String> {
    let names: BTreeMap<UnitId, Arc<str>> = table.state.units.iter().map(|(id, u)| (*id, u.short.clone())).collect();
    let lost = events.iter().filter_map(|recorded| match &recorded.event {
        Event::StepsLost { unit, steps, cause: Loss::Battle, .. } => {
            let name = names.get(unit).map_or_else(|| format!("u{unit}"), |name| name.to_string());
            Some(format!("{name} -{steps}"))
        }
        _ => None,
    });
    lost.collect()
}

/// The one event that answers.
pub(super) fn only<'e, T>(events: &'e [Recorded<Event>], pick: impl Fn(&'e Event) -> Option<T>) -> T {
    let mut found: Vec<T> = events.iter().filter_map(|recorded| pick(&recorded.event)).collect();
    assert_eq!(found.len(), 1, "{events:#?}");
    found.pop().unwrap()
}

fn rating(text: &str) -> Rating {
    let letter = match &text[..1] {
        "A" => Letter::A,
        "B" => Letter::B,
        _ => Letter::C,
    };
    Rating { letter, hits_on: text[1..].parse().unwrap() }
}

/// Lays the letters out on the grid so that every edge joins neighbours.
fn place(edges: &[Vec<&str>]) -> BTreeMap<String, HexId> {
    let ends: Vec<(&str, &str)> = edges.iter().map(|words| words[0].split_once("--").unwrap()).collect();
    let mut letters: Vec<&str> = Vec::new();
    for (a, b) in &ends {
        for letter in [*a, *b] {
            if !letters.contains(&letter) {
                letters.push(letter);
            }
        }
    }
    let mut placed = BTreeMap::new();
    assert!(place_rest(&letters, &ends, &mut placed), "no such board: {edges:?}");
    placed.into_iter().map(|(letter, hex)| (letter.to_owned(), hex)).collect()
}

fn place_rest<'t>(letters: &[&'t str], ends: &[(&str, &str)], placed: &mut BTreeMap<&'t str, HexId>) -> bool {
    let Some((letter, rest)) = letters.split_first() else { return true };
    let grid = Grid::PointyOddRows;
    let taken: BTreeSet<HexId> = placed.values().copied().collect();
    let joined: Vec<HexId> = ends
        .iter()
        .filter_map(|(a, b)| if a == letter { placed.get(b) } else { placed.get(a).filter(|_| b == letter) })
        .copied()
        .collect();
    let middle = HexId::new(50, 50).unwrap();
    let open = match joined.first() {
        Some(hex) => grid.neighbours(*hex),
        None if placed.is_empty() => vec![middle],
        None => grid.within(middle, 6),
    };
    for hex in open {
        if taken.contains(&hex) || !joined.iter().all(|other| grid.adjacent(*other, hex)) {
            continue;
        }
        placed.insert(letter, hex);
        if place_rest(rest, ends, placed) {
            return true;
        }
        placed.remove(letter);
    }
    false
}

fn campaign(edges: &[Vec<&str>], hexes: &BTreeMap<String, HexId>) -> Campaign {
    let sides = edges.iter().map(|words| {
        let (a, b) = words[0].split_once("--").unwrap();
        let terrain = match words.get(1) {
            Some(&"forest") => Terrain::Forest,
            Some(&"marsh") => Terrain::Marsh,
            Some(&"mountain") => Terrain::Mountain,
            _ => Terrain::Clear,
        };
        let river = words.contains(&"river").then(|| SideRiver { id: Some(RiverId("dvina".into())), major: true });
        (
            HexSide::between(hexes[a], hexes[b]),
            Side { terrain, river, closed: words.contains(&"closed"), strait: false },
        )
    });
    let hex = |name: &String| Hex {
        ground: Ground::Land,
        owner: None,
        province: None,
        off_map: false,
        name: name.clone(),
        city: None,
    };
    Campaign {
        name: "test".to_owned(),
        title: "Test".to_owned(),
        start_year: 1700,
        end_year: 1701,
        seats: Vec::new(),
        board: Board {
            grid: Grid::PointyOddRows,
            scale_km: 70,
            seas: 1,
            links: Links::default(),
            roads: Vec::new(),
            hexes: hexes.iter().map(|(name, id)| (*id, hex(name))).collect(),
            sides: sides.collect(),
            provinces: Vec::new(),
            rivers: BTreeMap::new(),
            river_aliases: Vec::new(),
            places: Vec::new(),
            woven: Woven::default(),
        },
        table: BTreeMap::new(),
        units: Vec::new(),
        levies: Vec::new(),
        cards: CardData { actions: Vec::new(), events: ["force_battle", "siege_engineers", "ga_pa"].map(card).into() },
        figures: figures(),
        house: HouseRules {
            event_as_action: true,
            defender_first: false,
            fort_remainder_carried: true,
            stragglers: false,
            deploy_cap: false,
            fog: Fog::Blocks,
            reopen_on_correction: true,
            open_challenge_holds: true,
            leaders_leave: false,
        },
        wars: Vec::new(),
        treaties: Vec::new(),
    }
}

fn card(id: &str) -> EventCard {
    let (id, name) = (id.to_owned(), id.to_owned());
    let figures = BTreeMap::from([("turns".to_owned(), 1), ("bonus".to_owned(), 1)]);
    let (when, text, group) = ("before_battles".to_owned(), String::new(), EventGroup::Generic);
    EventCard { id, name, count: 2, group, when, text, figures }
}

fn figures() -> Figures {
    Figures {
        hand_size: 5,
        side_limit: BTreeMap::from([("clear", 4), ("forest", 2), ("marsh", 1), ("mountain", 1)]),
        stops: vec![Terrain::Forest, Terrain::Marsh, Terrain::Mountain],
        river_limit_bonus: 1,
        river_move_max: 10,
        quiet_rounds: 3,
        square_divisor: 2,
        hexagon_divisor: 3,
        land_feeds: 2,
        supply_loss: 1,
        winter_loss: 1,
        siege_free_turns: 2,
        money_divisor: 4,
        manpower_divisor: 8,
        score_capital: 3,
        score_surrendered: 5,
    }
}

fn empty(campaign: Campaign) -> State {
    let control = campaign.board.hexes.keys().map(|hex| (*hex, None)).collect();
    State {
        campaign: Arc::new(campaign),
        turn: TurnNo(1),
        year: 1700,
        season: TimeOfYear::Spring,
        units: BTreeMap::new(),
        awaited: BTreeSet::new(),
        captives: BTreeMap::new(),
        control,
        depleted: BTreeSet::new(),
        sieges: BTreeMap::new(),
        provinces: BTreeMap::new(),
        seats: BTreeMap::new(),
        wars: BTreeSet::new(),
        passage: BTreeSet::new(),
        start_values: BTreeMap::new(),
        next_unit: 1000,
        now: Default::default(),
        scores: None,
    }
}
