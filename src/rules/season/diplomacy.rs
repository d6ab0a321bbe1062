//! War, peace and passage [R-003-03], and what stands for a seat that sends nothing.

use super::Season;
use super::campaign::rule;
use super::event::Event;
use super::order::{Diplomacy, Order};
use super::read;
use super::state::{State, pair};
use super::view::View;
use crate::engine::{Cause, Dice, Flow, Held, Orders, SeatId, Stands, Viewer, Working};
use std::collections::BTreeSet;

/// A seat without a letter gets its standing orders; standing orders of a letter count this turn too. A seat without player
/// stays where it is and gives battle when attacked, whatever its last player left standing [R-003-81].
pub(super) fn prepare(state: &State, vacant: &[SeatId], orders: &mut Orders<Order>) {
    for (seat, seat_state) in &state.seats {
        if seat_state.defeated || vacant.contains(seat) {
            orders.remove(seat);
            continue;
        }
        let sheet = orders.entry(seat.clone()).or_default();
        if sheet.is_empty() {
            sheet.clone_from(&seat_state.standing);
        }
    }
}

/// What a seat has left standing, in its own words.
pub(super) fn stands(state: &State, seat: &SeatId) -> Option<Stands> {
    let seat_state = state.seats.get(seat).filter(|s| !s.standing.is_empty() && !s.defeated)?;
    let view = View::of(state, &Viewer::Seat(seat.clone()));
    let words = |held: &Held<Order>| read::canonical(&view, seat, &held.order).0;
    Some(Stands { since: seat_state.standing_since.clone(), orders: seat_state.standing.iter().map(words).collect() })
}

/// The orders of a sheet with the standing ones unwrapped.
pub(super) fn plain(order: &Order) -> &Order {
    match order {
        Order::Standing(inner) => inner,
        other => other,
    }
}

/// Letters between courts: declarations and offers are known at once and take effect when the next turn begins; passage is
/// given or withdrawn at once [R-003-03, R-003-103].
pub(super) fn run(working: &mut Working<'_, Season>, orders: &Orders<Order>, _: &Dice) -> Flow {
    for (seat, sheet) in orders {
        set_standing(working, seat, sheet);
        for held in sheet {
            let Order::Diplomacy(letter) = plain(&held.order) else { continue };
            declare(working, seat, held, letter);
        }
    }
    Flow::Done
}

fn set_standing(working: &mut Working<'_, Season>, seat: &SeatId, sheet: &[Held<Order>]) {
    let standing: Vec<Held<Order>> = sheet.iter().filter(|h| matches!(h.order, Order::Standing(_))).cloned().collect();
    let known = working.state().seats.get(seat).map(|s| s.standing.as_slice());
    if !standing.is_empty() && known != Some(&standing) {
        let cause = Cause::new(format!("standing {seat}"), &[rule("R-003-86")]);
        working.emit(cause, Event::StandingSet { seat: seat.clone(), orders: standing });
    }
}

fn declare(working: &mut Working<'_, Season>, seat: &SeatId, held: &Held<Order>, letter: &Diplomacy) {
    let state = working.state();
    let cause = |subject: String| Cause::new(subject, &[rule("R-003-03")]).ordered(seat, &held.source);
    match letter {
        Diplomacy::War(on) if !state.at_war(seat, on) && !state.now.declared.contains(&pair(seat, on)) => {
            let event = Event::WarDeclared { by: seat.clone(), on: on.clone(), now: false };
            working.emit(cause(format!("war {seat} {on}")), event);
        }
        Diplomacy::Passage(to) if !state.may_pass(to, seat) => {
            let event = Event::Passage { from: seat.clone(), to: to.clone(), given: true };
            working.emit(cause(format!("passage {seat} {to}")), event);
        }
        Diplomacy::NoPassage(to) if to != seat && state.may_pass(to, seat) => {
            let event = Event::Passage { from: seat.clone(), to: to.clone(), given: false };
            working.emit(cause(format!("passage {seat} {to}")), event);
        }
        _ => {}
    }
}

/// Wars that begin and peaces that are made when the turn is over: a war declared, a peace that both offered.
pub(super) fn turn_over(working: &mut Working<'_, Season>, orders: &Orders<Order>) {
    let declared: Vec<(SeatId, SeatId)> = working.state().now.declared.iter().cloned().collect();
    for (a, b) in declared {
        if !working.state().at_war(&a, &b) {
            let cause = Cause::new(format!("war {a} {b}"), &[rule("R-003-03")]);
            working.emit(cause, Event::WarBegan { a, b });
        }
    }
    let offers: BTreeSet<(&SeatId, &SeatId)> = orders
        .iter()
        .flat_map(|(seat, sheet)| sheet.iter().map(move |held| (seat, plain(&held.order))))
        .filter_map(|(seat, order)| match order {
            Order::Diplomacy(Diplomacy::Peace(to)) => Some((seat, to)),
            _ => None,
        })
        .collect();
    for (a, b) in offers.iter().filter(|(a, b)| a < b && offers.contains(&(*b, *a))) {
        if working.state().at_war(a, b) {
            let cause = Cause::new(format!("peace {a} {b}"), &[rule("R-003-03")]);
            working.emit(cause, Event::PeaceMade { a: (*a).clone(), b: (*b).clone() });
        }
    }
}
