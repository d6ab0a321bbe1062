//! The small campaign as the tests see it.

use crate::engine::sheet::{Reading, Sheet, TextLine};
use crate::engine::{HexId, LetterNo, SeatId, Viewer};
use crate::rules::season::campaign::{Kind, Season};
use crate::rules::season::cards::Card;
use crate::rules::season::order::Order;
use crate::rules::season::read;
use crate::rules::season::setup;
use crate::rules::season::state::{Siege, State};
use crate::rules::season::view::View;
use std::collections::BTreeMap;

/// A shipped campaign's files.
fn files(campaign: &str) -> BTreeMap<String, String> {
    let folder = format!("{}/campaigns/{campaign}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.is_file())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect()
}

/// Spring 1700, with a hand for each seat that the tests can rely on: Action cards 1 (no. 5), 2 (no. 37), 3 (no. 55), a Supply
/// card of two steps and Force Battle; pools with a full infantry brigade.
pub fn spring() -> State {
    opened("livonia-1700")
}

/// The same of the great board.
pub fn great_spring() -> State {
    opened("great-northern-war-1700")
}

fn opened(campaign: &str) -> State {
    let mut state = setup::open(setup::load(&files(campaign)).unwrap());
    for seat in state.seats.values_mut() {
        seat.hand = vec![
            Card::Action { value: 1, serial: 5 },
            Card::Action { value: 2, serial: 37 },
            Card::Action { value: 3, serial: 55 },
            Card::Event { id: "force_battle".into(), copy: 1 },
            Card::Event { id: "supply_2".into(), copy: 3 },
        ];
        seat.pool.insert(Kind::Infantry, 4);
        seat.bank = 12;
        seat.manpower = 8;
    }
    state
}

/// A later turn: whoever has arrived by then stands where the timetable puts him.
pub fn later(year: u16, season: Season) -> State {
    at(spring(), year, season)
}

/// The same of a game that has just been opened.
pub fn at(mut state: State, year: u16, season: Season) -> State {
    let campaign = std::sync::Arc::clone(&state.campaign);
    for unit in campaign.units.iter().filter(|unit| unit.arrives.is_some_and(|when| when <= (year, season))) {
        let new = crate::rules::season::event::NewUnit {
            id: unit.id,
            seat: unit.seat.clone(),
            kind: unit.kind,
            name: unit.name.clone(),
            short: unit.short.clone(),
            strength: unit.strength,
            at: unit.place,
        };
        state.muster(&new, unit.leader);
        state.awaited.remove(&unit.id);
    }
    state.year = year;
    state.season = season;
    state
}

/// Puts a unit somewhere.
pub fn put(state: &mut State, short: &str, at: &str) {
    let at = hex(at);
    let unit = state.units.values_mut().find(|unit| &*unit.short == short).unwrap_or_else(|| panic!("no {short}"));
    unit.at = at;
}

/// Begins a siege.
pub fn besiege(state: &mut State, city: &str, by: &str) {
    let turn = state.turn;
    state.sieges.insert(hex(city), Siege { by: seat(by), since: turn, full_turns: 0 });
}

pub fn hex(text: &str) -> HexId {
    text.parse().unwrap()
}

pub fn seat(text: &str) -> SeatId {
    SeatId::new(match text {
        "S" => "sweden",
        "R" => "russia",
        "P" => "saxony_poland",
        other => other,
    })
}

pub fn view(state: &State, of: &str) -> View {
    View::of(state, &Viewer::Seat(seat(of)))
}

pub fn lines(text: &str) -> Vec<TextLine> {
    text.lines().zip(1..).map(|(text, number)| TextLine { number, text: text.to_owned() }).collect()
}

pub fn reading(state: &State, of: &str, text: &str) -> Reading<Order> {
    read::letter(&view(state, of), &seat(of), LetterNo(1), &lines(text))
}

/// The letters taken into a sheet one after the other, and weighed.
pub fn sheet(state: &State, of: &str, letters: &[&str]) -> Sheet<Order> {
    let view = view(state, of);
    let mut sheet = Sheet::default();
    for (text, number) in letters.iter().zip(1..) {
        let reading = read::letter(&view, &seat(of), LetterNo(number), &lines(text));
        sheet.take(LetterNo(number), reading, read::supersede);
        for held in &mut sheet.orders {
            held.out_of_force = None;
        }
        read::weigh(&view, &seat(of), &mut sheet);
    }
    sheet
}
