//! Cards of the moment before battles: Force Battle, Siege Engineers, Gå På! [003 Event Cards, R-003-96].

use super::super::Season;
use super::super::campaign::rule;
use super::super::cards::Card;
use super::super::event::Event;
use super::super::state::State;
use super::led_to;
use crate::engine::{Cause, HexId, SeatId, Working};

/// Whether a card of this moment has something to work on in a hex: for Siege Engineers a siege of one's own, for the others
/// an enemy beside one's own brigades.
pub(in crate::rules::season) fn can_work(state: &State, seat: &SeatId, card: &str, hex: HexId) -> bool {
    let own = state.own_brigades(hex, seat).next().is_some();
    match card {
        "siege_engineers" => own && state.sieges.get(&hex).is_some_and(|siege| !state.at_war(&siege.by, seat)),
        _ => own && state.enemies_of(seat, hex).next().is_some(),
    }
}

/// A figure of a card's text.
pub(super) fn figure(state: &State, card: &str, name: &str) -> u32 {
    let known = state.campaign.cards.event(card).and_then(|card| card.figures.get(name)).copied();
    known.and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

/// Siege Engineers: a besieged fortified city counts a full siege turn more, at once, so that a storm of the same turn gains by
/// it (the card's text, R-003-96).
pub(super) fn siege_engineers(w: &mut Working<'_, Season>) {
    let played: Vec<_> = w
        .events()
        .iter()
        .filter(|recorded| recorded.id.step == *w.step())
        .filter_map(|recorded| match &recorded.event {
            Event::EventPlayed { seat, card: Card::Event { id, .. }, hexes, .. } if id == "siege_engineers" => {
                Some((recorded.id.clone(), seat.clone(), hexes.clone()))
            }
            _ => None,
        })
        .collect();
    for (event, seat, hexes) in played {
        let state = w.state();
        let Some(city) = hexes.into_iter().find(|hex| can_work(state, &seat, "siege_engineers", *hex)) else {
            continue;
        };
        let turns = state.sieges.get(&city).map_or(0, |siege| siege.full_turns);
        let full_turns = turns.saturating_add(figure(state, "siege_engineers", "turns"));
        let cites = [rule("003 Event Cards"), rule("003 Sieges"), rule("R-003-96")];
        let cause = led_to(Cause::new(format!("engineers {city}"), &cites), [event]);
        w.emit(cause, Event::SiegeCounted { city, full_turns });
    }
}
