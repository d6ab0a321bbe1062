//! Fog by construction: the same events for every viewer, and two truths that differ only in what is hidden [R-003-83].

mod story;

use super::super::campaign::{Campaign, Fog, Kind};
use super::super::cards::Card;
use super::super::event::{Event, Loss, NewUnit, VoidReason};
use super::super::order::{Arrival, Pace};
use super::super::setup;
use super::super::state::State;
use super::*;
use crate::engine::{
    Dice, HexId, Inputs, Numbering, Orders, Rules, SeatId, Secret, TurnNo, TurnSecret, UnitId, working,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use story::{FLEMMING, ONE, OTHER, moved, plain, truth};

type System = super::super::Season;

fn livonia() -> State {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/campaigns/livonia-1700");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: BTreeMap<String, String> = paths
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    setup::open(setup::load(&files).unwrap())
}

fn with_fog(fog: Fog) -> State {
    let mut state = livonia();
    let mut campaign = Campaign::clone(&state.campaign);
    campaign.house.fog = fog;
    state.campaign = Arc::new(campaign);
    state
}

fn seat(name: &str) -> SeatId {
    SeatId::new(name)
}

fn hex(text: &str) -> HexId {
    text.parse().unwrap()
}

fn u(id: u16) -> UnitId {
    UnitId(id)
}

fn viewers() -> [Viewer; 5] {
    let [sweden, russia, saxony] = ["sweden", "russia", "saxony_poland"].map(|name| Viewer::Seat(seat(name)));
    [Viewer::Public, sweden, russia, saxony, Viewer::Umpire]
}

fn seated(name: &str) -> Viewer {
    Viewer::Seat(seat(name))
}

/// A report as the engine hands it out.
fn told(state: &State, events: &[Recorded<Event>], viewer: &Viewer) -> Report {
    let mut numbers = Numbering::default();
    let ids = events.iter().map(|e| e.id.clone());
    numbers.extend(&ids.zip(audiences(state, events)).collect::<Vec<_>>());
    let mut report = report(state, events, viewer);
    for entry in &mut report.entries {
        assert!(numbers.told_to(&entry.id, viewer), "{:?} is told {}", viewer, entry.id);
        entry.no = numbers.of(&entry.id).unwrap();
    }
    report
}

fn kinds(report: &Report) -> Vec<&str> {
    report.entries.iter().map(|entry| entry.kind.as_str()).collect()
}

fn find<'r>(report: &'r Report, kind: &str) -> &'r Entry {
    report.entries.iter().find(|entry| entry.kind == kind).unwrap_or_else(|| panic!("no {kind}: {:?}", kinds(report)))
}

fn fact(report: &Report, kind: &str, name: &str) -> String {
    find(report, kind).facts.get(name).map_or("-".to_owned(), |value| value.to_string().replace('"', ""))
}

#[test]
fn outsiders_cannot_tell_two_truths_apart() {
    for fog in [Fog::Blocks, Fog::Scouted] {
        let (one, first) = truth(&ONE, fog);
        let (other, second) = truth(&OTHER, fog);
        for viewer in [Viewer::Public, seated("russia")] {
            let json = |state, events: &[_]| serde_json::to_string_pretty(&told(state, events, &viewer)).unwrap();
            let (a, b) = (json(&one, &first), json(&other, &second));
            let differs = a.lines().zip(b.lines()).find(|(a, b)| a != b);
            assert_eq!(differs, None, "{viewer:?} under {fog:?}");
            assert_eq!(a, b);
        }
        let umpire = |state, events: &[_]| told(state, events, &Viewer::Umpire);
        assert_ne!(umpire(&one, &first), umpire(&other, &second));
    }
}

/// No name of another seat's unit stands anywhere in an outsider's report: entries, tables or board.
#[test]
fn no_name_of_anothers_unit_reaches_an_outsider() {
    for hidden in [&ONE, &OTHER] {
        let (state, events) = truth(hidden, Fog::Blocks);
        for (viewer, own) in [(Viewer::Public, None), (seated("russia"), Some(seat("russia")))] {
            let json = serde_json::to_string(&told(&state, &events, &viewer)).unwrap();
            let others = state.campaign.units.iter().filter(|unit| Some(&unit.seat) != own.as_ref());
            let mut names: BTreeSet<String> = others.flat_map(|unit| [unit.name.clone(), unit.short.clone()]).collect();
            names.extend(["Clausthal Miners", "Polnische Garde", "Budberg"].map(str::to_owned));
            // The cards speak of Cossacks too, whoever has some.
            names.remove("Cossacks");
            for name in names {
                assert!(!json.contains(&name), "{viewer:?} reads of {name}");
            }
            for word in ["u311", "u312", "Forced", "pillage", "Pillage", "Truce"] {
                assert!(!json.contains(word), "{viewer:?} reads {word}");
            }
        }
    }
}

/// Neither strengths nor kinds: the facts that could hold them are not there.
#[test]
fn an_outsider_is_told_places_and_counts() {
    let (state, events) = truth(&ONE, Fog::Blocks);
    let report = told(&state, &events, &seated("russia"));
    assert_eq!(
        kinds(&report),
        [
            "card_played",
            "card_played",
            "sequence",
            "event_played",
            "moved",
            "pinned",
            "battle_joined",
            "retreated",
            "battle_ended",
            "control",
            "mustered",
            "treasury",
            "turn_ended"
        ]
    );
    for entry in &report.entries {
        assert_eq!((&entry.rolls, &entry.source), (&Vec::new(), &None), "{}", entry.kind);
        for hidden in
            ["units", "unit", "leader", "strength", "attacking", "defending", "inside", "late", "pace", "money"]
        {
            assert!(!entry.facts.contains_key(hidden), "{} tells {hidden}", entry.kind);
        }
    }
    assert_eq!(fact(&report, "moved", "count"), "2");
    assert_eq!(fact(&report, "moved", "adjective"), "Saxon");
    assert_eq!((fact(&report, "moved", "from"), fact(&report, "moved", "to")), ("Mitau".into(), "Riga".into()));
    assert_eq!(fact(&report, "battle_joined", "attacking_count"), "2");
    assert_eq!(fact(&report, "battle_joined", "city"), "Riga");
    assert_eq!(fact(&report, "retreated", "count"), "1");
    assert_eq!(fact(&report, "event_played", "on"), "[]");
    // One Saxon brigade was destroyed, one retreated; the one Swedish brigade held.
    assert_eq!(
        fact(&report, "battle_ended", "toll"),
        "[{seat:Sweden,destroyed:0,retreated:0},{seat:Saxony-Poland,destroyed:1,retreated:1}]"
    );
    assert_eq!(find(&report, "moved").cites, [crate::engine::Cite::of("003 Movement")]);
}

#[test]
fn those_who_fight_see_each_other_for_that_battle() {
    let (state, events) = truth(&ONE, Fog::Blocks);
    let report = told(&state, &events, &seated("sweden"));
    // Before the battle the Swedes see counters come; in it they know whom they face.
    assert_eq!(fact(&report, "moved", "units"), "-");
    // Königin had 3 and took the Supply card's step; the dragoons have 3, Flemming 2.
    assert_eq!(
        fact(&report, "battle_joined", "attacking"),
        "[Flemming (2, B2),Königin Regiment (4, B2),Leibdragoner (3, B2)]"
    );
    assert_eq!(fact(&report, "volley", "unit"), "Riga Garrison");
    assert_eq!((fact(&report, "volley", "dice"), fact(&report, "volley", "faces")), ("3".into(), "[2,5,6]".into()));
    assert_eq!(find(&report, "volley").rolls.len(), 1);
    assert_eq!((fact(&report, "hits", "unit"), fact(&report, "hits", "left")), ("Königin Regiment".into(), "3".into()));
    assert_eq!(fact(&report, "eliminated", "unit"), "Leibdragoner");
    assert_eq!(fact(&report, "retreated", "leader"), "Flemming");
    assert_eq!(fact(&report, "regrouped", "unit"), "Königin Regiment");
    // What the survivor suffers next at Mitau is not theirs to know.
    assert!(!kinds(&report).contains(&"out_of_supply"));
    assert!(!kinds(&report).contains(&"supply_loss"));
    let saxon = told(&state, &events, &seated("saxony_poland"));
    assert_eq!(fact(&saxon, "moved", "leader"), "Flemming");
    assert_eq!(fact(&saxon, "moved", "units"), "[Königin Regiment,Leibdragoner]");
    assert_eq!(fact(&saxon, "pinned", "units"), "-");
    // 4, two hits, one step regrouped, one lost to hunger.
    assert_eq!(fact(&saxon, "supply_loss", "left"), "2");
    assert_eq!(fact(&saxon, "treasury", "money"), "4");
}

/// Every reader's numbers run from 1 without a gap, whatever others were told in between.
#[test]
fn nobody_can_count_what_others_were_told() {
    for fog in [Fog::Blocks, Fog::Open, Fog::Scouted] {
        let (state, events) = truth(&ONE, fog);
        for viewer in viewers().iter().filter(|viewer| **viewer != Viewer::Umpire) {
            let mut numbers: Vec<EventNo> = told(&state, &events, viewer).entries.iter().map(|e| e.no).collect();
            numbers.sort();
            let mut last = BTreeMap::new();
            for no in numbers {
                let series = match no {
                    EventNo::Public(_) => (0, 0),
                    EventNo::Detail(parent, _) => (1, parent),
                    EventNo::Secret(_) => (2, 0),
                };
                let last = last.entry(series).or_insert(0);
                *last += 1;
                assert_eq!(no.count(), *last, "{viewer:?} under {fog:?} reads {no}");
            }
        }
    }
}

#[test]
fn battle_details_stand_behind_the_battle() {
    let (state, events) = truth(&ONE, Fog::Blocks);
    let report = told(&state, &events, &seated("saxony_poland"));
    let no = |kind: &str| find(&report, kind).no.to_string();
    // Cards 1 and 2, sequence 3, the Supply card 4, march 5, pin 6, battle 7, retreat 8, end 9.
    assert_eq!((no("moved"), no("battle_joined"), no("battle_ended")), ("5".into(), "7".into(), "9".into()));
    // Two rounds of a volley and its hit, the fort, the loss, the one that could not leave, the regrouping.
    let details: Vec<String> =
        report.entries.iter().map(|e| e.no.to_string()).filter(|no| no.starts_with("7.")).collect();
    assert_eq!(details, ["7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7", "7.8"]);
    assert_eq!(no("reinforced"), "s1");
}

#[test]
fn every_event_is_told_to_whom_it_is_addressed_and_has_its_words() {
    let (state, events) = truth(&ONE, Fog::Blocks);
    let mut seen = BTreeSet::new();
    for viewer in &viewers() {
        let audiences = audiences(&state, &events);
        let due = audiences.iter().filter(|audience| audience.includes(viewer)).count();
        let report = told(&state, &events, viewer);
        assert_eq!(report.entries.len(), due);
        seen.extend(report.entries.into_iter().map(|entry| entry.kind));
    }
    seen.extend(every_other_kind());
    assert!(!seen.contains("untold"));
    for kind in seen {
        let path = format!("{}/templates/season/entry/{kind}.txt", env!("CARGO_MANIFEST_DIR"));
        assert!(std::path::Path::new(&path).exists(), "no template words {kind}");
    }
}

/// The kinds that the storm of Riga does not bring about.
fn every_other_kind() -> Vec<String> {
    let mut state = livonia();
    state
        .sieges
        .insert(hex("0205"), super::super::state::Siege { by: seat("saxony_poland"), since: TurnNo(1), full_turns: 1 });
    let (sweden, russia) = (seat("sweden"), seat("russia"));
    let (riga, narva) = (hex("0205"), hex("0501"));
    let card = |id: &str| Card::Event { id: id.to_owned(), copy: 1 };
    let gone = |unit, how| Event::Gone { unit: u(unit), how, by: Some(russia.clone()), hex: riga };
    let new = |id, kind| Event::Mustered {
        unit: NewUnit {
            id: u(id),
            seat: russia.clone(),
            kind,
            name: "A".into(),
            short: "A".into(),
            strength: 2,
            at: narva,
        },
    };
    let lost = |unit, cause| Event::StepsLost { unit: u(unit), steps: 1, cause, hex: None };
    let events = vec![
        Event::EventReturned { seat: sweden.clone(), card: card("ga_pa"), why: VoidReason::ConditionUnmet },
        Event::WarDeclared { by: sweden.clone(), on: russia.clone(), now: false },
        Event::WarBegan { a: sweden.clone(), b: russia.clone() },
        Event::PeaceMade { a: sweden.clone(), b: russia.clone() },
        Event::Passage { from: sweden.clone(), to: russia.clone(), given: true },
        Event::StandingSet { seat: sweden.clone(), orders: vec![] },
        Event::Arrived { unit: u(123), at: riga },
        Event::NoBattle { hex: riga, avoided_by: vec![sweden.clone()] },
        lost(111, Loss::March),
        lost(111, Loss::Winter),
        lost(121, Loss::Card),
        gone(111, Loss::Supply),
        gone(103, Loss::Battle),
        gone(202, Loss::Captured),
        gone(213, Loss::Disbanded),
        gone(202, Loss::Left),
        Event::Succeeded { seat: russia.clone(), unit: u(203), after: u(201) },
        Event::SovereignFell { seat: sweden.clone(), killer: Some(russia.clone()) },
        Event::SiegeLaid { city: riga, by: russia.clone() },
        Event::SiegeCounted { city: riga, full_turns: 2 },
        Event::SiegeRaised { city: riga },
        Event::TrainSpent { unit: u(121), hex: narva },
        Event::Depleted { hex: narva },
        Event::LandRecovered,
        new(1001, Kind::FeudalHorse),
        new(1002, Kind::Cossacks),
        Event::ManpowerLost { seat: sweden.clone(), men: 2 },
        Event::Conquered {
            province: state.campaign.board.provinces[0].id.clone(),
            from: None,
            to: Some(russia.clone()),
        },
        Event::Surrendered { seat: sweden.clone(), to: Some(russia.clone()) },
        Event::LeaderRecovered { unit: u(201), steps: 1 },
        Event::GameOver { scores: vec![(sweden, 4), (russia, 2)] },
    ];
    let events = plain(&state, events);
    let of = |viewer| told(&state, &events, &viewer).entries.into_iter().map(|entry| entry.kind).collect::<Vec<_>>();
    [of(Viewer::Umpire), of(Viewer::Public)].concat()
}

/// A leader taken without a battle is a matter between him and his captor, and one event's details have one audience.
#[test]
fn a_captured_leader_is_told_to_both_sides_only() {
    let state = livonia();
    let riga = hex("0205");
    let march = moved([311, 312].map(u).into(), None, Pace::Normal);
    let taken = |unit, by: &str| Event::Gone { unit: u(unit), how: Loss::Captured, by: Some(seat(by)), hex: riga };
    let first = Event::Sequence { seats: vec![seat("sweden")] };
    let events = plain(&state, vec![first, march, taken(103, "saxony_poland"), taken(202, "saxony_poland")]);
    let audiences = audiences(&state, &events);
    let within = |parent: usize, seats: [&str; 2]| Audience::Within {
        parent: events[parent].id.clone(),
        seats: seats.map(seat).into(),
    };
    assert_eq!(audiences[2], within(1, ["saxony_poland", "sweden"]));
    // The march has its detail already, for others: the second hangs on the event before it.
    assert_eq!(audiences[3], within(0, ["russia", "saxony_poland"]));
    let captor = told(&state, &events, &seated("saxony_poland"));
    assert_eq!(fact(&captor, "captured", "unit"), "Loewenhaupt");
    assert_eq!(kinds(&told(&state, &events, &seated("russia"))), ["sequence", "moved", "captured"]);
    assert_eq!(kinds(&told(&state, &events, &Viewer::Public)), ["sequence", "moved"]);
}

/// A brigade that leaves the field and is interned beyond it is lost, not withdrawn [R-003-82].
#[test]
fn an_interned_brigade_is_counted_once() {
    let state = livonia();
    let (riga, beyond) = (hex("0205"), hex("0304"));
    let joined = Event::BattleJoined {
        hex: riga,
        attackers: vec![seat("saxony_poland")],
        defenders: vec![seat("sweden")],
        attacking: [311, 312].map(u).into(),
        defending: vec![u(111)],
        inside: vec![],
        late: vec![],
        divisor: 1,
    };
    let ended = Event::BattleEnded {
        hex: riga,
        victors: vec![seat("sweden")],
        losers: vec![seat("saxony_poland")],
        rounds: 1,
        wiped_out: false,
    };
    let events = vec![
        joined,
        Event::Retreated { units: [311, 312].map(u).into(), from: riga, to: beyond, round: 1 },
        Event::Gone { unit: u(312), how: Loss::Captured, by: None, hex: beyond },
        ended,
    ];
    let events = plain(&state, events);
    assert_eq!(
        fact(&told(&state, &events, &Viewer::Public), "battle_ended", "toll"),
        "[{seat:Sweden,destroyed:0,retreated:0},{seat:Saxony-Poland,destroyed:1,retreated:1}]"
    );
    assert_eq!(fact(&told(&state, &events, &seated("sweden")), "captured", "place"), "Wolmar");
}

/// Two years as the rules play them without a letter: every event can be told, and every number runs on without a gap.
#[test]
fn whole_turns_are_told_to_everybody() {
    let mut state = livonia();
    let game = Secret::from_bytes([3; 32]);
    for _ in 1..=8 {
        let before = state.clone();
        let mut dice = Dice::new(state.turn, TurnSecret::of(&game, state.turn));
        let inputs = Inputs { orders: Orders::new(), rulings: Vec::new() };
        let events = working::adjudicate::<System>(&mut state, &inputs, &mut dice).events;
        for viewer in &viewers() {
            let report = told(&before, &events, viewer);
            assert!(!kinds(&report).contains(&"untold"), "{viewer:?}");
            let public = report.entries.iter().filter(|e| matches!(e.no, EventNo::Public(_)));
            let public: Vec<u32> = public.map(|entry| entry.no.count()).collect();
            assert_eq!(public, (1..=u32::try_from(public.len()).unwrap()).collect::<Vec<_>>(), "{viewer:?}");
            assert_eq!(report.tables, System::standing(&state, viewer));
        }
    }
}

/// Leaders, fleets and trains are not on the board that others see: when they go alone, nothing is told.
#[test]
fn a_leader_rides_unseen() {
    let state = livonia();
    let path = vec![hex("0206"), hex("0205")];
    let ride = Event::Moved {
        seat: seat("saxony_poland"),
        units: vec![u(FLEMMING)],
        path,
        pace: Pace::Normal,
        arrival: Arrival::Stand,
        leader: None,
    };
    let events = plain(&state, vec![ride]);
    assert_eq!(audiences(&state, &events), [Audience::Seat(seat("saxony_poland"))]);
    let own = told(&state, &events, &seated("saxony_poland"));
    assert_eq!((fact(&own, "moved", "units"), fact(&own, "moved", "leader")), ("[Flemming]".into(), "-".into()));
}

/// Names, places and owners are those of the moment: an army that moves twice is told from where it then stood.
#[test]
fn each_event_is_told_at_its_own_moment() {
    let state = livonia();
    let go = |path: [&str; 2]| Event::Moved {
        seat: seat("saxony_poland"),
        units: vec![u(311)],
        path: path.map(hex).into(),
        pace: Pace::Normal,
        arrival: Arrival::Stand,
        leader: None,
    };
    // By ruling: a path of one hex, from wherever it stands.
    let ruled = Event::Moved {
        seat: seat("saxony_poland"),
        units: vec![u(311)],
        path: vec![hex("0207")],
        pace: Pace::Normal,
        arrival: Arrival::Stand,
        leader: None,
    };
    let loss = || Event::StepsLost { unit: u(311), steps: 1, cause: Loss::Winter, hex: None };
    let events = plain(&state, vec![go(["0206", "0205"]), ruled, loss(), loss()]);
    let report = told(&state, &events, &seated("saxony_poland"));
    let of = |index: usize, name: &str| report.entries[index].facts[name].to_string().replace('"', "");
    assert_eq!((of(1, "from"), of(1, "to")), ("Riga".into(), "Birze".into()));
    // The Königin Regiment begins with 3.
    assert_eq!((of(2, "at"), of(2, "left"), of(3, "left")), ("Birze".into(), "2".into(), "1".into()));
}

/// A ruling's event was written before the turn was worked out; it is told from where things stand when it happens.
#[test]
fn a_ruling_is_told_from_what_it_changes() {
    let state = livonia();
    let riga = hex("0205");
    let falls = Event::Control { hex: riga, from: Some(seat("sweden")), to: Some(seat("saxony_poland")) };
    let given_back = Event::Control { hex: riga, from: Some(seat("sweden")), to: Some(seat("sweden")) };
    let report = told(&state, &plain(&state, vec![falls, given_back]), &Viewer::Public);
    let of = |index: usize, name: &str| report.entries[index].facts[name].to_string().replace('"', "");
    assert_eq!((of(0, "from"), of(0, "to")), ("Sweden".into(), "Saxony-Poland".into()));
    assert_eq!((of(1, "from"), of(1, "to")), ("Saxony-Poland".into(), "Sweden".into()));
}

#[test]
fn open_play_hides_purses_and_orders_only() {
    let (state, events) = truth(&ONE, Fog::Open);
    let report = told(&state, &events, &Viewer::Public);
    assert_eq!(fact(&report, "moved", "leader"), "Flemming");
    assert_eq!(fact(&report, "volley", "dice"), "3");
    for private in ["void", "halted", "bought", "money", "income", "levels", "dealt"] {
        assert!(!kinds(&report).contains(&private), "{private} is told to all");
    }
    assert!(report.tables.iter().any(|table| table.title == "Forces of Sweden"));
}

#[test]
fn scouts_tell_what_moves_to_its_owner_alone() {
    let (state, events) = truth(&ONE, Fog::Scouted);
    assert!(!kinds(&told(&state, &events, &seated("russia"))).contains(&"moved"));
    assert!(kinds(&told(&state, &events, &seated("saxony_poland"))).contains(&"moved"));
    assert!(kinds(&told(&state, &events, &seated("russia"))).contains(&"battle_ended"));
}

#[test]
fn scopes_are_fixed_and_given_to_those_who_were_there() {
    let (state, events) = truth(&ONE, Fog::Blocks);
    let all = scopes(&state);
    // 60 hexes less the water of the board, the public scope, three seats and the deal.
    let water =
        state.campaign.board.hexes.values().filter(|hex| hex.ground != super::super::board::Ground::Land).count();
    assert_eq!(all.len(), 60 - water + 5);
    let names = |viewer: &Viewer| {
        let scopes = revealed_to(&state, &events, viewer);
        scopes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&Viewer::Public), "public");
    assert_eq!(names(&seated("russia")), "public seat:russia");
    assert_eq!(names(&seated("sweden")), "public seat:sweden battle:0205");
    assert_eq!(revealed_to(&state, &events, &Viewer::Umpire).len(), all.len() - 1);
    assert!(!names(&Viewer::Umpire).contains("deal"));
    let mut after = state.clone();
    for recorded in &events {
        after.carry_out(&recorded.event);
    }
    assert_eq!(scopes(&after), all);
}

#[test]
fn the_board_shows_piles_and_names_them_to_their_owner() {
    let (state, events) = truth(&ONE, Fog::Blocks);
    let at = |viewer: &Viewer, hex_no: &str| {
        let board = told(&state, &events, viewer).board.unwrap();
        board.hexes.into_iter().find(|picture| picture.hex == hex(hex_no)).unwrap()
    };
    let mitau = at(&seated("russia"), "0206");
    // Back at Mitau: Königin, and the garrison that never left.
    assert_eq!(mitau.counters.len(), 1);
    assert_eq!((mitau.counters[0].brigades, mitau.counters[0].strength), (2, None));
    assert_eq!(mitau.counters[0].names, [] as [String; 0]);
    let own = at(&seated("saxony_poland"), "0206");
    assert_eq!(own.counters[0].brigades, 2);
    assert_eq!(own.counters[0].names, ["Flemming 2", "Königin 2", "Mitau Garrison 1"]);
    assert_eq!(own.counters[0].strength, Some(3));
    assert!(at(&Viewer::Public, "0205").battle);
    assert_eq!(at(&Viewer::Public, "0105").fill.as_deref(), Some("#CC79A7"));
    // Of Reval's garrison and squadron others see the one brigade.
    let reval = at(&Viewer::Public, "0201");
    assert_eq!(reval.counters.iter().map(|pile| pile.brigades).collect::<Vec<_>>(), [1]);
}

/// The storm of Riga comes over the Dvina and goes back; a leader who rides alone leaves no track that others see [R-003-83].
#[test]
fn the_board_shows_moves_to_whom_they_are_told() {
    let tracks = |state: &State, events: &[Recorded<Event>], viewer: &Viewer| -> Vec<(Vec<HexId>, bool)> {
        let arrows = told(state, events, viewer).board.unwrap().arrows;
        arrows.into_iter().map(|arrow| (arrow.path, arrow.retreat)).collect()
    };
    let (state, events) = truth(&ONE, Fog::Blocks);
    let (there, back) = (["0206", "0205"].map(hex).to_vec(), ["0205", "0206"].map(hex).to_vec());
    for viewer in viewers() {
        let seen = tracks(&state, &events, &viewer);
        assert!(seen.contains(&(there.clone(), false)), "{viewer:?}: {seen:?}");
        assert!(seen.contains(&(back.clone(), true)), "{viewer:?}: {seen:?}");
    }
    let state = livonia();
    let mut ride = moved(vec![u(FLEMMING)], None, Pace::Normal);
    if let Event::Moved { path, .. } = &mut ride {
        path.reverse();
    }
    let events = plain(&state, vec![ride]);
    assert_eq!(tracks(&state, &events, &Viewer::Public), []);
    assert_eq!(tracks(&state, &events, &seated("sweden")), []);
    assert_eq!(tracks(&state, &events, &seated("saxony_poland")), [(back, false)]);
}

/// A board is dated by its turn and says through whose eyes it is seen.
#[test]
fn the_board_says_when_and_for_whom() {
    let state = livonia();
    let of = |viewer: &Viewer| System::board(&state, viewer).unwrap().subtitle;
    assert_eq!(of(&Viewer::Public), "Spring 1700");
    assert_eq!(of(&seated("sweden")), "Spring 1700, as Sweden sees it");
    assert_eq!(told(&state, &[], &Viewer::Umpire).board.unwrap().subtitle, "Spring 1700, as the umpire sees it");
}

#[test]
fn tables_show_a_seat_its_own() {
    let (mut state, _) = truth(&ONE, Fog::Blocks);
    state.seats.get_mut(&seat("sweden")).unwrap().hand =
        vec![Card::Action { value: 2, serial: 37 }, Card::Event { id: "force_battle".to_owned(), copy: 1 }];
    let titles = |viewer: &Viewer| System::standing(&state, viewer).into_iter().map(|t| t.title).collect::<Vec<_>>();
    assert_eq!(titles(&Viewer::Public), ["War and passage", "Cities"]);
    assert_eq!(
        titles(&seated("sweden")),
        ["Your forces", "Your forces to come", "Your purse and pool", "Your hand", "War and passage", "Cities"]
    );
    let tables = System::standing(&state, &seated("sweden"));
    let hand = &tables[3];
    assert_eq!(hand.rows[0], ["Action 2, no. 37", "Action card", "2 Actions"]);
    assert_eq!(hand.rows[1][..2], ["Force Battle", "before battles"]);
    for table in System::standing(&state, &Viewer::Umpire).iter().chain(&tables) {
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.title);
    }
    assert!(
        tables[0]
            .rows
            .contains(&["Riga 0205", "Riga Garrison", "infantry", "4 of 4", "B3", "1"].map(str::to_owned).into())
    );
}
