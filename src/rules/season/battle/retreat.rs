//! Leaving a battle [003 Retreats, 003 Retreat Hexes].

use super::super::Season;
use super::super::campaign::{Letter, rule};
use super::super::event::{Event, Loss};
use super::super::order::RetreatWhen;
use super::super::state::State;
use super::fight::{Battle, Fighter, Part, Place};
use super::intent::{RetreatRule, Said};
use super::{by, led_to};
use crate::engine::{Cause, HexId, HexSide, SeatId, UnitId, Working};

/// A hexside over which units came into the hex this turn. Per part of the battle: when one of it used the side last, and
/// when an enemy of it did (0 = not at all).
pub(super) struct Way {
    /// The side.
    pub side: HexSide,
    /// They came along the river, not over the side by land.
    pub river: bool,
    /// Last entry of the attackers, of the defenders.
    pub own: [u32; 2],
    /// Last entry of an enemy of the attackers, of the defenders.
    pub enemy: [u32; 2],
}

/// How many brigades of a seat have retreated over a side in this round.
pub(super) struct Room {
    side: HexSide,
    seat: SeatId,
    land: u32,
    river: u32,
}

/// Why a unit cannot leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stuck {
    /// There is a hex, but no room on the side in this round [R-003-35].
    Full,
    /// There is no legal hex.
    NoHex,
}

/// A way out of a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WayOut {
    /// Where it leads.
    pub to: HexId,
    /// Along a river.
    pub river: bool,
    /// The seat there takes them in and keeps them.
    pub interned: bool,
}

/// Whose ground a retreat would lead to, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shelter {
    Own,
    Friend,
    NoMansLand,
    Neutral,
}

impl<'o> Battle<'o> {
    /// Brigades and leaders of a part whose condition is met leave at their own letter's turn, before they would fight
    /// [003 Retreats, R-003-32].
    pub fn retreat_at(&mut self, w: &mut Working<'_, Season>, letter: Letter, part: Part) {
        // Who has just been left in possession of the field has won it and stays.
        if !self.alive(part.other()) {
            return;
        }
        let leaving = |f: &Fighter<'o>| {
            let turn = self.rating(f).map_or(Letter::C, |rating| rating.letter);
            let due = f.is_in(part) && !f.retreats.is_empty() && turn == letter;
            due.then(|| self.wants_out(f)).flatten()
        };
        let list: Vec<(usize, RetreatRule<'o>)> =
            self.fighters.iter().enumerate().filter_map(|(place, f)| Some((place, leaving(f)?))).collect();
        if !list.is_empty() {
            self.leave(w, &list);
        }
    }

    /// The order by which a unit leaves now, if its condition is met [R-003-32, R-003-95].
    fn wants_out(&self, fighter: &Fighter<'o>) -> Option<RetreatRule<'o>> {
        let now = |when: RetreatWhen| match when {
            RetreatWhen::Never => false,
            RetreatWhen::AtOnce => true,
            RetreatWhen::AfterRound(rounds) => self.round > rounds,
            RetreatWhen::LossPercent(percent) => {
                let (lost, force) = self.loss_of(&fighter.seat);
                lost > 0 && lost * 100 >= percent.saturating_mul(force)
            }
            RetreatWhen::OddsPercent(percent) => {
                let (own, enemy) = (self.strength_in(fighter.part), self.strength_in(fighter.part.other()));
                enemy * 100 >= percent.saturating_mul(own)
            }
        };
        fighter.retreats.iter().find(|rule| now(rule.when)).copied()
    }

    /// Steps that a seat's brigades have lost in this battle, and the strength they began with.
    fn loss_of(&self, seat: &SeatId) -> (u32, u32) {
        let force = self.forces.iter().find(|(known, _)| known == seat).map_or(0, |(_, force)| *force);
        let brigades = self.fighters.iter().filter(|f| !f.leader && f.seat == *seat);
        let lost = brigades.map(|f| u32::from(f.start.saturating_sub(f.strength))).sum();
        (lost, force)
    }

    fn strength_in(&self, part: Part) -> u32 {
        self.fighters.iter().filter(|f| f.is_in(part) && !f.leader).map(|f| u32::from(f.strength)).sum()
    }

    /// Lets units leave that may; the others fight on [R-003-33]. Gives how many left, and how many had no hex at all.
    fn leave(&mut self, w: &mut Working<'_, Season>, list: &[(usize, RetreatRule<'o>)]) -> (usize, usize) {
        let mut groups: Vec<(SeatId, WayOut, Said<'o>, Vec<UnitId>)> = Vec::new();
        let mut no_hex = 0;
        for (place, order) in list {
            let found = match self.fighters.get(*place) {
                Some(fighter) => self.way_out(w.state(), fighter, order.to),
                None => continue,
            };
            match found {
                Ok(way) => {
                    let Some((seat, id)) = self.step_out(*place, way) else { continue };
                    let same = |(known, to, by, _): &&mut (SeatId, WayOut, Said<'o>, Vec<UnitId>)| {
                        *known == seat && *to == way && *by == order.source
                    };
                    match groups.iter_mut().find(same) {
                        Some((.., units)) => units.push(id),
                        None => groups.push((seat, way, order.source, vec![id])),
                    }
                }
                Err(stuck) => {
                    no_hex += usize::from(stuck == Stuck::NoHex);
                    self.tell_stuck(w, *place, order.source);
                }
            }
        }
        let left = groups.iter().map(|(.., units)| units.len()).sum();
        for (seat, way, source, units) in groups {
            self.tell_retreat(w, &seat, way, source, units);
        }
        (left, no_hex)
    }

    fn step_out(&mut self, place: usize, way: WayOut) -> Option<(SeatId, UnitId)> {
        let hex = self.hex;
        let fighter = self.fighters.get_mut(place)?;
        fighter.place = Place::Left;
        fighter.gone_to = Some(way.to);
        let (seat, id, leader) = (fighter.seat.clone(), fighter.id, fighter.leader);
        if !leader {
            self.use_room(&seat, HexSide::between(hex, way.to), way.river);
        }
        Some((seat, id))
    }

    fn use_room(&mut self, seat: &SeatId, side: HexSide, river: bool) {
        let place = match self.room.iter().position(|room| room.side == side && room.seat == *seat) {
            Some(place) => place,
            None => {
                self.room.push(Room { side, seat: seat.clone(), land: 0, river: 0 });
                self.room.len() - 1
            }
        };
        if let Some(room) = self.room.get_mut(place) {
            room.land += u32::from(!river);
            room.river += u32::from(river);
        }
    }

    fn tell_stuck(&mut self, w: &mut Working<'_, Season>, place: usize, source: Said<'o>) {
        let (hex, round) = (self.hex, self.round);
        let Some(fighter) = self.fighters.get_mut(place).filter(|f| !f.told) else { return };
        fighter.told = true;
        let cause = Cause::new(format!("stuck u{}@{hex}", fighter.id), &by("003 Retreats", "R-003-33"))
            .ordered_by(source.map(|source| (&fighter.seat, source)));
        w.emit(cause, Event::CannotRetreat { unit: fighter.id, hex, round });
    }

    /// A retreat is told; whoever went to a neutral who gave no consent is interned [R-003-82].
    pub fn tell_retreat(
        &mut self,
        w: &mut Working<'_, Season>,
        seat: &SeatId,
        way: WayOut,
        source: Said<'_>,
        units: Vec<UnitId>,
    ) {
        let (hex, round) = (self.hex, self.round);
        let subject = units.first().map_or_else(|| format!("retreat @{hex}"), |id| format!("retreat u{id}@{hex}"));
        let cites = [rule("003 Retreat Hexes"), rule("R-003-32"), rule("R-003-34")];
        let cause = led_to(Cause::new(subject, &cites), self.joined.clone());
        let cause = cause.ordered_by(source.map(|source| (seat, source)));
        let gone = units.clone();
        let event = w.emit(cause, Event::Retreated { units, from: hex, to: way.to, round });
        if way.interned {
            let keeper = w.state().controller(way.to).cloned();
            for unit in gone {
                let cause = Cause::new(format!("interned u{unit}"), &[rule("R-003-82")]).because(event.clone());
                w.emit(cause, Event::Gone { unit, how: Loss::Captured, by: keeper.clone(), hex: way.to });
            }
        }
        self.last = Some(event);
    }

    /// The way that a unit takes out of the battle: the hex it was told, if that is legal, else the nearest to home of the
    /// own, the friendly, the nobody's [003 Retreat Hexes, R-003-P23]. A river on the way needs no roll [R-003-P32].
    pub fn way_out(&self, state: &State, fighter: &Fighter<'_>, told: Option<HexId>) -> Result<WayOut, Stuck> {
        let mut ways: Vec<(Shelter, HexId, bool)> = Vec::new();
        for (to, _) in state.campaign.board.ways_from(self.hex) {
            let Some(river) = self.way_is_open(state, fighter, to) else { continue };
            match shelter(state, &fighter.seat, to) {
                Some(Shelter::Neutral) if told != Some(to) => {}
                Some(shelter) => ways.push((shelter, to, river)),
                None => {}
            }
        }
        if ways.is_empty() {
            return Err(Stuck::NoHex);
        }
        ways.retain(|(_, to, river)| fighter.leader || self.has_room(state, &fighter.seat, *to, *river));
        let order = |(shelter, to, _): &(Shelter, HexId, bool)| {
            (told != Some(*to), *shelter, far_from_home(state, &fighter.seat, *to), *to)
        };
        let best = ways.iter().min_by_key(|way| order(way)).ok_or(Stuck::Full)?;
        Ok(WayOut { to: best.1, river: best.2, interned: best.0 == Shelter::Neutral })
    }

    /// Whether the hexside to `to` may be used, and if so whether as a river way [R-003-34]: attackers who came this turn only
    /// where their side came in; all others wherever no enemy did; where both did, who came last; along a river only who came
    /// by river.
    fn way_is_open(&self, state: &State, fighter: &Fighter<'_>, to: HexId) -> Option<bool> {
        let side = HexSide::between(self.hex, to);
        let last = |river: Option<bool>, of: fn(&Way) -> &[u32; 2]| {
            let used = self.ways.iter().filter(|way| way.side == side && river.is_none_or(|river| way.river == river));
            used.filter_map(|way| of(way).get(fighter.part.index()).copied()).max().unwrap_or(0)
        };
        let (own_land, own_river) = (last(Some(false), |way| &way.own), last(Some(true), |way| &way.own));
        let enemy = last(None, |way| &way.enemy);
        let own = own_land.max(own_river);
        if enemy > own {
            return None;
        }
        if fighter.part == Part::Attacker && fighter.came_in {
            return match (own_land > 0, fighter.by_river && own_river > 0) {
                (_, true) => Some(true),
                (true, false) => Some(false),
                (false, false) => None,
            };
        }
        Some(fighter.by_river && one_river(state, self.hex, to))
    }

    /// Whether a side has room for one more brigade of a seat in this round [R-003-17, R-003-35, R-003-93].
    fn has_room(&self, state: &State, seat: &SeatId, to: HexId, river: bool) -> bool {
        let side = HexSide::between(self.hex, to);
        let Some(known) = state.campaign.board.sides.get(&side) else { return false };
        let limit = state.campaign.figures.limit(known.terrain);
        let used = self.room.iter().find(|room| room.side == side && room.seat == *seat);
        let (land, by_river) = used.map_or((0, 0), |room| (room.land, room.river));
        let all = land + by_river < limit + state.campaign.figures.river_limit_bonus;
        if river { all } else { land < limit && all }
    }

    /// After rounds without a hit the attacker goes if he has any order to [R-003-31, R-003-P24]; if his whole side is ordered
    /// away and no brigade of it has a hex to go to, it is taken [R-003-33, R-003-P25]. Gives whether the battle is over.
    pub fn break_off(&mut self, w: &mut Working<'_, Season>) -> bool {
        self.room.clear();
        let here = |f: &&Fighter<'o>| f.is_in(Part::Attacker) && !f.leader;
        let brigades = self.fighters.iter().filter(here).count();
        let list: Vec<(usize, RetreatRule<'o>)> = self
            .fighters
            .iter()
            .enumerate()
            .filter(|(_, f)| here(f))
            .filter_map(|(place, f)| Some((place, Self::willing(f)?)))
            .collect();
        let (left, no_hex) = self.leave(w, &list);
        if no_hex == brigades {
            for (place, order) in &list {
                self.taken(w, *place, order.source);
            }
        }
        self.close_ranks(w);
        self.over() || left == 0 || left + no_hex == list.len()
    }

    /// A unit that must leave and cannot is captured [003 Retreats, R-003-33].
    pub fn taken(&mut self, w: &mut Working<'_, Season>, place: usize, source: Said<'o>) {
        let hex = self.hex;
        let captor = self.fighters.get(place).and_then(|f| self.captor(f.part.other()));
        let (joined, last) = (self.joined.clone(), self.last.clone());
        let Some(fighter) = self.fighters.get_mut(place) else { return };
        fighter.place = Place::Gone;
        let ruling = if fighter.leader { "R-003-38" } else { "R-003-33" };
        let cause = Cause::new(format!("taken u{}@{hex}", fighter.id), &by("003 Retreats", ruling))
            .ordered_by(source.map(|source| (&fighter.seat, source)));
        let cause = led_to(cause, last.or(joined));
        let gone = w.emit(cause, Event::Gone { unit: fighter.id, how: Loss::Captured, by: captor, hex });
        self.last = Some(gone);
    }

    /// The seat of a part with most strength in the battle: who takes prisoners.
    fn captor(&self, part: Part) -> Option<SeatId> {
        let strength = |seat: &SeatId| -> u32 {
            let own = self.fighters.iter().filter(|f| f.is_in(part) && f.seat == *seat);
            own.map(|f| u32::from(f.strength)).sum()
        };
        let seats = self.seats_of(part).iter();
        seats.max_by_key(|seat| (strength(seat), std::cmp::Reverse(*seat))).cloned()
    }
}

/// Whether two hexes lie on one river.
fn one_river(state: &State, a: HexId, b: HexId) -> bool {
    let there = state.campaign.board.rivers_at(b);
    state.campaign.board.rivers_at(a).iter().any(|river| there.contains(river))
}

/// Whose ground a hex would be for a retreat, if it is legal at all: friendly or neutral, free of enemy brigades, no battle
/// hex [003 Retreat Hexes, R-003-95]. Ground where own or friendly brigades stand unopposed is friendly, whoever it belonged
/// to when the turn began [R-003-P22].
fn shelter(state: &State, seat: &SeatId, to: HexId) -> Option<Shelter> {
    if state.enemies_of(seat, to).next().is_some() || state.contested(to) {
        return None;
    }
    match state.controller(to) {
        Some(holder) if holder == seat => Some(Shelter::Own),
        Some(holder) if state.at_war(holder, seat) => {
            state.brigades_in(to).any(|unit| state.may_pass(seat, &unit.seat)).then_some(Shelter::Friend)
        }
        Some(holder) if state.may_pass(seat, holder) => Some(Shelter::Friend),
        Some(_) => Some(Shelter::Neutral),
        None => Some(Shelter::NoMansLand),
    }
}

/// How far a hex is from the nearest supply city that a seat holds, else from its nearest capital.
fn far_from_home(state: &State, seat: &SeatId, hex: HexId) -> u32 {
    let board = &state.campaign.board;
    let held = board.hexes.iter().filter(|(id, known)| {
        known.city.as_ref().is_some_and(super::super::board::City::is_supply_city)
            && state.controller(**id) == Some(seat)
    });
    let capitals = state.campaign.seat(seat).into_iter().flat_map(|own| &own.capitals);
    let nearest = held.map(|(id, _)| board.distance(hex, *id)).min();
    nearest.or_else(|| capitals.map(|id| board.distance(hex, *id)).min()).unwrap_or(0)
}
