//! [`Game`] for every [`Rules`]: the one place where typed orders and events become JSON and back.

use super::board_picture::BoardPicture;
use super::cite::bracketed;
use super::dice::{Dice, Scope};
use super::game::{Expectation, Game, Inputs, JournalFault, JsonEvent, JsonInputs, Orders, Rules, SeatInfo};
use super::hex::HexId;
use super::ids::{LetterNo, SeatId, Viewer};
use super::journal::Numbering;
use super::report::{Audience, Report, Table};
use super::ruling::{Ruling, RulingKind};
use super::sheet::{Complaint, ComplaintKind, Held, OrderText, QuestionText, Sheet, SheetText, TextLine};
use super::working::{self, Adjudicated, EventId, Recorded};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// A ruling as the journal keeps it.
pub type JsonRuling = Ruling<Value, Value>;

/// A game of the system `R`.
pub struct Hosted<R: Rules> {
    state: R::State,
}

impl<R: Rules> Hosted<R> {
    /// A game that stands at `state`.
    pub fn new(state: R::State) -> Self {
        Self { state }
    }

    /// The state.
    pub fn state(&self) -> &R::State {
        &self.state
    }

    fn decode<T: DeserializeOwned>(what: &str, json: &Value) -> Result<T, JournalFault> {
        T::deserialize(json).map_err(|fault| JournalFault {
            what: what.to_owned(),
            system: R::SYSTEM,
            version: R::VERSION,
            why: fault.to_string(),
        })
    }

    fn encode<T: Serialize>(what: &str, value: &T) -> Result<Value, JournalFault> {
        serde_json::to_value(value).map_err(|fault| JournalFault {
            what: what.to_owned(),
            system: R::SYSTEM,
            version: R::VERSION,
            why: fault.to_string(),
        })
    }

    fn decode_events(events: &[JsonEvent]) -> Result<Vec<Recorded<R::Event>>, JournalFault> {
        events.iter().map(|json| Ok(with_event(json, Self::decode("an event", &json.event)?))).collect()
    }

    fn encode_events(events: &[Recorded<R::Event>]) -> Result<Vec<JsonEvent>, JournalFault> {
        events.iter().map(|e| Ok(with_event(e, Self::encode("an event", &e.event)?))).collect()
    }

    fn decode_ruling(ruling: &JsonRuling) -> Result<Ruling<R::Order, R::Event>, JournalFault> {
        let kind = match &ruling.kind {
            RulingKind::StrikeOrder { seat, letter, line, words } => {
                RulingKind::StrikeOrder { seat: seat.clone(), letter: *letter, line: *line, words: words.clone() }
            }
            RulingKind::AdmitOrder { seat, held } => RulingKind::AdmitOrder {
                seat: seat.clone(),
                held: Held {
                    order: Self::decode("an admitted order", &held.order)?,
                    source: held.source.clone(),
                    out_of_force: None,
                },
            },
            RulingKind::FixDie { key, die, face } => RulingKind::FixDie { key: key.clone(), die: *die, face: *face },
            RulingKind::Reroll { key } => RulingKind::Reroll { key: key.clone() },
            RulingKind::Impose { after, event, words } => RulingKind::Impose {
                after: after.clone(),
                event: Self::decode("an imposed event", event)?,
                words: words.clone(),
            },
            RulingKind::Withdraw { ruling } => RulingKind::Withdraw { ruling: *ruling },
        };
        Ok(Ruling { no: ruling.no, kind })
    }

    fn decode_inputs(inputs: &JsonInputs) -> Result<Inputs<R>, JournalFault> {
        let mut orders = Orders::new();
        for (seat, json) in &inputs.sheets {
            let sheet: Sheet<R::Order> = Self::decode(&format!("an order sheet of {seat}"), json)?;
            orders.insert(seat.clone(), sheet.orders.into_iter().filter(|held| held.out_of_force.is_none()).collect());
        }
        let rulings = inputs.rulings.iter().map(Self::decode_ruling).collect::<Result<_, _>>()?;
        Ok(Inputs { orders, rulings })
    }

    fn weighed(&self, seat: &SeatId, mut sheet: Sheet<R::Order>) -> Result<(Value, SheetText), JournalFault> {
        let view = R::view(&self.state, &Viewer::Seat(seat.clone()));
        for held in &mut sheet.orders {
            held.out_of_force = None;
        }
        let about_the_letter = sheet.complaints.clone();
        R::weigh(&view, seat, &mut sheet);
        let text = Self::in_words(&view, seat, &sheet);
        // What the whole sheet gives rise to holds for this state only: kept, it would be said again of the next.
        sheet.complaints = about_the_letter;
        Ok((Self::encode("an order sheet", &sheet)?, text))
    }

    fn in_words(view: &R::View, seat: &SeatId, sheet: &Sheet<R::Order>) -> SheetText {
        let orders = sheet.orders.iter().zip(1..).map(|(held, number)| {
            let (words, note) = R::canonical(view, seat, &held.order);
            let out_of_force = held.out_of_force.as_ref().map(|c| {
                let because = format!("{} {}", c.message, bracketed(&c.cites));
                because.trim_end().to_owned()
            });
            OrderText { number, words, note, out_of_force, source: held.source.clone() }
        });
        let questions = sheet.questions.iter().map(|q| QuestionText {
            number: q.number,
            source: q.source.clone(),
            message: q.message.clone(),
            cites: q.cites.clone(),
            readings: q.readings.iter().map(|orders| joined::<R>(view, seat, orders)).collect(),
        });
        SheetText {
            seat: seat.clone(),
            orders: orders.collect(),
            questions: questions.collect(),
            complaints: sheet.complaints.clone(),
            passed_over: sheet.passed_over.clone(),
            still_open: R::still_open(view, seat, sheet),
        }
    }
}

fn joined<R: Rules>(view: &R::View, seat: &SeatId, orders: &[R::Order]) -> String {
    let words: Vec<String> = orders.iter().map(|order| R::canonical(view, seat, order).0).collect();
    words.join("; ")
}

fn with_event<A, B>(recorded: &Recorded<A>, event: B) -> Recorded<B> {
    Recorded {
        id: recorded.id.clone(),
        event,
        cites: recorded.cites.clone(),
        source: recorded.source.clone(),
        rolls: recorded.rolls.clone(),
        because: recorded.because.clone(),
        ruling: recorded.ruling,
    }
}

impl<R: Rules> Game for Hosted<R> {
    fn system(&self) -> &'static str {
        R::SYSTEM
    }

    fn rules_version(&self) -> u32 {
        R::VERSION
    }

    fn seats(&self) -> Vec<SeatInfo> {
        R::seats(&self.state)
    }

    fn expects(&self) -> Expectation {
        R::expects(&self.state)
    }

    fn step_names(&self) -> Vec<(&'static str, &'static str)> {
        R::steps(&self.state).iter().map(|step| (step.name, step.title)).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        R::scopes(&self.state)
    }

    fn read(
        &self,
        seat: &SeatId,
        held: Option<&Value>,
        letter: LetterNo,
        lines: &[TextLine],
    ) -> Result<(Value, SheetText), JournalFault> {
        let mut sheet: Sheet<R::Order> = match held {
            Some(json) => Self::decode(&format!("an order sheet of {seat}"), json)?,
            None => Sheet::default(),
        };
        let view = R::view(&self.state, &Viewer::Seat(seat.clone()));
        sheet.take(letter, R::read(&view, seat, letter, lines), R::supersede);
        self.weighed(seat, sheet)
    }

    fn describe(&self, seat: &SeatId, sheet: &Value) -> Result<(Value, SheetText), JournalFault> {
        self.weighed(seat, Self::decode(&format!("an order sheet of {seat}"), sheet)?)
    }

    fn read_one(&self, seat: &SeatId, words: &str) -> Result<Value, Vec<Complaint>> {
        let view = R::view(&self.state, &Viewer::Seat(seat.clone()));
        let line = TextLine { number: 1, text: words.to_owned() };
        let reading = R::read(&view, seat, LetterNo(0), std::slice::from_ref(&line));
        let fault = |message: String| Complaint {
            kind: ComplaintKind::NotUnderstood,
            span: None,
            line_text: words.to_owned(),
            message,
            help: "Write it as one order that can be read in one way.".to_owned(),
            cites: Vec::new(),
        };
        match (reading.orders.as_slice(), reading.questions.as_slice()) {
            ([held], []) if reading.complaints.iter().all(|c| c.kind == ComplaintKind::Advice) => {
                Self::encode("an order", &held.order).map_err(|e| vec![fault(e.to_string())])
            }
            (_, [question, ..]) => Err(vec![fault(question.message.clone())]),
            _ if reading.complaints.is_empty() => {
                Err(vec![fault(format!("{} orders were read where one was expected.", reading.orders.len()))])
            }
            _ => Err(reading.complaints),
        }
    }

    fn imposed(&self, words: &str) -> Result<(String, Value), Complaint> {
        let (step, event) = R::imposed(&self.state, words)?;
        let json = Self::encode("an event", &event).map_err(|fault| Complaint {
            kind: ComplaintKind::NotUnderstood,
            span: None,
            line_text: words.to_owned(),
            message: fault.to_string(),
            help: String::new(),
            cites: Vec::new(),
        })?;
        Ok((step.to_owned(), json))
    }

    fn opening(&self, dice: Dice) -> Result<Vec<JsonEvent>, JournalFault> {
        let mut state = self.state.clone();
        let mut working = working::Working::<R>::new(&mut state);
        R::opening(&mut working, &dice);
        Self::encode_events(working.events())
    }

    fn adjudicate(&self, inputs: &JsonInputs, mut dice: Dice) -> Result<Adjudicated<Value>, JournalFault> {
        let inputs = Self::decode_inputs(inputs)?;
        let mut state = self.state.clone();
        let done = working::adjudicate::<R>(&mut state, &inputs, &mut dice);
        Ok(Adjudicated { events: Self::encode_events(&done.events)?, asks: done.asks })
    }

    fn fold(&mut self, events: &[JsonEvent]) -> Result<(), JournalFault> {
        for recorded in Self::decode_events(events)? {
            R::apply(&mut self.state, &recorded.event);
        }
        Ok(())
    }

    fn audiences(&self, events: &[JsonEvent]) -> Result<Vec<(EventId, Audience)>, JournalFault> {
        let typed = Self::decode_events(events)?;
        let audiences = R::audiences(&self.state, &typed);
        // An event without an audience is a fault of the rules; the safe side of it is to tell nobody.
        let told = audiences.into_iter().chain(std::iter::repeat(Audience::UmpireOnly));
        Ok(typed.into_iter().map(|e| e.id).zip(told).collect())
    }

    fn tell(&self, events: &[JsonEvent], viewer: &Viewer, numbers: &Numbering) -> Result<Report, JournalFault> {
        let mut report = R::tell(&self.state, &Self::decode_events(events)?, viewer);
        report.entries.retain_mut(|entry| match numbers.of(&entry.id) {
            Some(no) if numbers.told_to(&entry.id, viewer) => {
                entry.no = no;
                true
            }
            _ => false,
        });
        Ok(report)
    }

    fn revealed_to(&self, events: &[JsonEvent], viewer: &Viewer) -> Result<Vec<Scope>, JournalFault> {
        Ok(R::revealed_to(&self.state, &Self::decode_events(events)?, viewer))
    }

    fn standing(&self, viewer: &Viewer) -> Vec<Table> {
        R::standing(&self.state, viewer)
    }

    fn board(&self, viewer: &Viewer) -> Option<BoardPicture> {
        R::board(&self.state, viewer)
    }

    fn places(&self) -> Vec<(String, HexId)> {
        R::places(&self.state)
    }

    fn at_hand(&self, seat: &SeatId) -> Vec<Table> {
        R::at_hand(&self.state, seat)
    }

    fn duplicate(&self) -> Box<dyn Game> {
        Box::new(Self { state: self.state.clone() })
    }
}
