//! A block's items become clauses.
//!
//! A sentence is a sequence of clauses: somebody and what he does. A clause that cannot be read is a fault if it looks like an
//! order, and chat if it does not; the clauses beside it stand. Nothing that could change the sense of an order is passed over.

use super::draft::{Clause, Cond, Draft, Fault, MarchDraft, Movers, PlaceRef, Range};
use super::index::{Index, Thing};
use super::item::{Item, Lex};
use super::lexicon::{Small, Verb};
use crate::engine::HexId;
use crate::orders::token::{Sign, Token};

/// Reads one block.
pub(super) struct Parser<'a, 'i> {
    /// Names.
    pub index: &'i Index<'a>,
    /// The block's tokens.
    pub tokens: &'i [Token],
    /// Its items.
    pub items: &'i [Item],
    /// The next item.
    pub at: usize,
    /// Where the sentence ends.
    pub end: usize,
    /// The condition met while reading the clause.
    pub cond: Option<Cond>,
    /// The city of a siege was called "it".
    pub it: bool,
}

/// What came of a block.
#[derive(Default)]
pub(super) struct Parsed {
    /// Clauses in order.
    pub clauses: Vec<Clause>,
    /// Faults, each with the words it is about.
    pub faults: Vec<(Fault, Range)>,
}

impl<'a, 'i> Parser<'a, 'i> {
    /// A parser at the beginning of a block.
    pub fn new(index: &'i Index<'a>, tokens: &'i [Token], items: &'i [Item]) -> Self {
        Self { index, tokens, items, at: 0, end: items.len(), cond: None, it: false }
    }

    /// Reads all sentences.
    pub fn block(mut self) -> Parsed {
        let mut parsed = Parsed::default();
        let mut standing = false;
        let mut after_stop = false;
        let all = self.items.len();
        while self.at < all {
            self.end = (self.at..all).find(|i| self.ends_sentence(*i)).unwrap_or(all);
            let asked = self.items.get(self.end).is_some_and(|item| item.is_sign(Sign::Question));
            self.sentence(&mut parsed, &mut standing, after_stop, asked);
            after_stop = !parsed.clauses.is_empty();
            self.at = self.end + 1;
        }
        parsed
    }

    fn ends_sentence(&self, i: usize) -> bool {
        let Some(item) = self.items.get(i) else { return true };
        // "Gå På! at Narva" and "card 2! (no. 37)" go on.
        let card = i.checked_sub(1).and_then(|before| self.items.get(before)).is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Card(_))));
        let goes_on = self.items.get(i + 1).is_some_and(|next| {
            card && matches!(next.lex, Lex::Small(Small::At | Small::On | Small::With | Small::Against | Small::If | Small::In))
                || next.is_sign(Sign::Open)
        });
        item.is_sign(Sign::Question) || item.is_sign(Sign::Semicolon) || item.is_sign(Sign::Stop) && !goes_on
    }

    fn sentence(&mut self, parsed: &mut Parsed, standing: &mut bool, after_stop: bool, asked: bool) {
        let start = self.at;
        let mut here = Vec::new();
        let mut faults: Vec<(Fault, Range, bool)> = Vec::new();
        let mut loose: Vec<(Fault, Range)> = Vec::new();
        while self.at < self.end {
            self.skip_joints();
            let first = self.at;
            if first >= self.end {
                break;
            }
            match self.clause(standing, after_stop) {
                Ok(clauses) => {
                    // "..., so everyone avoid battle": what stood before "so" was the reason.
                    if self.was_so(first) {
                        faults.retain(|(_, _, reason)| !reason);
                    }
                    here.extend(clauses);
                }
                Err(fault) => {
                    self.recover(first);
                    let range = self.range(first, self.at);
                    if self.looks_like_an_order(first, self.at) {
                        faults.push((fault, range, self.may_be_a_reason(first, self.at)));
                    } else if self.names_own(first, self.at) {
                        loose.push((fault, range));
                    }
                }
            }
            if self.at == first {
                self.at += 1;
            }
        }
        // A unit named beside orders is no small talk; alone it is, unless it does something in small letters.
        let talk = here.is_empty() && faults.is_empty() && !(parsed.clauses.is_empty() && self.does_something(start, self.end));
        if !talk {
            faults.extend(loose.into_iter().map(|(fault, range)| (fault, range, false)));
        }
        if asked && !(here.is_empty() && faults.is_empty()) {
            let help = "Write it without the question mark if it is an order.";
            let fault = Fault::words(None, "A question is not taken as an order.", help);
            parsed.faults.push((fault, self.range(start, self.end)));
            return;
        }
        parsed.clauses.extend(here);
        parsed.faults.extend(faults.into_iter().map(|(fault, range, _)| (fault, range)));
    }

    fn was_so(&self, first: usize) -> bool {
        (0..first).rev().map_while(|i| self.items.get(i)).take_while(|i| is_joint(i)).any(|item| item.is(Small::So))
    }

    /// Tokens from item `from` up to, not including, item `to`.
    pub fn range(&self, from: usize, to: usize) -> Range {
        let first = self.items.get(from).map_or(0, |item| item.first);
        let last = to.checked_sub(1).and_then(|i| self.items.get(i.max(from))).map_or(first, |item| item.last);
        (first, last.max(first))
    }

    /// The item ahead.
    pub fn peek(&self) -> Option<&'i Item> {
        self.peek_at(0)
    }

    /// The item `offset` ahead, within the sentence.
    pub fn peek_at(&self, offset: usize) -> Option<&'i Item> {
        let at = self.at + offset;
        if at < self.end { self.items.get(at) } else { None }
    }

    /// Takes the next item if it is this small word.
    pub fn eat(&mut self, small: Small) -> bool {
        let is = self.peek().is_some_and(|item| item.is(small));
        self.at += usize::from(is);
        is
    }

    /// Takes the next item if it is this sign.
    pub fn eat_sign(&mut self, sign: Sign) -> bool {
        let is = self.peek().is_some_and(|item| item.is_sign(sign));
        self.at += usize::from(is);
        is
    }

    /// The verb ahead.
    pub fn verb(&self) -> Option<Verb> {
        match self.peek()?.lex {
            Lex::Verb(verb) => Some(verb),
            _ => None,
        }
    }

    /// Commas, "and", "then" between clauses.
    pub fn skip_joints(&mut self) {
        while self.peek().is_some_and(is_joint) {
            self.at += 1;
        }
    }

    /// The place named by the item `offset` ahead.
    pub fn place_at(&self, offset: usize) -> Option<PlaceRef> {
        let item = self.peek_at(offset)?;
        let at = (item.first, item.last);
        match &item.lex {
            Lex::Hex(hex) => Some(PlaceRef { hexes: vec![*hex], at }),
            Lex::Name(things, _) => {
                let hexes: Vec<HexId> = things.iter().filter_map(place_of).collect();
                (!hexes.is_empty()).then_some(PlaceRef { hexes, at })
            }
            _ => None,
        }
    }

    /// Takes a place, with the number that may stand behind it as a check: "the Luga woods (0702)".
    ///
    /// # Errors
    /// If there is none, or the number says otherwise.
    pub fn place(&mut self) -> Result<PlaceRef, Fault> {
        let Some(mut place) = self.place_at(0) else { return Err(self.no_place()) };
        self.at += 1;
        let opened = self.peek().is_some_and(|item| item.is_sign(Sign::Open));
        let offset = usize::from(opened);
        if let Some(Item { lex: Lex::Hex(hex), first, last, .. }) = self.peek_at(offset)
            && (!opened || self.peek_at(2).is_some_and(|item| item.is_sign(Sign::Close)))
        {
            if !place.hexes.contains(hex) {
                let named = place.hexes.first().map_or_else(String::new, |hex| self.index.place_name(*hex));
                let number = place.hexes.first().map_or_else(String::new, ToString::to_string);
                let message = format!("{named} is {number}, and {hex} is {}.", self.index.place_name(*hex));
                return Err(Fault::words(Some((*first, *last)), message, "Name one or the other."));
            }
            place.hexes = vec![*hex];
            self.at += if opened { 3 } else { 1 };
        }
        Ok(place)
    }

    /// What to say where a place should have stood.
    pub fn no_place(&self) -> Fault {
        let Some(item) = self.peek() else {
            let last = self.end.checked_sub(1).and_then(|i| self.items.get(i)).map(|item| (item.first, item.last));
            return Fault::words(last, "The order breaks off where a place should be named.", "");
        };
        let at = Some((item.first, item.last));
        match &item.lex {
            Lex::NoHex(hex) => Fault::words(at, format!("There is no hex {hex} on this board."), ""),
            Lex::Unknown(word) => {
                let near = self.index.near(word).into_iter().filter(|thing| matches!(thing, Thing::Place(_)));
                Fault::words(at, format!("\"{}\" is no place on this board.", self.typed(item)), did_you_mean(near.map(|t| self.index.name(&t))))
            }
            Lex::Name(things, _) => {
                let name = things.first().map_or_else(String::new, |thing| self.index.name(thing));
                Fault::words(at, format!("{name} is not a place."), "Name a city, a village or a hex number.")
            }
            _ => Fault::words(at, format!("\"{}\" stands where a place should be named.", self.typed(item)), ""),
        }
    }

    /// An item's words, folded: good enough to quote one of them.
    pub fn typed(&self, item: &Item) -> String {
        let words = self.tokens.get(item.first..=item.last).into_iter().flatten().filter_map(Token::word);
        words.collect::<Vec<_>>().join(" ")
    }

    /// Moves to where the next clause can begin after a fault at `first`.
    fn recover(&mut self, first: usize) {
        self.at = self.at.max(first + 1);
        while self.at < self.end {
            let joint = self.items.get(self.at).is_some_and(is_joint);
            if joint && (self.clause_ahead(self.at + 1) && !self.leans(self.at + 1) || self.items.get(self.at).is_some_and(|i| i.is(Small::So))) {
                return;
            }
            self.at += 1;
        }
    }

    /// Whether a clause leans on the one before it: "and besiege it", "and give battle".
    fn leans(&self, at: usize) -> bool {
        let next = (at..self.end).filter_map(|i| self.items.get(i)).find(|item| !is_joint(item));
        let and = self.items.get(at.saturating_sub(1)).is_some_and(|item| item.is(Small::And) || item.is(Small::Then));
        next.is_some_and(|item| matches!(item.lex, Lex::Verb(Verb::Besiege | Verb::Storm | Verb::Fight | Verb::Avoid | Verb::Retreat | Verb::FallBack | Verb::ToTheLast | Verb::GoOn | Verb::Attack | Verb::Capture) | Lex::Small(Small::He)))
            && (and || !(at..self.end).filter_map(|i| self.items.get(i)).take(4).any(|item| item.things().iter().any(|t| place_of(t).is_some())))
    }

    /// Whether a clause begins at an item: somebody and what he does, or an imperative.
    pub fn clause_ahead(&self, at: usize) -> bool {
        let mut ahead = Parser { at, cond: None, ..*self };
        ahead.skip_joints();
        let start = ahead.at;
        match ahead.peek().map(|item| &item.lex) {
            Some(Lex::Verb(_)) | Some(Lex::Small(Small::If | Small::Unless)) => return true,
            Some(Lex::Name(things, _)) if things.iter().any(|thing| matches!(thing, Thing::Card(_))) => return true,
            _ => {}
        }
        match ahead.movers(true) {
            Ok(movers) if ahead.at > start && !movers.is_empty() => ahead.predicate_ahead(),
            _ => matches!(ahead.peek().map(|item| &item.lex), Some(Lex::Small(Small::Highest | Small::Lowest | Small::Any))),
        }
    }

    /// Whether what somebody does comes next.
    pub fn predicate_ahead(&self) -> bool {
        match self.peek().map(|item| &item.lex) {
            Some(Lex::Verb(Verb::Forced)) => true,
            Some(Lex::Verb(verb)) => *verb != Verb::Levies && *verb != Verb::Event,
            Some(Lex::Small(Small::To | Small::From | Small::Via | Small::River | Small::Not | Small::Outside)) => true,
            Some(Lex::Small(Small::Alone)) => true,
            Some(Lex::Sign(Sign::Arrow | Sign::Colon | Sign::Dash)) => true,
            Some(Lex::Small(Small::Against)) => true,
            Some(Lex::Name(..) | Lex::Hex(_)) => self.place_at(0).is_some() && {
                let next = self.peek_at(1).map(|item| &item.lex);
                matches!(next, Some(Lex::Sign(Sign::Arrow | Sign::Dash) | Lex::Small(Small::To)))
            },
            _ => false,
        }
    }

    /// Whether words that could not be read are an order gone wrong rather than talk.
    fn looks_like_an_order(&self, from: usize, to: usize) -> bool {
        let items = self.items.get(from..to).unwrap_or(&[]);
        let own = |thing: &Thing| match thing {
            Thing::Unit(id) => self.index.forces.contains_key(id) || self.index.setup(*id).is_some_and(|unit| unit.seat == *self.index.seat),
            _ => false,
        };
        let unit = items.iter().any(|item| item.things().iter().any(own));
        let any_unit = items.first().is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_))));
        let leads = items.iter().any(|item| item.is(Small::To) || item.is(Small::From) || item.is_sign(Sign::Arrow));
        let denies = items.first().is_some_and(|item| item.is(Small::Not));
        let place = items.iter().any(|item| item.things().iter().any(|t| place_of(t).is_some()) || matches!(item.lex, Lex::Hex(_)));
        let card = items.iter().any(|item| item.things().iter().any(|thing| matches!(thing, Thing::Card(_))));
        let seat = items.iter().any(|item| item.things().iter().any(|thing| matches!(thing, Thing::Seat(_))));
        let kind = items.iter().any(|item| matches!(item.lex, Lex::Kind(_)));
        let arrow = items.iter().any(|item| item.is_sign(Sign::Arrow));
        let verbs: Vec<Verb> = items.iter().filter_map(|item| if let Lex::Verb(v) = item.lex { Some(v) } else { None }).collect();
        let strong = verbs.iter().any(|verb| is_strong(*verb));
        let weak = !verbs.is_empty();
        let courts = verbs.iter().any(|verb| matches!(verb, Verb::Peace | Verb::Passage | Verb::Let | Verb::War));
        let goes = items.iter().any(|item| item.is(Small::To) || item.is_sign(Sign::Arrow));
        let counted = items.windows(2).any(|pair| matches!(pair, [a, b] if matches!((&a.lex, &b.lex), (Lex::Number(_), Lex::Kind(_)))));
        let numbered = verbs.contains(&Verb::Withdraw) && items.iter().any(|item| matches!(item.lex, Lex::Number(_)));
        let known = unit || place || card || kind || seat;
        let starts = items.first().is_some_and(|item| matches!(item.lex, Lex::Verb(_)));
        numbered || (any_unit && leads) || (unit && denies) || card || (strong && (known || starts)) || (unit && (place || strong)) || (courts && seat) || (goes && place) || (weak && (place || kind) && (starts || unit || leads || seat)) || counted || (arrow && known)
    }

    fn names_own(&self, from: usize, to: usize) -> bool {
        let items = self.items.get(from..to).unwrap_or(&[]);
        let named = |thing: &Thing| match thing {
            Thing::Unit(id) => self.index.forces.contains_key(id),
            Thing::Place(_) => true,
            _ => false,
        };
        items.first().is_some_and(|item| item.things().iter().any(named) || matches!(item.lex, Lex::Hex(_) | Lex::Kind(_)))
    }

    /// "Lubomirski dances": a unit of his own and a word in small letters behind it.
    fn does_something(&self, from: usize, to: usize) -> bool {
        let (first, last) = self.range(from, to);
        let small = |i: usize| self.tokens.get(i).is_some_and(|token| token.word().is_some() && !token.capital);
        self.names_own(from, to) && to > from + 1 && (first + 1..=last).any(small)
    }

    /// Whether words that could not be read may have been the reason for what follows: no own unit begins them, no place is named.
    fn may_be_a_reason(&self, from: usize, to: usize) -> bool {
        let items = self.items.get(from..to).unwrap_or(&[]);
        let begins = items.first().is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_))));
        let place = items.iter().any(|item| item.things().iter().any(|t| place_of(t).is_some()) || matches!(item.lex, Lex::Hex(_)));
        !begins && !place
    }

    /// The words behind a clause up to the next: reasons and politeness are passed over; what bends its sense is a fault.
    ///
    /// # Errors
    /// If the words could change what the clause means.
    pub fn trailing(&mut self) -> Result<(), Fault> {
        while let Some(item) = self.peek() {
            match &item.lex {
                Lex::Small(Small::Because) => {
                    while self.peek().is_some_and(|item| !item.is_sign(Sign::Comma) && !item.is(Small::But)) {
                        self.at += 1;
                    }
                }
                Lex::Small(Small::If | Small::Unless) => self.condition_behind()?,
                Lex::Sign(Sign::Open) => self.remark()?,
                Lex::Unknown(_) | Lex::Sign(Sign::Quote | Sign::Other | Sign::Close) => self.at += 1,
                Lex::Sign(Sign::Comma | Sign::Dash | Sign::Plus) | Lex::Small(Small::But | Small::And | Small::Then) => {
                    let bends = |item: &Item| matches!(item.lex, Lex::Small(Small::Bends | Small::Not | Small::Or | Small::Except));
                    let next = self.peek_at(1);
                    if next.is_some_and(|next| matches!(next.lex, Lex::Small(Small::If | Small::Unless))) {
                        if self.condition_belongs_behind(item)? {
                            self.at += 1;
                            continue;
                        }
                        return Ok(());
                    }
                    if next.is_some_and(bends) {
                        self.at += 1;
                        continue;
                    }
                    return self.nothing_dangles();
                }
                Lex::Small(Small::So) => return Ok(()),
                _ => {
                    let message = format!("I cannot make out what \"{}\" adds to the order.", self.typed(item));
                    let help = "The order is not taken without it. Write it again in plain words, conditions with \"if\".";
                    return Err(Fault::words(Some((item.first, item.last)), message, help));
                }
            }
        }
        Ok(())
    }

    /// A place, a kind or a number behind the joint ahead that begins no clause belongs to the order somehow: "to Riga and
    /// Wolmar".
    ///
    /// # Errors
    /// If there is one.
    fn nothing_dangles(&self) -> Result<(), Fault> {
        if self.clause_ahead(self.at) {
            return Ok(());
        }
        let next = (self.at..self.end).filter_map(|i| self.items.get(i)).find(|item| !is_joint(item));
        let comma = self.peek().is_some_and(|item| item.is_sign(Sign::Comma) || item.is_sign(Sign::Dash));
        let dangles = next.filter(|item| match &item.lex {
            Lex::Name(things, _) => things.iter().any(|thing| place_of(thing).is_some() || !comma && matches!(thing, Thing::Unit(_))),
            Lex::Hex(_) | Lex::NoHex(_) | Lex::Number(_) | Lex::Kind(_) => true,
            _ => false,
        });
        let Some(item) = dangles else { return Ok(()) };
        let message = format!("I cannot make out what \"{}\" has to do with the order.", self.typed(item));
        Err(Fault::words(Some((item.first, item.last)), message, "Goals one after the other are joined with \"then\" or an arrow."))
    }

    /// Whether the "if" behind the joint ahead belongs to the order before it, and not to what follows: "..., if we win, go on
    /// to 0306".
    ///
    /// # Errors
    /// If it could belong to either.
    fn condition_belongs_behind(&self, joint: &Item) -> Result<bool, Fault> {
        let mut ahead = Parser { at: self.at + 1, cond: None, ..*self };
        let read = ahead.condition_in_front();
        if read.is_err() || ahead.at >= ahead.end || !ahead.clause_ahead(ahead.at) {
            return Ok(true);
        }
        let goes_on = matches!(ahead.verb(), Some(Verb::GoOn | Verb::Retreat | Verb::FallBack | Verb::March));
        if !joint.is_sign(Sign::Comma) || goes_on {
            return Ok(false);
        }
        if ahead.cond == Some(Cond::Meta) {
            return Ok(true);
        }
        let message = "The condition could belong to the order before it or to the one behind it.";
        Err(Fault::words(Some(self.range(self.at + 1, ahead.at)), message, "Write the two orders on lines of their own."))
    }

    /// Words in brackets behind an order are a remark, unless they are a condition or an order themselves.
    ///
    /// # Errors
    /// If there is an order in the brackets.
    pub fn remark(&mut self) -> Result<(), Fault> {
        let open = self.at;
        let close = (open..self.end).find(|i| self.items.get(*i).is_some_and(|item| item.is_sign(Sign::Close))).unwrap_or(self.end);
        if self.peek_at(1).is_some_and(|item| matches!(item.lex, Lex::Small(Small::If | Small::Unless))) {
            self.at += 1;
            self.condition_behind()?;
            self.at = (close + 1).min(self.end);
            return Ok(());
        }
        let inner = self.items.get(open + 1..close).unwrap_or(&[]);
        if inner.iter().any(|item| matches!(item.lex, Lex::Verb(v) if is_strong(v))) && self.looks_like_an_order(open + 1, close) {
            let message = "Words in brackets are a remark, and these look like an order.";
            return Err(Fault::words(Some(self.range(open, close + 1)), message, "Write it on a line of its own."));
        }
        self.at = (close + 1).min(self.end);
        Ok(())
    }

    /// Reads one clause; more than one if a list of things was bought or built.
    fn clause(&mut self, standing: &mut bool, after_stop: bool) -> Result<Vec<Clause>, Fault> {
        let first = self.at;
        self.cond = None;
        if self.verb() == Some(Verb::Standing) {
            *standing = true;
            self.at += 1;
            self.eat_sign(Sign::Colon);
            self.skip_joints();
        }
        if self.peek().is_some_and(|item| matches!(item.lex, Lex::Small(Small::If | Small::Unless))) {
            self.condition_in_front()?;
        }
        self.preamble();
        let drafts = self.drafts()?;
        if self.verb() == Some(Verb::Standing) {
            *standing = true;
            self.at += 1;
        }
        self.trailing()?;
        let at = self.range(first, self.at);
        let cond = self.cond.take();
        let make = |draft| Clause { draft, cond: cond.clone(), standing: *standing, at, after_stop };
        Ok(drafts.into_iter().map(make).collect())
    }

    /// "we are only packing our bags, so please use ...": talk that leads up to an order.
    fn preamble(&mut self) {
        let names = |item: &Item| !item.things().is_empty() || matches!(item.lex, Lex::Verb(_) | Lex::Hex(_) | Lex::Small(Small::Not | Small::Bends));
        let so = (self.at..self.end).find(|i| self.items.get(*i).is_some_and(|item| item.is(Small::So)));
        if let Some(so) = so
            && !self.items.get(self.at..so).unwrap_or(&[]).iter().any(names)
        {
            self.at = so + 1;
        }
        self.skip_joints();
    }

    fn drafts(&mut self) -> Result<Vec<Draft>, Fault> {
        let start = self.at;
        if let Some(drafts) = self.imperative()? {
            return Ok(drafts);
        }
        self.at = start;
        let mut movers = self.movers(true)?;
        movers.at = (self.at > start).then(|| self.range(start, self.at));
        if movers.is_empty() && self.at == start {
            return self.subjectless();
        }
        self.eat_sign(Sign::Colon);
        self.eat_sign(Sign::Comma);
        self.predicate(movers)
    }

    /// What somebody does.
    pub fn predicate(&mut self, movers: Movers) -> Result<Vec<Draft>, Fault> {
        if self.eat(Small::Not) {
            return self.negated(movers);
        }
        let one = |draft: Result<Draft, Fault>| draft.map(|draft| vec![draft]);
        match self.verb() {
            Some(Verb::March | Verb::Take) => {
                let verb = self.verb();
                self.at += 1;
                if verb == Some(Verb::Take) && self.takes_a_place() {
                    return one(self.siege(movers, Verb::Capture));
                }
                one(self.march(movers, verb == Some(Verb::Take)))
            }
            Some(Verb::Forced | Verb::Sail) => one(self.march(movers, false)),
            Some(verb @ (Verb::Besiege | Verb::Storm | Verb::Capture | Verb::Attack | Verb::Raise | Verb::Sortie | Verb::JoinRelief | Verb::Relieve)) => {
                self.at += 1;
                one(self.siege(movers, verb))
            }
            Some(Verb::Fight | Verb::Avoid) => one(self.intent(movers)),
            Some(Verb::Retreat | Verb::FallBack | Verb::ToTheLast) => one(self.retreat(movers)),
            Some(Verb::Hold) => one(self.hold(movers)),
            Some(Verb::HitsFirst) => {
                self.at += 1;
                Ok(vec![Draft::HitsFirst(movers)])
            }
            Some(Verb::FeedFirst) => {
                self.at += 1;
                Ok(vec![Draft::FeedFirst(movers)])
            }
            Some(Verb::GoOn) => {
                self.at += 1;
                one(self.go_on(movers))
            }
            Some(Verb::Naval) => one(self.naval()),
            // "Polotsk Garrison guards Polotsk"
            None if matches!(self.peek().map(|item| &item.lex), Some(Lex::Kind(crate::rules::season::campaign::Kind::Guards))) && self.place_at(1).is_some() => one(self.hold(movers)),
            Some(_) => Err(self.not_for_units()),
            None => one(self.march(movers, false)),
        }
    }

    fn not_for_units(&self) -> Fault {
        let at = self.peek().map(|item| (item.first, item.last));
        let word = self.peek().map_or_else(String::new, |item| self.typed(item));
        Fault::words(at, format!("\"{word}\" is not something that these units can do."), "")
    }

    fn takes_a_place(&self) -> bool {
        let unit = self.peek().is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_))));
        let garrison = self.peek_at(1).is_some_and(|item| item.is(Small::Garrison));
        let goes = self.peek_at(1).is_some_and(|item| item.is(Small::To) || item.is_sign(Sign::Arrow));
        self.place_at(0).is_some() && !unit && !garrison && !goes
    }

    /// Settles the ends of lines: commas where a clause begins behind them, else nothing.
    pub fn unbroken(index: &'i Index<'a>, tokens: &'i [Token], mut items: Vec<Item>) -> Vec<Item> {
        for at in (0..items.len()).rev() {
            if !items.get(at).is_some_and(|item| item.is_sign(Sign::Break)) {
                continue;
            }
            let begins = {
                let parser = Parser::new(index, tokens, &items);
                let end = (at..items.len()).find(|i| parser.ends_sentence(*i)).unwrap_or(items.len());
                Parser { end, ..parser }.clause_ahead(at + 1)
            };
            match items.get_mut(at) {
                Some(item) if begins => item.lex = Lex::Sign(Sign::Comma),
                _ => drop(items.remove(at)),
            }
        }
        items
    }

    fn negated(&mut self, movers: Movers) -> Result<Vec<Draft>, Fault> {
        let verb = self.verb();
        match verb {
            Some(Verb::March | Verb::Forced) if self.peek_at(1).is_none_or(|next| is_joint(next) || matches!(next.lex, Lex::Unknown(_))) => {
                self.at += 1;
                Ok(vec![Draft::Hold { movers, place: None }])
            }
            // "don't move Loewenhaupt"
            Some(Verb::March) if movers.is_empty() => {
                self.at += 1;
                let start = self.at;
                let movers = self.movers(false)?;
                if movers.is_empty() || self.peek().is_some_and(|item| !is_joint(item)) {
                    let at = Some(self.range(start, self.at + 1));
                    return Err(Fault::words(at, "What is not to be done is no order.", "Say what is to be done instead."));
                }
                Ok(vec![Draft::Hold { movers, place: None }])
            }
            Some(Verb::Retreat | Verb::FallBack) => {
                self.at += 1;
                let when = Some(crate::rules::season::order::RetreatWhen::Never);
                Ok(vec![Draft::Retreat { movers, when, to: None, maybe_march: false }])
            }
            Some(Verb::Fight | Verb::Attack) => {
                self.at += 1;
                let place = self.at_place()?;
                Ok(vec![Draft::Intent { movers, place, give: false, foe: None }])
            }
            Some(Verb::Avoid) => {
                self.at += 1;
                let place = self.at_place()?;
                Ok(vec![Draft::Intent { movers, place, give: true, foe: None }])
            }
            _ => {
                let at = self.at.checked_sub(1).map(|i| self.range(i, self.at + 1));
                Err(Fault::words(at, "What is not to be done is no order.", "Say what is to be done instead."))
            }
        }
    }

    /// "at Riga", "there".
    pub fn at_place(&mut self) -> Result<Option<PlaceRef>, Fault> {
        self.eat(Small::There);
        let led = self.peek().is_some_and(|item| matches!(item.lex, Lex::Small(Small::At | Small::In | Small::On)));
        if led && self.place_at(1).is_some() {
            self.at += 1;
            return self.place().map(Some);
        }
        Ok(None)
    }

    /// A march draft for these movers, the reader standing behind the verb.
    pub fn new_march(&self, movers: Movers) -> MarchDraft {
        MarchDraft { movers, ..MarchDraft::default() }
    }
}

/// Whether an item only joins clauses.
pub(super) fn is_joint(item: &Item) -> bool {
    matches!(
        item.lex,
        Lex::Sign(Sign::Comma | Sign::Dash | Sign::Plus | Sign::Quote | Sign::Other | Sign::Close | Sign::Slash | Sign::Equals | Sign::Stop | Sign::Colon)
            | Lex::Small(Small::And | Small::But | Small::Then | Small::So)
    )
}

/// Verbs that nobody uses in small talk.
fn is_strong(verb: Verb) -> bool {
    !matches!(
        verb,
        Verb::March | Verb::Take | Verb::Hold | Verb::Fight | Verb::Let | Verb::Play | Verb::GoOn | Verb::Event | Verb::Pass | Verb::Peace | Verb::CallUp
    )
}

/// The hex that a thing is.
pub(super) fn place_of(thing: &Thing) -> Option<HexId> {
    match thing {
        Thing::Place(hex) => Some(*hex),
        _ => None,
    }
}

/// "Did you mean Riga or Reval?"
pub(super) fn did_you_mean(names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    if names.is_empty() { String::new() } else { format!("Did you mean {}?", names.join(" or ")) }
}
