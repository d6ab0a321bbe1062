//! Everything that is said without saying first who: cards, purchases, war and peace; and what units do besides marching.

use super::draft::{Amount, CardRef, CardWish, Draft, Fault, Movers, PlaceRef, Range};
use super::index::Thing;
use super::item::{Item, Lex};
use super::lexicon::{Small, Verb};
use super::parse::Parser;
use crate::engine::SeatId;
use crate::orders::token::Sign;
use crate::rules::season::order::RetreatWhen;
use crate::rules::season::campaign::Kind;

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
            Verb::Buy => self.buy().map(Some),
            Verb::CallUp => {
                self.at += 1;
                if !self.eat_levies() {
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
    fn supply_behind(&self) -> bool {
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
        let word = item.map_or_else(String::new, |item| self.typed(item));
        let near = match item.map(|item| &item.lex) {
            Some(Lex::Unknown(word)) => self.index.near(word),
            _ => Vec::new(),
        };
        let near = near.into_iter().map(|thing| self.index.name(&thing));
        Err(Fault::words(
            at,
            format!("I cannot read \"{word}\" as the beginning of an order."),
            super::parse::did_you_mean(near),
        ))
    }

    // --- cards

    /// "card: action 2 (no. 37)", "my highest action card", "no action card".
    fn card_line(&mut self) -> Drafts {
        let start = self.at;
        let mut wish = None;
        let (mut none, mut said_card, mut serial_next, mut as_action) = (false, false, false, false);
        while let Some(item) = self.peek() {
            match &item.lex {
                Lex::Verb(Verb::ActionCard) => {
                    said_card = true;
                    serial_next = false;
                }
                Lex::Small(Small::Card) => said_card = true,
                Lex::Sign(
                    Sign::Colon | Sign::Comma | Sign::Open | Sign::Close | Sign::Equals | Sign::Dash | Sign::Other,
                ) if self.card_goes_on(item, wish.is_some()) => {}
                Lex::Small(Small::Serial) => serial_next = true,
                Lex::Small(Small::No) => match self.peek_at(1).map(|next| &next.lex) {
                    Some(Lex::Number(_)) => serial_next = true,
                    _ => none = true,
                },
                Lex::Small(Small::Highest) => wish = Some(CardWish::Highest),
                Lex::Small(Small::Lowest) => wish = Some(CardWish::Lowest),
                Lex::Small(Small::Any) => wish = Some(CardWish::Any),
                Lex::Small(Small::Of) | Lex::Small(Small::As) => {}
                Lex::Number(n) => {
                    if serial_next || (*n > 3 && said_card) {
                        wish = Some(CardWish::Serial(*n));
                    } else if wish.is_none() {
                        wish = Some(CardWish::Value(*n));
                    } else {
                        break;
                    }
                }
                Lex::Verb(Verb::Play) if said_card && wish.is_none() => {}
                Lex::Name(things, _)
                    if things.iter().any(|t| matches!(t, Thing::Card(_))) && said_card && wish.is_none() =>
                {
                    let card = self.card_ref()?;
                    self.eat_as_action();
                    return Ok(Some(vec![Draft::Discard(card)]));
                }
                Lex::Verb(Verb::Discard) if said_card => {
                    as_action = true;
                }
                _ => break,
            }
            self.at += 1;
        }
        if as_action {
            let card = self.card_ref()?;
            return Ok(Some(vec![Draft::Discard(card)]));
        }
        match wish {
            _ if !said_card => {
                self.at = start;
                Ok(None)
            }
            Some(wish) => Ok(Some(vec![Draft::Card(wish)])),
            None if none => Ok(Some(vec![Draft::NoCard])),
            None => {
                let at = Some(self.range(start, self.at));
                Err(Fault::words(
                    at,
                    "Which card?",
                    "Name its value or its number, or say \"highest\", \"lowest\" or \"any\".",
                ))
            }
        }
    }

    fn card_goes_on(&self, item: &Item, chosen: bool) -> bool {
        if !chosen || item.is_sign(Sign::Close) {
            return !chosen || item.is_sign(Sign::Close);
        }
        let serial = |offset: usize| {
            let next = self.peek_at(offset);
            next.is_some_and(|next| next.is(Small::Serial) || next.is(Small::No))
                && matches!(self.peek_at(offset + 1).map(|i| &i.lex), Some(Lex::Number(_)))
                || next.is_some_and(|next| next.is_sign(Sign::Other))
                    && matches!(self.peek_at(offset + 1).map(|i| &i.lex), Some(Lex::Number(_)))
        };
        serial(1) || item.is_sign(Sign::Other) && matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Number(_)))
    }

    fn eat_as_action(&mut self) -> bool {
        let start = self.at;
        if self.eat(Small::As) || self.eat(Small::For) {
            while self.peek().is_some_and(|item| {
                matches!(item.lex, Lex::Verb(Verb::ActionCard) | Lex::Small(Small::Card) | Lex::Number(_))
            }) {
                self.at += 1;
            }
            return self.at > start + 1;
        }
        false
    }

    /// "play ...": an Action card, an Event card, an Event card as an Action card.
    fn play(&mut self) -> Drafts {
        let start = self.at;
        self.at += 1;
        while self.peek().is_some_and(|item| {
            item.is_sign(Sign::Colon) || matches!(item.lex, Lex::Verb(Verb::Event)) || item.is_sign(Sign::Quote)
        }) {
            self.at += 1;
        }
        let names_card = self.peek().is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Card(_))));
        if names_card || self.verb() == Some(Verb::Supply) {
            return self.event().map(|draft| Some(vec![draft]));
        }
        match self.peek().map(|item| &item.lex) {
            Some(
                Lex::Verb(Verb::ActionCard)
                | Lex::Small(Small::Card | Small::No | Small::Highest | Small::Lowest | Small::Any | Small::Serial),
            ) => self.card_line(),
            Some(Lex::Number(_)) => {
                let read = self.card_line()?;
                if read.is_none() {
                    self.at = start;
                }
                Ok(read)
            }
            _ => {
                let at = Some(self.range(start, self.at + 1));
                let near = match self.peek().map(|item| &item.lex) {
                    Some(Lex::Unknown(word)) => {
                        self.index.near(word).into_iter().filter(|t| matches!(t, Thing::Card(_))).collect()
                    }
                    _ => Vec::new(),
                };
                let help = super::parse::did_you_mean(near.into_iter().map(|thing| self.index.name(&thing)));
                Err(Fault::words(at, "There is no such card to play.", help))
            }
        }
    }

    /// The card named here.
    fn card_ref(&mut self) -> Result<CardRef, Fault> {
        let start = self.at;
        let mut ids = Vec::new();
        let mut supply = None;
        let mut steps = None;
        // "2-step supply card", "two step supply".
        if let (Some(Lex::Number(n)), Some(next)) = (self.peek().map(|i| &i.lex), self.peek_at(1))
            && (next.is(Small::Steps) || matches!(next.lex, Lex::Verb(Verb::Supply)) || next.is_sign(Sign::Dash))
        {
            steps = Some(*n);
            self.at += 1;
            self.eat_sign(Sign::Dash);
            self.eat(Small::Steps);
        }
        match self.peek().map(|item| &item.lex) {
            Some(Lex::Name(things, _)) => {
                ids.extend(things.iter().filter_map(card_of));
                self.at += 1;
            }
            Some(Lex::Verb(Verb::Supply)) => {
                self.at += 1;
                supply = Some(());
            }
            _ => {}
        }
        if ids.is_empty() && supply.is_none() {
            let at = self.peek().map(|item| (item.first, item.last));
            return Err(Fault::words(at, "There is no such card.", ""));
        }
        self.eat(Small::Card);
        let opened = self.supply_steps(&mut steps, supply.is_some());
        if opened {
            self.eat_sign(Sign::Close);
        }
        let copy = self.copy();
        let at = self.range(start, self.at);
        Ok(CardRef { ids, supply: supply.map(|()| steps), copy, at })
    }

    /// "(2 steps)", "of 2 steps", "2".
    fn supply_steps(&mut self, steps: &mut Option<u32>, supply: bool) -> bool {
        if !supply {
            return false;
        }
        let offset = usize::from(
            self.peek().is_some_and(|item| item.is_sign(Sign::Open) || item.is(Small::Of) || item.is_sign(Sign::Comma)),
        );
        let opened = self.peek().is_some_and(|item| item.is_sign(Sign::Open));
        let number = match self.peek_at(offset).map(|item| &item.lex) {
            Some(Lex::Number(n)) => *n,
            _ => return false,
        };
        let said = self.peek_at(offset + 1).is_some_and(|item| item.is(Small::Steps));
        if !said && offset > 0 {
            return false;
        }
        *steps = Some(number);
        self.at += offset + 1 + usize::from(said);
        opened
    }

    /// "(no. 2)": which of several cards with the same text.
    fn copy(&mut self) -> Option<u32> {
        let open = usize::from(self.peek().is_some_and(|item| item.is_sign(Sign::Open)));
        let said = self.peek_at(open).is_some_and(|item| item.is(Small::No) || item.is(Small::Serial));
        match self.peek_at(open + 1).map(|item| &item.lex) {
            Some(Lex::Number(n)) if said => {
                self.at += open + 2;
                if open == 1 {
                    self.eat_sign(Sign::Close);
                }
                Some(*n)
            }
            _ => None,
        }
    }

    /// An Event card and its targets.
    fn event(&mut self) -> Result<Draft, Fault> {
        self.eat_sign(Sign::Colon);
        let card = self.card_ref()?;
        if self.eat_as_action() {
            return Ok(Draft::Discard(card));
        }
        let mut targets: Vec<(Vec<Thing>, Range)> = Vec::new();
        let mut garrisons = Movers::default();
        loop {
            let joint = self.at;
            while self.peek().is_some_and(|item| {
                matches!(
                    item.lex,
                    Lex::Small(
                        Small::On
                            | Small::At
                            | Small::In
                            | Small::With
                            | Small::Against
                            | Small::For
                            | Small::To
                            | Small::And
                            | Small::There
                    ) | Lex::Sign(Sign::Colon | Sign::Comma | Sign::Plus | Sign::At | Sign::Arrow | Sign::Dash)
                )
            }) {
                self.at += 1;
            }
            // "raise Cossacks at Pskov": what a Supply card does there [R-003-58]; the place is the target.
            let cossacks = self.peek_at(1).is_some_and(|next| matches!(next.lex, Lex::Kind(Kind::Cossacks)));
            if cossacks && self.peek().is_some_and(|item| matches!(item.lex, Lex::Verb(Verb::Build))) {
                self.at += 2;
                continue;
            }
            if self.at > joint && !targets.is_empty() && self.clause_ahead(self.at) {
                self.at = joint;
                break;
            }
            let Some(item) = self.peek() else { break };
            let at = (item.first, item.last);
            match &item.lex {
                Lex::Name(things, _) if !things.iter().any(|t| matches!(t, Thing::Card(_))) => {
                    if self.place_at(0).is_some() && self.peek_at(1).is_some_and(|next| next.is(Small::Garrison)) {
                        let place = self.place()?;
                        self.at += 1;
                        garrisons.garrisons.push(place);
                        targets.push((Vec::new(), at));
                        continue;
                    }
                    self.at += 1;
                    targets.push((things.clone(), at));
                    self.check_position(&mut targets)?;
                    // "+1": the one step that each may have.
                    if self.peek().is_some_and(|i| i.is_sign(Sign::Plus))
                        && matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Number(1)))
                    {
                        self.at += 2;
                    }
                }
                Lex::Hex(hex) => {
                    self.at += 1;
                    targets.push((vec![Thing::Place(*hex)], at));
                }
                Lex::Small(Small::Garrison) if self.place_at(2).is_some() => {
                    self.at += 2;
                    garrisons.garrisons.push(self.place()?);
                    targets.push((Vec::new(), at));
                }
                _ => {
                    if self.at > joint
                        && !self.peek().is_some_and(super::parse::is_joint)
                        && matches!(item.lex, Lex::Unknown(_) | Lex::NoHex(_))
                        && joint + 1 >= self.at
                    {
                        return Err(self.no_target(item));
                    }
                    self.at = joint;
                    break;
                }
            }
        }
        Ok(Draft::Event { card, targets, garrisons })
    }

    fn no_target(&self, item: &Item) -> Fault {
        let near = match &item.lex {
            Lex::Unknown(word) => self.index.near(word),
            _ => Vec::new(),
        };
        let near = near.into_iter().map(|thing| self.index.name(&thing));
        Fault::words(
            Some((item.first, item.last)),
            format!("\"{}\" is no target that I know.", self.typed(item)),
            super::parse::did_you_mean(near),
        )
    }

    /// "the Life Guard in Stockholm", "Kalmar foot @ Karlskrona": the place says where the unit stands; it is no target.
    fn check_position(&mut self, targets: &mut [(Vec<Thing>, Range)]) -> Result<(), Fault> {
        let unit = targets.last().is_some_and(|(things, _)| things.iter().any(|t| matches!(t, Thing::Unit(_))));
        let led = self.peek().is_some_and(|item| {
            matches!(item.lex, Lex::Small(Small::At | Small::In)) || item.is_sign(Sign::At) || item.is_sign(Sign::Open)
        });
        if !unit || !led || self.place_at(1).is_none() {
            return Ok(());
        }
        let opened = self.peek().is_some_and(|item| item.is_sign(Sign::Open));
        self.at += 1;
        let place = self.place()?;
        if opened {
            self.eat_sign(Sign::Close);
        }
        let Some((things, _)) = targets.last_mut() else { return Ok(()) };
        let here = |thing: &Thing| match thing {
            Thing::Unit(id) => self.index.unit(*id).is_some_and(|unit| place.hexes.contains(&unit.at)),
            _ => false,
        };
        let fitting: Vec<Thing> = things.iter().filter(|thing| here(thing)).cloned().collect();
        if fitting.is_empty() {
            let name = things.first().map_or_else(String::new, |thing| self.index.name(thing));
            let there = place.hexes.first().map_or_else(String::new, |hex| self.index.place_name(*hex));
            return Err(Fault::illegal(Some(place.at), format!("{name} is not at {there}."), "", &[]));
        }
        *things = fitting;
        Ok(())
    }

    // --- purse

    /// "build 2 infantry at Reval and cavalry at Narva".
    fn build(&mut self) -> Drafts {
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

    fn not_built(&mut self) -> Drafts {
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

    fn number(&mut self) -> Option<u32> {
        let Some(Lex::Number(n)) = self.peek().map(|item| &item.lex) else { return None };
        self.at += 1;
        // "2 x infantry"
        if matches!(self.peek().map(|item| &item.lex), Some(Lex::Unknown(word)) if word == "x") {
            self.at += 1;
        }
        Some(*n)
    }

    fn where_built(&mut self) -> Result<Option<PlaceRef>, Fault> {
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
    fn given_name(&mut self) -> Option<Range> {
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
    fn buy(&mut self) -> Result<Vec<Draft>, Fault> {
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

    fn another_kind(&mut self) -> bool {
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

    fn eat_levies(&mut self) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|item| matches!(item.lex, Lex::Verb(Verb::Levies) | Lex::Small(Small::All))) {
            self.at += 1;
        }
        self.items.get(start..self.at).unwrap_or(&[]).iter().any(|item| matches!(item.lex, Lex::Verb(Verb::Levies)))
    }

    fn levy(&mut self, mut call: bool) -> Result<Draft, Fault> {
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
                seat = Some(found);
                self.at += 1;
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
        let movers = self.movers(false)?;
        self.eat(Small::First);
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

    // --- what units do besides marching

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
    pub(super) fn intent(&mut self, movers: Movers) -> Result<Draft, Fault> {
        let give = self.verb() == Some(Verb::Fight);
        self.at += 1;
        let mut place = self.at_place()?;
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

    fn no_place_behind(&mut self) -> Fault {
        self.at += 1;
        self.no_place()
    }

    fn retreat_goes_on(&self) -> bool {
        self.peek_at(1).is_some_and(|item| item.is(Small::If) || item.is(Small::To))
    }

    /// Orders for fleets: read, kept, not adjudicated yet.
    pub(super) fn naval(&mut self) -> Result<Draft, Fault> {
        let word = self.peek().map_or_else(String::new, |item| self.typed(item));
        while let Some(item) = self.peek() {
            let over = item.is_sign(Sign::Comma) || item.is(Small::And) || item.is(Small::Then) || item.is(Small::But);
            if over && self.clause_ahead(self.at + 1) {
                break;
            }
            self.at += 1;
        }
        let about = match word.as_str() {
            w if w.starts_with("bombard") || w.starts_with("shore") => "a bombardment",
            w if w.starts_with("interce") => "an interception",
            w if w.starts_with("blockad") => "a blockade",
            w if w.starts_with("put") => "a fleet's move",
            _ => "a landing",
        };
        Ok(Draft::Kept(about.to_owned()))
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

fn card_of(thing: &Thing) -> Option<String> {
    match thing {
        Thing::Card(id) => Some(id.clone()),
        _ => None,
    }
}

pub(super) fn seat_of(thing: &Thing) -> Option<SeatId> {
    match thing {
        Thing::Seat(seat) => Some(seat.clone()),
        _ => None,
    }
}
