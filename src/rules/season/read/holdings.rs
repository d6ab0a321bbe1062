//! Cards of the hand, brigades of the pool, money of the bank: what an order takes from them.

use super::deeds::{capital, hex_of, only};
use super::draft::{Amount, CardRef, CardWish, Cond, Fault, Movers, PlaceRef, Range};
use super::index::Thing;
use super::resolve::{Outcome, Resolver};
use crate::engine::sheet::ComplaintKind;
use crate::engine::{HexId, UnitId};
use crate::orders::choice::{Chooser, Doubt};
use crate::rules::season::campaign::{Kind, rule};
use crate::rules::season::cards::{Card, EventGroup};
use crate::rules::season::order::{Build, Buy, Diplomacy, EventPlay, Order};

type Result<T> = std::result::Result<T, Fault>;

impl Resolver<'_, '_> {
    /// [003 Action Cards, R-003-06]: a card of the hand.
    pub(super) fn action_card(&self, wish: CardWish, at: Range) -> Result<Outcome> {
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
                let fitting: Vec<(u8, u8)> =
                    actions.iter().copied().filter(|(have, _)| u32::from(*have) == value).collect();
                if let ([.., second, best], true) = (fitting.as_slice(), fitting.len() > 1) {
                    let message = format!(
                        "You hold {} cards of value {value}; I take no. {}, which moves first.",
                        fitting.len(),
                        best.1
                    );
                    let help = format!("For another one give its number: \"Action card {value} (no. {})\".", second.1);
                    notes.push(Fault::advice(Some(at), message, help, &[rule("R-003-06")]));
                }
                fitting.last().copied()
            }
        };
        match chosen {
            Some((value, serial)) => {
                Ok(Outcome { orders: vec![Order::ActionCard(Card::Action { value, serial })], notes })
            }
            None => Err(self.no_card(at, "You hold no such Action card.", &actions)),
        }
    }

    pub(super) fn no_card(&self, at: Range, message: &str, actions: &[(u8, u8)]) -> Fault {
        let list: Vec<String> =
            actions.iter().map(|(value, serial)| format!("Action card {value} (no. {serial})")).collect();
        let help = if !list.is_empty() {
            format!("In your hand: {}.", list.join(", "))
        } else if self.index.view.campaign.house.event_as_action {
            "You hold no Action card; an Event card can be thrown in as one of value 1: \"play ... as an Action card\"."
                .to_owned()
        } else {
            "You hold no Action card.".to_owned()
        };
        Fault::illegal(Some(at), message, help, &[rule("003 Action Cards"), rule("R-003-09")])
    }

    pub(super) fn hand(&self) -> &[Card] {
        self.index.view.purse.as_ref().map_or(&[], |purse| &purse.hand)
    }

    /// The copy of an event card that is still in the hand and not played by this letter yet.
    pub(super) fn event_card(&self, card: &CardRef) -> Result<Card> {
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
        let help = if events.is_empty() {
            "You hold no Event card.".to_owned()
        } else {
            format!("Your Event cards: {}.", events.join(", "))
        };
        Err(Fault::illegal(Some(card.at), format!("You hold no {name}{again}."), help, &[rule("003 Event Cards")]))
    }

    pub(super) fn discard(&self, card: &CardRef) -> Result<Outcome> {
        if !self.index.view.campaign.house.event_as_action {
            return Err(Fault::illegal(
                Some(card.at),
                "In this campaign an Event card cannot be thrown in as an Action card.",
                "",
                &[rule("R-003-09")],
            ));
        }
        only(Order::ActionCard(self.event_card(card)?))
    }

    pub(super) fn event(
        &self,
        card: &CardRef,
        targets: &[(Vec<Thing>, Range)],
        garrisons: &Movers,
        cond: Option<&Cond>,
        chooser: &mut Chooser,
    ) -> Result<Outcome> {
        let chosen = match self.event_card(card) {
            Ok(card) => card,
            // "if I hold one": nothing is wrong if he does not.
            Err(fault) if cond == Some(&Cond::Meta) => {
                return Ok(Outcome { orders: Vec::new(), notes: vec![Fault { kind: ComplaintKind::Advice, ..fault }] });
            }
            Err(fault) => return Err(fault),
        };
        let mut play =
            EventPlay { card: chosen, units: Vec::new(), hexes: Vec::new(), seats: Vec::new(), condition: None };
        let mut garrisons = garrisons.garrisons.iter();
        for (things, at) in targets {
            if things.is_empty() {
                let Some(hex) = garrisons.next().and_then(|place| self.place(place, chooser)) else { continue };
                play.units.extend(self.garrison(hex));
                continue;
            }
            let brigades = self.supplied_there(&play.card, things, chooser)?;
            if let Some(unit) = brigades {
                play.units.push(unit);
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

    /// A Supply card on a city that raises no Cossacks means a brigade there [R-003-58]: the only one that can take a step, or asked.
    fn supplied_there(&self, card: &Card, things: &[Thing], chooser: &mut Chooser) -> Result<Option<UnitId>> {
        let Card::Event { id, .. } = card else { return Ok(None) };
        let supply =
            matches!(self.index.view.campaign.cards.event(id).map(|event| &event.group), Some(EventGroup::Supply(_)));
        let [Thing::Place(hex)] = things else { return Ok(None) };
        if !supply || self.index.view.campaign.board.city(*hex).is_some_and(|city| city.cossack) {
            return Ok(None);
        }
        let weak = |id: &UnitId| self.unit(*id).is_some_and(|unit| unit.strength < unit.max && !unit.kind.is_feudal());
        let options: Vec<UnitId> = self.brigades_at(*hex).into_iter().filter(weak).collect();
        if options.is_empty() {
            let message = format!("No brigade of yours at {} can take a Supply step.", self.index.place_name(*hex));
            return Err(Fault::illegal(None, message, "", &[rule("R-003-58")]));
        }
        let name = self.index.place_name(*hex);
        Ok(chooser.pick(&options, || Doubt {
            message: format!("Which brigade at {name} is to have the step?"),
            cites: vec![rule("R-003-58")],
        }))
    }

    /// [R-003-58]: steps go to different brigades in friendly, unbesieged Supply Cities; what cannot take one is said.
    pub(super) fn check_supply(&self, play: &EventPlay, at: Range, notes: &mut Vec<Fault>) {
        let Card::Event { id, .. } = &play.card else { return };
        let Some(EventGroup::Supply(steps)) = self.index.view.campaign.cards.event(id).map(|event| &event.group) else {
            return;
        };
        let cites = [rule("003 Event Cards"), rule("R-003-58"), rule("R-003-101")];
        let mut say = |message: String| notes.push(Fault::advice(Some(at), message, "", &cites));
        if play.units.len() > usize::from(*steps) {
            say(format!(
                "The card gives {steps} steps, and {} brigades are named: they go in the order written.",
                play.units.len()
            ));
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

    /// [003 Deployment, R-003-63]; without a place the best home supply city is taken.
    pub(super) fn build(
        &self,
        count: u32,
        kind: Kind,
        place: Option<&PlaceRef>,
        name: Option<Range>,
        at: Range,
        chooser: &mut Chooser,
    ) -> Result<Outcome> {
        if self.index.view.campaign.brigade(self.index.seat, kind).is_none()
            || kind.is_feudal()
            || kind == Kind::Cossacks
        {
            let message = format!("{kind} cannot be built from the pool.");
            return Err(Fault::illegal(Some(at), capital(&message), "", &[rule("003 Deployment"), rule("R-003-58")]));
        }
        let hex = match place {
            Some(place) => self.place(place, chooser),
            None => self.best_home(kind),
        };
        let Some(hex) = hex else {
            return Err(Fault::illegal(
                Some(at),
                "You hold no city where it could be built.",
                "",
                &[rule("003 Deployment"), rule("R-003-63")],
            ));
        };
        if !(1..=10).contains(&count) {
            return Err(Fault::words(Some(at), "So many cannot be built in a turn.", ""));
        }
        let build = Order::Build(Build { kind, at: hex, name: name.map(|at| (self.text)(at)) });
        Ok(Outcome { orders: (0..count).map(|_| build.clone()).collect(), notes: Vec::new() })
    }

    /// The home supply city (for ships: home port) with the highest value, then the lowest hex.
    pub(super) fn best_home(&self, kind: Kind) -> Option<HexId> {
        let view = self.index.view;
        let cities = view.campaign.board.hexes.iter().filter_map(|(hex, data)| Some((*hex, data.city.as_ref()?)));
        let fitting = cities.filter(|(hex, city)| {
            city.home_of.as_ref() == Some(self.index.seat)
                && super::weigh::building_place(view, self.index.seat, *hex, kind).is_ok()
        });
        fitting.max_by_key(|(hex, city)| (city.value, std::cmp::Reverse(*hex))).map(|(hex, _)| hex)
    }

    /// [003 Purchase new Brigades, R-003-101].
    pub(super) fn buy(&self, list: &[(Amount, Kind, Range)]) -> Result<Outcome> {
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
                return Err(Fault::illegal(
                    Some(*at),
                    capital(&format!("{kind} cannot be bought.")),
                    "",
                    &[rule("003 Purchase new Brigades")],
                ));
            }
            let count = match amount {
                Amount::Number(count) => *count,
                Amount::Most => spent.most(self.index.view, self.index.seat, *kind),
            };
            if count == 0 || count > 99 {
                return Err(Fault::illegal(
                    Some(*at),
                    "That cannot be bought.",
                    "",
                    &[rule("003 Purchase new Brigades")],
                ));
            }
            let buy = Buy { kind: *kind, count };
            spent.pay(self.index.view, self.index.seat, &buy);
            outcome.orders.push(Order::Buy(buy));
        }
        Ok(outcome)
    }

    pub(super) fn cede(&self, place: &PlaceRef, to: &crate::engine::SeatId, chooser: &mut Chooser) -> Result<Outcome> {
        let Some(hex) = self.place(place, chooser) else { return Ok(Outcome::default()) };
        if self.index.view.controller(hex) != Some(self.index.seat) {
            let message = format!("{} is not yours to hand over.", self.index.place_name(hex));
            return Err(Fault::illegal(Some(place.at), message, "", &[rule("R-003-03"), rule("R-003-49")]));
        }
        only(Order::Diplomacy(Diplomacy::Cede { hex, to: to.clone() }))
    }
}
