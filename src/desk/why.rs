//! Why something happened: the chain of causes behind an event, back to letters, dice, rules and rulings; and what became of an
//! order. For the umpire alone: a cause may be hidden from everybody else.

use super::room::Room;
use super::ruling::event_of;
use super::table::{Table, rules_of};
use super::{Desk, DeskError};
use crate::engine::{
    Cite, Entry, EventId, EventNo, GameId, JsonEvent, Roll, RulingNo, SeatId, Source, Turn, TurnNo, Viewer,
};
use crate::results::entry::sentence;
use jiff::Timestamp;

/// An event with all that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reason {
    /// Its number, if reports give it one.
    pub no: Option<EventNo>,
    /// What happened, a sentence.
    pub sentence: String,
    /// By which rules.
    pub cites: Vec<Cite>,
    /// By whose order.
    pub order: Option<Ordered>,
    /// By which dice, with key and faces.
    pub rolls: Vec<Roll>,
    /// By which ruling, and the reason given for it.
    pub ruling: Option<(RulingNo, String)>,
    /// By which earlier events, each with its own reasons.
    pub because: Vec<Reason>,
}

/// An order as the cause of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ordered {
    /// Whose.
    pub seat: String,
    /// Letter, line, words as typed.
    pub source: Source,
    /// When the letter was received; `None` for what no letter said: the campaign's or the umpire's own words.
    pub received: Option<Timestamp>,
}

/// What became of an order.
#[derive(Clone, PartialEq, Debug)]
pub struct Fate {
    /// The order, in the program's words.
    pub words: String,
    /// Where it stands.
    pub order: Ordered,
    /// Why it was out of force, if it was; rules in brackets.
    pub out_of_force: Option<String>,
    /// What came of it. Nothing, for an order that was in force, means that nothing on the board was changed by it.
    pub events: Vec<Reason>,
}

impl Desk {
    /// Why the event of this number happened: of the newest results, or of those of `turn`. `seat` for a number of a seat's own
    /// series (`s3`).
    ///
    /// # Errors
    /// If there is no such game, turn or event.
    pub fn why(
        &mut self,
        game: &GameId,
        turn: Option<TurnNo>,
        no: EventNo,
        seat: Option<&SeatId>,
        now: Timestamp,
    ) -> Result<Reason, DeskError> {
        self.look(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let told = Told::of(table, turn)?;
            let event = event_of(table, told.turn.no, no, seat)?;
            told.reason(room, table, &event.id)
        })
    }

    /// What became of order `number` of a seat's sheet.
    ///
    /// # Errors
    /// If there is no such game, turn or order.
    pub fn fate(
        &mut self,
        game: &GameId,
        turn: Option<TurnNo>,
        seat: &SeatId,
        number: u32,
        now: Timestamp,
    ) -> Result<Fate, DeskError> {
        self.look(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let told = Told::of(table, turn)?;
            let sheet = told.turn.sheets.get(seat).cloned();
            let rules = rules_of(&table.id);
            let board = table.before(told.turn.no)?;
            let text =
                sheet.map(|sheet| board.describe(seat, &sheet)).transpose().map_err(rules)?.map(|(_, text)| text);
            let order = text.and_then(|text| text.orders.into_iter().find(|order| order.number == number));
            let order = order.ok_or_else(|| {
                let what = format!("{} has no order {number} for {}", table.seat_name(seat), told.turn.phase);
                DeskError::refused(what, "the acknowledgement numbers them; `umpire review` shows the sheet")
            })?;
            let caused = |event: &&JsonEvent| event.source.as_ref() == Some(&(seat.clone(), order.source.clone()));
            let ids: Vec<EventId> = told.events.iter().filter(caused).map(|event| event.id.clone()).collect();
            let events = ids.iter().map(|id| told.reason(room, table, id)).collect::<Result<_, _>>()?;
            let source = ordered(room, table, seat, &order.source);
            Ok(Fate { words: order.words, order: source, out_of_force: order.out_of_force, events })
        })
    }
}

/// A turn's newest events, and how the umpire's report words them.
struct Told {
    turn: Turn,
    events: Vec<JsonEvent>,
    entries: Vec<Entry>,
}

impl Told {
    fn of(table: &mut Table, turn: Option<TurnNo>) -> Result<Self, DeskError> {
        let turn = match turn {
            Some(no) => Some(table.turn(no)?),
            None => table.record.turns.iter().rev().find(|turn| turn.newest().is_some()),
        };
        let found = turn.and_then(|turn| Some((turn.clone(), turn.newest()?.events.clone())));
        let none = || DeskError::refused("there are no results yet", "`umpire adjudicate --dry-run` looks ahead");
        let (turn, events) = found.ok_or_else(none)?;
        let rules = rules_of(&table.id);
        let report = table.before(turn.no)?.tell(&events, &Viewer::Umpire, &turn.numbering).map_err(rules)?;
        Ok(Self { turn, events, entries: report.entries })
    }

    fn event(&self, id: &EventId) -> Option<&JsonEvent> {
        self.events.iter().find(|event| event.id == *id)
    }

    /// Events only ever name earlier ones as their causes, so that this ends.
    fn reason(&self, room: &Room<'_>, table: &Table, id: &EventId) -> Result<Reason, DeskError> {
        let event = self.event(id).ok_or_else(|| table.broken(format!("event {id} is named and not there")))?;
        let place = |id: &EventId| self.events.iter().position(|event| event.id == *id);
        let order = event.source.as_ref().map(|(seat, source)| ordered(room, table, seat, source));
        let ruling = event.ruling.map(|no| {
            let on_record = self.turn.rulings.iter().find(|ruling| ruling.ruling.no == no);
            (no, on_record.map(|ruling| ruling.reason.clone()).unwrap_or_default())
        });
        let earlier = event.because.iter().filter(|cause| place(cause) < place(id));
        Ok(Reason {
            no: self.turn.numbering.of(id),
            sentence: self.sentence(room, table, event)?,
            cites: event.cites.clone(),
            order,
            rolls: event.rolls.clone(),
            ruling,
            because: earlier.map(|cause| self.reason(room, table, cause)).collect::<Result<_, _>>()?,
        })
    }

    /// As the umpire's report has it; an event that has no line of its own there is named by its kind.
    fn sentence(&self, room: &Room<'_>, table: &Table, event: &JsonEvent) -> Result<String, DeskError> {
        match self.entries.iter().find(|entry| entry.id == event.id) {
            Some(entry) => Ok(sentence(room.templates, &table.record.system, self.turn.no.0, entry)?),
            None => Ok(format!("({}: {})", event.id.step.as_str().replace('_', " "), event.id.subject)),
        }
    }
}

fn ordered(room: &Room<'_>, table: &Table, seat: &SeatId, source: &Source) -> Ordered {
    let received = room.tx.letter(source.letter).ok().map(|row| row.received);
    Ordered { seat: table.seat_name(seat), source: source.clone(), received }
}
