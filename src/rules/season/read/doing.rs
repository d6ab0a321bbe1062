//! What units do besides marching: fight or not, hold, retreat; and what fleets do.

use super::draft::{Draft, Fault, Movers};
use super::index::Thing;
use super::item::Lex;
use super::lexicon::{Small, Verb};
use super::parse::{Parser, is_joint};
use crate::orders::token::Sign;
use crate::rules::season::order::RetreatWhen;

impl Parser<'_, '_> {
    /// "all avoid battle but Flemming": the others do the opposite.
    pub(super) fn intents(&mut self, movers: Movers) -> Result<Vec<Draft>, Fault> {
        let general = self.intent(movers)?;
        let start = self.at;
        let excepts = self.peek().is_some_and(|item| item.is(Small::But) || item.is(Small::Except));
        let (Draft::Intent { give, place, foe: None, .. }, true) = (&general, excepts) else {
            return Ok(vec![general]);
        };
        let (give, place) = (*give, place.clone());
        self.at += 1;
        let movers = self.movers(true)?;
        if movers.is_empty() || self.peek().is_some_and(|item| !super::parse::is_joint(item)) {
            self.at = start;
            return Ok(vec![general]);
        }
        let particular = Draft::Intent { movers, place: place.clone(), give: !give, foe: None };
        Ok(vec![general, particular])
    }

    /// "gives battle there", "avoid battle with Charles".
    pub(super) fn intent(&mut self, mut movers: Movers) -> Result<Draft, Fault> {
        let give = self.verb() == Some(Verb::Fight);
        self.at += 1;
        let mut place = self.at_place()?;
        // "no battle for Flemming"
        if movers.is_empty() && self.peek().is_some_and(|item| item.is(Small::For)) {
            self.at += 1;
            movers = self.movers(false)?;
        }
        let mut foe = None;
        if self.peek().is_some_and(|item| {
            item.is(Small::With) || item.is(Small::Against) || item.is(Small::To) || !item.things().is_empty()
        }) {
            let led = usize::from(self.peek().is_some_and(|item| item.things().is_empty()));
            let named = self
                .peek_at(led)
                .filter(|item| item.things().iter().any(|t| matches!(t, Thing::Unit(_) | Thing::Seat(_))));
            if let Some(item) = named {
                foe = Some((item.first, item.last));
                self.at += led + 1;
            }
        }
        if place.is_none() {
            place = self.at_place()?;
        }
        Ok(Draft::Intent { movers, place, give, foe })
    }

    /// "stays at Reval", "holds".
    pub(super) fn hold(&mut self, mut movers: Movers) -> Result<Draft, Fault> {
        let word = self.peek().map_or_else(String::new, |item| self.typed(item));
        self.at += 1;
        let mut place = None;
        loop {
            match self.peek().map(|item| &item.lex) {
                Some(Lex::Small(Small::There | Small::Outside)) => self.at += 1,
                Some(Lex::Small(Small::At | Small::In | Small::On)) | Some(Lex::Sign(Sign::At))
                    if self.place_at(1).is_some() =>
                {
                    self.at += 1;
                    place = Some(self.place()?);
                }
                Some(Lex::Small(Small::At | Small::In | Small::With))
                    if self.peek_at(1).is_some_and(|i| i.is(Small::His) || i.is(Small::He)) =>
                {
                    self.at += 2
                }
                // "Mazepa stays at Baturin with the Serdiuks"
                Some(Lex::Small(Small::With)) if !movers.is_empty() => {
                    let start = self.at;
                    self.at += 1;
                    let more = self.movers(false)?;
                    if more.is_empty() {
                        self.at = start;
                        break;
                    }
                    super::marching::merge(&mut movers, more);
                }
                Some(Lex::Name(..) | Lex::Hex(_)) if self.place_at(0).is_some() && place.is_none() => {
                    place = Some(self.place()?)
                }
                _ => break,
            }
        }
        if self.verb() == Some(Verb::ToTheLast) {
            self.at += 1;
            if movers.is_empty() {
                movers.all_at.extend(place);
            }
            return Ok(Draft::Retreat { movers, when: Some(RetreatWhen::Never), to: None, maybe_march: false });
        }
        if movers.is_empty() && word.starts_with("no") {
            // "no moves this turn"
            movers.everyone = true;
        }
        if movers.is_empty() && place.is_none() {
            let start = self.at;
            let named = self.movers(false)?;
            if named.is_empty() { self.at = start } else { movers = named }
        }
        Ok(Draft::Hold { movers, place })
    }

    /// "retreats to Pernau if he loses half".
    pub(super) fn retreat(&mut self, mut movers: Movers) -> Result<Draft, Fault> {
        let verb = self.verb();
        self.at += 1;
        if movers.is_empty() && self.eat_sign(Sign::Colon) {
            movers = self.movers(false)?;
        }
        let mut when = (verb == Some(Verb::ToTheLast)).then_some(RetreatWhen::Never);
        let mut to = None;
        loop {
            if when.is_none()
                && let Some(found) = self.retreat_when(&mut movers)?
            {
                when = Some(found);
                continue;
            }
            match self.peek().map(|item| &item.lex) {
                Some(Lex::Small(Small::To)) | Some(Lex::Small(Small::On)) | Some(Lex::Sign(Sign::Arrow))
                    if self.place_at(1).is_some() && to.is_none() =>
                {
                    self.at += 1;
                    to = Some(self.place()?);
                }
                Some(Lex::Sign(Sign::Comma))
                    if when.is_some()
                        && to.is_none()
                        && self.peek_at(1).is_some_and(|i| i.is(Small::To))
                        && self.place_at(2).is_some()
                        && !self.clause_ahead(self.at + 3) =>
                {
                    self.at += 1
                }
                Some(Lex::Sign(Sign::Comma | Sign::Colon)) if when.is_none() && self.retreat_goes_on() => self.at += 1,
                Some(Lex::Small(Small::At | Small::In)) if movers.is_empty() && self.place_at(1).is_some() => {
                    self.at += 1;
                    movers.all_at.push(self.place()?);
                }
                Some(Lex::Small(Small::From))
                    if verb != Some(Verb::ToTheLast)
                        && self.peek_at(1).is_some_and(|i| matches!(i.lex, Lex::Verb(Verb::Fight))) =>
                {
                    self.at += 2
                }
                _ => break,
            }
        }
        if when.is_none()
            && let Some(super::draft::Cond::Retreat(found)) = self.cond
        {
            when = Some(found);
            self.cond = None;
        }
        if when.is_none()
            && to.is_none()
            && verb != Some(Verb::ToTheLast)
            && matches!(self.peek().map(|i| &i.lex), Some(Lex::Small(Small::To)))
        {
            return Err(self.no_place_behind());
        }
        Ok(Draft::Retreat { movers, when, to, maybe_march: verb == Some(Verb::FallBack) })
    }

    pub(super) fn no_place_behind(&mut self) -> Fault {
        self.at += 1;
        self.no_place()
    }

    pub(super) fn retreat_goes_on(&self) -> bool {
        self.peek_at(1).is_some_and(|item| item.is(Small::If) || item.is(Small::To))
    }

    /// Orders for fleets: read, kept, not adjudicated yet.
    pub(super) fn naval(&mut self) -> Result<Draft, Fault> {
        let word = self.peek().map_or_else(String::new, |item| self.typed(item));
        self.to_next_clause();
        let about = match word.as_str() {
            w if w.starts_with("bombard") || w.starts_with("shore") => "a bombardment",
            w if w.starts_with("interce") => "an interception",
            w if w.starts_with("blockad") => "a blockade",
            w if w.starts_with("put") => "a fleet's move",
            _ => "a landing",
        };
        Ok(Draft::Kept(about.to_owned()))
    }

    /// Over the words of an order that is only kept, however they read.
    pub(super) fn to_next_clause(&mut self) {
        while let Some(item) = self.peek() {
            let over = item.is_sign(Sign::Comma) || item.is(Small::And) || item.is(Small::Then) || item.is(Small::But);
            let condition = matches!(item.lex, Lex::Small(Small::If | Small::Unless));
            if condition || over && self.clause_ahead(self.at + 1) {
                break;
            }
            self.at += 1;
        }
    }

    pub(super) fn negated(&mut self, movers: Movers) -> Result<Vec<Draft>, Fault> {
        let verb = self.verb();
        match verb {
            Some(Verb::March | Verb::Forced)
                if self.peek_at(1).is_none_or(|next| is_joint(next) || matches!(next.lex, Lex::Unknown(_))) =>
            {
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
                    return Err(Fault::words(
                        at,
                        "What is not to be done is no order.",
                        "Say what is to be done instead.",
                    ));
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
}
