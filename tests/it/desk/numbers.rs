//! A rule system of the tests' own, so that the desk is seen not to know which game it serves. Two seats; each round each names
//! a number and throws a die in the open, and one in secret; who dares makes the other answer before the round ends.

use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use umpire::engine::report::{Entry, Report, Table};
use umpire::engine::sheet::Question;
use umpire::engine::{
    Audience, Cause, Cite, Complaint, ComplaintKind, DataFault, Dice, EventNo, Expectation, Flow, Game, Held, Hosted,
    LetterNo, Orders, Reading, Recorded, Rules, Scope, SeatId, SeatInfo, Sheet, Source, Step, Superseded, TextLine,
    TurnNo, Viewer, Working,
};

pub struct Numbers;

#[derive(Clone, Debug)]
pub struct State {
    turn: u32,
    rounds: u32,
    totals: BTreeMap<SeatId, i64>,
    asked: Option<SeatId>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Order {
    Number(u8),
    Spend(i64),
    Dare,
    Answer(bool),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Event {
    Rolled { seat: SeatId, number: u8, face: u8 },
    Whispered { seat: SeatId, face: u8 },
    Gained { seat: SeatId, amount: i64 },
    Asked { seat: SeatId },
    Answered { seat: SeatId, yes: bool },
    Ended,
}

const CITE: Cite = Cite::of("Numbers 1");

fn seats() -> [SeatId; 2] {
    ["north", "south"].map(SeatId::new)
}

fn other(seat: &SeatId) -> SeatId {
    seats().into_iter().find(|s| s != seat).unwrap()
}

fn in_order(orders: &Orders<Order>) -> impl Iterator<Item = (&SeatId, &Held<Order>)> {
    orders.iter().flat_map(|(seat, held)| held.iter().map(move |h| (seat, h)))
}

fn roll(working: &mut Working<'_, Numbers>, orders: &Orders<Order>, dice: &Dice) -> Flow {
    for (seat, held) in in_order(orders) {
        if let Order::Number(number) = held.order {
            let thrown = dice.roll(Scope::Public, working.step(), "throw", seat.as_str(), 1, 1);
            let event = Event::Rolled { seat: seat.clone(), number, face: thrown.faces[0] };
            working
                .emit(Cause::new(format!("throw {seat}"), &[CITE]).ordered(seat, &held.source).rolled(thrown), event);
        }
    }
    Flow::Done
}

fn spend(working: &mut Working<'_, Numbers>, orders: &Orders<Order>, _: &Dice) -> Flow {
    for (seat, held) in in_order(orders) {
        if let Order::Spend(amount) = held.order {
            let event = Event::Gained { seat: seat.clone(), amount: -amount };
            working.emit(Cause::new(format!("spend {seat}"), &[CITE]).ordered(seat, &held.source), event);
        }
    }
    Flow::Done
}

fn whisper(working: &mut Working<'_, Numbers>, _: &Orders<Order>, dice: &Dice) -> Flow {
    for seat in seats() {
        let thrown = dice.roll(Scope::Seat(seat.clone()), working.step(), "whisper", seat.as_str(), 1, 3);
        let event = Event::Whispered { seat: seat.clone(), face: thrown.faces[0] };
        working.emit(Cause::new(format!("whisper {seat}"), &[CITE]).rolled(thrown), event);
    }
    Flow::Done
}

fn dare(working: &mut Working<'_, Numbers>, orders: &Orders<Order>, _: &Dice) -> Flow {
    let Some((seat, held)) = in_order(orders).find(|(_, held)| held.order == Order::Dare) else { return Flow::Done };
    let asked = other(seat);
    working.emit(Cause::new("dare", &[CITE]).ordered(seat, &held.source), Event::Asked { seat: asked.clone() });
    Flow::Ask(asked, "Do you take the dare?".to_owned())
}

fn answer(working: &mut Working<'_, Numbers>, orders: &Orders<Order>, _: &Dice) -> Flow {
    let Some(asked) = working.state().asked.clone() else { return Flow::Done };
    let yes = in_order(orders).any(|(seat, held)| *seat == asked && held.order == Order::Answer(true));
    working.emit(Cause::new("answer", &[CITE]), Event::Answered { seat: asked, yes });
    Flow::Done
}

fn end(working: &mut Working<'_, Numbers>, _: &Orders<Order>, _: &Dice) -> Flow {
    working.emit(Cause::new("end", &[CITE]), Event::Ended);
    Flow::Done
}

const ROUND: [Step<Numbers>; 5] = [
    Step { name: "throw", title: "Everybody throws", run: roll },
    Step { name: "spend", title: "Everybody spends", run: spend },
    Step { name: "whisper", title: "In secret", run: whisper },
    Step { name: "dare", title: "Who dares", run: dare },
    Step { name: "end", title: "The end", run: end },
];
const ANSWER: [Step<Numbers>; 2] =
    [Step { name: "answer", title: "The answer", run: answer }, Step { name: "end", title: "The end", run: end }];

fn complaint(line: &TextLine, message: &str) -> Complaint {
    Complaint {
        kind: ComplaintKind::NotUnderstood,
        span: None,
        line_text: line.text.clone(),
        message: message.to_owned(),
        help: "Write number 5, spend 3, dare, yes or no.".to_owned(),
        cites: vec![CITE],
    }
}

impl Rules for Numbers {
    const SYSTEM: &'static str = "numbers";
    const VERSION: u32 = 1;
    type State = State;
    type Order = Order;
    type Event = Event;
    type View = BTreeMap<SeatId, i64>;

    fn apply(state: &mut State, event: &Event) {
        let mut add = |seat: &SeatId, amount: i64| *state.totals.entry(seat.clone()).or_default() += amount;
        match event {
            Event::Rolled { seat, number, face } => add(seat, i64::from(*number) + i64::from(*face)),
            Event::Gained { seat, amount } => add(seat, *amount),
            Event::Answered { seat, yes } => {
                add(seat, if *yes { 1 } else { -1 });
                state.asked = None;
            }
            Event::Whispered { .. } => {}
            Event::Asked { seat } => {
                state.asked = Some(seat.clone());
                state.turn += 1;
            }
            Event::Ended => state.turn += 1,
        }
    }

    fn seats(_: &State) -> Vec<SeatInfo> {
        [("north", "North"), ("south", "South")]
            .map(|(id, name)| SeatInfo { id: SeatId::new(id), name: name.to_owned() })
            .into()
    }

    fn expects(state: &State) -> Expectation {
        let (phase, owing) = match &state.asked {
            Some(seat) => (format!("Answer {}", state.turn), vec![seat.clone()]),
            None => (format!("Round {}", state.turn), seats().into()),
        };
        Expectation {
            turn: TurnNo(state.turn),
            phase,
            owing,
            without_orders: "You throw nothing.".to_owned(),
            over: state.turn > state.rounds,
        }
    }

    fn view(state: &State, viewer: &Viewer) -> Self::View {
        state.totals.iter().filter(|(seat, _)| viewer.may_see_secrets_of(seat)).map(|(s, n)| (s.clone(), *n)).collect()
    }

    fn read(_: &Self::View, _: &SeatId, letter: LetterNo, lines: &[TextLine]) -> Reading<Order> {
        let mut reading = Reading::default();
        for line in lines {
            let source = Source { letter, line: line.number, column: 0, words: line.text.clone() };
            let held = |order| Held { order, source: source.clone(), out_of_force: None };
            let words: Vec<String> = line.text.split_whitespace().map(str::to_lowercase).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words.as_slice() {
                ["number", n] => match n.parse() {
                    Ok(n @ 1..=9) => reading.orders.push(held(Order::Number(n))),
                    _ => reading.complaints.push(complaint(line, "A number is 1 to 9.")),
                },
                ["number", a, "or", b] => reading.questions.push(Question {
                    number: 0,
                    source,
                    message: "Which of the two?".to_owned(),
                    cites: vec![CITE],
                    readings: vec![vec![Order::Number(a.parse().unwrap())], vec![Order::Number(b.parse().unwrap())]],
                }),
                [answer] if answer.len() == 2 && answer.starts_with(|c: char| c.is_ascii_digit()) => {
                    let (number, label) = answer.split_at(1);
                    reading.answers.push((number.parse().unwrap(), label.chars().next().unwrap(), source));
                }
                ["spend", n] if n.parse::<i64>().is_ok() => reading.orders.push(held(Order::Spend(n.parse().unwrap()))),
                ["dare"] => reading.orders.push(held(Order::Dare)),
                ["yes"] => reading.orders.push(held(Order::Answer(true))),
                ["no"] => reading.orders.push(held(Order::Answer(false))),
                [] => {}
                ["number" | "spend", ..] => reading.complaints.push(complaint(line, "I do not understand this.")),
                _ => reading.passed_over.push(line.clone()),
            }
        }
        reading
    }

    fn supersede(older: &Order, newer: &Order) -> Superseded<Order> {
        if std::mem::discriminant(older) == std::mem::discriminant(newer) {
            Superseded::Replaced
        } else {
            Superseded::Stands
        }
    }

    fn weigh(view: &Self::View, seat: &SeatId, sheet: &mut Sheet<Order>) {
        let bank = view.get(seat).copied().unwrap_or(0);
        for held in &mut sheet.orders {
            if let Order::Spend(amount) = held.order
                && amount > bank
            {
                let line = TextLine { number: held.source.line, text: held.source.words.clone() };
                held.out_of_force = Some(complaint(&line, &format!("You have {bank}, not {amount}.")));
            }
        }
    }

    fn canonical(_: &Self::View, _: &SeatId, order: &Order) -> (String, String) {
        let words = match order {
            Order::Number(n) => format!("number {n}"),
            Order::Spend(n) => format!("spend {n}"),
            Order::Dare => "dare".to_owned(),
            Order::Answer(true) => "yes".to_owned(),
            Order::Answer(false) => "no".to_owned(),
        };
        (words, String::new())
    }

    fn still_open(_: &Self::View, _: &SeatId, sheet: &Sheet<Order>) -> Vec<String> {
        let named = sheet.orders.iter().any(|held| matches!(held.order, Order::Number(_)));
        if named { Vec::new() } else { vec!["You have named no number.".to_owned()] }
    }

    fn steps(state: &State) -> &'static [Step<Self>] {
        if state.asked.is_some() { &ANSWER } else { &ROUND }
    }

    fn scopes(_: &State) -> Vec<Scope> {
        std::iter::once(Scope::Public).chain(seats().map(Scope::Seat)).collect()
    }

    fn revealed_to(_: &State, _: &[Recorded<Event>], viewer: &Viewer) -> Vec<Scope> {
        let own = seats().into_iter().filter(|seat| viewer.may_see_secrets_of(seat)).map(Scope::Seat);
        std::iter::once(Scope::Public).chain(own).collect()
    }

    fn audiences(_: &State, events: &[Recorded<Event>]) -> Vec<Audience> {
        let audience = |recorded: &Recorded<Event>| match &recorded.event {
            Event::Whispered { seat, .. } => Audience::Seat(seat.clone()),
            _ => Audience::Everyone,
        };
        events.iter().map(audience).collect()
    }

    fn tell(before: &State, events: &[Recorded<Event>], viewer: &Viewer) -> Report {
        let mut after = before.clone();
        let mut entries = Vec::new();
        for recorded in events {
            Self::apply(&mut after, &recorded.event);
            let facts = match &recorded.event {
                Event::Rolled { seat, number, face } => json!({ "seat": seat, "number": number, "face": face }),
                Event::Whispered { seat, face } if viewer.may_see_secrets_of(seat) => {
                    json!({ "seat": seat, "face": face })
                }
                Event::Whispered { .. } => continue,
                Event::Gained { seat, amount } => json!({ "seat": seat, "amount": amount }),
                Event::Asked { seat } => json!({ "seat": seat }),
                Event::Answered { seat, yes } => json!({ "seat": seat, "yes": yes }),
                Event::Ended => json!({}),
            };
            let mine = |(seat, source): &(SeatId, Source)| viewer.may_see_secrets_of(seat).then(|| source.clone());
            entries.push(Entry {
                id: recorded.id.clone(),
                no: EventNo::Public(0),
                kind: format!("{:?}", recorded.event).split([' ', '{']).next().unwrap().to_lowercase(),
                facts: facts.as_object().cloned().unwrap_or_default(),
                step: recorded.id.step.clone(),
                heading: "The round".to_owned(),
                hex: None,
                cites: recorded.cites.clone(),
                source: recorded.source.as_ref().and_then(mine),
                rolls: recorded.rolls.clone(),
                ruling: recorded.ruling,
            });
        }
        Report { entries, tables: Self::standing(&after, viewer), board: None }
    }

    fn standing(state: &State, viewer: &Viewer) -> Vec<Table> {
        let rows = Self::view(state, viewer).iter().map(|(seat, n)| vec![seat.to_string(), n.to_string()]).collect();
        vec![Table { title: "Totals".to_owned(), columns: vec!["Seat".to_owned(), "Total".to_owned()], rows }]
    }

    fn imposed(_: &State, words: &str) -> Result<(&'static str, Event), Complaint> {
        let parts: Vec<&str> = words.split_whitespace().collect();
        match parts.as_slice() {
            ["gain", seat, amount] if amount.parse::<i64>().is_ok() => {
                Ok(("whisper", Event::Gained { seat: SeatId::new(seat), amount: amount.parse().unwrap() }))
            }
            _ => {
                let line = TextLine { number: 1, text: words.to_owned() };
                Err(Complaint { help: "gain SEAT AMOUNT".to_owned(), ..complaint(&line, "I do not understand this.") })
            }
        }
    }
}

/// The registry with this one system in it.
pub fn start(system: &str, files: &BTreeMap<String, String>) -> Result<Box<dyn Game>, Vec<DataFault>> {
    if system != Numbers::SYSTEM {
        return Err(vec![DataFault::new(
            "campaign.toml",
            2,
            format!("there is no rule system \"{system}\""),
            "numbers",
        )]);
    }
    let rounds = files["campaign.toml"].lines().find_map(|line| line.strip_prefix("rounds = ")?.parse().ok());
    let state =
        State { turn: 1, rounds: rounds.unwrap_or(9), totals: seats().map(|seat| (seat, 0)).into(), asked: None };
    Ok(Box::new(Hosted::<Numbers>::new(state)))
}
