//! The traits that let every rule system sit at one desk: [`Rules`] is what a system is written as, [`Game`] is what the
//! desk, the results and the store see of it, and [`Hosted`](super::Hosted) turns the one into the other, once for all systems.

use super::board_picture::BoardPicture;
use super::dice::{Dice, Scope};
use super::fault::DataFault;
use super::hex::HexId;
use super::hosted::JsonRuling;
use super::ids::{LetterNo, SeatId, TurnNo, Viewer};
use super::report::{Audience, Report, Table};
use super::ruling::Ruling;
use super::sheet::{Complaint, Held, Reading, Sheet, SheetText, Superseded, TextLine};
use super::survey::Survey;
use super::working::{Adjudicated, EventId, Recorded, Working};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A seat as the campaign names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatInfo {
    /// Slug.
    pub id: SeatId,
    /// Name in letters: "Saxony-Poland".
    pub name: String,
}

/// What a step says when it returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on with the next step.
    Done,
    /// Stop here until this seat has answered; the state remembers how far the step has come.
    Ask(SeatId, String),
}

/// A seat's orders as the steps see them: in force, in the sequence in which they are carried out.
pub type Orders<O> = BTreeMap<SeatId, Vec<Held<O>>>;

/// One step of a sequence of play.
pub struct Step<R: Rules> {
    /// Name in event ids and rulings: `movement`.
    pub name: &'static str,
    /// Title in the rules page and `--help`: "Movement, player by player".
    pub title: &'static str,
    /// What it does.
    pub run: fn(&mut Working<'_, R>, &Orders<R::Order>, &Dice) -> Flow,
}

/// All that goes into a turn besides the state and the dice.
pub struct Inputs<R: Rules> {
    /// Orders in force by seat.
    pub orders: Orders<R::Order>,
    /// Rulings on this turn, oldest first.
    pub rulings: Vec<Ruling<R::Order, R::Event>>,
}

/// Which seats owe orders now, and what stands for a seat that sends none.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Expectation {
    /// The turn.
    pub turn: TurnNo,
    /// What the turn or phase is called: "Spring 1700".
    pub phase: String,
    /// Seats that have something to decide.
    pub owing: Vec<SeatId>,
    /// What a seat gets that sends nothing, a sentence for its letter.
    pub without_orders: String,
    /// The game is over: nothing is expected any more.
    pub over: bool,
}

/// A rule system. Everything is a pure function: no clock, no input or output, no chance but the `Dice` handed in.
pub trait Rules: Sized + 'static {
    /// The system's name in `campaign.toml` and the registry.
    const SYSTEM: &'static str;
    /// Raised whenever the same inputs would give other events; a turn records the version it was adjudicated with.
    const VERSION: u32;

    /// The whole truth about a game, a fold of its events.
    type State: Clone + Send + Sync;
    /// What a seat can order.
    type Order: Clone + PartialEq + Serialize + DeserializeOwned;
    /// What can happen.
    type Event: Clone + PartialEq + Serialize + DeserializeOwned;
    /// What one viewer may know of a state.
    type View;

    /// Carries an event out. Total: an event that does not fit the state changes nothing.
    fn apply(state: &mut Self::State, event: &Self::Event);

    /// The seats, in the setup's order.
    fn seats(state: &Self::State) -> Vec<SeatInfo>;

    /// Who owes what now.
    fn expects(state: &Self::State) -> Expectation;

    /// All that `viewer` may know, and nothing else.
    fn view(state: &Self::State, viewer: &Viewer) -> Self::View;

    /// Reads a seat's words. `view` is that seat's own view.
    fn read(view: &Self::View, seat: &SeatId, letter: LetterNo, lines: &[TextLine]) -> Reading<Self::Order>;

    /// What a newer order of the same seat means for an older one [R-003-86].
    fn supersede(older: &Self::Order, newer: &Self::Order) -> Superseded<Self::Order>;

    /// Looks at the sheet as a whole: marks what is out of force and says why, and adds complaints that no single line shows.
    fn weigh(view: &Self::View, seat: &SeatId, sheet: &mut Sheet<Self::Order>);

    /// An order in words that [`Rules::read`] reads as the same order, and a remark for the acknowledgement (may be empty).
    fn canonical(view: &Self::View, seat: &SeatId, order: &Self::Order) -> (String, String);

    /// What the seat has not decided yet, a sentence each.
    fn still_open(view: &Self::View, seat: &SeatId, sheet: &Sheet<Self::Order>) -> Vec<String>;

    /// What chance decides before the first turn, as the deal of the first hands: emits its events. `dice` are those of turn 0.
    /// Systems whose setup leaves nothing to chance do nothing here.
    fn opening(_working: &mut Working<'_, Self>, _dice: &Dice) {}

    /// Completes the orders before the first step: what stands for a seat that sent nothing, standing orders put among the
    /// others. Nothing is added unless a system says so.
    fn prepare(state: &Self::State, orders: &mut Orders<Self::Order>) {
        let _ = (state, orders);
    }

    /// The sequence of play of the turn that `state` stands before.
    fn steps(state: &Self::State) -> &'static [Step<Self>];

    /// All scopes of dice that this game can use, in a fixed order.
    fn scopes(state: &Self::State) -> Vec<Scope>;

    /// The scopes whose secrets `viewer` gets with the official results of a turn with these events.
    fn revealed_to(state: &Self::State, events: &[Recorded<Self::Event>], viewer: &Viewer) -> Vec<Scope>;

    /// Who is told of each event at all, in the events' order; decides in which series it is numbered. `before` is the state
    /// when the turn began. One audience for each event.
    fn audiences(before: &Self::State, events: &[Recorded<Self::Event>]) -> Vec<Audience>;

    /// Tells `viewer` of a turn. `before` is the state when the turn began. The numbers are filled in by the engine.
    fn tell(before: &Self::State, events: &[Recorded<Self::Event>], viewer: &Viewer) -> Report;

    /// Where things stand for `viewer`, as tables: forces, purse, hand, wars.
    fn standing(state: &Self::State, viewer: &Viewer) -> Vec<Table>;

    /// The board as it stands for `viewer`, if the system has one that can be drawn.
    fn board(_state: &Self::State, _viewer: &Viewer) -> Option<BoardPicture> {
        None
    }

    /// All names of places and where they lie, for whoever asks for a part of the board.
    fn places(_state: &Self::State) -> Vec<(String, HexId)> {
        Vec::new()
    }

    /// What a seat needs beside it when it writes orders: those of its tables that belong in an acknowledgement.
    fn at_hand(state: &Self::State, seat: &SeatId) -> Vec<Table> {
        Self::standing(state, &Viewer::Seat(seat.clone()))
    }

    /// Looks a campaign's board over: what the loader finds, and beyond it what only a walk over the board shows. A system
    /// without a board has nothing to look over.
    ///
    /// # Errors
    /// All faults of the data at once, if they are such that the board cannot be walked at all.
    fn survey(files: &BTreeMap<String, String>) -> Result<Survey, Vec<DataFault>> {
        let _ = files;
        Ok(Survey::default())
    }

    /// Reads an event that the umpire wants to impose ("lose 1 Dal", "control 0910 russia") and the step after which it happens
    /// if he names none.
    ///
    /// # Errors
    /// A complaint that says which words would have been understood.
    fn imposed(state: &Self::State, words: &str) -> Result<(&'static str, Self::Event), Complaint>;
}

/// A turn's inputs as the journal keeps them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct JsonInputs {
    /// Each seat's sheet.
    pub sheets: BTreeMap<SeatId, serde_json::Value>,
    /// Rulings on the turn.
    pub rulings: Vec<JsonRuling>,
}

/// An event as the journal keeps it.
pub type JsonEvent = Recorded<serde_json::Value>;

/// What the desk, the results and the store see of a game, whatever its rules. Orders and events pass as JSON.
pub trait Game: Send {
    /// The rule system's name.
    fn system(&self) -> &'static str;
    /// The rules' version.
    fn rules_version(&self) -> u32;
    /// The seats.
    fn seats(&self) -> Vec<SeatInfo>;
    /// Who owes what now.
    fn expects(&self) -> Expectation;
    /// The names and titles of the steps of the coming turn.
    fn step_names(&self) -> Vec<(&'static str, &'static str)>;
    /// All scopes of dice.
    fn scopes(&self) -> Vec<Scope>;

    /// Takes a letter into a seat's sheet (`None`: its first). Gives the new sheet as JSON, and in words.
    ///
    /// # Errors
    /// If the held sheet is not one of this system's.
    fn read(
        &self,
        seat: &SeatId,
        held: Option<&serde_json::Value>,
        letter: LetterNo,
        lines: &[TextLine],
    ) -> Result<(serde_json::Value, SheetText), JournalFault>;

    /// A sheet in words, checked against the state as it is now.
    ///
    /// # Errors
    /// If it is not a sheet of this system's.
    fn describe(
        &self,
        seat: &SeatId,
        sheet: &serde_json::Value,
    ) -> Result<(serde_json::Value, SheetText), JournalFault>;

    /// The single order that `words` say, for a ruling that admits it.
    ///
    /// # Errors
    /// The complaints, if it is not exactly one order.
    fn read_one(&self, seat: &SeatId, words: &str) -> Result<serde_json::Value, Vec<Complaint>>;

    /// Reads an event to be imposed: the step after which it happens and the event.
    ///
    /// # Errors
    /// A complaint that says which words would have been understood.
    fn imposed(&self, words: &str) -> Result<(String, serde_json::Value), Complaint>;

    /// What chance decides before the first turn, without changing this game: fold it before the first turn is opened.
    ///
    /// # Errors
    /// If an event cannot be written down.
    fn opening(&self, dice: Dice) -> Result<Vec<JsonEvent>, JournalFault>;

    /// Adjudicates the turn without changing this game.
    ///
    /// # Errors
    /// If an input is not one of this system's.
    fn adjudicate(&self, inputs: &JsonInputs, dice: Dice) -> Result<Adjudicated<serde_json::Value>, JournalFault>;

    /// Folds a turn's events into the state.
    ///
    /// # Errors
    /// If an event is not one of this system's.
    fn fold(&mut self, events: &[JsonEvent]) -> Result<(), JournalFault>;

    /// Who is told of each event, in the events' order; this game must stand where the turn began.
    ///
    /// # Errors
    /// If an event is not one of this system's.
    fn audiences(&self, events: &[JsonEvent]) -> Result<Vec<(EventId, Audience)>, JournalFault>;

    /// Tells a viewer of a turn; this game must stand where the turn began. Numbers come from `numbers`.
    ///
    /// # Errors
    /// If an event is not one of this system's.
    fn tell(
        &self,
        events: &[JsonEvent],
        viewer: &Viewer,
        numbers: &super::journal::Numbering,
    ) -> Result<Report, JournalFault>;

    /// The scopes whose secrets a viewer gets with the official results.
    ///
    /// # Errors
    /// If an event is not one of this system's.
    fn revealed_to(&self, events: &[JsonEvent], viewer: &Viewer) -> Result<Vec<Scope>, JournalFault>;

    /// Where things stand for a viewer.
    fn standing(&self, viewer: &Viewer) -> Vec<Table>;

    /// The board as it stands for a viewer.
    fn board(&self, viewer: &Viewer) -> Option<BoardPicture>;

    /// All names of places and where they lie.
    fn places(&self) -> Vec<(String, HexId)>;

    /// What a seat needs beside it when it writes orders.
    fn at_hand(&self, seat: &SeatId) -> Vec<Table>;

    /// A copy that can be folded further without touching this one.
    fn duplicate(&self) -> Box<dyn Game>;
}

/// The journal holds something that this version of the rules cannot read: the umpire must be woken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the journal holds {what} that rules \"{system}\" version {version} cannot read: {why}")]
pub struct JournalFault {
    /// "an order of sweden", "an event".
    pub what: String,
    /// The rule system.
    pub system: &'static str,
    /// The version of the program's rules.
    pub version: u32,
    /// What the reader said.
    pub why: String,
}
