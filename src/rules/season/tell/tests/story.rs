//! A Saxon storm of Riga that fails, in two truths that an outsider cannot tell apart.

use super::super::super::campaign::{Fog, Kind, Season, rule};
use super::super::super::cards::Card;
use super::super::super::event::{Event, Halt, Loss, NewUnit, VoidReason};
use super::super::super::order::{Arrival, Pace};
use super::super::super::state::State;
use super::{System, hex, seat, u, with_fog};
use crate::engine::{Cause, DieKey, Recorded, Roll, Scope, StepName, TurnNo, UnitId, Working};

/// Events with identities as the engine gives them, each with a die of the scope named.
pub(super) fn recorded(before: &State, events: Vec<(Event, Option<Scope>)>) -> Vec<Recorded<Event>> {
    let mut state = before.clone();
    let mut working = Working::<System>::new(&mut state);
    for (event, scope) in events {
        // A rule that betrays what an outsider may not know, on the events of which he is told less.
        let betrays = matches!(
            event,
            Event::Moved { .. } | Event::Pinned { .. } | Event::BattleJoined { .. } | Event::Retreated { .. }
        );
        let cites = [rule("003 Forced Marches")];
        let mut cause = Cause::new("any", if betrays { &cites } else { &[] });
        if let Some(scope) = scope {
            let key = DieKey {
                turn: TurnNo(1),
                step: StepName::new("battles"),
                what: "volley".to_owned(),
                subject: "u311".to_owned(),
                ordinal: 1,
                reroll: None,
            };
            cause = cause.rolled(Roll { scope, key, faces: vec![2, 5, 6], set_by_ruling: Vec::new() });
        }
        working.emit(cause, event);
    }
    working.events().to_vec()
}

pub(super) fn plain(before: &State, events: Vec<Event>) -> Vec<Recorded<Event>> {
    recorded(before, events.into_iter().map(|event| (event, None)).collect())
}

/// What differs between two truths that look the same to those who were not there.
pub(super) struct Hidden {
    /// Who marches from Mitau: two brigades.
    pub(super) marching: [u16; 2],
    /// Whether their leader goes along, on which roll.
    pub(super) leader: bool,
    /// Who of them dies.
    pub(super) lost: u16,
    pub(super) rounds_of_fire: u32,
    pub(super) money: u32,
}

pub(super) const FLEMMING: u16 = 302;
pub(super) const RIGA_GARRISON: u16 = 111;

pub(super) const ONE: Hidden = Hidden { marching: [311, 312], leader: true, lost: 312, rounds_of_fire: 2, money: 4 };
pub(super) const OTHER: Hidden = Hidden { marching: [311, 314], leader: false, lost: 311, rounds_of_fire: 5, money: 9 };

pub(super) fn moved(units: Vec<UnitId>, leader: Option<UnitId>, pace: Pace) -> Event {
    let path = ["0206", "0205"].map(hex).into();
    Event::Moved { seat: seat("saxony_poland"), units, path, pace, arrival: Arrival::Enter, leader }
}

/// A Saxon storm of Riga that fails, with all that goes on behind it. Russia has no part in it.
pub(super) fn storm(hidden: &Hidden) -> Vec<(Event, Option<Scope>)> {
    let saxony = || seat("saxony_poland");
    let sweden = || seat("sweden");
    let (riga, mitau) = (hex("0205"), hex("0206"));
    let battle = Some(Scope::Battle(riga));
    let own = Some(Scope::Seat(saxony()));
    let leader = hidden.leader.then_some(u(FLEMMING));
    let brigades: Vec<UnitId> = hidden.marching.map(u).into();
    let army: Vec<UnitId> = leader.into_iter().chain(brigades.iter().copied()).collect();
    let survivor = brigades.iter().copied().find(|id| *id != u(hidden.lost)).unwrap();
    let card = |value, serial| Card::Action { value, serial };
    let mut events = vec![
        (Event::CardPlayed { seat: saxony(), card: card(2, 30), value: 2, serial: 30 }, None),
        (
            Event::CardPlayed {
                seat: sweden(),
                card: Card::Event { id: if hidden.leader { "pillage" } else { "truce" }.to_owned(), copy: 1 },
                value: 1,
                serial: 0,
            },
            None,
        ),
        (Event::Sequence { seats: vec![saxony(), sweden()] }, None),
    ];
    let supplied = hidden.marching.map(u).into();
    let supply = Card::Event { id: "supply_2".to_owned(), copy: 1 };
    let at = if hidden.leader { vec![mitau] } else { vec![hex("0207")] };
    events.push((Event::EventPlayed { seat: saxony(), card: supply, units: supplied, hexes: at, seats: vec![] }, None));
    events.push((Event::Reinforced { unit: u(hidden.marching[0]), steps: 1 }, None));
    if let Some(leader) = leader {
        events.push((Event::ForcedMarch { leader, success: true }, own.clone()));
        events.push((Event::Crossing { leader, from: mitau, to: riga, success: true }, own.clone()));
    }
    let pace = if hidden.leader { Pace::Forced } else { Pace::Normal };
    events.push((moved(army.clone(), leader, pace), own));
    events.push((Event::Pinned { hex: riga, seat: sweden(), units: vec![u(RIGA_GARRISON)], by: saxony() }, None));
    let halted =
        Event::Halted { seat: saxony(), units: army.clone(), at: riga, ahead: Some(hex("0304")), why: Halt::Enemy };
    events.push((halted, None));
    events.push((Event::Void { seat: sweden(), words: "Dal to Riga".to_owned(), why: VoidReason::NotThere }, None));
    events.push((
        Event::BattleJoined {
            hex: riga,
            attackers: vec![saxony()],
            defenders: vec![sweden()],
            attacking: army.clone(),
            defending: vec![u(RIGA_GARRISON)],
            inside: vec![u(RIGA_GARRISON)],
            late: vec![],
            divisor: 3,
        },
        None,
    ));
    for round in 1..=hidden.rounds_of_fire {
        events.push((Event::Volley { hex: riga, round, unit: u(RIGA_GARRISON), hits: 1 }, battle.clone()));
        let lost = Event::StepsLost { unit: survivor, steps: 1, cause: Loss::Battle, hex: Some(riga) };
        events.push((lost, None));
    }
    events.push((Event::FortDivided { hex: riga, round: 1, hits: 2, counted: 0, carried: 2 }, None));
    events.push((Event::Gone { unit: u(hidden.lost), how: Loss::Battle, by: Some(sweden()), hex: riga }, None));
    events.push((Event::CannotRetreat { unit: survivor, hex: riga, round: 1 }, None));
    let retreating = leader.into_iter().chain([survivor]).collect();
    events.push((Event::Retreated { units: retreating, from: riga, to: mitau, round: 2 }, None));
    let ended =
        Event::BattleEnded { hex: riga, victors: vec![sweden()], losers: vec![saxony()], rounds: 2, wiped_out: false };
    events.push((ended, None));
    events.push((Event::Regrouped { unit: survivor, hex: riga, recovered: 1, lost: 1 }, battle));
    events.push((Event::OutOfSupply { unit: survivor, hex: mitau }, None));
    events.push((Event::StepsLost { unit: survivor, steps: 1, cause: Loss::Supply, hex: Some(mitau) }, None));
    events.push((Event::Control { hex: hex("0105"), from: Some(sweden()), to: Some(saxony()) }, None));
    let kind = if hidden.leader { Kind::Infantry } else { Kind::Guards };
    let name = if hidden.leader { "Clausthal Miners" } else { "Polnische Garde" };
    events.push((Event::PoolUsed { seat: saxony(), kind, steps: 4 }, None));
    events.push((
        Event::Mustered {
            unit: NewUnit {
                id: u(1001),
                seat: saxony(),
                kind,
                name: name.to_owned(),
                short: name.to_owned(),
                strength: if hidden.leader { 3 } else { 4 },
                at: hex("0207"),
            },
        },
        None,
    ));
    events.push((Event::Bought { seat: saxony(), kind, steps: 4, money: hidden.money, manpower: 2 }, None));
    events.push((Event::Money { seat: sweden(), change: i64::from(hidden.money), why: "a loan".to_owned() }, None));
    events.push((Event::Income { seat: sweden(), money: hidden.money, manpower: 3 }, None));
    events.push((Event::Levels { seat: saxony(), money: hidden.money, manpower: 3 }, None));
    let cards = vec![card(1, u8::try_from(hidden.money).unwrap()); usize::try_from(hidden.money).unwrap()];
    events.push((Event::Dealt { seat: sweden(), cards }, Some(Scope::Deal)));
    let by = seat("sweden");
    events.push((Event::TreasuryTaken { from: saxony(), by, money: hidden.money }, None));
    events.push((Event::TurnEnded { year: 1700, season: Season::Summer }, None));
    events
}

/// The storm in a state that differs in what others cannot see besides.
pub(super) fn truth(hidden: &Hidden, fog: Fog) -> (State, Vec<Recorded<Event>>) {
    let mut state = with_fog(fog);
    if !hidden.leader {
        for unit in state.units.values_mut().filter(|unit| unit.seat != seat("russia")) {
            unit.strength = 1;
        }
        let garrison = state.units.get_mut(&u(112)).unwrap();
        garrison.name = "Budberg's Men".into();
        garrison.short = "Budberg".into();
        garrison.rating = None;
        for (_, held) in state.seats.iter_mut().filter(|(id, _)| **id != seat("russia")) {
            held.bank += 7;
            held.manpower += 1;
            held.money_level += 1;
            held.hand = vec![Card::Action { value: 3, serial: 60 }];
            held.pool.insert(Kind::Guards, 3);
        }
    }
    let events = recorded(&state, storm(hidden));
    (state, events)
}
