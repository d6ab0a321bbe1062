//! The text of a position -> a campaign and a state. Brigade table, leaders, cards and figures are those of the shipped
//! campaign, so that no figure is written twice.

use super::layout;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use umpire::engine::{HexId, HexSide, SeatId, TurnNo, UnitId};
use umpire::rules::season::board::{
    City, Fort, Ground, Hex, PlaceName, Port, Province, ProvinceId, RiverId, Side, SideRiver, Standing, Terrain,
};
use umpire::rules::season::campaign::{Campaign, Kind, LevySetup, Season, UnitSetup};
use umpire::rules::season::cards::Card;
use umpire::rules::season::setup;
use umpire::rules::season::state::{Siege, State, pair};

static SHIPPED: LazyLock<Campaign> = LazyLock::new(|| {
    let files = std::fs::read_dir("campaigns/livonia-1700").unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| {
        (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap())
    };
    setup::load(&files.map(read).collect()).unwrap()
});

/// A position on the board.
pub struct Position {
    pub state: State,
    pub hexes: BTreeMap<char, HexId>,
}

/// What the text says, before the campaign can be put together.
#[derive(Default)]
struct Draft {
    letters: BTreeSet<char>,
    sides: BTreeMap<(char, char), Side>,
    cities: BTreeMap<char, City>,
    capitals: Vec<(String, char)>,
    levies: Vec<(LevySetup, char)>,
    provinces: Vec<(Province, char, Vec<char>)>,
    boxes: BTreeSet<char>,
    units: Vec<(UnitSetup, char)>,
    entered: BTreeMap<UnitId, u32>,
    control: BTreeMap<char, Option<SeatId>>,
    /// Lines about the state rather than the board.
    rest: Vec<Vec<String>>,
}

/// A seat of the shipped campaign.
pub fn seat(word: &str) -> Option<SeatId> {
    SHIPPED.seats.iter().map(|seat| &seat.id).find(|id| id.as_str() == word).cloned()
}

fn seat_or_nobody(word: &str) -> Option<SeatId> {
    (word != "nobody").then(|| seat(word).unwrap_or_else(|| panic!("\"{word}\" is no seat")))
}

/// A kind by its word.
pub fn kind(word: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|kind| kind.slug() == word)
}

/// A hex letter.
pub fn letter(word: &str) -> Option<char> {
    let mut letters = word.chars();
    letters.next().filter(|c| c.is_ascii_uppercase() && letters.next().is_none())
}

fn hex_letter(word: &str) -> char {
    letter(word).unwrap_or_else(|| panic!("\"{word}\" is no hex letter"))
}

fn number<T: std::str::FromStr>(word: &str) -> T {
    word.parse().unwrap_or_else(|_| panic!("\"{word}\" is no number"))
}

/// Sets up a position.
pub fn set_up(text: &str) -> Position {
    let mut draft = Draft::default();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.contains("--") {
            line.split(',').for_each(|part| draft.side(part));
        } else if let Some((hex, what)) = line.split_once(':') {
            let hex = hex_letter(hex.trim());
            draft.letters.insert(hex);
            draft.contents(hex, what);
        } else {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            draft.line(words);
        }
    }
    // A box lies off the map: what it is next to is no matter of the grid.
    let on_map = draft.sides.keys().filter(|(a, b)| !draft.boxes.contains(a) && !draft.boxes.contains(b));
    let hexes = layout::place(&draft.letters, &on_map.copied().collect());
    let campaign = draft.campaign(&hexes);
    let mut state = setup::open(campaign);
    state.turn = TurnNo(5);
    // A position says who is on the board; a levy is one that could come.
    let levies: Vec<UnitId> = state.campaign.levies.iter().map(|levy| levy.id).collect();
    state.units.retain(|id, _| !levies.contains(id));
    draft.fill(&mut state, &hexes);
    Position { state, hexes }
}

impl Draft {
    /// `A--B forest river Dvina`.
    fn side(&mut self, part: &str) {
        let words: Vec<&str> = part.split_whitespace().collect();
        let (a, b) = words[0].split_once("--").unwrap_or_else(|| panic!("\"{part}\" is no side"));
        let (a, b) = (hex_letter(a), hex_letter(b));
        self.letters.extend([a, b]);
        let mut side = Side { terrain: Terrain::Clear, river: None, closed: false, strait: false };
        let mut words = words[1..].iter().peekable();
        while let Some(word) = words.next() {
            match *word {
                "clear" => {}
                "forest" => side.terrain = Terrain::Forest,
                "marsh" => side.terrain = Terrain::Marsh,
                "mountain" => side.terrain = Terrain::Mountain,
                "closed" => side.closed = true,
                "strait" => (side.closed, side.strait) = (true, true),
                "river" => {
                    let id = words.next().map(|name| RiverId(name.to_lowercase().into()));
                    side.river = Some(SideRiver { id, major: false });
                }
                other => panic!("\"{other}\" is nothing that a side can be"),
            }
        }
        self.sides.insert((a.min(b), a.max(b)), side);
    }

    /// `city Riga 3 hexagon` or units.
    fn contents(&mut self, hex: char, what: &str) {
        let mut owner = None;
        for part in what.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()) {
            let mut words: Vec<&str> = part.split_whitespace().collect();
            if words[0] == "city" {
                self.city(hex, &words[1..]);
                continue;
            }
            if let Some(named) = seat(words[0]) {
                owner = Some(named);
                words.remove(0);
            }
            let owner = owner.clone().unwrap_or_else(|| panic!("whose is \"{part}\"?"));
            self.unit(hex, &owner, &words);
        }
    }

    fn city(&mut self, hex: char, words: &[&str]) {
        let value = words.iter().position(|word| word.parse::<u8>().is_ok()).expect("a city needs a value");
        let name = words[..value].join(" ");
        let mut city = City {
            id: name.to_lowercase().replace(' ', "_"),
            name,
            value: number(words[value]),
            fort: Fort::None,
            port: None,
            capital_of: None,
            home_of: None,
            cossack: false,
        };
        let mut words = words[value + 1..].iter();
        while let Some(word) = words.next() {
            match *word {
                "square" => city.fort = Fort::Square,
                "hexagon" => city.fort = Fort::Hexagon,
                "port" => city.port = Some(Port { sea: true, factor: 1 }),
                "cossacks" => city.cossack = true,
                "home" => city.home_of = seat_or_nobody(words.next().expect("home of whom?")),
                "capital" => {
                    self.capitals.push(((*words.next().expect("capital of whom?")).to_owned(), hex));
                }
                other => panic!("\"{other}\" is nothing that a city can be"),
            }
        }
        self.cities.insert(hex, city);
    }

    /// `infantry Dal 4`, `leader Rehnskjold`, `cavalry Life 2 came 3`.
    fn unit(&mut self, hex: char, owner: &SeatId, words: &[&str]) {
        let kind = kind(words[0]).unwrap_or_else(|| panic!("\"{}\" is no kind of unit", words[0]));
        let end = words.iter().position(|word| word.parse::<u8>().is_ok()).unwrap_or(words.len());
        let name = words[1..end].join(" ");
        let id = UnitId(u16::try_from(self.units.len() + 1).unwrap());
        if let Some(place) = words.iter().position(|word| *word == "came") {
            self.entered.insert(id, number(words[place + 1]));
        }
        let given = words.get(end).map(|word| number::<u8>(word));
        let place = HexId::new(0, 0).unwrap();
        let unit = if kind == Kind::Leader {
            let found = SHIPPED.units.iter().find(|u| u.leader.is_some() && (u.name == name || u.short == name));
            let found = found.unwrap_or_else(|| panic!("there is no leader \"{name}\" in leaders.csv")).clone();
            UnitSetup {
                id,
                seat: owner.clone(),
                strength: given.unwrap_or(found.strength),
                place,
                arrives: None,
                leaves: None,
                heir: false,
                ..found
            }
        } else {
            let strength = given.unwrap_or_else(|| panic!("{name} needs a strength"));
            UnitSetup {
                id,
                seat: owner.clone(),
                kind,
                short: name.clone(),
                name,
                aliases: Vec::new(),
                strength,
                place,
                arrives: None,
                leaves: None,
                heir: false,
                leader: None,
            }
        };
        self.units.push((unit, hex));
    }

    /// Lines that begin with a word.
    fn line(&mut self, words: Vec<String>) {
        let word = |i: usize| words.get(i).unwrap_or_else(|| panic!("{words:?} is too short")).as_str();
        match word(0) {
            "control" => {
                let owner = seat_or_nobody(words.last().unwrap());
                for hex in &words[1..words.len() - 1] {
                    self.letters.insert(hex_letter(hex));
                    self.control.insert(hex_letter(hex), owner.clone());
                }
            }
            "box" => {
                self.letters.insert(hex_letter(word(1)));
                self.boxes.insert(hex_letter(word(1)));
            }
            // province livonia sweden 12 18 A B C: the first hex holds its capital
            "province" => {
                let hexes: Vec<char> = words[5..].iter().map(|hex| hex_letter(hex)).collect();
                let province = Province {
                    id: ProvinceId(word(1).into()),
                    name: word(1).to_owned(),
                    owner: if word(2) == "neutral" { None } else { seat_or_nobody(word(2)) },
                    standing: if word(2) == "neutral" { Standing::Neutral } else { Standing::Home },
                    capital: HexId::new(0, 0).unwrap(),
                    income: number(word(3)),
                    manpower: number(word(4)),
                };
                self.provinces.push((province, hexes[0], hexes));
            }
            // levy russia feudal_horse Novgorod 3 A
            "levy" => {
                let levy = LevySetup {
                    id: UnitId(900 + u16::try_from(self.levies.len()).unwrap()),
                    seat: seat_or_nobody(word(1)).unwrap(),
                    kind: kind(word(2)).unwrap(),
                    name: word(3).to_owned(),
                    short: word(3).to_owned(),
                    place: HexId::new(0, 0).unwrap(),
                    strength: number(word(4)),
                };
                self.levies.push((levy, hex_letter(word(5))));
            }
            _ => self.rest.push(words),
        }
    }

    fn owner(&self, hex: char) -> Option<SeatId> {
        match self.control.get(&hex) {
            Some(said) => said.clone(),
            None => self.units.iter().find(|(_, at)| *at == hex).map(|(unit, _)| unit.seat.clone()),
        }
    }

    fn campaign(&self, hexes: &BTreeMap<char, HexId>) -> Campaign {
        let mut campaign = SHIPPED.clone();
        let board = &mut campaign.board;
        (board.hexes, board.sides, board.places, board.rivers) = Default::default();
        (board.links, board.roads, board.river_aliases) = Default::default();
        board.provinces = Vec::new();
        for (province, capital, _) in &self.provinces {
            board.provinces.push(Province { capital: hexes[capital], ..province.clone() });
        }
        for (letter, id) in hexes {
            let province = self.provinces.iter().find(|(.., all)| all.contains(letter)).map(|(p, ..)| p.id.clone());
            let mut city = self.cities.get(letter).cloned();
            if let Some(city) = &mut city {
                city.capital_of = self.provinces.iter().find(|(_, c, _)| c == letter).map(|(p, ..)| p.id.clone());
                board.places.push(PlaceName { name: city.name.clone(), hex: *id, preferred: true });
            }
            let owner = self.owner(*letter);
            let name = format!("hex {letter}");
            board.hexes.insert(
                *id,
                Hex { ground: Ground::Land, owner, province, off_map: self.boxes.contains(letter), name, city },
            );
        }
        for ((a, b), side) in &self.sides {
            board.sides.insert(HexSide::between(hexes[a], hexes[b]), side.clone());
            if self.boxes.contains(a) || self.boxes.contains(b) {
                board.links.join_by_land(hexes[a], hexes[b]);
            }
            if let Some(id) = side.river.as_ref().and_then(|river| river.id.clone()) {
                let name = id.to_string();
                board.rivers.insert(id, name);
            }
        }
        for (place, seat) in (0u8..).zip(&mut campaign.seats) {
            let own = self.capitals.iter().filter(|(of, _)| of == seat.id.as_str());
            seat.capitals = own.map(|(_, letter)| hexes[letter]).collect();
            if seat.capitals.is_empty() {
                let (id, hex) = far_off(place, &seat.id);
                board.hexes.insert(id, hex);
                seat.capitals.push(id);
            }
        }
        campaign.units = self.units.iter().map(|(unit, at)| UnitSetup { place: hexes[at], ..unit.clone() }).collect();
        campaign.levies = self.levies.iter().map(|(levy, at)| LevySetup { place: hexes[at], ..levy.clone() }).collect();
        campaign.end_year = campaign.start_year + 20;
        self.house(&mut campaign);
        self.fates(&mut campaign);
        campaign
    }

    /// `leaves Croy winter 1700`, `heir Stenbock`.
    fn fates(&self, campaign: &mut Campaign) {
        for words in self.rest.iter().filter(|words| ["leaves", "heir"].contains(&words[0].as_str())) {
            let unit = campaign.units.iter_mut().find(|unit| unit.short == words[1]);
            let unit = unit.unwrap_or_else(|| panic!("no unit {}", words[1]));
            match words.get(2..) {
                Some([name, year]) => unit.leaves = Some((number(year), season(name))),
                _ => unit.heir = true,
            }
        }
    }

    /// `house letter_order defender_first`.
    fn house(&self, campaign: &mut Campaign) {
        for words in self.rest.iter().filter(|words| words[0] == "house") {
            match (words[1].as_str(), words[2].as_str()) {
                ("event_as_action", value) => campaign.house.event_as_action = value == "true",
                ("letter_order", value) => campaign.house.defender_first = value == "defender_first",
                ("fort_remainder", value) => campaign.house.fort_remainder_carried = value == "carried",
                ("forced_march_loss", value) => campaign.house.stragglers = value == "stragglers",
                ("leaders_leave", value) => campaign.house.leaders_leave = value == "true",
                ("deploy_cap", value) => campaign.house.deploy_cap = value == "city_value",
                other => panic!("{other:?} is no house rule of the case book"),
            }
        }
    }

    fn fill(&self, state: &mut State, hexes: &BTreeMap<char, HexId>) {
        for (unit, came) in &self.entered {
            let found = state.units.get_mut(unit).unwrap();
            found.entered = *came;
            found.entered_turn = TurnNo(state.turn.0 - 1);
            state.now.entry_counter = state.now.entry_counter.max(*came);
        }
        for (place, id) in (0u8..).zip(SHIPPED.seats.iter().map(|seat| &seat.id)) {
            let hand = [(1, 1 + place), (2, 22 + place), (3, 52 + place)];
            let own = state.seats.get_mut(id).unwrap();
            own.hand = hand.into_iter().map(|(value, serial)| Card::Action { value, serial }).collect();
            (own.bank, own.manpower) = (0, 0);
        }
        for words in &self.rest {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            fill_line(state, hexes, &words);
        }
    }
}

fn season(word: &str) -> Season {
    let seasons = [Season::Spring, Season::Summer, Season::Fall, Season::Winter];
    seasons.into_iter().find(|season| season.to_string().to_lowercase() == word).unwrap()
}

fn far_off(place: u8, seat: &SeatId) -> (HexId, Hex) {
    let id = HexId::new(90, 80 + 5 * place).unwrap();
    let city = City {
        id: format!("{seat}_capital"),
        name: format!("Far-off capital of {seat}"),
        value: 1,
        fort: Fort::None,
        port: None,
        capital_of: None,
        home_of: None,
        cossack: false,
    };
    let owner = Some(seat.clone());
    (id, Hex { ground: Ground::Land, owner, province: None, off_map: false, name: city.name.clone(), city: Some(city) })
}

fn fill_line(state: &mut State, hexes: &BTreeMap<char, HexId>, words: &[&str]) {
    let named = |word: &str| seat_or_nobody(word).unwrap();
    let hex = |word: &str| hexes[&hex_letter(word)];
    match words {
        ["house" | "leaves" | "heir", ..] => {}
        ["season", name] => state.season = season(name),
        ["year", year] => state.year = number(year),
        ["bank", who, money] => state.seats.get_mut(*who).unwrap().bank = number(money),
        ["men", who, men] => state.seats.get_mut(*who).unwrap().manpower = number(men),
        ["pool", who, what, steps] => {
            state.seats.get_mut(*who).unwrap().pool.insert(kind(what).unwrap(), number(steps));
        }
        ["hand", who, "action", value, serial] => {
            let hand = &mut state.seats.get_mut(*who).unwrap().hand;
            hand.retain(|card| !matches!(card, Card::Action { value: held, .. } if *held == number::<u8>(value)));
            hand.push(Card::Action { value: number(value), serial: number(serial) });
            hand.sort();
        }
        ["hand", who, cards @ ..] => {
            for card in cards {
                assert!(SHIPPED.cards.event(card).is_some(), "there is no card {card}");
                let hand = &mut state.seats.get_mut(*who).unwrap().hand;
                let copy = hand.iter().filter(|held| matches!(held, Card::Event { id, .. } if id == card)).count() + 1;
                hand.push(Card::Event { id: (*card).to_owned(), copy: u8::try_from(copy).unwrap() });
                hand.sort();
            }
        }
        ["siege", city, by, turns] => {
            let full_turns = number(turns);
            let since = TurnNo(state.turn.0 - 1 - full_turns);
            state.sieges.insert(hex(city), Siege { by: named(by), since, full_turns });
        }
        ["depleted", letters @ ..] => state.depleted.extend(letters.iter().map(|l| hex(l))),
        ["war", a, b] => {
            state.wars.insert(pair(&named(a), &named(b)));
        }
        ["peace", a, b] => {
            state.wars.remove(&pair(&named(a), &named(b)));
        }
        ["passage", a, b] => state.passage.extend([(named(a), named(b)), (named(b), named(a))]),
        ["no", "passage", a, b] => {
            state.passage.remove(&(named(a), named(b)));
            state.passage.remove(&(named(b), named(a)));
        }
        ["outside", name @ ..] => {
            let name = name.join(" ");
            state.units.values_mut().find(|u| *u.short == *name).unwrap().in_city = false;
        }
        other => panic!("{other:?} is no line of a position"),
    }
}
