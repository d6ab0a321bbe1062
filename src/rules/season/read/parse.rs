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
    /// "Mitau: ...", "At Mitau, ...": where the sentence's units stand.
    pub here: Option<PlaceRef>,
    /// The block has bought something: "2 infantry; 1 cavalry" goes on with it.
    pub buying: bool,
}

/// What came of a block.
#[derive(Default)]
pub(super) struct Parsed {
    /// Clauses in order.
    pub clauses: Vec<Clause>,
    /// Faults, each with the words it is about.
    pub faults: Vec<(Fault, Range)>,
    /// Sentences that name a unit and say nothing that could be read: faults if the block holds nothing else.
    loose: Vec<(Fault, Range)>,
}

impl<'a, 'i> Parser<'a, 'i> {
    /// A parser at the beginning of a block.
    pub fn new(index: &'i Index<'a>, tokens: &'i [Token], items: &'i [Item]) -> Self {
        Self { index, tokens, items, at: 0, end: items.len(), cond: None, it: false, here: None, buying: false }
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
        if parsed.clauses.is_empty() && parsed.faults.is_empty() {
            parsed.faults.append(&mut parsed.loose);
        }
        parsed
    }

    pub(super) fn ends_sentence(&self, i: usize) -> bool {
        let Some(item) = self.items.get(i) else { return true };
        // "Gå På! at Narva" and "card 2! (no. 37)" go on.
        let card = i
            .checked_sub(1)
            .and_then(|before| self.items.get(before))
            .is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Card(_))));
        let goes_on = self.items.get(i + 1).is_some_and(|next| {
            card && matches!(
                next.lex,
                Lex::Small(Small::At | Small::On | Small::With | Small::Against | Small::If | Small::In)
            ) || next.is_sign(Sign::Open)
        });
        item.is_sign(Sign::Question) || item.is_sign(Sign::Semicolon) || item.is_sign(Sign::Stop) && !goes_on
    }

    fn sentence(&mut self, parsed: &mut Parsed, standing: &mut bool, after_stop: bool, asked: bool) {
        let start = self.at;
        self.here = None;
        let mut here = Vec::new();
        let mut faults: Vec<(Fault, Range, bool)> = Vec::new();
        let mut loose: Vec<(Fault, Range)> = Vec::new();
        while self.at < self.end {
            self.skip_joints();
            let first = self.at;
            if first >= self.end {
                break;
            }
            match self.clause(standing, after_stop && here.is_empty()) {
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
        // A unit named beside orders is no small talk; in a sentence of its own it is, if the block holds orders.
        if !(here.is_empty() && faults.is_empty()) {
            faults.extend(loose.into_iter().map(|(fault, range)| (fault, range, false)));
        } else if self.does_something(start, self.end) {
            parsed.loose.extend(loose);
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
                Fault::words(
                    at,
                    format!("{} is no place on this board.", self.quoted(item)),
                    did_you_mean(near.map(|t| self.index.name(&t))),
                )
            }
            Lex::Name(things, _) => {
                let name = things.first().map_or_else(String::new, |thing| self.index.name(thing));
                Fault::words(at, format!("{name} is not a place."), "Name a city, a village or a hex number.")
            }
            _ => Fault::words(at, format!("{} stands where a place should be named.", self.quoted(item)), ""),
        }
    }

    /// An item's words in quotation marks; a sign alone is "this".
    pub fn quoted(&self, item: &Item) -> String {
        let words = self.typed(item);
        if words.is_empty() { "this".to_owned() } else { format!("\"{words}\"") }
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
            if joint
                && (self.clause_ahead(self.at + 1) && !self.leans(self.at + 1)
                    || self.items.get(self.at).is_some_and(|i| i.is(Small::So)))
            {
                return;
            }
            self.at += 1;
        }
    }

    /// Whether a clause begins at an item: somebody and what he does, or an imperative.
    pub fn clause_ahead(&self, at: usize) -> bool {
        let mut ahead = Parser { at, cond: None, here: None, ..*self };
        ahead.skip_joints();
        let start = ahead.at;
        match ahead.peek().map(|item| &item.lex) {
            Some(Lex::Verb(_)) | Some(Lex::Small(Small::If | Small::Unless)) => return true,
            Some(Lex::Name(things, _)) if things.iter().any(|thing| matches!(thing, Thing::Card(_))) => return true,
            _ => {}
        }
        match ahead.movers(true) {
            Ok(movers) if ahead.at > start && !movers.is_empty() => ahead.predicate_ahead(),
            _ => matches!(
                ahead.peek().map(|item| &item.lex),
                Some(Lex::Small(Small::Highest | Small::Lowest | Small::Any))
            ),
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
            Some(Lex::Name(..) | Lex::Hex(_)) => {
                self.place_at(0).is_some() && {
                    let next = self.peek_at(1).map(|item| &item.lex);
                    matches!(next, Some(Lex::Sign(Sign::Arrow | Sign::Dash) | Lex::Small(Small::To)))
                }
            }
            _ => false,
        }
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
        self.label()?;
        let mut drafts = self.drafts()?;
        for draft in &mut drafts {
            if let Draft::March(march) = draft
                && march.from.is_none()
            {
                march.from.clone_from(&self.here);
            }
        }
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
        let names = |item: &Item| {
            !item.things().is_empty()
                || matches!(item.lex, Lex::Verb(_) | Lex::Hex(_) | Lex::Small(Small::Not | Small::Bends))
        };
        let so = (self.at..self.end).find(|i| self.items.get(*i).is_some_and(|item| item.is(Small::So)));
        if let Some(so) = so
            && !self.items.get(self.at..so).unwrap_or(&[]).iter().any(names)
        {
            self.at = so + 1;
        }
        self.skip_joints();
    }

    /// "Mitau: Flemming to Riga", "At Mitau, Flemming stays": where the units of the sentence stand.
    fn label(&mut self) -> Result<(), Fault> {
        let led = usize::from(
            self.peek().is_some_and(|item| matches!(item.lex, Lex::Small(Small::At | Small::From | Small::In))),
        );
        let parted = self
            .peek_at(led + 1)
            .is_some_and(|item| item.is_sign(Sign::Colon) || led == 1 && item.is_sign(Sign::Comma));
        if self.place_at(led).is_none() || !parted || !self.clause_ahead(self.at + led + 2) {
            return Ok(());
        }
        if led == 0 && self.peek_at(2).is_some_and(|item| matches!(item.lex, Lex::Verb(_))) {
            // "Narva: hold": the place is the subject.
            return Ok(());
        }
        self.at += led;
        self.here = Some(self.place()?);
        self.at += 1;
        Ok(())
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
            Some(Verb::March | Verb::Take) if movers.nobody => {
                self.at += 1;
                let everyone = Movers { everyone: true, ..Movers::default() };
                Ok(vec![Draft::Hold { movers: everyone, place: None }])
            }
            Some(Verb::March | Verb::Take) => {
                let verb = self.verb();
                self.at += 1;
                if verb == Some(Verb::Take) && self.takes_a_place() {
                    return one(self.siege(movers, Verb::Capture));
                }
                one(self.march(movers, verb == Some(Verb::Take)))
            }
            Some(Verb::Forced | Verb::Sail) => one(self.march(movers, false)),
            Some(
                verb @ (Verb::Besiege
                | Verb::Storm
                | Verb::Capture
                | Verb::Attack
                | Verb::Raise
                | Verb::Sortie
                | Verb::JoinRelief
                | Verb::Relieve),
            ) => {
                self.at += 1;
                one(self.siege(movers, verb))
            }
            Some(Verb::Fight | Verb::Avoid) => self.intents(movers),
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
            None if matches!(
                self.peek().map(|item| &item.lex),
                Some(Lex::Kind(crate::rules::season::campaign::Kind::Guards))
            ) && self.place_at(1).is_some() =>
            {
                one(self.hold(movers))
            }
            Some(_) => Err(self.not_for_units()),
            None => one(self.march(movers, false)),
        }
    }

    fn not_for_units(&self) -> Fault {
        let at = self.peek().map(|item| (item.first, item.last));
        let word = self.peek().map_or_else(String::new, |item| self.quoted(item));
        Fault::words(at, format!("{word} is not something that these units can do."), "")
    }

    fn takes_a_place(&self) -> bool {
        let unit = self.peek().is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_))));
        let garrison = self.peek_at(1).is_some_and(|item| item.is(Small::Garrison));
        let goes = self.peek_at(1).is_some_and(|item| item.is(Small::To) || item.is_sign(Sign::Arrow));
        self.place_at(0).is_some() && !unit && !garrison && !goes
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
        Lex::Sign(
            Sign::Comma
                | Sign::Dash
                | Sign::Plus
                | Sign::Quote
                | Sign::Other
                | Sign::Close
                | Sign::Slash
                | Sign::Equals
                | Sign::Stop
                | Sign::Colon
        ) | Lex::Small(Small::And | Small::But | Small::Then | Small::So)
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
