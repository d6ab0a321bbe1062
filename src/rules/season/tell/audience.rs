//! Who is told of an event at all [R-003-83].
//!
//! Under `fog = "blocks"` it is told to all what stands or moves on the board, as a count of brigades; what a unit is, what it
//! lost and what was ordered is told to its owner; what happens inside a battle to those who fight in it, as details behind
//! the battle's number. Under `open` all that concerns units is told to all. Under `scouted` what moves is told to its owner
//! alone: others find it on their board if they see it.

use super::super::campaign::Fog;
use super::super::event::{Event, Loss};
use super::super::state::State;
use super::scene::{Fight, Scene, in_battle};
use crate::engine::report::Audience;
use crate::engine::{EventId, HexId, Recorded, SeatId, UnitId};
use std::collections::BTreeMap;

/// The audience of each event.
pub(super) fn of_all(before: &State, events: &[Recorded<Event>]) -> Vec<Audience> {
    of_scene(&Scene::of(before, events), events)
}

/// The same, for who has read the events through already.
pub(super) fn of_scene(scene: &Scene, events: &[Recorded<Event>]) -> Vec<Audience> {
    let mut told = Told { scene, public: Vec::new(), captures: BTreeMap::new() };
    let mut audiences = Vec::with_capacity(events.len());
    for (index, recorded) in events.iter().enumerate() {
        let audience = told.audience(index, &recorded.event);
        // A battle's details are its fighters': nothing else may hang on it.
        if audience == Audience::Everyone && !matches!(recorded.event, Event::BattleJoined { .. }) {
            told.public.push((recorded.id.clone(), place_of(&recorded.event)));
        }
        audiences.push(audience);
    }
    audiences
}

struct Told<'s> {
    scene: &'s Scene,
    /// Public events so far and where they happened.
    public: Vec<(EventId, Option<HexId>)>,
    /// Events that already have a capture as their detail, and for whom.
    captures: BTreeMap<EventId, Vec<SeatId>>,
}

impl Told<'_> {
    fn audience(&mut self, index: usize, event: &Event) -> Audience {
        match event {
            Event::CardPlayed { .. }
            | Event::Sequence { .. }
            | Event::EventPlayed { .. }
            | Event::WarDeclared { .. }
            | Event::WarBegan { .. }
            | Event::PeaceMade { .. }
            | Event::Passage { .. }
            | Event::NoBattle { .. }
            | Event::BattleJoined { .. }
            | Event::BattleEnded { .. }
            | Event::SovereignFell { .. }
            | Event::Succeeded { .. }
            | Event::SiegeLaid { .. }
            | Event::SiegeCounted { .. }
            | Event::SiegeRaised { .. }
            | Event::Depleted { .. }
            | Event::LandRecovered
            | Event::Control { .. }
            | Event::Conquered { .. }
            | Event::Surrendered { .. }
            | Event::TreasuryTaken { .. }
            | Event::TurnEnded { .. }
            | Event::GameOver { .. } => Audience::Everyone,
            Event::EventReturned { seat, .. }
            | Event::StandingSet { seat, .. }
            | Event::Halted { seat, .. }
            | Event::Void { seat, .. }
            | Event::Income { seat, .. }
            | Event::Bought { seat, .. }
            | Event::PoolUsed { seat, .. }
            | Event::Money { seat, .. }
            | Event::ManpowerLost { seat, .. }
            | Event::Levels { seat, .. }
            | Event::Dealt { seat, .. } => Audience::Seat(seat.clone()),
            Event::Reinforced { unit, .. }
            | Event::Crossing { leader: unit, .. }
            | Event::ForcedMarch { leader: unit, .. }
            | Event::OutOfSupply { unit, .. }
            | Event::TrainSpent { unit, .. }
            | Event::LeaderRecovered { unit, .. } => self.of_a_unit(*unit),
            Event::Arrived { unit, .. } => self.on_the_board(&[*unit]),
            Event::Mustered { unit } => self.on_the_board(&[unit.id]),
            Event::Moved { units, .. } | Event::Pinned { units, .. } => self.on_the_board(units),
            Event::Volley { hex, .. } | Event::FortDivided { hex, .. } => self.within(self.scene.fight_at(*hex, index)),
            Event::CannotRetreat { unit, .. } | Event::Regrouped { unit, .. } => self.in_battle(*unit, index),
            Event::StepsLost { unit, cause, .. } if in_battle(*cause) => self.in_battle(*unit, index),
            Event::StepsLost { unit, .. } => self.of_a_unit(*unit),
            Event::Gone { unit, how, by, hex } => self.gone(index, *unit, *how, by.as_ref(), *hex),
            Event::Retreated { units, from, .. } => self.retreated(index, units, *from),
        }
    }

    fn owner(&self, unit: UnitId) -> Audience {
        self.scene.seat(unit).map_or(Audience::UmpireOnly, |seat| Audience::Seat(seat.clone()))
    }

    /// What a unit is and what it has is its owner's.
    fn of_a_unit(&self, unit: UnitId) -> Audience {
        if self.scene.fog == Fog::Open { Audience::Everyone } else { self.owner(unit) }
    }

    /// Where brigades stand is public; leaders, fleets and trains are not seen.
    fn on_the_board(&self, units: &[UnitId]) -> Audience {
        let seen = match self.scene.fog {
            Fog::Open => true,
            Fog::Blocks => self.scene.brigades(units) > 0,
            Fog::Scouted => false,
        };
        match units.first() {
            _ if seen => Audience::Everyone,
            Some(first) => self.owner(*first),
            None => Audience::UmpireOnly,
        }
    }

    /// A detail of a battle, for those who fight in it.
    fn within(&self, fight: Option<&Fight>) -> Audience {
        match fight {
            Some(_) if self.scene.fog == Fog::Open => Audience::Everyone,
            Some(fight) => Audience::Within { parent: fight.id.clone(), seats: fight.seats.iter().cloned().collect() },
            None => Audience::UmpireOnly,
        }
    }

    fn in_battle(&self, unit: UnitId, index: usize) -> Audience {
        match self.scene.fight_of(unit, index) {
            Some(fight) => self.within(Some(fight)),
            None => self.of_a_unit(unit),
        }
    }

    /// What is destroyed in battle is counted for outsiders when the battle ends; elsewhere a counter vanishes before all
    /// eyes.
    fn gone(&mut self, index: usize, unit: UnitId, how: Loss, by: Option<&SeatId>, hex: HexId) -> Audience {
        if in_battle(how) && self.scene.fight_of(unit, index).is_some() {
            return self.in_battle(unit, index);
        }
        match (self.on_the_board(&[unit]), by) {
            (Audience::Everyone, _) | (_, None) => self.on_the_board(&[unit]),
            (hidden, Some(captor)) => self.captured(unit, captor, hex).unwrap_or(hidden),
        }
    }

    /// A leader taken without a battle [R-003-77]: he and his captor are told, behind the public event that brought them
    /// together. One event's details have one audience, so another capture of the same moment goes behind another event.
    fn captured(&mut self, unit: UnitId, captor: &SeatId, hex: HexId) -> Option<Audience> {
        let mut seats = vec![self.scene.seat(unit)?.clone(), captor.clone()];
        seats.sort();
        seats.dedup();
        let here = self.public.iter().rev().filter(|(_, place)| *place == Some(hex));
        let elsewhere = self.public.iter().rev().filter(|(_, place)| *place != Some(hex));
        let free = |id: &EventId| match self.captures.get(id) {
            Some(already) => *already == seats,
            None => true,
        };
        let parent = here.chain(elsewhere).map(|(id, _)| id).find(|id| free(id))?.clone();
        self.captures.insert(parent.clone(), seats.clone());
        Some(Audience::Within { parent, seats })
    }

    fn retreated(&self, index: usize, units: &[UnitId], from: HexId) -> Audience {
        let board = self.on_the_board(units);
        let fight = self.scene.fight_at(from, index).filter(|fight| units.iter().all(|u| fight.units.contains(u)));
        match (&board, fight) {
            (Audience::Everyone, _) | (_, None) => board,
            (_, Some(fight)) => self.within(Some(fight)),
        }
    }
}

/// Where a public event happened, if it can be the occasion of a capture.
fn place_of(event: &Event) -> Option<HexId> {
    match event {
        Event::Moved { path, .. } => path.last().copied(),
        Event::Retreated { to, .. } => Some(*to),
        Event::Arrived { at, .. } => Some(*at),
        Event::NoBattle { hex, .. } | Event::Control { hex, .. } => Some(*hex),
        _ => None,
    }
}
