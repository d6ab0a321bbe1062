//! The year and its turns [003 Game Turns].

use super::Season;
use super::order::Order;
use super::state::State;
use crate::engine::{Dice, Expectation, Flow, Orders, Working};

/// Skeleton.
pub(super) fn disband(_: &mut Working<'_, Season>, _: &Orders<Order>, _: &Dice) -> Flow {
    Flow::Done
}

/// Skeleton.
pub(super) fn turn_over(_: &mut Working<'_, Season>, _: &Orders<Order>, _: &Dice) -> Flow {
    Flow::Done
}

/// Who owes orders.
pub(super) fn expects(state: &State) -> Expectation {
    Expectation {
        turn: state.turn,
        phase: format!("{} {}", state.season, state.year),
        owing: state.living().cloned().collect(),
        without_orders: String::new(),
        over: state.scores.is_some(),
    }
}
