//! Marches, sieges and what is said with them.

use super::draft::{Cond, Draft, Fault, MarchDraft, Movers, PlaceRef, UnitRef};
use super::index::Thing;
use super::item::{Item, Lex};
use super::lexicon::{Small, Verb};
use super::movers::unit_of;
use super::parse::Parser;
use crate::orders::token::Sign;
use crate::rules::season::order::{Arrival, Pace, SiegeAction};

impl Parser<'_, '_> {
    /// A march; the verb, if there was one, is behind the reader. `takes`: the movers so far take along those that follow.
    ///
    /// # Errors
    /// If a place is missing or something stands there that is none.
    pub fn march(&mut self, movers: Movers, takes: bool) -> Result<Draft, Fault> {
        let mut draft = self.new_march(movers);
        let mut sea = false;
        self.companions(&mut draft.movers, takes)?;
        loop {
            let before = self.at;
            let part = match self.march_part(&mut draft, &mut sea) {
                // What is only kept needs no place on the board: "into the Sound to cover them".
                Err(_) if sea || self.names_ships(&draft.movers) => break,
                part => part?,
            };
            if part {
                if self.at == before {
                    break;
                }
                continue;
            }
            if !self.part_behind_a_joint(&mut draft, &mut sea)? {
                self.at = before;
                break;
            }
        }
        if sea || self.names_ships(&draft.movers) {
            let about = if self.names_ships(&draft.movers) && !sea { "a fleet's move" } else { "a sea move" };
            self.to_next_clause();
            return Ok(Draft::Kept(about.to_owned()));
        }
        if draft.legs.is_empty() && draft.arrival.is_none() && !draft.attacks {
            return Err(self.where_to(&draft));
        }
        Ok(Draft::March(draft))
    }

    fn where_to(&self, draft: &MarchDraft) -> Fault {
        match self.peek().map(|item| &item.lex) {
            Some(Lex::Unknown(_) | Lex::NoHex(_)) => self.no_place(),
            _ => {
                let who = draft.movers.named.first().and_then(|named| named.units.first());
                let message = who.map_or_else(
                    || "Where are the units to go, or what are they to do?".to_owned(),
                    |id| format!("Where is {0} to go, or what is {0} to do?", self.index.unit_name(*id)),
                );
                Fault::words(None, message, "Write for instance \"Dal to Riga\" or \"Dal stays\".")
            }
        }
    }

    fn names_ships(&self, movers: &Movers) -> bool {
        let naval =
            |unit: &UnitRef| unit.units.iter().any(|id| self.index.unit(*id).is_some_and(|unit| unit.kind.is_naval()));
        movers.named.iter().any(naval) || movers.selected.iter().any(|s| s.kind.is_some_and(|kind| kind.is_naval()))
    }

    /// "takes Weide and the Pskov Streltsy", "send Dal": more movers behind the verb.
    fn companions(&mut self, movers: &mut Movers, takes: bool) -> Result<(), Fault> {
        let led = self.eat(Small::With);
        let names_unit = self.peek().is_some_and(|item| {
            let unit = item.things().iter().any(|thing| matches!(thing, Thing::Unit(_)));
            let garrison = self.peek_at(1).is_some_and(|next| next.is(Small::Garrison));
            unit || (garrison && !item.things().is_empty())
        });
        let collective = self.peek().is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Small(
                    Small::All
                        | Small::Everyone
                        | Small::His
                        | Small::Rest
                        | Small::Army
                        | Small::Brigades
                        | Small::Garrison
                ) | Lex::Kind(_)
                    | Lex::Number(_)
            )
        });
        if !(names_unit || collective || led) {
            return Ok(());
        }
        let start = self.at;
        let mut more = self.movers_behind(movers)?;
        if more.is_empty() {
            self.at = start;
            return Ok(());
        }
        let leads = movers
            .named
            .iter()
            .any(|named| named.units.iter().any(|id| self.index.unit(*id).is_some_and(|u| u.is_leader())));
        if (takes || led) && leads {
            for unit in &mut more.named {
                unit.with = true;
            }
        }
        merge(movers, more);
        Ok(())
    }

    /// Further movers, read as if those already named stood before them, so that "his brigades" finds its leader.
    fn movers_behind(&mut self, known: &Movers) -> Result<Movers, Fault> {
        let mut more = self.movers(true)?;
        if more.pronoun && !known.is_empty() {
            more.pronoun = false;
        }
        if more.everyone && !known.named.is_empty() {
            more.everyone = false;
            more.all_with = true;
        }
        Ok(more)
    }

    /// One part of a march: from, to, via, how. `false` if what comes next is none.
    fn march_part(&mut self, draft: &mut MarchDraft, sea: &mut bool) -> Result<bool, Fault> {
        let Some(item) = self.peek() else { return Ok(false) };
        match &item.lex {
            Lex::Small(Small::From | Small::Of) if self.start_ahead() => {
                self.at += 1;
                draft.from = Some(self.place()?);
            }
            Lex::Small(Small::To | Small::For | Small::Against | Small::On) | Lex::Sign(Sign::Arrow | Sign::Dash)
                if self.goal_ahead(item.is_sign(Sign::Dash)) =>
            {
                self.at += 1;
                return self.goal(draft);
            }
            Lex::Small(Small::To) if matches!(self.peek_at(1).map(|i| &i.lex), Some(Lex::Verb(_))) => {
                self.at += 1;
                return Ok(true);
            }
            Lex::Small(Small::To | Small::Against) | Lex::Sign(Sign::Arrow) => {
                self.at += 1;
                return Err(self.no_place());
            }
            Lex::Small(Small::Via) => {
                self.at += 1;
                self.via(draft)?;
            }
            Lex::Small(Small::Over) if self.place_at(1).is_some() => {
                self.at += 1;
                self.via(draft)?;
            }
            Lex::Small(Small::Over) => self.at += 1,
            Lex::Small(Small::By) if self.place_at(1).is_some() => {
                self.at += 1;
                self.via(draft)?;
            }
            // "crosses the Dvina": how is the board's business.
            Lex::Name(things, _) if things.iter().all(|thing| matches!(thing, Thing::River(_))) => self.at += 1,
            Lex::Small(Small::At | Small::In) | Lex::Sign(Sign::At)
                if self.place_at(1).is_some() && draft.legs.is_empty() && draft.from.is_none() =>
            {
                self.at += 1;
                draft.from = Some(self.place()?);
            }
            Lex::Verb(Verb::Forced) => {
                self.at += 1;
                draft.pace = Some(Pace::Forced);
                self.companions(&mut draft.movers, false)?;
            }
            Lex::Small(Small::River) => {
                self.at += 1;
                draft.pace = Some(Pace::River);
            }
            Lex::Small(Small::Along) => self.along(draft),
            Lex::Verb(Verb::Sail) => {
                self.at += 1;
                *sea = true;
                self.companions(&mut draft.movers, true)?;
            }
            Lex::Small(Small::Alone) => {
                self.at += 1;
                draft.movers.alone = true;
            }
            Lex::Small(Small::Own) => {
                self.at += 1;
                draft.movers.own = true;
            }
            Lex::Small(Small::Outside) => {
                self.at += 1;
                draft.arrival = Some(Arrival::Stand);
            }
            Lex::Small(Small::With | Small::Under) => {
                let led = item.is(Small::With);
                self.at += usize::from(led);
                let mut more = self.movers_behind_goal()?;
                if more.is_empty() {
                    return Err(self.no_unit());
                }
                more.named.iter_mut().for_each(|unit| unit.with = true);
                merge(&mut draft.movers, more);
            }
            Lex::Sign(Sign::Open) if self.part_in_brackets() => {
                self.at += 1;
                let read = if self.verb().is_some_and(|verb| verb != Verb::Forced) {
                    self.arrival(draft)?
                } else {
                    self.march_part(draft, sea)?
                };
                return Ok(read && (self.eat_sign(Sign::Close) || self.peek().is_none()));
            }
            Lex::Sign(Sign::Open) => self.remark()?,
            // "Mitau -> Riga: Flemming"
            Lex::Sign(Sign::Colon) if draft.movers.bare_place.is_some() && self.names_follow() => {
                self.at += 1;
                draft.from = draft.movers.bare_place.take().map(|(place, _)| place);
                draft.movers = self.movers(true)?;
            }
            // "I want Dal to go to Riga"
            Lex::Verb(Verb::March) if draft.legs.is_empty() => {
                self.at += 1;
                self.companions(&mut draft.movers, false)?;
            }
            Lex::Name(..) | Lex::Hex(_) if self.place_at(0).is_some() => return self.bare_place(draft),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Whom "with" names behind the goal: a name that begins a clause of its own is not among them.
    fn movers_behind_goal(&mut self) -> Result<Movers, Fault> {
        let mut more = self.movers(false)?;
        if more.pronoun || more.everyone {
            more.pronoun = false;
            more.everyone = false;
            more.all_with = true;
        }
        Ok(more)
    }

    /// "(siege)", "(forced march)", "[by river]".
    fn part_in_brackets(&self) -> bool {
        self.peek_at(1).is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Verb(Verb::Besiege | Verb::Storm | Verb::Forced)
                    | Lex::Small(Small::River | Small::Alone | Small::Outside | Small::Via)
            )
        })
    }

    fn start_ahead(&self) -> bool {
        self.place_at(1).is_some() || self.peek().is_some_and(|item| item.is(Small::From))
    }

    /// Whether a place stands behind the sign or word ahead. A dash parts as often as it leads: it needs the place.
    fn goal_ahead(&self, dash: bool) -> bool {
        let place = self.place_at(1).is_some();
        if dash { place && !self.clause_ahead_strict(self.at + 1) } else { place }
    }

    /// Whether the place behind a dash begins an order of its own: "Dal holds - Wolmar to Riga".
    fn clause_ahead_strict(&self, at: usize) -> bool {
        let behind = self.items.get(at + 1).filter(|_| at + 1 < self.end);
        behind.is_some_and(|item| matches!(item.lex, Lex::Verb(Verb::March | Verb::Hold | Verb::Retreat)))
    }

    fn goal(&mut self, draft: &mut MarchDraft) -> Result<bool, Fault> {
        let mut options = vec![self.place()?];
        while self.peek().is_some_and(|item| item.is(Small::Or) || item.is_sign(Sign::Slash))
            && self.place_at(1).is_some()
        {
            self.at += 1;
            options.push(self.place()?);
        }
        draft.legs.push(options);
        Ok(true)
    }

    /// "via Weissenstein and Fellin": passed before the goal, whether named before or behind it.
    fn via(&mut self, draft: &mut MarchDraft) -> Result<(), Fault> {
        let mut passed = vec![vec![self.place()?]];
        loop {
            let joint = self.peek().is_some_and(|item| {
                item.is(Small::And)
                    || item.is(Small::Then)
                    || item.is(Small::Via)
                    || item.is_sign(Sign::Comma)
                    || item.is_sign(Sign::Plus)
            });
            if !joint || self.place_at(1).is_none() || self.clause_ahead(self.at + 1) {
                break;
            }
            self.at += 1;
            passed.push(vec![self.place()?]);
        }
        let named_before = draft.legs.len();
        let at = named_before.saturating_sub(1);
        let goal_named = named_before > 0 && !self.goal_follows();
        let at = if goal_named { at } else { named_before };
        draft.legs.splice(at..at, passed);
        Ok(())
    }

    fn goal_follows(&self) -> bool {
        let led =
            self.peek().is_some_and(|item| item.is(Small::To) || item.is_sign(Sign::Arrow) || item.is_sign(Sign::Dash));
        led && self.place_at(1).is_some()
    }

    fn along(&mut self, draft: &mut MarchDraft) {
        self.at += 1;
        let river_of = |things: &[Thing]| {
            things.iter().find_map(|thing| match thing {
                Thing::River(river) => Some(river.clone()),
                _ => None,
            })
        };
        // "down the Luga": a river may be called like a place on it.
        let called = |item: &Item| self.index.exact(&[&self.typed(item), "river"]).filter(|found| found.words == 2);
        let river = self.peek().and_then(|item| {
            river_of(item.things()).or_else(|| called(item).and_then(|found| river_of(&found.things)))
        });
        if let Some(river) = river {
            self.at += 1;
            draft.pace = Some(Pace::River);
            draft.river = Some(river);
        }
    }

    /// A place without a preposition: where they start if an arrow or "to" follows, else where they go.
    fn bare_place(&mut self, draft: &mut MarchDraft) -> Result<bool, Fault> {
        let led = self
            .peek_at(1)
            .is_some_and(|item| matches!(item.lex, Lex::Sign(Sign::Arrow | Sign::Dash) | Lex::Small(Small::To)));
        if draft.legs.is_empty() && draft.from.is_none() && led && self.peek_at(2).is_some() {
            draft.from = Some(self.place()?);
            return Ok(true);
        }
        if draft.legs.is_empty() {
            return self.goal(draft);
        }
        Ok(false)
    }

    /// A part of the march behind a comma, "and" or "then": "..., by river", "and lays siege to it", "then to Mitau".
    fn part_behind_a_joint(&mut self, draft: &mut MarchDraft, sea: &mut bool) -> Result<bool, Fault> {
        let start = self.at;
        let mut chain = false;
        while let Some(item) = self.peek() {
            match item.lex {
                Lex::Small(Small::Then) => chain = true,
                Lex::Sign(Sign::Comma | Sign::Dash | Sign::Plus | Sign::Colon) | Lex::Small(Small::And) => {}
                _ => break,
            }
            self.at += 1;
        }
        if chain && self.place_at(0).is_some() && !self.clause_ahead(self.at) {
            return self.goal(draft);
        }
        if self.at == start
            && !matches!(
                self.verb(),
                Some(
                    Verb::Besiege
                        | Verb::Storm
                        | Verb::Attack
                        | Verb::Relieve
                        | Verb::Raise
                        | Verb::GoOn
                        | Verb::Capture
                )
            )
        {
            return Ok(false);
        }
        match self.peek().map(|item| &item.lex) {
            Some(Lex::Small(
                Small::River
                | Small::Alone
                | Small::Own
                | Small::Outside
                | Small::Via
                | Small::With
                | Small::From
                | Small::Under,
            )) => self.march_part(draft, sea),
            Some(Lex::Small(Small::Along)) => self.march_part(draft, sea),
            Some(Lex::Verb(Verb::Forced | Verb::Sail)) if !self.names_follow() => self.march_part(draft, sea),
            // "..., to besiege it"
            Some(Lex::Small(Small::To))
                if matches!(
                    self.peek_at(1).map(|i| &i.lex),
                    Some(Lex::Verb(Verb::Besiege | Verb::Storm | Verb::Attack | Verb::Relieve | Verb::Capture))
                ) =>
            {
                self.at += 1;
                self.arrival(draft)
            }
            Some(Lex::Small(Small::To)) if chain || draft.legs.is_empty() => self.march_part(draft, sea),
            Some(Lex::Verb(
                Verb::Besiege | Verb::Storm | Verb::Capture | Verb::Attack | Verb::Relieve | Verb::Take,
            )) => self.arrival(draft),
            _ => Ok(false),
        }
    }

    fn names_follow(&self) -> bool {
        self.peek_at(1).is_some_and(|item| item.things().iter().any(|thing| unit_of(thing).is_some()))
    }

    /// "and lays siege to it": at the goal, if the place named is the goal or none is named.
    fn arrival(&mut self, draft: &mut MarchDraft) -> Result<bool, Fault> {
        let start = self.at;
        let verb = self.verb();
        self.at += 1;
        self.eat(Small::To);
        self.eat(Small::Of);
        let pronoun = self.eat(Small::He) | self.eat(Small::There);
        let place = if self.place_at(0).is_some() { Some(self.place()?) } else { None };
        let goal = draft.legs.last().and_then(|options| options.first());
        let fits = match (&place, goal) {
            (Some(place), Some(goal)) => place.hexes.iter().any(|hex| goal.hexes.contains(hex)),
            (Some(_), None) => true,
            (None, Some(_)) => verb != Some(Verb::Take) || pronoun,
            (None, None) => pronoun,
        };
        if !fits {
            self.at = start;
            return Ok(false);
        }
        if let (Some(place), None) = (place, goal) {
            draft.legs.push(vec![place]);
        }
        match verb {
            Some(Verb::Besiege) => draft.arrival = Some(Arrival::Besiege),
            Some(Verb::Storm) => draft.arrival = Some(Arrival::Enter),
            Some(Verb::Attack | Verb::Relieve) => draft.attacks = true,
            _ => {}
        }
        Ok(true)
    }

    /// Sieges and attacks on places: the verb is behind the reader.
    ///
    /// # Errors
    /// If what is named is no place.
    pub fn siege(&mut self, mut movers: Movers, verb: Verb) -> Result<Draft, Fault> {
        while self.peek().is_some_and(|item| {
            matches!(
                item.lex,
                Lex::Small(Small::To | Small::Of | Small::From | Small::At | Small::On | Small::Against | Small::In)
                    | Lex::Sign(Sign::Colon)
            )
        }) {
            self.at += 1;
        }
        let pronoun = self.eat(Small::He) | self.eat(Small::There);
        self.it = pronoun;
        let place = if self.place_at(0).is_some() {
            Some(self.place()?)
        } else if let (true, Some(Cond::On(_, place @ Some(_)))) = (pronoun, &self.cond) {
            place.clone()
        } else if !pronoun
            && matches!(self.peek().map(|i| &i.lex), Some(Lex::Unknown(_) | Lex::NoHex(_) | Lex::Name(..)))
        {
            return Err(self.no_place());
        } else {
            None
        };
        if self.peek().is_some_and(|item| item.is(Small::With) || item.is(Small::From)) {
            let from = self.peek().is_some_and(|item| item.is(Small::From));
            if !from {
                self.at += 1;
                let more = self.movers_behind_goal()?;
                merge(&mut movers, more);
            }
        }
        self.plan(movers, place, verb)
    }

    fn plan(&mut self, movers: Movers, place: Option<PlaceRef>, verb: Verb) -> Result<Draft, Fault> {
        let action = match verb {
            Verb::Besiege => SiegeAction::Besiege,
            Verb::Storm => SiegeAction::Storm,
            Verb::Raise => SiegeAction::Raise,
            Verb::Sortie => SiegeAction::Sortie,
            Verb::JoinRelief => SiegeAction::JoinRelief,
            _ => {
                let Some(place) = place else {
                    return Err(Fault::words(None, "Where? The order names no place.", "Name the city or the hex."));
                };
                let mut draft = self.new_march(movers);
                draft.legs.push(vec![place]);
                draft.attacks = true;
                let mut sea = false;
                while self.march_part(&mut draft, &mut sea)? {}
                return Ok(if sea { Draft::Kept("a landing".to_owned()) } else { Draft::March(draft) });
            }
        };
        Ok(Draft::Siege { movers, place, action, it: self.it })
    }

    /// "go on to 0306 if we win": where a victory carries them.
    ///
    /// # Errors
    /// If no place is named.
    pub fn go_on(&mut self, movers: Movers) -> Result<Draft, Fault> {
        self.eat(Small::To);
        if self.verb() == Some(Verb::Besiege) {
            self.at += 1;
            return self.siege(movers, Verb::Besiege);
        }
        let mut places = vec![self.place()?];
        while self.peek().is_some_and(|item| {
            matches!(item.lex, Lex::Sign(Sign::Arrow | Sign::Dash) | Lex::Small(Small::Then | Small::To | Small::Via))
        }) && self.place_at(1).is_some()
        {
            self.at += 1;
            places.push(self.place()?);
        }
        Ok(Draft::GoOn { movers, places })
    }

    fn no_unit(&self) -> Fault {
        let Some(item) = self.peek() else {
            return Fault::words(None, "The order breaks off where a unit should be named.", "");
        };
        let near = match &item.lex {
            Lex::Unknown(word) => self.index.near(word),
            _ => Vec::new(),
        };
        let near = near.into_iter().filter(|thing| unit_of(thing).is_some()).map(|thing| self.index.name(&thing));
        Fault::words(
            Some((item.first, item.last)),
            format!("{} is none of your units.", self.quoted(item)),
            super::parse::did_you_mean(near),
        )
    }
}

/// Adds movers to movers.
pub(super) fn merge(into: &mut Movers, more: Movers) {
    into.named.extend(more.named);
    into.all_at.extend(more.all_at);
    into.selected.extend(more.selected);
    into.garrisons.extend(more.garrisons);
    into.except.extend(more.except);
    into.others |= more.others;
    into.theirs |= more.theirs;
    into.all_with |= more.all_with;
    into.every_garrison |= more.every_garrison;
    into.everyone |= more.everyone;
    into.nobody |= more.nobody;
    into.pronoun |= more.pronoun;
    into.alone |= more.alone;
    into.own |= more.own;
    into.under = into.under.take().or(more.under);
    into.bare_place = into.bare_place.take().or(more.bare_place);
}
