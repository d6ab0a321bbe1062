//! Ends of lines, list numbers and "should" are settled before the sentences are read.

use super::index::{Index, Thing};
use super::item::{Item, Lex};
use super::lexicon::{Small, Verb};
use super::parse::{Parser, is_joint};
use crate::orders::token::{Sign, Token};

impl<'a, 'i> Parser<'a, 'i> {
    /// Settles the ends of lines: commas where a clause begins behind them, else nothing.
    pub fn unbroken(index: &'i Index<'a>, tokens: &'i [Token], mut items: Vec<Item>) -> Vec<Item> {
        listed(&mut items);
        for at in (0..items.len()).rev() {
            if items.get(at).is_some_and(|item| item.is(Small::Should)) {
                let begins = at
                    .checked_sub(1)
                    .and_then(|i| items.get(i))
                    .is_none_or(|item| item.is_sign(Sign::Stop) || is_joint(item) || item.is_sign(Sign::Semicolon));
                let comma = items
                    .iter()
                    .skip(at)
                    .take_while(|item| !item.is_sign(Sign::Stop))
                    .any(|item| item.is_sign(Sign::Comma));
                match items.get_mut(at) {
                    Some(item) if begins && comma => item.lex = Lex::Small(Small::If),
                    _ => drop(items.remove(at)),
                }
                continue;
            }
            if !items.get(at).is_some_and(|item| item.is_sign(Sign::Break)) {
                continue;
            }
            let begins = {
                let parser = Parser::new(index, tokens, &items);
                let end = (at..items.len()).find(|i| parser.ends_sentence(*i)).unwrap_or(items.len());
                Parser { end, ..parser }.clause_ahead(at + 1)
            };
            // "my lowest / action card": the noun belongs to the line above.
            let card = items
                .get(at + 1)
                .is_some_and(|item| matches!(item.lex, Lex::Verb(Verb::ActionCard) | Lex::Small(Small::Card)));
            let wished = at.checked_sub(1).and_then(|i| items.get(i)).is_some_and(|item| {
                matches!(
                    item.lex,
                    Lex::Small(Small::Highest | Small::Lowest | Small::Any | Small::No) | Lex::Verb(Verb::Play)
                )
            });
            // "marches from / Novgorod to Luga": the place belongs to the line above, whatever it could begin.
            let open = at.checked_sub(1).and_then(|i| items.get(i)).is_some_and(leads_on);
            match items.get_mut(at) {
                Some(_) if card && wished || open => drop(items.remove(at)),
                Some(item) if begins => item.lex = Lex::Sign(Sign::Comma),
                _ => drop(items.remove(at)),
            }
        }
        items
    }
}

/// Whether a word cannot be the last of its order.
fn leads_on(item: &Item) -> bool {
    matches!(
        item.lex,
        Lex::Small(Small::To | Small::From | Small::Via | Small::With | Small::At | Small::Of | Small::Under)
    )
}

/// "(1) Dal to Riga (2) Åbo to Wenden", "a) ... b) ...": numbers of a list within a line are commas.
fn listed(items: &mut Vec<Item>) {
    for at in (0..items.len()).rev() {
        let closes = items.get(at + 1).is_some_and(|item| item.is_sign(Sign::Close));
        let opened = at.checked_sub(1).and_then(|i| items.get(i)).is_some_and(|item| item.is_sign(Sign::Open));
        let (number, letter) = match items.get(at).map(|item| &item.lex) {
            Some(Lex::Number(n)) => (*n <= 20, false),
            Some(Lex::Unknown(word)) => (false, word.len() == 1),
            _ => (false, false),
        };
        let names = |item: &Item| {
            item.things().iter().any(|thing| matches!(thing, Thing::Unit(_))) || matches!(item.lex, Lex::Verb(_))
        };
        if !closes
            || !(number && opened || letter && !opened || number && at == 0)
            || !items.get(at + 2).is_some_and(names)
        {
            continue;
        }
        if let Some(item) = items.get_mut(at) {
            item.lex = Lex::Sign(Sign::Comma);
        }
        items.remove(at + 1);
        if opened {
            items.remove(at - 1);
        }
    }
}
