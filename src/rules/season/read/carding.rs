//! Cards: which Action card, which Event card on what.

use super::draft::{CardRef, CardWish, Draft, Fault, Movers, Range};
use super::index::Thing;
use super::item::{Item, Lex};
use super::lexicon::{Small, Verb};
use super::parse::Parser;
use crate::orders::token::Sign;
use crate::rules::season::campaign::Kind;
use crate::rules::season::cards::Card;

type Drafts = Result<Option<Vec<Draft>>, Fault>;

impl Parser<'_, '_> {
    /// "card: action 2 (no. 37)", "my highest action card", "no action card".
    pub(super) fn card_line(&mut self) -> Drafts {
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
            // "my action card": there is no doubt which if he holds one.
            None if self.holds_one_action_card() => Ok(Some(vec![Draft::Card(CardWish::Highest)])),
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

    fn holds_one_action_card(&self) -> bool {
        let hand = self.index.view.purse.as_ref().map_or(&[][..], |purse| &purse.hand);
        hand.iter().filter(|card| matches!(card, Card::Action { .. })).count() == 1
    }

    pub(super) fn card_goes_on(&self, item: &Item, chosen: bool) -> bool {
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

    pub(super) fn eat_as_action(&mut self) -> bool {
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
    pub(super) fn play(&mut self) -> Drafts {
        let start = self.at;
        self.at += 1;
        while self.peek().is_some_and(|item| {
            item.is_sign(Sign::Colon) || matches!(item.lex, Lex::Verb(Verb::Event)) || item.is_sign(Sign::Quote)
        }) {
            self.at += 1;
        }
        let names_card = self.peek().is_some_and(|item| item.things().iter().any(|t| matches!(t, Thing::Card(_))));
        let counted = matches!(self.peek().map(|item| &item.lex), Some(Lex::Number(_))) && self.supply_behind();
        if names_card || counted || self.verb() == Some(Verb::Supply) {
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
    pub(super) fn card_ref(&mut self) -> Result<CardRef, Fault> {
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
    pub(super) fn supply_steps(&mut self, steps: &mut Option<u32>, supply: bool) -> bool {
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
    pub(super) fn copy(&mut self) -> Option<u32> {
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
    pub(super) fn event(&mut self) -> Result<Draft, Fault> {
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
                // "the garrisons of Kaschau and Kronstadt"
                Lex::Small(Small::Garrison) if self.place_at(2).is_some() => {
                    self.at += 1;
                    let joins = |item: &Item| item.is(Small::And) || item.is_sign(Sign::Comma);
                    let of = |item: &Item| matches!(item.lex, Lex::Small(Small::Of | Small::At | Small::In));
                    while self.place_at(1).is_some() && self.peek().is_some_and(|item| of(item) || joins(item)) {
                        self.at += 1;
                        garrisons.garrisons.push(self.place()?);
                        targets.push((Vec::new(), at));
                    }
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

    pub(super) fn no_target(&self, item: &Item) -> Fault {
        let near = match &item.lex {
            Lex::Unknown(word) => self.index.near(word),
            _ => Vec::new(),
        };
        let near = near.into_iter().map(|thing| self.index.name(&thing));
        Fault::words(
            Some((item.first, item.last)),
            format!("{} is no target that I know.", self.quoted(item)),
            super::parse::did_you_mean(near),
        )
    }

    /// "the Life Guard in Stockholm", "Kalmar foot @ Karlskrona": the place says where the unit stands; it is no target.
    pub(super) fn check_position(&mut self, targets: &mut [(Vec<Thing>, Range)]) -> Result<(), Fault> {
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
}

fn card_of(thing: &Thing) -> Option<String> {
    match thing {
        Thing::Card(id) => Some(id.clone()),
        _ => None,
    }
}
