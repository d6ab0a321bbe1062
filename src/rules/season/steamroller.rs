//! The Steamroller Rule [003 Steamroller, R-003-48]: an advancing force that has wiped out its enemy goes on.

use super::Season;
use super::battle;
use super::campaign::rule;
use super::diplomacy::plain;
use super::event::{Event, Halt};
use super::movement::walk::room;
use super::order::{Arrival, March, Order, Pace, Picked};
use super::state::{Entry, State, Unit};
use crate::engine::{Cause, Dice, EventId, Flow, HexId, Orders, Scope, SeatId, Source, UnitId, Working};

/// Player by player in order of the Action cards, each player's marches in written order [R-003-48].
pub(super) fn run(w: &mut Working<'_, Season>, orders: &Orders<Order>, dice: &Dice) -> Flow {
    for seat in w.state().now.sequence.clone() {
        let sheet = orders.get(&seat).map_or(&[][..], Vec::as_slice);
        for held in sheet {
            let Order::March(march) = plain(&held.order) else { continue };
            if !march.onward.is_empty() {
                let pursuit = Pursuit { seat: &seat, march, source: &held.source, orders, dice };
                pursuit.run(w);
            }
        }
    }
    Flow::Done
}

/// One march that is to go on.
struct Pursuit<'o> {
    seat: &'o SeatId,
    march: &'o March,
    source: &'o Source,
    orders: &'o Orders<Order>,
    dice: &'o Dice,
}

/// Those who can take the next hex, and what holds the others.
#[derive(Default)]
struct Column {
    leader: Option<UnitId>,
    brigades: Vec<UnitId>,
    halted: Vec<(UnitId, Halt)>,
}

impl Pursuit<'_> {
    /// Goes on hex by hex; a new battle follows at once, and if that too wipes the enemy out, the force goes on
    /// [R-003-48].
    fn run(&self, w: &mut Working<'_, Season>) {
        let Some(mut here) = self.starts_at(w.state()) else { return };
        if !self.wiped_out(w, here) {
            return;
        }
        let mut because = last_battle(w, here);
        while let Some(next) = self.next(here) {
            let before = w.state().now.entry_counter;
            let Some(moved) = self.step(w, here, next, because.take()) else { return };
            if w.state().enemies_of(self.seat, next).next().is_some() {
                battle::fight_hex(w, self.orders, self.dice, next, Some(before));
                if !self.wiped_out(w, next) {
                    return;
                }
                because = last_battle(w, next);
            }
            because = because.or(Some(moved));
            here = next;
        }
    }

    /// The way from a hex on: the rest of the path where the enemy stopped the march short of its goal, then the order to go
    /// on.
    fn next(&self, here: HexId) -> Option<HexId> {
        let way: Vec<HexId> = self.march.path.iter().chain(&self.march.onward).copied().collect();
        let place = way.iter().rposition(|hex| *hex == here)?;
        way.get(place + 1).copied()
    }

    /// Where units of this march stand that moved this turn, the foremost first.
    fn starts_at(&self, state: &State) -> Option<HexId> {
        let way = self.march.path.iter().rev();
        let mut found = way.filter(|hex| self.units(state, **hex).next().is_some());
        found.next().copied()
    }

    /// The march's units in a hex that came there by moving [R-003-48].
    fn units<'s>(&'s self, state: &'s State, here: HexId) -> impl Iterator<Item = (&'s Unit, &'s Entry)> {
        let own = state.in_hex(here).filter(|unit| unit.seat == *self.seat && self.belongs(unit));
        own.filter_map(move |unit| {
            let entry = state.now.entries.get(&unit.id).filter(|entry| entry.start == self.march.from)?;
            (!state.now.retreated.contains(&unit.id)).then_some((unit, entry))
        })
    }

    fn belongs(&self, unit: &Unit) -> bool {
        if self.march.army_of == Some(unit.id) && self.march.leader_goes {
            return true;
        }
        match &self.march.units {
            Picked::These(units) => units.contains(&unit.id),
            Picked::All => unit.is_brigade() && !self.named_elsewhere(unit.id),
        }
    }

    fn named_elsewhere(&self, unit: UnitId) -> bool {
        let sheet = self.orders.get(self.seat).into_iter().flatten();
        let mut others = sheet.filter(|held| held.source != *self.source);
        others.any(|held| match plain(&held.order) {
            Order::March(March { units: Picked::These(units), .. }) => units.contains(&unit),
            _ => false,
        })
    }

    /// Whether the seat attacked in this hex this turn, all its enemies there were eliminated, none retreated, and none is
    /// left [003 Steamroller].
    fn wiped_out(&self, w: &Working<'_, Season>, here: HexId) -> bool {
        let state = w.state();
        let attacked = w.events().iter().any(|recorded| match &recorded.event {
            Event::BattleJoined { hex, attackers, .. } => *hex == here && attackers.contains(self.seat),
            _ => false,
        });
        let own = |seats: &[SeatId]| seats.contains(self.seat);
        let clean = state.now.battles.iter().filter(|(hex, _)| *hex == here).all(|(_, fought)| {
            !(own(&fought.victors) || own(&fought.losers)) || (own(&fought.victors) && fought.wiped_out)
        });
        attacked && clean && state.enemies_of(self.seat, here).next().is_none()
    }

    /// One hex further, if the ground and the rest of their movement let anyone go. Gives the event of the move.
    fn step(&self, w: &mut Working<'_, Season>, here: HexId, next: HexId, because: Option<EventId>) -> Option<EventId> {
        if let Some(why) = self.barred(w.state(), here, next) {
            let all: Vec<UnitId> = self.units(w.state(), here).map(|(unit, _)| unit.id).collect();
            self.tell_halt(w, all, here, next, why);
            return None;
        }
        let column = self.column(w.state(), here, next);
        self.tell_halts(w, &column, here, next);
        let mut units: Vec<UnitId> = column.leader.into_iter().chain(column.brigades).collect();
        if units.is_empty() || !self.cross(w, here, next, column.leader, &units) {
            return None;
        }
        units.sort_unstable();
        let pace = units.iter().find_map(|id| w.state().now.entries.get(id)).map_or(Pace::Normal, |entry| entry.pace);
        let last = self.march.onward.last() == Some(&next);
        let event = Event::Moved {
            seat: self.seat.clone(),
            units,
            path: vec![here, next],
            pace,
            arrival: if last { self.march.arrival } else { Arrival::Stand },
            leader: column.leader,
        };
        let cites = [rule("003 Steamroller"), rule("R-003-48")];
        let cause = Cause::new(format!("onward {}@{here}-{next}", self.seat), &cites).ordered(self.seat, self.source);
        Some(w.emit(because.into_iter().fold(cause, Cause::because), event))
    }

    /// What keeps everyone from the next hex: no way, or the land or units of somebody who gives no passage [R-003-03]: no new
    /// war begins in the heat of pursuit [R-003-P29].
    fn barred(&self, state: &State, here: HexId, next: HexId) -> Option<Halt> {
        let closed = state.campaign.board.open_side(here, next).is_none();
        let stranger = |seat: &SeatId| !state.at_war(self.seat, seat) && !state.may_pass(self.seat, seat);
        let foreign = state.controller(next).is_some_and(stranger);
        let occupied = state.brigades_in(next).any(|unit| stranger(&unit.seat));
        (closed || foreign || occupied).then_some(Halt::NoPassage)
    }

    /// Who can go: what is left of each one's movement, no stop hexside behind it, room on the next side [R-003-48].
    fn column(&self, state: &State, here: HexId, next: HexId) -> Column {
        let mut column = Column::default();
        let mut room = room(state, self.seat, here, next, Pace::Normal);
        let mut units: Vec<(&Unit, &Entry)> = self.units(state, here).collect();
        if let Picked::These(named) = &self.march.units {
            units.sort_by_key(|(unit, _)| named.iter().position(|id| *id == unit.id));
        }
        for (unit, entry) in units {
            if entry.stopped {
                column.halted.push((unit.id, Halt::StopTerrain));
            } else if entry.used >= rate(unit, entry) {
                column.halted.push((unit.id, Halt::Exhausted));
            } else if unit.is_leader() {
                column.leader = column.leader.or(Some(unit.id));
            } else if room == 0 {
                column.halted.push((unit.id, Halt::SideFull));
            } else {
                room -= 1;
                column.brigades.push(unit.id);
            }
        }
        if column.brigades.is_empty() {
            column.leader = None;
        }
        column
    }

    /// A river away from any city needs a leader's Strategic Roll, one for each crossing [003 Rivers, R-003-18, R-003-94].
    fn cross(
        &self,
        w: &mut Working<'_, Season>,
        here: HexId,
        next: HexId,
        leader: Option<UnitId>,
        units: &[UnitId],
    ) -> bool {
        if !w.state().campaign.board.needs_crossing(here, next) {
            return true;
        }
        let figures = leader.and_then(|id| Some((id, w.state().units.get(&id)?.leader?)));
        let Some((id, figures)) = figures else {
            self.tell_halt(w, units.to_vec(), here, next, Halt::NoLeader);
            return false;
        };
        let subject = format!("u{id} {here}-{next}");
        let roll = self.dice.roll(Scope::Public, w.step(), "crossing", &subject, 1, 1);
        let success = roll.faces.iter().all(|face| *face < figures.strategic);
        let cites = [rule("003 Rivers"), rule("R-003-18")];
        let cause = Cause::new(format!("crossing {subject}"), &cites).ordered(self.seat, self.source).rolled(roll);
        w.emit(cause, Event::Crossing { leader: id, from: here, to: next, success });
        if !success {
            self.tell_halt(w, units.to_vec(), here, next, Halt::RiverRoll);
        }
        success
    }

    fn tell_halts(&self, w: &mut Working<'_, Season>, column: &Column, here: HexId, next: HexId) {
        for why in [Halt::StopTerrain, Halt::Exhausted, Halt::SideFull] {
            let of = column.halted.iter().filter(|(_, halt)| *halt == why);
            let units: Vec<UnitId> = of.map(|(unit, _)| *unit).collect();
            if !units.is_empty() {
                self.tell_halt(w, units, here, next, why);
            }
        }
    }

    fn tell_halt(&self, w: &mut Working<'_, Season>, units: Vec<UnitId>, here: HexId, next: HexId, why: Halt) {
        let cites = [rule("003 Steamroller"), rule("R-003-48")];
        let cause = Cause::new(format!("halt {}@{here}", self.seat), &cites).ordered(self.seat, self.source);
        let event = Event::Halted { seat: self.seat.clone(), units, at: here, ahead: Some(next), why };
        w.emit(cause, event);
    }
}

/// Hexes that a unit may use this turn: a river move leaves nothing over [R-003-66]; the double rate of a forced march counts
/// only where its roll has been made, that is, beyond the normal rate [R-003-93, R-003-P29].
fn rate(unit: &Unit, entry: &Entry) -> u32 {
    let normal = u32::from(unit.movement);
    match entry.pace {
        Pace::River => 0,
        Pace::Forced if entry.used > normal => normal * 2,
        Pace::Forced | Pace::Normal => normal,
    }
}

fn last_battle(w: &Working<'_, Season>, hex: HexId) -> Option<EventId> {
    let mut events = w.events().iter().rev();
    let ended = events.find(|recorded| matches!(&recorded.event, Event::BattleEnded { hex: at, .. } if *at == hex))?;
    Some(ended.id.clone())
}

#[cfg(test)]
mod tests {
    use super::super::event::{Event, Halt};
    use super::super::order::{Arrival, March, Order, Pace, Picked, RetreatWhen};
    use super::super::testing::Table;
    use crate::engine::Recorded;

    /// Swedish horse (two hexes a turn) and foot (one) go from A against B, with orders to go on to C and D.
    fn table(sides: &str) -> Table {
        let mut table = Table::new(&format!(
            "A--B clear, {sides}
             land A sweden, B russia, C russia, D russia
             A: sweden cavalry Horse 4 A5, infantry Dal 4 B5
             B: russia infantry Foot 1
             C: russia infantry Sem 1"
        ));
        let units = Picked::These(table.ids(&["Horse", "Dal"]));
        let march = March {
            army_of: None,
            leader_goes: false,
            units,
            from: table.hex("A"),
            path: vec![table.hex("B")],
            pace: Pace::Normal,
            arrival: Arrival::Stand,
            onward: vec![table.hex("C"), table.hex("D")],
            condition: None,
        };
        table.order("sweden", Order::March(march));
        table.enter(&["Horse", "Dal"], &["A", "B"]);
        table
    }

    fn halts(events: &[Recorded<Event>]) -> Vec<Halt> {
        let halted = events.iter().filter_map(|recorded| match &recorded.event {
            Event::Halted { why, .. } => Some(why.clone()),
            _ => None,
        });
        halted.collect()
    }

    fn battles(events: &[Recorded<Event>]) -> usize {
        events.iter().filter(|recorded| matches!(recorded.event, Event::BattleEnded { .. })).count()
    }

    /// The defenders are wiped out: the horse goes on to C and fights at once; it has used its two hexes then, and the foot its
    /// one before [003 Steamroller, R-003-48].
    #[test]
    fn a_force_rolls_into_a_second_battle() {
        let mut table = table("B--C clear, C--D clear");
        table.volley("Horse", "B", 1, &[1]);
        table.volley("Horse", "C", 1, &[1]);
        let events = table.battles_and_steamroller();
        assert_eq!(battles(&events), 2);
        assert_eq!((table.at("Horse"), table.at("Dal")), ("C", "B"));
        assert_eq!(table.strength("Sem"), 0);
        assert_eq!(halts(&events), [Halt::Exhausted, Halt::Exhausted]);
        let onward = events.iter().find(|recorded| matches!(recorded.event, Event::Moved { .. })).unwrap();
        assert!(onward.source.is_some() && !onward.because.is_empty());
    }

    /// Without limit of repetition: a rider of three hexes rolls over C too and comes to D [R-003-48].
    #[test]
    fn it_rolls_on_as_long_as_movement_lasts() {
        let mut table = table("B--C clear, C--D clear");
        let horse = table.id("Horse");
        table.state.units.get_mut(&horse).unwrap().movement = 3;
        table.volley("Horse", "B", 1, &[1]);
        table.volley("Horse", "C", 1, &[1]);
        table.battles_and_steamroller();
        assert_eq!(table.at("Horse"), "D");
    }

    /// Movement is stopped if the defender has forces that remain intact, even if they retreat [003 Steamroller].
    #[test]
    fn a_retreat_stops_it() {
        let mut table = table("B--C clear, B--D clear");
        table.retreat("russia", &["Foot"], RetreatWhen::AtOnce, None);
        let events = table.battles_and_steamroller();
        assert!(!events.iter().any(|recorded| matches!(recorded.event, Event::Moved { .. })));
        assert_eq!(table.at("Horse"), "B");
    }

    /// Nor does a battle that was broken off let anyone on.
    #[test]
    fn a_battle_without_a_victor_stops_it() {
        let mut table = table("B--C clear, C--D clear");
        table.battles_and_steamroller();
        assert_eq!(table.at("Horse"), "B");
    }

    /// Stop hexsides still end a march: after the forest into C nobody goes on to D, whatever movement is left [R-003-48].
    #[test]
    fn stop_sides_end_it() {
        let mut table = table("B--C forest, C--D clear");
        let horse = table.id("Horse");
        table.state.units.get_mut(&horse).unwrap().movement = 4;
        table.volley("Horse", "B", 1, &[1]);
        table.volley("Horse", "C", 1, &[1]);
        let events = table.battles_and_steamroller();
        assert_eq!(table.at("Horse"), "C");
        assert!(halts(&events).contains(&Halt::StopTerrain));
    }

    /// Hexside limits go on counting: one brigade over a marsh [R-003-48].
    #[test]
    fn limits_go_on_counting() {
        let mut table = table("B--C marsh, C--D clear");
        let dal = table.id("Dal");
        table.state.units.get_mut(&dal).unwrap().movement = 2;
        table.volley("Horse", "B", 1, &[1]);
        table.volley("Horse", "C", 1, &[1]);
        let events = table.battles_and_steamroller();
        assert_eq!((table.at("Horse"), table.at("Dal")), ("C", "B"));
        assert!(halts(&events).contains(&Halt::SideFull));
    }

    /// Only an attacking force rolls on: brigades that moved in first and were attacked there stay [R-003-48].
    #[test]
    fn a_defender_does_not_roll() {
        let mut table = table("B--C clear, C--D clear, B--E clear");
        let foot = table.id("Foot");
        table.state.units.get_mut(&foot).unwrap().at = table.hex("E");
        table.enter(&["Foot"], &["E", "B"]);
        table.volley("Horse", "B", 1, &[1]);
        let events = table.battles_and_steamroller();
        assert_eq!(battles(&events), 1);
        assert_eq!(table.at("Horse"), "B");
    }

    /// A river away from any city is crossed on the leader's roll, a die under his Strategic Rating of 4
    /// [003 Rivers, R-003-18].
    #[test]
    fn rivers_are_rolled_for() {
        for (face, at) in [(3, "C"), (4, "B")] {
            let mut table = table("B--C clear river, C--D clear");
            let before = table.orders.clone();
            let [held] = &before.values().next().unwrap()[..] else { panic!("one order") };
            let Order::March(march) = &held.order else { panic!("a march") };
            let rider = table.id("Horse");
            let leader =
                Table::new("A--B clear\n A: sweden leader Charles 3").state.units.values().next().unwrap().clone();
            let id = crate::engine::UnitId(9);
            let place = table.hex("A");
            table.state.units.insert(id, super::super::state::Unit { id, at: place, ..leader });
            let march =
                March { army_of: Some(id), leader_goes: true, units: Picked::These(vec![rider]), ..march.clone() };
            table.orders.clear();
            table.order("sweden", Order::March(march));
            table.enter(&["Charles"], &["A", "B"]);
            table.volley("Horse", "B", 1, &[1]);
            table.crossing("Charles", "B", "C", face);
            table.battles_and_steamroller();
            assert_eq!((table.at("Horse"), table.at("Charles")), (at, at));
        }
    }
}
