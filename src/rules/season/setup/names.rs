//! No name may stand for two things: a letter is read by names alone.

use super::forces::Forces;
use super::map::Map;
use super::raw::{At, Faults};
use super::terms::RawSeat;
use crate::engine::{HexId, SeatId, UnitId};
use std::collections::BTreeMap;

#[derive(Clone, PartialEq, Eq)]
enum Thing {
    Place(HexId),
    Unit(UnitId),
    Seat(SeatId),
}

/// Without accents, capitals and doubled blanks, as players may write it.
fn plain(name: &str) -> String {
    let plain = deunicode::deunicode(name).to_lowercase();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks every name of a place, a unit, a seat. (A province may be called like its city.)
pub(super) fn check(seats: &[RawSeat], map: &Map, forces: &Forces, faults: &mut Faults) {
    let mut known: BTreeMap<String, (Thing, At)> = BTreeMap::new();
    let mut claim = |name: &str, thing: Thing, at: At, faults: &mut Faults| {
        let plain = plain(name);
        match known.get(&plain) {
            None => {
                known.insert(plain, (thing, at));
            }
            Some((other, first)) if *other != thing => {
                let help = format!("it is already in {} line {}; rename one of them", first.file, first.line);
                faults.add(at, format!("the name \"{name}\" stands for two things"), help);
            }
            Some(_) => {}
        }
    };
    for seat in seats {
        for name in [seat.id.as_str(), &seat.name, &seat.adjective] {
            claim(name, Thing::Seat(seat.id.clone()), seat.at, faults);
        }
    }
    for (city, (hex, at)) in &map.cities {
        claim(city, Thing::Place(*hex), *at, faults);
    }
    for (place, at) in &map.names {
        claim(&place.name, Thing::Place(place.hex), *at, faults);
    }
    let units = forces.units.iter().map(|unit| (unit.id, &unit.name, &unit.short, unit.aliases.as_slice()));
    let levies = forces.levies.iter().map(|levy| (levy.id, &levy.name, &levy.short, [].as_slice()));
    for (id, name, short, aliases) in units.chain(levies) {
        let at = forces.lines.get(&id).copied().unwrap_or(At { file: "units.csv", line: 0 });
        for name in [name, short].into_iter().chain(aliases) {
            claim(name, Thing::Unit(id), at, faults);
        }
    }
}
