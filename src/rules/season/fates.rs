//! Leaders who leave the game when history took them, where the campaign's house rule `leaders_leave` plays it so [R-003-P49].

use super::Season;
use super::campaign::{UnitSetup, rule};
use super::event::{Event, Loss};
use super::state::State;
use crate::engine::{Cause, SeatId, UnitId, Working};

/// Whether history has taken a leader by now; who has not come yet, or sits in prison, does not come any more [R-003-P49].
pub(super) fn time_is_up(state: &State, setup: &UnitSetup) -> bool {
    let now = (state.year, state.season);
    state.campaign.house.leaders_leave && setup.leaves.is_some_and(|when| when <= now)
}

/// At the beginning of a turn the leaders whose time is up go; a sovereign only when an heir is there to follow him
/// [R-003-P49].
pub(super) fn departures(working: &mut Working<'_, Season>) {
    let state = working.state();
    let leaving: Vec<UnitId> =
        state.campaign.units.iter().filter(|setup| time_is_up(state, setup)).map(|setup| setup.id).collect();
    for unit in leaving {
        depart(working, unit);
    }
}

fn depart(working: &mut Working<'_, Season>, unit: UnitId) {
    let state = working.state();
    let Some(leader) = state.units.get(&unit) else { return };
    let (seat, hex) = (leader.seat.clone(), leader.at);
    if leader.leader.is_some_and(|figures| figures.sovereign) {
        let Some(heir) = heir(state, &seat) else { return };
        let cause = Cause::new(format!("succession {seat}"), &[rule("003 Leaders"), rule("R-003-P49")]);
        working.emit(cause, Event::Succeeded { seat, unit: heir, after: unit });
    }
    let cause = Cause::new(format!("leaves u{unit}"), &[rule("003 Leaders"), rule("R-003-P49")]);
    working.emit(cause, Event::Gone { unit, how: Loss::Left, by: None, hex });
}

/// The first of a seat's heirs who is on the board and whose own time is not up [R-003-P49].
fn heir(state: &State, seat: &SeatId) -> Option<UnitId> {
    let heirs = state.campaign.units.iter().filter(|setup| setup.heir && setup.seat == *seat);
    heirs.filter(|setup| !time_is_up(state, setup)).map(|setup| setup.id).find(|id| state.units.contains_key(id))
}
