//! Cards: the deck, the hands, the deal [003 Cards].

use super::campaign::rule;
use super::event::Event;
use crate::engine::{Cause, Dice, Scope, SeatId, Working};
use serde::{Deserialize, Serialize};

/// One of the 87 cards.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Card {
    /// An Action card: its value is the number of Actions, its serial (1 to 60, rising with value) breaks ties [R-003-06].
    Action {
        /// 1 to 3.
        value: u8,
        /// 1 to 60.
        serial: u8,
    },
    /// An Event card; `copy` tells several with the same text apart.
    Event {
        /// Slug: `force_battle`, `supply_2`.
        id: String,
        /// From 1.
        copy: u8,
    },
}

/// The group of an Event card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventGroup {
    /// Gives this many steps of Reinforcements.
    Supply(u8),
    /// Anyone's.
    Generic,
    /// One country's.
    Country(SeatId),
}

/// An Event card's data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventCard {
    /// Slug.
    pub id: String,
    /// Name: "Force Battle".
    pub name: String,
    /// How many are in the deck.
    pub count: u8,
    /// Group.
    pub group: EventGroup,
    /// When it may be played, in the campaign's words.
    pub when: String,
    /// What it does, in the campaign's words.
    pub text: String,
    /// The figures in its text by name: `hits`, `money`, `hexes`.
    pub figures: std::collections::BTreeMap<String, i64>,
}

/// The campaign's deck.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CardData {
    /// Action cards: value, first serial, last serial.
    pub actions: Vec<(u8, u8, u8)>,
    /// Event cards.
    pub events: Vec<EventCard>,
}

impl CardData {
    /// All cards in a fixed order, for the shuffle.
    pub fn deck(&self) -> Vec<Card> {
        let actions = self
            .actions
            .iter()
            .flat_map(|(value, first, last)| (*first..=*last).map(|serial| Card::Action { value: *value, serial }));
        let events = self
            .events
            .iter()
            .flat_map(|event| (1..=event.count).map(|copy| Card::Event { id: event.id.clone(), copy }));
        actions.chain(events).collect()
    }

    /// An Event card's data.
    pub fn event(&self, id: &str) -> Option<&EventCard> {
        self.events.iter().find(|event| event.id == id)
    }
}

/// Deals new hands: all cards, old hands included, shuffled together, the hand size off the top to each seat still in the game,
/// in the setup's order [003 Cards, R-003-02, R-003-10].
pub(super) fn deal(working: &mut Working<'_, super::Season>, dice: &Dice) {
    let state = working.state();
    let campaign = std::sync::Arc::clone(&state.campaign);
    let (_, over_new_year) = state.season.next();
    let year = state.year + u16::from(over_new_year);
    let mut deck = campaign.cards.deck();
    dice.shuffle(&Scope::Deal, &format!("year {year}"), &mut deck);
    let living: Vec<SeatId> = state.living().cloned().collect();
    let mut deck = deck.into_iter();
    for seat in living {
        let mut cards: Vec<Card> = deck.by_ref().take(campaign.figures.hand_size).collect();
        cards.sort_unstable();
        let cause = Cause::new(format!("deal {seat}"), &[rule("003 Cards"), rule("R-003-02")]);
        working.emit(cause, Event::Dealt { seat, cards });
    }
}
