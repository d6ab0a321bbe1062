//! Leaders in and after battle, and the fall of a sovereign [003 Leader Casualties, R-003-38, R-003-39, R-003-77].

use super::super::Season;
use super::super::campaign::{Kind, rule};
use super::super::event::{Event, Loss};
use super::super::state::{State, Unit};
use super::fight::{Battle, Part, Place};
use super::{by, led_to};
use crate::engine::{Cause, EventId, HexId, SeatId, UnitId, Working};

impl Battle<'_> {
    /// Where a side's brigades in the fight are gone its reserves come in at once [R-003-30]; where no brigade is left, its
    /// leaders leave before the next volley or are taken [R-003-38].
    pub fn close_ranks(&mut self, w: &mut Working<'_, Season>) {
        for part in [Part::Attacker, Part::Defender] {
            if self.fighters.iter().any(|f| f.is_in(part) && !f.leader) {
                continue;
            }
            if self.fighters.iter().any(|f| f.holds(part)) {
                self.bring_in(part);
            } else if self.fighters.iter().any(|f| f.holds(part.other())) {
                self.leaders_alone(w, part);
            }
        }
    }

    /// A leader left alone follows his brigades if he may, else goes by any legal hexside, else he is taken; one ordered to
    /// hold to the last fights on [R-003-38].
    fn leaders_alone(&mut self, w: &mut Working<'_, Season>, part: Part) {
        let alone = |f: &super::fight::Fighter<'_>| {
            f.part == part && f.leader && !f.stays && matches!(f.place, Place::In | Place::Waiting)
        };
        let places: Vec<usize> =
            self.fighters.iter().enumerate().filter(|(_, f)| alone(f)).map(|(place, _)| place).collect();
        for place in places {
            let Some(leader) = self.fighters.get(place) else { continue };
            let told = leader.retreats.iter().find_map(|rule| rule.to);
            let followed = self.fighters.iter().filter(|f| !f.leader && f.seat == leader.seat);
            let after = told.or_else(|| followed.filter_map(|f| f.gone_to).next_back());
            let Ok(way) = self.way_out(w.state(), leader, after) else {
                self.taken(w, place, None);
                continue;
            };
            let (seat, id) = (leader.seat.clone(), leader.id);
            if let Some(leader) = self.fighters.get_mut(place) {
                leader.place = Place::Left;
            }
            self.tell_retreat(w, &seat, way, None, vec![id]);
        }
    }

    /// A unit without strength is gone for good [003 Brigade Strength, R-003-37]; a leader was killed [003 Leader Casualties].
    /// With a sovereign falls his player, and his bank goes to whose die it was [R-003-39, R-003-100].
    pub fn fall(&mut self, w: &mut Working<'_, Season>, place: usize, killer: Option<SeatId>, loss: EventId) {
        let hex = self.hex;
        let Some(fighter) = self.fighters.get_mut(place) else { return };
        fighter.place = Place::Gone;
        let (unit, seat, sovereign) = (fighter.id, fighter.seat.clone(), fighter.sovereign);
        let cites = match fighter.leader {
            true => by("003 Leader Casualties", "R-003-38"),
            false => by("003 Brigade Strength", "R-003-37"),
        };
        let cause = Cause::new(format!("gone u{unit}@{hex}"), &cites).because(loss);
        let gone = w.emit(cause, Event::Gone { unit, how: Loss::Battle, by: killer.clone(), hex });
        self.last = Some(gone.clone());
        if sovereign {
            sovereign_falls(w, seat, killer, gone);
        }
    }
}

fn sovereign_falls(w: &mut Working<'_, Season>, seat: SeatId, killer: Option<SeatId>, gone: EventId) {
    let cites = by("003 Leader Casualties", "R-003-39");
    let cause = Cause::new(format!("sovereign {seat}"), &cites).because(gone);
    let fell = w.emit(cause, Event::SovereignFell { seat: seat.clone(), killer: killer.clone() });
    let money = w.state().seats.get(&seat).map_or(0, |own| own.bank);
    if let Some(killer) = killer
        && money > 0
    {
        let cause = Cause::new(format!("treasury {seat}"), &[rule("R-003-39"), rule("R-003-100")]).because(fell);
        w.emit(cause, Event::TreasuryTaken { from: seat, by: killer, money });
    }
}

/// Leaders without brigades, and trains, in whose hex enemy brigades end are captured [R-003-77]. Run when all fighting of
/// the turn is over.
pub(in crate::rules::season) fn captured_alone(w: &mut Working<'_, Season>) {
    let state = w.state();
    let lost: Vec<(UnitId, HexId, SeatId)> = state
        .units
        .values()
        .filter(|unit| matches!(unit.kind, Kind::Leader | Kind::BaggageTrain))
        .filter_map(|unit| Some((unit.id, unit.at, captor_of(state, unit)?)))
        .collect();
    for (unit, hex, captor) in lost {
        let cause = Cause::new(format!("captured u{unit}@{hex}"), &by("003 Retreats", "R-003-77"));
        w.emit(cause, Event::Gone { unit, how: Loss::Captured, by: Some(captor), hex });
    }
}

/// Who takes a unit that cannot defend itself: the strongest enemy in its hex, if no brigade of its own side is there.
fn captor_of(state: &State, unit: &Unit) -> Option<SeatId> {
    let guarded = state.brigades_in(unit.at).any(|brigade| !state.at_war(&brigade.seat, &unit.seat));
    if guarded { None } else { strongest_enemy(state, &unit.seat, unit.at) }
}

/// The enemy of a seat with most strength in a hex; of equals the lesser slug.
fn strongest_enemy(state: &State, seat: &SeatId, hex: HexId) -> Option<SeatId> {
    let mut strength: Vec<(u32, &SeatId)> = Vec::new();
    for brigade in state.enemies_of(seat, hex) {
        match strength.iter_mut().find(|(_, known)| **known == brigade.seat) {
            Some((sum, _)) => *sum += u32::from(brigade.strength),
            None => strength.push((u32::from(brigade.strength), &brigade.seat)),
        }
    }
    let strongest = strength.into_iter().max_by_key(|(sum, known)| (*sum, std::cmp::Reverse(*known)));
    strongest.map(|(_, known)| known.clone())
}

/// The end of a player whose sovereign fell this turn: his brigades leave the map, the hexes where victors stand are theirs,
/// the rest of his land and his provinces become neutral [R-003-39, R-003-100]. To be run when the turn's other steps are
/// done.
pub(in crate::rules::season) fn defeats(w: &mut Working<'_, Season>) {
    let fallen: Vec<(SeatId, EventId)> = w
        .events()
        .iter()
        .filter_map(|recorded| match &recorded.event {
            Event::SovereignFell { seat, .. } => Some((seat.clone(), recorded.id.clone())),
            _ => None,
        })
        .collect();
    for (seat, fell) in fallen {
        leave_the_map(w, &seat, &fell);
        give_up_the_land(w, &seat, &fell);
    }
}

fn leave_the_map(w: &mut Working<'_, Season>, seat: &SeatId, fell: &EventId) {
    let own = w.state().units.values().filter(|unit| unit.seat == *seat);
    let units: Vec<(UnitId, HexId)> = own.map(|unit| (unit.id, unit.at)).collect();
    for (unit, hex) in units {
        let cause = Cause::new(format!("defeat u{unit}"), &by("003 Leader Casualties", "R-003-39"));
        w.emit(cause.because(fell.clone()), Event::Gone { unit, how: Loss::Defeat, by: None, hex });
    }
}

fn give_up_the_land(w: &mut Working<'_, Season>, seat: &SeatId, fell: &EventId) {
    let state = w.state();
    let held = state.control.iter().filter(|(_, holder)| holder.as_ref() == Some(seat));
    let hexes: Vec<(HexId, Option<SeatId>)> = held.map(|(hex, _)| (*hex, strongest_enemy(state, seat, *hex))).collect();
    let held = state.provinces.iter().filter(|(_, owner)| owner.as_ref() == Some(seat));
    let provinces: Vec<_> = held.map(|(province, _)| province.clone()).collect();
    let cites = [rule("R-003-39"), rule("R-003-100")];
    for (hex, to) in hexes {
        let cause = Cause::new(format!("defeat @{hex}"), &cites).because(fell.clone());
        w.emit(cause, Event::Control { hex, from: Some(seat.clone()), to });
    }
    for province in provinces {
        let cause = led_to(Cause::new(format!("defeat {province}"), &cites), [fell.clone()]);
        w.emit(cause, Event::Conquered { province, from: Some(seat.clone()), to: None });
    }
}
