//! Runs a case: orders through the real reader, the turn through the real steps, with the dice that the case names.

use super::Case;
use super::expect;
use super::position::{self, Position};
use std::collections::BTreeMap;
use std::fmt::Write;
use umpire::engine::sheet::{ComplaintKind, Sheet};
use umpire::engine::working::{self, Adjudicated};
use umpire::engine::{
    Dice, DieKey, Inputs, LetterNo, Orders, Recorded, Roll, Rules, Secret, TextLine, TurnSecret, Viewer,
};
use umpire::rules::season::Season;
use umpire::rules::season::event::Event;
use umpire::rules::season::order::Order;
use umpire::rules::season::state::State;

/// What came of a case.
pub struct Report {
    /// Where it does not agree with what is expected; empty = it does.
    pub differs: Vec<String>,
    events: Vec<Recorded<Event>>,
    /// What the reader had to say, advice too.
    said: Vec<String>,
    letters: BTreeMap<char, String>,
    units: Vec<String>,
}

/// Runs a case.
pub fn run(case: &Case) -> Report {
    let position = position::set_up(&case.position);
    let mut differs = Vec::new();
    let mut said = Vec::new();
    let orders = read(case, &position, &mut differs, &mut said);
    let done = adjudicate(case, &position, orders, &mut differs);
    let mut state = position.state.clone();
    for recorded in done.events.iter().filter(|e| reached(case, e.id.step.as_str())) {
        Season::apply(&mut state, &recorded.event);
    }
    let seen = expect::Seen { before: &position.state, after: &state, events: &done.events, hexes: &position.hexes };
    differs.extend(case.expect.iter().filter_map(|line| seen.check(line).err()));
    let units = position.state.units.values().map(|u| format!("u{} {}", u.id, u.short)).collect();
    let letters = position.hexes.iter().map(|(letter, hex)| (*letter, hex.to_string())).collect();
    Report { differs, events: done.events, said, letters, units }
}

fn reached(case: &Case, step: &str) -> bool {
    let Some(until) = &case.until else { return true };
    let names: Vec<&str> = umpire::rules::season::STEPS.iter().map(|step| step.name).collect();
    let place = |name: &str| names.iter().position(|n| *n == name).unwrap_or_else(|| panic!("no step {name}"));
    place(step) <= place(until)
}

/// Hex letters in a letter become hex numbers: players do not call places by one letter, and "a" is a word.
fn with_numbers(words: &str, position: &Position) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for c in words.chars().chain(['\n']) {
        if c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        let known = position::letter(&word).and_then(|letter| position.hexes.get(&letter));
        text.push_str(&known.map_or_else(|| word.clone(), ToString::to_string));
        word.clear();
        text.push(c);
    }
    text.trim_end().to_owned()
}

/// Every seat's letter as the desk reads it: into the sheet, weighed, what is out of force left out.
fn read(case: &Case, position: &Position, differs: &mut Vec<String>, told: &mut Vec<String>) -> Orders<Order> {
    let mut orders = Orders::new();
    let mut said = Vec::new();
    for (number, (name, words)) in (1..).zip(&case.orders) {
        let seat = position::seat(name).unwrap_or_else(|| panic!("{name} is no seat"));
        let text = with_numbers(words, position);
        let lines: Vec<TextLine> =
            (1..).zip(text.lines()).map(|(number, line)| TextLine { number, text: line.to_owned() }).collect();
        let view = Season::view(&position.state, &Viewer::Seat(seat.clone()));
        let mut sheet: Sheet<Order> = Sheet::default();
        sheet.take(LetterNo(number), Season::read(&view, &seat, LetterNo(number), &lines), Season::supersede);
        Season::weigh(&view, &seat, &mut sheet);
        for question in &sheet.questions {
            differs.push(format!("{seat}: the reader asks about \"{}\": {}", question.source.words, question.message));
        }
        for line in sheet.passed_over.iter().filter(|line| !line.text.trim().is_empty()) {
            differs.push(format!("{seat}: the reader passed over \"{}\"", line.text));
        }
        let out = sheet.orders.iter().filter_map(|held| held.out_of_force.as_ref());
        for complaint in sheet.complaints.iter().chain(out) {
            let words = format!("{seat}: {} | {} | {}", complaint.line_text, complaint.message, complaint.help);
            told.push(format!("{:?} {words}", complaint.kind));
            if complaint.kind != ComplaintKind::Advice {
                said.push(words);
            }
        }
        let in_force = sheet.orders.into_iter().filter(|held| held.out_of_force.is_none());
        orders.insert(seat, in_force.collect());
    }
    for complaint in said.iter().filter(|text| !case.complaints.iter().any(|part| text.contains(part))) {
        differs.push(format!("the reader complains to {complaint}"));
    }
    for part in case.complaints.iter().filter(|part| !told.iter().any(|text| text.contains(*part))) {
        differs.push(format!("the reader does not complain of \"{part}\""));
    }
    orders
}

/// A line of `dice`.
struct Throw {
    line: String,
    what: String,
    /// Parts of the key's subject that must all be there.
    about: Vec<String>,
    round: Option<u32>,
    /// Which of several battles in one hex.
    battle: Option<u32>,
    faces: Vec<u8>,
}

impl Throw {
    fn parse(line: &str, position: &Position) -> Self {
        let (left, right) = line.split_once('=').unwrap_or_else(|| panic!("\"{line}\" has no ="));
        let mut words: Vec<&str> = left.split_whitespace().collect();
        let what = words.remove(0).to_owned();
        let mut counted = |letter: char| {
            let number = |word: &&str| word.strip_prefix(letter).and_then(|n| n.parse::<u32>().ok());
            let found = words.iter().find_map(number);
            words.retain(|word| number(word).is_none());
            found
        };
        let (round, battle) = (counted('r'), counted('b'));
        let mut about = Vec::new();
        let name = words.join(" ");
        if let Some(unit) = position.state.units.values().find(|u| *u.short == *name || *u.name == *name) {
            about.push(format!("u{}", unit.id));
        } else {
            for word in words.iter().flat_map(|word| word.split('-')) {
                let hex = position::letter(word).and_then(|letter| position.hexes.get(&letter));
                let unit = position.state.units.values().find(|u| &*u.short == word);
                about.push(match (hex, unit) {
                    (Some(hex), _) => hex.to_string(),
                    (None, Some(unit)) => format!("u{}", unit.id),
                    (None, None) => (*word).to_owned(),
                });
            }
        }
        let faces = right.split_whitespace().map(|face| face.parse().expect("faces are numbers")).collect();
        Self { line: line.to_owned(), what, about, round, battle, faces }
    }

    fn is_for(&self, key: &DieKey) -> bool {
        let parts: Vec<&str> = key.subject.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let told = |part: &&&str| part.strip_prefix('r').is_some_and(|n| n.parse::<u32>().is_ok());
        let round = |n: u32| match parts.iter().find(told) {
            Some(part) => **part == format!("r{n}"),
            None => key.ordinal == n,
        };
        self.what == key.what
            && self.about.iter().all(|part| parts.contains(&part.as_str()))
            && self.round.is_none_or(round)
            && self.battle.is_none_or(|n| key.ordinal == n)
    }
}

/// The turn with the case's dice. Which dice are thrown depends on those thrown before: they are set one after another, each
/// time from the beginning.
fn adjudicate(
    case: &Case,
    position: &Position,
    orders: Orders<Order>,
    differs: &mut Vec<String>,
) -> Adjudicated<Event> {
    let throws: Vec<Throw> = case.dice.iter().map(|line| Throw::parse(line, position)).collect();
    let seat = |name: &String| position::seat(name).unwrap_or_else(|| panic!("{name} is no seat"));
    let vacant = case.vacant.iter().map(seat).collect();
    let inputs: Inputs<Season> = Inputs { orders, rulings: Vec::new(), vacant };
    let mut set: BTreeMap<DieKey, Vec<u8>> = BTreeMap::new();
    for _ in 0..500 {
        let done = once(&position.state, &inputs, &set);
        let looked_at = done.events.iter().filter(|e| reached(case, e.id.step.as_str()));
        let rolls: Vec<&Roll> = looked_at.flat_map(|e| &e.rolls).collect();
        let unset = rolls.iter().find(|roll| !set.contains_key(&roll.key));
        let Some(roll) = unset else {
            judge(&throws, &rolls, differs);
            return done;
        };
        let named = throws.iter().find(|throw| throw.is_for(&roll.key)).map(|throw| throw.faces.clone());
        let faces = named.or_else(|| case.rest.map(|face| vec![face; roll.faces.len()]));
        if faces.is_none() {
            differs.push(format!("{} = {:?} was thrown and the case does not say what it shows", roll.key, roll.faces));
        }
        set.insert(roll.key.clone(), faces.unwrap_or_default());
    }
    panic!("{}: the dice never come to rest", case.name);
}

fn once(before: &State, inputs: &Inputs<Season>, set: &BTreeMap<DieKey, Vec<u8>>) -> Adjudicated<Event> {
    let mut dice = Dice::new(before.turn, TurnSecret::of(&Secret::from_bytes([1; 32]), before.turn));
    for (key, faces) in set {
        for (place, face) in faces.iter().enumerate() {
            dice.set(key.clone(), place, *face);
        }
    }
    working::adjudicate::<Season>(&mut before.clone(), inputs, &mut dice)
}

/// Every throw that the case names was made, with as many dice as it names.
fn judge(throws: &[Throw], rolls: &[&Roll], differs: &mut Vec<String>) {
    for throw in throws {
        match rolls.iter().find(|roll| throw.is_for(&roll.key)) {
            None => differs.push(format!("nobody threw \"{}\"", throw.line)),
            Some(roll) if roll.faces.len() != throw.faces.len() => {
                differs.push(format!("\"{}\": {} dice were thrown ({})", throw.line, roll.faces.len(), roll.key));
            }
            Some(_) => {}
        }
    }
}

/// The case, its events and what differed.
pub fn print(case: &Case, report: &Report) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "\n=== {} {:?}\n{}\n{}", case.name, case.rule, case.why, case.position.trim());
    for (seat, orders) in &case.orders {
        let _ = writeln!(text, "{seat}: {}", orders.trim().replace('\n', "\n    "));
    }
    let _ = writeln!(text, "dice {:?}\nhexes {:?}\nunits {}", case.dice, report.letters, report.units.join(", "));
    for words in &report.said {
        let _ = writeln!(text, "  said {words}");
    }
    for recorded in &report.events {
        let rolls: Vec<String> = recorded.rolls.iter().map(|r| format!("{} = {:?}", r.key, r.faces)).collect();
        let json = serde_json::to_string(&recorded.event).unwrap();
        let _ = writeln!(text, "  {} {json} {}", recorded.id, rolls.join("; "));
    }
    for line in &report.differs {
        let _ = writeln!(text, "  DIFFERS: {line}");
    }
    text
}
