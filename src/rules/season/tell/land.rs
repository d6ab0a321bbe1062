//! Sieges, supply and the hexes that change hands, as entries.

use super::super::campaign::Season;
use super::super::event::{Event, Loss};
use super::telling::{Teller, Telling};
use crate::engine::{HexId, UnitId};

impl Teller<'_> {
    /// Tells an event of this chapter; `None` if it is of another.
    pub(super) fn land(&self, event: &Event) -> Option<Telling> {
        Some(match event {
            Event::SiegeLaid { city, by } => self.siege("siege_laid", *city).put("by", self.name(by)),
            Event::SiegeCounted { city, full_turns } => {
                let by = self.state.sieges.get(city).map(|siege| self.name(&siege.by));
                self.siege("siege_turn", *city).put("turns", *full_turns).put_if("by", by)
            }
            Event::SiegeRaised { city } => {
                let by = self.state.sieges.get(city).map(|siege| self.name(&siege.by));
                self.siege("siege_raised", *city).put_if("by", by)
            }
            Event::OutOfSupply { unit, hex } => self.hungry("out_of_supply", *unit, *hex),
            Event::TrainSpent { unit, hex } => self.hungry("train_spent", *unit, *hex),
            Event::StepsLost { unit, steps, cause, hex } => {
                let at = (*hex).or_else(|| self.state.units.get(unit).map(|unit| unit.at))?;
                let left = self.strength(*unit).saturating_sub(*steps);
                let (kind, heading) = match cause {
                    Loss::March => ("straggled", self.theatre(at)),
                    Loss::Supply => ("supply_loss", "Supply".to_owned()),
                    Loss::Winter => ("winter_loss", "Winter".to_owned()),
                    _ => ("steps_lost", self.theatre(at)),
                };
                let telling =
                    Telling::new(kind, heading).at(at).put("unit", self.unit(*unit)).put("at", self.place(at));
                telling.put("lost", *steps).put("left", left)
            }
            Event::Depleted { hex } => Telling::new("depleted", "Supply").at(*hex).put("place", self.place(*hex)),
            // A ruling's event was written before the turn was worked out: whose the hex is by now, the board says.
            Event::Control { hex, to, .. } => Telling::new("control", self.theatre(*hex))
                .at(*hex)
                .put("place", self.place(*hex))
                .put_if("from", self.state.controller(*hex).map(|seat| self.name(seat)))
                .put_if("to", to.as_ref().map(|seat| self.name(seat))),
            _ => return None,
        })
    }

    fn siege(&self, kind: &'static str, city: HexId) -> Telling {
        let name = self.place(city);
        Telling::new(kind, format!("The siege of {name}")).at(city).put("city", name)
    }

    fn hungry(&self, kind: &'static str, unit: UnitId, hex: HexId) -> Telling {
        let heading = if self.state.season == Season::Winter { "Winter" } else { "Supply" };
        Telling::new(kind, heading).at(hex).put("unit", self.unit(unit)).put("at", self.place(hex))
    }
}
