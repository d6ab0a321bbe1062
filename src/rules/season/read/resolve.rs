//! What a clause says, held against what the seat can see: places, units, who goes with whom.

use super::draft::{Cond, CondKind, Fault, Movers, PlaceRef, Range, Selection, UnitRef};
use super::index::{Index, Thing};
use crate::engine::{HexId, UnitId};
use crate::orders::choice::{Chooser, Doubt};
use crate::rules::season::campaign::rule;
use crate::rules::season::order::{Arrival, Condition, Order, Picked};
use crate::rules::season::state::Unit;
use std::collections::BTreeMap;

/// What has been said before in the letter.
#[derive(Clone, Debug, Default)]
pub(super) struct Told {
    /// Whom the block spoke of last.
    pub last: Vec<UnitId>,
    /// The place the block spoke of last.
    pub place: Option<HexId>,
    /// What is to be done about cities, said anywhere in the letter.
    pub wishes: BTreeMap<HexId, Arrival>,
    /// Orders so far.
    pub orders: Vec<Order>,
}

/// What came of a clause.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Outcome {
    /// Its orders.
    pub orders: Vec<Order>,
    /// Remarks, and parts that are void.
    pub notes: Vec<Fault>,
}

/// Resolves clauses.
pub(super) struct Resolver<'r, 'a> {
    /// Names and the view.
    pub index: &'r Index<'a>,
    /// What has been said before.
    pub told: &'r Told,
    /// The player's own words at some tokens.
    pub text: &'r dyn Fn(Range) -> String,
}

/// A group that leaves one hex together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Party {
    /// Where it stands.
    pub from: HexId,
    /// The leader whose Army Move it is.
    pub army_of: Option<UnitId>,
    /// He goes along.
    pub leader_goes: bool,
    /// All brigades there that have no other order.
    pub all: bool,
    /// The brigades, if not all.
    pub units: Vec<UnitId>,
}

impl<'a> Resolver<'_, 'a> {
    /// The own unit of this number.
    pub fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.index.unit(id)
    }

    /// The hex that a place's words mean.
    pub fn place(&self, place: &PlaceRef, chooser: &mut Chooser) -> Option<HexId> {
        chooser.pick(&place.hexes, || {
            let names: Vec<String> = place.hexes.iter().map(|hex| self.place_and_number(*hex)).collect();
            Doubt { message: format!("The place can be {}.", names.join(" or ")), cites: Vec::new() }
        })
    }

    /// "Riga (0205)".
    pub fn place_and_number(&self, hex: HexId) -> String {
        let name = self.index.place_name(hex);
        let number = hex.to_string();
        if name == number { number } else { format!("{name} ({number})") }
    }

    /// The unit that a name means: one that stands where it is said to, else any that bears the name.
    pub fn named(&self, named: &UnitRef, stands: Option<HexId>, chooser: &mut Chooser) -> Option<UnitId> {
        let there: Vec<UnitId> = named
            .units
            .iter()
            .copied()
            .filter(|id| stands.is_some_and(|hex| self.unit(*id).is_some_and(|unit| unit.at == hex)))
            .collect();
        let options = if there.is_empty() { &named.units } else { &there };
        chooser.pick(options, || {
            let names: Vec<String> = options.iter().map(|id| self.index.unit_name(*id)).collect();
            Doubt { message: format!("The name fits {}.", names.join(" and ")), cites: Vec::new() }
        })
    }

    /// The seat's brigades in a hex, by number.
    pub fn brigades_at(&self, hex: HexId) -> Vec<UnitId> {
        self.index.forces.values().filter(|unit| unit.at == hex && unit.is_brigade()).map(|unit| unit.id).collect()
    }

    /// The seat's leaders in a hex, the best strategist first.
    pub fn leaders_at(&self, hex: HexId) -> Vec<UnitId> {
        let mut leaders: Vec<&Unit> =
            self.index.forces.values().filter(|unit| unit.at == hex && unit.is_leader()).collect();
        leaders.sort_by_key(|unit| (std::cmp::Reverse(unit.leader.map_or(0, |l| l.strategic)), unit.id));
        leaders.into_iter().map(|unit| unit.id).collect()
    }

    /// The garrison of a city: the brigade that is called so, else all in it.
    pub fn garrison(&self, hex: HexId) -> Vec<UnitId> {
        let here = self.brigades_at(hex);
        let called: Vec<UnitId> = here
            .iter()
            .copied()
            .filter(|id| self.unit(*id).is_some_and(|unit| unit.name.ends_with("Garrison")))
            .collect();
        if called.is_empty() { here } else { called }
    }

    /// All garrisons: brigades that are called so, else all that stand in cities.
    pub fn garrisons(&self) -> Vec<UnitId> {
        let called: Vec<UnitId> =
            self.index.forces.values().filter(|unit| unit.name.ends_with("Garrison")).map(|unit| unit.id).collect();
        if !called.is_empty() {
            return called;
        }
        self.index.forces.values().filter(|unit| unit.is_brigade() && unit.in_city).map(|unit| unit.id).collect()
    }

    /// The units that movers are, in the order named, for orders that need no start: a leader's followers are not counted out.
    ///
    /// # Errors
    /// If nobody can be found.
    pub fn units(&self, movers: &Movers, chooser: &mut Chooser) -> Result<Vec<UnitId>, Fault> {
        let mut found: Vec<UnitId> = Vec::new();
        for named in &movers.named {
            let stands = named.stands.as_ref().and_then(|place| self.place(place, chooser));
            let Some(id) = self.named(named, stands, chooser) else { continue };
            self.check_stands(id, stands, named.at)?;
            found.push(id);
        }
        if movers.all_with {
            let hexes: Vec<HexId> = found.iter().filter_map(|id| self.unit(*id)).map(|unit| unit.at).collect();
            for hex in hexes {
                found.extend(self.brigades_at(hex));
            }
        }
        if movers.pronoun && found.is_empty() {
            found.extend(&self.told.last);
            if found.is_empty() {
                return Err(Fault::words(movers.at, "Who is meant? Nobody was named before.", "Name the units."));
            }
        }
        for place in &movers.all_at {
            let Some(hex) = self.place(place, chooser) else { continue };
            found.extend(self.leaders_at(hex));
            found.extend(self.brigades_at(hex));
        }
        for place in &movers.garrisons {
            let Some(hex) = self.place(place, chooser) else { continue };
            let garrison = self.garrison(hex);
            if garrison.is_empty() {
                return Err(self.nobody_there(hex, place));
            }
            found.extend(garrison);
        }
        if movers.every_garrison {
            found.extend(self.garrisons());
        }
        if movers.others {
            found.extend(self.others());
        }
        if movers.everyone {
            found.extend(self.index.forces.values().filter(|unit| !unit.kind.is_naval()).map(|unit| unit.id));
        }
        for selection in &movers.selected {
            let base = found.iter().find_map(|id| self.unit(*id)).map(|unit| unit.at);
            found.extend(self.selected(selection, base, chooser)?);
        }
        if let Some((place, called)) = &movers.bare_place {
            found.extend(self.bare(place, called, chooser)?);
        }
        let spared: Vec<UnitId> = movers.except.iter().filter_map(|named| self.named(named, None, chooser)).collect();
        let mut once = Vec::new();
        for id in found {
            if !once.contains(&id) && !spared.contains(&id) {
                once.push(id);
            }
        }
        if once.is_empty() {
            return Err(Fault::words(movers.at, "Who is meant?", "Name the units."));
        }
        Ok(once)
    }

    /// Whoever has no march: not those that go with all of an army.
    fn others(&self) -> Vec<UnitId> {
        let goes = |unit: &Unit| {
            self.told.orders.iter().any(|order| match order {
                Order::March(march) => match &march.units {
                    Picked::All => {
                        march.from == unit.at
                            && (unit.is_brigade() || march.army_of == Some(unit.id) && march.leader_goes)
                    }
                    Picked::These(units) => {
                        units.contains(&unit.id) || march.army_of == Some(unit.id) && march.leader_goes
                    }
                },
                _ => false,
            })
        };
        let land = self.index.forces.values().filter(|unit| !unit.kind.is_naval());
        land.filter(|unit| !goes(unit)).map(|unit| unit.id).collect()
    }

    /// [003 Army Movement]: a unit goes from where it stands.
    pub fn check_stands(&self, id: UnitId, said: Option<HexId>, at: (usize, usize)) -> Result<(), Fault> {
        match (self.unit(id), said) {
            (Some(unit), Some(said)) if unit.at != said => Err(self.misplaced(unit, said, at)),
            _ => Ok(()),
        }
    }

    /// What to say of a unit that stands elsewhere.
    pub fn misplaced(&self, unit: &Unit, said: HexId, at: (usize, usize)) -> Fault {
        let message =
            format!("{} is at {}, not at {}.", unit.short, self.index.place_name(unit.at), self.index.place_name(said));
        let others: Vec<String> = self
            .brigades_at(said)
            .into_iter()
            .chain(self.leaders_at(said))
            .map(|id| self.index.unit_name(id))
            .collect();
        let help = if others.is_empty() {
            String::new()
        } else {
            format!("At {} you have {}.", self.index.place_name(said), others.join(", "))
        };
        Fault::illegal(Some(at), message, help, &[rule("003 Army Movement")])
    }

    /// What to say when nobody stands there.
    pub fn nobody_there(&self, hex: HexId, place: &PlaceRef) -> Fault {
        Fault::illegal(
            Some(place.at),
            format!("You have no brigades at {}.", self.index.place_name(hex)),
            "",
            &[rule("003 Army Movement")],
        )
    }

    /// "2 infantry at Riga": all of them, or a choice if there are more.
    pub fn selected(
        &self,
        selection: &Selection,
        base: Option<HexId>,
        chooser: &mut Chooser,
    ) -> Result<Vec<UnitId>, Fault> {
        let hex = match &selection.place {
            Some(place) => self.place(place, chooser),
            // "the dragoons", if all there are stand together.
            None => base.or_else(|| {
                let of_kind = |unit: &&Unit| selection.kind.is_some_and(|kind| unit.kind == kind);
                let mut hexes: Vec<HexId> = self.index.forces.values().filter(of_kind).map(|unit| unit.at).collect();
                hexes.dedup();
                hexes.first().copied().filter(|_| hexes.len() == 1)
            }),
        };
        let Some(hex) = hex else {
            return Err(Fault::words(
                Some(selection.at),
                "Which brigades, and where?",
                "Name them, or say where they stand.",
            ));
        };
        let fitting: Vec<UnitId> = self
            .brigades_at(hex)
            .into_iter()
            .filter(|id| selection.kind.is_none_or(|kind| self.unit(*id).is_some_and(|unit| unit.kind == kind)))
            .collect();
        let what = selection.kind.map_or("brigades".to_owned(), |kind| format!("{kind}"));
        if fitting.is_empty() {
            let message = format!("You have no {what} at {}.", self.index.place_name(hex));
            return Err(Fault::illegal(Some(selection.at), message, "", &[rule("003 Army Movement")]));
        }
        let wanted = selection.count.map_or(fitting.len(), |n| usize::try_from(n).unwrap_or(usize::MAX));
        if wanted > fitting.len() {
            let message = format!("You have only {} {what} at {}.", fitting.len(), self.index.place_name(hex));
            return Err(Fault::illegal(Some(selection.at), message, "", &[rule("003 Army Movement")]));
        }
        if wanted == fitting.len() {
            return Ok(fitting);
        }
        let options = subsets(&fitting, wanted);
        let picked = chooser.pick(&options, || Doubt {
            message: format!(
                "{} {what} stand at {}; which {wanted} are meant?",
                fitting.len(),
                self.index.place_name(hex)
            ),
            cites: Vec::new(),
        });
        Ok(picked.unwrap_or_default())
    }

    /// A place standing for somebody: the units called after it, or everybody in it.
    pub fn bare(&self, place: &PlaceRef, called: &[UnitId], chooser: &mut Chooser) -> Result<Vec<UnitId>, Fault> {
        let Some(hex) = self.place(place, chooser) else { return Ok(Vec::new()) };
        let here: Vec<UnitId> = self.leaders_at(hex).into_iter().chain(self.brigades_at(hex)).collect();
        let mut options: Vec<Vec<UnitId>> = called.iter().map(|id| vec![*id]).collect();
        if !here.is_empty() && !options.contains(&here) {
            options.push(here);
        }
        if options.is_empty() {
            return Err(self.nobody_there(hex, place));
        }
        let picked = chooser.pick(&options, || Doubt {
            message: format!("\"{}\" can be a unit or all that stands there.", self.index.place_name(hex)),
            cites: Vec::new(),
        });
        Ok(picked.unwrap_or_default())
    }

    /// A condition with its hex filled in from the order if the player left it out [R-003-89].
    ///
    /// # Errors
    /// If no hex can be meant, or orders of this kind wait for nothing of the sort.
    pub fn condition(
        &self,
        cond: Option<&Cond>,
        here: Option<HexId>,
        chooser: &mut Chooser,
    ) -> Result<Option<Condition>, Fault> {
        match cond {
            None | Some(Cond::Meta) => Ok(None),
            Some(Cond::On(kind, place)) => {
                let hex = match place {
                    Some(place) => self.place(place, chooser),
                    None => here.or(self.told.place.filter(|_| *kind != CondKind::Hold)),
                };
                let Some(hex) = hex else {
                    return Err(Fault::words(
                        None,
                        "Where is the condition to be met?",
                        "Name the place: \"if the enemy is at Riga\".",
                    ));
                };
                Ok(Some(kind.at(hex)))
            }
            Some(Cond::Retreat(_) | Cond::FriendsFight(_)) => {
                let help = "A march or a card can wait for: the enemy avoiding battle, being or not being somewhere, a victory, a place held.";
                let mut fault = Fault::words(None, "This order cannot wait for that.", help);
                fault.cites = vec![rule("R-003-89")];
                Err(fault)
            }
        }
    }

    /// Whether a hex holds a city that an enemy controls.
    pub fn enemy_city(&self, hex: HexId) -> bool {
        let view = self.index.view;
        view.campaign.board.city(hex).is_some()
            && view.controller(hex).is_some_and(|owner| view.at_war(self.index.seat, owner))
    }

    /// Whether a city is fortified.
    pub fn fortified(&self, hex: HexId) -> bool {
        self.index.view.campaign.board.city(hex).is_some_and(|city| city.fort > crate::rules::season::board::Fort::None)
    }

    /// What a target of an event card is.
    pub fn target(&self, things: &[Thing], chooser: &mut Chooser) -> Option<Thing> {
        let own: Vec<Thing> =
            things.iter().filter(|thing| !matches!(thing, Thing::River(_) | Thing::Card(_))).cloned().collect();
        chooser.pick(&own, || {
            let names: Vec<String> = own.iter().map(|thing| self.index.name(thing)).collect();
            Doubt { message: format!("The name fits {}.", names.join(" and ")), cites: Vec::new() }
        })
    }
}

/// All ways to take `wanted` of these, in order; no more than a player would read through.
fn subsets(units: &[UnitId], wanted: usize) -> Vec<Vec<UnitId>> {
    if wanted == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        for mut rest in subsets(units.get(at + 1..).unwrap_or(&[]), wanted - 1) {
            rest.insert(0, *unit);
            all.push(rest);
            if all.len() >= 6 {
                return all;
            }
        }
    }
    all
}
