//! What a player can order in the season campaign. Reading the words is `read`'s business; these are the meanings.

use super::campaign::Kind;
use super::cards::Card;
use crate::engine::{HexId, SeatId, UnitId};
use serde::{Deserialize, Serialize};

/// One order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The Action card of the turn, or an Event card discarded as one [003 Action Cards, R-003-09].
    ActionCard(Card),
    /// No Action card this turn [R-003-07].
    NoActionCard,
    /// An Event card with its targets [003 Event Cards].
    EventCard(EventPlay),
    /// A march by land or river [003 Movement].
    March(March),
    /// Where units stand firm: said so that the umpire need not ask.
    Hold(Vec<UnitId>),
    /// Build one brigade from the pool [003 Deployment].
    Build(Build),
    /// Buy for the pool; written order is the order of priority [003 Purchase].
    Buy(Buy),
    /// Call up the levies, or leave them at home [003 Feudal Troops].
    Levy {
        /// Call them up?
        call: bool,
        /// Only the levies that muster here; empty = all.
        places: Vec<HexId>,
    },
    /// Give or avoid battle [003 When Battle Occurs].
    Intent(Intent),
    /// When to retreat from a battle [003 Retreats].
    Retreat(Retreat),
    /// Lay, keep up or raise a siege, storm, sortie, come to the relief [003 Sieges].
    Siege {
        /// The city.
        city: HexId,
        /// What.
        action: SiegeAction,
    },
    /// War, peace, passage [R-003-03].
    Diplomacy(Diplomacy),
    /// Which of equally strong brigades takes a hit first [R-003-22].
    HitsFirst(Vec<UnitId>),
    /// Who stays inside, is fed or sheltered first where not all can be [R-003-53, R-003-55].
    FeedFirst(Vec<UnitId>),
    /// An order that goes on standing for turns in which no letter comes.
    Standing(Box<Order>),
    /// Understood and kept, but this version does not adjudicate it yet.
    Kept(Kept),
}

/// An Event card and what it is played on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EventPlay {
    /// The card.
    pub card: Card,
    /// Units named, in order.
    pub units: Vec<UnitId>,
    /// Hexes named, in order.
    pub hexes: Vec<HexId>,
    /// Seats named, in order.
    pub seats: Vec<SeatId>,
    /// Only if.
    pub condition: Option<Condition>,
}

/// How far and how hard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// At the normal rate.
    Normal,
    /// Twice the rate, under a leader who rolls [003 Forced Marches].
    Forced,
    /// Along one river [003 River Movement].
    River,
}

/// What is to be done at the end of a march into a hex with an enemy city.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrival {
    /// Just be there (own or empty ground), in the field outside an enemy's city.
    Stand,
    /// Lay siege.
    Besiege,
    /// Enter the city, by storm if it is held [R-003-47].
    Enter,
}

/// Which units go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Picked {
    /// All own brigades that stand in the start hex when the march begins and have no other march order.
    All,
    /// These, by number; the leader himself is not among them.
    These(Vec<UnitId>),
}

/// A march. Marches under the same leader from the same hex cost one Action together [003 Army Movement, R-003-12].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct March {
    /// The leader whose Army Move this is part of; `None` = single Brigade Moves, one Action a brigade.
    pub army_of: Option<UnitId>,
    /// Whether that leader goes along.
    pub leader_goes: bool,
    /// The units.
    pub units: Picked,
    /// Where they stand now.
    pub from: HexId,
    /// Every hex of the way, the start not included, the goal last.
    pub path: Vec<HexId>,
    /// How.
    pub pace: Pace,
    /// At the goal.
    pub arrival: Arrival,
    /// If the enemy met is wiped out: go on along these hexes [003 Steamroller, R-003-48].
    pub onward: Vec<HexId>,
    /// Only if.
    pub condition: Option<Condition>,
}

/// Deploying one brigade.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// Kind.
    pub kind: Kind,
    /// Where; `None` = a home supply city is chosen for him: the one with the highest value, then the lowest hex.
    pub at: HexId,
    /// A name for it, if the player gives one.
    pub name: Option<String>,
}

/// A purchase of whole brigades (or steps of ships) for the pool.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Buy {
    /// Kind.
    pub kind: Kind,
    /// How many brigades; for ships, how many steps.
    pub count: u32,
}

/// Whom an intent or a retreat order is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// Everybody.
    All,
    /// Whoever is in this hex when it comes to it.
    At(HexId),
    /// These units (a leader stands for his army: whoever is in his hex).
    Units(Vec<UnitId>),
}

/// Give or avoid battle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Intent {
    /// Who.
    pub who: Who,
    /// Give battle? Unless told to avoid, all give battle.
    pub give: bool,
    /// Only if.
    pub condition: Option<Condition>,
}

/// When units leave a battle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Retreat {
    /// Who.
    pub who: Who,
    /// When.
    pub when: RetreatWhen,
    /// The hex preferred, if one is named.
    pub to: Option<HexId>,
}

/// The condition of a retreat [R-003-32].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RetreatWhen {
    /// Never: to the last. The default.
    Never,
    /// As soon as their turn to fight comes.
    AtOnce,
    /// After this many rounds fought.
    AfterRound(u32),
    /// When the player's force in the battle has lost this many per cent [R-003-95].
    LossPercent(u32),
    /// When the enemy has at least this many per cent of the own side's strength: 200 = two to one.
    OddsPercent(u32),
}

/// What to do about a city.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SiegeAction {
    /// Lay siege or go on with it.
    Besiege,
    /// Storm it.
    Storm,
    /// Raise the siege, staying in the field.
    Raise,
    /// The garrison comes out to fight.
    Sortie,
    /// The garrison joins a relieving army from the second round [R-003-44].
    JoinRelief,
}

/// War and peace.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Diplomacy {
    /// Declares war; from the start of the next turn.
    War(SeatId),
    /// Offers peace; made when both offer it in the same turn.
    Peace(SeatId),
    /// Lets the other pass and share hexes.
    Passage(SeatId),
    /// No longer.
    NoPassage(SeatId),
    /// Hands a hex over.
    Cede {
        /// Which.
        hex: HexId,
        /// To whom.
        to: SeatId,
    },
}

/// What an order can wait for [R-003-89].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// The enemy there avoids battle.
    EnemyAvoids(HexId),
    /// An enemy brigade stands there at that moment.
    EnemyAt(HexId),
    /// No enemy brigade stands there at that moment.
    NoEnemyAt(HexId),
    /// The own side has won the battle there this turn.
    WeWin(HexId),
    /// The own side holds the hex at that moment.
    WeHold(HexId),
}

/// Something that a player may order and this version only keeps.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// What it is about: "a sea move", "a fleet's move", "an interception".
    pub about: String,
    /// The player's words, tidied.
    pub words: String,
}
