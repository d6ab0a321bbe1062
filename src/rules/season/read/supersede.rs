//! What a newer letter's order does to an older one [R-003-86]: lines for the same unit, card or purchase are replaced.

use crate::engine::UnitId;
use crate::engine::sheet::Superseded;
use crate::rules::season::order::{Diplomacy, Intent, March, Order, Pace, Picked, Retreat, Who};

/// What `newer` leaves of `older`.
pub(in crate::rules::season) fn supersede(older: &Order, newer: &Order) -> Superseded<Order> {
    let replaced = |same: bool| if same { Superseded::Replaced } else { Superseded::Stands };
    match (older, newer) {
        (Order::ActionCard(_) | Order::NoActionCard, Order::ActionCard(_) | Order::NoActionCard) => {
            Superseded::Replaced
        }
        (Order::EventCard(old), Order::EventCard(new)) => replaced(old.card == new.card),
        (Order::EventCard(old), Order::ActionCard(card)) => replaced(old.card == *card),
        (Order::ActionCard(card), Order::EventCard(new)) => replaced(*card == new.card),
        (Order::March(old), Order::March(new)) => without(old, &moved(new), Some(new)),
        (Order::March(old), Order::Hold(units)) => without(old, units, None),
        (Order::Hold(old), Order::March(new)) => fewer(old, &moved(new), Order::Hold),
        (Order::Hold(old), Order::Hold(new)) => fewer(old, new, Order::Hold),
        (Order::Build(old), Order::Build(new)) => replaced(old.kind == new.kind && old.at == new.at),
        (Order::Buy(old), Order::Buy(new)) => replaced(old.kind == new.kind),
        (Order::Levy { .. }, Order::Levy { .. }) => Superseded::Replaced,
        (Order::Intent(old), Order::Intent(new)) => {
            if new.condition.is_some() && new.condition != old.condition {
                return Superseded::Stands;
            }
            about(&old.who, &new.who, |who| Order::Intent(Intent { who, ..old.clone() }))
        }
        (Order::Retreat(old), Order::Retreat(new)) => {
            about(&old.who, &new.who, |who| Order::Retreat(Retreat { who, ..old.clone() }))
        }
        (Order::Siege { city: old, .. }, Order::Siege { city: new, .. }) => replaced(old == new),
        (Order::Diplomacy(old), Order::Diplomacy(new)) => replaced(same_matter(old, new)),
        (Order::HitsFirst(old), Order::HitsFirst(new)) | (Order::FeedFirst(old), Order::FeedFirst(new)) => {
            replaced(old.iter().any(|id| new.contains(id)))
        }
        (Order::Standing(old), Order::Standing(new)) => match supersede(old, new) {
            Superseded::Reduced(rest) => Superseded::Reduced(Order::Standing(Box::new(rest))),
            other => other,
        },
        (Order::Kept(old), Order::Kept(new)) => replaced(old == new),
        _ => Superseded::Stands,
    }
}

fn moved(march: &March) -> Vec<UnitId> {
    let mut units: Vec<UnitId> = march.army_of.filter(|_| march.leader_goes).into_iter().collect();
    if let Picked::These(these) = &march.units {
        units.extend(these);
    }
    units
}

/// What is left of a march when these units have another order. An army that goes "with all his brigades" goes nowhere without
/// its leader; a forced march neither [003 Forced Marches].
fn without(old: &March, units: &[UnitId], newer: Option<&March>) -> Superseded<Order> {
    let all_taken = newer.is_some_and(|new| new.from == old.from && new.units == Picked::All);
    let leader_taken = old.leader_goes && old.army_of.is_some_and(|leader| units.contains(&leader));
    let rest = match &old.units {
        Picked::All if all_taken || leader_taken => return Superseded::Replaced,
        Picked::All => return Superseded::Stands,
        Picked::These(_) if all_taken => Vec::new(),
        Picked::These(these) => these.iter().copied().filter(|id| !units.contains(id)).collect::<Vec<_>>(),
    };
    let before = match &old.units {
        Picked::These(these) => these.len(),
        Picked::All => 0,
    };
    if rest.len() == before && !leader_taken {
        return Superseded::Stands;
    }
    let leader_goes = old.leader_goes && !leader_taken;
    if (rest.is_empty() && !leader_goes) || (rest.is_empty() && all_taken) || (leader_taken && old.pace == Pace::Forced)
    {
        return Superseded::Replaced;
    }
    if rest.is_empty() && before > 0 && newer.is_none() {
        // All his brigades are told to stay: he rides alone only if he says so.
        return Superseded::Replaced;
    }
    Superseded::Reduced(Order::March(March { units: Picked::These(rest), leader_goes, ..old.clone() }))
}

fn fewer(old: &[UnitId], new: &[UnitId], make: impl Fn(Vec<UnitId>) -> Order) -> Superseded<Order> {
    let rest: Vec<UnitId> = old.iter().copied().filter(|id| !new.contains(id)).collect();
    match rest.len() {
        0 => Superseded::Replaced,
        n if n == old.len() => Superseded::Stands,
        _ => Superseded::Reduced(make(rest)),
    }
}

fn about(old: &Who, new: &Who, make: impl Fn(Who) -> Order) -> Superseded<Order> {
    match (old, new) {
        (_, Who::All) => Superseded::Replaced,
        (Who::At(old), Who::At(new)) if old == new => Superseded::Replaced,
        (Who::Units(old), Who::Units(new)) => fewer(old, new, |rest| make(Who::Units(rest))),
        _ => Superseded::Stands,
    }
}

fn same_matter(old: &Diplomacy, new: &Diplomacy) -> bool {
    match (old, new) {
        (Diplomacy::War(a) | Diplomacy::Peace(a), Diplomacy::War(b) | Diplomacy::Peace(b)) => a == b,
        (Diplomacy::Passage(a) | Diplomacy::NoPassage(a), Diplomacy::Passage(b) | Diplomacy::NoPassage(b)) => a == b,
        (Diplomacy::Cede { hex: a, .. }, Diplomacy::Cede { hex: b, .. }) => a == b,
        _ => false,
    }
}
