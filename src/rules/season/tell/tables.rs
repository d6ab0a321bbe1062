//! Where things stand for a viewer, as tables: forces, purse, hand, the realm.

use super::super::board::Fort;
use super::super::campaign::Fog;
use super::super::cards::Card;
use super::super::state::{State, Unit};
use crate::engine::report::Table;
use crate::engine::{HexId, SeatId, Viewer};

/// The tables at the foot of a viewer's report.
pub(in super::super) fn standing(state: &State, viewer: &Viewer) -> Vec<Table> {
    let mut tables = Vec::new();
    for seat in state.campaign.seats.iter().map(|seat| &seat.id) {
        if viewer.may_see_secrets_of(seat) {
            tables.extend(of_seat(state, viewer, seat));
        }
    }
    if state.campaign.house.fog == Fog::Open && *viewer != Viewer::Umpire {
        let others = state.campaign.seats.iter().map(|seat| &seat.id).filter(|seat| !viewer.may_see_secrets_of(seat));
        tables.extend(others.map(|seat| forces(state, format!("Forces of {}", state.campaign.seat_name(seat)), seat)));
    }
    tables.push(courts(state));
    tables.push(cities(state, viewer));
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

/// Purse and hand: what a player wants beside his orders.
pub(in super::super) fn at_hand(state: &State, seat: &SeatId) -> Vec<Table> {
    let tables = [purse(state, "Your purse and pool".to_owned(), seat), hand(state, "Your hand".to_owned(), seat)];
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn of_seat(state: &State, viewer: &Viewer, seat: &SeatId) -> Vec<Table> {
    let title = |what: &str| match viewer {
        Viewer::Umpire => format!("{}: {what}", state.campaign.seat_name(seat)),
        _ => format!("Your {what}"),
    };
    vec![
        forces(state, title("forces"), seat),
        awaited(state, title("forces to come"), seat),
        purse(state, title("purse and pool"), seat),
        hand(state, title("hand"), seat),
    ]
}

fn table(title: impl Into<String>, columns: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table { title: title.into(), columns: columns.iter().map(|c| (*c).to_owned()).collect(), rows }
}

/// "Riga 0205".
fn place(state: &State, hex: HexId) -> String {
    format!("{} {hex}", state.campaign.board.name(hex))
}

fn forces(state: &State, title: String, seat: &SeatId) -> Table {
    let mut units: Vec<&Unit> = state.units.values().filter(|unit| unit.seat == *seat).collect();
    units.sort_by_key(|unit| (unit.at, !unit.is_leader(), unit.id));
    let mut last = None;
    let rows = units.into_iter().map(|unit| {
        let at = if last.replace(unit.at) == Some(unit.at) { String::new() } else { place(state, unit.at) };
        let kind = match unit.leader {
            Some(leader) => format!("leader, SR {}", leader.strategic),
            None => unit.kind.to_string(),
        };
        let rating = unit.rating.map_or_else(|| "-".to_owned(), |rating| rating.to_string());
        let strength = format!("{} of {}", unit.strength, unit.max);
        vec![at, unit.name.to_string(), kind, strength, rating, unit.movement.to_string()]
    });
    let rows = rows.collect();
    table(title, &["Place", "Unit", "Kind", "CS", "Rating", "Move"], rows)
}

fn awaited(state: &State, title: String, seat: &SeatId) -> Table {
    let coming = state.campaign.units.iter().filter(|unit| unit.seat == *seat && state.awaited.contains(&unit.id));
    let rows = coming.map(|unit| {
        let when = unit.arrives.filter(|when| *when > (state.year, state.season));
        let when = when.map_or_else(|| "when he is free".to_owned(), |(year, season)| format!("{season} {year}"));
        vec![when, unit.name.clone(), unit.kind.to_string(), unit.strength.to_string(), place(state, unit.place)]
    });
    let rows = rows.collect();
    table(title, &["When", "Unit", "Kind", "CS", "Where"], rows)
}

fn purse(state: &State, title: String, seat: &SeatId) -> Table {
    let Some(held) = state.seats.get(seat) else { return table(title, &[], Vec::new()) };
    let row = |what: &str, now: u32, level: u32| vec![what.to_owned(), now.to_string(), level.to_string()];
    let mut rows = vec![row("money", held.bank, held.money_level), row("manpower", held.manpower, held.manpower_level)];
    let pool = held.pool.iter().filter(|(_, steps)| **steps > 0);
    rows.extend(pool.map(|(kind, steps)| vec![format!("{kind}, steps in the pool"), steps.to_string(), String::new()]));
    table(title, &["", "Now", "A turn"], rows)
}

fn hand(state: &State, title: String, seat: &SeatId) -> Table {
    let cards = state.seats.get(seat).into_iter().flat_map(|held| &held.hand);
    let rows = cards.map(|card| match card {
        Card::Action { value, serial } => {
            let actions = if *value == 1 { "one Action".to_owned() } else { format!("{value} Actions") };
            vec![format!("Action {value}, no. {serial}"), "Action card".to_owned(), actions]
        }
        Card::Event { id, .. } => match state.campaign.cards.event(id) {
            Some(event) => vec![event.name.clone(), event.when.replace('_', " "), first_sentence(&event.text)],
            None => vec![id.clone(), String::new(), String::new()],
        },
    });
    let rows = rows.collect();
    table(title, &["Card", "When", "What it does"], rows)
}

/// The whole text stands in the campaign's rules; a table has room for its beginning.
fn first_sentence(text: &str) -> String {
    text.split_once(". ").map_or_else(|| text.to_owned(), |(first, _)| format!("{first}."))
}

/// Wars and passage are public.
fn courts(state: &State) -> Table {
    let name = |seat: &SeatId| state.campaign.seat_name(seat).to_owned();
    let wars = state.wars.iter().map(|(a, b)| vec![name(a), name(b), "at war".to_owned()]);
    let passage = state.passage.iter().map(|(from, to)| vec![name(from), name(to), "gives passage".to_owned()]);
    let lost = state.seats.iter().filter(|(_, held)| held.defeated);
    let lost = lost.map(|(seat, _)| vec![name(seat), String::new(), "out of the game".to_owned()]);
    table("War and passage", &["Who", "To whom", "Standing"], wars.chain(passage).chain(lost).collect())
}

/// Of so many cities a player's letter lists each; of a greater board those only of which there is something to tell. The
/// page for everybody lists all.
const LISTED: usize = 60;

/// Who holds a city and who lies before it is public.
fn cities(state: &State, viewer: &Viewer) -> Table {
    let board = &state.campaign.board;
    let all = board.hexes.iter().filter_map(|(hex, data)| Some((*hex, data.city.as_ref()?, data.owner.as_ref())));
    let brief = matches!(viewer, Viewer::Seat(_)) && all.clone().count() > LISTED;
    let tells = |hex: HexId, owner: Option<&SeatId>| {
        state.sieges.contains_key(&hex) || state.depleted.contains(&hex) || state.controller(hex) != owner
    };
    let cities = all.filter(|(hex, _, owner)| !brief || tells(*hex, *owner)).map(|(hex, city, _)| (hex, city));
    let rows = cities.map(|(hex, city)| {
        let fort = match city.fort {
            Fort::None => "",
            Fort::Square => "square",
            Fort::Hexagon => "hexagon",
        };
        let holder = state.controller(hex).map_or("nobody", |seat| state.campaign.seat_name(seat));
        let siege = state
            .sieges
            .get(&hex)
            .map(|siege| format!("by {}, full turns: {}", state.campaign.seat_name(&siege.by), siege.full_turns));
        let bare = state.depleted.contains(&hex).then(|| "land depleted".to_owned());
        let notes: Vec<String> = siege.into_iter().chain(bare).collect();
        vec![place(state, hex), city.value.to_string(), fort.to_owned(), holder.to_owned(), notes.join("; ")]
    });
    let rows = rows.collect();
    let title = if brief { "Cities besieged, taken or laid bare" } else { "Cities" };
    table(title, &["City", "Value", "Fort", "Held by", "Siege"], rows)
}
