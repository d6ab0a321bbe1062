//! Sieges [003 Sieges].

use super::Season;
use super::order::Order;
use crate::engine::{Dice, Flow, Orders, Working};

/// Skeleton.
pub(super) fn run(_: &mut Working<'_, Season>, _: &Orders<Order>, _: &Dice) -> Flow {
    Flow::Done
}
