//! What the umpire types, and what comes of it.

use super::super::campaign::Kind;
use super::super::event::{Event, Loss, NewUnit};
use super::super::order::{Arrival, Pace};
use super::super::setup;
use super::super::state::{Siege, State};
use super::read;
use crate::engine::{HexId, SeatId, TurnNo, UnitId};
use std::collections::BTreeMap;

fn livonia() -> State {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/campaigns/livonia-1700");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: BTreeMap<String, String> = paths
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    let mut state = setup::open(setup::load(&files).unwrap());
    let siege = Siege { by: seat("russia"), since: TurnNo(1), full_turns: 0 };
    state.sieges.insert(hex("0501"), siege);
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

fn moved(by: &str, units: &[u16], to: &str) -> Event {
    Event::Moved {
        seat: seat(by),
        units: units.iter().copied().map(UnitId).collect(),
        path: vec![hex(to)],
        pace: Pace::Normal,
        arrival: Arrival::Stand,
        leader: None,
    }
}

fn lost(unit: u16, steps: u8) -> Event {
    Event::StepsLost { unit: u(unit), steps, cause: Loss::Ruling, hex: None }
}

fn gone(unit: u16, how: Loss, by: Option<&str>, at: &str) -> Event {
    Event::Gone { unit: u(unit), how, by: by.map(seat), hex: hex(at) }
}

fn some(name: &str) -> Option<SeatId> {
    Some(seat(name))
}

/// At the start: Åbo (121, strength 4) and the Karelian Horse (122) with Loewenhaupt (103) at Wolmar 0304; the Riga garrison
/// (111, 4); Königin (311, 3), Leibdragoner (312), Mitau garrison (314, 1) with Flemming (302) at Mitau 0206; Croy (202) and
/// Trubetskoy (211) at Novgorod.
#[test]
fn words_and_their_events() {
    let state = livonia();
    let money = |who, change, why: &str| Event::Money { seat: seat(who), change, why: why.to_owned() };
    let control = |at, from: &str, to| Event::Control { hex: hex(at), from: some(from), to };
    let livonia_province = state.campaign.board.provinces[0].id.clone();
    let cases: Vec<(&str, &str, Event)> = vec![
        ("move Abo to Riga", "movement", moved("sweden", &[121], "0205")),
        ("MOVE the Åbo Regiment into 0205", "movement", moved("sweden", &[121], "0205")),
        ("move Åbo, Karelian Horse to Riga", "movement", moved("sweden", &[121, 122], "0205")),
        ("move Åbo and Karelian Horse to Pärnu.", "movement", moved("sweden", &[121, 122], "0203")),
        ("put u121 at Riga", "movement", moved("sweden", &[121], "0205")),
        ("move army of Vellingk to Riga", "movement", moved("sweden", &[103, 121, 122], "0205")),
        ("move Loewenhaupt with all to Riga", "movement", moved("sweden", &[103, 121, 122], "0205")),
        ("move Loewenhaupt to Riga", "movement", moved("sweden", &[103], "0205")),
        ("lose 2 Åbo", "battles", lost(121, 2)),
        ("lose 1 step Åbo", "battles", lost(121, 1)),
        ("lose two steps of the Åbo Regiment", "battles", lost(121, 2)),
        ("lose Åbo", "battles", lost(121, 1)),
        ("lose 4 Åbo", "battles", gone(121, Loss::Ruling, None, "0304")),
        ("gain 1 Åbo", "reinforcements", Event::Reinforced { unit: u(121), steps: 1 }),
        ("gain a step for Königin", "reinforcements", Event::Reinforced { unit: u(311), steps: 1 }),
        ("kill Åbo", "battles", gone(121, Loss::Ruling, None, "0304")),
        ("eliminate Riga Garrison by Saxony-Poland", "battles", gone(111, Loss::Ruling, Some("saxony_poland"), "0205")),
        ("capture Croy", "battles", gone(202, Loss::Captured, None, "0802")),
        ("capture de Croy by Sweden", "battles", gone(202, Loss::Captured, Some("sweden"), "0802")),
        ("leader Croy killed", "battles", gone(202, Loss::Ruling, None, "0802")),
        ("leader Flemming captured by Swedish", "battles", gone(302, Loss::Captured, Some("sweden"), "0206")),
        (
            "retreat Åbo to Pernau",
            "battles",
            Event::Retreated { units: vec![u(121)], from: hex("0304"), to: hex("0203"), round: 0 },
        ),
        (
            "retreat Åbo, Riga Garrison from Riga to Pernau",
            "battles",
            Event::Retreated { units: vec![u(121), u(111)], from: hex("0205"), to: hex("0203"), round: 0 },
        ),
        ("control 0205 russia", "control", control("0205", "sweden", some("russia"))),
        ("control Riga to Russia", "control", control("0205", "sweden", some("russia"))),
        ("control Staraya Russa Saxony-Poland", "control", control("0803", "russia", some("saxony_poland"))),
        ("control Riga neutral", "control", control("0205", "sweden", None)),
        ("money sweden +3 because the Estates paid", "reinforcements", money("sweden", 3, "the Estates paid")),
        ("money Saxony-Poland -2", "reinforcements", money("saxony_poland", -2, "")),
        ("money russia 4", "reinforcements", money("russia", 4, "")),
        ("siege Riga saxony_poland", "sieges", Event::SiegeLaid { city: hex("0205"), by: seat("saxony_poland") }),
        ("siege Riga by Russia", "sieges", Event::SiegeLaid { city: hex("0205"), by: seat("russia") }),
        ("siege Narva counts 2", "sieges", Event::SiegeCounted { city: hex("0501"), full_turns: 2 }),
        ("raise siege Narva", "sieges", Event::SiegeRaised { city: hex("0501") }),
        ("raise the siege of Narva", "sieges", Event::SiegeRaised { city: hex("0501") }),
        ("depleted 0304", "supply", Event::Depleted { hex: hex("0304") }),
        ("war sweden russia", "diplomacy", Event::WarBegan { a: seat("sweden"), b: seat("russia") }),
        ("war saxony-poland on russia", "diplomacy", Event::WarBegan { a: seat("saxony_poland"), b: seat("russia") }),
        ("peace sweden and russia", "diplomacy", Event::PeaceMade { a: seat("sweden"), b: seat("russia") }),
        (
            "passage sweden russia",
            "diplomacy",
            Event::Passage { from: seat("sweden"), to: seat("russia"), given: true },
        ),
        (
            "nopassage russia saxony_poland",
            "diplomacy",
            Event::Passage { from: seat("russia"), to: seat("saxony_poland"), given: false },
        ),
        (
            "province Livonia russia",
            "winter",
            Event::Conquered { province: livonia_province, from: some("sweden"), to: some("russia") },
        ),
        ("defeat russia by sweden", "battles", Event::SovereignFell { seat: seat("russia"), killer: some("sweden") }),
    ];
    for (words, step, event) in cases {
        assert_eq!(read(&state, words), Ok((step, event)), "{words}");
    }
}

#[test]
fn a_placed_unit_gets_a_number_that_the_turn_does_not_give() {
    let state = livonia();
    let placed = |words: &str| match read(&state, words).unwrap() {
        (step, Event::Mustered { unit }) => {
            assert_eq!(step, "reinforcements");
            unit
        }
        other => panic!("{other:?}"),
    };
    let unit = placed("place infantry Uppland 4 at Riga for sweden");
    assert!((500..1000).contains(&unit.id.0), "{}", unit.id);
    let expected = NewUnit {
        id: unit.id,
        seat: seat("sweden"),
        kind: Kind::Infantry,
        name: "Uppland".to_owned(),
        short: "Uppland".to_owned(),
        strength: 4,
        at: hex("0205"),
    };
    assert_eq!(unit, expected);
    let horse = placed("place feudal horse Banner of Minsk 3 in Polotsk for Saxony-Poland");
    assert_eq!((horse.kind, horse.name.as_str()), (Kind::FeudalHorse, "Banner of Minsk"));
    assert_ne!(horse.id, unit.id);
}

/// What cannot be read is answered with what would have been understood, and points at the words.
#[test]
fn complaints_help() {
    let state = livonia();
    for (words, message, help, caret) in [
        ("mvoe Åbo to Riga", "\"mvoe\" is no event.", "did you mean \"move\"?", Some((0, 4))),
        ("", "Nothing is said.", "Understood are: move", None),
        ("frighten Åbo", "\"frighten\" is no event.", "money SEAT +3 because WHY", Some((0, 8))),
        ("move Åbo", "Where to is not said.", "move UNIT, UNIT to PLACE", Some((0, 8))),
        ("move Abbo to Riga", "There is no unit on the board \"Abbo\".", "Did you mean \"Åbo\"?", Some((5, 9))),
        ("move Åbo to Rigga", "There is no place \"Rigga\".", "Did you mean \"Riga\"?", Some((12, 17))),
        ("kill Dal", "There is no unit on the board \"Dal\".", "kill UNIT (by SEAT)", Some((5, 8))),
        ("control Riga rusia", "There is no seat \"rusia\".", "Did you mean \"Russia\"?", Some((13, 18))),
        ("lose 2 Pskov", "\"Pskov\" can be ", "Write more of the name", Some((7, 12))),
        (
            "move Åbo, Leibdragoner to Riga",
            "These are units of several seats.",
            "one event for each seat",
            Some((5, 22)),
        ),
        ("retreat Åbo, Riga Garrison to Pernau", "They begin the turn in several hexes.", "from PLACE", Some((8, 26))),
        ("lose 0 Åbo", "No steps is no event.", "lose 2 UNIT", Some((0, 10))),
        ("leader Åbo killed", "Åbo is no leader.", "leader NAME killed", Some((7, 10))),
        ("leader Croy", "His fate is not said.", "leader NAME killed", Some((0, 11))),
        ("siege 0304 counts 1", "Wolmar is not under siege", "siege CITY SEAT", Some((6, 19))),
        ("siege Riga nobody", "Nobody cannot lay a siege.", "siege CITY SEAT", Some((0, 17))),
        ("money sweden", "How much is not said.", "money SEAT +3", Some((0, 12))),
        ("war sweden sweden", "Two different seats are needed.", "war SEAT SEAT", Some((0, 17))),
        ("place infantry Riga Garrison 4 at Riga for sweden", "There is a \"Riga Garrison\" already.", "another", None),
        ("place infantry Uppland 9 at Riga for sweden", "infantry of Sweden can have a strength of 1 to 4.", "", None),
        ("place hussars Uppland 2 at Riga for sweden", "\"hussars\" is no kind of unit.", "dragoons", None),
    ] {
        let complaint = read(&state, words).unwrap_err();
        assert!(complaint.message.starts_with(message), "{words}: {}", complaint.message);
        assert!(complaint.help.contains(help), "{words}: {}", complaint.help);
        assert_eq!(complaint.line_text, words);
        if let Some(caret) = caret {
            let span = complaint.span.map(|span| (span.start, span.end));
            assert_eq!(span, Some(caret), "{words}");
        }
    }
}

/// An imposed event is read before the turn is played: a unit that has lost more by then is gone, and one that stands elsewhere
/// goes from there.
#[test]
fn the_turn_may_have_changed_what_was_read() {
    let mut state = livonia();
    let (_, loss) = read(&state, "lose 2 Åbo").unwrap();
    let (_, retreat) = read(&state, "retreat Karelian Horse to Pernau").unwrap();
    state.units.get_mut(&u(121)).unwrap().strength = 2;
    state.units.get_mut(&u(122)).unwrap().at = hex("0303");
    state.carry_out(&loss);
    state.carry_out(&retreat);
    assert!(!state.units.contains_key(&u(121)));
    assert_eq!(state.units[&u(122)].at, hex("0203"));
    assert_eq!(state.now.entries[&u(122)].from, hex("0303"));
}
