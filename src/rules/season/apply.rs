//! What each event does to the state. No rule decides anything here: the event already says it all.

use super::cards::Card;
use super::event::{Event, Loss};
use super::order::{Arrival, Pace};
use super::state::{Entry, Fought, PlayedEvent, Siege, State, pair};
use crate::engine::{HexId, HexSide, SeatId, UnitId};

/// Carries an event out. An event that names what is not there changes nothing.
pub(super) fn apply(state: &mut State, event: &Event) {
    match event {
        Event::CardPlayed { seat, card, value, serial } => {
            discard(state, seat, card);
            state.now.cards.insert(seat.clone(), (*value, *serial));
        }
        Event::Sequence { seats } => state.now.sequence.clone_from(seats),
        Event::EventPlayed { seat, card, units, hexes, seats } => {
            discard(state, seat, card);
            if let Card::Event { id, .. } = card {
                let played = PlayedEvent {
                    seat: seat.clone(),
                    card: id.clone(),
                    units: units.clone(),
                    hexes: hexes.clone(),
                    seats: seats.clone(),
                };
                state.now.events.push(played);
            }
        }
        Event::Reinforced { unit, steps } => {
            if let Some(u) = state.units.get_mut(unit) {
                u.strength = u.strength.saturating_add(*steps).min(u.max);
                state.now.supplied.insert(*unit);
            }
        }
        Event::Arrived { unit, at } => arrive(state, *unit, *at),
        Event::Mustered { unit } => state.muster(unit, None),
        Event::Moved { seat, units, path, pace, arrival, .. } => moved(state, seat, units, path, *pace, *arrival),
        Event::Pinned { units, .. } => state.now.pinned.extend(units.iter().copied()),
        Event::StepsLost { unit, steps, cause, .. } => {
            if let Some(u) = state.units.get_mut(unit) {
                u.strength = u.strength.saturating_sub(*steps);
                // The rules tell the end of a unit with an event of its own; a ruling cannot know what the turn will leave.
                if u.strength == 0 && *cause == Loss::Ruling {
                    state.units.remove(unit);
                }
            }
        }
        Event::Gone { unit, how, .. } => gone(state, *unit, *how),
        Event::Retreated { units, to, .. } => retreated(state, units, *to),
        Event::Regrouped { unit, recovered, .. } => {
            if let Some(u) = state.units.get_mut(unit) {
                u.strength = u.strength.saturating_add(*recovered).min(u.max);
            }
        }
        Event::NoBattle { hex, avoided_by } => {
            state.now.avoided.insert(*hex, avoided_by.clone());
        }
        Event::BattleEnded { hex, victors, losers, wiped_out, .. } => {
            let fought = Fought { victors: victors.clone(), losers: losers.clone(), wiped_out: *wiped_out };
            state.now.battles.push((*hex, fought));
        }
        Event::SiegeLaid { city, by } => {
            let siege = Siege { by: by.clone(), since: state.turn, full_turns: 0 };
            state.sieges.insert(*city, siege);
        }
        Event::SiegeCounted { city, full_turns } => {
            if let Some(siege) = state.sieges.get_mut(city) {
                siege.full_turns = *full_turns;
            }
        }
        Event::SiegeRaised { city } => {
            state.sieges.remove(city);
        }
        Event::TrainSpent { unit, .. } => {
            state.units.remove(unit);
        }
        Event::Depleted { hex } => {
            state.depleted.insert(*hex);
        }
        Event::LandRecovered => state.depleted.clear(),
        Event::Control { hex, to, .. } => control(state, *hex, to),
        _ => apply_realm(state, event),
    }
}

/// Diplomacy, purse, winter and the calendar.
fn apply_realm(state: &mut State, event: &Event) {
    match event {
        Event::WarDeclared { by, on, now } => {
            if *now {
                state.wars.insert(pair(by, on));
            } else {
                state.now.declared.insert(pair(by, on));
            }
        }
        Event::WarBegan { a, b } => {
            state.wars.insert(pair(a, b));
            state.passage.remove(&(a.clone(), b.clone()));
            state.passage.remove(&(b.clone(), a.clone()));
        }
        Event::PeaceMade { a, b } => {
            state.wars.remove(&pair(a, b));
        }
        Event::Passage { from, to, given } => {
            let key = (from.clone(), to.clone());
            if *given {
                state.passage.insert(key);
            } else {
                state.passage.remove(&key);
            }
        }
        Event::StandingSet { seat, orders } => with_seat(state, seat, |s| s.standing.clone_from(orders)),
        Event::Income { seat, money, manpower } => with_seat(state, seat, |s| {
            s.bank = s.bank.saturating_add(*money);
            s.manpower = *manpower;
        }),
        Event::Bought { seat, kind, steps, money, manpower } => with_seat(state, seat, |s| {
            s.bank = s.bank.saturating_sub(*money);
            s.manpower = s.manpower.saturating_sub(*manpower);
            *s.pool.entry(*kind).or_insert(0) += steps;
        }),
        Event::PoolUsed { seat, kind, steps } => with_seat(state, seat, |s| {
            let held = s.pool.entry(*kind).or_insert(0);
            *held = held.saturating_sub(*steps);
        }),
        Event::Money { seat, change, .. } => with_seat(state, seat, |s| {
            let sum = i64::from(s.bank).saturating_add(*change).clamp(0, i64::from(u32::MAX));
            s.bank = u32::try_from(sum).unwrap_or(0);
        }),
        Event::ManpowerLost { seat, men } => {
            with_seat(state, seat, |s| s.manpower = s.manpower.saturating_sub(*men));
        }
        Event::TreasuryTaken { from, by, money } => {
            with_seat(state, from, |s| s.bank = s.bank.saturating_sub(*money));
            with_seat(state, by, |s| s.bank = s.bank.saturating_add(*money));
        }
        Event::Conquered { province, to, .. } => {
            state.provinces.insert(province.clone(), to.clone());
        }
        Event::Surrendered { seat, to } => {
            with_seat(state, seat, |s| s.defeated = true);
            if let Some(victor) = to {
                with_seat(state, victor, |s| s.surrenders += 1);
            }
        }
        Event::SovereignFell { seat, killer } => with_seat(state, seat, |s| {
            s.defeated = true;
            s.killer.clone_from(killer);
        }),
        Event::Succeeded { unit, after, .. } => {
            for (id, reigns) in [(after, false), (unit, true)] {
                if let Some(leader) = state.units.get_mut(id).and_then(|u| u.leader.as_mut()) {
                    leader.sovereign = reigns;
                }
            }
        }
        Event::Levels { seat, money, manpower } => with_seat(state, seat, |s| {
            s.money_level = *money;
            s.manpower_level = *manpower;
        }),
        Event::LeaderRecovered { unit, steps } => {
            if let Some(u) = state.units.get_mut(unit) {
                u.strength = u.strength.saturating_add(*steps).min(u.max);
            }
        }
        Event::Dealt { seat, cards } => with_seat(state, seat, |s| s.hand.clone_from(cards)),
        Event::TurnEnded { year, season } => {
            settle_in(state);
            state.year = *year;
            state.season = *season;
            state.turn = state.turn.next();
            state.now = super::state::ThisTurn { entry_counter: state.now.entry_counter, ..Default::default() };
        }
        Event::GameOver { scores } => state.scores = Some(scores.clone()),
        _ => {}
    }
}

fn with_seat(state: &mut State, seat: &SeatId, change: impl FnOnce(&mut super::state::SeatState)) {
    if let Some(found) = state.seats.get_mut(seat) {
        change(found);
    }
}

fn discard(state: &mut State, seat: &SeatId, card: &Card) {
    with_seat(state, seat, |s| {
        if let Some(place) = s.hand.iter().position(|held| held == card) {
            s.hand.remove(place);
        }
    });
}

fn arrive(state: &mut State, id: UnitId, at: HexId) {
    let Some(setup) = state.campaign.units.iter().find(|u| u.id == id).cloned() else { return };
    state.awaited.remove(&id);
    state.captives.remove(&id);
    let new = super::event::NewUnit {
        id,
        seat: setup.seat.clone(),
        kind: setup.kind,
        name: setup.name.clone(),
        short: setup.short.clone(),
        strength: setup.strength,
        at,
    };
    state.muster(&new, setup.leader);
}

/// A unit that ends in a city of its own side, or in an enemy's that nobody holds, is in the city; else in the field
/// [R-003-43, R-003-97]. A neutral's city lets nobody in [R-003-P45].
fn inside_after(state: &State, seat: &SeatId, hex: HexId) -> bool {
    let board = &state.campaign.board;
    board.city(hex).is_some() && !board.is_neutral(hex) && state.garrison(hex).all(|u| !state.at_war(&u.seat, seat))
}

fn moved(state: &mut State, seat: &SeatId, units: &[UnitId], path: &[HexId], pace: Pace, arrival: Arrival) {
    let (Some(&start), Some(&goal)) = (path.first(), path.last()) else { return };
    let brigades = units.iter().filter(|id| state.units.get(id).is_some_and(|u| u.is_brigade())).count();
    let brigades = u32::try_from(brigades).unwrap_or(u32::MAX);
    let mut stopped = false;
    for (from, to) in path.iter().zip(path.iter().skip(1)) {
        let side = HexSide::between(*from, *to);
        let known = state.campaign.board.sides.get(&side);
        stopped = known.is_some_and(|s| state.campaign.figures.stops.contains(&s.terrain)) && pace != Pace::River;
        let along_river = pace == Pace::River;
        let used = state.now.side_use.entry((side, seat.clone())).or_insert((0, 0));
        if along_river {
            used.1 += brigades;
        } else {
            used.0 += brigades;
        }
    }
    let in_city = inside_after(state, seat, goal);
    let used = u32::try_from(path.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let from = path.len().checked_sub(2).and_then(|i| path.get(i)).copied().unwrap_or(start);
    let over = (pace != Pace::River && from != goal).then(|| HexSide::between(from, goal));
    for id in units {
        let earlier = state.now.entries.get(id).map(|e| (e.start, e.used));
        let (first, before) = earlier.unwrap_or((start, 0));
        state.now.entry_counter += 1;
        let (counter, turn) = (state.now.entry_counter, state.turn);
        let Some(unit) = state.units.get_mut(id) else { continue };
        unit.at = goal;
        unit.in_city = in_city;
        unit.entered = counter;
        unit.entered_turn = turn;
        let entry = Entry { over, from, start: first, pace, arrival, used: before.saturating_add(used), stopped };
        state.now.entries.insert(*id, entry);
    }
}

fn retreated(state: &mut State, units: &[UnitId], to: HexId) {
    for id in units {
        state.now.entry_counter += 1;
        let (counter, turn) = (state.now.entry_counter, state.turn);
        let seat = state.units.get(id).map(|u| u.seat.clone());
        let in_city = seat.is_some_and(|seat| inside_after(state, &seat, to));
        let Some(unit) = state.units.get_mut(id) else { continue };
        // A retreat by ruling is written before the turn is played: the unit may stand elsewhere by then.
        let from = std::mem::replace(&mut unit.at, to);
        unit.in_city = in_city;
        unit.entered = counter;
        unit.entered_turn = turn;
        state.now.retreated.insert(*id);
        let start = state.now.entries.get(id).map_or(from, |e| e.start);
        let over = Some(HexSide::between(from, to));
        let entry =
            Entry { over, from, start, pace: Pace::Normal, arrival: Arrival::Stand, used: u32::MAX, stopped: true };
        state.now.entries.insert(*id, entry);
    }
}

fn gone(state: &mut State, id: UnitId, how: Loss) {
    let captured_leader = how == Loss::Captured && state.units.get(&id).is_some_and(|u| u.is_leader());
    let sovereign = state.units.get(&id).and_then(|u| u.leader).is_some_and(|l| l.sovereign);
    state.units.remove(&id);
    if captured_leader && !sovereign {
        state.captives.insert(id, state.year);
    }
}

/// Who ends a turn in the hex of a city of his side, or of one in which no enemy is, is in the city [R-003-43, R-003-97].
fn settle_in(state: &mut State) {
    let inside = |unit: &super::state::Unit| {
        let holder = state.controller(unit.at);
        let friendly = holder.is_some_and(|holder| !state.at_war(holder, &unit.seat));
        let held = unit.in_city && holder.is_none();
        friendly || held || state.enemies_of(&unit.seat, unit.at).next().is_none()
    };
    let in_cities = state.units.values().filter(|unit| state.campaign.board.city(unit.at).is_some());
    let places: Vec<(UnitId, bool)> = in_cities.map(|unit| (unit.id, inside(unit))).collect();
    for (id, in_city) in places {
        if let Some(unit) = state.units.get_mut(&id) {
            unit.in_city = in_city;
        }
    }
}

fn control(state: &mut State, hex: HexId, to: &Option<SeatId>) {
    state.control.insert(hex, to.clone());
    let city = state.campaign.board.city(hex).is_some();
    let inside: Vec<(UnitId, bool)> = state
        .brigades_in(hex)
        .map(|u| (u.id, to.as_ref().is_some_and(|holder| *holder == u.seat || !state.at_war(holder, &u.seat))))
        .collect();
    for (id, friend) in inside {
        if let Some(unit) = state.units.get_mut(&id) {
            unit.in_city = city && friend;
        }
    }
}
