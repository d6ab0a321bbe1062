//! Cards of the moment before battles: Force Battle, Siege Engineers, Gå På! [003 Event Cards, R-003-08, R-003-96].

use super::super::Season;
use super::super::campaign::rule;
use super::super::cards::Card;
use super::super::event::{Event, VoidReason};
use super::super::order::{EventPlay, Order};
use super::super::state::State;
use super::intent;
use crate::engine::{Cause, HexId, Orders, SeatId, Source, Working};

/// Plays the cards whose own text names this moment and that are still in hand, in order of the Action cards [R-003-08];
/// then Siege Engineers do their work, before any storm [R-003-96].
pub(super) fn before_battles(w: &mut Working<'_, Season>, orders: &Orders<Order>) {
    for seat in w.state().now.sequence.clone() {
        for held in orders.get(&seat).into_iter().flatten().filter(|held| held.out_of_force.is_none()) {
            if let Order::EventCard(play) = &held.order {
                consider(w, orders, &seat, play, &held.source);
            }
        }
    }
    siege_engineers(w);
}

fn consider(w: &mut Working<'_, Season>, orders: &Orders<Order>, seat: &SeatId, play: &EventPlay, source: &Source) {
    let state = w.state();
    let Card::Event { id, .. } = &play.card else { return };
    let now = state.campaign.cards.event(id).is_some_and(|card| card.when == "before_battles");
    let in_hand = state.seats.get(seat).is_some_and(|own| own.hand.contains(&play.card));
    if !now || !in_hand {
        return;
    }
    let unmet = play.condition.as_ref().is_some_and(|condition| !intent::met(state, orders, seat, condition));
    let (ruling, event) = if unmet {
        ("R-003-89", Event::EventReturned { seat: seat.clone(), card: play.card.clone(), why: VoidReason::ConditionUnmet })
    } else if !play.hexes.iter().any(|hex| has_target(state, seat, id, *hex)) {
        let why = VoidReason::Rule("it had no target there".to_owned());
        ("R-003-89", Event::EventReturned { seat: seat.clone(), card: play.card.clone(), why })
    } else {
        let (card, units) = (play.card.clone(), play.units.clone());
        let (hexes, seats) = (play.hexes.clone(), play.seats.clone());
        ("R-003-08", Event::EventPlayed { seat: seat.clone(), card, units, hexes, seats })
    };
    let cites = [rule("003 Event Cards"), rule(ruling)];
    w.emit(Cause::new(format!("card {seat} {id}"), &cites).ordered(seat, source), event);
}

/// Whether the card has something to work on in this hex.
fn has_target(state: &State, seat: &SeatId, card: &str, hex: HexId) -> bool {
    let own = state.own_brigades(hex, seat).next().is_some();
    match card {
        "siege_engineers" => own && state.sieges.contains_key(&hex),
        _ => own && state.enemies_of(seat, hex).next().is_some(),
    }
}

/// Siege Engineers: a besieged fortified city counts a full siege turn more, at once (the card's text).
fn siege_engineers(w: &mut Working<'_, Season>) {
    let state = w.state();
    let mut work: Vec<(SeatId, HexId, u32)> = Vec::new();
    for (seat, card, _, hexes, _) in &state.now.events {
        let target = hexes.iter().find(|hex| has_target(state, seat, "siege_engineers", **hex));
        if card == "siege_engineers"
            && let Some(hex) = target
            && let Some(siege) = state.sieges.get(hex)
        {
            let earlier = work.iter().filter(|(_, at, _)| at == hex).count();
            let turns = siege.full_turns.saturating_add(1 + u32::try_from(earlier).unwrap_or(0));
            work.push((seat.clone(), *hex, turns));
        }
    }
    for (seat, city, full_turns) in work {
        let cites = [rule("003 Event Cards"), rule("003 Sieges"), rule("R-003-96")];
        let played = w.events().iter().rev().find(|recorded| match &recorded.event {
            Event::EventPlayed { seat: by, card: Card::Event { id, .. }, hexes, .. } => {
                *by == seat && id == "siege_engineers" && hexes.contains(&city)
            }
            _ => false,
        });
        let cause = super::led_to(Cause::new(format!("engineers {city}"), &cites), played.map(|r| r.id.clone()));
        w.emit(cause, Event::SiegeCounted { city, full_turns });
    }
}
