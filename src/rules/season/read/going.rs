//! A march as said becomes marches as ordered: who goes with whom, which way, to do what.

use super::draft::{Cond, Fault, MarchDraft, Movers, PlaceRef};
use super::resolve::{Outcome, Party, Resolver};
use crate::engine::{HexId, UnitId};
use crate::orders::choice::{Chooser, Doubt};
use crate::rules::season::board::Fort;
use crate::rules::season::campaign::{Fog, rule};
use crate::rules::season::order::{Arrival, Condition, Intent, March, Order, Picked, SiegeAction, Who};
use std::collections::BTreeMap;

type Result<T> = std::result::Result<T, Fault>;

impl Resolver<'_, '_> {
    /// All marches that a clause orders [003 Army Movement, R-003-12].
    ///
    /// # Errors
    /// If none of it can be carried out.
    pub fn march(&self, draft: &MarchDraft, cond: Option<&Cond>, chooser: &mut Chooser) -> Result<Outcome> {
        let from = draft.from.as_ref().and_then(|place| self.place(place, chooser));
        let legs = self.legs(draft, chooser)?;
        let mut legs = legs;
        if legs.is_empty() {
            legs.extend(self.told.place);
        }
        let goal = legs.last().copied();
        let Some(goal) = goal else {
            return Err(Fault::words(None, "Where to? The order names no goal.", ""));
        };
        let (parties, mut notes) = self.parties(draft, from, goal, chooser)?;
        if parties.iter().all(|party| party.from == goal) && !parties.is_empty() {
            return self.already_there(draft, &parties, goal, chooser);
        }
        let condition = self.condition(cond, Some(goal), chooser)?;
        let (arrival, attack) = self.arrival(draft, goal, condition.as_ref(), &mut notes, chooser)?;
        let mut orders = Vec::new();
        for party in parties {
            let made = self.party_march(draft, &party, &legs, arrival, &mut notes);
            orders.extend(made.into_iter().map(|march| Order::March(March { condition: condition.clone(), ..march })));
        }
        if orders.is_empty() {
            return Err(notes
                .into_iter()
                .next()
                .unwrap_or_else(|| Fault::words(None, "Nobody can carry that out.", "")));
        }
        if attack {
            orders.push(self.gives_battle(&orders));
        }
        Ok(Outcome { orders, notes })
    }

    /// "attack" means to fight: said as an intent, so that an older order to avoid battle does not stand against it.
    fn gives_battle(&self, orders: &[Order]) -> Order {
        let mut units = Vec::new();
        for order in orders {
            if let Order::March(march) = order {
                units.extend(march.army_of.filter(|_| march.leader_goes));
                if let (Picked::These(these), false) = (&march.units, march.leader_goes) {
                    units.extend(these);
                }
            }
        }
        Order::Intent(Intent { who: Who::Units(units), give: true, condition: None })
    }

    fn legs(&self, draft: &MarchDraft, chooser: &mut Chooser) -> Result<Vec<HexId>> {
        let mut legs = Vec::new();
        for options in &draft.legs {
            let place = chooser.pick(options, || {
                let names: Vec<String> =
                    options.iter().filter_map(|p| p.hexes.first()).map(|hex| self.index.place_name(*hex)).collect();
                Doubt { message: format!("Two goals are named: {}.", names.join(" and ")), cites: Vec::new() }
            });
            if let Some(hex) = place.and_then(|place| self.place(&place, chooser)) {
                self.land(hex, options)?;
                legs.push(hex);
            }
        }
        Ok(legs)
    }

    fn land(&self, hex: HexId, options: &[PlaceRef]) -> Result<()> {
        let board = &self.index.view.campaign.board;
        let land = board.hexes.get(&hex).is_some_and(|data| data.ground == crate::rules::season::board::Ground::Land);
        if land {
            return Ok(());
        }
        let at = options.first().map(|place| place.at);
        Err(Fault::illegal(at, format!("{} is water.", self.place_and_number(hex)), "", &[rule("003 Army Movement")]))
    }

    // --- who

    fn parties(
        &self,
        draft: &MarchDraft,
        from: Option<HexId>,
        goal: HexId,
        chooser: &mut Chooser,
    ) -> Result<(Vec<Party>, Vec<Fault>)> {
        let movers = &draft.movers;
        if movers.others {
            return Err(Fault::words(
                movers.at,
                "Which others?",
                "Name them, or say where they stand: \"all at Riga\".",
            ));
        }
        if movers.nobody {
            return Err(Fault::words(
                movers.at,
                "Nobody is to march: that is no order.",
                "To keep units where they are, write that they stay.",
            ));
        }
        let mut notes = Vec::new();
        let mut groups: BTreeMap<HexId, Group> = BTreeMap::new();
        let mut order: Vec<HexId> = Vec::new();
        let add = |hex: HexId, order: &mut Vec<HexId>| {
            if !order.contains(&hex) {
                order.push(hex);
            }
        };
        let mut lead_hex = None;
        for named in &movers.named {
            let stands = named.stands.as_ref().and_then(|place| self.place(place, chooser)).or(from);
            let Some(id) = self.named(named, stands, chooser) else { continue };
            let Some(unit) = self.unit(id) else { continue };
            if let Some(said) = stands.filter(|said| *said != unit.at) {
                notes.push(self.misplaced(unit, said, named.at));
                continue;
            }
            if let Some(with) = lead_hex.filter(|hex| named.with && *hex != unit.at) {
                notes.push(self.misplaced(unit, with, named.at));
                continue;
            }
            add(unit.at, &mut order);
            let group = groups.entry(unit.at).or_default();
            if unit.is_leader() {
                lead_hex.get_or_insert(unit.at);
                group.leaders.push(id);
            } else {
                group.brigades.push(id);
            }
        }
        if movers.pronoun && movers.named.is_empty() {
            self.spoken_of(movers, &mut groups, &mut order)?;
        }
        self.collected(movers, from, &mut groups, &mut order, chooser)?;
        if groups.is_empty() && notes.is_empty() {
            self.unnamed(draft, from, goal, &mut groups, &mut order)?;
        }
        let mut parties = Vec::new();
        for hex in order {
            if let Some(group) = groups.remove(&hex) {
                parties.extend(self.group_parties(hex, group, movers, chooser)?);
            }
        }
        if parties.is_empty() {
            return Err(notes
                .into_iter()
                .next()
                .unwrap_or_else(|| Fault::words(movers.at, "Who is to march?", "Name the units.")));
        }
        Ok((parties, notes))
    }

    /// "he": whoever was spoken of before.
    fn spoken_of(&self, movers: &Movers, groups: &mut BTreeMap<HexId, Group>, order: &mut Vec<HexId>) -> Result<()> {
        if self.told.last.is_empty() {
            return Err(Fault::words(movers.at, "Who is meant? Nobody was named before.", "Name the units."));
        }
        for id in &self.told.last {
            let Some(unit) = self.unit(*id) else { continue };
            if !order.contains(&unit.at) {
                order.push(unit.at);
            }
            let group = groups.entry(unit.at).or_default();
            if unit.is_leader() { group.leaders.push(*id) } else { group.brigades.push(*id) }
        }
        Ok(())
    }

    fn collected(
        &self,
        movers: &Movers,
        from: Option<HexId>,
        groups: &mut BTreeMap<HexId, Group>,
        order: &mut Vec<HexId>,
        chooser: &mut Chooser,
    ) -> Result<()> {
        let mut everything = Vec::new();
        for place in &movers.all_at {
            let Some(hex) = self.place(place, chooser) else { continue };
            if self.brigades_at(hex).is_empty() && self.leaders_at(hex).is_empty() {
                return Err(self.nobody_there(hex, place));
            }
            everything.push(hex);
        }
        if movers.everyone {
            match from {
                Some(hex) => everything.push(hex),
                None => {
                    let spared = movers
                        .except
                        .iter()
                        .flat_map(|named| named.units.first())
                        .find_map(|id| self.unit(*id))
                        .map(|unit| unit.at);
                    let Some(hex) = spared.filter(|_| movers.except.len() == 1) else {
                        let help = "Say where they stand: \"all at Riga\".";
                        return Err(Fault::words(movers.at, "All your units, from wherever they are?", help));
                    };
                    everything.push(hex);
                }
            }
        }
        for hex in everything {
            if !order.contains(&hex) {
                order.push(hex);
            }
            groups.entry(hex).or_default().everything = true;
        }
        let base =
            groups.values().flat_map(|group| &group.leaders).find_map(|id| self.unit(*id)).map(|unit| unit.at).or(from);
        let base = base.or_else(|| groups.keys().next().copied().filter(|_| groups.len() == 1));
        let mut single = Vec::new();
        for selection in &movers.selected {
            single.extend(self.selected(selection, base, chooser)?);
        }
        for place in &movers.garrisons {
            let Some(hex) = self.place(place, chooser) else { continue };
            let garrison = self.garrison(hex);
            if garrison.is_empty() {
                return Err(self.nobody_there(hex, place));
            }
            single.extend(garrison);
        }
        if movers.every_garrison {
            single.extend(self.garrisons());
        }
        if let Some((place, called)) = &movers.bare_place {
            single.extend(self.bare(place, called, chooser)?);
        }
        for id in single {
            let Some(unit) = self.unit(id) else { continue };
            if !order.contains(&unit.at) {
                order.push(unit.at);
            }
            let group = groups.entry(unit.at).or_default();
            if unit.is_leader() { group.leaders.push(id) } else { group.brigades.push(id) }
        }
        Ok(())
    }

    /// "attack Riga", "Mitau -> Riga": nobody is named; whoever was spoken of, or all that stands at the start.
    fn unnamed(
        &self,
        draft: &MarchDraft,
        from: Option<HexId>,
        goal: HexId,
        groups: &mut BTreeMap<HexId, Group>,
        order: &mut Vec<HexId>,
    ) -> Result<()> {
        if let Some(hex) = from {
            if self.brigades_at(hex).is_empty() && self.leaders_at(hex).is_empty() {
                let at = draft.from.as_ref().map(|place| place.at);
                return Err(Fault::illegal(
                    at,
                    format!("You have no units at {}.", self.index.place_name(hex)),
                    "",
                    &[rule("003 Army Movement")],
                ));
            }
            order.push(hex);
            groups.entry(hex).or_default().everything = true;
            return Ok(());
        }
        if !self.told.last.is_empty() {
            return self.spoken_of(&draft.movers, groups, order);
        }
        if draft.attacks && !self.brigades_at(goal).is_empty() {
            order.push(goal);
            groups.entry(goal).or_default().everything = true;
            return Ok(());
        }
        Err(Fault::words(
            draft.movers.at,
            "Who is to march? The order names nobody.",
            "Name the leader or the brigades.",
        ))
    }

    fn group_parties(&self, hex: HexId, group: Group, movers: &Movers, chooser: &mut Chooser) -> Result<Vec<Party>> {
        let here = self.brigades_at(hex);
        let under = movers.under.as_ref().and_then(|named| self.named(named, Some(hex), chooser));
        let under = under.filter(|id| self.unit(*id).is_some_and(|unit| unit.at == hex));
        let mut leaders = group.leaders;
        if group.everything {
            leaders = self.who_leads(hex, under, movers, chooser);
        }
        leaders.dedup();
        let mut brigades = group.brigades;
        let mut all = group.everything || movers.all_with;
        if !leaders.is_empty() && brigades.is_empty() && !movers.alone && !all && movers.selected.is_empty() {
            all = true;
        }
        if movers.alone && !leaders.is_empty() {
            all = false;
            brigades.clear();
        }
        if all {
            brigades.retain(|id| !here.contains(id));
        }
        let party = |army_of, leader_goes, all, units| Party { from: hex, army_of, leader_goes, all, units };
        if movers.theirs && leaders.len() == 1 {
            let name = leaders.first().map_or_else(String::new, |id| self.index.unit_name(*id));
            let goes = chooser.pick(&[true, false], || Doubt {
                message: format!("Does {name} go with them, or stay?"),
                cites: vec![rule("R-003-12")],
            });
            if goes == Some(false) {
                let leader = leaders.first().copied();
                return Ok(vec![party(leader, false, true, Vec::new())]);
            }
        }
        if !movers.except.is_empty() && all {
            let spared: Vec<UnitId> =
                movers.except.iter().filter_map(|named| self.named(named, Some(hex), chooser)).collect();
            leaders.retain(|id| !spared.contains(id));
            brigades = here.iter().copied().filter(|id| !spared.contains(id)).collect();
            all = false;
        }
        let mut parties = Vec::new();
        if let Some((first, rest)) = leaders.split_first() {
            let all = all && !here.is_empty();
            parties.push(party(Some(*first), true, all, if all { Vec::new() } else { brigades }));
            parties.extend(rest.iter().map(|leader| party(Some(*leader), true, false, Vec::new())));
            return Ok(parties);
        }
        let leader = under.or_else(|| if movers.own || movers.alone { None } else { self.leader_for(hex) });
        match leader {
            Some(leader) if all => parties.push(party(Some(leader), false, true, Vec::new())),
            Some(leader) => parties.push(party(Some(leader), false, false, brigades)),
            None => {
                let units = if all { here } else { brigades };
                parties.extend(units.into_iter().map(|unit| party(None, false, false, vec![unit])));
            }
        }
        Ok(parties)
    }

    /// Who leads when "everything" at a place marches: the leader there; with several it is a question.
    fn who_leads(&self, hex: HexId, under: Option<UnitId>, movers: &Movers, chooser: &mut Chooser) -> Vec<UnitId> {
        let leaders = self.leaders_at(hex);
        if under.is_some() || movers.own {
            return Vec::new();
        }
        let mut options: Vec<Vec<UnitId>> = leaders.iter().map(|leader| vec![*leader]).collect();
        if leaders.len() > 1 {
            options.push(leaders.clone());
        }
        let picked = chooser.pick(&options, || {
            let names: Vec<String> = leaders.iter().map(|id| self.index.unit_name(*id)).collect();
            Doubt {
                message: format!(
                    "{} are both at {}: who leads the army, and who goes along?",
                    names.join(" and "),
                    self.index.place_name(hex)
                ),
                cites: vec![rule("R-003-12")],
            }
        });
        picked.unwrap_or_default()
    }

    /// The leader whose Army Move takes brigades named without one: he who marches from there already, else the best strategist
    /// (it costs the same Action, and he need not go) [R-003-12].
    fn leader_for(&self, hex: HexId) -> Option<UnitId> {
        let leaders = self.leaders_at(hex);
        let marching = self.told.orders.iter().find_map(|order| match order {
            Order::March(march) if march.from == hex => march.army_of.filter(|id| leaders.contains(id)),
            _ => None,
        });
        marching.or_else(|| leaders.first().copied())
    }

    // --- what at the goal

    /// What is to be done at an enemy's city: as said, as said elsewhere in the letter, or asked [R-003-47].
    fn arrival(
        &self,
        draft: &MarchDraft,
        goal: HexId,
        condition: Option<&Condition>,
        notes: &mut Vec<Fault>,
        chooser: &mut Chooser,
    ) -> Result<(Arrival, bool)> {
        let enemy = self.enemy_city(goal);
        let name = self.index.place_name(goal);
        match draft.arrival.or_else(|| self.told.wishes.get(&goal).copied()) {
            Some(Arrival::Besiege) if !enemy => {
                let message = format!("{name} is no enemy's city: there is nothing to besiege. The march stands.");
                notes.push(Fault::illegal(None, message, "", &[rule("003 Sieges")]));
                return Ok((Arrival::Stand, draft.attacks));
            }
            Some(Arrival::Besiege) if !self.fortified(goal) => {
                let message = format!("{name} has no fortifications to besiege; the march goes into the city.");
                notes.push(Fault::advice(
                    None,
                    message,
                    "To stay outside, add \"stay in the field\".",
                    &[rule("003 Sieges"), rule("R-003-47")],
                ));
                return Ok((Arrival::Enter, draft.attacks));
            }
            Some(Arrival::Enter) if !enemy => return Ok((Arrival::Stand, draft.attacks)),
            Some(arrival) => return Ok((arrival, draft.attacks)),
            None => {}
        }
        if !enemy {
            return Ok((Arrival::Stand, draft.attacks));
        }
        if !self.fortified(goal) {
            return Ok((Arrival::Enter, false));
        }
        let sieges = &self.index.view.sieges;
        if sieges.get(&goal).is_some_and(|siege| siege.by == *self.index.seat) && !draft.attacks {
            return Ok((Arrival::Besiege, false));
        }
        if condition == Some(&Condition::NoEnemyAt(goal)) {
            return Ok((Arrival::Enter, false));
        }
        let view = self.index.view;
        if view.campaign.house.fog != Fog::Scouted && view.enemies_seen(self.index.seat, goal) == 0 {
            let message = format!(
                "{name} stands empty: the march goes into the city, and storms it if somebody is in it by then."
            );
            notes.push(Fault::advice(
                None,
                message,
                "Else add \"besiege it\" or \"stay in the field\".",
                &[rule("R-003-47"), rule("R-003-97")],
            ));
            return Ok((Arrival::Enter, false));
        }
        let kind = match self.index.view.campaign.board.city(goal).map(|city| city.fort) {
            Some(Fort::Hexagon) => "a hexagon fort",
            _ => "a square fort",
        };
        let options = [Arrival::Enter, Arrival::Besiege, Arrival::Stand];
        let picked = chooser.pick(&options, || Doubt {
            message: format!("{name} is an enemy's fortified city ({kind}): is it to be stormed, besieged, or is the army to stand in the field outside?"),
            cites: vec![rule("R-003-47")],
        });
        Ok((picked.unwrap_or(Arrival::Stand), draft.attacks && picked == Some(Arrival::Stand)))
    }

    /// They stand at the goal already: a siege, a storm, a battle; otherwise nothing to march for.
    fn already_there(
        &self,
        draft: &MarchDraft,
        parties: &[Party],
        goal: HexId,
        chooser: &mut Chooser,
    ) -> Result<Outcome> {
        let name = self.index.place_name(goal);
        let action = match draft.arrival {
            Some(Arrival::Besiege) => Some(SiegeAction::Besiege),
            Some(Arrival::Enter) => Some(SiegeAction::Storm),
            _ => None,
        };
        let one = |order| Ok(Outcome { orders: vec![order], notes: Vec::new() });
        if let Some(action) = action.filter(|_| self.enemy_city(goal)) {
            return one(Order::Siege { city: goal, action });
        }
        if draft.attacks {
            let fight = Order::Intent(Intent { who: Who::At(goal), give: true, condition: None });
            if !self.enemy_city(goal) {
                return one(fight);
            }
            let options = [Order::Siege { city: goal, action: SiegeAction::Storm }, fight];
            let picked = chooser.pick(&options, || Doubt {
                message: format!(
                    "Your troops are before {name}: are they to storm the city, or to give battle in the field?"
                ),
                cites: vec![rule("R-003-43"), rule("R-003-47")],
            });
            return picked.map_or_else(|| Ok(Outcome::default()), one);
        }
        let leads = |party: &Party| party.army_of.filter(|_| party.leader_goes);
        let who = parties.iter().flat_map(|party| leads(party).into_iter().chain(party.units.iter().copied())).next();
        let who = who.map_or_else(|| "The unit".to_owned(), |id| self.index.unit_name(id));
        Err(Fault::illegal(
            draft.legs.last().and_then(|l| l.first()).map(|p| p.at),
            format!("{who} is at {name} already."),
            format!("To keep {who} there, write \"{who} stays\"."),
            &[rule("003 Army Movement")],
        ))
    }
}

#[derive(Clone, Debug, Default)]
struct Group {
    leaders: Vec<UnitId>,
    brigades: Vec<UnitId>,
    everything: bool,
}
