//! A march, hex by hex: what stops it, what it costs [003 Army Movement, Side Limits, Rivers, Forced Marches, River Movement].

use super::super::Season;
use super::super::board::Fort;
use super::super::campaign::rule;
use super::super::event::{Event, Halt, Loss};
use super::super::order::{Arrival, Pace};
use super::super::play::hurt;
use super::super::state::State;
use super::{Ordered, rate};
use crate::engine::{Cite, Dice, HexId, HexSide, Scope, SeatId, UnitId, Working};

/// Units under way.
struct Column<'o> {
    ordered: &'o Ordered<'o>,
    units: Vec<UnitId>,
    path: Vec<HexId>,
    pace: Pace,
}

/// Where units ended: the hex and who came.
pub(super) struct Arrived {
    /// The hex.
    pub hex: HexId,
    /// The units.
    pub units: Vec<UnitId>,
}

/// Marches `units` along the ordered path as far as they come. Gives the hexes where some of them ended.
pub(super) fn go(
    working: &mut Working<'_, Season>,
    ordered: &Ordered<'_>,
    units: Vec<UnitId>,
    dice: &Dice,
) -> Vec<Arrived> {
    let march = ordered.march;
    // Only an army marches by force, and its leader serves those who follow his path [003 Forced Marches, R-003-94].
    let led = march.army_of.is_some_and(|leader| units.contains(&leader));
    let pace = if march.pace == Pace::Forced && !led { Pace::Normal } else { march.pace };
    let mut column = Column { ordered, units, path: vec![march.from], pace };
    let mut ended = Vec::new();
    for (place, &next) in march.path.iter().enumerate() {
        let here = column.path.last().copied().unwrap_or(march.from);
        if stopped_by_terrain(working.state(), &column) {
            column.halt_all(
                working,
                &mut ended,
                Some(next),
                Halt::StopTerrain,
                &[rule("003 Side Limits"), rule("R-003-15")],
            );
            break;
        }
        column.drop_exhausted(working, &mut ended, place, next);
        // What nobody is left to enter is not entered: no war begins there.
        if column.units.is_empty() {
            break;
        }
        let goal = place + 1 == march.path.len();
        if let Some((why, cites)) = barred(working.state(), &column, here, next, goal) {
            column.halt_all(working, &mut ended, Some(next), why, &cites);
            break;
        }
        open_war(working, ordered, next);
        column.drop_overfull(working, &mut ended, here, next);
        if !column.units.is_empty() && !column.cross_river(working, &mut ended, here, next, dice) {
            break;
        }
        if column.units.is_empty() {
            break;
        }
        column.path.push(next);
        let met = working.state().enemies_of(ordered.seat, next).next().is_some();
        if met && !goal {
            column.halt_all(working, &mut ended, None, Halt::Enemy, &[rule("003 Army Movement")]);
            break;
        }
    }
    column.settle(working, &mut ended);
    fatigue(working, ordered, &ended, dice);
    ended
}

impl Column<'_> {
    /// Records the move of `units` along the path so far and counts them as ended.
    fn end(&self, working: &mut Working<'_, Season>, ended: &mut Vec<Arrived>, units: Vec<UnitId>) {
        let march = self.ordered.march;
        let hex = self.path.last().copied().unwrap_or(march.from);
        // What they came for holds at the goal they named, not where they were stopped on the way [R-003-47].
        let arrived = self.path.len() > march.path.len();
        let arrival = if arrived { march.arrival } else { Arrival::Stand };
        if self.path.len() > 1 && !units.is_empty() {
            let leader = march.army_of.filter(|leader| units.contains(leader));
            let cause = self.ordered.cause(
                format!("move {}", units.first().map_or_else(String::new, |u| format!("u{u}"))),
                move_cites(self.pace),
            );
            let event = Event::Moved {
                seat: self.ordered.seat.clone(),
                units: units.clone(),
                path: self.path.clone(),
                pace: self.pace,
                arrival,
                leader,
            };
            working.emit(cause, event);
            ended.push(Arrived { hex, units });
        }
    }

    fn settle(&mut self, working: &mut Working<'_, Season>, ended: &mut Vec<Arrived>) {
        let units = std::mem::take(&mut self.units);
        self.end(working, ended, units);
    }

    fn halt(
        &self,
        working: &mut Working<'_, Season>,
        ended: &mut Vec<Arrived>,
        units: Vec<UnitId>,
        ahead: Option<HexId>,
        why: Halt,
        cites: &[Cite],
    ) {
        if units.is_empty() {
            return;
        }
        let at = self.path.last().copied().unwrap_or(self.ordered.march.from);
        self.end(working, ended, units.clone());
        let cause =
            self.ordered.cause(format!("halt {}", units.first().map_or_else(String::new, |u| format!("u{u}"))), cites);
        working.emit(cause, Event::Halted { seat: self.ordered.seat.clone(), units, at, ahead, why });
    }

    fn halt_all(
        &mut self,
        working: &mut Working<'_, Season>,
        ended: &mut Vec<Arrived>,
        ahead: Option<HexId>,
        why: Halt,
        cites: &[Cite],
    ) {
        let units = std::mem::take(&mut self.units);
        self.halt(working, ended, units, ahead, why, cites);
    }

    /// Each unit goes no further than its own rate [003 Army Movement, R-003-12].
    fn drop_exhausted(
        &mut self,
        working: &mut Working<'_, Season>,
        ended: &mut Vec<Arrived>,
        gone: usize,
        next: HexId,
    ) {
        let state = working.state();
        let gone = u32::try_from(gone).unwrap_or(u32::MAX);
        let pace = self.pace;
        let fresh = |id: &UnitId| state.units.get(id).is_some_and(|unit| rate(state, unit, pace) > gone);
        let (on, tired): (Vec<UnitId>, Vec<UnitId>) = std::mem::take(&mut self.units).into_iter().partition(fresh);
        self.units = on;
        self.halt(working, ended, tired, Some(next), Halt::Exhausted, &[rule("003 Army Movement")]);
    }

    /// A hexside takes so many brigades of one player in a turn; an overfull one takes them as written
    /// [003 Side Limits, R-003-13, R-003-17, R-003-92, R-003-93].
    fn drop_overfull(&mut self, working: &mut Working<'_, Season>, ended: &mut Vec<Arrived>, here: HexId, next: HexId) {
        let state = working.state();
        let mut room = room(state, self.ordered.seat, here, next, self.pace);
        let (mut on, mut left) = (Vec::new(), Vec::new());
        for id in std::mem::take(&mut self.units) {
            match state.units.get(&id).is_some_and(|unit| unit.is_brigade()) {
                true if room == 0 => left.push(id),
                true => {
                    room -= 1;
                    on.push(id);
                }
                false => on.push(id),
            }
        }
        // A leader does not ride on alone because the road was full for his whole army.
        let brigades_go = on.iter().any(|id| state.units.get(id).is_some_and(|u| u.is_brigade()));
        if !brigades_go && !left.is_empty() {
            left.append(&mut on);
        }
        self.units = on;
        self.halt(working, ended, left, Some(next), Halt::SideFull, &[rule("003 Side Limits"), rule("R-003-13")]);
    }

    /// Away from cities only a leader and those with him cross a river, each time on a roll under his Strategic Rating
    /// [003 Rivers, R-003-16, R-003-18, R-003-94]. False if the march ends here for all.
    fn cross_river(
        &mut self,
        working: &mut Working<'_, Season>,
        ended: &mut Vec<Arrived>,
        here: HexId,
        next: HexId,
        dice: &Dice,
    ) -> bool {
        if self.pace == Pace::River || !working.state().campaign.board.needs_crossing(here, next) {
            return true;
        }
        let leader = self.ordered.march.army_of.filter(|leader| self.units.contains(leader));
        let leader = leader.or_else(|| {
            self.units.iter().copied().find(|id| working.state().units.get(id).is_some_and(|u| u.is_leader()))
        });
        let figures = leader.and_then(|id| working.state().units.get(&id)?.leader.map(|figures| (id, figures)));
        let Some((leader, figures)) = figures else {
            self.halt_all(working, ended, Some(next), Halt::NoLeader, &[rule("003 Rivers"), rule("R-003-94")]);
            return false;
        };
        let subject = format!("u{leader} {here}-{next}");
        let roll = dice.roll(Scope::Public, working.step(), "crossing", &subject, 1, 1);
        let success = roll.faces.first().is_some_and(|face| *face < figures.strategic);
        let cause =
            self.ordered.cause(format!("crossing {subject}"), &[rule("003 Rivers"), rule("R-003-18")]).rolled(roll);
        working.emit(cause, Event::Crossing { leader, from: here, to: next, success });
        if !success {
            self.halt_all(working, ended, Some(next), Halt::RiverRoll, &[rule("003 Rivers")]);
        }
        success
    }
}

fn move_cites(pace: Pace) -> &'static [Cite] {
    const NORMAL: &[Cite] = &[rule("003 Army Movement"), rule("R-003-12")];
    const FORCED: &[Cite] = &[rule("003 Forced Marches")];
    const RIVER: &[Cite] = &[rule("003 River Movement"), rule("R-003-66")];
    match pace {
        Pace::Normal => NORMAL,
        Pace::Forced => FORCED,
        Pace::River => RIVER,
    }
}

/// How many more brigades of a player a hexside takes this turn.
pub(in super::super) fn room(state: &State, seat: &SeatId, here: HexId, next: HexId, pace: Pace) -> u32 {
    let Some(side) = state.campaign.board.open_side(here, next) else { return 0 };
    let limit = state.campaign.figures.limit(side.terrain);
    let key = (HexSide::between(here, next), seat.clone());
    let (by_land, by_river) = state.now.side_use.get(&key).copied().unwrap_or((0, 0));
    match pace {
        Pace::River => (limit + state.campaign.figures.river_limit_bonus).saturating_sub(by_land + by_river),
        Pace::Normal | Pace::Forced => {
            let whole = limit + if by_river > 0 { state.campaign.figures.river_limit_bonus } else { 0 };
            limit.saturating_sub(by_land).min(whole.saturating_sub(by_land + by_river))
        }
    }
}

/// Brigades that crossed forest, marsh or mountains must stop; a river move need not
/// [003 Side Limits, River Movement, R-003-15].
fn stopped_by_terrain(state: &State, column: &Column<'_>) -> bool {
    let [.., from, here] = column.path.as_slice() else { return false };
    let crossed = state.campaign.board.open_side(*from, *here);
    let brigades = column.units.iter().any(|id| state.units.get(id).is_some_and(|u| u.is_brigade()));
    column.pace != Pace::River
        && brigades
        && crossed.is_some_and(|side| state.campaign.figures.stops.contains(&side.terrain))
}

/// What lets nobody of the column on: no way, an enemy-used side, a host who gives no passage, an enemy fort on the river.
fn barred(state: &State, column: &Column<'_>, here: HexId, next: HexId, goal: bool) -> Option<(Halt, Vec<Cite>)> {
    let seat = column.ordered.seat;
    let board = &state.campaign.board;
    if board.open_side(here, next).is_none() {
        return Some((Halt::Exhausted, vec![rule("003 Hexes")]));
    }
    if here == column.ordered.march.from && used_by_enemy(state, seat, here, next) {
        return Some((Halt::PinnedSide, vec![rule("003 Pinning"), rule("R-003-26"), rule("R-003-98")]));
    }
    let strangers = state
        .brigades_in(next)
        .any(|unit| unit.seat != *seat && !state.at_war(&unit.seat, seat) && !state.may_pass(seat, &unit.seat));
    if strangers && state.enemies_of(seat, next).next().is_none() {
        return Some((Halt::NoPassage, vec![rule("R-003-03")]));
    }
    if column.pace == Pace::River {
        let fort = board.city(next).is_some_and(|city| city.fort != Fort::None);
        let hostile = state.controller(next).is_some_and(|holder| state.at_war(holder, seat));
        if fort && hostile && !goal {
            return Some((Halt::Enemy, vec![rule("003 River Movement"), rule("R-003-66"), rule("R-003-93")]));
        }
        let common = board.rivers_at(here).into_iter().any(|river| board.rivers_at(next).contains(&river));
        if !common {
            return Some((Halt::Exhausted, vec![rule("003 River Movement"), rule("R-003-66")]));
        }
    }
    None
}

/// An enemy who entered `here` this turn came over the side to `next`.
pub(in super::super) fn used_by_enemy(state: &State, seat: &SeatId, here: HexId, next: HexId) -> bool {
    let side = HexSide::between(here, next);
    state
        .enemies_of(seat, here)
        .any(|enemy| state.now.entries.get(&enemy.id).is_some_and(|entry| entry.over == Some(side)))
}

/// A march into the land of a seat at peace that gives no passage makes war with it at once [R-003-82].
fn open_war(working: &mut Working<'_, Season>, ordered: &Ordered<'_>, next: HexId) {
    let state = working.state();
    let Some(host) = state.controller(next).cloned() else { return };
    if !state.may_pass(ordered.seat, &host) && !state.at_war(ordered.seat, &host) {
        let cause = ordered.cause(format!("war {} {host}", ordered.seat), &[rule("R-003-82")]);
        working.emit(cause, Event::WarDeclared { by: ordered.seat.clone(), on: host, now: true });
    }
}

/// A forced march that took a brigade beyond its normal rate needs the leader's Strategic Roll; if it fails each such brigade
/// loses by the house rule [003 Forced Marches, R-003-18, R-003-19, R-003-93].
fn fatigue(working: &mut Working<'_, Season>, ordered: &Ordered<'_>, ended: &[Arrived], dice: &Dice) {
    if ordered.march.pace != Pace::Forced {
        return;
    }
    let state = working.state();
    let beyond = |id: &UnitId| {
        let unit = state.units.get(id);
        let used = state.now.entries.get(id).map_or(0, |entry| entry.used);
        unit.is_some_and(|unit| unit.is_brigade() && used > u32::from(unit.movement))
    };
    let tired: Vec<UnitId> = ended.iter().flat_map(|a| &a.units).copied().filter(|id| beyond(id)).collect();
    let leader = ordered.march.army_of.and_then(|id| Some((id, state.units.get(&id)?.leader?)));
    let (Some((leader, figures)), false) = (leader, tired.is_empty()) else { return };
    if rapid_march(state, ordered) {
        let cause = ordered.cause(format!("forced u{leader}"), &[rule("003 Forced Marches"), rule("003 Event Cards")]);
        working.emit(cause, Event::ForcedMarch { leader, success: true });
        return;
    }
    let subject = format!("u{leader}");
    let before = |event: &Event| matches!(event, Event::ForcedMarch { leader: other, .. } if *other == leader);
    let ordinal = 1 + working.events().iter().filter(|recorded| before(&recorded.event)).count();
    let ordinal = u32::try_from(ordinal).unwrap_or(u32::MAX);
    let roll = dice.roll(Scope::Public, working.step(), "forced", &subject, ordinal, 1);
    let success = roll.faces.first().is_some_and(|face| *face < figures.strategic);
    let cause =
        ordered.cause(format!("forced {subject}"), &[rule("003 Forced Marches"), rule("R-003-18")]).rolled(roll);
    let known = working.emit(cause, Event::ForcedMarch { leader, success });
    if success {
        return;
    }
    let stragglers = working.state().campaign.house.stragglers;
    for unit in tired {
        let roll =
            dice.roll(Scope::Seat(ordered.seat.clone()), working.step(), "straggling", &format!("u{unit}"), 1, 1);
        let face = roll.faces.first().copied().unwrap_or(1);
        let strength = working.state().units.get(&unit).map_or(0, |u| u.strength);
        let steps = match stragglers {
            false => face,
            true => u8::from(face >= figures.strategic && strength > 1),
        };
        let cause = ordered
            .cause(format!("straggling u{unit}"), &[rule("003 Forced Marches"), rule("R-003-19")])
            .rolled(roll)
            .because(known.clone());
        // A die that cost nothing is on record too.
        hurt(working, unit, steps, Loss::March, cause);
    }
}

/// The Rapid March card: one army's roll succeeds unrolled.
fn rapid_march(state: &State, ordered: &Ordered<'_>) -> bool {
    let Some(leader) = ordered.march.army_of else { return false };
    state.now.events.iter().any(|played| {
        let meant = played.units.is_empty() || played.units.contains(&leader);
        played.seat == *ordered.seat && played.card == "rapid_march" && meant
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::order::{March, Order, Picked};
    use super::super::super::testing::Table;
    use super::*;

    /// [R-003-82]: a march makes war by entering; brigades whose rate ends before the border enter nothing [003 Army Movement].
    #[test]
    fn who_is_tired_before_the_border_begins_no_war() {
        for (goal, war) in [("B", true), ("C", false)] {
            let mut table = Table::new("A--B clear, B--C clear\nA: sweden infantry Dal 4");
            table.state.wars.clear();
            let (dal, way) = (table.ids(&["Dal"]), ["B", "C"].map(|letter| table.hex(letter)));
            table.state.control.insert(table.hex(goal), Some(SeatId::new("russia")));
            let march = March {
                army_of: None,
                leader_goes: false,
                units: Picked::These(dal),
                from: table.hex("A"),
                path: way.to_vec(),
                pace: Pace::Normal,
                arrival: Arrival::Stand,
                onward: Vec::new(),
                condition: None,
            };
            table.order("sweden", Order::March(march));
            let events = table.run(&[super::super::run]);
            let declared = events.iter().any(|recorded| matches!(recorded.event, Event::WarDeclared { .. }));
            assert_eq!((table.at("Dal"), declared), ("B", war), "the border before {goal}");
        }
    }
}
