//! What a seat has not decided yet.

use super::index::card_name;
use super::weigh;
use crate::engine::SeatId;
use crate::engine::sheet::Sheet;
use crate::rules::season::cards::Card;
use crate::rules::season::order::Order;
use crate::rules::season::view::View;

/// A sentence for each thing still open: the Action card, unused Actions, Event cards, questions.
pub(in crate::rules::season) fn still_open(view: &View, seat: &SeatId, sheet: &Sheet<Order>) -> Vec<String> {
    let mut open = Vec::new();
    let in_force = || sheet.orders.iter().filter(|held| held.out_of_force.is_none()).map(|held| &held.order);
    let hand = view.purse.as_ref().map_or(&[][..], |purse| &purse.hand);
    let chosen = in_force().find_map(|order| match order {
        Order::ActionCard(card) => Some(Some(card)),
        Order::NoActionCard => Some(None),
        _ => None,
    });
    match chosen {
        None if !hand.is_empty() => open
            .push(format!("No Action card is chosen; without one there are no Actions. {}", weigh::action_hand(view))),
        None => open.push("No Action card is chosen, and there is no card in your hand.".to_owned()),
        Some(None) => {}
        Some(Some(card)) => {
            let has = weigh::value(card);
            let used = weigh::actions_needed(view, seat, in_force());
            if used < has {
                let left = has - used;
                let plural = if has == 1 { "" } else { "s" };
                let verb = if left == 1 { "is" } else { "are" };
                open.push(format!("{left} of {has} Action{plural} {verb} not used."));
            }
        }
    }
    let played = |card: &Card| {
        in_force().any(|order| {
            matches!(order, Order::EventCard(play) if play.card == *card)
                || matches!(order, Order::ActionCard(have) if have == card)
        })
    };
    let events: Vec<String> = hand
        .iter()
        .filter_map(|card| match card {
            Card::Event { id, .. } if !played(card) => Some(card_name(&view.campaign, id)),
            _ => None,
        })
        .collect();
    if !events.is_empty() {
        open.push(format!("In your hand and not played: {}.", events.join(", ")));
    }
    for question in &sheet.questions {
        let labels: Vec<String> =
            ('a'..='h').take(question.readings.len()).map(|label| format!("\"{}{label}\"", question.number)).collect();
        open.push(format!("Question {} waits for an answer: {}.", question.number, labels.join(" or ")));
    }
    open
}
