//! The historical opening of the great campaign: 24 letters of eight people, as they mail them, from Spring to Fall 1700.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use umpire::campaign;
use umpire::engine::sheet::ComplaintKind;
use umpire::engine::{
    Dice, Game, JsonInputs, LetterNo, Player, SeatId, Secret, SheetText, TextLine, TurnNo, TurnSecret,
};
use umpire::{mail, rules};

const CAMPAIGN: &str = "great-northern-war-1700";
/// The demo's dice, on which the letters rely for the cards in their hands.
const DICE: [u8; 32] = *b"The demo's dice are known to all";

fn players() -> BTreeMap<SeatId, Player> {
    toml::from_str(campaign::sample_file(CAMPAIGN, "players.toml").unwrap()).unwrap()
}

/// A turn's letters as the game read them, and the events that came of them.
struct Turn {
    sheets: BTreeMap<SeatId, SheetText>,
    events: Vec<Value>,
}

impl Turn {
    fn sheet(&self, seat: &str) -> &SheetText {
        &self.sheets[&SeatId::new(seat)]
    }

    fn of_kind<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Value> {
        self.events.iter().filter(move |event| event["event"] == kind)
    }

    fn falls(&self, hex: &str, to: &str) -> bool {
        self.of_kind("control").any(|control| control["hex"] == hex && control["to"] == to)
    }

    /// The sieges laid in the turn: which city, by whom.
    fn sieges_laid(&self) -> BTreeSet<(&str, &str)> {
        self.of_kind("siege_laid")
            .map(|siege| (siege["city"].as_str().unwrap(), siege["by"].as_str().unwrap()))
            .collect()
    }

    /// What each seat only has kept for later.
    fn kept(&self) -> BTreeMap<&str, usize> {
        let kept = |sheet: &SheetText| sheet.orders.iter().filter(|order| order.words.starts_with("Kept, ")).count();
        self.sheets.iter().map(|(seat, sheet)| (seat.as_str(), kept(sheet))).filter(|(_, count)| *count > 0).collect()
    }
}

fn dice(turn: TurnNo) -> Dice {
    Dice::new(turn, TurnSecret::of(&Secret::from_bytes(DICE), turn))
}

fn read(game: &dyn Game, letter: &campaign::SampleLetter) -> (Value, SheetText) {
    let words = mail::read(letter.raw).words;
    let lines: Vec<TextLine> =
        words.lines.iter().map(|line| TextLine { number: line.number as u32, text: line.text.clone() }).collect();
    game.read(&letter.seat(), None, LetterNo(1), &lines).unwrap()
}

/// Spring, Summer and Fall 1700.
fn played() -> [Turn; 3] {
    let files = campaign::find(CAMPAIGN, None).unwrap().files;
    let mut game = rules::start("season", &files).unwrap();
    let dealt = game.opening(dice(TurnNo(0))).unwrap();
    game.fold(&dealt).unwrap();
    let letters = campaign::sample_letters(CAMPAIGN);
    ["spring-1700", "summer-1700", "fall-1700"].map(|season| {
        let mut inputs = JsonInputs::default();
        let mut sheets = BTreeMap::new();
        for letter in &letters[season] {
            let (sheet, text) = read(game.as_ref(), letter);
            inputs.sheets.insert(letter.seat(), sheet);
            sheets.insert(letter.seat(), text);
        }
        let done = game.adjudicate(&inputs, dice(game.expects().turn)).unwrap();
        game.fold(&done.events).unwrap();
        Turn { sheets, events: done.events.into_iter().map(|recorded| recorded.event).collect() }
    })
}

#[test]
fn every_letter_is_read_without_a_complaint() {
    for (turn, season) in played().iter().zip(["Spring", "Summer", "Fall"]) {
        assert_eq!(turn.sheets.keys().collect::<Vec<_>>(), players().keys().collect::<Vec<_>>(), "{season}");
        for (seat, sheet) in &turn.sheets {
            assert!(sheet.questions.is_empty(), "{season} {seat}: {:#?}", sheet.questions);
            let idle: Vec<_> = sheet.orders.iter().filter(|order| order.out_of_force.is_some()).collect();
            assert!(idle.is_empty(), "{season} {seat}: {idle:#?}");
            assert!(!sheet.orders.is_empty(), "{season} {seat}");
            let (kept, other): (Vec<_>, Vec<_>) =
                sheet.complaints.iter().partition(|complaint| complaint.kind == ComplaintKind::NotAdjudicated);
            assert!(other.is_empty(), "{season} {seat}: {other:#?}");
            let orders = sheet.orders.iter().filter(|order| order.words.starts_with("Kept, a sea move: ")).count();
            assert_eq!(kept.len(), orders, "{season} {seat}: each order for the sea is said to be kept");
            for notice in kept {
                assert!(notice.message.contains("not adjudicated yet"), "{}", notice.message);
                assert!(notice.help.contains("does nothing with it"), "{}", notice.help);
            }
        }
    }
}

/// The sea waits: the passage of the Sound and its cover, the Danish fleet against it, the landing at Pernau. Nothing else.
#[test]
fn only_the_sea_is_kept_for_later() {
    let [spring, summer, fall] = played();
    assert_eq!(spring.kept(), BTreeMap::new());
    assert_eq!(summer.kept(), BTreeMap::from([("denmark_norway", 1), ("sweden", 3)]));
    assert_eq!(fall.kept(), BTreeMap::from([("sweden", 2)]));
    let said = |turn: &Turn, words: &str| turn.sheet("sweden").orders.iter().any(|order| order.words.contains(words));
    assert!(said(&summer, "by sea from Landskrona to Humlebæk"));
    assert!(said(&fall, "by sea from Karlskrona to Pernau"));
}

/// Dünamünde 1417, Riga 1517, Tönning 0119, Gottorp 0220, Koporie 1913, Narva 1813.
#[test]
fn what_history_did_on_land_happens() {
    let [spring, summer, fall] = played();
    assert_eq!(spring.sieges_laid(), BTreeSet::from([("1417", "saxony_poland"), ("0119", "denmark_norway")]));
    assert_eq!(summer.sieges_laid(), BTreeSet::from([("1517", "saxony_poland")]));
    let declared = |war: &Value| war["by"] == "russia" && war["on"] == "sweden";
    assert!(summer.of_kind("war_declared").any(declared));
    assert!(spring.falls("0220", "denmark_norway"), "the Danes come to Gottorp");
    assert!(summer.falls("0220", "sweden"), "Gyllenstierna drives them out of it");
    assert!(summer.falls("1417", "saxony_poland"), "Dünamünde falls to the King in Poland");
    assert!(summer.falls("1913", "russia"), "the Tsar crosses the border");
    assert_eq!(fall.sieges_laid(), BTreeSet::from([("1813", "russia")]));
    assert_eq!(fall.of_kind("peace_made").count(), 1, "Travendal");
}

fn demo(dir: &Path, more: &[&str]) -> String {
    let mut args = vec!["demo", "--campaign", CAMPAIGN, "--dir", dir.to_str().unwrap()];
    args.extend(more);
    let output = Command::new(env!("CARGO_BIN_EXE_umpire")).args(&args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// How many letters of this turn with these words went to each address.
fn letters(dir: &Path, turn: &str, words: &str) -> BTreeMap<String, usize> {
    let mut sent = BTreeMap::new();
    for (to, _) in crate::demo::letters(dir, turn, words) {
        *sent.entry(to).or_insert(0) += 1;
    }
    sent
}

fn each(count: usize) -> BTreeMap<String, usize> {
    players().into_values().map(|player| (player.address, count)).collect()
}

#[test]
fn the_demo_plays_its_spring() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("play");
    let shown = demo(&dir, &[]);
    assert!(!shown.contains("doubtful") && !shown.contains("out of force"), "{shown}");
    assert_eq!(letters(&dir, "Spring 1700", "your orders as I hold them"), each(1));
    assert_eq!(letters(&dir, "Spring 1700", "PRELIMINARY, issue 1"), each(1));
    assert!(dir.join("site/great-northern-war/1-spring-1700-1.html").is_file());
}

#[test]
fn the_demo_plays_three_seasons() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("play");
    let shown = demo(&dir, &["--play"]);
    assert!(!shown.contains("doubtful") && !shown.contains("out of force"), "{shown}");
    for season in ["Spring", "Summer", "Fall"] {
        let turn = format!("{season} 1700");
        assert_eq!(letters(&dir, &turn, "your orders as I hold them"), each(1), "{season}");
        assert_eq!(letters(&dir, &turn, "OFFICIAL, issue"), each(1), "{season}");
    }
}
