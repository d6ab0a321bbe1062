//! Sieges [003 Sieges]: laying, counting and raising.

use super::Season;
use super::battle::inside;
use super::battle::intent::{Said, siege_order};
use super::board::Fort;
use super::campaign::rule;
use super::diplomacy::plain;
use super::event::{Event, VoidReason};
use super::order::{Arrival, Order, SiegeAction};
use super::state::{Siege, State, Unit};
use crate::engine::{Cause, Dice, EventId, Flow, HexId, Orders, SeatId, Working};
use std::collections::BTreeSet;

/// The sieges step: each siege is laid, counted or raised [003 Sieges].
pub(super) fn run(w: &mut Working<'_, Season>, orders: &Orders<Order>, _: &Dice) -> Flow {
    for city in cities_in_question(w.state()) {
        settle(w, orders, city);
    }
    tell_void(w, orders);
    Flow::Done
}

/// What attackers' hits on a city's garrison are divided by now: a square is unfortified after one full turn of siege, a
/// hexagon falls to a square after one and is unfortified after two [003 Fortified Cities, 003 Sieges].
pub(super) fn divisor(state: &State, city: HexId) -> u32 {
    let figures = &state.campaign.figures;
    let turns = state.sieges.get(&city).map_or(0, |siege| siege.full_turns);
    match (state.campaign.board.city(city).map_or(Fort::None, |city| city.fort), turns) {
        (Fort::Hexagon, 0) => figures.hexagon_divisor,
        (Fort::Hexagon, 1) | (Fort::Square, 0) => figures.square_divisor,
        _ => 1,
    }
}

/// The city hexes with brigades outside the city.
fn outside_of_cities(state: &State) -> BTreeSet<HexId> {
    let outside = state.units.values().filter(|unit| unit.is_brigade() && !unit.in_city);
    outside.map(|unit| unit.at).filter(|hex| state.campaign.board.city(*hex).is_some()).collect()
}

/// The fortified cities that are besieged or may be from now on.
fn cities_in_question(state: &State) -> BTreeSet<HexId> {
    let fortified = |hex: &HexId| state.campaign.board.city(*hex).is_some_and(|city| city.fort != Fort::None);
    outside_of_cities(state).into_iter().filter(fortified).chain(state.sieges.keys().copied()).collect()
}

/// Whether a unit stands outside a city in which there are enemies of it.
fn faces_a_garrison(state: &State, unit: &Unit) -> bool {
    !unit.in_city && state.enemies_of(&unit.seat, unit.at).any(|enemy| inside(state, enemy))
}

/// The seats that besiege a city at the end of this turn, who was first in it first: an order to, an arrival for it, a storm
/// that failed [R-003-96], or the siege of the turns before, which goes on until it is raised [R-003-P30].
fn besiegers<'o>(state: &State, orders: &'o Orders<Order>, city: HexId) -> Vec<(SeatId, Said<'o>)> {
    let mut found: Vec<(u32, SeatId, Said<'o>)> = Vec::new();
    let outside = state.brigades_in(city).filter(|unit| faces_a_garrison(state, unit));
    for unit in outside {
        if let Some(known) = found.iter_mut().find(|(_, seat, _)| *seat == unit.seat) {
            known.0 = known.0.min(unit.entered);
            continue;
        }
        if let Some(said) = besieges(state, orders, &unit.seat, city) {
            found.push((unit.entered, unit.seat.clone(), said));
        }
    }
    found.sort_by_key(|(entered, ..)| *entered);
    found.into_iter().map(|(_, seat, said)| (seat, said)).collect()
}

fn besieges<'o>(state: &State, orders: &'o Orders<Order>, seat: &SeatId, city: HexId) -> Option<Said<'o>> {
    match siege_order(orders, seat, city) {
        Some((SiegeAction::Besiege | SiegeAction::Storm, said)) => return Some(said),
        Some((SiegeAction::Raise, _)) => return None,
        _ => {}
    }
    let came_for_it = |unit: &Unit| {
        let entry = state.now.entries.get(&unit.id).filter(|_| !state.now.retreated.contains(&unit.id));
        entry.is_some_and(|entry| matches!(entry.arrival, Arrival::Besiege | Arrival::Enter))
    };
    let goes_on = state.sieges.get(&city).is_some_and(|siege| siege.by == *seat || !state.at_war(&siege.by, seat));
    let here_before = |unit: &Unit| goes_on && !state.now.entries.contains_key(&unit.id);
    state.own_brigades(city, seat).any(|unit| came_for_it(unit) || here_before(unit)).then_some(None)
}

/// Lays, counts or raises the siege of one city. The turn of arrival does not count; a later one does if a besieger is there
/// at its end [R-003-42]; without any besieger the fortification is whole again at once [R-003-45].
fn settle(w: &mut Working<'_, Season>, orders: &Orders<Order>, city: HexId) {
    let state = w.state();
    let besiegers = besiegers(state, orders, city);
    let siege = state.sieges.get(&city).cloned();
    match (siege, besiegers.first()) {
        (None, None) => {}
        (None, Some((by, said))) => {
            let by = by.clone();
            lay(w, city, &by, *said);
        }
        (Some(siege), None) => raise(w, orders, city, &siege),
        (Some(siege), Some((first, said))) => {
            let counts = siege.since < state.turn;
            let full_turns = siege.full_turns + u32::from(counts);
            let goes_on = besiegers.iter().any(|(seat, _)| *seat == siege.by);
            if !goes_on {
                let first = first.clone();
                lay(w, city, &first, *said);
            }
            if counts || (!goes_on && full_turns > 0) {
                count(w, city, full_turns);
            }
        }
    }
}

fn lay(w: &mut Working<'_, Season>, city: HexId, by: &SeatId, said: Said<'_>) {
    let cause = Cause::new(format!("siege laid @{city}"), &[rule("003 Sieges"), rule("R-003-42")])
        .ordered_by(said.map(|source| (by, source)));
    let cause = came_by(w, city, by).into_iter().fold(cause, Cause::because);
    w.emit(cause, Event::SiegeLaid { city, by: by.clone() });
}

fn count(w: &mut Working<'_, Season>, city: HexId, full_turns: u32) {
    let cites = [rule("003 Sieges"), rule("R-003-42"), rule("R-003-96")];
    w.emit(Cause::new(format!("siege counted @{city}"), &cites), Event::SiegeCounted { city, full_turns });
}

fn raise(w: &mut Working<'_, Season>, orders: &Orders<Order>, city: HexId, siege: &Siege) {
    let ordered = match siege_order(orders, &siege.by, city) {
        Some((SiegeAction::Raise, said)) => said,
        _ => None,
    };
    let cause = Cause::new(format!("siege raised @{city}"), &[rule("003 Sieges"), rule("R-003-45")])
        .ordered_by(ordered.map(|source| (&siege.by, source)));
    let fought = last_battle(w, city);
    let cause = fought.into_iter().fold(cause, Cause::because);
    w.emit(cause, Event::SiegeRaised { city });
}

fn came_by(w: &Working<'_, Season>, city: HexId, seat: &SeatId) -> Vec<EventId> {
    let moves = w.events().iter().filter(|recorded| match &recorded.event {
        Event::Moved { seat: by, path, .. } => by == seat && path.last() == Some(&city),
        _ => false,
    });
    moves.map(|recorded| recorded.id.clone()).collect()
}

fn last_battle(w: &Working<'_, Season>, city: HexId) -> Option<EventId> {
    let mut events = w.events().iter().rev();
    let ended = events.find(|recorded| matches!(&recorded.event, Event::BattleEnded { hex, .. } if *hex == city))?;
    Some(ended.id.clone())
}

/// Orders that came to nothing: only fortified cities are besieged [003 Sieges], and only by who is there.
fn tell_void(w: &mut Working<'_, Season>, orders: &Orders<Order>) {
    for (seat, sheet) in orders {
        for held in sheet {
            let Order::Siege { city, action } = plain(&held.order) else { continue };
            let Some(why) = void(w, seat, *city, *action) else { continue };
            let cause = Cause::new(format!("void siege {seat} @{city}"), &[rule("003 Sieges")]);
            let event = Event::Void { seat: seat.clone(), words: held.source.words.clone(), why };
            w.emit(cause.ordered(seat, &held.source), event);
        }
    }
}

fn void(w: &Working<'_, Season>, seat: &SeatId, city: HexId, action: SiegeAction) -> Option<VoidReason> {
    let state = w.state();
    let walls = state.campaign.board.city(city).is_some_and(|known| known.fort != Fort::None);
    let fought = w.events().iter().any(|recorded| match &recorded.event {
        Event::BattleJoined { hex, attackers, defenders, .. } => {
            *hex == city && (attackers.contains(seat) || defenders.contains(seat))
        }
        _ => false,
    });
    let there = fought || state.own_brigades(city, seat).next().is_some();
    match action {
        SiegeAction::JoinRelief => None,
        _ if !there => Some(VoidReason::NotThere),
        SiegeAction::Besiege if !walls => Some(VoidReason::Rule("There are no walls there to besiege.".to_owned())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::event::Event;
    use super::super::order::{Arrival, Pace, SiegeAction};
    use super::super::testing::Table;
    use crate::engine::{Recorded, SeatId};

    fn table(fort: &str, arrival: Arrival) -> Table {
        let mut table = Table::new(&format!(
            "A--C clear, B--C clear
             land A russia, C sweden
             city C narva 2 {fort}
             A: russia infantry Foot 4
             B: saxony infantry Koenigin 3
             C: sweden infantry Horn 2
             peace russia saxony"
        ));
        table.enter_as(&["Foot"], &["A", "C"], arrival, Pace::Normal);
        table
    }

    fn told(events: &[Recorded<Event>]) -> Vec<String> {
        let lines = events.iter().map(|recorded| match &recorded.event {
            Event::SiegeLaid { by, .. } => format!("laid by {by}"),
            Event::SiegeCounted { full_turns, .. } => format!("counted {full_turns}"),
            Event::SiegeRaised { .. } => "raised".to_owned(),
            other => format!("{other:?}"),
        });
        lines.collect()
    }

    /// The turn of arrival does not count; each later turn does, without a word from the besieger [R-003-42, R-003-96].
    #[test]
    fn full_turns_are_counted() {
        let mut table = table("hexagon", Arrival::Besiege);
        assert_eq!(told(&table.sieges()), ["laid by russia"]);
        table.next_turn();
        assert_eq!(told(&table.sieges()), ["counted 1"]);
        table.next_turn();
        assert_eq!(told(&table.sieges()), ["counted 2"]);
    }

    /// Standing in the hex is no siege [R-003-42]; a siege is for fortified cities [003 Sieges].
    #[test]
    fn presence_alone_is_no_siege() {
        assert!(table("hexagon", Arrival::Stand).sieges().is_empty());
        assert!(table("none", Arrival::Besiege).sieges().is_empty());
        let mut ordered = table("hexagon", Arrival::Stand);
        ordered.siege("russia", "C", SiegeAction::Besiege);
        assert_eq!(told(&ordered.sieges()), ["laid by russia"]);
    }

    /// With no besieger left the fortification is whole again at once [R-003-45].
    #[test]
    fn a_siege_that_is_left_is_raised() {
        let mut table = table("hexagon", Arrival::Besiege);
        table.sieges();
        table.next_turn();
        table.enter(&["Foot"], &["C", "A"]);
        assert_eq!(told(&table.sieges()), ["raised"]);
        assert!(table.state.sieges.is_empty());
    }

    /// An order about a city where one has nobody, or that has no walls, comes to nothing.
    #[test]
    fn void_orders_are_told() {
        for (fort, action, at) in [("none", SiegeAction::Besiege, "C"), ("square", SiegeAction::Storm, "A")] {
            let mut table = table(fort, Arrival::Stand);
            table.enter(&["Foot"], &["C", at]);
            table.siege("russia", "C", action);
            let events = table.sieges();
            assert!(matches!(events[0].event, Event::Void { .. }), "{events:?}");
        }
    }

    /// An order raises it, though the besieger stays in the field.
    #[test]
    fn a_siege_is_raised_by_order() {
        let mut table = table("hexagon", Arrival::Besiege);
        table.sieges();
        table.next_turn();
        table.siege("russia", "C", SiegeAction::Raise);
        let events = table.sieges();
        assert_eq!(told(&events), ["raised"]);
        assert!(events[0].source.is_some());
    }

    /// A turn with a failed storm counts if a besieger is left [R-003-96].
    #[test]
    fn a_failed_storm_counts() {
        let mut table = table("hexagon", Arrival::Besiege);
        table.sieges();
        table.next_turn();
        table.siege("russia", "C", SiegeAction::Storm);
        table.battles();
        assert_eq!(told(&table.sieges()), ["counted 1"]);
    }

    /// An ally who goes on with it keeps what was counted.
    #[test]
    fn an_ally_takes_a_siege_over() {
        let mut table = table("hexagon", Arrival::Besiege);
        table.sieges();
        table.next_turn();
        table.enter_as(&["Koenigin"], &["B", "C"], Arrival::Besiege, Pace::Normal);
        assert_eq!(told(&table.sieges()), ["counted 1"]);
        table.next_turn();
        table.enter(&["Foot"], &["C", "A"]);
        assert_eq!(told(&table.sieges()), ["laid by saxony", "counted 2"]);
        table.next_turn();
        assert_eq!(told(&table.sieges()), ["counted 3"]);
    }

    /// When the garrison has gone the siege is over, and who is left is in the city when the turn ends [R-003-97].
    #[test]
    fn an_emptied_city_is_entered() {
        let mut table = table("hexagon", Arrival::Besiege);
        table.sieges();
        table.next_turn();
        table.enter(&["Horn"], &["C", "B"]);
        assert_eq!(told(&table.sieges()), ["raised"]);
        table.next_turn();
        let foot = table.state.units.values().find(|unit| unit.seat == SeatId::new("russia")).unwrap();
        assert!(foot.in_city);
    }
}
