//! No name may stand for two things: a letter is read by names alone.

use super::forces::Forces;
use super::map::Map;
use super::raw::{At, Faults};
use super::terms::RawSeat;
use crate::engine::{HexId, SeatId, UnitId};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Place(HexId),
    Unit(UnitId),
    Seat(SeatId),
}

/// Without accents, capitals and doubled blanks, as players may write it.
pub(super) fn plain(name: &str) -> String {
    let plain = deunicode::deunicode(name).to_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Who bears a name, where, and what the files call it first of all.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Bearer {
    at: At,
    thing: Thing,
    called: String,
}

impl Bearer {
    /// "the place Kexholm", "the unit Kexholm Garrison".
    fn words(&self) -> String {
        let kind = match self.thing {
            Thing::Place(_) => "the place",
            Thing::Unit(_) => "the unit",
            Thing::Seat(_) => "the seat",
        };
        format!("{kind} {}", self.called)
    }
}

/// Names claimed so far, and those claimed twice: two things that share several names are one fault, not many.
#[derive(Default)]
struct Claims {
    known: BTreeMap<String, Bearer>,
    clashes: BTreeMap<(Bearer, Bearer), Vec<String>>,
}

impl Claims {
    fn claim(&mut self, name: &str, thing: &Thing, called: &str, at: At) {
        let bearer = Bearer { at, thing: thing.clone(), called: called.to_owned() };
        let first = self.known.entry(plain(name)).or_insert_with(|| bearer.clone());
        if first.thing != bearer.thing {
            let names = self.clashes.entry((bearer, first.clone())).or_default();
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }

    fn tell(self, faults: &mut Faults) {
        for ((later, first), names) in self.clashes {
            let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
            let what = match quoted.len() {
                1 => format!("the name {} stands for two things", quoted.concat()),
                _ => format!("the names {} stand for two things", quoted.join(", ")),
            };
            let help = format!("the other is in {} line {}; rename one of them", first.at.file, first.at.line);
            faults.add(later.at, format!("{what}, {} and {}", later.words(), first.words()), help);
        }
    }
}

/// Checks every name of a place, a unit, a seat. (A province may be called like its city.)
pub(super) fn check(seats: &[RawSeat], map: &Map, forces: &Forces, faults: &mut Faults) {
    let mut claims = Claims::default();
    for seat in seats {
        let own = [seat.id.as_str(), &seat.name, &seat.adjective];
        for name in own.into_iter().chain(seat.aliases.iter().map(String::as_str)) {
            claims.claim(name, &Thing::Seat(seat.id.clone()), &seat.name, seat.at);
        }
    }
    for (city, (hex, at)) in &map.cities {
        claims.claim(city, &Thing::Place(*hex), map.board.city(*hex).map_or(city, |city| &city.name), *at);
    }
    // A line's own name comes first, its other names behind it.
    let mut called: BTreeMap<At, &str> = BTreeMap::new();
    for (place, at) in &map.names {
        let called = *called.entry(*at).or_insert(&place.name);
        claims.claim(&place.name, &Thing::Place(place.hex), called, *at);
    }
    let units = forces.units.iter().map(|unit| (unit.id, &unit.name, &unit.short, unit.aliases.as_slice()));
    let levies = forces.levies.iter().map(|levy| (levy.id, &levy.name, &levy.short, [].as_slice()));
    for (id, name, short, aliases) in units.chain(levies) {
        let at = forces.lines.get(&id).copied().unwrap_or(At { file: "units.csv", line: 0 });
        for other in [name, short].into_iter().chain(aliases) {
            claims.claim(other, &Thing::Unit(id), name, at);
        }
    }
    claims.tell(faults);
}
