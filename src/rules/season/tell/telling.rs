//! One event as it is told to one viewer: a kind, its facts, a heading. [`Teller`] knows what that viewer may know.

use super::super::board::ProvinceId;
use super::super::campaign::Fog;
use super::super::state::State;
use super::scene::{Fight, Scene};
use crate::engine::{Cite, HexId, SeatId, UnitId, Viewer};
use serde_json::{Map, Value};

/// What the template gets.
pub(super) struct Telling {
    pub(super) kind: &'static str,
    pub(super) facts: Map<String, Value>,
    pub(super) heading: String,
    pub(super) hex: Option<HexId>,
    /// Set where this viewer is told less than there is: the rules to be named instead of the event's own, which could
    /// betray what is left out (a forced march, a levy).
    pub(super) reduced: Option<Vec<Cite>>,
}

impl Telling {
    pub(super) fn new(kind: &'static str, heading: impl Into<String>) -> Self {
        Self { kind, facts: Map::new(), heading: heading.into(), hex: None, reduced: None }
    }

    pub(super) fn at(mut self, hex: HexId) -> Self {
        self.hex = Some(hex);
        self
    }

    pub(super) fn put(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(name.to_owned(), value.into());
        self
    }

    pub(super) fn put_if(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.put(name, value),
            None => self,
        }
    }

    pub(super) fn reduced(mut self, rules: &[&'static str]) -> Self {
        self.reduced = Some(rules.iter().map(|rule| Cite::of(rule)).collect());
        self
    }
}

/// Who tells whom, at one moment of the turn: `state` is that before the event.
pub(super) struct Teller<'t> {
    pub(super) viewer: &'t Viewer,
    pub(super) scene: &'t Scene,
    pub(super) state: &'t State,
    /// Where the event stands in the turn.
    pub(super) index: usize,
}

impl Teller<'_> {
    /// A seat's name.
    pub(super) fn name(&self, seat: &SeatId) -> String {
        self.state.campaign.seat_name(seat).to_owned()
    }

    pub(super) fn names<'s>(&self, seats: impl IntoIterator<Item = &'s SeatId>) -> Vec<String> {
        seats.into_iter().map(|seat| self.name(seat)).collect()
    }

    /// "Swedish".
    pub(super) fn adjective(&self, seat: &SeatId) -> String {
        self.state.campaign.seat(seat).map_or_else(|| seat.to_string(), |seat| seat.adjective.clone())
    }

    /// What prose calls a hex.
    pub(super) fn place(&self, hex: HexId) -> String {
        self.state.campaign.board.name(hex).to_owned()
    }

    pub(super) fn places<'h>(&self, hexes: impl IntoIterator<Item = &'h HexId>) -> Vec<String> {
        hexes.into_iter().map(|hex| self.place(*hex)).collect()
    }

    /// The heading of what happens about a hex: its province.
    pub(super) fn theatre(&self, hex: HexId) -> String {
        let province = self.state.campaign.board.hexes.get(&hex).and_then(|hex| hex.province.as_ref());
        province.map_or_else(|| self.place(hex), |province| self.province(province))
    }

    pub(super) fn province(&self, province: &ProvinceId) -> String {
        self.state.campaign.province(province).map_or_else(|| province.to_string(), |province| province.name.clone())
    }

    /// The heading of a battle.
    pub(super) fn battle(&self, hex: HexId) -> String {
        format!("Battle of {}", self.place(hex))
    }

    /// Whether this viewer may know what a unit is [R-003-83].
    pub(super) fn knows(&self, unit: UnitId) -> bool {
        self.scene.seat(unit).is_some_and(|seat| self.knows_of(seat))
    }

    /// Whether this viewer may know what a seat's units are.
    pub(super) fn knows_of(&self, seat: &SeatId) -> bool {
        self.scene.fog == Fog::Open || self.viewer.may_see_secrets_of(seat)
    }

    /// Whether this viewer fought in a battle and so knows all who fought in it, "for that battle" [R-003-83].
    pub(super) fn was_in(&self, fight: Option<&Fight>) -> bool {
        match self.viewer {
            _ if self.scene.fog == Fog::Open => true,
            Viewer::Umpire => true,
            Viewer::Public => false,
            Viewer::Seat(seat) => fight.is_some_and(|fight| fight.seats.contains(seat)),
        }
    }

    /// A unit's full name.
    pub(super) fn unit(&self, unit: UnitId) -> String {
        self.scene.name(unit)
    }

    pub(super) fn units<'u>(&self, units: impl IntoIterator<Item = &'u UnitId>) -> Vec<String> {
        units.into_iter().map(|unit| self.unit(*unit)).collect()
    }

    /// Where a unit stands at this moment; `or` where it does not stand any more.
    pub(super) fn stands(&self, unit: UnitId, or: HexId) -> HexId {
        self.state.units.get(&unit).map_or(or, |unit| unit.at)
    }

    /// A unit's strength at this moment.
    pub(super) fn strength(&self, unit: UnitId) -> u8 {
        self.state.units.get(&unit).map_or(0, |unit| unit.strength)
    }

    /// The strength of several together.
    pub(super) fn together(&self, units: &[UnitId]) -> u32 {
        units.iter().map(|unit| u32::from(self.strength(*unit))).sum()
    }

    /// "Dal Regiment (4, B2)": a unit as its friends and its enemies in a battle see it.
    pub(super) fn block(&self, unit: UnitId) -> String {
        let name = self.unit(unit);
        match self.state.units.get(&unit).map(|unit| (unit.strength, unit.rating)) {
            Some((strength, Some(rating))) => format!("{name} ({strength}, {rating})"),
            Some((strength, None)) => format!("{name} ({strength})"),
            None => name,
        }
    }

    /// Units with their leader as one sentence needs them: by name where `known`, else the count of brigades alone. A leader
    /// who goes with others stands apart; one who goes alone is the one who goes.
    pub(super) fn who(&self, telling: Telling, seat: &SeatId, units: &[UnitId], known: bool) -> Telling {
        let count = self.scene.brigades(units);
        let telling = telling.put("seat", self.name(seat)).put("adjective", self.adjective(seat)).put("count", count);
        if !known {
            return telling;
        }
        let (leaders, others): (Vec<UnitId>, Vec<UnitId>) = units.iter().partition(|unit| self.scene.is_leader(**unit));
        let telling = telling.put("strength", self.together(units));
        match others.is_empty() {
            true => telling.put("units", self.units(&leaders)),
            false => {
                let leader = leaders.first().map(|leader| self.unit(*leader));
                let rest = leaders.iter().skip(1).chain(&others);
                telling.put("units", self.units(rest)).put_if("leader", leader)
            }
        }
    }
}
