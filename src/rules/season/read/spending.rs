//! The purse: what is built, bought and called up.

use super::draft::{Amount, Draft, Fault, PlaceRef, Range};
use super::item::Lex;
use super::lexicon::{Small, Verb};
use super::parse::Parser;
use crate::orders::token::Sign;

type Drafts = Result<Option<Vec<Draft>>, Fault>;

impl Parser<'_, '_> {
    /// "build 2 infantry at Reval and cavalry at Narva".
    pub(super) fn build(&mut self) -> Drafts {
        let start = self.at;
        self.at += 1;
        self.eat_sign(Sign::Colon);
        let mut drafts = Vec::new();
        loop {
            let first = self.at;
            let count = self.number().unwrap_or(1);
            let Some(Lex::Kind(kind)) = self.peek().map(|item| item.lex.clone()) else {
                if drafts.is_empty() {
                    self.at = start;
                    return self.not_built();
                }
                self.at = first;
                break;
            };
            self.at += 1;
            while self.eat(Small::Brigades) {}
            let at = self.range(first, self.at);
            let place = self.where_built()?;
            let name = self.given_name();
            drafts.push(Draft::Build { count, kind, place, name, at });
            let joint = self.at;
            while self
                .peek()
                .is_some_and(|item| item.is(Small::And) || item.is_sign(Sign::Comma) || item.is_sign(Sign::Plus))
            {
                self.at += 1;
            }
            let number = usize::from(matches!(self.peek().map(|i| &i.lex), Some(Lex::Number(_))));
            if self.at == joint
                || !matches!(self.peek_at(number).map(|i| &i.lex), Some(Lex::Kind(_)))
                || self.verb().is_some()
            {
                self.at = joint;
                break;
            }
        }
        Ok(Some(spread_place(drafts)))
    }

    pub(super) fn not_built(&mut self) -> Drafts {
        // "form up", "raise ...": not about building after all; "build Infntry" is.
        let word = self.peek().map_or_else(String::new, |item| self.typed(item));
        if !word.starts_with("bui") && !word.starts_with("depl") && !word.starts_with("bld") {
            return Ok(None);
        }
        let at = self.peek_at(1).or(self.peek()).map(|item| (item.first, item.last));
        Err(Fault::words(
            at,
            "Which kind of brigade is to be built?",
            "Infantry, guards, cavalry, dragoons, ships, galleys or transports.",
        ))
    }

    pub(super) fn number(&mut self) -> Option<u32> {
        let Some(Lex::Number(n)) = self.peek().map(|item| &item.lex) else { return None };
        self.at += 1;
        // "2 x infantry"
        if matches!(self.peek().map(|item| &item.lex), Some(Lex::Unknown(word)) if word == "x") {
            self.at += 1;
        }
        Some(*n)
    }

    pub(super) fn where_built(&mut self) -> Result<Option<PlaceRef>, Fault> {
        let led = self.peek().is_some_and(|item| {
            matches!(item.lex, Lex::Small(Small::At | Small::In | Small::On | Small::To))
                || item.is_sign(Sign::At)
                || item.is_sign(Sign::Dash)
                || item.is_sign(Sign::Arrow)
        });
        if led {
            if self.place_at(1).is_none() && self.peek().is_some_and(|item| item.is_sign(Sign::Dash)) {
                return Ok(None);
            }
            self.at += 1;
            return self.place().map(Some);
        }
        if self.place_at(0).is_some() {
            return self.place().map(Some);
        }
        Ok(None)
    }

    /// `named "Ösel Foot"`, `called Neva Foot`.
    pub(super) fn given_name(&mut self) -> Option<Range> {
        if self.peek().is_some_and(|item| item.is_sign(Sign::Comma))
            && self.peek_at(1).is_some_and(|item| item.is(Small::Named))
        {
            self.at += 1;
        }
        if !self.peek().is_some_and(|item| item.is(Small::Named)) {
            return None;
        }
        self.at += 1;
        self.eat_sign(Sign::Colon);
        let quoted = self.eat_sign(Sign::Quote);
        let start = self.at;
        while let Some(item) = self.peek() {
            let over = if quoted {
                item.is_sign(Sign::Quote)
            } else {
                super::parse::is_joint(item) || matches!(item.lex, Lex::Small(Small::If | Small::At))
            };
            if over {
                break;
            }
            self.at += 1;
        }
        let (range, named) = (self.range(start, self.at), self.at > start);
        if quoted {
            self.eat_sign(Sign::Quote);
        }
        named.then_some(range)
    }

    /// "buy 2 inf + 1 transport".
    pub(super) fn buy(&mut self) -> Result<Vec<Draft>, Fault> {
        self.at += 1;
        self.eat_sign(Sign::Colon);
        let mut list = Vec::new();
        loop {
            let first = self.at;
            self.eat(Small::First);
            let as_many = self.eat(Small::As);
            if as_many && matches!(self.peek().map(|item| &item.lex), Some(Lex::Unknown(_))) {
                self.at += 1;
            }
            let amount = if as_many || self.eat(Small::Most) {
                Amount::Most
            } else {
                Amount::Number(self.number().unwrap_or(1))
            };
            let most = amount == Amount::Most || self.eat(Small::Most);
            self.eat(Small::Steps);
            self.eat(Small::Of);
            let Some(Lex::Kind(kind)) = self.peek().map(|item| item.lex.clone()) else {
                if list.is_empty() {
                    let at = self.peek().map(|item| (item.first, item.last));
                    return Err(Fault::words(
                        at,
                        "What is to be bought?",
                        "Infantry, guards, cavalry, dragoons, ships, galleys, transports or a baggage train.",
                    ));
                }
                self.at = first;
                break;
            };
            self.at += 1;
            let mut amount = amount;
            // "infantry 2"
            let behind = match self.peek().map(|item| &item.lex) {
                Some(Lex::Number(n))
                    if amount == Amount::Number(1) && self.peek_at(1).is_none_or(super::parse::is_joint) =>
                {
                    Some(*n)
                }
                _ => None,
            };
            if let Some(n) = behind {
                amount = Amount::Number(n);
                self.at += 1;
            }
            while self.eat(Small::Brigades) || self.eat(Small::Steps) {}
            if as_many && self.eat(Small::As) {
                while self
                    .peek()
                    .is_some_and(|item| matches!(item.lex, Lex::Unknown(_) | Lex::Small(Small::Bends | Small::He)))
                {
                    self.at += 1;
                }
            }
            let at = self.range(first, self.at);
            list.push((if most { Amount::Most } else { amount }, kind, at));
            if !self.another_kind() {
                break;
            }
        }
        Ok(vec![Draft::Buy(list)])
    }

    pub(super) fn another_kind(&mut self) -> bool {
        let joint = self.at;
        while self.peek().is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Small(Small::And | Small::Then | Small::With) | Lex::Sign(Sign::Comma | Sign::Plus | Sign::Slash)
            )
        }) {
            self.at += 1;
        }
        let mut offset = usize::from(self.peek().is_some_and(|item| item.is(Small::First)));
        let numbered = matches!(self.peek_at(offset).map(|i| &i.lex), Some(Lex::Number(_) | Lex::Small(Small::Most)));
        offset += usize::from(numbered);
        offset += usize::from(matches!(self.peek_at(offset).map(|i| &i.lex), Some(Lex::Unknown(word)) if word == "x"));
        offset += usize::from(self.peek_at(offset).is_some_and(|item| item.is(Small::Steps)));
        offset += usize::from(self.peek_at(offset).is_some_and(|item| item.is(Small::Of)));
        let kind = matches!(self.peek_at(offset).map(|i| &i.lex), Some(Lex::Kind(_)));
        // "buy 2 inf, cavalry at Riga to Wenden": the horse begins an order of its own.
        if (self.at == joint && !numbered)
            || !kind
            || (self.clause_ahead(self.at)
                && self.peek_at(offset + 1).is_some_and(|item| !super::parse::is_joint(item)))
        {
            self.at = joint;
            return false;
        }
        true
    }

    /// "2 infantry", "2 x infantry" behind a purchase: nothing is done with them but buying.
    pub(super) fn buys_on(&self) -> bool {
        let x = usize::from(matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Unknown(word)) if word == "x"));
        let kind = matches!(self.peek_at(1 + x).map(|i| &i.lex), Some(Lex::Kind(_)));
        kind && self.peek_at(2 + x).is_none_or(super::parse::is_joint)
    }

    /// "call up Oginski and the Polotsk levy": levies by name, each mustering in its own place.
    pub(super) fn levies_by_name(&mut self) -> Result<Option<Draft>, Fault> {
        let movers = self.movers(false)?;
        let mut places = Vec::new();
        for named in &movers.named {
            let feudal = named.units.iter().filter_map(|id| self.index.unit(*id)).find(|unit| unit.kind.is_feudal());
            let Some(unit) = feudal else { return Ok(None) };
            places.push(PlaceRef { hexes: vec![unit.at], at: named.at });
        }
        Ok((!places.is_empty()).then_some(Draft::Levy { call: true, places }))
    }

    pub(super) fn eat_levies(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|item| matches!(item.lex, Lex::Verb(Verb::Levies) | Lex::Small(Small::All))) {
            self.at += 1;
        }
        self.items.get(start..self.at).unwrap_or(&[]).iter().any(|item| matches!(item.lex, Lex::Verb(Verb::Levies)))
    }

    pub(super) fn levy(&mut self, mut call: bool) -> Result<Draft, Fault> {
        if self.eat(Small::No) {
            call = false;
        }
        if matches!(self.peek().map(|item| &item.lex), Some(Lex::Verb(Verb::Hold))) {
            self.at += 1;
            call = false;
        }
        self.eat(Small::There);
        let mut places = Vec::new();
        while self.peek().is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Small(Small::At | Small::In | Small::Of | Small::From | Small::And) | Lex::Sign(Sign::Comma)
            )
        }) && self.place_at(1).is_some()
            && (places.is_empty() || !self.clause_ahead(self.at + 1))
        {
            self.at += 1;
            places.push(self.place()?);
        }
        Ok(Draft::Levy { call, places })
    }
}

/// "build infantry and cavalry at Reval": the place named last serves all before it that name none.
fn spread_place(mut drafts: Vec<Draft>) -> Vec<Draft> {
    let mut known = None;
    for draft in drafts.iter_mut().rev() {
        if let Draft::Build { place, .. } = draft {
            match place {
                Some(place) => known = Some(place.clone()),
                None => *place = known.clone(),
            }
        }
    }
    drafts
}
