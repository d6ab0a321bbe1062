//! Everything that is said without saying first who: cards, purchases, war and peace; and what units do besides marching.

use super::draft::{Draft, Fault, Movers};
use super::index::Thing;
use super::item::Lex;
use super::lexicon::{Small, Verb};
use super::parse::Parser;
use crate::engine::SeatId;
use crate::orders::token::Sign;

type Drafts = Result<Option<Vec<Draft>>, Fault>;

impl Parser<'_, '_> {
    /// An order that begins with its verb or with a card; `None` if none begins here.
    ///
    /// # Errors
    /// If one begins here and cannot be read.
    pub fn imperative(&mut self) -> Drafts {
        let one = |draft: Result<Draft, Fault>| draft.map(|draft| Some(vec![draft]));
        let Some(item) = self.peek() else { return Ok(None) };
        if item.things().iter().any(|thing| matches!(thing, Thing::Card(_))) {
            return one(self.event());
        }
        match item.lex {
            Lex::Small(Small::No | Small::Serial) | Lex::Number(_) if self.withdraws_behind() => {
                self.withdrawn_behind()
            }
            Lex::Number(_) if self.supply_behind() => one(self.event()),
            Lex::Verb(verb) => self.begun(verb),
            // "I don't play an Action card"
            Lex::Small(Small::Not)
                if matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Verb(Verb::Play)))
                    && matches!(
                        self.peek_at(2).map(|i| &i.lex),
                        Some(Lex::Verb(Verb::ActionCard) | Lex::Small(Small::Any))
                    ) =>
            {
                self.at += 2;
                self.eat(Small::Any);
                self.at += 1;
                self.eat(Small::Card);
                Ok(Some(vec![Draft::NoCard]))
            }
            Lex::Number(_) if self.buying && self.buys_on() => {
                self.at = self.at.saturating_sub(1);
                self.buy().map(Some)
            }
            Lex::Small(Small::Not) if matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Verb(Verb::CallUp))) => {
                self.at += 2;
                self.eat_levies();
                one(self.levy(false))
            }
            Lex::Small(Small::No)
                if matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Verb(Verb::Levies | Verb::Passage))) =>
            {
                let passage = matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Verb(Verb::Passage)));
                self.at += 2;
                if passage {
                    return one(self.seat_after().map(|seat| Draft::Passage(seat, false)));
                }
                one(self.levy(false))
            }
            Lex::Small(Small::No | Small::Highest | Small::Lowest | Small::Any | Small::Card) => self.card_line(),
            Lex::Small(Small::First) => {
                self.at += 1;
                self.eat_sign(Sign::Comma);
                self.imperative()
            }
            _ => Ok(None),
        }
    }

    fn begun(&mut self, verb: Verb) -> Drafts {
        let one = |draft: Result<Draft, Fault>| draft.map(|draft| Some(vec![draft]));
        let start = self.at;
        match verb {
            Verb::ActionCard => self.card_line(),
            Verb::Play | Verb::Event => self.play(),
            Verb::Supply => one(self.event()),
            Verb::Discard => {
                self.at += 1;
                let card = self.card_ref()?;
                self.eat_as_action();
                Ok(Some(vec![Draft::Discard(card)]))
            }
            Verb::Build => self.build(),
            Verb::Buy => {
                let bought = self.buy()?;
                self.buying = true;
                Ok(Some(bought))
            }
            Verb::CallUp => {
                self.at += 1;
                if !self.eat_levies() {
                    if let Some(levy) = self.levies_by_name()? {
                        return Ok(Some(vec![levy]));
                    }
                    self.at = start;
                    return Ok(None);
                }
                one(self.levy(true))
            }
            Verb::Levies => {
                self.at += 1;
                self.eat_sign(Sign::Colon);
                let call = !self.eat(Small::No);
                one(self.levy(call))
            }
            Verb::War => one(self.war()),
            Verb::Peace => {
                self.at += 1;
                one(self.seat_after().map(Draft::Peace))
            }
            Verb::Passage => {
                self.at += 1;
                one(self.seat_after().map(|seat| Draft::Passage(seat, true)))
            }
            Verb::Let => self.let_pass(),
            Verb::Cede => one(self.cede()),
            Verb::HitsFirst | Verb::FeedFirst => self.firsts(verb),
            Verb::Withdraw => self.withdraw(),
            Verb::March
                if matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Number(_)))
                    && self.peek().is_some_and(|item| self.typed(item).starts_with("withdraw"))
                    && self.number_ends(1) =>
            {
                self.withdraw()
            }
            Verb::March if matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Verb(Verb::Passage))) => {
                self.at += 2;
                self.eat(Small::From);
                one(self.seat_after().map(|seat| Draft::Passage(seat, false)))
            }
            Verb::Take if self.take_hits() => self.firsts(Verb::HitsFirst),
            Verb::Naval => one(self.naval()),
            Verb::GoOn => {
                self.at += 1;
                one(self.go_on(Movers::default()))
            }
            Verb::March | Verb::Forced | Verb::Take => {
                // "Send Dal to Riga": the movers stand behind the verb.
                self.at += 1;
                if verb == Verb::Take {
                    let place = self.place_at(0).is_some()
                        && !self.peek().is_some_and(|i| i.things().iter().any(|t| matches!(t, Thing::Unit(_))));
                    if place {
                        return one(self.siege(Movers::default(), Verb::Capture));
                    }
                }
                let movers = self.movers(true)?;
                self.eat_sign(Sign::Colon);
                let read = self.march(movers, false)?;
                Ok(Some(vec![forced(read, verb)]))
            }
            _ => Ok(None),
        }
    }

    /// "no. 3: cancel", "order 4 is cancelled".
    fn withdraws_behind(&self) -> bool {
        let numbers = |i: &usize| {
            self.items.get(*i).is_some_and(|item| {
                matches!(
                    item.lex,
                    Lex::Number(_)
                        | Lex::Small(Small::And | Small::No | Small::Serial)
                        | Lex::Sign(Sign::Comma | Sign::Colon | Sign::Dash)
                )
            })
        };
        let behind = (self.at..self.end).find(|i| !numbers(i));
        behind.and_then(|i| self.items.get(i)).is_some_and(|item| matches!(item.lex, Lex::Verb(Verb::Withdraw)))
    }

    fn withdrawn_behind(&mut self) -> Drafts {
        let mut numbers = Vec::new();
        while let Some(item) = self.peek() {
            self.at += 1;
            match &item.lex {
                Lex::Number(n) => numbers.push((*n, (item.first, item.last))),
                Lex::Verb(Verb::Withdraw) => break,
                _ => {}
            }
        }
        Ok(Some(vec![Draft::Withdraw(numbers)]))
    }

    /// "2-step supply card"
    pub(super) fn supply_behind(&self) -> bool {
        (1..=3).map_while(|offset| self.peek_at(offset)).any(|item| matches!(item.lex, Lex::Verb(Verb::Supply)))
            && (1..=2)
                .map_while(|offset| self.peek_at(offset))
                .any(|item| item.is(Small::Steps) || matches!(item.lex, Lex::Verb(Verb::Supply)))
    }

    fn number_ends(&self, offset: usize) -> bool {
        self.peek_at(offset + 1).is_none_or(|item| super::parse::is_joint(item) || matches!(item.lex, Lex::Number(_)))
    }

    fn take_hits(&self) -> bool {
        matches!(self.peek_at(1).map(|item| &item.lex), Some(Lex::Verb(Verb::HitsFirst)))
    }

    /// A predicate without a subject: about whoever was spoken of, or about everybody.
    ///
    /// # Errors
    /// If nothing here can be read.
    pub fn subjectless(&mut self) -> Result<Vec<Draft>, Fault> {
        match self.peek().map(|item| &item.lex) {
            Some(Lex::Verb(Verb::Levies)) | None => {}
            Some(Lex::Verb(_)) => return self.predicate(Movers::default()),
            Some(Lex::Small(Small::To | Small::Via | Small::River)) => {
                return self.predicate(Movers { pronoun: true, ..Movers::default() });
            }
            Some(Lex::Small(Small::Not)) => return self.predicate(Movers::default()),
            _ => {}
        }
        let item = self.peek();
        let at = item.map(|item| (item.first, item.last));
        let word = item.map_or_else(|| "this".to_owned(), |item| self.quoted(item));
        let near = match item.map(|item| &item.lex) {
            Some(Lex::Unknown(word)) => self.index.near(word),
            _ => Vec::new(),
        };
        let near = near.into_iter().map(|thing| self.index.name(&thing));
        Err(Fault::words(
            at,
            format!("I cannot read {word} as the beginning of an order."),
            super::parse::did_you_mean(near),
        ))
    }

    // --- courts

    fn war(&mut self) -> Result<Draft, Fault> {
        self.at += 1;
        self.seat_after().map(Draft::War)
    }

    fn seat_after(&mut self) -> Result<SeatId, Fault> {
        while self.peek().is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Small(Small::To | Small::On | Small::With | Small::Against | Small::For | Small::At)
                    | Lex::Sign(Sign::Colon | Sign::Arrow)
            )
        }) {
            self.at += 1;
        }
        let found = self.peek().into_iter().flat_map(|item| item.things()).find_map(seat_of);
        let Some(seat) = found else {
            let at = self.peek().map(|item| (item.first, item.last));
            let seats: Vec<&str> = self.index.view.campaign.seats.iter().map(|seat| seat.name.as_str()).collect();
            return Err(Fault::words(at, "With whom?", format!("The powers are {}.", seats.join(", "))));
        };
        self.at += 1;
        if seat == *self.index.seat {
            let at = self.at.checked_sub(1).map(|i| self.range(i, self.at));
            return Err(Fault::words(at, "That is yourself.", ""));
        }
        Ok(seat)
    }

    /// "let the Saxons pass".
    fn let_pass(&mut self) -> Drafts {
        let start = self.at;
        self.at += 1;
        let seat = self.peek().into_iter().flat_map(|item| item.things()).find_map(seat_of);
        let Some(seat) = seat else {
            // "let Dal march to Riga"
            let movers = self.movers(true)?;
            if movers.is_empty() {
                self.at = start;
                return Ok(None);
            }
            return self.predicate(movers).map(Some);
        };
        self.at += 1;
        let mut passes = false;
        while self.peek().is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Verb(Verb::Pass | Verb::March | Verb::Passage)
                    | Lex::Small(Small::Via | Small::To | Small::His | Small::In)
            )
        }) {
            passes = true;
            self.at += 1;
        }
        if !passes && self.verb() == Some(Verb::Peace) {
            self.at += 1;
            return Ok(Some(vec![Draft::Peace(seat)]));
        }
        if !passes {
            return Err(Fault::words(
                Some(self.range(start, self.at)),
                "What is to be allowed?",
                "For instance \"let the Saxons pass\".",
            ));
        }
        Ok(Some(vec![Draft::Passage(seat, true)]))
    }

    fn cede(&mut self) -> Result<Draft, Fault> {
        self.at += 1;
        let mut place = None;
        let mut seat = None;
        for _ in 0..2 {
            self.eat(Small::To);
            self.eat(Small::Over);
            let things = self.peek().map_or(&[][..], |item| item.things());
            if let Some(found) = things.iter().find_map(seat_of).filter(|_| seat.is_none()) {
                self.at += 1;
                if self.verb() == Some(Verb::Passage) {
                    self.at += 1;
                    return Ok(Draft::Passage(found, true));
                }
                seat = Some(found);
            } else if place.is_none() {
                place = Some(self.place()?);
            }
        }
        match (place, seat) {
            (Some(place), Some(to)) => Ok(Draft::Cede { place, to }),
            _ => Err(Fault::words(
                None,
                "What is to be handed over, and to whom?",
                "For instance \"cede Birze to Russia\".",
            )),
        }
    }

    // --- preferences, withdrawals

    fn firsts(&mut self, verb: Verb) -> Drafts {
        while self.peek().is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Verb(Verb::HitsFirst | Verb::FeedFirst | Verb::Take)
                    | Lex::Small(Small::On | Small::To | Small::For | Small::From | Small::By | Small::First)
                    | Lex::Sign(Sign::Colon)
            )
        }) {
            self.at += 1;
        }
        let mut movers = self.movers(false)?;
        self.eat(Small::First);
        // "Königin first, then Leibdragoner"
        while self.peek().is_some_and(|item| item.is(Small::Then) || item.is_sign(Sign::Comma))
            && !self.clause_ahead(self.at)
        {
            let start = self.at;
            self.skip_joints();
            let next = self.movers(false)?;
            if next.named.is_empty() {
                self.at = start;
                break;
            }
            super::marching::merge(&mut movers, next);
        }
        if movers.is_empty() {
            return Err(Fault::words(None, "Who first?", "Name the brigades, the first one first."));
        }
        Ok(Some(vec![if verb == Verb::HitsFirst { Draft::HitsFirst(movers) } else { Draft::FeedFirst(movers) }]))
    }

    /// "withdraw 3", "cancel orders 2 and 4".
    fn withdraw(&mut self) -> Drafts {
        let start = self.at;
        self.at += 1;
        let mut numbers = Vec::new();
        while let Some(item) = self.peek() {
            match &item.lex {
                Lex::Number(n) => numbers.push((*n, (item.first, item.last))),
                Lex::Small(Small::And | Small::No | Small::Serial)
                | Lex::Sign(Sign::Comma | Sign::Plus | Sign::Other | Sign::Colon) => {}
                _ => break,
            }
            self.at += 1;
        }
        if numbers.is_empty() {
            let at = Some(self.range(start, self.at + 1));
            let help =
                "Write \"withdraw 3\" with the order's number in the newest acknowledgement, or write the order anew.";
            return Err(Fault::words(at, "Which order is to be withdrawn?", help));
        }
        Ok(Some(vec![Draft::Withdraw(numbers)]))
    }
}

fn forced(draft: Draft, verb: Verb) -> Draft {
    match draft {
        Draft::March(mut march) if verb == Verb::Forced => {
            march.pace = Some(crate::rules::season::order::Pace::Forced);
            Draft::March(march)
        }
        other => other,
    }
}

pub(super) fn seat_of(thing: &Thing) -> Option<SeatId> {
    match thing {
        Thing::Seat(seat) => Some(seat.clone()),
        _ => None,
    }
}
