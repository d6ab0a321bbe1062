//! Canonical words read back as the same orders; no text makes the reader fall over.

use super::board::*;
use crate::engine::sheet::{ComplaintKind, ORDERS_BEGIN, ORDERS_END};
use crate::engine::{HexId, LetterNo, UnitId};
use crate::rules::season::campaign::{Kind, Season};
use crate::rules::season::cards::Card;
use crate::rules::season::order::*;
use crate::rules::season::read;
use crate::rules::season::state::State;
use proptest::prelude::*;
use std::sync::OnceLock;

/// The orders as an acknowledgement sets them out, notes and all.
fn acknowledged(state: &State, of: &str, orders: &[Order]) -> String {
    let view = view(state, of);
    let mut text = format!("Hello,\nbuy 9 infantry\n{ORDERS_BEGIN}\n");
    for (order, number) in orders.iter().zip(1..) {
        let (words, note) = read::canonical(&view, &seat(of), order);
        text.push_str(&format!("{number:>3}  {words}\n"));
        if !note.is_empty() {
            text.push_str(&format!("     ; {note}\n"));
        }
    }
    text + ORDERS_END + "\nyours, the umpire\n"
}

fn reads_back(state: &State, of: &str, orders: &[Order]) -> Result<(), String> {
    let text = acknowledged(state, of, orders);
    let reading = read::letter(&view(state, of), &seat(of), LetterNo(2), &lines(&text));
    let read: Vec<Order> = reading.orders.into_iter().map(|held| held.order).collect();
    let bad: Vec<String> = reading
        .complaints
        .iter()
        .filter(|c| matches!(c.kind, ComplaintKind::NotUnderstood | ComplaintKind::Illegal))
        .map(|c| format!("{}: {}", c.line_text, c.message))
        .collect();
    if read == orders && bad.is_empty() && reading.questions.is_empty() {
        return Ok(());
    }
    Err(format!("{text}\nread {read:#?}\nfor {orders:#?}\ncomplaints {bad:#?}\nquestions {:#?}", reading.questions))
}

/// Every order and every reading of the table, in the position it was given in.
#[test]
fn the_tables_orders_read_back() {
    let (spring, summer, fall) = (spring(), later(1700, Season::Summer), later(1700, Season::Fall));
    for line in include_str!("lines.txt").lines().filter(|line| !line.starts_with([' ', '#'])) {
        let Some((head, words)) = line.split_once(" | ") else { continue };
        let state = match head.get(1..) {
            Some("2") => &summer,
            Some("3") => &fall,
            _ => &spring,
        };
        let reading = reading(state, &head[..1], &words.replace("\\n", "\n"));
        let orders: Vec<Order> = reading.orders.iter().map(|held| held.order.clone()).collect();
        reads_back(state, &head[..1], &orders).unwrap_or_else(|why| panic!("{words}: {why}"));
        for orders in reading.questions.iter().flat_map(|question| &question.readings) {
            reads_back(state, &head[..1], orders).unwrap_or_else(|why| panic!("{words}: {why}"));
        }
    }
}

fn board() -> &'static State {
    static MADE: OnceLock<State> = OnceLock::new();
    MADE.get_or_init(|| {
        let mut state = later(1700, Season::Fall);
        put(&mut state, "Croy", "0601");
        put(&mut state, "Flemming", "0205");
        put(&mut state, "Königin", "0205");
        state
    })
}

fn land() -> impl Strategy<Value = HexId> {
    let hexes: Vec<HexId> = board().control.keys().copied().collect();
    prop::sample::select(hexes)
}

fn units(of: &'static str) -> impl Strategy<Value = Vec<UnitId>> {
    let all: Vec<UnitId> =
        board().units.values().filter(|u| u.seat == seat(of) && !u.kind.is_naval()).map(|u| u.id).collect();
    prop::sample::subsequence(all, 1..4)
}

fn condition() -> impl Strategy<Value = Option<Condition>> {
    prop::option::of((0..5usize, land()).prop_map(|(kind, hex)| match kind {
        0 => Condition::EnemyAvoids(hex),
        1 => Condition::EnemyAt(hex),
        2 => Condition::NoEnemyAt(hex),
        3 => Condition::WeWin(hex),
        _ => Condition::WeHold(hex),
    }))
}

/// A march along sides that are there, of whoever stands at the start.
fn march(of: &'static str) -> impl Strategy<Value = Order> {
    let movers: Vec<UnitId> =
        board().units.values().filter(|u| u.seat == seat(of) && !u.kind.is_naval()).map(|u| u.id).collect();
    (prop::sample::select(movers), any::<u64>(), 0..3usize, 0..3usize, condition(), any::<bool>()).prop_map(
        move |(id, seed, pace, arrival, condition, onward)| {
            let state = board();
            let unit = &state.units[&id];
            let from = unit.at;
            let here: Vec<UnitId> = state.own_brigades(from, &seat(of)).map(|u| u.id).collect();
            let leaders: Vec<UnitId> =
                state.in_hex(from).filter(|u| u.seat == seat(of) && u.is_leader()).map(|u| u.id).collect();
            let step = |at: HexId, seed: u64| {
                let ways: Vec<HexId> = state.campaign.board.ways_from(at).map(|(hex, _)| hex).collect();
                ways.get((seed as usize) % ways.len().max(1)).copied()
            };
            let leader = leaders.get((seed as usize) % leaders.len().max(1)).copied();
            let leader_goes = leader.is_some() && (unit.is_leader() || seed % 3 == 0);
            let some = if unit.is_leader() {
                here.iter().copied().filter(|u| (seed >> (u.0 % 13)) & 1 == 1).collect()
            } else {
                vec![id]
            };
            let units =
                if leader.is_some() && seed % 5 == 0 && !here.is_empty() { Picked::All } else { Picked::These(some) };
            let path: Vec<HexId> = step(from, seed / 7).into_iter().collect();
            let goal = path.last().copied().unwrap_or(from);
            let pace = if pace == 1 && leader_goes { Pace::Forced } else { Pace::Normal };
            let enemy = state.campaign.board.city(goal).is_some()
                && state.controller(goal).is_some_and(|owner| state.at_war(owner, &seat(of)));
            let fort =
                state.campaign.board.city(goal).is_some_and(|city| city.fort > crate::rules::season::board::Fort::None);
            let arrival = match arrival {
                _ if !enemy => Arrival::Stand,
                0 if fort => Arrival::Besiege,
                1 => Arrival::Stand,
                _ => Arrival::Enter,
            };
            let onward = if onward { step(goal, seed / 11).into_iter().collect() } else { Vec::new() };
            Order::March(March { army_of: leader, leader_goes, units, from, path, pace, arrival, onward, condition })
        },
    )
}

fn legal(order: &Order) -> bool {
    let Order::March(march) = order else { return true };
    let state = board();
    let goal = march.path.last().copied().unwrap_or(march.from);
    let empty = march.units == Picked::These(Vec::new()) && !march.leader_goes;
    let crossing = march.path.first().is_some_and(|next| state.campaign.board.needs_crossing(march.from, *next))
        && !march.leader_goes;
    !(march.path.is_empty() || empty || crossing || march.onward.first() == Some(&goal))
}

fn retreat_when() -> impl Strategy<Value = RetreatWhen> {
    (0..5usize, 1..9u32, 1..=100u32, 1..6u32).prop_map(|(kind, rounds, percent, odds)| match kind {
        0 => RetreatWhen::Never,
        1 => RetreatWhen::AtOnce,
        2 => RetreatWhen::AfterRound(rounds),
        3 => RetreatWhen::LossPercent(percent),
        _ => RetreatWhen::OddsPercent(odds * 50 + 51),
    })
}

fn who(of: &'static str) -> impl Strategy<Value = Who> {
    prop_oneof![Just(Who::All), land().prop_map(Who::At), units(of).prop_map(Who::Units)]
}

fn other(of: &'static str) -> impl Strategy<Value = Order> {
    let city = || {
        let cities: Vec<HexId> =
            board().control.keys().copied().filter(|hex| board().campaign.board.city(*hex).is_some()).collect();
        prop::sample::select(cities)
    };
    let kinds =
        prop::sample::select(vec![Kind::Infantry, Kind::Cavalry, Kind::Dragoons, Kind::Ships, Kind::Transports]);
    let seats =
        prop::sample::select(["S", "R", "P"].into_iter().map(seat).filter(|s| *s != seat(of)).collect::<Vec<_>>());
    prop_oneof![
        Just(Order::ActionCard(Card::Action { value: 2, serial: 37 })),
        Just(Order::ActionCard(Card::Event { id: "force_battle".into(), copy: 1 })),
        Just(Order::NoActionCard),
        (units(of), prop::collection::vec(Just(hex("0604")), 0..2), condition()).prop_map(
            |(units, hexes, condition)| {
                Order::EventCard(EventPlay {
                    card: Card::Event { id: "supply_2".into(), copy: 3 },
                    units,
                    hexes,
                    seats: Vec::new(),
                    condition,
                })
            }
        ),
        units(of).prop_map(Order::Hold),
        (kinds.clone(), city(), prop::option::of("[A-Z][a-zåäö]{2,7}( [A-Z][a-z]{2,6})?"))
            .prop_map(|(kind, at, name)| Order::Build(Build { kind, at, name })),
        (kinds, 1..9u32).prop_map(|(kind, count)| Order::Buy(Buy { kind, count })),
        (any::<bool>(), prop::collection::vec(city(), 0..2)).prop_map(|(call, places)| Order::Levy { call, places }),
        (who(of), any::<bool>(), condition()).prop_map(|(who, give, condition)| Order::Intent(Intent {
            who,
            give,
            condition
        })),
        (who(of), retreat_when(), prop::option::of(land())).prop_map(|(who, when, to)| {
            let to = if when == RetreatWhen::Never { None } else { to };
            Order::Retreat(Retreat { who, when, to })
        }),
        seats.clone().prop_map(|seat| Order::Diplomacy(Diplomacy::War(seat))),
        seats.clone().prop_map(|seat| Order::Diplomacy(Diplomacy::Peace(seat))),
        seats.clone().prop_map(|seat| Order::Diplomacy(Diplomacy::Passage(seat))),
        seats.prop_map(|seat| Order::Diplomacy(Diplomacy::NoPassage(seat))),
        units(of).prop_map(Order::HitsFirst),
        units(of).prop_map(Order::FeedFirst),
        units(of).prop_map(|units| Order::Standing(Box::new(Order::Hold(units)))),
        "[a-z]{3,9}( [a-zA-Z,.;!?-]{1,9}){1,4}".prop_map(|words| {
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            Order::Kept(Kept { about: "a sea move".into(), words })
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Mailed back as it is, an acknowledgement reads the same.
    #[test]
    fn any_order_reads_back(of in prop::sample::select(vec!["S", "R", "P"]), seed in 0..2usize, s in march("S"), r in march("R"), p in march("P"), so in other("S"), ro in other("R"), po in other("P")) {
        let order = match (of, seed) { ("S", 0) => s, ("R", 0) => r, ("P", 0) => p, ("S", _) => so, ("R", _) => ro, _ => po };
        prop_assume!(legal(&order));
        let read = reads_back(board(), of, &[order]);
        prop_assert!(read.is_ok(), "{}", read.unwrap_err());
    }

    /// Whatever comes, the reader says something and does not fall over.
    #[test]
    fn any_text_is_survived(text in "(?s).{0,200}") {
        reading(board(), "P", &text);
    }

    /// Neither do words of the game in any sequence, nor are orders made for others' units.
    #[test]
    fn any_words_are_survived(words in prop::collection::vec(prop::sample::select(WORDS), 0..14)) {
        let text = words.join(" ");
        let view = view(board(), "P");
        for held in reading(board(), "P", &text).orders {
            if let Order::March(march) = &held.order {
                let named = match &march.units { Picked::These(units) => units.clone(), Picked::All => Vec::new() };
                prop_assert!(named.iter().chain(&march.army_of).all(|id| view.own.contains_key(id)));
            }
            let _ = read::canonical(&view, &seat("P"), &held.order);
        }
    }
}

const WORDS: &[&str] = &[
    "Flemming", "Königin", "Augustus", "and", "all", "his", "brigades", "to", "from", "via", "Riga", "Mitau", "0205",
    "->", ",", ".", ";", ":", "-", "besiege", "storm", "it", "if", "the", "enemy", "is", "at", "nobody", "retreats",
    "half", "2", "rounds", "buy", "infantry", "build", "card", "action", "no.", "37", "(", ")", "play", "Force",
    "Battle", "supply", "on", "with", "but", "not", "then", "he", "stays", "standing", "withdraw", "3", "by", "river",
    "forced", "march", "except", "garrison", "every", "\n", "\n* ", "?", "unless", "under", "who", "or", "without",
    "\"", "kept,", "Dal",
];
