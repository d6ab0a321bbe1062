//! A player's words become orders; orders become canonical words.

use super::order::Order;
use super::view::View;
use crate::engine::sheet::{Reading, Sheet, Superseded, TextLine};
use crate::engine::{LetterNo, SeatId};

/// Skeleton.
pub(super) fn letter(_: &View, _: &SeatId, _: LetterNo, _: &[TextLine]) -> Reading<Order> {
    Reading::default()
}

/// Skeleton.
pub(super) fn supersede(_: &Order, _: &Order) -> Superseded<Order> {
    Superseded::Stands
}

/// Skeleton.
pub(super) fn weigh(_: &View, _: &SeatId, _: &mut Sheet<Order>) {}

/// Skeleton.
pub(super) fn canonical(_: &View, _: &SeatId, _: &Order) -> (String, String) {
    (String::new(), String::new())
}

/// Skeleton.
pub(super) fn still_open(_: &View, _: &SeatId, _: &Sheet<Order>) -> Vec<String> {
    Vec::new()
}
