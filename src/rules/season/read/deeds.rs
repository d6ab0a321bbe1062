//! Everything but marches: what a clause says becomes orders.

use super::draft::{Clause, Cond, Draft, Fault, Movers, PlaceRef, Range};
use super::resolve::{Outcome, Resolver};
use crate::engine::sheet::ComplaintKind;
use crate::engine::{HexId, UnitId};
use crate::orders::choice::{Chooser, Doubt};
use crate::rules::season::campaign::rule;
use crate::rules::season::order::{Diplomacy, Intent, Order, Retreat, RetreatWhen, SiegeAction, Who};

type Result<T> = std::result::Result<T, Fault>;

pub(super) fn only(order: Order) -> Result<Outcome> {
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
        let if_attacked =
            matches!(cond, Some(Cond::Retreat(RetreatWhen::AtOnce))) && matches!(clause.draft, Draft::Intent { .. });
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
            Draft::Build { count, kind, place, name, at } => {
                self.build(*count, *kind, place.as_ref(), *name, *at, chooser)
            }
            Draft::Buy(list) => self.buy(list),
            Draft::Levy { call, places } => {
                let places = places.iter().filter_map(|place| self.place(place, chooser)).collect();
                only(Order::Levy { call: *call, places })
            }
            Draft::Intent { movers, place, give, foe } => {
                self.intent(clause, (movers, place.as_ref()), *give, *foe, words, chooser)
            }
            Draft::Retreat { movers, when, to, maybe_march } => {
                self.retreat(clause, movers, *when, to.as_ref(), *maybe_march, chooser)
            }
            Draft::Siege { movers, place, action, it } => {
                self.siege((movers, *it), place.as_ref(), *action, (cond, words), chooser)
            }
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

    // --- units

    fn hold(&self, movers: &Movers, place: Option<&PlaceRef>, chooser: &mut Chooser) -> Result<Outcome> {
        let hex = place.and_then(|place| self.place(place, chooser));
        let units = if movers.is_empty() || movers.nobody {
            let here: Vec<UnitId> =
                hex.into_iter().flat_map(|hex| self.leaders_at(hex).into_iter().chain(self.brigades_at(hex))).collect();
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
        let all = movers.is_empty() || movers.everyone || movers.nobody;
        if all && movers.except.is_empty() {
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
            let named = |id: &UnitId| self.index.unit_name(*id);
            let names = match self.told.last.as_slice() {
                [first, second, third, rest @ ..] if rest.len() > 2 => {
                    format!("{}, {}, {} and {} more", named(first), named(second), named(third), rest.len())
                }
                few => few.iter().map(named).collect::<Vec<_>>().join(", "),
            };
            let picked = chooser.pick(&[last, Who::All], || Doubt {
                message: format!("Is that for {names} only, or for all your units?"),
                cites: Vec::new(),
            });
            return Ok(picked.unwrap_or(Who::All));
        }
        if let ([place], true) = (
            movers.all_at.as_slice(),
            movers.named.is_empty() && movers.selected.is_empty() && movers.except.is_empty(),
        ) {
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

    fn intent(
        &self,
        clause: &Clause,
        whom: (&Movers, Option<&PlaceRef>),
        give: bool,
        foe: Option<Range>,
        words: &str,
        chooser: &mut Chooser,
    ) -> Result<Outcome> {
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

    fn retreat(
        &self,
        clause: &Clause,
        movers: &Movers,
        when: Option<RetreatWhen>,
        to: Option<&PlaceRef>,
        maybe_march: bool,
        chooser: &mut Chooser,
    ) -> Result<Outcome> {
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
    fn when_to_retreat(
        &self,
        clause: &Clause,
        movers: &Movers,
        to: Option<&PlaceRef>,
        maybe_march: bool,
        chooser: &mut Chooser,
    ) -> Result<Outcome> {
        let Some(place) = to else {
            let help = "For instance \"if he loses half\", \"after 2 rounds\", \"if outnumbered two to one\", \"if attacked\".";
            return Err(Fault {
                cites: vec![rule("R-003-32")],
                ..Fault::words(None, "When is the retreat to be?", help)
            });
        };
        let march =
            super::draft::MarchDraft { movers: movers.clone(), legs: vec![vec![place.clone()]], ..Default::default() };
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
    fn siege(
        &self,
        whom: (&Movers, bool),
        place: Option<&PlaceRef>,
        action: SiegeAction,
        said: (Option<&Cond>, &str),
        chooser: &mut Chooser,
    ) -> Result<Outcome> {
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
            let arrival = if action == SiegeAction::Besiege {
                Some(crate::rules::season::order::Arrival::Besiege)
            } else {
                Some(crate::rules::season::order::Arrival::Enter)
            };
            let goal = PlaceRef { hexes: vec![city], at: at.unwrap_or(movers.at.unwrap_or((0, 0))) };
            let march = super::draft::MarchDraft {
                movers: movers.clone(),
                legs: vec![vec![goal]],
                arrival,
                ..Default::default()
            };
            return self.march(&march, cond, chooser);
        }
        if !self.enemy_city(city) && action != SiegeAction::Raise {
            return Err(Fault::illegal(at, format!("{name} is no enemy's city."), "", &[rule("003 Sieges")]));
        }
        if matches!(cond, Some(Cond::On(..))) {
            return Ok(kept("an order with a condition of this kind", words));
        }
        let mut notes = Vec::new();
        let coming = self.told.wishes.contains_key(&city)
            && self
                .told
                .orders
                .iter()
                .any(|order| matches!(order, Order::March(march) if march.path.last() == Some(&city)));
        if self.brigades_at(city).is_empty() && !coming {
            let message = format!("You have no brigades at {name} now.");
            notes.push(Fault::advice(at, message, "The order stands for whoever gets there.", &[rule("003 Sieges")]));
        }
        Ok(Outcome { orders: vec![Order::Siege { city, action }], notes })
    }

    /// The one city that this seat besieges, if there is only one.
    fn only_siege(&self) -> Option<HexId> {
        let mut own =
            self.index.view.sieges.iter().filter(|(_, siege)| siege.by == *self.index.seat).map(|(hex, _)| *hex);
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
                Order::Intent(Intent { who: Who::Units(units), .. })
                | Order::Retreat(Retreat { who: Who::Units(units), .. }) => spoken.extend(units),
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

pub(super) fn hex_of(condition: &crate::rules::season::order::Condition) -> HexId {
    use crate::rules::season::order::Condition;
    match condition {
        Condition::EnemyAvoids(hex)
        | Condition::EnemyAt(hex)
        | Condition::NoEnemyAt(hex)
        | Condition::WeWin(hex)
        | Condition::WeHold(hex) => *hex,
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
            (SiegeAction::Sortie | SiegeAction::JoinRelief, Some(Cond::FriendsFight(_)))
                | (SiegeAction::Besiege | SiegeAction::Storm, Some(Cond::On(..)))
        ),
        Draft::GoOn { .. } => {
            matches!(cond, Some(Cond::On(super::draft::CondKind::Win | super::draft::CondKind::Hold, _)))
        }
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

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + chars.as_str())
}
