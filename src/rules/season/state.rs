//! The truth about a campaign at one moment, a fold of its events.

use super::board::ProvinceId;
use super::campaign::{BrigadeType, Campaign, Fog, Kind, LeaderFigures, Rating, Season};
use super::cards::Card;
use super::event::{Event, NewUnit};
use super::order::{Arrival, Order, Pace};
use crate::engine::{Held, HexId, HexSide, SeatId, TurnNo, UnitId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A unit on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Number.
    pub id: UnitId,
    /// Whose.
    pub seat: SeatId,
    /// Kind.
    pub kind: Kind,
    /// Full name.
    pub name: Arc<str>,
    /// Short name.
    pub short: Arc<str>,
    /// Current strength (CS), about thousands of men; never 0.
    pub strength: u8,
    /// Greatest strength.
    pub max: u8,
    /// Rating in battle; `None` = does not fight.
    pub rating: Option<Rating>,
    /// Hexes a turn.
    pub movement: u8,
    /// Highest die that recovers a lost step.
    pub rally: u8,
    /// Set for leaders.
    pub leader: Option<LeaderFigures>,
    /// Where it stands.
    pub at: HexId,
    /// In the city of its hex rather than in the field outside. Of meaning only where the two can differ: an enemy city or a
    /// besieged one [R-003-43].
    pub in_city: bool,
    /// The running number of its entry into the hex (lower = earlier); 0 = since the setup [R-003-29].
    pub entered: u32,
    /// The turn of that entry.
    pub entered_turn: TurnNo,
}

impl Unit {
    /// Whether it is a leader.
    pub fn is_leader(&self) -> bool {
        self.kind == Kind::Leader
    }

    /// Whether it counts as a brigade [R-003-14].
    pub fn is_brigade(&self) -> bool {
        self.kind.is_brigade()
    }
}

/// A siege [003 Sieges].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Siege {
    /// Who laid it.
    pub by: SeatId,
    /// The turn in which it was laid; that turn does not count [R-003-42].
    pub since: TurnNo,
    /// Full turns counted.
    pub full_turns: u32,
}

/// What a seat has besides units.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeatState {
    /// Cards in hand, sorted.
    pub hand: Vec<Card>,
    /// Money.
    pub bank: u32,
    /// Manpower left this turn.
    pub manpower: u32,
    /// Money a turn this year.
    pub money_level: u32,
    /// Manpower a turn this year.
    pub manpower_level: u32,
    /// Steps in the Reinforcement pool by kind.
    pub pool: BTreeMap<Kind, u32>,
    /// Standing orders.
    pub standing: Vec<Held<Order>>,
    /// Out of the game (surrendered, sovereign killed).
    pub defeated: bool,
    /// Who killed its sovereign; his side gets the treasury [R-003-39].
    pub killer: Option<SeatId>,
    /// Enemy countries that surrendered to this seat.
    pub surrenders: u32,
}

/// How a unit came into its hex this turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The hexside used last, `None` for a river move that came along a river.
    pub over: Option<HexSide>,
    /// The hex it came from over that side.
    pub from: HexId,
    /// The hex in which it started the turn.
    pub start: HexId,
    /// How.
    pub pace: Pace,
    /// What it came for.
    pub arrival: Arrival,
    /// Hexes of its rate used.
    pub used: u32,
    /// The last side crossed was one behind which it must stop.
    pub stopped: bool,
}

/// A battle of this turn, for steamroller, control and reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fought {
    /// Winners.
    pub victors: Vec<SeatId>,
    /// Losers.
    pub losers: Vec<SeatId>,
    /// The losers were all eliminated, none retreated.
    pub wiped_out: bool,
}

/// An Event card on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedEvent {
    /// Who played it.
    pub seat: SeatId,
    /// The card's slug.
    pub card: String,
    /// Units it names.
    pub units: Vec<UnitId>,
    /// Hexes it names.
    pub hexes: Vec<HexId>,
    /// Seats it names.
    pub seats: Vec<SeatId>,
}

/// What has happened this turn and is forgotten when it ends.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThisTurn {
    /// Action card by seat: value and serial.
    pub cards: BTreeMap<SeatId, (u8, u8)>,
    /// The sequence of moving, first to last.
    pub sequence: Vec<SeatId>,
    /// Brigades over a side by player, both directions together [R-003-13]: (by land, by river).
    pub side_use: BTreeMap<(HexSide, SeatId), (u32, u32)>,
    /// How each unit that moved came to its hex.
    pub entries: BTreeMap<UnitId, Entry>,
    /// Pinned units.
    pub pinned: BTreeSet<UnitId>,
    /// Battles fought, by hex; several in one hex in order.
    pub battles: Vec<(HexId, Fought)>,
    /// Who avoided battle where.
    pub avoided: BTreeMap<HexId, Vec<SeatId>>,
    /// Units that retreated from a battle this turn.
    pub retreated: BTreeSet<UnitId>,
    /// Event cards played.
    pub events: Vec<PlayedEvent>,
    /// Brigades that took a Supply step [R-003-101].
    pub supplied: BTreeSet<UnitId>,
    /// Wars declared that begin next turn.
    pub declared: BTreeSet<(SeatId, SeatId)>,
    /// Running number of entries.
    pub entry_counter: u32,
}

/// The state of a campaign.
#[derive(Clone, Debug)]
pub struct State {
    /// The fixed data.
    pub campaign: Arc<Campaign>,
    /// The turn that stands open.
    pub turn: TurnNo,
    /// Its year.
    pub year: u16,
    /// Its season.
    pub season: Season,
    /// Units on the board.
    pub units: BTreeMap<UnitId, Unit>,
    /// Units of the timetable that have not come yet, by index into the campaign's list.
    pub awaited: BTreeSet<UnitId>,
    /// Captured leaders and the year of their capture: out until the next [R-003-77].
    pub captives: BTreeMap<UnitId, u16>,
    /// Who controls each land hex; `None` = neutral.
    pub control: BTreeMap<HexId, Option<SeatId>>,
    /// Hexes eaten bare.
    pub depleted: BTreeSet<HexId>,
    /// Sieges by city hex.
    pub sieges: BTreeMap<HexId, Siege>,
    /// Who has each province.
    pub provinces: BTreeMap<ProvinceId, Option<SeatId>>,
    /// Seats.
    pub seats: BTreeMap<SeatId, SeatState>,
    /// Wars; the lesser slug first.
    pub wars: BTreeSet<(SeatId, SeatId)>,
    /// Passage: (who gives it, to whom).
    pub passage: BTreeSet<(SeatId, SeatId)>,
    /// Values of cities controlled at the start, for the score [R-003-60].
    pub start_values: BTreeMap<SeatId, i32>,
    /// The number that the next mustered unit gets.
    pub next_unit: u16,
    /// This turn's doings.
    pub now: ThisTurn,
    /// Final scores once the game is over.
    pub scores: Option<Vec<(SeatId, i32)>>,
}

/// A pair of seats, the lesser slug first.
pub fn pair(a: &SeatId, b: &SeatId) -> (SeatId, SeatId) {
    if a <= b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) }
}

impl State {
    /// What the turn is called: "Spring 1700".
    pub fn phase(&self) -> String {
        format!("{} {}", self.season, self.year)
    }

    /// Whether two seats are at war [R-003-03].
    pub fn at_war(&self, a: &SeatId, b: &SeatId) -> bool {
        a != b && self.wars.contains(&pair(a, b))
    }

    /// Whether `mover` may pass and share hexes of `host` [R-003-03, R-003-103].
    pub fn may_pass(&self, mover: &SeatId, host: &SeatId) -> bool {
        mover == host || self.passage.contains(&(host.clone(), mover.clone()))
    }

    /// All units in a hex, by number.
    pub fn in_hex(&self, hex: HexId) -> impl Iterator<Item = &Unit> {
        self.units.values().filter(move |unit| unit.at == hex)
    }

    /// The brigades in a hex, by number.
    pub fn brigades_in(&self, hex: HexId) -> impl Iterator<Item = &Unit> {
        self.in_hex(hex).filter(|unit| unit.is_brigade())
    }

    /// A seat's brigades in a hex, by number.
    pub fn own_brigades<'a>(&'a self, hex: HexId, seat: &'a SeatId) -> impl Iterator<Item = &'a Unit> {
        self.brigades_in(hex).filter(move |unit| unit.seat == *seat)
    }

    /// Brigades in a hex that belong to enemies of `seat`.
    pub fn enemies_of<'a>(&'a self, seat: &'a SeatId, hex: HexId) -> impl Iterator<Item = &'a Unit> {
        self.brigades_in(hex).filter(move |unit| self.at_war(&unit.seat, seat))
    }

    /// Who controls a hex.
    pub fn controller(&self, hex: HexId) -> Option<&SeatId> {
        self.control.get(&hex).and_then(Option::as_ref)
    }

    /// The brigades inside a city: those of its holder and his friends that stand in it [R-003-43].
    pub fn garrison(&self, city: HexId) -> impl Iterator<Item = &Unit> {
        self.brigades_in(city).filter(|unit| unit.in_city)
    }

    /// Whether enemies stand against each other in a hex.
    pub fn contested(&self, hex: HexId) -> bool {
        let seats: BTreeSet<&SeatId> = self.brigades_in(hex).map(|unit| &unit.seat).collect();
        seats.iter().any(|a| seats.iter().any(|b| self.at_war(a, b)))
    }

    /// The row of the Brigade Table for a seat's kind.
    pub fn brigade_type(&self, seat: &SeatId, kind: Kind) -> Option<&BrigadeType> {
        self.campaign.brigade(seat, kind)
    }

    /// A unit's short name for events and complaints, or its number if it is gone.
    pub fn short(&self, unit: UnitId) -> String {
        match self.units.get(&unit) {
            Some(unit) => unit.short.to_string(),
            None => self
                .campaign
                .units
                .iter()
                .find(|u| u.id == unit)
                .map_or_else(|| format!("unit {unit}"), |u| u.short.clone()),
        }
    }

    /// The seats still in the game, in the setup's order.
    pub fn living(&self) -> impl Iterator<Item = &SeatId> {
        let seats = self.campaign.seats.iter().map(|seat| &seat.id);
        seats.filter(|id| self.seats.get(*id).is_some_and(|seat| !seat.defeated))
    }

    /// Whether units of `other` in a hex are seen by `viewer` as counters at all.
    pub fn sees_counters(&self, viewer: &crate::engine::Viewer, hex: HexId) -> bool {
        use crate::engine::Viewer;
        match (self.campaign.house.fog, viewer) {
            (Fog::Blocks | Fog::Open, _) | (_, Viewer::Umpire) => true,
            (Fog::Scouted, Viewer::Public) => false,
            (Fog::Scouted, Viewer::Seat(seat)) => {
                self.controller(hex) == Some(seat)
                    || self
                        .units
                        .values()
                        .any(|unit| unit.seat == *seat && self.campaign.board.is_within(unit.at, hex, 2))
            }
        }
    }

    /// Puts a new unit on the board.
    pub(super) fn muster(&mut self, new: &NewUnit, leader: Option<LeaderFigures>) {
        let row = self.campaign.brigade(&new.seat, new.kind).cloned();
        let (max, rating, movement, rally) = match (leader, row) {
            (Some(l), _) => (l.max, Some(l.rating), l.movement, l.rally),
            (None, Some(row)) => (row.max, row.rating, row.movement, row.rally),
            (None, None) => (new.strength, None, 0, 0),
        };
        let in_city = self.campaign.board.city(new.at).is_some() && self.controller(new.at) == Some(&new.seat);
        self.now.entry_counter += 1;
        let unit = Unit {
            id: new.id,
            seat: new.seat.clone(),
            kind: new.kind,
            name: new.name.as_str().into(),
            short: new.short.as_str().into(),
            strength: new.strength,
            max,
            rating,
            movement,
            rally,
            leader,
            at: new.at,
            in_city,
            entered: self.now.entry_counter,
            entered_turn: self.turn,
        };
        self.next_unit = self.next_unit.max(new.id.0.saturating_add(1));
        self.units.insert(new.id, unit);
    }

    /// Carries an event out; see `apply`.
    pub fn carry_out(&mut self, event: &Event) {
        super::apply::apply(self, event);
    }
}
