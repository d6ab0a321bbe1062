//! Battles as entries: all to those who fought, the bare outcome to the rest [003 Battles, R-003-83].

use super::super::event::{Event, Loss};
use super::scene::{Fight, Toll, in_battle};
use super::telling::{Teller, Telling};
use crate::engine::{HexId, Recorded, SeatId, UnitId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

impl Teller<'_> {
    /// Tells an event of this chapter; `None` if it is of another.
    pub(super) fn fighting(&self, recorded: &Recorded<Event>) -> Option<Telling> {
        Some(match &recorded.event {
            Event::NoBattle { hex, avoided_by } => Telling::new("no_battle", self.theatre(*hex))
                .at(*hex)
                .put("place", self.place(*hex))
                .put("avoided_by", self.names(avoided_by)),
            Event::BattleJoined { .. } => self.joined(&recorded.event)?,
            Event::Volley { hex, round, unit, hits } => self.volley(recorded, *hex, *round, *unit, *hits),
            Event::FortDivided { hex, round, hits, counted, carried } => self
                .detail("fort_divided", *hex)
                .put("place", self.place(*hex))
                .put("round", *round)
                .put("hits", *hits)
                .put("counted", *counted)
                .put("carried", *carried),
            Event::StepsLost { unit, steps, cause: Loss::Battle | Loss::Captured, hex } => {
                let at = (*hex).or_else(|| self.state.units.get(unit).map(|unit| unit.at))?;
                let left = self.strength(*unit).saturating_sub(*steps);
                self.of_unit("hits", at, *unit).put("lost", *steps).put("left", left)
            }
            Event::Gone { unit, how, by, hex } => self.gone(*unit, *how, by.as_ref(), *hex)?,
            Event::Retreated { units, from, to, round } => self.retreated(units, *from, *to, *round)?,
            Event::CannotRetreat { unit, hex, round } => {
                self.of_unit("cannot_retreat", *hex, *unit).put("round", *round)
            }
            Event::Regrouped { unit, hex, recovered, lost } => {
                let (max, now) = self.state.units.get(unit).map_or((0, 0), |unit| (unit.max, unit.strength));
                let left = now.saturating_add(*recovered).min(max);
                self.of_unit("regrouped", *hex, *unit).put("recovered", *recovered).put("lost", *lost).put("left", left)
            }
            Event::BattleEnded { hex, victors, losers, rounds, wiped_out } => {
                self.ended(*hex, victors, losers, *rounds, *wiped_out)
            }
            Event::SovereignFell { seat, killer } => Telling::new("sovereign_fell", "Courts and cards")
                .put("seat", self.name(seat))
                .put_if("killer", killer.as_ref().map(|seat| self.name(seat))),
            Event::Succeeded { seat, unit, after } => Telling::new("succeeded", "Courts and cards")
                .put("seat", self.name(seat))
                .put("leader", self.unit(*unit))
                .put("after", self.unit(*after)),
            _ => return None,
        })
    }

    fn detail(&self, kind: &'static str, hex: HexId) -> Telling {
        Telling::new(kind, self.battle(hex)).at(hex)
    }

    fn of_unit(&self, kind: &'static str, hex: HexId, unit: UnitId) -> Telling {
        let seat = self.scene.seat(unit).map(|seat| self.name(seat));
        self.detail(kind, hex).put("unit", self.unit(unit)).put_if("seat", seat).put("place", self.place(hex))
    }

    /// Outsiders learn who met whom and with how many brigades, which stood on the board before all eyes.
    fn joined(&self, event: &Event) -> Option<Telling> {
        let Event::BattleJoined { hex, attackers, defenders, attacking, defending, inside, late, divisor } = event
        else {
            return None;
        };
        let city = self.state.campaign.board.city(*hex).filter(|_| !inside.is_empty()).map(|city| city.name.clone());
        let defending: BTreeSet<UnitId> = defending.iter().chain(inside).copied().collect();
        let defending: Vec<UnitId> = defending.into_iter().collect();
        let telling = self
            .detail("battle_joined", *hex)
            .put("place", self.place(*hex))
            .put("attackers", self.names(attackers))
            .put("defenders", self.names(defenders))
            .put_if("city", city);
        let telling = match self.state.sees_counters(self.viewer, *hex) {
            true => telling
                .put("attacking_count", self.scene.brigades(attacking))
                .put("defending_count", self.scene.brigades(&defending)),
            false => telling,
        };
        if !self.was_in(self.scene.fight_at(*hex, self.index)) {
            return Some(telling.reduced(&["003 When Battle Occurs"]));
        }
        let blocks = |units: &[UnitId]| units.iter().map(|unit| self.block(*unit)).collect::<Vec<_>>();
        Some(
            telling
                .put("attacking", blocks(attacking))
                .put("defending", blocks(&defending))
                .put("attacking_strength", self.together(attacking))
                .put("defending_strength", self.together(&defending))
                .put("inside", self.units(inside))
                .put("late", self.units(late))
                .put("divisor", *divisor),
        )
    }

    fn volley(&self, recorded: &Recorded<Event>, hex: HexId, round: u32, unit: UnitId, hits: u32) -> Telling {
        let faces: Vec<u8> = recorded.rolls.iter().flat_map(|roll| roll.faces.iter().copied()).collect();
        let rating = self.state.units.get(&unit).and_then(|unit| unit.rating);
        self.of_unit("volley", hex, unit)
            .put("round", round)
            .put("dice", faces.len())
            .put("faces", faces)
            .put_if("letter", rating.map(|rating| format!("{:?}", rating.letter)))
            .put_if("hits_on", rating.map(|rating| rating.hits_on))
            .put("hits", hits)
    }

    fn gone(&self, unit: UnitId, how: Loss, by: Option<&SeatId>, hex: HexId) -> Option<Telling> {
        let seat = self.scene.seat(unit)?;
        let fight = self.scene.fight_of(unit, self.index).filter(|_| in_battle(how));
        let at = self.stands(unit, hex);
        let heading = match (fight, how) {
            (Some(fight), _) => self.battle(fight.hex),
            (None, Loss::Supply) if self.knows(unit) => "Supply".to_owned(),
            (None, Loss::Winter) if self.knows(unit) => "Winter".to_owned(),
            // Who keeps levies, and where, stands in the campaign's rules for all to read.
            (None, Loss::Disbanded) => "Reinforcements".to_owned(),
            (None, Loss::Left) if self.knows(unit) => "Courts and cards".to_owned(),
            _ => self.theatre(at),
        };
        let captor = self.viewer_is(by) && how == Loss::Captured && self.scene.is_leader(unit);
        if !(self.knows(unit) || captor || (fight.is_some() && self.was_in(fight))) {
            let telling = Telling::new("gone", heading).at(at).put("seat", self.name(seat));
            let telling = telling.put("adjective", self.adjective(seat)).put("count", 1).put("place", self.place(at));
            let telling = telling.put_if("how", (how == Loss::Disbanded).then(|| loss(how)));
            return Some(telling.reduced(&[]));
        }
        let (kind, role) = match (how, self.scene.is_leader(unit)) {
            (Loss::Captured, _) => ("captured", "unit"),
            (Loss::Disbanded, _) => ("levy_disbanded", "unit"),
            (Loss::Left, _) => ("leader_left", "leader"),
            (_, true) => ("leader_killed", "leader"),
            (_, false) => ("eliminated", "unit"),
        };
        let telling = Telling::new(kind, heading).at(at).put(role, self.unit(unit)).put("seat", self.name(seat));
        let telling = telling.put("place", self.place(at)).put("how", loss(how));
        Some(telling.put_if("by", by.map(|seat| self.name(seat))))
    }

    fn viewer_is(&self, seat: Option<&SeatId>) -> bool {
        seat.is_some_and(|seat| self.viewer.may_see_secrets_of(seat))
    }

    fn retreated(&self, units: &[UnitId], from: HexId, to: HexId, round: u32) -> Option<Telling> {
        let first = *units.first()?;
        let seat = self.scene.seat(first)?;
        // A ruling's retreat begins where the units stand by then.
        let from = self.state.units.get(&first).map_or(from, |unit| unit.at);
        let fight = self.scene.fight_at(from, self.index).filter(|fight| units.iter().all(|u| fight.units.contains(u)));
        let known = self.knows_of(seat) || (fight.is_some() && self.was_in(fight));
        let heading = if fight.is_some() { self.battle(from) } else { self.theatre(from) };
        let telling = self.who(Telling::new("retreated", heading).at(from), seat, units, known);
        let telling = telling.put("from", self.place(from)).put("to", self.place(to));
        match known {
            true => Some(telling.put("round", round)),
            false => Some(telling.reduced(&["003 Retreats"])),
        }
    }

    /// Everyone learns how long it lasted, who held the field and how many counters it cost; those who fought also the steps.
    fn ended(&self, hex: HexId, victors: &[SeatId], losers: &[SeatId], rounds: u32, wiped_out: bool) -> Telling {
        let fight = self.scene.fight_at(hex, self.index);
        let was_in = self.was_in(fight);
        let seen = was_in || self.state.sees_counters(self.viewer, hex);
        let telling = self
            .detail("battle_ended", hex)
            .put("place", self.place(hex))
            .put("rounds", rounds)
            .put("victors", self.names(victors))
            .put("losers", self.names(losers))
            .put("wiped_out", wiped_out);
        let telling = match fight.filter(|_| seen) {
            Some(fight) => telling.put("toll", self.toll(fight, was_in)),
            None => telling,
        };
        if was_in { telling } else { telling.reduced(&["003 Battle mechanics"]) }
    }

    fn toll(&self, fight: &Fight, was_in: bool) -> Vec<Value> {
        let seats = self.state.campaign.seats.iter().filter(|seat| fight.seats.contains(&seat.id));
        let row = |name: &str, toll: Toll| match was_in {
            true => {
                json!({"seat": name, "destroyed": toll.destroyed, "retreated": toll.retreated, "steps": toll.steps})
            }
            false => json!({"seat": name, "destroyed": toll.destroyed, "retreated": toll.retreated}),
        };
        seats.map(|seat| row(&seat.name, fight.toll.get(&seat.id).copied().unwrap_or_default())).collect()
    }
}

/// How a unit left the game, as the templates know it.
pub(super) fn loss(how: Loss) -> &'static str {
    match how {
        Loss::Battle => "battle",
        Loss::March => "march",
        Loss::Supply => "supply",
        Loss::Winter => "winter",
        Loss::Captured => "captured",
        Loss::Disbanded => "disbanded",
        Loss::Left => "left",
        Loss::Card => "card",
        Loss::Defeat => "defeat",
        Loss::Ruling => "ruling",
    }
}
