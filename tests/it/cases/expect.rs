//! The lines of `expect`, checked against the board and the events.

use super::position;
use serde_json::Value;
use std::collections::BTreeMap;
use umpire::engine::{HexId, Recorded, SeatId, UnitId};
use umpire::rules::season::event::Event;
use umpire::rules::season::state::State;

/// What there is to look at.
pub struct Seen<'a> {
    pub before: &'a State,
    pub after: &'a State,
    pub events: &'a [Recorded<Event>],
    pub hexes: &'a BTreeMap<char, HexId>,
}

type Verdict = Result<(), String>;

fn is(line: &str, found: impl std::fmt::Debug + PartialEq, wanted: impl std::fmt::Debug + PartialEq) -> Verdict {
    let (found, wanted) = (format!("{found:?}"), format!("{wanted:?}"));
    if found == wanted { Ok(()) } else { Err(format!("\"{line}\": found {found}")) }
}

impl Seen<'_> {
    /// Checks one line.
    pub fn check(&self, line: &str) -> Verdict {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["no", "event", rest @ ..] => is(line, self.events_like(rest), 0),
            ["event", rest @ ..] => is(line, self.events_like(rest) > 0, true),
            [count, "events", rest @ ..] => is(line, self.events_like(rest), count.parse::<usize>().unwrap()),
            ["no", "battle", hex] => is(line, self.events_like(&["battle_joined", hex]), 0),
            ["battle", hex] => is(line, self.events_like(&["battle_joined", hex]), 1),
            ["battles", hex, count] => {
                is(line, self.events_like(&["battle_joined", hex]), count.parse::<usize>().unwrap())
            }
            ["control", hex, who] => is(line, self.who(self.after.controller(self.hex(hex))), *who),
            ["province", name, who] => {
                let owner = self.after.provinces.iter().find(|(id, _)| *id.0 == **name).and_then(|(_, o)| o.as_ref());
                is(line, self.who(owner), *who)
            }
            ["siege", hex, turns] => {
                is(line, self.after.sieges.get(&self.hex(hex)).map(|s| s.full_turns.to_string()), Some(*turns))
            }
            ["no", "siege", hex] => is(line, self.after.sieges.contains_key(&self.hex(hex)), false),
            ["depleted", hex] => is(line, self.after.depleted.contains(&self.hex(hex)), true),
            ["not", "depleted", hex] => is(line, self.after.depleted.contains(&self.hex(hex)), false),
            ["bank", who, money] => is(line, self.after.seats[*who].bank.to_string(), *money),
            ["men", who, men] => is(line, self.after.seats[*who].manpower.to_string(), *men),
            ["level", who, money, men] => {
                let seat = &self.after.seats[*who];
                is(line, (seat.money_level.to_string(), seat.manpower_level.to_string()), (*money, *men))
            }
            ["pool", who, kind, steps] => {
                let kind = position::kind(kind).unwrap();
                let held = self.after.seats[*who].pool.get(&kind).copied().unwrap_or(0);
                is(line, held.to_string(), *steps)
            }
            ["hand", who, cards] => is(line, self.after.seats[*who].hand.len().to_string(), *cards),
            ["defeated", who] => is(line, self.after.seats[*who].defeated, true),
            ["war", a, b] => is(line, self.after.at_war(&seat(a), &seat(b)), true),
            ["peace", a, b] => is(line, self.after.at_war(&seat(a), &seat(b)), false),
            ["pinned", name @ ..] => is(line, self.pinned(&name.join(" ")), true),
            ["not", "pinned", name @ ..] => is(line, self.pinned(&name.join(" ")), false),
            [name @ .., "gone"] => is(line, self.alive(name), None::<UnitId>),
            [name @ .., "gone", how] => {
                self.check(&format!("{} gone", name.join(" ")))?;
                let id = self.unit(name);
                let gone = self.events.iter().find_map(|e| match &e.event {
                    Event::Gone { unit, how, .. } if *unit == id => Some(serde_json::to_value(how).unwrap()),
                    _ => None,
                });
                is(line, gone, Some(Value::from(*how)))
            }
            [name @ .., "strength", strength] => {
                let found = self.after.units.get(&self.unit(name)).map(|unit| unit.strength.to_string());
                is(line, found, Some(*strength))
            }
            [who, count, "in", hex] if count.parse::<usize>().is_ok() => {
                let found = self.after.own_brigades(self.hex(hex), &seat(who)).count();
                is(line, found, count.parse::<usize>().unwrap())
            }
            [name @ .., "in", hex] => is(line, self.place(name), Some(self.letter_of(self.hex(hex)))),
            [name @ .., side @ ("inside" | "outside"), hex] => {
                let unit = self.after.units.get(&self.unit(name));
                is(line, unit.map(|u| (u.at, u.in_city)), Some((self.hex(hex), *side == "inside")))
            }
            _ => Err(format!("\"{line}\" is no line of expectation")),
        }
    }

    fn who<'s>(&self, seat: Option<&'s SeatId>) -> &'s str {
        seat.map_or("nobody", SeatId::as_str)
    }

    fn hex(&self, word: &str) -> HexId {
        let letter = position::letter(word).unwrap_or_else(|| panic!("\"{word}\" is no hex letter"));
        self.hexes[&letter]
    }

    fn letter_of(&self, hex: HexId) -> String {
        let known = self.hexes.iter().find(|(_, at)| **at == hex);
        known.map_or_else(|| hex.to_string(), |(letter, _)| letter.to_string())
    }

    /// A unit by short or full name, with or without seat and kind before it.
    fn find(&self, words: &[&str]) -> Option<UnitId> {
        let name = words.join(" ");
        let all = self.before.units.values().chain(self.after.units.values());
        let mut known = all.filter(|u| *u.short == *name || *u.name == *name);
        let rest = words.split_first().map(|(_, rest)| rest).filter(|rest| !rest.is_empty());
        known.next().map(|u| u.id).or_else(|| self.find(rest?))
    }

    fn unit(&self, words: &[&str]) -> UnitId {
        self.find(words).unwrap_or_else(|| panic!("there is no unit \"{}\"", words.join(" ")))
    }

    fn alive(&self, words: &[&str]) -> Option<UnitId> {
        let id = self.unit(words);
        self.after.units.contains_key(&id).then_some(id)
    }

    fn place(&self, words: &[&str]) -> Option<String> {
        self.after.units.get(&self.unit(words)).map(|unit| self.letter_of(unit.at))
    }

    fn pinned(&self, name: &str) -> bool {
        let id = self.unit(&[name]);
        self.events.iter().any(|e| matches!(&e.event, Event::Pinned { units, .. } if units.contains(&id)))
    }

    /// How many events have this name and say all of this: a unit's name, a hex letter, a seat, `field=value`.
    fn events_like(&self, words: &[&str]) -> usize {
        let (name, about) = words.split_first().expect("which event?");
        let about = about.join(" ");
        let parts = self.parts(&about);
        let like = |event: &Event| {
            let json = serde_json::to_value(event).unwrap();
            json["event"] == **name && parts.iter().all(|part| part.is_in(&json))
        };
        self.events.iter().filter(|recorded| like(&recorded.event)).count()
    }

    fn parts(&self, about: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        for word in about.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            if let Some(unit) = self.find(&[word]) {
                parts.push(Part::Unit(unit));
                continue;
            }
            for word in word.split_whitespace() {
                let letter = position::letter(word).and_then(|letter| self.hexes.get(&letter));
                parts.push(match (word.split_once('='), letter, self.find(&[word])) {
                    (Some((key, value)), ..) => Part::Field(key.to_owned(), value.to_owned()),
                    (None, Some(hex), _) => Part::Text(hex.to_string()),
                    (None, None, Some(unit)) => Part::Unit(unit),
                    (None, None, None) => Part::Text(word.to_owned()),
                });
            }
        }
        parts
    }
}

fn seat(word: &str) -> SeatId {
    position::seat(word).unwrap_or_else(|| panic!("\"{word}\" is no seat"))
}

/// Something that an event must say.
enum Part {
    Unit(UnitId),
    Text(String),
    Field(String, String),
}

impl Part {
    fn is_in(&self, json: &Value) -> bool {
        match self {
            Part::Unit(id) => {
                let keys = ["unit", "units", "leader", "attacking", "defending", "inside", "late"];
                let number = Value::from(id.0);
                keys.iter().any(|key| match &json[*key] {
                    Value::Array(list) => list.contains(&number),
                    other => *other == number || other["id"] == number,
                })
            }
            Part::Text(text) => holds(json, text),
            Part::Field(key, value) => match (&json[key.as_str()], &json["unit"][key.as_str()]) {
                (Value::String(text), _) | (Value::Null, Value::String(text)) => text == value,
                (Value::Null, other) | (other, _) => other.to_string().as_str() == value.as_str(),
            },
        }
    }
}

fn holds(json: &Value, text: &str) -> bool {
    match json {
        Value::String(found) => found == text,
        Value::Array(list) => list.iter().any(|item| holds(item, text)),
        Value::Object(map) => map.values().any(|item| holds(item, text)),
        _ => false,
    }
}
