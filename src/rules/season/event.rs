//! What can happen in the season campaign. Every change of the state is one of these, with all the facts in it.

use super::board::ProvinceId;
use super::campaign::{Kind, Season};
use super::cards::Card;
use super::order::{Arrival, Pace};
use crate::engine::{Held, HexId, SeatId, UnitId};
use serde::{Deserialize, Serialize};

/// Why units did not go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Halt {
    /// They met the enemy [003 Army Movement].
    Enemy,
    /// Behind forest, marsh or mountains they must stop [003 Side Limits].
    StopTerrain,
    /// The hexside had no room left for them this turn [003 Side Limits, R-003-13].
    SideFull,
    /// The leader's roll for the river failed [003 Rivers].
    RiverRoll,
    /// There is no leader to lead them over the river [003 Rivers, R-003-94].
    NoLeader,
    /// The hex ahead belongs to or holds units of somebody who gives no passage [R-003-03].
    NoPassage,
    /// They may not cross a hexside that the pinning enemy used [003 Pinning].
    PinnedSide,
    /// Their march was over: normal rate, the leader's roll not covering more.
    Exhausted,
}

/// Why an order came to nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoidReason {
    /// All units named are pinned [003 Pinning].
    Pinned,
    /// The units are not where the order says, or not alive.
    NotThere,
    /// Its condition was not met; it costs no Action [R-003-89].
    ConditionUnmet,
    /// There is nothing to do it with: no pool, no money, no manpower.
    NotEnough,
    /// The city is lost, besieged or contested [R-003-63].
    NoPlace,
    /// The limit of that kind is reached.
    Limit,
    /// The card is not in the hand.
    NoCard,
    /// The rules do not let it happen where it came up; words for the report.
    Rule(String),
}

/// How a unit left the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loss {
    /// Destroyed in battle.
    Battle,
    /// Fell out on the march.
    March,
    /// Starved.
    Supply,
    /// Perished in winter.
    Winter,
    /// Taken prisoner.
    Captured,
    /// Went home.
    Disbanded,
    /// Died, was taken or resigned when he did in history.
    Left,
    /// By an event card.
    Card,
    /// Its sovereign fell, its country surrendered.
    Defeat,
    /// By the umpire's ruling.
    Ruling,
}

/// Why a unit lost steps without leaving the game.
pub type StepLoss = Loss;

/// A new unit with everything the state needs to know of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NewUnit {
    /// Its number.
    pub id: UnitId,
    /// Whose.
    pub seat: SeatId,
    /// Kind.
    pub kind: Kind,
    /// Full name.
    pub name: String,
    /// Short name.
    pub short: String,
    /// Strength.
    pub strength: u8,
    /// Where.
    pub at: HexId,
}

/// An event of the season campaign.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "event")]
#[allow(missing_docs)] // each variant is explained; its fields are named after what they hold
pub enum Event {
    // --- cards and diplomacy
    /// An Action card was played, or an Event card discarded as one (value 1, serial 0).
    CardPlayed { seat: SeatId, card: Card, value: u8, serial: u8 },
    /// The sequence in which players move this turn, first to last.
    Sequence { seats: Vec<SeatId> },
    /// An Event card was played.
    EventPlayed { seat: SeatId, card: Card, units: Vec<UnitId>, hexes: Vec<HexId>, seats: Vec<SeatId> },
    /// An Event card stays in the hand: its condition was not met or it had no legal target.
    EventReturned { seat: SeatId, card: Card, why: VoidReason },
    /// A Supply card's or ruling's step for a brigade.
    Reinforced { unit: UnitId, steps: u8 },
    /// War was declared (in force from the next turn), or forced by an entry (in force at once, `now`).
    WarDeclared { by: SeatId, on: SeatId, now: bool },
    /// War is in force.
    WarBegan { a: SeatId, b: SeatId },
    /// Both offered peace.
    PeaceMade { a: SeatId, b: SeatId },
    /// Passage given or withdrawn.
    Passage { from: SeatId, to: SeatId, given: bool },
    /// What stands for a seat in turns without a letter.
    StandingSet { seat: SeatId, orders: Vec<Held<super::order::Order>> },

    // --- arrivals and movement
    /// Units of the timetable appeared.
    Arrived { unit: UnitId, at: HexId },
    /// Levies mustered, new brigades took the field, Cossacks were raised.
    Mustered { unit: NewUnit },
    /// Units went along a path (start first). `side_use` counts against the hexside limits.
    Moved { seat: SeatId, units: Vec<UnitId>, path: Vec<HexId>, pace: Pace, arrival: Arrival, leader: Option<UnitId> },
    /// Units stopped before their goal.
    Halted { seat: SeatId, units: Vec<UnitId>, at: HexId, ahead: Option<HexId>, why: Halt },
    /// A leader tried a river.
    Crossing { leader: UnitId, from: HexId, to: HexId, success: bool },
    /// A leader tried a forced march.
    ForcedMarch { leader: UnitId, success: bool },
    /// Brigades that may not move because the enemy who entered holds them.
    Pinned { hex: HexId, seat: SeatId, units: Vec<UnitId>, by: SeatId },
    /// An order came to nothing.
    Void { seat: SeatId, words: String, why: VoidReason },

    // --- battle
    /// Nobody fought in a hex with enemies, because these avoided it.
    NoBattle { hex: HexId, avoided_by: Vec<SeatId> },
    /// A battle began. `inside` are the defenders in the city, `late` the units that come in round 2.
    BattleJoined {
        hex: HexId,
        attackers: Vec<SeatId>,
        defenders: Vec<SeatId>,
        attacking: Vec<UnitId>,
        defending: Vec<UnitId>,
        inside: Vec<UnitId>,
        late: Vec<UnitId>,
        divisor: u32,
    },
    /// A brigade fired: dice of `hits` or less than its number hit. `hits` before any division by a fort.
    Volley { hex: HexId, round: u32, unit: UnitId, hits: u32 },
    /// A fort's division of one letter's hits: `hits` came, `counted` were applied, `carried` wait.
    FortDivided { hex: HexId, round: u32, hits: u32, counted: u32, carried: u32 },
    /// A unit lost steps.
    StepsLost { unit: UnitId, steps: u8, cause: StepLoss, hex: Option<HexId> },
    /// A unit is gone for good.
    Gone { unit: UnitId, how: Loss, by: Option<SeatId>, hex: HexId },
    /// Units left a battle.
    Retreated { units: Vec<UnitId>, from: HexId, to: HexId, round: u32 },
    /// A unit wanted to leave and could not; it fights on.
    CannotRetreat { unit: UnitId, hex: HexId, round: u32 },
    /// Lost steps were recovered.
    Regrouped { unit: UnitId, hex: HexId, recovered: u8, lost: u8 },
    /// A battle ended. `wiped_out`: the loser's forces were all eliminated, none retreated [003 Steamroller].
    BattleEnded { hex: HexId, victors: Vec<SeatId>, losers: Vec<SeatId>, rounds: u32, wiped_out: bool },
    /// A sovereign fell: his player is defeated at once [R-003-39].
    SovereignFell { seat: SeatId, killer: Option<SeatId> },
    /// A sovereign's time was up and an heir took his place.
    Succeeded { seat: SeatId, unit: UnitId, after: UnitId },

    // --- siege
    /// A siege was laid.
    SiegeLaid { city: HexId, by: SeatId },
    /// A full turn of siege was counted.
    SiegeCounted { city: HexId, full_turns: u32 },
    /// A siege is over.
    SiegeRaised { city: HexId },

    // --- supply and control
    /// A brigade was found out of supply.
    OutOfSupply { unit: UnitId, hex: HexId },
    /// A baggage train was spent on its hex.
    TrainSpent { unit: UnitId, hex: HexId },
    /// The land of a hex is eaten bare until the end of the next Winter.
    Depleted { hex: HexId },
    /// Depletion ended everywhere.
    LandRecovered,
    /// A hex changed hands.
    Control { hex: HexId, from: Option<SeatId>, to: Option<SeatId> },

    // --- purse
    /// Money and manpower of the turn came in.
    Income { seat: SeatId, money: u32, manpower: u32 },
    /// Steps were bought for the pool.
    Bought { seat: SeatId, kind: Kind, steps: u32, money: u32, manpower: u32 },
    /// Steps of the pool became a brigade (told with its `Mustered`).
    PoolUsed { seat: SeatId, kind: Kind, steps: u32 },
    /// Money changed hands or came by a card or ruling.
    Money { seat: SeatId, change: i64, why: String },
    /// Manpower that was not used is lost.
    ManpowerLost { seat: SeatId, men: u32 },

    // --- winter
    /// A province changed hands.
    Conquered { province: ProvinceId, from: Option<SeatId>, to: Option<SeatId> },
    /// A country gave up.
    Surrendered { seat: SeatId, to: Option<SeatId> },
    /// A treasury was taken.
    TreasuryTaken { from: SeatId, by: SeatId, money: u32 },
    /// Next year's money and manpower a turn.
    Levels { seat: SeatId, money: u32, manpower: u32 },
    /// A leader recovered a step, or came back from captivity.
    LeaderRecovered { unit: UnitId, steps: u8 },
    /// A new hand.
    Dealt { seat: SeatId, cards: Vec<Card> },
    /// The turn is over; this one follows.
    TurnEnded { year: u16, season: Season },
    /// The game is over: seat and score, highest first.
    GameOver { scores: Vec<(SeatId, i32)> },
}
