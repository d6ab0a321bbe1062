//! What happened, as it may be told to one reader. No prose here: a kind and its facts; the words are the templates'.

use super::board_picture::BoardPicture;
use super::cite::Cite;
use super::dice::Roll;
use super::hex::HexId;
use super::ids::{SeatId, Source, StepName, Viewer};
use super::working::EventId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The number under which a reader finds an event, challenges it and asks why: `14`; `14.2` for the second detail of event
/// 14, told only to those who were there; `s3` for the third event that one seat alone sees. Each series is numbered for
/// itself, so that a gap in one never tells how much was told to others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventNo {
    /// An event that every reader is told of, if not of all its facts.
    Public(u32),
    /// A detail of a public event: its number and the detail's own.
    Detail(u32, u32),
    /// An event that one seat alone is told of, in that seat's own series.
    Secret(u32),
}

impl EventNo {
    /// The count within its own series: 14 for `14`, 2 for `14.2`, 3 for `s3`.
    pub fn count(self) -> u32 {
        match self {
            EventNo::Public(n) | EventNo::Detail(_, n) | EventNo::Secret(n) => n,
        }
    }

    /// Public events with their details behind each, then the reader's own.
    fn place(self) -> (bool, u32, u32) {
        match self {
            EventNo::Public(n) => (false, n, 0),
            EventNo::Detail(parent, n) => (false, parent, n.saturating_add(1)),
            EventNo::Secret(n) => (true, n, 0),
        }
    }
}

impl PartialOrd for EventNo {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for EventNo {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.place().cmp(&other.place())
    }
}

impl fmt::Display for EventNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventNo::Public(n) => write!(f, "{n}"),
            EventNo::Detail(parent, n) => write!(f, "{parent}.{n}"),
            EventNo::Secret(n) => write!(f, "s{n}"),
        }
    }
}

impl FromStr for EventNo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fault = || format!("\"{text}\" is no event number: 14, 14.2 for a detail, or s3 for one of your own");
        let digits = |part: &str| match part.bytes().all(|b| b.is_ascii_digit()) {
            true => part.parse::<u32>().map_err(|_| fault()),
            false => Err(fault()),
        };
        // A number at the end of a sentence brings its full stop along.
        let bare = text.trim().trim_start_matches('#').trim_end_matches(['.', ',', ':', ';']);
        match (bare.strip_prefix(['s', 'S']), bare.split_once('.')) {
            (Some(rest), _) => digits(rest).map(EventNo::Secret),
            (None, Some((parent, n))) => Ok(EventNo::Detail(digits(parent)?, digits(n)?)),
            (None, None) => digits(bare).map(EventNo::Public),
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
    /// These seats (and the umpire), as a detail of an event that everyone is told of: a volley of a battle, for those who
    /// fight in it. All details of one event have the same seats, or the gaps in one seat's numbers would tell of another's.
    Within {
        /// The public event.
        parent: EventId,
        /// Who is told.
        seats: Vec<SeatId>,
    },
    /// This seat (and the umpire).
    Seat(SeatId),
    /// Nobody but the umpire: the deck's order, for example.
    UmpireOnly,
}

impl Audience {
    /// Whether this reader is told.
    pub fn includes(&self, viewer: &Viewer) -> bool {
        match (self, viewer) {
            (Audience::Everyone, _) | (_, Viewer::Umpire) => true,
            (Audience::Within { seats, .. }, Viewer::Seat(seat)) => seats.contains(seat),
            (Audience::Seat(own), Viewer::Seat(seat)) => own == seat,
            (Audience::UmpireOnly, Viewer::Seat(_)) | (_, Viewer::Public) => false,
        }
    }
}

/// One line of a report, for one reader.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The event it tells of. Never written out: its subject names units by their numbers, which not every reader may know.
    #[serde(skip_serializing, default = "EventId::untold")]
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_numbers_are_typed_as_they_are_printed() {
        for (typed, number) in
            [("14", EventNo::Public(14)), ("14.2", EventNo::Detail(14, 2)), ("s3", EventNo::Secret(3))]
        {
            assert_eq!(typed.parse(), Ok(number));
            assert_eq!(number.to_string(), typed);
            let json = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<EventNo>(&json).unwrap(), number);
        }
    }

    #[test]
    fn event_numbers_are_typed_as_people_type() {
        for (typed, number) in [
            (" #14", EventNo::Public(14)),
            ("14.", EventNo::Public(14)),
            ("14:", EventNo::Public(14)),
            ("S3,", EventNo::Secret(3)),
            ("#14.12.", EventNo::Detail(14, 12)),
        ] {
            assert_eq!(typed.parse(), Ok(number), "{typed}");
        }
        for bad in ["", "s", "x4", "14.2.3", "1 4", "-1", "+3", "s1.2", "4294967296", ".", "14.b"] {
            assert!(bad.parse::<EventNo>().is_err(), "{bad} was taken for an event number");
        }
    }

    #[test]
    fn details_stand_behind_their_event() {
        let mut numbers: Vec<EventNo> = ["s1", "15", "14.2", "14", "14.10", "2"].map(|n| n.parse().unwrap()).into();
        numbers.sort();
        let words: Vec<String> = numbers.iter().map(EventNo::to_string).collect();
        assert_eq!(words, ["2", "14", "14.2", "14.10", "15", "s1"]);
    }
}
