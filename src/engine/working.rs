//! A turn while it is being worked out: the state, and the events that brought it there.

use super::cite::Cite;
use super::dice::{Dice, Roll};
use super::game::{Flow, Inputs, Rules};
use super::ids::{RulingNo, SeatId, Source, StepName};
use super::ruling::{self, RulingKind};
use super::sheet::Held;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// An event's identity is its cause, not its place in the list: the step, whom it happens to, and which of several such
/// events it is. A corrected issue finds the event again by it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct EventId {
    /// The step of the sequence of play.
    pub step: StepName,
    /// What and to whom, by numbers: `volley u17@0910 r2`.
    pub subject: String,
    /// Which event with the same step and subject, from 1.
    pub ordinal: u32,
}

impl EventId {
    /// What stands for an event's identity where it was not written out.
    pub fn untold() -> Self {
        Self { step: StepName::new(""), subject: String::new(), ordinal: 0 }
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.step, self.subject, self.ordinal)
    }
}

/// An event with its causes, as the journal keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recorded<E> {
    /// Identity.
    pub id: EventId,
    /// What happened.
    pub event: E,
    /// By which rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cites: Vec<Cite>,
    /// Whose order, and where it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<(SeatId, Source)>,
    /// By which dice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rolls: Vec<Roll>,
    /// By which earlier events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub because: Vec<EventId>,
    /// By which ruling of the umpire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruling: Option<RulingNo>,
}

/// The reasons for an event, put together before it is emitted.
#[derive(Clone, Debug, Default)]
pub struct Cause {
    subject: String,
    cites: Vec<Cite>,
    source: Option<(SeatId, Source)>,
    rolls: Vec<Roll>,
    because: Vec<EventId>,
    ruling: Option<RulingNo>,
}

impl Cause {
    /// An event by these rules. `subject` says what and to whom, by numbers; with the step it identifies the event.
    pub fn new(subject: impl Into<String>, cites: &[Cite]) -> Self {
        Self { subject: subject.into(), cites: cites.to_vec(), ..Self::default() }
    }

    /// The order that caused it.
    pub fn ordered(mut self, seat: &SeatId, source: &Source) -> Self {
        self.source = Some((seat.clone(), source.clone()));
        self
    }

    /// The order that caused it, if there was one.
    pub fn ordered_by(mut self, order: Option<(&SeatId, &Source)>) -> Self {
        self.source = order.map(|(seat, source)| (seat.clone(), source.clone()));
        self
    }

    /// The dice that decided it.
    pub fn rolled(mut self, roll: Roll) -> Self {
        self.rolls.push(roll);
        self
    }

    /// The event that led to it.
    pub fn because(mut self, event: EventId) -> Self {
        self.because.push(event);
        self
    }
}

/// The state under the hands of the steps. Each event is applied the moment it is emitted.
pub struct Working<'t, R: Rules> {
    state: &'t mut R::State,
    step: StepName,
    events: Vec<Recorded<R::Event>>,
    ordinals: BTreeMap<(StepName, String), u32>,
}

impl<'t, R: Rules> Working<'t, R> {
    /// Begins to work on `state`.
    pub fn new(state: &'t mut R::State) -> Self {
        Self { state, step: StepName::new("start"), events: Vec::new(), ordinals: BTreeMap::new() }
    }

    /// The state as it is now. Only events change it.
    pub fn state(&self) -> &R::State {
        self.state
    }

    /// The step being run.
    pub fn step(&self) -> &StepName {
        &self.step
    }

    /// The events so far.
    pub fn events(&self) -> &[Recorded<R::Event>] {
        &self.events
    }

    /// Records an event and applies it at once.
    pub fn emit(&mut self, cause: Cause, event: R::Event) -> EventId {
        let ordinal = self.ordinals.entry((self.step.clone(), cause.subject.clone())).or_insert(0);
        *ordinal += 1;
        let id = EventId { step: self.step.clone(), subject: cause.subject, ordinal: *ordinal };
        R::apply(self.state, &event);
        self.events.push(Recorded {
            id: id.clone(),
            event,
            cites: cause.cites,
            source: cause.source,
            rolls: cause.rolls,
            because: cause.because,
            ruling: cause.ruling,
        });
        id
    }
}

/// What came of running a turn's steps.
#[derive(Clone, PartialEq, Debug)]
pub struct Adjudicated<E> {
    /// All events of the turn, in order.
    pub events: Vec<Recorded<E>>,
    /// Set if a step stopped with a question to a seat: the step that asked, and the question.
    pub asks: Option<(StepName, SeatId, String)>,
}

/// Works a turn out: the steps in order, imposed events after the step they name, rulings on orders and dice before all.
/// After a question the system's [`Rules::steps`] are those that are left.
pub fn adjudicate<R: Rules>(state: &mut R::State, inputs: &Inputs<R>, dice: &mut Dice) -> Adjudicated<R::Event> {
    let mut sheets = ruled_sheets::<R>(inputs);
    R::prepare(state, &inputs.vacant, &mut sheets);
    for seat in &inputs.vacant {
        sheets.remove(seat);
    }
    for ruling in ruling::in_force(&inputs.rulings) {
        match &ruling.kind {
            RulingKind::FixDie { key, die, face } => dice.set(key.clone(), *die, *face),
            RulingKind::Reroll { key } => dice.reroll(key.clone(), ruling.no),
            _ => {}
        }
    }
    let mut working = Working::<R>::new(state);
    for step in R::steps(working.state()) {
        working.step = StepName::new(step.name);
        if let Flow::Ask(seat, question) = (step.run)(&mut working, &sheets, dice) {
            return Adjudicated { asks: Some((working.step.clone(), seat, question)), events: working.events };
        }
        impose(&mut working, inputs);
    }
    Adjudicated { events: working.events, asks: None }
}

fn impose<R: Rules>(working: &mut Working<'_, R>, inputs: &Inputs<R>) {
    for ruling in ruling::in_force(&inputs.rulings) {
        if let RulingKind::Impose { after, event, .. } = &ruling.kind
            && *after == working.step
        {
            let cause = Cause { subject: format!("ruling {}", ruling.no), ruling: Some(ruling.no), ..Cause::default() };
            working.emit(cause, event.clone());
        }
    }
}

fn ruled_sheets<R: Rules>(inputs: &Inputs<R>) -> BTreeMap<SeatId, Vec<Held<R::Order>>> {
    let mut sheets = inputs.orders.clone();
    for ruling in ruling::in_force(&inputs.rulings) {
        match &ruling.kind {
            RulingKind::StrikeOrder { seat, letter, line, words } => {
                if let Some(orders) = sheets.get_mut(seat) {
                    orders.retain(|held| {
                        let same_line = held.source.letter == *letter && held.source.line == *line;
                        !(same_line && (words.is_empty() || held.source.words == *words))
                    });
                }
            }
            RulingKind::AdmitOrder { seat, held } => sheets.entry(seat.clone()).or_default().push(held.clone()),
            _ => {}
        }
    }
    sheets
}
