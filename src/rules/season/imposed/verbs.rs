//! One function for each thing that can be imposed: what follows the verb becomes the event.

use super::super::campaign::Kind;
use super::super::event::{Event, Loss, NewUnit};
use super::super::order::{Arrival, Pace};
use super::super::state::Unit;
use super::words::Words;
use crate::engine::{Complaint, SeatId, UnitId};
use std::ops::Range;

type Read = Result<Event, Complaint>;

/// The path has one hex: wherever the units stand by then, they are there afterwards, over no side and at no cost.
pub(super) fn go(words: &Words<'_>) -> Read {
    let (who, place) =
        words.split(&words.rest(), &["to", "into", "at"]).ok_or_else(|| words.unclear("Where to is not said."))?;
    let units = words.units(&who)?;
    let place = words.place(&place)?;
    let Some(seat) = units.first().map(|unit| unit.seat.clone()) else {
        return Err(words.unclear("No unit is named."));
    };
    let units: Vec<UnitId> = units.iter().map(|unit| unit.id).collect();
    Ok(Event::Moved { seat, units, path: vec![place], pace: Pace::Normal, arrival: Arrival::Stand, leader: None })
}

/// What leaves nothing of a unit is its end [003 Brigade Strength].
pub(super) fn lose(words: &Words<'_>) -> Read {
    let (unit, steps) = steps(words)?;
    if steps >= unit.strength {
        return Ok(Event::Gone { unit: unit.id, how: Loss::Ruling, by: None, hex: unit.at });
    }
    Ok(Event::StepsLost { unit: unit.id, steps, cause: Loss::Ruling, hex: None })
}

pub(super) fn gain(words: &Words<'_>) -> Read {
    let (unit, steps) = steps(words)?;
    Ok(Event::Reinforced { unit: unit.id, steps })
}

fn steps<'w>(words: &'w Words<'_>) -> Result<(&'w Unit, u8), Complaint> {
    let (count, who) = words.count(&words.rest());
    match count.unwrap_or(1) {
        0 => Err(words.unclear("No steps is no event.")),
        steps => Ok((words.unit(&who)?, steps)),
    }
}

pub(super) fn kill(words: &Words<'_>) -> Read {
    let (who, by) = doer(words, &words.rest())?;
    gone(words.unit(&who)?, Loss::Ruling, by)
}

pub(super) fn capture(words: &Words<'_>) -> Read {
    let (who, by) = doer(words, &words.rest())?;
    gone(words.unit(&who)?, Loss::Captured, by)
}

pub(super) fn leader(words: &Words<'_>) -> Read {
    let (who, by) = doer(words, &words.rest())?;
    let fate = who.end.saturating_sub(1).max(who.start);
    let how = match words.word(fate) {
        "killed" | "dead" | "falls" | "dies" => Loss::Ruling,
        "captured" | "taken" | "prisoner" => Loss::Captured,
        _ => return Err(words.unclear("His fate is not said.")),
    };
    let who = who.start..fate;
    let unit = words.unit(&who)?;
    if !unit.is_leader() {
        return Err(words.complaint(who, format!("{} is no leader.", unit.short), ""));
    }
    gone(unit, how, by)
}

fn gone(unit: &Unit, how: Loss, by: Option<SeatId>) -> Read {
    Ok(Event::Gone { unit: unit.id, how, by, hex: unit.at })
}

/// A stretch and the seat behind "by".
fn doer(words: &Words<'_>, range: &Range<usize>) -> Result<(Range<usize>, Option<SeatId>), Complaint> {
    match words.split(range, &["by"]) {
        Some((who, by)) => Ok((who, Some(words.seat(&by)?))),
        None => Ok((range.clone(), None)),
    }
}

/// Where from is where they stand by then; the event names what is known of it now.
pub(super) fn retreat(words: &Words<'_>) -> Read {
    let (who, place) =
        words.split(&words.rest(), &["to", "into"]).ok_or_else(|| words.unclear("Where to is not said."))?;
    let (who, from) = match words.split(&who, &["from"]) {
        Some((who, from)) => (who, Some(words.place(&from)?)),
        None => (who, None),
    };
    let units = words.units(&who)?;
    let to = words.place(&place)?;
    let Some(stands) = units.first().map(|unit| unit.at) else { return Err(words.unclear("No unit is named.")) };
    if units.iter().any(|unit| unit.at != stands) && from.is_none() {
        let help = "Impose one retreat for each hex, or say \"from PLACE\".";
        return Err(words.complaint(who, "They begin the turn in several hexes.", help));
    }
    let units = units.iter().map(|unit| unit.id).collect();
    Ok(Event::Retreated { units, from: from.unwrap_or(stands), to, round: 0 })
}

pub(super) fn defeat(words: &Words<'_>) -> Read {
    let (who, killer) = doer(words, &words.rest())?;
    Ok(Event::SovereignFell { seat: words.seat(&who)?, killer })
}

pub(super) fn siege(words: &Words<'_>) -> Read {
    let range = words.rest();
    if let Some((city, count)) = words.split(&range, &["counts", "count"]) {
        let city = words.city(&city)?;
        let (turns, _) = words.count(&count);
        let turns = turns.ok_or_else(|| words.unclear("How many full turns it counts is not said."))?;
        if !words.state.sieges.contains_key(&city) {
            let help = "Lay it first: siege CITY SEAT.";
            let name = words.state.campaign.board.name(city);
            return Err(words.complaint(range, format!("{name} is not under siege as the turn begins."), help));
        }
        return Ok(Event::SiegeCounted { city, full_turns: u32::from(turns) });
    }
    match words.with_seat(&range, |city| words.city(city))? {
        (city, Some(by)) => Ok(Event::SiegeLaid { city, by }),
        (_, None) => Err(words.unclear("Nobody cannot lay a siege.")),
    }
}

pub(super) fn raise(words: &Words<'_>) -> Read {
    let mut range = words.rest();
    while range.start < range.end && matches!(words.word(range.start), "siege" | "of" | "the" | "at") {
        range.start += 1;
    }
    Ok(Event::SiegeRaised { city: words.city(&range)? })
}

pub(super) fn deplete(words: &Words<'_>) -> Read {
    Ok(Event::Depleted { hex: words.place(&words.rest())? })
}

pub(super) fn control(words: &Words<'_>) -> Read {
    let (hex, to) = words.with_seat(&words.rest(), |place| words.place(place))?;
    Ok(Event::Control { hex, from: words.state.controller(hex).cloned(), to })
}

pub(super) fn province(words: &Words<'_>) -> Read {
    let (province, to) = words.with_seat(&words.rest(), |province| words.province(province))?;
    let from = words.state.provinces.get(&province).cloned().flatten();
    Ok(Event::Conquered { province, from, to })
}

pub(super) fn money(words: &Words<'_>) -> Read {
    let range = words.rest();
    let because = range.clone().find(|place| words.word(*place) == "because");
    let why = because.map_or_else(String::new, |place| words.typed(&(place + 1..range.end)));
    let sum = range.start..because.unwrap_or(range.end);
    let amount = sum.clone().find(|place| words.word(*place).starts_with(['+', '-']) || signless(words.word(*place)));
    let amount = amount.ok_or_else(|| words.unclear("How much is not said."))?;
    let change: i64 = words
        .word(amount)
        .trim_start_matches('+')
        .parse()
        .map_err(|_| words.complaint(amount..amount + 1, "That is no sum of money.", ""))?;
    let seat = words.seat(&(sum.start..amount))?;
    if change == 0 {
        return Err(words.unclear("No money is no event."));
    }
    Ok(Event::Money { seat, change, why })
}

fn signless(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn place(words: &Words<'_>) -> Read {
    let range = words.rest();
    let (rest, seat) = words.split(&range, &["for"]).ok_or_else(|| words.unclear("For whom is not said."))?;
    let (what, at) = words.split(&rest, &["at", "in"]).ok_or_else(|| words.unclear("Where is not said."))?;
    let (seat, at) = (words.seat(&seat)?, words.place(&at)?);
    let (kind, after) = kind(words, &what)?;
    let number = what.end.saturating_sub(1);
    let strength: u8 = match words.word(number).parse() {
        Ok(strength) if number > after => strength,
        _ => return Err(words.unclear("A name and its strength belong behind the kind.")),
    };
    let name = words.typed(&(after..number));
    let most = words.state.campaign.brigade(&seat, kind).map_or(0, |row| row.max);
    if strength == 0 || strength > most {
        let whose = words.state.campaign.seat_name(&seat);
        let message = format!("{kind} of {whose} can have a strength of 1 to {most}.");
        return Err(words.complaint(number..number + 1, message, "Give another strength."));
    }
    let taken = |unit: &&Unit| unit.name.as_ref() == name || unit.short.as_ref() == name;
    if words.state.units.values().any(|unit| taken(&unit)) {
        return Err(words.complaint(after..number, format!("There is a \"{name}\" already."), "Give another name."));
    }
    let id = free_number(words, &name);
    Ok(Event::Mustered { unit: NewUnit { id, seat, kind, short: name.clone(), name, strength, at } })
}

/// A kind of one or two words, and the place behind it.
fn kind(words: &Words<'_>, range: &Range<usize>) -> Result<(Kind, usize), Complaint> {
    for length in [2, 1] {
        let stretch = range.start..(range.start + length).min(range.end);
        let said: Vec<&str> = words.at(&stretch).iter().map(|word| word.folded.as_str()).collect();
        let slug = said.join("_");
        let found = Kind::ALL.into_iter().find(|kind| kind.slug() == slug && *kind != Kind::Leader);
        if let Some(kind) = found {
            return Ok((kind, stretch.end));
        }
    }
    let kinds: Vec<String> = Kind::ALL.iter().filter(|kind| **kind != Kind::Leader).map(ToString::to_string).collect();
    let first = range.start..(range.start + 1).min(range.end);
    let message = format!("\"{}\" is no kind of unit.", words.typed(&first));
    Err(words.complaint(first, message, format!("Kinds are: {}.", kinds.join(", "))))
}

/// The number of a unit that is placed by ruling: out of the reach of those that the turn itself gives (from the state's
/// `next_unit` on), and by its name, so that two rulings of one turn do not meet.
fn free_number(words: &Words<'_>, name: &str) -> UnitId {
    const FIRST: u16 = 500;
    const HOW_MANY: u16 = 500;
    let start = name.bytes().fold(0_u16, |sum, byte| (sum.wrapping_mul(31).wrapping_add(u16::from(byte))) % HOW_MANY);
    let numbers = (0..HOW_MANY).map(|i| UnitId(FIRST + (start + i) % HOW_MANY));
    let state = words.state;
    let taken = |id: &UnitId| {
        let setup =
            state.campaign.units.iter().map(|unit| unit.id).chain(state.campaign.levies.iter().map(|levy| levy.id));
        state.units.contains_key(id) || setup.into_iter().any(|known| known == *id)
    };
    numbers.into_iter().find(|id| !taken(id)).unwrap_or(UnitId(state.next_unit))
}

pub(super) fn war(words: &Words<'_>) -> Read {
    let (a, b) = pair(words)?;
    Ok(Event::WarBegan { a, b })
}

pub(super) fn peace(words: &Words<'_>) -> Read {
    let (a, b) = pair(words)?;
    Ok(Event::PeaceMade { a, b })
}

pub(super) fn passage(words: &Words<'_>) -> Read {
    let (from, to) = pair(words)?;
    Ok(Event::Passage { from, to, given: words.verb() == "passage" })
}

/// Two different seats.
fn pair(words: &Words<'_>) -> Result<(SeatId, SeatId), Complaint> {
    let range = words.rest();
    let cleaned = words.split(&range, &["and", "on", "with", "to"]);
    let (a, b) = match cleaned {
        Some((a, b)) => (words.seat(&a)?, words.seat(&b)?),
        None => match words.with_seat(&range, |seat| words.seat(seat))? {
            (a, Some(b)) => (a, b),
            (_, None) => return Err(words.unclear("Two seats are needed.")),
        },
    };
    if a == b { Err(words.unclear("Two different seats are needed.")) } else { Ok((a, b)) }
}
