//! Leaders in battle, and the fall of a sovereign [003 Leader Casualties, R-003-38, R-003-39].

use super::super::Season;
use super::super::event::{Event, Loss};
use super::by;
use super::fight::{Battle, Fighter, Part, Place};
use crate::engine::{Cause, EventId, SeatId, Working};

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
        let alone =
            |f: &Fighter<'_>| f.part == part && f.leader && !f.stays && matches!(f.place, Place::In | Place::Waiting);
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
    /// With a sovereign falls his player; the killer is whose die it was [R-003-39, R-003-100].
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

/// A sovereign's death is his player's defeat at once; what follows from it follows at the end of the turn, and his other
/// battles of the turn are still fought [R-003-39, R-003-100].
fn sovereign_falls(w: &mut Working<'_, Season>, seat: SeatId, killer: Option<SeatId>, gone: EventId) {
    let cites = by("003 Leader Casualties", "R-003-39");
    let cause = Cause::new(format!("sovereign {seat}"), &cites).because(gone);
    w.emit(cause, Event::SovereignFell { seat, killer });
}
