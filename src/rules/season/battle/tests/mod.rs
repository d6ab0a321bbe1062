//! Battles by the rule: expected values are worked out by hand from the rulebook.

mod chance;
mod cities;
mod leaders;
mod retreats;
mod rounds;
mod sides;

use super::super::event::Event;
use crate::engine::{Recorded, UnitId};

/// The BattleEnded events: victors, losers, rounds, wiped out.
fn ended(events: &[Recorded<Event>]) -> Vec<(Vec<String>, Vec<String>, u32, bool)> {
    let names = |seats: &[crate::engine::SeatId]| seats.iter().map(ToString::to_string).collect();
    let ends = events.iter().filter_map(|recorded| match &recorded.event {
        Event::BattleEnded { victors, losers, rounds, wiped_out, .. } => {
            Some((names(victors), names(losers), *rounds, *wiped_out))
        }
        _ => None,
    });
    ends.collect()
}

/// The BattleJoined events: attackers, defenders, late units, divisor.
fn joined(events: &[Recorded<Event>]) -> Vec<(String, String, Vec<UnitId>, u32)> {
    let names = |seats: &[crate::engine::SeatId]| seats.iter().map(ToString::to_string).collect::<Vec<_>>().join("+");
    let begun = events.iter().filter_map(|recorded| match &recorded.event {
        Event::BattleJoined { attackers, defenders, late, divisor, .. } => {
            Some((names(attackers), names(defenders), late.clone(), *divisor))
        }
        _ => None,
    });
    begun.collect()
}

/// Who fired, by round, in order.
fn volleys(events: &[Recorded<Event>]) -> Vec<(u32, UnitId, u32)> {
    let fired = events.iter().filter_map(|recorded| match &recorded.event {
        Event::Volley { round, unit, hits, .. } => Some((*round, *unit, *hits)),
        _ => None,
    });
    fired.collect()
}

/// The retreats: units and round.
fn retreats(events: &[Recorded<Event>]) -> Vec<(Vec<UnitId>, u32)> {
    let left = events.iter().filter_map(|recorded| match &recorded.event {
        Event::Retreated { units, round, .. } => Some((units.clone(), *round)),
        _ => None,
    });
    left.collect()
}

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}
