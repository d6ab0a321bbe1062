//! A letter that contradicts itself is asked about: neither of two orders for the same unit is preferred.

use super::index::Index;
use super::supersede::supersede;
use crate::engine::sheet::{Held, Question, Reading, Superseded, TextLine};
use crate::rules::season::campaign::rule;
use crate::rules::season::order::{Buy, Intent, Order, Picked, Retreat, Who};

/// Takes contradicting orders out of the letter and asks; drops what is said twice.
pub(super) fn settle(index: &Index<'_>, _: &[TextLine], reading: &mut Reading<Order>, clauses: &[usize]) {
    let mut held: Vec<(Held<Order>, usize)> = reading.orders.drain(..).zip(clauses.iter().copied()).collect();
    drop_repeated(&mut held);
    let mut at = 1;
    while at < held.len() {
        let found = (0..at).find(|before| {
            let (Some((a, ca)), Some((b, cb))) = (held.get(*before), held.get(at)) else { return false };
            (ca != cb || buys_same(&a.order, &b.order)) && contradict(&a.order, &b.order)
        });
        let Some(before) = found else {
            at += 1;
            continue;
        };
        let (second, second_clause) = held.remove(at);
        let (first, first_clause) = held.remove(before);
        at -= 1;
        if let (Order::Buy(a), Order::Buy(b), true) = (&first.order, &second.order, first_clause == second_clause) {
            let sum = Order::Buy(Buy { kind: a.kind, count: a.count.saturating_add(b.count) });
            held.insert(before, (Held { order: sum, ..first }, first_clause));
            at += 1;
            continue;
        }
        reading.questions.push(question(index, &first, &second));
        at = at.max(1);
    }
    reading.orders = held.into_iter().map(|(held, _)| held).collect();
}

/// The same order said twice is one order; brigades built alike and steps bought alike are not the same.
fn drop_repeated(held: &mut Vec<(Held<Order>, usize)>) {
    let mut seen: Vec<Order> = Vec::new();
    held.retain(|(held, _)| {
        let counts = matches!(held.order, Order::Build(_) | Order::Buy(_));
        let again = !counts && seen.contains(&held.order);
        seen.push(held.order.clone());
        !again
    });
}

fn buys_same(a: &Order, b: &Order) -> bool {
    matches!((a, b), (Order::Buy(a), Order::Buy(b)) if a.kind == b.kind)
}

fn contradict(a: &Order, b: &Order) -> bool {
    let touches = supersede(a, b) != Superseded::Stands || supersede(b, a) != Superseded::Stands;
    match (a, b) {
        (Order::Build(_), Order::Build(_)) => false,
        // "All his brigades" are those without another order.
        (Order::March(a), Order::March(b)) => {
            let leader = a.leader_goes && b.leader_goes && a.army_of == b.army_of;
            let all = a.units == Picked::All || b.units == Picked::All;
            if all { leader || (a.units == b.units && a.from == b.from) } else { touches }
        }
        // The general and the particular stand side by side.
        (
            Order::Intent(Intent { who: a, give: x, condition: c }),
            Order::Intent(Intent { who: b, give: y, condition: d }),
        ) => x != y && c.is_none() && d.is_none() && overlap(a, b),
        (Order::Retreat(Retreat { who: a, when: x, .. }), Order::Retreat(Retreat { who: b, when: y, .. })) => {
            x != y && overlap(a, b)
        }
        (Order::HitsFirst(a), Order::HitsFirst(b)) | (Order::FeedFirst(a), Order::FeedFirst(b)) => {
            a != b && a.iter().any(|id| b.contains(id))
        }
        (Order::Hold(_), Order::Hold(_)) => false,
        _ => touches,
    }
}

fn overlap(a: &Who, b: &Who) -> bool {
    match (a, b) {
        (Who::All, Who::All) => true,
        (Who::At(a), Who::At(b)) => a == b,
        (Who::Units(a), Who::Units(b)) => a.iter().any(|id| b.contains(id)),
        _ => false,
    }
}

fn question(index: &Index<'_>, first: &Held<Order>, second: &Held<Order>) -> Question<Order> {
    let one = |kept: &Order, other: &Order| match supersede(other, kept) {
        Superseded::Replaced => vec![kept.clone()],
        Superseded::Reduced(rest) => vec![kept.clone(), rest],
        Superseded::Stands => vec![kept.clone()],
    };
    let mut readings = vec![one(&first.order, &second.order), one(&second.order, &first.order)];
    if let (Order::Buy(a), Order::Buy(b)) = (&first.order, &second.order) {
        readings.push(vec![Order::Buy(Buy { kind: a.kind, count: a.count.saturating_add(b.count) })]);
    }
    readings.dedup();
    let words = |order: &Order| super::canonical::canonical(index.view, index.seat, order).0;
    let message = match (&first.order, &second.order) {
        (Order::Buy(a), Order::Buy(_)) => format!("{} is bought twice: once, or both?", a.kind),
        (a, b) => format!("Two orders that exclude each other: \"{}\" and \"{}\".", words(a), words(b)),
    };
    Question { number: 0, source: second.source.clone(), message, cites: vec![rule("R-003-86")], readings }
}
