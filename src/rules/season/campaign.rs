//! A campaign's fixed data once it has been checked: figures, brigade table, deck, house rules, who stands where.
//! Everything here comes from `campaigns/<name>/`; no figure of it is in the code.

use super::board::{Board, ProvinceId, Terrain};
use super::cards::CardData;
use crate::engine::{Cite, HexId, SeatId, UnitId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Kinds of units that can be bought, built, raised or called up [003 Brigade Table].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Foot.
    Infantry,
    /// Foot of the guard.
    Guards,
    /// Horse.
    Cavalry,
    /// Dragoons.
    Dragoons,
    /// Cossacks and Tatars.
    Cossacks,
    /// Feudal foot.
    FeudalFoot,
    /// Feudal horse.
    FeudalHorse,
    /// Ships of the line.
    Ships,
    /// Galleys.
    Galleys,
    /// Transports.
    Transports,
    /// A baggage train.
    BaggageTrain,
    /// A leader.
    Leader,
}

impl Kind {
    /// Every kind, in the table's order.
    pub const ALL: [Kind; 12] = [
        Kind::Infantry,
        Kind::Guards,
        Kind::Cavalry,
        Kind::Dragoons,
        Kind::Cossacks,
        Kind::FeudalFoot,
        Kind::FeudalHorse,
        Kind::Ships,
        Kind::Galleys,
        Kind::Transports,
        Kind::BaggageTrain,
        Kind::Leader,
    ];

    /// The kind's slug in the data files, and its canonical word in orders.
    pub fn slug(self) -> &'static str {
        match self {
            Kind::Infantry => "infantry",
            Kind::Guards => "guards",
            Kind::Cavalry => "cavalry",
            Kind::Dragoons => "dragoons",
            Kind::Cossacks => "cossacks",
            Kind::FeudalFoot => "feudal_foot",
            Kind::FeudalHorse => "feudal_horse",
            Kind::Ships => "ships",
            Kind::Galleys => "galleys",
            Kind::Transports => "transports",
            Kind::BaggageTrain => "baggage_train",
            Kind::Leader => "leader",
        }
    }

    /// Ships, galleys and transports.
    pub fn is_naval(self) -> bool {
        matches!(self, Kind::Ships | Kind::Galleys | Kind::Transports)
    }

    /// Brigades count for hexside limits, capture and shelter; leaders, fleets and trains do not [R-003-14, R-003-49].
    pub fn is_brigade(self) -> bool {
        !self.is_naval() && !matches!(self, Kind::Leader | Kind::BaggageTrain)
    }

    /// Feudal levies: they go home at the end of Fall and never take Supply steps [R-003-65].
    pub fn is_feudal(self) -> bool {
        matches!(self, Kind::FeudalFoot | Kind::FeudalHorse)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.slug().replace('_', " "))
    }
}

/// When a brigade fights within a round [003 Combat Rating].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Letter {
    /// First.
    A,
    /// Second.
    B,
    /// Last.
    C,
}

/// A combat rating: letter and the highest die that hits, as `B3` [003 Combat Rating, R-003-20].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rating {
    /// Letter.
    pub letter: Letter,
    /// Highest die that hits, 1 to 6.
    pub hits_on: u8,
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{}", self.letter, self.hits_on)
    }
}

/// A row of the Brigade Table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrigadeType {
    /// Greatest strength.
    pub max: u8,
    /// Rating; `None` = does not fight.
    pub rating: Option<Rating>,
    /// Hexes a turn.
    pub movement: u8,
    /// Highest die that recovers a lost step [003 Regrouping].
    pub rally: u8,
    /// Price of a full brigade in money.
    pub money: u32,
    /// Price of a full brigade in manpower.
    pub manpower: u32,
    /// How many a country may have, pool and map together [R-003-101].
    pub limit: Option<u32>,
}

/// A seat at the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Slug.
    pub id: SeatId,
    /// Name.
    pub name: String,
    /// "Swedish".
    pub adjective: String,
    /// What players also call the country and its people, in their languages.
    pub aliases: Vec<String>,
    /// Hexes of its capitals [003 Capture of a Capital].
    pub capitals: Vec<HexId>,
    /// Money in the bank at the start.
    pub bank: u32,
    /// Colour on the map, `#rrggbb`.
    pub colour: String,
}

/// A brigade, fleet or leader as the setup names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitSetup {
    /// Number, unique among units and leaders.
    pub id: UnitId,
    /// Whose.
    pub seat: SeatId,
    /// Kind.
    pub kind: Kind,
    /// Full name: "Dal Regiment", "Charles XII".
    pub name: String,
    /// Short name, unique in the campaign: "Dal".
    pub short: String,
    /// Further names that players use.
    pub aliases: Vec<String>,
    /// Strength at the start.
    pub strength: u8,
    /// Where it stands or appears.
    pub place: HexId,
    /// When it appears (year, season); `None` = from the start.
    pub arrives: Option<(u16, Season)>,
    /// The turn at whose beginning history took a leader from the war; of meaning under the house rule `leaders_leave`.
    pub leaves: Option<(u16, Season)>,
    /// Whether he can become sovereign after one who leaves.
    pub heir: bool,
    /// Leaders only.
    pub leader: Option<LeaderFigures>,
}

/// What a leader has besides [003 Leaders].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeaderFigures {
    /// Hexes a turn: 1 on foot, 2 mounted.
    pub movement: u8,
    /// Strategic Rating: a Strategic Roll succeeds on a die under it [R-003-18].
    pub strategic: u8,
    /// Rating in battle.
    pub rating: Rating,
    /// Greatest strength.
    pub max: u8,
    /// Highest die that recovers a lost step.
    pub rally: u8,
    /// His death is his player's defeat.
    pub sovereign: bool,
}

/// A levy that can be called up each year [003 Feudal Troops].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LevySetup {
    /// The number its brigade gets.
    pub id: UnitId,
    /// Whose.
    pub seat: SeatId,
    /// Feudal foot or horse.
    pub kind: Kind,
    /// Name.
    pub name: String,
    /// Short name.
    pub short: String,
    /// The province capital where it musters.
    pub place: HexId,
    /// Full strength.
    pub strength: u8,
}

/// The four turns of a year [003 Game Turns, R-003-01].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Season {
    /// First turn.
    Spring,
    /// Second turn.
    Summer,
    /// Third turn.
    Fall,
    /// Last turn.
    Winter,
}

impl Season {
    /// The season after, and whether a new year begins with it.
    pub fn next(self) -> (Season, bool) {
        match self {
            Season::Spring => (Season::Summer, false),
            Season::Summer => (Season::Fall, false),
            Season::Fall => (Season::Winter, false),
            Season::Winter => (Season::Spring, true),
        }
    }
}

impl fmt::Display for Season {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Season::Spring => "Spring",
            Season::Summer => "Summer",
            Season::Fall => "Fall",
            Season::Winter => "Winter",
        })
    }
}

/// Figures of the rules that a campaign may set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Figures {
    /// Cards in a hand [003 Cards].
    pub hand_size: usize,
    /// Brigades of one player over one side in one turn [003 Side Limits].
    pub side_limit: BTreeMap<&'static str, u32>,
    /// Terrains behind which brigades must stop.
    pub stops: Vec<Terrain>,
    /// How much a river adds to a side's limit [R-003-17].
    pub river_limit_bonus: u32,
    /// Hexes of a river move [003 River Movement].
    pub river_move_max: u32,
    /// Rounds without a hit after which a battle breaks off [R-003-31].
    pub quiet_rounds: u32,
    /// Divisor of the attackers' hits against a square [003 Fortified Cities].
    pub square_divisor: u32,
    /// Divisor of the attackers' hits against a hexagon.
    pub hexagon_divisor: u32,
    /// Brigades that a hex feeds [R-003-55].
    pub land_feeds: usize,
    /// Steps lost out of supply [003 Units Not in Supply].
    pub supply_loss: u8,
    /// Steps lost in winter outside shelter [R-003-52].
    pub winter_loss: u8,
    /// Full siege turns for which a garrison is in supply [R-003-46].
    pub siege_free_turns: u32,
    /// Divisor of yearly income for a turn's money [R-003-61].
    pub money_divisor: u32,
    /// Divisor of the provinces' manpower for a turn's manpower.
    pub manpower_divisor: u32,
    /// Score for an own capital held [R-003-60].
    pub score_capital: i32,
    /// Score for a country surrendered to one.
    pub score_surrendered: i32,
}

impl Figures {
    /// The side limit of a terrain, without a river.
    pub fn limit(&self, terrain: Terrain) -> u32 {
        let key = match terrain {
            Terrain::Clear => "clear",
            Terrain::Forest => "forest",
            Terrain::Marsh => "marsh",
            Terrain::Mountain => "mountain",
        };
        self.side_limit.get(key).copied().unwrap_or(1)
    }
}

/// House rules: both readings of an open question are built, the campaign chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HouseRules {
    /// An Event card may be discarded as an Action card of value 1 [R-003-09].
    pub event_as_action: bool,
    /// Within a letter the defender fires first and his hits count at once; `false` = both together [R-003-21].
    pub defender_first: bool,
    /// The remainder of divided hits is carried into the next round; `false` = lost [R-003-40].
    pub fort_remainder_carried: bool,
    /// A failed forced march costs one step at most ("stragglers"); `false` = the printed 1d6 [R-003-19].
    pub stragglers: bool,
    /// No more brigades are deployed in a city in one turn than its value; `false` = no cap [R-003-63].
    pub deploy_cap: bool,
    /// What players see of each other [R-003-83].
    pub fog: Fog,
    /// A correction opens the window again [R-003-85].
    pub reopen_on_correction: bool,
    /// An open challenge holds the turn [R-003-88].
    pub open_challenge_holds: bool,
    /// Leaders leave the game when history took them; `false` = they stay until they fall [R-003-P49].
    pub leaders_leave: bool,
}

/// What players see of each other's units [R-003-83].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fog {
    /// Where brigades stand is public, what they are is not.
    Blocks,
    /// All is public.
    Open,
    /// Brigades are seen within two hexes of one's own units and in one's own provinces only.
    Scouted,
}

/// The whole campaign, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Campaign {
    /// Folder name.
    pub name: String,
    /// Title.
    pub title: String,
    /// First year.
    pub start_year: u16,
    /// Last year; the game ends after its Winter.
    pub end_year: u16,
    /// Seats in the setup's order.
    pub seats: Vec<Seat>,
    /// The map.
    pub board: Board,
    /// Brigade Table by seat and kind; national rows are already merged over the default.
    pub table: BTreeMap<(SeatId, Kind), BrigadeType>,
    /// Units and leaders, by number.
    pub units: Vec<UnitSetup>,
    /// Levies.
    pub levies: Vec<LevySetup>,
    /// The deck and the cards' texts.
    pub cards: CardData,
    /// Figures.
    pub figures: Figures,
    /// House rules.
    pub house: HouseRules,
    /// Wars at the start.
    pub wars: Vec<(SeatId, SeatId)>,
    /// Who lets whom pass and share hexes from the start, both ways [R-003-103].
    pub treaties: Vec<(SeatId, SeatId)>,
}

impl Campaign {
    /// A seat by slug.
    pub fn seat(&self, id: &SeatId) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.id == *id)
    }

    /// A seat's name, or its slug.
    pub fn seat_name<'a>(&'a self, id: &'a SeatId) -> &'a str {
        self.seat(id).map_or(id.as_str(), |seat| &seat.name)
    }

    /// The row of the Brigade Table for a seat's kind.
    pub fn brigade(&self, seat: &SeatId, kind: Kind) -> Option<&BrigadeType> {
        self.table.get(&(seat.clone(), kind))
    }

    /// A province by slug.
    pub fn province(&self, id: &ProvinceId) -> Option<&super::board::Province> {
        self.board.provinces.iter().find(|p| p.id == *id)
    }
}

/// A citation of the campaign's rulebook: `003 Pinning`.
pub const fn rule(name: &'static str) -> Cite {
    Cite::of(name)
}
