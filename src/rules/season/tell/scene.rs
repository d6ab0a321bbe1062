//! What a turn's events say together: whose each unit is, what it is called, and who fought in which battle.

use super::super::campaign::{Fog, Kind};
use super::super::event::{Event, Loss};
use super::super::state::State;
use crate::engine::{EventId, HexId, Recorded, SeatId, UnitId, Viewer};
use std::collections::{BTreeMap, BTreeSet};

/// A unit that the turn knows, whether it stands, has fallen or is yet to come.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) seat: SeatId,
    pub(super) kind: Kind,
    pub(super) name: String,
}

/// A battle of the turn. Several in one hex are told apart by where they begin in the list of events.
#[derive(Clone, Debug)]
pub(super) struct Fight {
    /// Index of its `BattleJoined`.
    pub(super) joined: usize,
    /// Identity of that event: the parent of all details.
    pub(super) id: EventId,
    pub(super) hex: HexId,
    /// Whoever has a unit in it; these see each other's units "for that battle" [R-003-83].
    pub(super) seats: BTreeSet<SeatId>,
    pub(super) units: BTreeSet<UnitId>,
    /// What each side's seats lost by the time the battle and its regrouping were over.
    pub(super) toll: BTreeMap<SeatId, Toll>,
}

/// What a battle cost one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Toll {
    /// Brigades destroyed or captured.
    pub(super) destroyed: u32,
    /// Brigades that left the field.
    pub(super) retreated: u32,
    /// Steps lost, before regrouping.
    pub(super) steps: u32,
}

/// The turn as a whole.
pub(super) struct Scene {
    pub(super) fog: Fog,
    units: BTreeMap<UnitId, Known>,
    fights: Vec<Fight>,
    /// Brigades that left the battle they last fought in.
    withdrawn: BTreeSet<UnitId>,
}

impl Scene {
    /// Reads the events through once.
    pub(super) fn of(before: &State, events: &[Recorded<Event>]) -> Self {
        let (fog, units) = (before.campaign.house.fog, roll(before, events));
        let mut scene = Scene { fog, units, fights: Vec::new(), withdrawn: BTreeSet::new() };
        for (index, recorded) in events.iter().enumerate() {
            scene.take(index, recorded);
        }
        scene
    }

    fn take(&mut self, index: usize, recorded: &Recorded<Event>) {
        match &recorded.event {
            Event::BattleJoined { hex, attackers, defenders, attacking, defending, inside, late, .. } => {
                let units: BTreeSet<UnitId> =
                    [attacking, defending, inside, late].into_iter().flatten().copied().collect();
                let owners = units.iter().filter_map(|unit| self.seat(*unit).cloned());
                let seats = owners.chain(attackers.iter().chain(defenders).cloned()).collect();
                let toll = BTreeMap::new();
                for unit in &units {
                    self.withdrawn.remove(unit);
                }
                self.fights.push(Fight { joined: index, id: recorded.id.clone(), hex: *hex, seats, units, toll });
            }
            Event::Gone { unit, how, .. } if in_battle(*how) && self.is_brigade(*unit) => {
                // Who left the field and was interned beyond it is lost, not withdrawn [R-003-82].
                let withdrawn = u32::from(self.withdrawn.remove(unit));
                self.charge(*unit, index, |toll| {
                    toll.destroyed += 1;
                    toll.retreated = toll.retreated.saturating_sub(withdrawn);
                });
            }
            Event::Retreated { units, .. } => {
                for unit in units.iter().filter(|unit| self.is_brigade(**unit)).copied().collect::<Vec<_>>() {
                    self.withdrawn.insert(unit);
                    self.charge(unit, index, |toll| toll.retreated += 1);
                }
            }
            Event::StepsLost { unit, steps, cause, .. } if in_battle(*cause) => {
                self.charge(*unit, index, |toll| toll.steps += u32::from(*steps));
            }
            _ => {}
        }
    }

    fn charge(&mut self, unit: UnitId, index: usize, change: impl FnOnce(&mut Toll)) {
        let Some(seat) = self.seat(unit).cloned() else { return };
        let fight = self.fights.iter_mut().rev().find(|f| f.joined <= index && f.units.contains(&unit));
        if let Some(fight) = fight {
            change(fight.toll.entry(seat).or_default());
        }
    }

    /// Whose it is.
    pub(super) fn seat(&self, unit: UnitId) -> Option<&SeatId> {
        self.units.get(&unit).map(|known| &known.seat)
    }

    /// Its full name.
    pub(super) fn name(&self, unit: UnitId) -> String {
        self.units.get(&unit).map_or_else(|| format!("unit {unit}"), |known| known.name.clone())
    }

    /// Whether it counts as a brigade, whose place is public [R-003-83].
    pub(super) fn is_brigade(&self, unit: UnitId) -> bool {
        self.units.get(&unit).is_some_and(|known| known.kind.is_brigade())
    }

    /// Whether it is a leader.
    pub(super) fn is_leader(&self, unit: UnitId) -> bool {
        self.units.get(&unit).is_some_and(|known| known.kind == Kind::Leader)
    }

    /// How many of these are brigades.
    pub(super) fn brigades(&self, units: &[UnitId]) -> usize {
        units.iter().filter(|unit| self.is_brigade(**unit)).count()
    }

    /// The battle in a hex that had begun when the event at `index` happened.
    pub(super) fn fight_at(&self, hex: HexId, index: usize) -> Option<&Fight> {
        self.fights.iter().rev().find(|fight| fight.hex == hex && fight.joined <= index)
    }

    /// The battle that a unit had last fought in when the event at `index` happened.
    pub(super) fn fight_of(&self, unit: UnitId, index: usize) -> Option<&Fight> {
        self.fights.iter().rev().find(|fight| fight.joined <= index && fight.units.contains(&unit))
    }

    /// The hexes in which a battle was fought.
    pub(super) fn battlefields(&self) -> BTreeSet<HexId> {
        self.fights.iter().map(|fight| fight.hex).collect()
    }

    /// The hexes in which this reader fought; for the umpire, and where all is open, every battlefield [R-003-83].
    pub(super) fn fought_in(&self, viewer: &Viewer) -> BTreeSet<HexId> {
        let there = |fight: &&Fight| match viewer {
            _ if self.fog == Fog::Open => true,
            Viewer::Umpire => true,
            Viewer::Seat(seat) => fight.seats.contains(seat),
            Viewer::Public => false,
        };
        self.fights.iter().filter(there).map(|fight| fight.hex).collect()
    }
}

/// Everyone who may be named in the turn's events. The state comes last: a unit keeps the name under which it stands.
fn roll(before: &State, events: &[Recorded<Event>]) -> BTreeMap<UnitId, Known> {
    let setup = before
        .campaign
        .units
        .iter()
        .map(|u| (u.id, Known { seat: u.seat.clone(), kind: u.kind, name: u.name.clone() }));
    let levies = before
        .campaign
        .levies
        .iter()
        .map(|l| (l.id, Known { seat: l.seat.clone(), kind: l.kind, name: l.name.clone() }));
    let mustered = events.iter().filter_map(|recorded| match &recorded.event {
        Event::Mustered { unit } => {
            Some((unit.id, Known { seat: unit.seat.clone(), kind: unit.kind, name: unit.name.clone() }))
        }
        _ => None,
    });
    let standing =
        before.units.values().map(|u| (u.id, Known { seat: u.seat.clone(), kind: u.kind, name: u.name.to_string() }));
    setup.chain(levies).chain(mustered).chain(standing).collect()
}

/// Whether a loss is a battle's doing, if there was a battle.
pub(super) fn in_battle(how: Loss) -> bool {
    matches!(how, Loss::Battle | Loss::Captured)
}
