//! An invented turn at Riga, for `umpire template check` and the tests: every kind of letter, page and entry with facts such
//! as the desk really hands in. The players are nobody.

use super::facts::{
    Acknowledgement, ChallengeNews, Changes, FrontPage, Moment, NextTurn, Notice, Occasion, PublicChallenge, Results,
    RulingText, StruckText, TurnLink,
};
use super::{TemplateFault, Templates};
use super::{letters, page};
use crate::engine::board_picture::{ArrowPicture, BoardPicture, CityPicture, Counter, HexPicture, SidePicture};
use crate::engine::report::{Entry, Report, Table};
use crate::engine::sheet::{OrderText, QuestionText, SheetText};
use crate::engine::{
    Cite, Complaint, ComplaintKind, Dice, EventId, EventNo, Grid, HexId, HexSide, LetterNo, Roll, RulingNo, Scope,
    SeatId, Secret, Source, Span, StepName, TextLine, TurnNo, TurnSecret,
};
use serde_json::{Value, json};

/// Renders every template against the sample and lists what fails.
pub fn check(templates: &Templates) -> Vec<TemplateFault> {
    let mut faults = Vec::new();
    let mut note = |outcome: Result<(), TemplateFault>| faults.extend(outcome.err());
    for (kind, facts) in entry_facts() {
        for no in 1..=6 {
            let entry = entry(no, &kind, facts.clone(), "Livonia", None);
            note(super::entry::sentence(templates, "season", 1, &entry).map(|_| ()));
        }
    }
    note(letters::acknowledgement(templates, &acknowledgement()).map(|_| ()));
    note(letters::check_text(templates, &acknowledgement()).map(|_| ()));
    for results in [preliminary(), corrected(), official()] {
        note(letters::results(templates, &results).map(|_| ()));
    }
    for challenge in challenges() {
        note(letters::challenge(templates, &challenge).map(|_| ()));
    }
    for notice in notices() {
        note(letters::notice(templates, &notice).map(|_| ()));
    }
    note(page::game_pages(templates, &front_page(), &[preliminary(), corrected(), official()]).map(|_| ()));
    note(page::index_page(templates, &[front_page()]).map(|_| ()));
    faults
}

/// Every kind of entry that the season system's templates word, with its facts; where those who were not there are told less,
/// that follows with the same kind.
pub fn entry_facts() -> Vec<(String, Value)> {
    serde_json::from_str(include_str!("sample/entries.json")).unwrap_or_default()
}

/// Every kind of entry with all its phrasings, for looking at.
pub fn phrasings(templates: &Templates) -> Vec<(String, Vec<String>)> {
    let mut told = Vec::new();
    for (kind, facts) in entry_facts() {
        let mut sentences: Vec<String> = Vec::new();
        for no in 1..=12 {
            let entry = entry(no, &kind, facts.clone(), "Livonia", None);
            let sentence =
                super::entry::sentence(templates, "season", 1, &entry).unwrap_or_else(|fault| fault.to_string());
            if !sentences.contains(&sentence) {
                sentences.push(sentence);
            }
        }
        told.push((kind, sentences));
    }
    told
}

fn entry(no: u32, kind: &str, facts: Value, heading: &str, at: Option<HexId>) -> Entry {
    let Value::Object(facts) = facts else { return entry(no, kind, json!({}), heading, at) };
    Entry {
        id: EventId { step: StepName::new("movement"), subject: format!("{kind} {no}"), ordinal: 1 },
        no: EventNo::Public(no),
        kind: kind.to_owned(),
        facts,
        step: StepName::new("movement"),
        heading: heading.to_owned(),
        hex: at,
        cites: Vec::new(),
        source: None,
        rolls: Vec::new(),
        ruling: None,
    }
}

fn facts_of(kind: &str) -> Value {
    entry_facts().into_iter().find(|(k, _)| k == kind).map_or(Value::Null, |(_, facts)| facts)
}

fn cited(mut entry: Entry, cites: &[&'static str]) -> Entry {
    entry.cites = cites.iter().map(|c| Cite::of(c)).collect();
    entry
}

fn rolled(mut entry: Entry, rolls: Vec<Roll>) -> Entry {
    entry.step = StepName::new("battles");
    entry.rolls = rolls;
    entry
}

fn turn_secret() -> TurnSecret {
    TurnSecret::of(&Secret::from_bytes([7; 32]), TurnNo(1))
}

fn scopes() -> Vec<Scope> {
    let mut scopes = vec![Scope::Public, Scope::Seat(SeatId::new("sweden"))];
    scopes.extend(HexId::new(2, 5).map(Scope::Battle));
    scopes.push(Scope::Deal);
    scopes
}

fn root() -> String {
    turn_secret().commit(&scopes()).to_string()
}

fn entries(dice: &Dice) -> Vec<Entry> {
    let riga = HexId::new(2, 5);
    let battle = riga.map_or(Scope::Public, Scope::Battle);
    let step = StepName::new("battles");
    let volley = |unit: &str, n| vec![dice.roll(battle.clone(), &step, "volley", unit, n, 4)];
    let crossing = vec![dice.roll(Scope::Public, &StepName::new("movement"), "crossing", "u302", 1, 1)];
    let mut own = entry(1, "bought", facts_of("bought"), "Your purse", None);
    own.no = EventNo::Secret(1);
    own.source = Some(source(7, "Buy 1 infantry."));
    let mut moved = entry(7, "moved", facts_of("moved"), "Livonia", riga);
    moved.cites = vec![Cite::of("003 Movement"), Cite::of("R-003-17")];
    let story = |no, kind: &str, heading: &str| entry(no, kind, facts_of(kind), heading, riga);
    vec![
        cited(story(1, "card_played", "Cards"), &["003 Action Cards"]),
        cited(entry(2, "card_played", json!({ "seat": "Russia", "value": 1 }), "Cards", None), &["003 Action Cards"]),
        cited(entry(3, "event_played", facts_of("event_played"), "Cards", None), &["R-003-05"]),
        moved,
        cited(rolled(story(8, "crossing", "Livonia"), crossing), &["003 Rivers"]),
        cited(story(9, "pinned", "Livonia"), &["003 Pinning", "R-003-26"]),
        cited(story(10, "void", "Livonia"), &["003 Army Movement"]),
        cited(story(11, "battle_joined", "Battle of Riga"), &["003 Battle"]),
        rolled(story(12, "volley", "Battle of Riga"), volley("u111@0205", 1)),
        story(13, "hits", "Battle of Riga"),
        rolled(
            entry(
                14,
                "volley",
                json!({ "unit": "Leibdragoner", "round": 1, "dice": 3, "hits": 0, "target": "Riga Garrison" }),
                "Battle of Riga",
                riga,
            ),
            volley("u312@0205", 1),
        ),
        cited(story(15, "retreated", "Battle of Riga"), &["003 Retreat", "R-003-35", "R-003-36"]),
        story(16, "battle_ended", "Battle of Riga"),
        cited(entry(17, "control", facts_of("control"), "Livonia", HexId::new(1, 5)), &["003 Control"]),
        cited(own, &["003 Builds"]),
    ]
}

fn source(line: u32, words: &str) -> Source {
    Source { letter: LetterNo(12), line, column: 0, words: words.to_owned() }
}

fn moment(text: &str, away: &str, utc: &str) -> Moment {
    Moment { text: text.to_owned(), zone: "Europe/Stockholm".to_owned(), away: away.to_owned(), utc: utc.to_owned() }
}

fn deadline() -> Moment {
    moment("Friday 4 December 2026, 20:00", "in 3 days and 4 hours", "2026-12-04T19:00:00Z")
}

fn window() -> Moment {
    moment("Sunday 6 December 2026, 21:14", "in 24 hours", "2026-12-06T20:14:00Z")
}

/// A Swedish reader in Spring 1700.
pub fn occasion() -> Occasion {
    Occasion {
        game: "livonia".to_owned(),
        system: "season".to_owned(),
        title: "Livonia 1700-1701".to_owned(),
        phase: "Spring 1700".to_owned(),
        turn: 1,
        seat: "Sweden".to_owned(),
        player: "Astrid Lind".to_owned(),
        umpire_address: "umpire@example.org".to_owned(),
    }
}

fn tables() -> Vec<Table> {
    let row = |cells: &[&str]| cells.iter().map(|c| (*c).to_owned()).collect::<Vec<String>>();
    vec![
        Table {
            title: "Your forces".to_owned(),
            columns: row(&["Hex", "Place", "Brigade", "Kind", "Steps", "State"]),
            rows: vec![
                row(&["0205", "Riga", "Riga Garrison", "infantry", "4", "in fortress"]),
                row(&["0304", "Wolmar", "Åbo Regiment", "infantry", "4", ""]),
                row(&["0304", "Wolmar", "Karelian Horse", "cavalry", "3", "under Loewenhaupt"]),
            ],
        },
        Table {
            title: "Your purse".to_owned(),
            columns: row(&["", "Money", "Men"]),
            rows: vec![row(&["In the bank", "22", "9"]), row(&["Income", "6", "5"]), row(&["Spent", "-4", "-4"])],
        },
    ]
}

fn sheet() -> SheetText {
    let order = |number, words: &str, note: &str, out: Option<&str>| OrderText {
        number,
        words: words.to_owned(),
        note: note.to_owned(),
        out_of_force: out.map(str::to_owned),
        source: source(number, words),
    };
    SheetText {
        seat: SeatId::new("sweden"),
        orders: vec![
            order(1, "Action card 2, serial 37", "", None),
            order(
                2,
                "Army of Loewenhaupt (Åbo Regiment, Karelian Horse) Wolmar -> Wenden -> Riga, attack; if the bridge at Riga is held, stop at Wenden",
                "about 1 in 3 to break the siege, against what you know",
                None,
            ),
            order(3, "Retreat: Riga Garrison never; Loewenhaupt at half losses", "", None),
            order(
                4,
                "Build infantry at Dorpat",
                "",
                Some("that would be a third Action; card 2 gives two [003 Action Cards]"),
            ),
            order(5, "Buy 1 infantry", "4 of 22 in the bank, 4 of 9 men", None),
        ],
        questions: vec![QuestionText {
            number: 1,
            source: source(6, "Supply card on the Garrison"),
            message: "You have eight garrisons.".to_owned(),
            cites: vec![Cite::of("R-003-90")],
            readings: vec!["Event: Supply, Riga Garrison +1".to_owned(), "Event: Supply, Narva Garrison +1".to_owned()],
        }],
        complaints: complaints(),
        passed_over: vec![TextLine { number: 1, text: "Hello Umpire, here we go.".to_owned() }],
        still_open: vec!["One of your two Actions is not used.".to_owned()],
    }
}

fn complaints() -> Vec<Complaint> {
    let complaint = |kind, line: u32, start, end, text: &str, message: &str, help: &str| Complaint {
        kind,
        span: Some(Span { line, start, end }),
        line_text: text.to_owned(),
        message: message.to_owned(),
        help: help.to_owned(),
        cites: vec![Cite::of("003 Army Movement")],
    };
    vec![
        complaint(
            ComplaintKind::Illegal,
            7,
            2,
            12,
            "* Rehnskjold forced march Wolmar – Riga",
            "Rehnskjold is not on the board yet: he lands at Reval in Fall 1700.",
            "Loewenhaupt commands at Wolmar.",
        ),
        complaint(
            ComplaintKind::NotUnderstood,
            8,
            8,
            13,
            "Vasa to Åbbo with all the guns and the band in front, playing, and the flags",
            "I know no place called \"Åbbo\".",
            "Did you mean Åbo (not on this board)?",
        ),
        complaint(
            ComplaintKind::NotAdjudicated,
            9,
            0,
            8,
            "blockade Riga by sea",
            "Blockades are read and kept, but not adjudicated yet.",
            "",
        ),
    ]
}

/// An acknowledgement with everything in it.
pub fn acknowledgement() -> Acknowledgement {
    Acknowledgement {
        occasion: occasion(),
        letter: 3,
        receipt: "5F2C-91AA".to_owned(),
        by_umpire: false,
        sheet: sheet(),
        left_out: vec!["lines 12 to 30, a quoted letter".to_owned(), "lines 10 and 11, a signature".to_owned()],
        deadline: deadline(),
        root: root(),
        standing: tables().into_iter().skip(1).collect(),
        remarks: vec!["Order 3 was written before the corrected results of last turn and still stands.".to_owned()],
    }
}

/// Preliminary results for Sweden.
pub fn preliminary() -> Results {
    let dice = Dice::new(TurnNo(1), turn_secret());
    Results {
        occasion: occasion(),
        stage: "preliminary".to_owned(),
        issue: 1,
        until: Some(window()),
        report: Report { entries: entries(&dice), tables: tables(), board: Some(board()) },
        changes: None,
        root: root(),
        revealed: Vec::new(),
        next: Some(NextTurn {
            phase: "Summer 1700".to_owned(),
            deadline: moment("Friday 11 December 2026, 20:00", "in 5 days and 23 hours", "2026-12-11T19:00:00Z"),
            root: TurnSecret::of(&Secret::from_bytes([7; 32]), TurnNo(2)).commit(&scopes()).to_string(),
        }),
        without_orders: vec!["Russia".to_owned()],
    }
}

/// The second issue, after a ruling.
pub fn corrected() -> Results {
    let mut dice = Dice::new(TurnNo(1), turn_secret());
    let rolls = entries(&dice);
    if let Some(key) =
        rolls.iter().find(|e| e.no == EventNo::Public(12)).and_then(|e| e.rolls.first()).map(|r| r.key.clone())
    {
        dice.set(key, 2, 6);
    }
    let mut entries = entries(&dice);
    let mut imposed = entry(18, "imposed", facts_of("imposed"), "Battle of Riga", None);
    imposed.ruling = Some(RulingNo(2));
    entries.push(imposed);
    entries.retain(|e| e.no != EventNo::Public(14));
    let changes = Changes {
        rulings: vec![RulingText {
            no: 2,
            what: "The third die of event 12 counts as 6, and event 14 is struck.".to_owned(),
            reason: "The fort of Riga was wrongly counted as a square.".to_owned(),
        }],
        changed: vec![EventNo::Public(12), EventNo::Public(13)],
        struck: vec![StruckText {
            no: EventNo::Public(14),
            text: "Round 1: Leibdragoner threw three dice at the Riga Garrison without effect.".to_owned(),
        }],
        added: vec![EventNo::Public(18)],
    };
    let base = preliminary();
    Results { issue: 2, changes: Some(changes), report: Report { entries, ..base.report.clone() }, ..base }
}

/// The official results, with secrets.
pub fn official() -> Results {
    let (secret, scopes) = (turn_secret(), scopes());
    let revealed = scopes.iter().take(3).filter_map(|scope| secret.reveal(&scopes, scope)).collect();
    Results { stage: "official".to_owned(), until: None, revealed, ..corrected() }
}

/// A challenge received, refused, answered.
pub fn challenges() -> Vec<ChallengeNews> {
    let base = ChallengeNews {
        occasion: occasion(),
        state: "received".to_owned(),
        no: 4,
        event: "14".to_owned(),
        text: "The fort is a hexagon, so hits are divided by three, not two.\nSee the city list.".to_owned(),
        received: moment("Saturday 5 December 2026, 22:40", "", "2026-12-05T21:40:00Z"),
        until: Some(window()),
        answer: String::new(),
        upheld: false,
    };
    let late = "It reached the mail server after the window had closed.";
    vec![
        base.clone(),
        ChallengeNews { state: "refused".to_owned(), no: 0, answer: late.to_owned(), ..base.clone() },
        ChallengeNews {
            state: "answered".to_owned(),
            answer: "You are right: Riga is a hexagon.".to_owned(),
            upheld: true,
            ..base.clone()
        },
        ChallengeNews { state: "answered".to_owned(), answer: "The list says so since version 2.".to_owned(), ..base },
    ]
}

/// One notice of every kind.
pub fn notices() -> Vec<Notice> {
    let kinds = [
        "extended",
        "held",
        "resumed",
        "late",
        "no_orders_found",
        "unknown_sender",
        "no_such_game",
        "too_large",
        "unreadable",
        "opened",
        "help",
        "corrected",
        "window_moved",
        "no_orders_wanted",
        "some_other_kind",
    ];
    let notice = |kind: &&str| Notice {
        occasion: occasion(),
        kind: (*kind).to_owned(),
        reason: "The umpire is travelling".to_owned(),
        moment: Some(deadline()),
        received: Some(window()),
        about: "Re: [livonia] orders".to_owned(),
        complaints: complaints(),
    };
    kinds.iter().map(notice).collect()
}

/// A front page with everything on it.
pub fn front_page() -> FrontPage {
    let revealed = official().revealed;
    FrontPage {
        occasion: Occasion { seat: String::new(), player: String::new(), ..occasion() },
        turns: vec![
            TurnLink {
                phase: "Summer 1700".to_owned(),
                stage: "open".to_owned(),
                file: String::new(),
                moment: Some(deadline()),
            },
            TurnLink {
                phase: "Spring 1700".to_owned(),
                stage: "official".to_owned(),
                file: page::file_name(&official()),
                moment: None,
            },
        ],
        challenges: vec![PublicChallenge {
            no: 4,
            event: "14".to_owned(),
            state: "upheld".to_owned(),
            phase: "Spring 1700".to_owned(),
        }],
        rulings: vec![(
            "Spring 1700".to_owned(),
            RulingText {
                no: 2,
                what: "The third die of event 12 counts as 6.".to_owned(),
                reason: "The fort was miscounted.".to_owned(),
            },
        )],
        seats: vec![
            ("Sweden".to_owned(), "Astrid Lind".to_owned()),
            ("Russia".to_owned(), "Pavel Orlov".to_owned()),
            ("Saxony-Poland".to_owned(), "Jan Kowal".to_owned()),
        ],
        house_rules: vec![(
            "quiet_rounds".to_owned(),
            "3".to_owned(),
            "Rounds without a hit before an attacker has to give up.".to_owned(),
        )],
        held: Some("The umpire waits for a ruling on Riga.".to_owned()),
        roots: vec![("Summer 1700".to_owned(), root(), Vec::new()), ("Spring 1700".to_owned(), root(), revealed)],
    }
}

/// Riga and what lies about it.
pub fn board() -> BoardPicture {
    let city = |name: &str, value, fort: &str, port| {
        let capital = if value == 4 { "seat".to_owned() } else { String::new() };
        Some(CityPicture { name: name.to_owned(), value, fort: fort.to_owned(), port, capital })
    };
    let counter = |seat: &str, colour: &str, brigades, strength, names: &[&str]| Counter {
        seat: SeatId::new(seat),
        colour: colour.to_owned(),
        brigades,
        strength,
        ships: false,
        names: names.iter().map(|n| (*n).to_owned()).collect(),
    };
    let (blue, red, green) = ("#2b5c9e", "#8a2f2a", "#3f7d4e");
    let hex = |col, row, ground: &str, fill: Option<&str>, city, counters: Vec<Counter>, battle| {
        let (province, standing) = if ground == "land" { ("Livonia", "home") } else { ("", "") };
        let picture = |hex| HexPicture {
            hex,
            ground: ground.to_owned(),
            name: String::new(),
            province: province.to_owned(),
            standing: standing.to_owned(),
            fill: fill.map(str::to_owned),
            city,
            counters,
            battle,
        };
        HexId::new(col, row).map(picture)
    };
    let hexes = [
        hex(1, 4, "sea", None, None, vec![], false),
        hex(2, 4, "sea", None, None, vec![], false),
        hex(
            3,
            4,
            "land",
            Some(blue),
            city("Wolmar", 1, "none", false),
            vec![counter("sweden", blue, 2, Some(7), &["Loewenhaupt", "Åbo Regiment", "Karelian Horse"])],
            false,
        ),
        hex(
            1,
            5,
            "land",
            Some(red),
            city("Dünamünde", 1, "square", true),
            vec![counter("saxony_poland", red, 1, None, &[])],
            false,
        ),
        hex(
            2,
            5,
            "land",
            Some(blue),
            city("Riga", 4, "hexagon", true),
            vec![
                counter("sweden", blue, 1, Some(4), &["Riga Garrison"]),
                counter("saxony_poland", red, 2, Some(4), &["Flemming", "Königin Regiment", "Leibdragoner"]),
            ],
            true,
        ),
        hex(3, 5, "land", Some(blue), None, vec![], false),
        hex(2, 6, "land", Some(red), city("Mitau", 2, "square", false), vec![], false),
        hex(
            3,
            6,
            "land",
            None,
            city("Kokenhusen", 1, "square", false),
            vec![counter("russia", green, 3, None, &[])],
            false,
        ),
        hex(4, 5, "lake", None, None, vec![], false),
    ];
    let side = |a: (u8, u8), b: (u8, u8), terrain: &str, river: &str, major, closed| {
        let (a, b) = (HexId::new(a.0, a.1)?, HexId::new(b.0, b.1)?);
        Some(SidePicture {
            side: HexSide::between(a, b),
            terrain: terrain.to_owned(),
            river: river.to_owned(),
            major,
            closed,
            strait: false,
        })
    };
    let sides = [
        side((2, 5), (2, 6), "clear", "Dvina", true, false),
        side((2, 5), (3, 6), "clear", "Dvina", true, false),
        side((3, 4), (3, 5), "forest", "Livonian Aa", false, false),
        side((2, 5), (3, 5), "marsh", "", false, false),
        side((3, 5), (4, 5), "mountain", "", false, true),
    ];
    let march = [(3, 4), (3, 5), (2, 5)].into_iter().filter_map(|(col, row)| HexId::new(col, row));
    BoardPicture {
        title: "Livonia 1700-1701".to_owned(),
        subtitle: "Spring 1700".to_owned(),
        scale_km: Some(70),
        roads: Vec::new(),
        links: Vec::new(),
        arrows: vec![ArrowPicture {
            seat: SeatId::new("sweden"),
            colour: blue.to_owned(),
            path: march.collect(),
            retreat: false,
        }],
        grid: Grid::PointyOddRows,
        hexes: hexes.into_iter().flatten().collect(),
        sides: sides.into_iter().flatten().collect(),
        legend: vec![
            ("Sweden".to_owned(), blue.to_owned()),
            ("Russia".to_owned(), green.to_owned()),
            ("Saxony-Poland".to_owned(), red.to_owned()),
        ],
    }
}
