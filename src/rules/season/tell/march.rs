//! Arrivals and marches as entries [003 Movement].

use super::super::event::{Event, Halt, VoidReason};
use super::super::order::{Arrival, Pace};
use super::telling::{Teller, Telling};
use crate::engine::{HexId, HexSide, SeatId, UnitId};

/// The heading of orders that came to nothing.
const VOID: &str = "Orders that came to nothing";

impl Teller<'_> {
    /// Tells an event of this chapter; `None` if it is of another.
    pub(super) fn march(&self, event: &Event) -> Option<Telling> {
        Some(match event {
            Event::Arrived { unit, at } => self.arrived(*unit, *at)?,
            Event::Moved { seat, units, path, pace, arrival, .. } => self.moved(seat, units, path, *pace, *arrival)?,
            Event::Halted { seat, units, at, ahead, why } => {
                let telling = Telling::new("halted", self.theatre(*at)).at(*at);
                let telling = self.who(telling, seat, units, self.knows_of(seat));
                telling
                    .put("at", self.place(*at))
                    .put_if("ahead", ahead.map(|hex| self.place(hex)))
                    .put("why", halt(why))
            }
            Event::Crossing { leader, from, to, success } => Telling::new("crossing", self.theatre(*from))
                .at(*from)
                .put("leader", self.unit(*leader))
                .put("from", self.place(*from))
                .put("to", self.place(*to))
                .put("river", self.river(*from, *to))
                .put("success", *success),
            Event::ForcedMarch { leader, success } => {
                let at = self.state.units.get(leader).map(|unit| unit.at);
                let heading = at.map_or_else(|| self.unit(*leader), |at| self.theatre(at));
                let telling = Telling { hex: at, ..Telling::new("forced_march", heading) };
                telling
                    .put("leader", self.unit(*leader))
                    .put_if("at", at.map(|hex| self.place(hex)))
                    .put("success", *success)
            }
            Event::Pinned { hex, seat, units, by } => {
                let telling = Telling::new("pinned", self.theatre(*hex)).at(*hex);
                let known = self.knows_of(seat);
                let telling =
                    self.who(telling, seat, units, known).put("at", self.place(*hex)).put("by", self.name(by));
                if known { telling } else { telling.reduced(&["003 Pinning", "R-003-26"]) }
            }
            Event::Void { seat, words, why } => {
                let telling = Telling::new("void", VOID).put("seat", self.name(seat)).put("words", words.clone());
                let telling = telling.put("why", void(why));
                match why {
                    VoidReason::Rule(words) => telling.put("because", words.clone()),
                    _ => telling,
                }
            }
            _ => return None,
        })
    }

    fn arrived(&self, unit: UnitId, at: HexId) -> Option<Telling> {
        let seat = self.scene.seat(unit)?;
        let telling = self.who(Telling::new("arrived", "Reinforcements").at(at), seat, &[unit], self.knows(unit));
        let telling = telling.put("at", self.place(at));
        if !self.knows(unit) {
            return Some(telling.reduced(&[]));
        }
        // It does not stand on the board yet: its strength is the setup's.
        let setup = self.state.campaign.units.iter().find(|setup| setup.id == unit);
        Some(telling.put_if("strength", setup.map(|setup| setup.strength)))
    }

    fn moved(&self, seat: &SeatId, units: &[UnitId], path: &[HexId], pace: Pace, arrival: Arrival) -> Option<Telling> {
        let (&first, &to) = (path.first()?, path.last()?);
        let from = units.first().map_or(first, |unit| self.stands(*unit, first));
        let between = path.iter().skip(1).take(path.len().saturating_sub(2));
        let telling = Telling::new("moved", self.theatre(to)).at(to);
        let known = self.knows_of(seat);
        let telling = self.who(telling, seat, units, known).put("from", self.place(from)).put("to", self.place(to));
        let telling = telling.put("via", self.places(between));
        if !known {
            return Some(telling.reduced(&["003 Movement"]));
        }
        let pace = match pace {
            Pace::Normal => "normal",
            Pace::Forced => "forced",
            Pace::River => "river",
        };
        let arrival = match arrival {
            Arrival::Stand => "stand",
            Arrival::Besiege => "besiege",
            Arrival::Enter => "enter",
        };
        Some(telling.put("pace", pace).put("arrival", arrival))
    }

    /// The river between two hexes; "river" where it has no name on this board.
    fn river(&self, from: HexId, to: HexId) -> String {
        let board = &self.state.campaign.board;
        let side = board.sides.get(&HexSide::between(from, to)).and_then(|side| side.river.as_ref());
        let name = side.and_then(|river| river.id.as_ref()).and_then(|id| board.rivers.get(id));
        name.cloned().unwrap_or_else(|| "river".to_owned())
    }
}

fn halt(why: &Halt) -> &'static str {
    match why {
        Halt::Enemy => "enemy",
        Halt::StopTerrain => "stop_terrain",
        Halt::SideFull => "side_full",
        Halt::RiverRoll => "river_roll",
        Halt::NoLeader => "no_leader",
        Halt::NoPassage => "no_passage",
        Halt::PinnedSide => "pinned_side",
        Halt::Exhausted => "exhausted",
    }
}

/// Why an order or a card came to nothing, as the templates know it.
pub(super) fn void(why: &VoidReason) -> &'static str {
    match why {
        VoidReason::Pinned => "pinned",
        VoidReason::NotThere => "not_there",
        VoidReason::ConditionUnmet => "condition_unmet",
        VoidReason::NotEnough => "not_enough",
        VoidReason::NoPlace => "no_place",
        VoidReason::Limit => "limit",
        VoidReason::NoCard => "no_card",
        VoidReason::Rule(_) => "rule",
    }
}
