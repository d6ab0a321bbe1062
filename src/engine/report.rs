//! What happened, as it may be told to one reader. No prose here: a kind and its facts; the words are the templates'.

use super::cite::Cite;
use super::dice::Roll;
use super::hex::HexId;
use super::ids::{SeatId, Source, StepName};
use super::working::EventId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The number under which a reader finds an event, challenges it and asks why: `14`, or `s3` for the third event that only
/// one seat sees. Two series, so that a gap in the public numbers never tells how much another seat did in secret.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventNo {
    /// An event that every reader is told of, if not of all its facts.
    Public(u32),
    /// An event that one seat alone is told of, in that seat's own series.
    Secret(u32),
}

impl fmt::Display for EventNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventNo::Public(n) => write!(f, "{n}"),
            EventNo::Secret(n) => write!(f, "s{n}"),
        }
    }
}

impl FromStr for EventNo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("\"{text}\" is no event number: 14, or s3 for one of your own");
        let text = text.trim().trim_start_matches('#');
        match text.strip_prefix(['s', 'S']) {
            Some(rest) => rest.parse().map(EventNo::Secret).map_err(|_| fault()),
            None => text.parse().map(EventNo::Public).map_err(|_| fault()),
        }
    }
}

impl Serialize for EventNo {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EventNo {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Who is told of an event at all.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// All readers.
    Everyone,
    /// This seat (and the umpire).
    Seat(SeatId),
    /// Nobody but the umpire: the deck's order, for example.
    UmpireOnly,
}

/// One line of a report, for one reader.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The event it tells of.
    pub id: EventId,
    /// Its number for this reader.
    pub no: EventNo,
    /// Which block of `templates/<system>/` words it: `army_moved`, `volley`.
    pub kind: String,
    /// What the template may use; only what this reader may know.
    pub facts: serde_json::Map<String, serde_json::Value>,
    /// The step of the sequence of play.
    pub step: StepName,
    /// The heading it stands under: a battle, a theatre, a seat's purse. Entries with the same heading stand together.
    pub heading: String,
    /// Where on the board, if anywhere.
    pub hex: Option<HexId>,
    /// By which rules.
    pub cites: Vec<Cite>,
    /// The reader's own order that caused it.
    pub source: Option<Source>,
    /// Dice that this reader may see.
    pub rolls: Vec<Roll>,
    /// The umpire's ruling that caused it.
    pub ruling: Option<super::ids::RulingNo>,
}

/// A table at the foot of a report: own forces, purse, hand, the war.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Table {
    /// Heading.
    pub title: String,
    /// Column heads.
    pub columns: Vec<String>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<String>>,
}

/// What a hex looks like to one reader, for drawing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HexPicture {
    /// Which.
    pub hex: HexId,
    /// `land`, `sea` or `lake`.
    pub ground: String,
    /// Fill colour of its owner, `#rrggbb`; `None` for neutral ground and water.
    pub fill: Option<String>,
    /// City name, value 0 to 4, fortification `none`, `square` or `hexagon`, and whether it is a port.
    pub city: Option<CityPicture>,
    /// Counters, as far as the reader may know them.
    pub counters: Vec<Counter>,
    /// A battle was fought here this turn.
    pub battle: bool,
}

/// A city on the picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CityPicture {
    /// Name of 1700.
    pub name: String,
    /// Supply value, 0 to 4.
    pub value: u8,
    /// `none`, `square` or `hexagon`.
    pub fort: String,
    /// Anchor or not.
    pub port: bool,
}

/// A pile of one seat's units in one hex.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Counter {
    /// Whose.
    pub seat: SeatId,
    /// Colour `#rrggbb`.
    pub colour: String,
    /// How many brigades (leaders and fleets not counted).
    pub brigades: u32,
    /// Total strength, where the reader may know it.
    pub strength: Option<u32>,
    /// Names of leaders, where the reader may know them, then of brigades; for the hover text.
    pub names: Vec<String>,
}

/// A hexside worth drawing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SidePicture {
    /// Which.
    pub side: super::hex::HexSide,
    /// `clear`, `forest`, `marsh` or `mountain`.
    pub terrain: String,
    /// River name, empty for none.
    pub river: String,
    /// Whether it is a major river.
    pub major: bool,
    /// Whether nothing passes.
    pub closed: bool,
}

/// The whole board as one reader may see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct BoardPicture {
    /// How the hexes lie.
    pub grid: super::hex::Grid,
    /// All hexes, in hex order.
    pub hexes: Vec<HexPicture>,
    /// Hexsides with something on them.
    pub sides: Vec<SidePicture>,
    /// Who is which colour: name and `#rrggbb`.
    pub legend: Vec<(String, String)>,
}

/// A turn's report for one reader.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// Where things stand after it.
    pub tables: Vec<Table>,
    /// The board after it.
    pub board: Option<BoardPicture>,
}
