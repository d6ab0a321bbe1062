//! The Great Northern War campaign, 1700-1720 (`great-northern-war-1700-1720.txt`, cited as 003).
//!
//! [`STEPS`] is the sequence of play. One file per chapter of the rulebook; [`event`] is all that can happen, `apply`
//! what each event does, and everything that decides something cites its rule.

mod apply;
mod battle;
pub mod board;
mod calendar;
pub mod campaign;
pub mod cards;
mod control;
mod diplomacy;
pub mod event;
mod fates;
mod imposed;
mod movement;
mod net;
pub mod order;
mod play;
mod purse;
mod read;
pub mod setup;
mod siege;
pub mod state;
mod steamroller;
mod supply;
mod survey;
mod tell;
#[cfg(test)]
mod testing;
pub mod view;
pub mod waters;
mod winter;

use crate::engine::board_picture::BoardPicture;
use crate::engine::report::{Audience, Report, Table};
use crate::engine::sheet::{Complaint, Reading, Sheet, Superseded, TextLine};
use crate::engine::{
    DataFault, Dice, Expectation, HexId, LetterNo, Orders, Recorded, Rules, Scope, SeatId, SeatInfo, Step, Survey,
    Viewer, Working,
};
use event::Event;
use order::Order;
use state::State;
use std::collections::BTreeMap;
use view::View;

/// The rule system.
pub struct Season;

/// The sequence of play of a season [R-003-75].
pub const STEPS: &[Step<Season>] = &[
    Step { name: "diplomacy", title: "Letters between courts: war, peace, passage", run: diplomacy::run },
    Step { name: "cards", title: "Action cards and events", run: play::run },
    Step { name: "movement", title: "Marches, player by player, with pinning inside them", run: movement::run },
    Step { name: "battles", title: "Intent, battles, regrouping", run: battle::run },
    Step { name: "steamroller", title: "Victors who wiped out their enemy march on", run: steamroller::run },
    Step { name: "sieges", title: "Sieges laid, counted, raised", run: siege::run },
    Step { name: "supply", title: "Supply; in Winter, shelter", run: supply::run },
    Step { name: "control", title: "Hexes change hands", run: control::run },
    Step { name: "reinforcements", title: "New brigades take the field, then purchases", run: purse::run },
    Step { name: "disbanding", title: "Levies go home at the end of Fall", run: calendar::disband },
    Step { name: "winter", title: "Conquest, surrender, levels, the new deal", run: winter::run },
    Step { name: "calendar", title: "The next turn begins: arrivals, levies, income", run: calendar::turn_over },
];

impl Rules for Season {
    const SYSTEM: &'static str = "season";
    const VERSION: u32 = 1;
    type State = State;
    type Order = Order;
    type Event = Event;
    type View = View;

    fn apply(state: &mut State, event: &Event) {
        apply::apply(state, event);
    }

    fn seats(state: &State) -> Vec<SeatInfo> {
        state.campaign.seats.iter().map(|s| SeatInfo { id: s.id.clone(), name: s.name.clone() }).collect()
    }

    fn expects(state: &State) -> Expectation {
        calendar::expects(state)
    }

    fn view(state: &State, viewer: &Viewer) -> View {
        View::of(state, viewer)
    }

    fn read(view: &View, seat: &SeatId, letter: LetterNo, lines: &[TextLine]) -> Reading<Order> {
        read::letter(view, seat, letter, lines)
    }

    fn supersede(older: &Order, newer: &Order) -> Superseded<Order> {
        read::supersede(older, newer)
    }

    fn weigh(view: &View, seat: &SeatId, sheet: &mut Sheet<Order>) {
        read::weigh(view, seat, sheet);
    }

    fn canonical(view: &View, seat: &SeatId, order: &Order) -> (String, String) {
        read::canonical(view, seat, order)
    }

    fn still_open(view: &View, seat: &SeatId, sheet: &Sheet<Order>) -> Vec<String> {
        read::still_open(view, seat, sheet)
    }

    fn opening(working: &mut Working<'_, Self>, dice: &Dice) {
        setup::deal(working, dice);
    }

    fn prepare(state: &State, orders: &mut Orders<Order>) {
        diplomacy::prepare(state, orders);
    }

    fn steps(_: &State) -> &'static [Step<Self>] {
        STEPS
    }

    fn scopes(state: &State) -> Vec<Scope> {
        tell::scopes(state)
    }

    fn revealed_to(state: &State, events: &[Recorded<Event>], viewer: &Viewer) -> Vec<Scope> {
        tell::revealed_to(state, events, viewer)
    }

    fn audiences(before: &State, events: &[Recorded<Event>]) -> Vec<Audience> {
        tell::audiences(before, events)
    }

    fn tell(before: &State, events: &[Recorded<Event>], viewer: &Viewer) -> Report {
        tell::report(before, events, viewer)
    }

    fn standing(state: &State, viewer: &Viewer) -> Vec<Table> {
        tell::standing(state, viewer)
    }

    fn board(state: &State, viewer: &Viewer) -> Option<BoardPicture> {
        Some(tell::board(state, viewer))
    }

    fn places(state: &State) -> Vec<(String, HexId)> {
        state.campaign.board.places.iter().map(|place| (place.name.clone(), place.hex)).collect()
    }

    fn at_hand(state: &State, seat: &crate::engine::SeatId) -> Vec<Table> {
        tell::at_hand(state, seat)
    }

    fn survey(files: &BTreeMap<String, String>) -> Result<Survey, Vec<DataFault>> {
        survey::survey(files)
    }

    fn imposed(state: &State, words: &str) -> Result<(&'static str, Event), Complaint> {
        imposed::read(state, words)
    }
}

/// Opens a campaign at its beginning.
///
/// # Errors
/// All faults of the data at once.
pub fn start(files: &BTreeMap<String, String>) -> Result<Box<dyn crate::engine::Game>, Vec<DataFault>> {
    let campaign = setup::load(files)?;
    Ok(Box::new(crate::engine::Hosted::<Season>::new(setup::open(campaign))))
}

#[cfg(test)]
mod quiet_years {
    use super::event::Event;
    use super::{Season, setup};
    use crate::engine::{Dice, Inputs, Orders, Rules, Secret, TurnSecret, working};
    use std::collections::BTreeMap;
    use std::fs;

    fn livonia() -> super::State {
        let folder = fs::read_dir("campaigns/livonia-1700").unwrap();
        let files: BTreeMap<String, String> = folder
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
            .collect();
        setup::open(setup::load(&files).unwrap())
    }

    /// Two years in which nobody writes: garrisons are fed at home, so only Winter and the land's limits cost anybody anything,
    /// levies come and go, the timetable is kept, and the game ends after Winter 1701.
    #[test]
    fn nobody_starves_at_home_and_the_game_ends() {
        let mut state = livonia();
        let game = Secret::from_bytes([3; 32]);
        for turn in 1..=8 {
            assert!(!Season::expects(&state).over, "over before turn {turn}");
            let mut dice = Dice::new(state.turn, TurnSecret::of(&game, state.turn));
            let inputs = Inputs { orders: Orders::new(), rulings: Vec::new() };
            let phase = Season::expects(&state).phase;
            let done = working::adjudicate::<Season>(&mut state, &inputs, &mut dice);
            let losses: Vec<String> = done
                .events
                .iter()
                .filter_map(|e| match &e.event {
                    Event::OutOfSupply { unit, hex } => Some(format!("{} at {hex}", state.short(*unit))),
                    _ => None,
                })
                .collect();
            if !phase.starts_with("Winter") {
                assert_eq!(losses, [] as [String; 0], "{phase}");
            }
        }
        assert!(Season::expects(&state).over);
    }
}
