//! The line-up: who fights from the first round and who comes in with the second [R-003-30].

use super::super::Season;
use super::super::campaign::Kind;
use super::super::event::Event;
use super::super::state::{State, Unit};
use super::fight::{Battle, Fighter, Part, Place};
use super::retreat::Way;
use super::{Ground, arrivals, city, intent, led_to, plays, sides};
use crate::engine::{Cause, Cite, HexSide, SeatId, Source, UnitId, Working};

/// Where it is fought.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Manner {
    /// In the open: a field battle, a relief.
    #[default]
    Open,
    /// The garrison comes out, all by one way.
    Sortie,
    /// At the walls: the defenders are inside.
    Storm,
}

/// Who fights whom, before the reserves are told off.
#[derive(Default)]
pub(super) struct Lineup<'o> {
    /// Attacking seats.
    pub attackers: Vec<SeatId>,
    /// Defending seats.
    pub defenders: Vec<SeatId>,
    /// Attacking units.
    pub attacking: Vec<UnitId>,
    /// Defending units.
    pub defending: Vec<UnitId>,
    /// Attackers who come out of the city in round 2 [R-003-44].
    pub reserve: Vec<UnitId>,
    /// Where it is fought.
    pub manner: Manner,
    /// By which rules it is fought.
    pub cites: Vec<Cite>,
    /// By whose order, if one was needed.
    pub said: Option<(SeatId, &'o Source)>,
}

impl Lineup<'_> {
    /// Changes attackers and defenders.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.attackers, &mut self.defenders);
        std::mem::swap(&mut self.attacking, &mut self.defending);
    }
}

/// Of these units, those that can take part: brigades and leaders, by number.
pub(super) fn fighting(state: &State, units: impl IntoIterator<Item = UnitId>) -> Vec<UnitId> {
    let able = |id: &UnitId| {
        state.units.get(id).is_some_and(|unit| unit.strength > 0 && (unit.is_brigade() || unit.kind == Kind::Leader))
    };
    let mut units: Vec<UnitId> = units.into_iter().filter(able).collect();
    units.sort_unstable();
    units.dedup();
    units
}

/// Draws both sides up and announces the battle; `None` if one of them has no brigade.
pub(super) fn join<'o>(w: &mut Working<'_, Season>, ground: Ground<'o>, lineup: Lineup<'o>) -> Option<Battle<'o>> {
    let state = w.state();
    let brigades = |units: &[UnitId]| units.iter().any(|id| state.units.get(id).is_some_and(Unit::is_brigade));
    if !brigades(&lineup.attacking) || !brigades(&lineup.defending) {
        return None;
    }
    let mut fighters = Vec::with_capacity(lineup.attacking.len() + lineup.defending.len() + lineup.reserve.len());
    let late_attackers = match lineup.manner {
        Manner::Sortie => Vec::new(),
        _ => reserves(state, &lineup.attackers, &lineup.attacking, true, |_| true),
    };
    let first_attacker = first_entry_this_turn(state, &lineup.attacking);
    let late_defenders = match lineup.manner {
        Manner::Storm => Vec::new(),
        _ => reserves(state, &lineup.defenders, &lineup.defending, false, |unit| {
            first_attacker.is_some_and(|first| unit.entered > first)
        }),
    };
    let mut add = |units: &[UnitId], part: Part, late: &[UnitId]| {
        for unit in units.iter().filter_map(|id| state.units.get(id)) {
            let place = if late.contains(&unit.id) { Place::Waiting } else { Place::In };
            fighters.push(fighter(state, ground, unit, part, place));
        }
    };
    add(&lineup.attacking, Part::Attacker, &late_attackers);
    add(&lineup.reserve, Part::Attacker, &lineup.reserve);
    add(&lineup.defending, Part::Defender, &late_defenders);
    fighters.sort_unstable_by_key(|fighter| fighter.id);
    let late: Vec<UnitId> = fighters.iter().filter(|f| f.place == Place::Waiting).map(|f| f.id).collect();
    let fought_before = state.now.battles.iter().filter(|(hex, _)| *hex == ground.hex).count();
    let walls = lineup.manner == Manner::Storm;
    let mut battle = Battle::new(ground, fighters, u32::try_from(fought_before).unwrap_or(u32::MAX).saturating_add(1));
    battle.ways = ways(state, ground, &lineup);
    battle.divisor = if walls { city::divisor(state, ground) } else { 1 };
    battle.first_round_all = surprised(state, ground);
    battle.bonus = u8::try_from(plays::figure(state, "ga_pa", "bonus")).unwrap_or(0);
    announce(w, ground, lineup, late, &mut battle);
    Some(battle)
}

fn announce(
    w: &mut Working<'_, Season>,
    ground: Ground<'_>,
    lineup: Lineup<'_>,
    late: Vec<UnitId>,
    battle: &mut Battle<'_>,
) {
    let mut attacking = lineup.attacking;
    attacking.extend(lineup.reserve);
    attacking.sort_unstable();
    let cause = Cause::new(format!("battle @{}", ground.hex), &lineup.cites)
        .ordered_by(lineup.said.as_ref().map(|(seat, source)| (seat, *source)));
    let cause = led_to(cause, arrivals(w, ground.hex, &attacking));
    battle.seats = [lineup.attackers.clone(), lineup.defenders.clone()];
    let joined = w.emit(
        cause,
        Event::BattleJoined {
            hex: ground.hex,
            attackers: lineup.attackers,
            defenders: lineup.defenders,
            attacking,
            inside: if lineup.manner == Manner::Storm { lineup.defending.clone() } else { Vec::new() },
            defending: lineup.defending,
            late,
            divisor: battle.divisor,
        },
    );
    battle.joined = Some(joined);
}

fn fighter<'o>(state: &State, ground: Ground<'o>, unit: &Unit, part: Part, place: Place) -> Fighter<'o> {
    let entry = state.now.entries.get(&unit.id);
    Fighter {
        id: unit.id,
        seat: unit.seat.clone(),
        part,
        leader: unit.is_leader(),
        sovereign: unit.leader.is_some_and(|figures| figures.sovereign),
        rating: unit.rating,
        rally: unit.rally,
        strength: unit.strength,
        start: unit.strength,
        place,
        rank: intent::hits_rank(ground.orders, unit),
        retreats: intent::retreats(state, ground.orders, unit),
        stays: unit.is_leader() && intent::stays(state, ground.orders, unit),
        came_in: entry.is_some(),
        by_river: entry.is_some_and(|entry| entry.over.is_none()),
        told: false,
        losses: Vec::new(),
        gone_to: None,
    }
}

fn first_entry_this_turn(state: &State, units: &[UnitId]) -> Option<u32> {
    let came = units.iter().filter(|id| state.now.entries.contains_key(id));
    came.filter_map(|id| state.units.get(id)).map(|unit| unit.entered).min()
}

/// Those who come in with round 2. From round 1 fight a seat's brigades that stood in the hex already (a defender's: before the
/// first attacker of this turn came), and of those who came the way with most strength, the main attack; a defender has
/// one only if nobody stood there [R-003-30, R-003-P26]. Between equal ways a hexside goes before a river, then the lower
/// hexside.
fn reserves(
    state: &State,
    seats: &[SeatId],
    units: &[UnitId],
    attack: bool,
    late: impl Fn(&Unit) -> bool,
) -> Vec<UnitId> {
    let mut reserves = Vec::new();
    for seat in seats {
        let mut come: Vec<(&Unit, Option<HexSide>)> = Vec::new();
        let mut stood = false;
        for unit in units.iter().filter_map(|id| state.units.get(id)).filter(|unit| unit.seat == *seat) {
            match state.now.entries.get(&unit.id) {
                Some(entry) if late(unit) => come.push((unit, entry.over)),
                _ => stood |= unit.is_brigade(),
            }
        }
        let main = if stood && !attack { None } else { main_attack(&come) };
        reserves.extend(come.into_iter().filter(|(_, way)| main != Some(*way)).map(|(unit, _)| unit.id));
    }
    reserves
}

fn main_attack(come: &[(&Unit, Option<HexSide>)]) -> Option<Option<HexSide>> {
    let mut ways: Vec<(u32, Option<HexSide>)> = Vec::new();
    for (unit, way) in come.iter().filter(|(unit, _)| unit.is_brigade()) {
        match ways.iter_mut().find(|(_, known)| known == way) {
            Some(known) => known.0 += u32::from(unit.strength),
            None => ways.push((u32::from(unit.strength), *way)),
        }
    }
    let order = |way: &Option<HexSide>| (way.is_none(), *way);
    ways.into_iter().min_by_key(|(strength, way)| (std::cmp::Reverse(*strength), order(way))).map(|(_, way)| way)
}

/// The hexsides used this turn to enter the hex, by which part and when last [R-003-34].
fn ways(state: &State, ground: Ground<'_>, lineup: &Lineup<'_>) -> Vec<Way> {
    let mut ways: Vec<Way> = Vec::new();
    for unit in state.brigades_in(ground.hex) {
        let Some(entry) = state.now.entries.get(&unit.id) else { continue };
        let side = entry.over.unwrap_or_else(|| HexSide::between(entry.from, ground.hex));
        let river = entry.over.is_none();
        let place = match ways.iter().position(|way| way.side == side && way.river == river) {
            Some(place) => place,
            None => {
                ways.push(Way { side, river, own: [0; 2], enemy: [0; 2] });
                ways.len() - 1
            }
        };
        let Some(way) = ways.get_mut(place) else { continue };
        for (part, seats) in [(0, &lineup.attackers), (1, &lineup.defenders)] {
            let foe = seats.iter().any(|seat| sides::hostile(state, ground.hex, seat, &unit.seat));
            let mine = seats.contains(&unit.seat);
            let slot = if mine { way.own.get_mut(part) } else { way.enemy.get_mut(part).filter(|_| foe) };
            if let Some(slot) = slot {
                *slot = (*slot).max(unit.entered);
            }
        }
    }
    ways
}

/// The seats that played Gå På! on this battle: in the first round all their brigades fire with the A's and hit on one
/// number more (the card's text).
fn surprised(state: &State, ground: Ground<'_>) -> Vec<SeatId> {
    let played = state.now.events.iter().filter(|event| event.card == "ga_pa" && event.hexes.contains(&ground.hex));
    played.map(|event| event.seat.clone()).collect()
}
