//! Order or talk: what words are that could not be read.

use super::index::Thing;
use super::item::Lex;
use super::lexicon::{Small, Verb};
use super::parse::{Parser, is_joint, place_of};
use crate::orders::token::Sign;

impl Parser<'_, '_> {
    /// Whether a clause leans on the one before it: "and besiege it", "and give battle".
    pub(super) fn leans(&self, at: usize) -> bool {
        let next = (at..self.end).filter_map(|i| self.items.get(i)).find(|item| !is_joint(item));
        let and = self.items.get(at.saturating_sub(1)).is_some_and(|item| item.is(Small::And) || item.is(Small::Then));
        next.is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Verb(
                    Verb::Besiege
                        | Verb::Storm
                        | Verb::Fight
                        | Verb::Avoid
                        | Verb::Retreat
                        | Verb::FallBack
                        | Verb::ToTheLast
                        | Verb::GoOn
                        | Verb::Attack
                        | Verb::Capture
                ) | Lex::Small(Small::He)
            )
        }) && (and
            || !(at..self.end)
                .filter_map(|i| self.items.get(i))
                .take(4)
                .any(|item| item.things().iter().any(|t| place_of(t).is_some())))
    }

    /// Whether words that could not be read are an order gone wrong rather than talk.
    pub(super) fn looks_like_an_order(&self, from: usize, to: usize) -> bool {
        let items = self.items.get(from..to).unwrap_or(&[]);
        let own = |thing: &Thing| match thing {
            Thing::Unit(id) => {
                self.index.forces.contains_key(id)
                    || self.index.setup(*id).is_some_and(|unit| unit.seat == *self.index.seat)
            }
            _ => false,
        };
        let unit = items.iter().any(|item| item.things().iter().any(own));
        let any_unit = items.first().is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_))));
        let leads = items.iter().any(|item| item.is(Small::To) || item.is(Small::From) || item.is_sign(Sign::Arrow));
        let denies = items.first().is_some_and(|item| item.is(Small::Not));
        let place = items
            .iter()
            .any(|item| item.things().iter().any(|t| place_of(t).is_some()) || matches!(item.lex, Lex::Hex(_)));
        let card = items.iter().any(|item| item.things().iter().any(|thing| matches!(thing, Thing::Card(_))));
        let seat = items.iter().any(|item| item.things().iter().any(|thing| matches!(thing, Thing::Seat(_))));
        let kind = items.iter().any(|item| matches!(item.lex, Lex::Kind(_)));
        let arrow = items.iter().any(|item| item.is_sign(Sign::Arrow));
        let verbs: Vec<Verb> =
            items.iter().filter_map(|item| if let Lex::Verb(v) = item.lex { Some(v) } else { None }).collect();
        let strong = verbs.iter().any(|verb| is_strong(*verb));
        let weak = !verbs.is_empty();
        let courts = verbs.iter().any(|verb| matches!(verb, Verb::Peace | Verb::Passage | Verb::Let | Verb::War));
        let goes = items.iter().any(|item| item.is(Small::To) || item.is_sign(Sign::Arrow));
        let places = items
            .iter()
            .filter(|item| item.things().iter().any(|t| place_of(t).is_some()) || matches!(item.lex, Lex::Hex(_)));
        let route = places.count() >= 2 && items.iter().any(|item| item.is_sign(Sign::Dash));
        let counted = items
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if matches!((&a.lex, &b.lex), (Lex::Number(_), Lex::Kind(_)))))
            || matches!(items, [a, b, c, ..] if matches!((&a.lex, &b.lex, &c.lex), (Lex::Number(_), Lex::Unknown(_), Lex::Kind(_))));
        let numbered = verbs.contains(&Verb::Withdraw) && items.iter().any(|item| matches!(item.lex, Lex::Number(_)));
        let anybody = items.iter().any(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_))));
        let known = anybody || unit || place || card || kind || seat;
        let starts = items.first().is_some_and(|item| matches!(item.lex, Lex::Verb(_)));
        let comes = items.first().is_some_and(|item| item.things().iter().any(own))
            && items.len() <= 3
            && verbs.iter().all(|verb| matches!(verb, Verb::March | Verb::Take));
        numbered
            || route
            || (denies && strong)
            || (unit && weak && !comes)
            || (any_unit && leads)
            || (unit && denies)
            || card
            || (strong && (known || starts))
            || (unit && (place || strong))
            || (courts && seat)
            || (goes && place)
            || (weak && (place || kind) && (starts || unit || leads || seat))
            || counted
            || (arrow && known)
    }

    pub(super) fn names_own(&self, from: usize, to: usize) -> bool {
        let items = self.items.get(from..to).unwrap_or(&[]);
        let named = |thing: &Thing| match thing {
            Thing::Unit(id) => self.index.forces.contains_key(id),
            Thing::Place(_) => true,
            _ => false,
        };
        items
            .first()
            .is_some_and(|item| item.things().iter().any(named) || matches!(item.lex, Lex::Hex(_) | Lex::Kind(_)))
    }

    /// "Lubomirski dances": a unit of its own and a word in small letters behind it.
    pub(super) fn does_something(&self, from: usize, to: usize) -> bool {
        let (first, last) = self.range(from, to);
        let small = |i: usize| self.tokens.get(i).is_some_and(|token| token.word().is_some() && !token.capital);
        let unit = self.items.get(from).is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_))));
        unit && self.names_own(from, to) && to > from + 1 && (first + 1..=last).any(small)
    }

    /// Whether words that could not be read may have been the reason for what follows: no own unit begins them, no place is named.
    pub(super) fn may_be_a_reason(&self, from: usize, to: usize) -> bool {
        let items = self.items.get(from..to).unwrap_or(&[]);
        let begins = items.first().is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_))));
        let place = items
            .iter()
            .any(|item| item.things().iter().any(|t| place_of(t).is_some()) || matches!(item.lex, Lex::Hex(_)));
        !begins && !place
    }
}

/// Verbs that nobody uses in small talk.
pub(super) fn is_strong(verb: Verb) -> bool {
    !matches!(
        verb,
        Verb::March
            | Verb::Take
            | Verb::Hold
            | Verb::Fight
            | Verb::Let
            | Verb::Play
            | Verb::GoOn
            | Verb::Event
            | Verb::Pass
            | Verb::Peace
            | Verb::CallUp
    )
}
