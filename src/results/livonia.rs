//! The Livonia board for the tests of pictures and pages: the campaign's own map with a position of Spring 1700 on it.

use crate::engine::board_picture::{BoardPicture, CityPicture, Counter, HexPicture, SidePicture};
use crate::engine::{Grid, HexId, HexSide, SeatId};
use std::collections::BTreeMap;

const SEATS: [(&str, &str, &str); 3] =
    [("sweden", "Sweden", "#2b5c9e"), ("russia", "Russia", "#3f7d4e"), ("saxony_poland", "Saxony-Poland", "#8a2f2a")];

type Row = BTreeMap<String, String>;

fn rows(text: &str) -> Vec<Row> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

fn hex(text: &str) -> HexId {
    text.parse().unwrap()
}

/// The campaign's board with the forces that stand on it from the start.
pub fn board() -> BoardPicture {
    let colour = |seat: &str| SEATS.iter().find(|s| s.0 == seat).unwrap().2.to_owned();
    let cities = rows(include_str!("../../campaigns/livonia-1700/cities.csv"));
    let mut hexes: BTreeMap<HexId, HexPicture> = BTreeMap::new();
    for row in rows(include_str!("../../campaigns/livonia-1700/hexes.csv")) {
        let picture = HexPicture {
            hex: hex(&row["hex"]),
            ground: row["kind"].clone(),
            name: row["name"].clone(),
            province: super::words::upper_first(&row["province"].replace('_', " ")),
            standing: if row["kind"] == "land" { "home".to_owned() } else { String::new() },
            fill: (!row["owner"].is_empty()).then(|| colour(&row["owner"])),
            city: cities.iter().find(|c| c["hex"] == row["hex"]).map(|c| CityPicture {
                name: c["name"].clone(),
                value: c["value"].parse().unwrap(),
                fort: c["fort"].clone(),
                port: c["port"] == "sea",
                capital: if c["capital_of"].is_empty() { String::new() } else { "province".to_owned() },
            }),
            counters: Vec::new(),
            battle: false,
        };
        hexes.insert(picture.hex, picture);
    }
    for unit in rows(include_str!("../../campaigns/livonia-1700/units.csv")) {
        let Some(city) = cities.iter().find(|c| c["id"] == unit["place"]).filter(|_| unit["arrives"].is_empty()) else {
            continue;
        };
        let counters = &mut hexes.get_mut(&hex(&city["hex"])).unwrap().counters;
        let strength: u32 = unit["strength"].parse().unwrap();
        let known = unit["seat"] == "sweden";
        match counters.iter_mut().find(|c| c.seat.as_str() == unit["seat"]) {
            Some(pile) => {
                pile.brigades += 1;
                pile.strength = pile.strength.map(|s| s + strength);
                pile.names.push(unit["name"].clone());
            }
            None => counters.push(Counter {
                seat: SeatId::new(&unit["seat"]),
                colour: colour(&unit["seat"]),
                brigades: 1,
                strength: known.then_some(strength),
                ships: false,
                names: vec![unit["name"].clone()],
            }),
        }
    }
    let saxons = Counter {
        seat: SeatId::new("saxony_poland"),
        colour: colour("saxony_poland"),
        brigades: 12,
        strength: Some(31),
        ships: false,
        names: vec!["Flemming".to_owned()],
    };
    let riga = hexes.get_mut(&hex("0205")).unwrap();
    riga.battle = true;
    riga.counters.push(saxons.clone());
    riga.counters.push(Counter {
        seat: SeatId::new("russia"),
        colour: colour("russia"),
        brigades: 2,
        strength: None,
        ships: false,
        names: Vec::new(),
    });
    hexes.get_mut(&hex("0302")).unwrap().battle = true;
    let crowd = hexes.get_mut(&hex("0206")).unwrap();
    crowd.counters.extend([saxons.clone(), saxons.clone(), saxons]);
    let sides = rows(include_str!("../../campaigns/livonia-1700/hexsides.csv"))
        .iter()
        .map(|row| SidePicture {
            side: HexSide::between(hex(&row["hex_a"]), hex(&row["hex_b"])),
            terrain: row["terrain"].clone(),
            river: name(&row["river"]),
            major: row["class"] == "major",
            closed: !row["barrier"].is_empty(),
            strait: false,
        })
        .collect();
    BoardPicture {
        title: "Livonia 1700-1701".to_owned(),
        subtitle: "Spring 1700".to_owned(),
        scale_km: Some(70),
        roads: Vec::new(),
        links: Vec::new(),
        arrows: Vec::new(),
        grid: Grid::PointyOddRows,
        hexes: hexes.into_values().collect(),
        sides,
        legend: SEATS.iter().map(|(_, name, colour)| ((*name).to_owned(), (*colour).to_owned())).collect(),
    }
}

fn name(river: &str) -> String {
    river.split('_').map(super::words::upper_first).collect::<Vec<_>>().join(" ")
}
