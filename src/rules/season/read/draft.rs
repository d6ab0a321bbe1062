//! What a clause says before it is held against the board.

use super::index::Thing;
use crate::engine::sheet::ComplaintKind;
use crate::engine::{Cite, HexId, SeatId, UnitId};
use crate::rules::season::board::RiverId;
use crate::rules::season::campaign::Kind;
use crate::rules::season::order::{Arrival, Condition, Pace, RetreatWhen, SiegeAction};

/// The tokens of a block that something is about: first and last.
pub(super) type Range = (usize, usize);

/// Why a clause cannot be read or carried out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// Kind.
    pub kind: ComplaintKind,
    /// Where; `None` = the whole clause.
    pub at: Option<Range>,
    /// What is the matter.
    pub message: String,
    /// What to do.
    pub help: String,
    /// By which rules.
    pub cites: Vec<Cite>,
}

impl Fault {
    /// Words that cannot be read.
    pub fn words(at: Option<Range>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { kind: ComplaintKind::NotUnderstood, at, message: message.into(), help: help.into(), cites: Vec::new() }
    }

    /// Something the rules forbid.
    pub fn illegal(at: Option<Range>, message: impl Into<String>, help: impl Into<String>, cites: &[Cite]) -> Self {
        Self { kind: ComplaintKind::Illegal, at, message: message.into(), help: help.into(), cites: cites.to_vec() }
    }

    /// Something worth knowing about an order that stands.
    pub fn advice(at: Option<Range>, message: impl Into<String>, help: impl Into<String>, cites: &[Cite]) -> Self {
        Self { kind: ComplaintKind::Advice, at, message: message.into(), help: help.into(), cites: cites.to_vec() }
    }
}

/// A place as named: what it can be, and the tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlaceRef {
    /// The hexes it can mean.
    pub hexes: Vec<HexId>,
    /// The words.
    pub at: Range,
}

/// A unit as named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UnitRef {
    /// The units it can mean.
    pub units: Vec<UnitId>,
    /// It is said to be with the leader named before.
    pub with: bool,
    /// It is said to stand here.
    pub stands: Option<PlaceRef>,
    /// The words.
    pub at: Range,
}

/// Units chosen by what they are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Selection {
    /// How many; `None` = all.
    pub count: Option<u32>,
    /// Of which kind; `None` = brigades of any.
    pub kind: Option<Kind>,
    /// Where; `None` = where the leader is, or where the march begins.
    pub place: Option<PlaceRef>,
    /// The words.
    pub at: Range,
}

/// Whom a clause is about.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Movers {
    /// Leaders and brigades by name.
    pub named: Vec<UnitRef>,
    /// "and all his brigades", "everybody with him": all with the leader named.
    pub all_with: bool,
    /// "everything at Wolmar".
    pub all_at: Vec<PlaceRef>,
    /// By kind or number.
    pub selected: Vec<Selection>,
    /// All but these.
    pub except: Vec<UnitRef>,
    /// "the others": whoever has no other order.
    pub others: bool,
    /// "Flemming's brigades": does he go himself?
    pub theirs: bool,
    /// Garrisons of these places.
    pub garrisons: Vec<PlaceRef>,
    /// Every garrison.
    pub every_garrison: bool,
    /// Everyone.
    pub everyone: bool,
    /// Nobody.
    pub nobody: bool,
    /// A place standing for those in it.
    pub bare_place: Option<(PlaceRef, Vec<UnitId>)>,
    /// "he", "they": whoever was spoken of.
    pub pronoun: bool,
    /// The leader goes without brigades.
    pub alone: bool,
    /// Brigade moves, not an Army Move.
    pub own: bool,
    /// The leader whose Army Move it is, who himself stays.
    pub under: Option<UnitRef>,
    /// The words.
    pub at: Option<Range>,
}

impl Movers {
    /// Whether nobody has been named in any way.
    pub fn is_empty(&self) -> bool {
        *self == Movers { at: self.at, ..Movers::default() }
    }
}

/// How an order is bound to what happens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cond {
    /// "if I hold one", "if there is an Action left": goes without saying.
    Meta,
    /// A condition of R-003-89; the hex may have to be filled in from the order itself.
    On(CondKind, Option<PlaceRef>),
    /// A condition for leaving a battle.
    Retreat(RetreatWhen),
    /// Own forces fight there: relief of a siege.
    FriendsFight(Option<PlaceRef>),
}

/// Conditions without their hex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CondKind {
    Avoids,
    Enemy,
    NoEnemy,
    Win,
    Hold,
}

impl CondKind {
    /// The condition at a hex.
    pub fn at(self, hex: HexId) -> Condition {
        match self {
            CondKind::Avoids => Condition::EnemyAvoids(hex),
            CondKind::Enemy => Condition::EnemyAt(hex),
            CondKind::NoEnemy => Condition::NoEnemyAt(hex),
            CondKind::Win => Condition::WeWin(hex),
            CondKind::Hold => Condition::WeHold(hex),
        }
    }
}

/// A march as said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct MarchDraft {
    /// Who.
    pub movers: Movers,
    /// From where, if said.
    pub from: Option<PlaceRef>,
    /// The places to pass and the goal, in order; several in one = "Riga or Wenden".
    pub legs: Vec<Vec<PlaceRef>>,
    /// How.
    pub pace: Option<Pace>,
    /// Along which river.
    pub river: Option<RiverId>,
    /// What to do at the goal.
    pub arrival: Option<Arrival>,
    /// "attack": there may be a battle or a storm.
    pub attacks: bool,
    /// On to here after a victory.
    pub onward: Vec<PlaceRef>,
}

/// Which Action card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CardWish {
    Value(u32),
    Serial(u32),
    Highest,
    Lowest,
    Any,
}

/// How many are bought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Amount {
    Number(u32),
    Most,
}

/// An event card as named: its candidates and, if said, which copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CardRef {
    /// Slugs.
    pub ids: Vec<String>,
    /// Any Supply card, of so many steps if said.
    pub supply: Option<Option<u32>>,
    /// Which copy.
    pub copy: Option<u32>,
    /// The words.
    pub at: Range,
}

/// What a clause says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Draft {
    Card(CardWish),
    NoCard,
    Discard(CardRef),
    Event { card: CardRef, targets: Vec<(Vec<Thing>, Range)>, garrisons: Movers },
    March(MarchDraft),
    Hold { movers: Movers, place: Option<PlaceRef> },
    Build { count: u32, kind: Kind, place: Option<PlaceRef>, name: Option<Range>, at: Range },
    Buy(Vec<(Amount, Kind, Range)>),
    Levy { call: bool, places: Vec<PlaceRef> },
    Intent { movers: Movers, place: Option<PlaceRef>, give: bool, foe: Option<Range> },
    Retreat { movers: Movers, when: Option<RetreatWhen>, to: Option<PlaceRef>, maybe_march: bool },
    Siege { movers: Movers, place: Option<PlaceRef>, action: SiegeAction, it: bool },
    War(SeatId),
    Peace(SeatId),
    Passage(SeatId, bool),
    Cede { place: PlaceRef, to: SeatId },
    HitsFirst(Movers),
    FeedFirst(Movers),
    GoOn { movers: Movers, places: Vec<PlaceRef> },
    Kept(String),
    Withdraw(Vec<(u32, Range)>),
}

/// A clause and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Clause {
    /// What it says.
    pub draft: Draft,
    /// Its condition.
    pub cond: Option<Cond>,
    /// It is a standing order.
    pub standing: bool,
    /// Its words.
    pub at: Range,
    /// It begins a sentence after another one in the same block.
    pub after_stop: bool,
}
