//! Everything but marches: what a clause says becomes orders.

use super::draft::{Amount, CardRef, CardWish, Clause, Cond, Draft, Fault, Movers, PlaceRef, Range};
use super::index::Thing;
use super::resolve::{Outcome, Resolver};
use crate::engine::sheet::ComplaintKind;
use crate::engine::{HexId, UnitId};
use crate::orders::choice::{Chooser, Doubt};
use crate::rules::season::campaign::{Kind, rule};
use crate::rules::season::cards::{Card, EventGroup};
use crate::rules::season::order::{Build, Buy, Diplomacy, EventPlay, Intent, Order, Retreat, RetreatWhen, SiegeAction, Who};

type Result<T> = std::result::Result<T, Fault>;

fn only(order: Order) -> Result<Outcome> {
    Ok(Outcome { orders: vec![order], notes: Vec::new() })
}

impl Resolver<'_, '_> {
    /// The orders of one clause. `words` are the clause's own, for what is only kept.
    ///
    /// # Errors
    /// If it cannot be carried out or not be read.
    pub fn clause(&self, clause: &Clause, words: &str, chooser: &mut Chooser) -> Result<Outcome> {
        let cond = clause.cond.as_ref();
        // "gives battle if attacked": nobody gives battle otherwise.
        let if_attacked = matches!(cond, Some(Cond::Retreat(RetreatWhen::AtOnce))) && matches!(clause.draft, Draft::Intent { .. });
        if if_attacked {
            return self.clause(&Clause { cond: None, ..clause.clone() }, words, chooser);
        }
        if cond.is_some() && !takes_condition(&clause.draft, cond) {
            return Ok(kept("an order with a condition of this kind", words));
        }
        match &clause.draft {
            Draft::Card(wish) => self.action_card(*wish, clause.at),
            Draft::NoCard => only(Order::NoActionCard),
            Draft::Discard(card) => self.discard(card),
            Draft::Event { card, targets, garrisons } => self.event(card, targets, garrisons, cond, chooser),
            Draft::March(march) => self.march(march, cond, chooser),
            Draft::Hold { movers, place } => self.hold(movers, place.as_ref(), chooser),
            Draft::Build { count, kind, place, name, at } => self.build(*count, *kind, place.as_ref(), *name, *at, chooser),
            Draft::Buy(list) => self.buy(list),
            Draft::Levy { call, places } => {
                let places = places.iter().filter_map(|place| self.place(place, chooser)).collect();
                only(Order::Levy { call: *call, places })
            }
            Draft::Intent { movers, place, give, foe } => self.intent(clause, (movers, place.as_ref()), *give, *foe, words, chooser),
            Draft::Retreat { movers, when, to, maybe_march } => self.retreat(clause, movers, *when, to.as_ref(), *maybe_march, chooser),
            Draft::Siege { movers, place, action, it } => self.siege((movers, *it), place.as_ref(), *action, (cond, words), chooser),
            Draft::War(seat) => only(Order::Diplomacy(Diplomacy::War(seat.clone()))),
            Draft::Peace(seat) => only(Order::Diplomacy(Diplomacy::Peace(seat.clone()))),
            Draft::Passage(seat, true) => only(Order::Diplomacy(Diplomacy::Passage(seat.clone()))),
            Draft::Passage(seat, false) => only(Order::Diplomacy(Diplomacy::NoPassage(seat.clone()))),
            Draft::Cede { place, to } => self.cede(place, to, chooser),
            Draft::HitsFirst(movers) => only(Order::HitsFirst(self.units(movers, chooser)?)),
            Draft::FeedFirst(movers) => only(Order::FeedFirst(self.units(movers, chooser)?)),
            Draft::Kept(about) => Ok(kept(about, words)),
            // Both are taken in by the letter, which knows the orders so far.
            Draft::GoOn { .. } | Draft::Withdraw(_) => Ok(Outcome::default()),
        }
    }

    // --- cards

    /// [003 Action Cards, R-003-06]: a card of the hand.
    fn action_card(&self, wish: CardWish, at: Range) -> Result<Outcome> {
        let hand = self.hand();
        let mut actions: Vec<(u8, u8)> = hand
            .iter()
            .filter_map(|card| match card {
                Card::Action { value, serial } => Some((*value, *serial)),
                Card::Event { .. } => None,
            })
            .collect();
        actions.sort_unstable();
        let mut notes = Vec::new();
        let chosen = match wish {
            CardWish::Highest => actions.last().copied(),
            CardWish::Lowest | CardWish::Any => actions.first().copied(),
            CardWish::Serial(serial) => actions.iter().copied().find(|(_, have)| u32::from(*have) == serial),
            CardWish::Value(value) => {
                let fitting: Vec<(u8, u8)> = actions.iter().copied().filter(|(have, _)| u32::from(*have) == value).collect();
                if let ([.., second, best], true) = (fitting.as_slice(), fitting.len() > 1) {
                    let message = format!("You hold {} cards of value {value}; I take no. {}, which moves first.", fitting.len(), best.1);
                    let help = format!("For another one give its number: \"Action card {value} (no. {})\".", second.1);
                    notes.push(Fault::advice(Some(at), message, help, &[rule("R-003-06")]));
                }
                fitting.last().copied()
            }
        };
        match chosen {
            Some((value, serial)) => Ok(Outcome { orders: vec![Order::ActionCard(Card::Action { value, serial })], notes }),
            None => Err(self.no_card(at, "You hold no such Action card.", &actions)),
        }
    }

    fn no_card(&self, at: Range, message: &str, actions: &[(u8, u8)]) -> Fault {
        let list: Vec<String> = actions.iter().map(|(value, serial)| format!("Action card {value} (no. {serial})")).collect();
        let help = if !list.is_empty() {
            format!("In your hand: {}.", list.join(", "))
        } else if self.index.view.campaign.house.event_as_action {
            "You hold no Action card; an Event card can be thrown in as one of value 1: \"play ... as an Action card\".".to_owned()
        } else {
            "You hold no Action card.".to_owned()
        };
        Fault::illegal(Some(at), message, help, &[rule("003 Action Cards"), rule("R-003-09")])
    }

    fn hand(&self) -> &[Card] {
        self.index.view.purse.as_ref().map_or(&[], |purse| &purse.hand)
    }

    /// The copy of an event card that is still in the hand and not played by this letter yet.
    fn event_card(&self, card: &CardRef) -> Result<Card> {
        let played: Vec<&Card> = self
            .told
            .orders
            .iter()
            .filter_map(|order| match order {
                Order::EventCard(play) => Some(&play.card),
                Order::ActionCard(card) => Some(card),
                _ => None,
            })
            .collect();
        let steps = |id: &str| match self.index.view.campaign.cards.event(id).map(|event| &event.group) {
            Some(EventGroup::Supply(steps)) => Some(u32::from(*steps)),
            _ => None,
        };
        let fits = |id: &str| match card.supply {
            Some(wanted) => steps(id).is_some_and(|have| wanted.is_none_or(|wanted| wanted == have)),
            None => card.ids.iter().any(|wanted| wanted == id),
        };
        let mut held: Vec<&Card> = self
            .hand()
            .iter()
            .filter(|have| matches!(have, Card::Event { id, copy } if fits(id) && card.copy.is_none_or(|wanted| wanted == u32::from(*copy))))
            .collect();
        // Of Supply cards the one with most steps goes first: it is never the worse one for the same targets.
        held.sort_by_key(|have| match have {
            Card::Event { id, copy } => (std::cmp::Reverse(steps(id)), *copy),
            Card::Action { .. } => (std::cmp::Reverse(None), 0),
        });
        if let Some(free) = held.iter().find(|have| !played.contains(*have)) {
            return Ok((*free).clone());
        }
        let name = match (&card.supply, card.ids.first()) {
            (None, Some(id)) => super::index::card_name(&self.index.view.campaign, id),
            (Some(Some(steps)), _) => format!("Supply card of {steps} steps"),
            _ => "Supply card".to_owned(),
        };
        let again = if held.is_empty() { "" } else { " left" };
        let events: Vec<String> = self
            .hand()
            .iter()
            .filter_map(|card| match card {
                Card::Event { id, .. } => Some(super::index::card_name(&self.index.view.campaign, id)),
                Card::Action { .. } => None,
            })
            .collect();
        let help = if events.is_empty() { "You hold no Event card.".to_owned() } else { format!("Your Event cards: {}.", events.join(", ")) };
        Err(Fault::illegal(Some(card.at), format!("You hold no {name}{again}."), help, &[rule("003 Event Cards")]))
    }

    fn discard(&self, card: &CardRef) -> Result<Outcome> {
        if !self.index.view.campaign.house.event_as_action {
            return Err(Fault::illegal(Some(card.at), "In this campaign an Event card cannot be thrown in as an Action card.", "", &[rule("R-003-09")]));
        }
        only(Order::ActionCard(self.event_card(card)?))
    }

    fn event(&self, card: &CardRef, targets: &[(Vec<Thing>, Range)], garrisons: &Movers, cond: Option<&Cond>, chooser: &mut Chooser) -> Result<Outcome> {
        let chosen = match self.event_card(card) {
            Ok(card) => card,
            // "if I hold one": nothing is wrong if he does not.
            Err(fault) if cond == Some(&Cond::Meta) => {
                return Ok(Outcome { orders: Vec::new(), notes: vec![Fault { kind: ComplaintKind::Advice, ..fault }] });
            }
            Err(fault) => return Err(fault),
        };
        let mut play = EventPlay { card: chosen, units: Vec::new(), hexes: Vec::new(), seats: Vec::new(), condition: None };
        let mut garrisons = garrisons.garrisons.iter();
        for (things, at) in targets {
            if things.is_empty() {
                let Some(hex) = garrisons.next().and_then(|place| self.place(place, chooser)) else { continue };
                play.units.extend(self.garrison(hex));
                continue;
            }
            match self.target(things, chooser) {
                Some(Thing::Unit(id)) => play.units.push(id),
                Some(Thing::Place(hex)) => play.hexes.push(hex),
                Some(Thing::Seat(seat)) => play.seats.push(seat),
                _ => return Err(Fault::words(Some(*at), "That is no target for a card.", "")),
            }
        }
        let here = play.hexes.first().copied();
        play.condition = self.condition(cond, here, chooser)?;
        if let (Some(condition), true) = (&play.condition, play.hexes.is_empty() && play.units.is_empty()) {
            // "if they avoid at Riga, play Force Battle there"
            play.hexes.push(hex_of(condition));
        }
        let mut notes = Vec::new();
        self.check_supply(&play, card.at, &mut notes);
        Ok(Outcome { orders: vec![Order::EventCard(play)], notes })
    }

    /// [R-003-58]: steps go to different brigades in friendly, unbesieged Supply Cities; what cannot take one is said.
    fn check_supply(&self, play: &EventPlay, at: Range, notes: &mut Vec<Fault>) {
        let Card::Event { id, .. } = &play.card else { return };
        let Some(EventGroup::Supply(steps)) = self.index.view.campaign.cards.event(id).map(|event| &event.group) else { return };
        let cites = [rule("003 Event Cards"), rule("R-003-58"), rule("R-003-101")];
        let mut say = |message: String| notes.push(Fault::advice(Some(at), message, "", &cites));
        if play.units.len() > usize::from(*steps) {
            say(format!("The card gives {steps} steps, and {} brigades are named: they go in the order written.", play.units.len()));
        }
        for id in &play.units {
            let Some(unit) = self.unit(*id) else { continue };
            let view = self.index.view;
            let city = view.campaign.board.city(unit.at);
            if unit.kind.is_feudal() || !unit.is_brigade() {
                say(format!("{} can take no Supply step.", unit.short));
            } else if unit.strength >= unit.max {
                say(format!("{} is at full strength; the step would be lost on it.", unit.short));
            } else if !city.is_some_and(|city| city.is_supply_city()) {
                say(format!("{} does not stand in a supply city.", unit.short));
            } else if view.sieges.contains_key(&unit.at) {
                say(format!("{} is besieged.", self.index.place_name(unit.at)));
            }
        }
    }

    // --- purse

    /// [003 Deployment, R-003-63]; without a place the best home supply city is taken.
    fn build(&self, count: u32, kind: Kind, place: Option<&PlaceRef>, name: Option<Range>, at: Range, chooser: &mut Chooser) -> Result<Outcome> {
        if self.index.view.campaign.brigade(self.index.seat, kind).is_none() || kind.is_feudal() || kind == Kind::Cossacks {
            let message = format!("{kind} cannot be built from the pool.");
            return Err(Fault::illegal(Some(at), capital(&message), "", &[rule("003 Deployment"), rule("R-003-58")]));
        }
        let hex = match place {
            Some(place) => self.place(place, chooser),
            None => self.best_home(kind),
        };
        let Some(hex) = hex else {
            return Err(Fault::illegal(Some(at), "You hold no city where it could be built.", "", &[rule("003 Deployment"), rule("R-003-63")]));
        };
        if !(1..=10).contains(&count) {
            return Err(Fault::words(Some(at), "So many cannot be built in a turn.", ""));
        }
        let build = Order::Build(Build { kind, at: hex, name: name.map(|at| (self.text)(at)) });
        Ok(Outcome { orders: (0..count).map(|_| build.clone()).collect(), notes: Vec::new() })
    }

    /// The home supply city (for ships: home port) with the highest value, then the lowest hex.
    fn best_home(&self, kind: Kind) -> Option<HexId> {
        let view = self.index.view;
        let cities = view.campaign.board.hexes.iter().filter_map(|(hex, data)| Some((*hex, data.city.as_ref()?)));
        let fitting = cities.filter(|(hex, city)| {
            city.home_of.as_ref() == Some(self.index.seat)
                && super::weigh::building_place(view, self.index.seat, *hex, kind).is_ok()
        });
        fitting.max_by_key(|(hex, city)| (city.value, std::cmp::Reverse(*hex))).map(|(hex, _)| hex)
    }

    /// [003 Purchase new Brigades, R-003-101].
    fn buy(&self, list: &[(Amount, Kind, Range)]) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut spent = super::weigh::Purse::of(self.index.view);
        for order in &self.told.orders {
            if let Order::Buy(buy) = order {
                spent.pay(self.index.view, self.index.seat, buy);
            }
        }
        for (amount, kind, at) in list {
            let priced = self.index.view.campaign.brigade(self.index.seat, *kind).filter(|row| row.money > 0);
            if priced.is_none() {
                return Err(Fault::illegal(Some(*at), capital(&format!("{kind} cannot be bought.")), "", &[rule("003 Purchase new Brigades")]));
            }
            let count = match amount {
                Amount::Number(count) => *count,
                Amount::Most => spent.most(self.index.view, self.index.seat, *kind),
            };
            if count == 0 || count > 99 {
                return Err(Fault::illegal(Some(*at), "That cannot be bought.", "", &[rule("003 Purchase new Brigades")]));
            }
            let buy = Buy { kind: *kind, count };
            spent.pay(self.index.view, self.index.seat, &buy);
            outcome.orders.push(Order::Buy(buy));
        }
        Ok(outcome)
    }

    fn cede(&self, place: &PlaceRef, to: &crate::engine::SeatId, chooser: &mut Chooser) -> Result<Outcome> {
        let Some(hex) = self.place(place, chooser) else { return Ok(Outcome::default()) };
        if self.index.view.controller(hex) != Some(self.index.seat) {
            let message = format!("{} is not yours to hand over.", self.index.place_name(hex));
            return Err(Fault::illegal(Some(place.at), message, "", &[rule("R-003-03"), rule("R-003-49")]));
        }
        only(Order::Diplomacy(Diplomacy::Cede { hex, to: to.clone() }))
    }

    // --- units

    fn hold(&self, movers: &Movers, place: Option<&PlaceRef>, chooser: &mut Chooser) -> Result<Outcome> {
        let hex = place.and_then(|place| self.place(place, chooser));
        let units = if movers.is_empty() || movers.nobody {
            let here: Vec<UnitId> = hex.into_iter().flat_map(|hex| self.leaders_at(hex).into_iter().chain(self.brigades_at(hex))).collect();
            match (hex, here.is_empty(), place) {
                (Some(hex), true, Some(place)) => return Err(self.nobody_there(hex, place)),
                (Some(_), false, _) => here,
                _ if !self.told.last.is_empty() => self.told.last.clone(),
                _ => return Err(Fault::words(movers.at, "Who is to stay?", "Name the units.")),
            }
        } else {
            self.units(movers, chooser)?
        };
        if let (Some(hex), Some(place)) = (hex, place) {
            for id in &units {
                self.check_stands(*id, Some(hex), place.at)?;
            }
        }
        only(Order::Hold(units))
    }

    /// Whom an intent or a retreat is about.
    fn who(&self, clause: &Clause, movers: &Movers, place: Option<HexId>, chooser: &mut Chooser) -> Result<Who> {
        if movers.is_empty() || movers.everyone || movers.nobody {
            if let Some(hex) = place {
                return Ok(Who::At(hex));
            }
            if !movers.is_empty() || self.told.last.is_empty() {
                return Ok(Who::All);
            }
            let last = Who::Units(self.told.last.clone());
            if !clause.after_stop {
                return Ok(last);
            }
            let names: Vec<String> = self.told.last.iter().map(|id| self.index.unit_name(*id)).collect();
            let picked = chooser.pick(&[last, Who::All], || Doubt {
                message: format!("Is that for {} only, or for all your units?", names.join(", ")),
                cites: Vec::new(),
            });
            return Ok(picked.unwrap_or(Who::All));
        }
        if let ([place], true) = (movers.all_at.as_slice(), movers.named.is_empty() && movers.selected.is_empty()) {
            return Ok(self.place(place, chooser).map_or(Who::All, Who::At));
        }
        let army = movers.all_with;
        let movers = Movers { all_with: false, ..movers.clone() };
        let units = self.units(&movers, chooser)?;
        // A leader stands for his army.
        let leads = units.iter().any(|id| self.unit(*id).is_some_and(|unit| unit.is_leader()));
        if army && !leads {
            return Ok(Who::Units(self.units(&Movers { all_with: true, ..movers }, chooser)?));
        }
        Ok(Who::Units(units))
    }

    fn intent(&self, clause: &Clause, whom: (&Movers, Option<&PlaceRef>), give: bool, foe: Option<Range>, words: &str, chooser: &mut Chooser) -> Result<Outcome> {
        let (movers, place) = whom;
        if foe.is_some() {
            return Ok(kept("an intent against one enemy only", words));
        }
        let hex = place.and_then(|place| self.place(place, chooser));
        let give = give != movers.nobody;
        let who = self.who(clause, movers, hex, chooser)?;
        let condition = self.condition(clause.cond.as_ref(), hex.or(self.told.place), chooser)?;
        only(Order::Intent(Intent { who, give, condition }))
    }

    fn retreat(&self, clause: &Clause, movers: &Movers, when: Option<RetreatWhen>, to: Option<&PlaceRef>, maybe_march: bool, chooser: &mut Chooser) -> Result<Outcome> {
        let when = match (&clause.cond, when) {
            (Some(Cond::Retreat(when)), None) => Some(*when),
            (_, when) => when,
        };
        let hex = to.and_then(|place| self.place(place, chooser));
        let Some(when) = when else { return self.when_to_retreat(clause, movers, to, maybe_march, chooser) };
        let when = if movers.nobody { RetreatWhen::Never } else { when };
        let who = self.who(clause, movers, None, chooser)?;
        only(Order::Retreat(Retreat { who, when, to: hex }))
    }

    /// "falls back to Pernau" without a condition is a march; "retreats to Pernau" could be either.
    fn when_to_retreat(&self, clause: &Clause, movers: &Movers, to: Option<&PlaceRef>, maybe_march: bool, chooser: &mut Chooser) -> Result<Outcome> {
        let Some(place) = to else {
            let help = "For instance \"if he loses half\", \"after 2 rounds\", \"if outnumbered two to one\", \"if attacked\".";
            return Err(Fault { cites: vec![rule("R-003-32")], ..Fault::words(None, "When is the retreat to be?", help) });
        };
        let march = super::draft::MarchDraft { movers: movers.clone(), legs: vec![vec![place.clone()]], ..Default::default() };
        let as_march = (maybe_march && !movers.is_empty() && !movers.pronoun)
            || chooser.pick(&[true, false], || Doubt {
                message: "Is that a march now, or a retreat from battle as soon as it comes to one?".to_owned(),
                cites: vec![rule("003 Retreats")],
            }) == Some(true);
        if as_march {
            return self.march(&march, None, chooser);
        }
        let hex = self.place(place, chooser);
        let who = self.who(clause, movers, None, chooser)?;
        only(Order::Retreat(Retreat { who, when: RetreatWhen::AtOnce, to: hex }))
    }

    /// [003 Sieges, R-003-42, R-003-47, R-003-96]: by those who stand there; others must march first.
    fn siege(&self, whom: (&Movers, bool), place: Option<&PlaceRef>, action: SiegeAction, said: (Option<&Cond>, &str), chooser: &mut Chooser) -> Result<Outcome> {
        let ((movers, it), (cond, words)) = (whom, said);
        let inside = matches!(action, SiegeAction::Sortie | SiegeAction::JoinRelief);
        let action = match (action, cond) {
            (SiegeAction::Sortie, Some(Cond::FriendsFight(_))) => SiegeAction::JoinRelief,
            (action, _) => action,
        };
        let units = if movers.is_empty() { Vec::new() } else { self.units(movers, chooser)? };
        let stand = units.first().and_then(|id| self.unit(*id)).map(|unit| unit.at);
        let named = place.and_then(|place| self.place(place, chooser));
        let at = place.map(|place| place.at);
        let city = match (named, stand, inside) {
            (Some(city), _, _) => Some(city),
            (None, _, false) if it => self.told.place,
            (None, Some(hex), _) => Some(hex),
            (None, None, true) => None,
            (None, None, false) => self.told.place.or_else(|| self.only_siege()),
        };
        let Some(city) = city else {
            return Err(Fault::words(None, "Which city?", "Name it."));
        };
        let name = self.index.place_name(city);
        if self.index.view.campaign.board.city(city).is_none() {
            return Err(Fault::illegal(at, format!("There is no city at {name}."), "", &[rule("003 Sieges")]));
        }
        if inside {
            if self.index.view.controller(city) != Some(self.index.seat) {
                return Err(Fault::illegal(at, format!("{name} is not yours."), "", &[rule("R-003-43")]));
            }
            return only(Order::Siege { city, action });
        }
        let away = !units.is_empty() && units.iter().all(|id| self.unit(*id).is_some_and(|unit| unit.at != city));
        if away && action != SiegeAction::Raise {
            let arrival = if action == SiegeAction::Besiege { Some(crate::rules::season::order::Arrival::Besiege) } else { Some(crate::rules::season::order::Arrival::Enter) };
            let goal = PlaceRef { hexes: vec![city], at: at.unwrap_or(movers.at.unwrap_or((0, 0))) };
            let march = super::draft::MarchDraft { movers: movers.clone(), legs: vec![vec![goal]], arrival, ..Default::default() };
            return self.march(&march, cond, chooser);
        }
        if !self.enemy_city(city) && action != SiegeAction::Raise {
            return Err(Fault::illegal(at, format!("{name} is no enemy's city."), "", &[rule("003 Sieges")]));
        }
        if matches!(cond, Some(Cond::On(..))) {
            return Ok(kept("an order with a condition of this kind", words));
        }
        let mut notes = Vec::new();
        let coming = self.told.wishes.contains_key(&city) && self.told.orders.iter().any(|order| matches!(order, Order::March(march) if march.path.last() == Some(&city)));
        if self.brigades_at(city).is_empty() && !coming {
            let message = format!("You have no brigades at {name} now.");
            notes.push(Fault::advice(at, message, "The order stands for whoever gets there.", &[rule("003 Sieges")]));
        }
        Ok(Outcome { orders: vec![Order::Siege { city, action }], notes })
    }

    /// The one city that this seat besieges, if there is only one.
    fn only_siege(&self) -> Option<HexId> {
        let mut own = self.index.view.sieges.iter().filter(|(_, siege)| siege.by == *self.index.seat).map(|(hex, _)| *hex);
        let first = own.next()?;
        own.next().is_none().then_some(first)
    }

    /// The units that a clause spoke of, for "he" in the next one.
    pub fn spoken(&self, orders: &[Order]) -> Vec<UnitId> {
        let mut spoken = Vec::new();
        for order in orders {
            match order {
                Order::March(march) => {
                    spoken.extend(march.army_of.filter(|_| march.leader_goes));
                    if let crate::rules::season::order::Picked::These(units) = &march.units {
                        spoken.extend(units);
                    }
                }
                Order::Hold(units) => spoken.extend(units),
                Order::Intent(Intent { who: Who::Units(units), .. }) | Order::Retreat(Retreat { who: Who::Units(units), .. }) => spoken.extend(units),
                _ => {}
            }
        }
        let mut once = Vec::new();
        for id in spoken {
            if !once.contains(&id) {
                once.push(id);
            }
        }
        once
    }
}

fn hex_of(condition: &crate::rules::season::order::Condition) -> HexId {
    use crate::rules::season::order::Condition;
    match condition {
        Condition::EnemyAvoids(hex) | Condition::EnemyAt(hex) | Condition::NoEnemyAt(hex) | Condition::WeWin(hex) | Condition::WeHold(hex) => *hex,
    }
}

fn takes_condition(draft: &Draft, cond: Option<&Cond>) -> bool {
    if cond == Some(&Cond::Meta) {
        return true;
    }
    match draft {
        Draft::March(_) | Draft::Event { .. } | Draft::Intent { .. } => matches!(cond, Some(Cond::On(..))),
        Draft::Retreat { .. } => matches!(cond, Some(Cond::Retreat(_))),
        Draft::Siege { action, .. } => matches!(
            (action, cond),
            (SiegeAction::Sortie | SiegeAction::JoinRelief, Some(Cond::FriendsFight(_))) | (SiegeAction::Besiege | SiegeAction::Storm, Some(Cond::On(..)))
        ),
        Draft::GoOn { .. } => matches!(cond, Some(Cond::On(super::draft::CondKind::Win | super::draft::CondKind::Hold, _))),
        Draft::Kept(_) => true,
        _ => false,
    }
}

fn kept(about: &str, words: &str) -> Outcome {
    let cites = [rule("R-003-89")];
    let note = Fault {
        kind: ComplaintKind::NotAdjudicated,
        at: None,
        message: format!("Kept, but not adjudicated yet: {about}."),
        help: "It stays on your sheet; this version of the rules does nothing with it.".to_owned(),
        cites: if about.contains("condition") { cites.to_vec() } else { Vec::new() },
    };
    Outcome { orders: vec![Resolver::kept(about, words)], notes: vec![note] }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}
