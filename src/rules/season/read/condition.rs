//! "if ..." [R-003-89, R-003-32].
//!
//! A condition is read whole or not at all: every word of it must be one that the condition is made of, else the order is not
//! taken.

use super::draft::{Cond, CondKind, Fault, Movers, PlaceRef, UnitRef};
use super::index::Thing;
use super::item::Lex;
use super::lexicon::{Small, Verb};
use super::parse::Parser;
use super::retreating::retreat_words;
use crate::orders::token::{Sign, What};
use crate::rules::season::order::RetreatWhen;

/// Words of conditions that go without saying: the umpire plays no card that is not in the hand, and no Action that is not on
/// the card.
const META: &[&str] = &[
    "there",
    "is",
    "an",
    "a",
    "action",
    "actions",
    "left",
    "i",
    "we",
    "hold",
    "have",
    "one",
    "it",
    "any",
    "the",
    "card",
    "cards",
    "still",
    "lets",
    "let",
    "me",
    "us",
    "allows",
    "allow",
    "permits",
    "possible",
    "can",
    "afford",
    "money",
    "enough",
    "remains",
    "remaining",
    "some",
    "got",
    "that",
    "them",
    "this",
    "to",
    "spare",
    "over",
    "do",
    "so",
    "my",
    "hand",
    "in",
    "available",
    "free",
    "on",
    "bank",
    "suffices",
    "be",
    "needed",
    "necessary",
    "they",
    "purse",
    "has",
    "room",
    "for",
    "draw",
    "drawn",
    "supply",
    "event",
    "legal",
    "allowed",
    "such",
    "are",
    "permit",
];

const META_KEYS: &[&str] = &[
    "action",
    "actions",
    "card",
    "cards",
    "one",
    "it",
    "any",
    "possible",
    "afford",
    "money",
    "hand",
    "them",
    "available",
    "that",
    "legal",
    "allowed",
    "bank",
    "purse",
];

/// Words that may stand in a condition besides those that make it.
pub(super) const NEUTRAL: &[&str] = &[
    "the", "a", "an", "is", "are", "be", "any", "at", "in", "near", "to", "of", "there", "his", "her", "their", "its",
    "our", "my", "he", "she", "they", "it", "him", "them", "we", "i", "us", "still", "battle", "army", "brigades",
    "brigade", "units", "unit", "troops", "men", "force", "forces", "then", "this", "turn", "by", "with", "has",
    "have", "been", "was", "will", "should", "does", "do", "more", "than", "own", "if", "that", "stands", "stand",
    "comes", "come", "arrives", "moves", "goes", "enters", "appears", "shows", "up", "here", "when", "on", "strength",
    "losses", "loss", "lost", "lose", "loses", "losing", "reach", "reaches", "exceed", "exceeds", "percent", "per",
    "cent", "least", "after", "as", "soon", "rounds", "round", "enemy", "enemies", "foe", "foes", "present", "found",
    "city", "town", "hex", "fight", "fights", "fighting", "off", "himself", "down", "s", "both", "about", "once", "me",
    "field", "day", "attack", "attacks",
];

const NOBODY: &[&str] = &[
    "nobody",
    "noone",
    "none",
    "empty",
    "free",
    "clear",
    "undefended",
    "unoccupied",
    "no",
    "not",
    "vacant",
    "gone",
    "deserted",
    "isnt",
    "arent",
];
const ENEMY: &[&str] = &[
    "enemy",
    "enemies",
    "foe",
    "foes",
    "somebody",
    "someone",
    "anybody",
    "anyone",
    "occupied",
    "defended",
    "hostile",
    "any",
    "opposition",
    "held",
];
const AVOID: &[&str] =
    &["avoid", "avoids", "avoided", "refuse", "refuses", "declines", "decline", "evades", "evade", "avoiding"];
const WIN: &[&str] = &[
    "win",
    "wins",
    "won",
    "victory",
    "victorious",
    "beat",
    "beats",
    "defeat",
    "defeats",
    "beaten",
    "defeated",
    "winning",
    "prevail",
    "prevails",
    "successful",
    "succeed",
    "succeeds",
    "victor",
    "victors",
    "destroyed",
    "destroy",
    "rout",
    "routed",
    "wiped",
    "out",
    "out",
];
const HELD: &[&str] = &[
    "ours", "mine", "fallen", "falls", "fell", "taken", "captured", "hold", "holds", "held", "take", "takes",
    "capture", "captures", "keep", "keeps", "falling",
];
const WE: &[&str] = &["we", "i", "ours", "mine", "my", "our", "he", "they", "us"];

impl Parser<'_, '_> {
    /// A condition before its order: "if attacked, fall back to Pernau".
    ///
    /// # Errors
    /// If it cannot be read whole.
    pub fn condition_in_front(&mut self) -> Result<(), Fault> {
        let unless = self.peek().is_some_and(|item| item.is(Small::Unless));
        let start = self.at;
        self.at += 1;
        let meta = self.meta();
        if let Some(end) = meta {
            self.at = end;
            self.cond = Some(Cond::Meta);
            return Ok(());
        }
        let stop = (self.at..self.end).find(|i| {
            self.items.get(*i).is_some_and(|item| {
                item.is_sign(Sign::Comma)
                    || item.is(Small::Then)
                    || item.is_sign(Sign::Colon) && !self.between_numbers(*i)
                    || item.is_sign(Sign::Arrow)
            })
        });
        // Without a comma: up to the unit that does something.
        let stop = stop.or_else(|| {
            let names_own = |i: usize| {
                self.items.get(i).is_some_and(|item| {
                    item.things().iter().any(|t| matches!(t, Thing::Unit(id) if self.index.forces.contains_key(id)))
                })
            };
            let first = (self.at..self.end).find(|i| names_own(*i))?;
            (first > self.at && self.clause_ahead(first)).then_some(first)
        });
        let Some(stop) = stop else {
            let at = Some(self.range(start, self.end));
            return Err(Fault::words(
                at,
                "I cannot tell where the condition ends and the order begins.",
                "Set a comma between them.",
            ));
        };
        self.cond = Some(self.condition(start, stop, unless)?);
        self.at = stop;
        self.skip_joints();
        Ok(())
    }

    /// A condition behind its order: "... if he loses half".
    ///
    /// # Errors
    /// If it cannot be read whole.
    pub fn condition_behind(&mut self) -> Result<(), Fault> {
        let unless = self.peek().is_some_and(|item| item.is(Small::Unless));
        let start = self.at;
        self.at += 1;
        if let Some(end) = self.meta() {
            self.at = end;
            if self.cond.is_none() {
                self.cond = Some(Cond::Meta);
            }
            return Ok(());
        }
        let stop = (self.at..self.end).find(|i| self.ends_condition(*i)).unwrap_or(self.end);
        if self.cond.as_ref().is_some_and(|cond| *cond != Cond::Meta) {
            let at = Some(self.range(start, stop));
            return Err(Fault::words(at, "One order takes one condition.", "Write two orders, each with its own."));
        }
        self.cond = Some(self.condition(start, stop, unless)?);
        self.at = stop;
        Ok(())
    }

    fn between_numbers(&self, i: usize) -> bool {
        let number = |i: usize| self.items.get(i).is_some_and(|item| matches!(item.lex, Lex::Number(_)));
        i > 0 && number(i - 1) && number(i + 1)
    }

    fn ends_condition(&self, i: usize) -> bool {
        let Some(item) = self.items.get(i) else { return true };
        match item.lex {
            Lex::Sign(Sign::Comma | Sign::Close | Sign::Semicolon) | Lex::Small(Small::But) => true,
            Lex::Small(Small::And | Small::Then) => self.clause_ahead(i + 1),
            _ => false,
        }
    }

    /// Where a condition that goes without saying ends, if the words ahead are one.
    fn meta(&self) -> Option<usize> {
        let first = self.items.get(self.at).filter(|_| self.at < self.end)?.first;
        let before = self.at.checked_sub(1).and_then(|i| self.items.get(i)).map_or(first, |item| item.last + 1);
        let mut last = before;
        let mut key = false;
        while let Some(word) = self.tokens.get(last).and_then(|token| token.word()).filter(|word| META.contains(word)) {
            key |= META_KEYS.contains(&word);
            last += 1;
        }
        let next =
            (self.at..self.end).find(|i| self.items.get(*i).is_some_and(|item| item.first >= last)).unwrap_or(self.end);
        let ahead = self.items.get(next).filter(|_| next < self.end);
        let over = match ahead.map(|item| &item.lex) {
            None => true,
            Some(Lex::Sign(_)) | Some(Lex::Small(Small::And | Small::Then | Small::But)) => true,
            Some(Lex::Verb(_)) => true,
            Some(Lex::Name(things, _)) => {
                things.iter().any(|thing| matches!(thing, Thing::Unit(_)))
                    && !matches!(
                        self.tokens.get(last.saturating_sub(1)).and_then(|t| t.word()),
                        Some("hold" | "have" | "at" | "in" | "on" | "to")
                    )
            }
            Some(_) => false,
        };
        (key && over).then_some(next)
    }

    /// Reads the words from the "if" at item `start` up to item `stop`.
    fn condition(&self, start: usize, stop: usize, unless: bool) -> Result<Cond, Fault> {
        let (first, last) = self.span_of(start, stop);
        let first = first + 1;
        let at = Some(self.range(start, stop));
        let unread = || {
            let help = "Conditions can be: if the enemy avoids battle at X, if the enemy is at X, if nobody is at X, if we win at X, \
                        if we hold X; for a retreat: if he loses half, after 2 rounds, if outnumbered two to one, if attacked.";
            let mut fault =
                Fault::words(at, "I cannot read this condition, and will not take the order without it.", help);
            fault.cites = vec![crate::rules::season::campaign::rule("R-003-89")];
            fault
        };
        let tokens = self.tokens.get(first..=last).unwrap_or(&[]);
        let words: Vec<&str> = tokens.iter().filter_map(|token| token.word()).collect();
        let items = self.items.get(start + 1..stop).unwrap_or(&[]);
        let mut places: Vec<PlaceRef> = Vec::new();
        let (mut friends, mut others) = (0, 0);
        let mut named = std::collections::BTreeSet::new();
        for item in items {
            if let Lex::Hex(hex) = item.lex {
                places.push(PlaceRef { hexes: vec![hex], at: (item.first, item.last) });
            }
            let hexes: Vec<_> = item.things().iter().filter_map(super::parse::place_of).collect();
            let own = item.things().iter().any(|t| matches!(t, Thing::Unit(id) if self.index.forces.contains_key(id)));
            let unit = item.things().iter().any(|t| matches!(t, Thing::Unit(_) | Thing::Seat(_)));
            if !item.things().is_empty() {
                named.extend(item.first..=item.last);
            }
            if own {
                friends += 1;
            } else if unit {
                others += 1;
            } else if !hexes.is_empty() {
                places.push(PlaceRef { hexes, at: (item.first, item.last) });
            }
        }
        if let Some(when) = retreat_words(tokens) {
            return if unless || !places.is_empty() || others > 0 { Err(unread()) } else { Ok(Cond::Retreat(when)) };
        }
        let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let known = |word: &str| [NEUTRAL, NOBODY, ENEMY, AVOID, WIN, HELD, WE].iter().any(|list| list.contains(&word));
        let loose = (first..=last)
            .filter(|i| !named.contains(i))
            .filter_map(|i| self.tokens.get(i)?.word())
            .any(|word| !known(word));
        let numbers = tokens.iter().any(|token| matches!(token.what, What::Number(_)));
        if loose || numbers || places.len() > 1 || items.iter().any(|item| item.is(Small::And) || item.is(Small::Or)) {
            return Err(unread());
        }
        let place = places.into_iter().next();
        let negated = has(NOBODY);
        let fights = items.iter().any(|item| matches!(item.lex, Lex::Verb(Verb::Fight | Verb::Attack)));
        if friends > 0 && others == 0 && fights && !negated && !unless && !has(WIN) && !has(AVOID) {
            return Ok(Cond::FriendsFight(place));
        }
        let kind = self.kind(&has, negated, friends, others).ok_or_else(unread)?;
        let kind = match (unless, kind) {
            (false, kind) => kind,
            (true, CondKind::Enemy) => CondKind::NoEnemy,
            (true, CondKind::NoEnemy) => CondKind::Enemy,
            (true, _) => return Err(unread()),
        };
        // Who the enemy is cannot be seen under the blocks; with one enemy only there is no doubt whom his name means.
        if matches!(kind, CondKind::Enemy | CondKind::NoEnemy) && others > 0 && !self.sure_of(items) {
            return Err(unread());
        }
        Ok(Cond::On(kind, place))
    }

    /// The tokens from item `start` up to item `stop`, those that are no items among them.
    fn span_of(&self, start: usize, stop: usize) -> (usize, usize) {
        let first = self.items.get(start).map_or(0, |item| item.first);
        let after = self.items.get(stop).map_or(self.tokens.len(), |item| item.first);
        (first, after.saturating_sub(1).max(first))
    }

    fn kind(&self, has: &impl Fn(&[&str]) -> bool, negated: bool, friends: usize, others: usize) -> Option<CondKind> {
        if has(AVOID) {
            return (!negated && friends == 0).then_some(CondKind::Avoids);
        }
        if has(WIN) {
            return (!negated && (others == 0 || has(&["beat", "beats", "defeat", "defeats"])))
                .then_some(CondKind::Win);
        }
        if has(HELD)
            && (has(WE) || friends > 0 || has(&["falls", "fallen", "taken", "captured", "fell"]))
            && others == 0
        {
            return (!negated).then_some(CondKind::Hold);
        }
        if friends > 0 {
            return None;
        }
        if negated {
            return Some(CondKind::NoEnemy);
        }
        (has(ENEMY) || others > 0).then_some(CondKind::Enemy)
    }

    /// Whether the enemy named is the only one there is: a seat, and no other seat at war with the reader's.
    fn sure_of(&self, items: &[super::item::Item]) -> bool {
        let view = self.index.view;
        let foes: Vec<_> = view.campaign.seats.iter().filter(|seat| view.at_war(self.index.seat, &seat.id)).collect();
        let seats: Vec<_> =
            items.iter().flat_map(|item| item.things()).filter(|thing| matches!(thing, Thing::Seat(_))).collect();
        let units = items.iter().flat_map(|item| item.things()).any(|thing| matches!(thing, Thing::Unit(_)));
        !units
            && foes.len() == 1
            && seats.iter().all(|seat| foes.iter().any(|foe| **seat == Thing::Seat(foe.id.clone())))
    }

    /// "if he loses half", "at 40 %", "after 2 rounds", "if outnumbered two to one", "if attacked": when to leave a battle.
    ///
    /// # Errors
    /// If a condition begins here and cannot be read.
    pub fn retreat_when(&mut self, movers: &mut Movers) -> Result<Option<RetreatWhen>, Fault> {
        let start = self.at;
        let Some(item) = self.peek() else { return Ok(None) };
        let leads = match &item.lex {
            Lex::Small(Small::If | Small::At | Small::On | Small::With | Small::Bends) => true,
            Lex::Unknown(word) => word == "upon",
            _ => false,
        };
        if !leads {
            return Ok(None);
        }
        let stop = (self.at + 1..self.end).find(|i| self.ends_condition(*i)).unwrap_or(self.end);
        // "retreats to Pernau if ..." and "retreats if ... to Pernau"
        let to = (self.at + 1..stop).find(|i| {
            self.items.get(*i).is_some_and(|item| item.is(Small::To)) && {
                let mut ahead = Parser { at: *i, cond: None, here: None, ..*self };
                ahead.eat(Small::To);
                ahead.place_at(0).is_some()
            }
        });
        let stop = to.unwrap_or(stop);
        let (first, last) = self.span_of(start, stop);
        let tokens = self.tokens.get(first..=last).unwrap_or(&[]);
        let mut read = retreat_words(tokens);
        if read.is_none() && movers.is_empty() {
            // "retreat if Dal loses half": the unit named is the one that retreats.
            let (named, rest) = self.without_own_unit(start, stop, (first, last));
            read = retreat_words(&rest).filter(|_| named.is_some());
            if read.is_some() {
                movers.named.extend(named);
            }
        }
        let Some(when) = read else {
            let conditional = item.is(Small::If) || item.is(Small::Bends);
            if !conditional {
                return Ok(None);
            }
            self.at = start;
            if item.is(Small::If) {
                return Ok(None);
            }
            let help = "A retreat can be ordered: if he loses half (a third, 40 %), after 2 rounds, if outnumbered two to one, if attacked.";
            let mut fault = Fault::words(Some((first, last)), "I cannot read when to retreat.", help);
            fault.cites = vec![crate::rules::season::campaign::rule("R-003-32")];
            return Err(fault);
        };
        self.at = stop;
        Ok(Some(when))
    }
}

impl Parser<'_, '_> {
    /// The one own unit named between two items, and the tokens without it.
    fn without_own_unit(
        &self,
        start: usize,
        stop: usize,
        (first, last): (usize, usize),
    ) -> (Option<UnitRef>, Vec<crate::orders::Token>) {
        let own = |item: &&super::item::Item| {
            item.things().iter().any(|t| matches!(t, Thing::Unit(id) if self.index.forces.contains_key(id)))
        };
        let named: Vec<&super::item::Item> = self.items.get(start..stop).unwrap_or(&[]).iter().filter(own).collect();
        let [item] = named.as_slice() else { return (None, Vec::new()) };
        let units = item
            .things()
            .iter()
            .filter_map(super::movers::unit_of)
            .filter(|id| self.index.forces.contains_key(id))
            .collect();
        let rest = (first..=last)
            .filter(|i| !(item.first..=item.last).contains(i))
            .filter_map(|i| self.tokens.get(i).cloned());
        (Some(UnitRef { units, with: false, stands: None, at: (item.first, item.last) }), rest.collect())
    }
}
