//! Who: leaders, brigades, armies, garrisons, "everything Croy has at Jama".

use super::draft::{Fault, Movers, PlaceRef, Selection, UnitRef};
use super::index::Thing;
use super::item::{Item, Lex};
use super::lexicon::{Small, Verb};
use super::parse::{Parser, did_you_mean};
use crate::engine::UnitId;
use crate::orders::names::Closeness;
use crate::orders::token::Sign;

impl Parser<'_, '_> {
    /// A list of movers, possibly empty. `subject`: what follows is what they do, so that every further name belongs to the
    /// list; otherwise a name that begins a clause of its own ends it.
    ///
    /// # Errors
    /// If somebody is named who is not at the player's command.
    pub fn movers(&mut self, subject: bool) -> Result<Movers, Fault> {
        let mut movers = Movers::default();
        let mut with = false;
        loop {
            let before = self.at;
            if !self.mover(&mut movers, with, subject)? {
                self.at = before;
                break;
            }
            while self
                .peek()
                .is_some_and(|item| matches!(item.lex, Lex::Small(Small::Under | Small::Own | Small::Alone)))
            {
                if !self.mover(&mut movers, with, subject)? {
                    break;
                }
            }
            self.exceptions(&mut movers, subject)?;
            let joint = self.at;
            let Some(joined) = self.list_joint() else { break };
            with |= joined == Some(true);
            if !subject && self.clause_ahead(self.at) {
                self.at = joint;
                break;
            }
            if !self.mover_ahead() {
                self.at = joint;
                break;
            }
        }
        Ok(movers)
    }

    /// "all except the Mitau Garrison", "everybody at Mitau but Flemming".
    fn exceptions(&mut self, movers: &mut Movers, subject: bool) -> Result<(), Fault> {
        let all = movers.all_with || movers.everyone || !movers.all_at.is_empty();
        let but = self.peek().is_some_and(|item| item.is(Small::But));
        if !all || !(but || self.peek().is_some_and(|item| item.is(Small::Except))) {
            return Ok(());
        }
        let start = self.at;
        self.at += 1;
        let spared = self.movers(true)?;
        if but && !subject && self.verb().is_some() || spared.named.is_empty() {
            // "move all, but Flemming fights": another clause. "All but Flemming fight" is none.
            self.at = start;
            return Ok(());
        }
        movers.except = spared.named;
        Ok(())
    }

    /// "and", a comma, "with": `Some(Some(true))` if what follows is said to be with the one before.
    fn list_joint(&mut self) -> Option<Option<bool>> {
        let start = self.at;
        let mut with = None;
        loop {
            match self.peek().map(|item| &item.lex) {
                Some(Lex::Sign(Sign::Comma | Sign::Plus | Sign::Slash)) | Some(Lex::Small(Small::And)) => self.at += 1,
                Some(Lex::Small(Small::With)) => {
                    with = Some(true);
                    self.at += 1;
                }
                Some(Lex::Verb(Verb::Take)) if self.at > start => {
                    with = Some(true);
                    self.at += 1;
                }
                _ => break,
            }
        }
        (self.at > start).then_some(with)
    }

    fn mover_ahead(&self) -> bool {
        let mut ahead = Parser { at: self.at, cond: None, here: None, ..*self };
        let mut scratch = Movers::default();
        // A name that is not at his command is a mover too, if a wrong one.
        ahead.mover(&mut scratch, false, true).unwrap_or(true)
    }

    fn mover(&mut self, movers: &mut Movers, with: bool, subject: bool) -> Result<bool, Fault> {
        let start = self.at;
        let Some(item) = self.peek() else { return Ok(false) };
        match &item.lex {
            Lex::Name(things, _) => self.named(movers, item, things, with, subject),
            Lex::Small(Small::Alone) if !movers.named.is_empty() => {
                self.at += 1;
                movers.alone = true;
                Ok(true)
            }
            Lex::Small(Small::Own) if !movers.is_empty() => {
                self.at += 1;
                movers.own = true;
                Ok(true)
            }
            Lex::Small(Small::Under) => self.under(movers),
            // "all but the Mitau Garrison"
            Lex::Small(Small::Except) if movers.is_empty() && self.typed(item) == "all but" => {
                movers.everyone = true;
                self.exceptions(movers, subject)?;
                Ok(true)
            }
            Lex::Small(Small::Nobody) => {
                self.at += 1;
                movers.nobody = true;
                Ok(true)
            }
            Lex::Small(Small::He) => {
                self.at += 1;
                movers.pronoun = true;
                Ok(true)
            }
            Lex::Small(Small::No)
                if self.peek_at(1).is_some_and(|item| item.is(Small::Brigades) || item.is(Small::Army)) =>
            {
                self.at += 2;
                movers.nobody = true;
                Ok(true)
            }
            Lex::Small(
                Small::Everyone
                | Small::Rest
                | Small::All
                | Small::His
                | Small::Army
                | Small::Garrison
                | Small::Brigades
                | Small::Any,
            )
            | Lex::Number(_)
            | Lex::Kind(_) => {
                let taken = self.collective(movers)?;
                if !taken {
                    self.at = start;
                }
                Ok(taken)
            }
            Lex::Hex(_) => self.place_subject(movers, subject),
            _ => Ok(false),
        }
    }

    /// A name in the list.
    fn named(
        &mut self,
        movers: &mut Movers,
        item: &Item,
        things: &[Thing],
        with: bool,
        subject: bool,
    ) -> Result<bool, Fault> {
        let at = (item.first, item.last);
        let units: Vec<UnitId> = things.iter().filter_map(unit_of).collect();
        let place = self.place_at(0);
        if let Some(places) = place.and_then(|_| self.places_of_garrisons()) {
            movers.garrisons.extend(places);
            return Ok(true);
        }
        if let Some(alike) = self.called_alike() {
            movers.named.extend(alike);
            return Ok(true);
        }
        if units.is_empty() {
            return self.place_subject(movers, subject);
        }
        self.at += 1;
        let own: Vec<UnitId> = units.iter().copied().filter(|id| self.index.forces.contains_key(id)).collect();
        if own.is_empty() {
            return Err(self.not_his(at, &units));
        }
        let of_kind = |next: &Item| match next.lex {
            Lex::Kind(kind) => own.iter().any(|id| self.index.unit(*id).is_some_and(|unit| unit.kind == kind)),
            _ => next.is(Small::Brigades),
        };
        while self.peek().is_some_and(of_kind) && !item.possessive {
            self.at += 1;
        }
        let leads = own.iter().any(|id| self.index.unit(*id).is_some_and(|unit| unit.is_leader()));
        if leads && item.possessive && self.peek().is_some_and(is_following) {
            movers.theirs = self.peek().is_some_and(|next| next.is(Small::Brigades));
            self.at += 1;
            movers.all_with = true;
        }
        let stands = self.stands()?;
        movers.named.push(UnitRef { units: own, with: with && !leads, stands, at });
        Ok(true)
    }

    /// "Narva garrison", "the Narva, Dorpat and Pernau garrisons".
    fn places_of_garrisons(&mut self) -> Option<Vec<PlaceRef>> {
        let mut places = vec![self.place_at(0)?];
        let mut offset = 1;
        loop {
            let item = self.peek_at(offset)?;
            if item.is(Small::Garrison) {
                self.at += offset + 1;
                return Some(places);
            }
            if !(item.is(Small::And) || item.is_sign(Sign::Comma) || item.is_sign(Sign::Plus)) {
                return None;
            }
            match self.place_at(offset + 1) {
                Some(place) => {
                    places.push(place);
                    offset += 2;
                }
                None if item.is_sign(Sign::Comma) => offset += 1,
                None => {
                    // "Riga, Reval and Narva Garrison": the last one is a unit by its name.
                    return None;
                }
            }
        }
    }

    /// "the Starodub, Chernigov and Nezhin Cossacks": one word behind several names makes units of all of them.
    fn called_alike(&mut self) -> Option<Vec<UnitRef>> {
        let mut names: Vec<&Item> = Vec::new();
        let mut next = self.at;
        loop {
            let item = self.items.get(next).filter(|_| next < self.end)?;
            let joined = |item: &Item| item.is(Small::And) || item.is_sign(Sign::Comma) || item.is_sign(Sign::Plus);
            if matches!(item.lex, Lex::Name(..)) {
                names.push(item);
                next += 1;
            }
            if !self.items.get(next).filter(|_| next < self.end).is_some_and(joined) {
                break;
            }
            next += 1;
        }
        let [first @ .., last] = names.as_slice() else { return None };
        let whole = self.typed(last);
        // The word stands in the last name ("Nezhin Cossacks") or, as the plural of one, behind it ("Yedisan hordes").
        let (word, end) = match whole.rsplit_once(' ') {
            Some((_, word)) => (word.to_owned(), next),
            None => (self.items.get(next).filter(|_| next < self.end).map(|item| self.typed(item))?, next + 1),
        };
        let unit = |item: &Item| -> Option<UnitRef> {
            let typed = self.typed(item);
            let stem = typed.strip_suffix(word.as_str()).unwrap_or(&typed).trim();
            let units = [word.as_str(), word.strip_suffix('s')?].into_iter().find_map(|word| {
                let words: Vec<&str> = stem.split(' ').chain([word]).collect();
                let found = self.index.exact(&words).filter(|found| found.words == words.len())?;
                let units: Vec<UnitId> = found.things.iter().filter_map(unit_of).collect();
                let own: Vec<UnitId> = units.into_iter().filter(|id| self.index.forces.contains_key(id)).collect();
                (!own.is_empty()).then_some(own)
            })?;
            Some(UnitRef { units, with: false, stands: None, at: (item.first, item.last) })
        };
        let whole_unit = |item: &&Item| match &item.lex {
            Lex::Name(things, closeness) => {
                *closeness == Closeness::Exact && things.iter().any(|t| self.is_own_unit(t))
            }
            _ => false,
        };
        if first.is_empty() || first.iter().any(whole_unit) {
            return None;
        }
        let units: Option<Vec<UnitRef>> = names.iter().map(|item| unit(item)).collect();
        let units = units?;
        self.at = end;
        Some(units)
    }

    fn is_own_unit(&self, thing: &Thing) -> bool {
        matches!(thing, Thing::Unit(id) if self.index.forces.contains_key(id))
    }

    /// "Dal (Wolmar)", "Dal at Wolmar": where the unit is said to stand.
    fn stands(&mut self) -> Result<Option<PlaceRef>, Fault> {
        let opened = self.peek().is_some_and(|item| item.is_sign(Sign::Open));
        if opened && self.place_at(1).is_some() && self.peek_at(2).is_some_and(|item| item.is_sign(Sign::Close)) {
            self.at += 1;
            let place = self.place()?;
            self.eat_sign(Sign::Close);
            return Ok(Some(place));
        }
        let led = self.peek().is_some_and(|item| item.is(Small::At) || item.is(Small::In) || item.is_sign(Sign::At));
        if led && self.place_at(1).is_some() {
            let mut ahead = Parser { at: self.at + 1, cond: None, here: None, ..*self };
            let read = ahead.place();
            // "Supply card on Dal at Wolmar" and "Dal at Wolmar to Riga", but not "Dal stays at Wolmar".
            self.at = ahead.at;
            return read.map(Some);
        }
        Ok(None)
    }

    /// "under Flemming": he leads them; "under Flemming, who stays": his Army Move, and he does not go himself [R-003-12].
    fn under(&mut self, movers: &mut Movers) -> Result<bool, Fault> {
        let Some(item) = self.peek_at(1) else { return Ok(false) };
        let units: Vec<UnitId> = item.things().iter().filter_map(unit_of).collect();
        if units.is_empty() {
            return Ok(false);
        }
        let at = (item.first, item.last);
        let own: Vec<UnitId> =
            units.iter().copied().filter(|id| self.index.unit(*id).is_some_and(|unit| unit.is_leader())).collect();
        if own.is_empty() {
            let name = units.first().map_or_else(String::new, |id| self.index.unit_name(*id));
            return Err(Fault::words(Some(at), format!("{name} leads no army of yours."), ""));
        }
        self.at += 2;
        let leader = UnitRef { units: own, with: false, stands: None, at };
        let joint = usize::from(self.peek().is_some_and(|item| item.is_sign(Sign::Comma) || item.is_sign(Sign::Open)));
        if self.peek_at(joint).is_some_and(|item| item.is(Small::Behind)) {
            self.at += joint + 1;
            self.eat_sign(Sign::Close);
            movers.under = Some(leader);
        } else {
            movers.named.insert(0, leader);
        }
        Ok(true)
    }

    /// A place that stands for those in it, where it cannot be a goal: "Wolmar to Riga".
    fn place_subject(&mut self, movers: &mut Movers, subject: bool) -> Result<bool, Fault> {
        let start = self.at;
        if !subject || !movers.is_empty() {
            return Ok(false);
        }
        let Some(place) = self.place_at(0) else { return Ok(false) };
        let words = self.peek().map_or_else(String::new, |item| self.typed(item));
        self.at += 1;
        self.eat_sign(Sign::Colon);
        let goes = match self.peek().map(|item| &item.lex) {
            Some(Lex::Verb(verb)) => matches!(
                verb,
                Verb::March
                    | Verb::Forced
                    | Verb::Hold
                    | Verb::Retreat
                    | Verb::FallBack
                    | Verb::ToTheLast
                    | Verb::Fight
                    | Verb::Avoid
                    | Verb::Sortie
                    | Verb::JoinRelief
            ),
            Some(Lex::Sign(Sign::Arrow)) | Some(Lex::Small(Small::To)) => true,
            Some(Lex::Sign(Sign::Dash)) => self.place_at(1).is_some(),
            _ => false,
        };
        if !goes {
            self.at = start;
            return Ok(false);
        }
        movers.bare_place = Some((place, self.index.units_called(&words)));
        Ok(true)
    }

    /// "all his brigades", "everything Croy has at Jama", "2 infantry", "every garrison", "the army at Wolmar".
    fn collective(&mut self, movers: &mut Movers) -> Result<bool, Fault> {
        let start = self.at;
        let mut all = false;
        let mut every_one = false;
        let mut his = false;
        let mut rest = false;
        let mut count = None;
        let mut kind = None;
        let mut army = false;
        let mut brigades = false;
        while let Some(item) = self.peek() {
            match &item.lex {
                Lex::Small(Small::All) => all = true,
                Lex::Small(Small::Everyone) => every_one = true,
                Lex::Small(Small::His) => his = true,
                Lex::Small(Small::Rest) => rest = true,
                Lex::Small(Small::Army) => army = true,
                Lex::Small(Small::Brigades) => brigades = true,
                Lex::Number(n) if count.is_none() && self.counts() => count = Some(*n),
                Lex::Kind(k) if kind.is_none() => kind = Some(*k),
                Lex::Small(Small::Garrison) => return self.garrison(movers, all),
                Lex::Small(Small::Of)
                    if rest && self.peek_at(1).is_some_and(|next| next.is(Small::His) || next.is(Small::He)) => {}
                _ => break,
            }
            self.at += 1;
        }
        let at = self.range(start, self.at);
        if kind.is_some() || count.is_some() {
            let place = self.collective_place()?;
            if place.is_none() && movers.named.is_empty() && !subject_like(self.peek()) {
                return Ok(false);
            }
            movers.selected.push(Selection { count, kind, place, at });
            return Ok(true);
        }
        if !(all || every_one || his || rest || army || brigades) {
            return Ok(false);
        }
        if rest
            && !his
            && movers.named.is_empty()
            && self.peek().is_none_or(|item| !(item.is(Small::Of) || item.is(Small::With) || item.is(Small::At)))
        {
            movers.others = true;
            return Ok(true);
        }
        self.whose(movers, his || rest, every_one || all, army || brigades)
    }

    fn counts(&self) -> bool {
        self.peek_at(1).is_some_and(|next| matches!(next.lex, Lex::Kind(_) | Lex::Small(Small::Brigades)))
    }

    fn garrison(&mut self, movers: &mut Movers, all: bool) -> Result<bool, Fault> {
        self.at += 1;
        let led = self.peek().is_some_and(|item| matches!(item.lex, Lex::Small(Small::Of | Small::At | Small::In)));
        if led && self.place_at(1).is_some() {
            self.at += 1;
            loop {
                movers.garrisons.push(self.place()?);
                let more = self.peek().is_some_and(|item| item.is(Small::And) || item.is_sign(Sign::Comma));
                if !(more && self.place_at(1).is_some()) {
                    return Ok(true);
                }
                self.at += 1;
            }
        }
        // "all garrisons", "the garrisons".
        movers.every_garrison = true;
        Ok(all || self.at > 0)
    }

    /// What comes behind "everything", "the army", "all brigades": of whom, or where.
    fn whose(&mut self, movers: &mut Movers, his: bool, all: bool, troops: bool) -> Result<bool, Fault> {
        let leader =
            |named: &UnitRef| named.units.iter().any(|id| self.index.unit(*id).is_some_and(|unit| unit.is_leader()));
        let leader_before = movers.named.iter().any(leader);
        if !leader_before && !movers.named.is_empty() && all && !his {
            // "Königin and Leibdragoner all to Riga"
            return Ok(self.collective_place()?.is_none());
        }
        if all {
            // "everything he has"
            self.eat(Small::He);
        }
        if self.eat(Small::With) {
            if self.eat(Small::He) {
                movers.all_with = true;
                movers.pronoun |= !leader_before;
                return Ok(true);
            }
            return self.leader_of(movers);
        }
        let leads = self.peek().is_some_and(|item| item.things().iter().any(|thing| matches!(thing, Thing::Unit(_))));
        if (self.peek().is_some_and(|item| item.is(Small::Of))
            && self.peek_at(1).is_some_and(|i| i.things().iter().any(|t| matches!(t, Thing::Unit(_)))))
            || (leads && all && !leader_before)
        {
            self.eat(Small::Of);
            self.leader_of(movers)?;
            let place = self.collective_place()?;
            if let (Some(place), Some(last)) = (place, movers.named.last_mut()) {
                last.stands = Some(place);
            }
            return Ok(true);
        }
        if self.peek().is_some_and(|item| item.is(Small::Under)) {
            self.under(movers)?;
            movers.all_with = true;
            return Ok(true);
        }
        if let Some(place) = self.collective_place()? {
            movers.all_at.push(place);
            return Ok(true);
        }
        if leader_before {
            movers.all_with = true;
        } else if his {
            movers.all_with = true;
            movers.pronoun = true;
        } else if all {
            movers.everyone = true;
        } else if troops {
            movers.pronoun = true;
            movers.all_with = true;
        }
        Ok(true)
    }

    fn leader_of(&mut self, movers: &mut Movers) -> Result<bool, Fault> {
        let Some(item) = self.peek() else { return Ok(false) };
        let units: Vec<UnitId> = item.things().iter().filter_map(unit_of).collect();
        if units.is_empty() {
            return Ok(false);
        }
        let at = (item.first, item.last);
        let own: Vec<UnitId> = units.iter().copied().filter(|id| self.index.forces.contains_key(id)).collect();
        if own.is_empty() {
            return Err(self.not_his(at, &units));
        }
        self.at += 1;
        movers.all_with = true;
        movers.named.push(UnitRef { units: own, with: false, stands: None, at });
        Ok(true)
    }

    /// "at Wolmar", "from Wolmar", "in Riga".
    fn collective_place(&mut self) -> Result<Option<PlaceRef>, Fault> {
        let led = self.peek().is_some_and(|item| {
            matches!(item.lex, Lex::Small(Small::At | Small::In | Small::Of)) || item.is_sign(Sign::At)
        });
        if led && self.place_at(1).is_some() {
            self.at += 1;
            return self.place().map(Some);
        }
        Ok(None)
    }

    /// Why a unit named cannot be commanded.
    fn not_his(&self, at: (usize, usize), units: &[UnitId]) -> Fault {
        let Some(setup) = units.first().and_then(|id| self.index.setup(*id)) else {
            return Fault::words(Some(at), "That is none of your units.", "");
        };
        let campaign = &self.index.view.campaign;
        let name = &setup.short;
        if setup.seat != *self.index.seat {
            let owner = campaign.seat_name(&setup.seat);
            let near = self.index.near(&crate::orders::fold(name)).into_iter();
            let own = near.filter(|thing| matches!(thing, Thing::Unit(id) if self.index.forces.contains_key(id)));
            return Fault::illegal(
                Some(at),
                format!("{name} is {owner}'s, not yours to order."),
                did_you_mean(own.map(|thing| self.index.name(&thing))),
                &[],
            );
        }
        let now = (self.index.view.year, self.index.view.season);
        match setup.arrives {
            Some((year, season)) if (year, season) > now => {
                Fault::illegal(Some(at), format!("{name} has not arrived yet: {season} {year}."), "", &[])
            }
            _ => Fault::illegal(Some(at), format!("{name} is not on the board."), "", &[]),
        }
    }
}

/// Whether what follows makes a bare "2 infantry" the subject of a march.
fn subject_like(next: Option<&Item>) -> bool {
    matches!(
        next.map(|item| &item.lex),
        Some(
            Lex::Small(Small::From | Small::To | Small::Under)
                | Lex::Verb(
                    Verb::March | Verb::Forced | Verb::Sail | Verb::Naval | Verb::Hold | Verb::Fight | Verb::Avoid
                )
                | Lex::Sign(Sign::Colon | Sign::Arrow)
        )
    )
}

/// "Flemming's army", "Flemming's brigades", "Flemming's men".
fn is_following(item: &Item) -> bool {
    item.is(Small::Army) || item.is(Small::Brigades)
}

/// The unit that a thing is.
pub(super) fn unit_of(thing: &Thing) -> Option<UnitId> {
    match thing {
        Thing::Unit(id) => Some(*id),
        _ => None,
    }
}
