//! Cards as they are played: the Action card that ranks a seat, and the Event cards resolved before movement [003 Cards].

use super::Season;
use super::battle::intent::met;
use super::campaign::{Kind, rule};
use super::cards::{Card, EventCard, EventGroup};
use super::diplomacy::plain;
use super::event::{Event, Loss, NewUnit, VoidReason};
use super::order::{EventPlay, Order};
use super::state::State;
use crate::engine::{Cause, Dice, Flow, Held, HexId, Orders, Scope, SeatId, UnitId, Working};
use std::cmp::Reverse;

/// Whether this version carries an Event card's text out; the reader says so for all others.
pub(super) fn is_adjudicated(id: &str, group: &EventGroup) -> bool {
    let known = [
        "force_battle",
        "rapid_march",
        "pillage",
        "siege_engineers",
        "foreign_subsidy",
        "scorched_earth",
        "ga_pa",
        "imperial_mediation",
    ];
    matches!(group, EventGroup::Supply(_)) || known.contains(&id)
}

/// Why a card's text cannot be used by a seat, whatever it is played on: another country's card serves as an Action card alone
/// [003 Event Cards, R-003-09], and some are not adjudicated yet.
pub(super) fn unplayable(card: &EventCard, seat: &SeatId) -> Option<String> {
    match &card.group {
        EventGroup::Country(country) if country != seat => {
            Some(format!("{} is another country's card; it can only be thrown in as an Action card.", card.name))
        }
        group if !is_adjudicated(&card.id, group) => {
            Some(format!("{} is not adjudicated yet; it stays in your hand.", card.name))
        }
        _ => None,
    }
}

/// Action cards are laid open, the sequence of movement follows from them, then Event cards are resolved in that sequence
/// [003 Cards, R-003-06, R-003-08].
pub(super) fn run(working: &mut Working<'_, Season>, orders: &Orders<Order>, dice: &Dice) -> Flow {
    for (seat, sheet) in orders {
        play_action(working, seat, sheet);
    }
    let sequence = sequence(working.state());
    let cause = Cause::new("sequence", &[rule("003 Movement"), rule("R-003-06")]);
    working.emit(cause, Event::Sequence { seats: sequence.clone() });
    for seat in &sequence {
        for held in orders.get(seat).into_iter().flatten() {
            if let Order::EventCard(play) = plain(&held.order)
                && !waits_for_battle(working.state(), play)
            {
                play_event(working, seat, held, play, dice);
            }
        }
    }
    Flow::Done
}

/// Whether a card's own text names the moment before battles; such a card can depend on what only marches show [R-003-08].
fn waits_for_battle(state: &State, play: &EventPlay) -> bool {
    let Card::Event { id, .. } = &play.card else { return false };
    state.campaign.cards.event(id).is_some_and(|card| card.when == "before_battles")
}

/// Cards whose text names the moment before battles, in order of the Action cards [R-003-08].
pub(super) fn before_battles(working: &mut Working<'_, Season>, orders: &Orders<Order>, dice: &Dice) {
    for seat in working.state().now.sequence.clone() {
        for held in orders.get(&seat).into_iter().flatten() {
            if let Order::EventCard(play) = plain(&held.order)
                && waits_for_battle(working.state(), play)
            {
                // The condition is judged here, by what the marches have shown, and so is out of the way below.
                let met = play.condition.as_ref().is_none_or(|c| met(working.state(), orders, &seat, c));
                let play = EventPlay { condition: play.condition.clone().filter(|_| !met), ..play.clone() };
                play_event(working, &seat, held, &play, dice);
            }
        }
    }
}

/// One Action card a turn; an Event card discarded instead counts as value 1 below every Action card
/// [003 Action Cards, R-003-07, R-003-09].
fn play_action(working: &mut Working<'_, Season>, seat: &SeatId, sheet: &[Held<Order>]) {
    let chosen = sheet.iter().find_map(|held| match plain(&held.order) {
        Order::ActionCard(card) => Some((held, card)),
        _ => None,
    });
    let Some((held, card)) = chosen else { return };
    let in_hand = working.state().seats.get(seat).is_some_and(|s| s.hand.contains(card));
    let cause = |cites| Cause::new(format!("card {seat}"), cites).ordered(seat, &held.source);
    let house = working.state().campaign.house.event_as_action;
    match card {
        _ if !in_hand => {
            let event = Event::Void { seat: seat.clone(), words: held.source.words.clone(), why: VoidReason::NoCard };
            working.emit(cause(&[rule("003 Action Cards")]), event);
        }
        Card::Action { value, serial } => {
            let event = Event::CardPlayed { seat: seat.clone(), card: card.clone(), value: *value, serial: *serial };
            working.emit(cause(&[rule("003 Action Cards")]), event);
        }
        Card::Event { .. } if house => {
            let event = Event::CardPlayed { seat: seat.clone(), card: card.clone(), value: 1, serial: 0 };
            working.emit(cause(&[rule("R-003-09")]), event);
        }
        Card::Event { .. } => {
            let why = VoidReason::Rule("Event cards do not count as Action cards in this game.".to_owned());
            let event = Event::Void { seat: seat.clone(), words: held.source.words.clone(), why };
            working.emit(cause(&[rule("R-003-09")]), event);
        }
    }
}

/// Highest value first, then highest serial; equal discards by the seat order of the setup, which turns one place each year;
/// seats without a card last [R-003-06, R-003-07, R-003-09].
fn sequence(state: &State) -> Vec<SeatId> {
    let seats: Vec<SeatId> = state.living().cloned().collect();
    let turn = usize::from(state.year.saturating_sub(state.campaign.start_year));
    let first = turn % seats.len().max(1);
    // The sort keeps equals in the turned order of seats.
    let mut ranked: Vec<SeatId> = seats.iter().cycle().skip(first).take(seats.len()).cloned().collect();
    ranked.sort_by_key(|seat| Reverse(state.now.cards.get(seat).copied().unwrap_or((0, 0))));
    ranked
}

fn play_event(working: &mut Working<'_, Season>, seat: &SeatId, held: &Held<Order>, play: &EventPlay, dice: &Dice) {
    let Card::Event { id, .. } = &play.card else { return };
    let Some(data) = working.state().campaign.cards.event(id).cloned() else { return };
    let refused = refusal(working.state(), seat, play, &data);
    let cause = |cites| Cause::new(format!("event {seat} {id}"), cites).ordered(seat, &held.source);
    if let Some(why) = refused {
        let event = Event::EventReturned { seat: seat.clone(), card: play.card.clone(), why };
        working.emit(cause(&[rule("003 Event Cards"), rule("R-003-89")]), event);
        return;
    }
    let played = Event::EventPlayed {
        seat: seat.clone(),
        card: play.card.clone(),
        units: play.units.clone(),
        hexes: play.hexes.clone(),
        seats: play.seats.clone(),
    };
    let known = working.emit(cause(&[rule("003 Event Cards"), rule("R-003-08")]), played);
    let why = |subject: String, cite: &'static str| {
        Cause::new(subject, &[rule(cite)]).ordered(seat, &held.source).because(known.clone())
    };
    match (id.as_str(), &data.group) {
        (_, EventGroup::Supply(steps)) => supply_card(working, seat, play, *steps, &why),
        ("pillage", _) => pillage(working, seat, play, &data.figures, &why),
        ("foreign_subsidy", _) => {
            let roll = dice.roll(Scope::Seat(seat.clone()), working.step(), "subsidy", &format!("{id} {seat}"), 1, 1);
            let die = roll.faces.first().copied().unwrap_or(1);
            let change = i64::from(die) + data.figures.get("money").copied().unwrap_or(0);
            let event = Event::Money { seat: seat.clone(), change, why: data.name.clone() };
            working.emit(why(format!("money {seat} {id}"), "003 Event Cards").rolled(roll), event);
        }
        ("scorched_earth", _) => {
            let most = usize::try_from(data.figures.get("hexes").copied().unwrap_or(1)).unwrap_or(1);
            for hex in play
                .hexes
                .iter()
                .take(most)
                .filter(|hex| !working.state().depleted.contains(hex))
                .copied()
                .collect::<Vec<_>>()
            {
                if may_scorch(working.state(), seat, hex) {
                    working.emit(why(format!("depleted {hex}"), "003 Event Cards"), Event::Depleted { hex });
                }
            }
        }
        _ => {}
    }
}

/// Why a card goes back to the hand [R-003-89]: not held, not this country's, nothing to play it on.
fn refusal(state: &State, seat: &SeatId, play: &EventPlay, data: &EventCard) -> Option<VoidReason> {
    let Card::Event { id, .. } = &play.card else { return Some(VoidReason::NoCard) };
    if !state.seats.get(seat).is_some_and(|s| s.hand.contains(&play.card)) {
        return Some(VoidReason::NoCard);
    }
    if let Some(why) = unplayable(data, seat) {
        return Some(VoidReason::Rule(why));
    }
    if let Some(condition) = &play.condition
        && !super::movement::holds(state, seat, condition)
    {
        return Some(VoidReason::ConditionUnmet);
    }
    let nothing = match &data.group {
        EventGroup::Supply(_) => {
            let steps = play.units.iter().any(|unit| can_take_step(state, seat, *unit));
            !steps && cossack_city(state, seat, play).is_none()
        }
        _ if id == "pillage" => !play.hexes.iter().any(|hex| can_pillage(state, seat, *hex)),
        _ if matches!(id.as_str(), "force_battle" | "siege_engineers" | "ga_pa") => {
            !play.hexes.iter().any(|hex| super::battle::can_work(state, seat, id, *hex))
        }
        _ => false,
    };
    nothing.then(|| VoidReason::Rule("There is nothing on the board that it could be played on.".to_owned()))
}

/// A Supply step goes to a brigade below full strength in a friendly, unbesieged Supply City, one step a brigade and turn; never
/// to levies, leaders or fleets [003 Event Cards, R-003-58, R-003-65, R-003-101].
fn can_take_step(state: &State, seat: &SeatId, unit: UnitId) -> bool {
    let Some(unit) = state.units.get(&unit) else { return false };
    let friendly = state.controller(unit.at).is_some_and(|holder| state.may_pass(seat, holder));
    let city = state.campaign.board.city(unit.at).is_some_and(|city| city.is_supply_city());
    unit.seat == *seat
        && unit.is_brigade()
        && !unit.kind.is_feudal()
        && unit.strength < unit.max
        && friendly
        && city
        && unit.in_city
        && !state.sieges.contains_key(&unit.at)
        && !state.now.supplied.contains(&unit.id)
}

fn supply_card(
    working: &mut Working<'_, Season>,
    seat: &SeatId,
    play: &EventPlay,
    steps: u8,
    why: &impl Fn(String, &'static str) -> Cause,
) {
    let mut left = steps;
    for unit in &play.units {
        if left > 0 && can_take_step(working.state(), seat, *unit) {
            left -= 1;
            working.emit(why(format!("step u{unit}"), "R-003-58"), Event::Reinforced { unit: *unit, steps: 1 });
        }
    }
    if left > 0 {
        raise_cossacks(working, seat, play, why);
    }
}

/// The first home Cossack city among a card's targets that is the seat's, not besieged and not contested [R-003-58].
fn cossack_city(state: &State, seat: &SeatId, play: &EventPlay) -> Option<HexId> {
    let fits = |hex: &&HexId| {
        let city = state.campaign.board.city(**hex);
        city.is_some_and(|c| c.cossack && c.home_of.as_ref() == Some(seat))
            && state.controller(**hex) == Some(seat)
            && !state.sieges.contains_key(hex)
            && !state.contested(**hex)
    };
    play.hexes.iter().find(fits).copied()
}

/// A step left of a card named for a home Cossack city raises Cossacks of strength 1 there; the same card does not build them up
/// [003 Event Cards, R-003-58, R-003-101].
fn raise_cossacks(
    working: &mut Working<'_, Season>,
    seat: &SeatId,
    play: &EventPlay,
    why: &impl Fn(String, &'static str) -> Cause,
) {
    let state = working.state();
    let Some(at) = cossack_city(state, seat, play) else { return };
    if state.brigade_type(seat, Kind::Cossacks).is_none() {
        return;
    }
    let strength = 1;
    let name = super::purse::fresh_name(state, seat, Kind::Cossacks, at);
    let unit = NewUnit {
        id: UnitId(state.next_unit),
        seat: seat.clone(),
        kind: Kind::Cossacks,
        short: name.clone(),
        name,
        strength,
        at,
    };
    working.emit(why(format!("raised {at}"), "R-003-58"), Event::Mustered { unit });
}

/// An enemy-held hex without a fortified city beside one's own brigade.
fn can_pillage(state: &State, seat: &SeatId, hex: HexId) -> bool {
    let board = &state.campaign.board;
    let hostile = state.controller(hex).is_some_and(|holder| state.at_war(holder, seat))
        || state.enemies_of(seat, hex).next().is_some();
    let fortified = board.city(hex).is_some_and(|city| city.fort != super::board::Fort::None);
    let near = board.beside(hex).into_iter().any(|next| state.own_brigades(next, seat).next().is_some());
    hostile && !fortified && near
}

fn pillage(
    working: &mut Working<'_, Season>,
    seat: &SeatId,
    play: &EventPlay,
    figures: &std::collections::BTreeMap<String, i64>,
    why: &impl Fn(String, &'static str) -> Cause,
) {
    let Some(&hex) = play.hexes.iter().find(|hex| can_pillage(working.state(), seat, **hex)) else { return };
    let hits = figures.get("hits").copied().unwrap_or(0);
    for _ in 0..hits {
        let strongest = working.state().enemies_of(seat, hex).max_by_key(|u| (u.strength, Reverse(u.id))).map(|u| u.id);
        let Some(unit) = strongest else { break };
        hurt(working, unit, 1, Loss::Card, why(format!("pillage u{unit}"), "003 Event Cards"));
    }
    if !working.state().depleted.contains(&hex) {
        working.emit(why(format!("depleted {hex}"), "003 Event Cards"), Event::Depleted { hex });
    }
    let name = working.state().campaign.cards.event("pillage").map_or_else(String::new, |card| card.name.clone());
    let change = figures.get("money").copied().unwrap_or(0);
    working.emit(
        why(format!("money {seat} pillage"), "003 Event Cards"),
        Event::Money { seat: seat.clone(), change, why: name },
    );
}

/// Own ground, or any within two hexes of an own brigade that is not at home in one of the card's lands.
fn may_scorch(state: &State, seat: &SeatId, hex: HexId) -> bool {
    let land = state.campaign.board.hexes.get(&hex).is_some_and(|h| h.ground == super::board::Ground::Land);
    let near = || {
        state.units.values().any(|u| u.seat == *seat && u.is_brigade() && state.campaign.board.is_within(u.at, hex, 2))
    };
    land && (state.controller(hex) == Some(seat) || near())
}

/// Takes steps from a unit; at 0 it is gone at once [003 Brigade Strength, R-003-37].
pub(super) fn hurt(working: &mut Working<'_, Season>, unit: UnitId, steps: u8, cause: Loss, why: Cause) {
    let Some(found) = working.state().units.get(&unit) else { return };
    let (hex, left) = (found.at, found.strength.saturating_sub(steps));
    let lost = steps.min(found.strength);
    let cites = [rule("003 Brigade Strength")];
    let id = working.emit(why, Event::StepsLost { unit, steps: lost, cause, hex: Some(hex) });
    if left == 0 {
        let gone = Cause::new(format!("gone u{unit}"), &cites).because(id);
        working.emit(gone, Event::Gone { unit, how: cause, by: None, hex });
    }
}
