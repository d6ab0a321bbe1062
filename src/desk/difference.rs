//! How one issue of a turn's results differs from another, for each reader.

use super::room::Room;
use super::table::{Table, rules_of};
use super::{DeskError, ruling};
use crate::engine::{Entry, EventId, EventNo, Issue, JsonEvent, Report, Roll, RulingNo, TurnNo, Viewer};
use crate::results::entry::sentence;
use crate::results::facts::{Changes, StruckText};
use std::collections::BTreeMap;

/// The reports of an issue for every reader, kept while the next is worked out.
pub(super) struct ReportsBefore {
    reports: BTreeMap<Viewer, Report>,
}

impl ReportsBefore {
    /// The reports of an issue as they stand now.
    pub fn of_issue(table: &mut Table, turn: TurnNo, issue: &Issue) -> Result<Self, DeskError> {
        let reports = readers(table).into_iter().map(|viewer| {
            let report = told(table, turn, &issue.events, &viewer)?;
            Ok((viewer, report))
        });
        Ok(Self { reports: reports.collect::<Result<_, DeskError>>()? })
    }

    /// The report of one reader.
    pub fn of(&self, viewer: &Viewer) -> Option<&Report> {
        self.reports.get(viewer)
    }

    /// The readers for whom `issue` reads differently.
    pub fn differing(&self, table: &mut Table, turn: TurnNo, issue: &Issue) -> Result<Vec<Viewer>, DeskError> {
        let mut differing = Vec::new();
        for (viewer, old) in &self.reports {
            if told(table, turn, &issue.events, viewer)? != *old {
                differing.push(viewer.clone());
            }
        }
        Ok(differing)
    }
}

/// All who read reports: the public and every seat. The umpire reads everything anyway.
pub(super) fn readers(table: &Table) -> Vec<Viewer> {
    let seats = table.seats().into_iter().map(|seat| Viewer::Seat(seat.id));
    std::iter::once(Viewer::Public).chain(seats).collect()
}

fn told(table: &mut Table, turn: TurnNo, events: &[JsonEvent], viewer: &Viewer) -> Result<Report, DeskError> {
    let Table { record, boards, id, .. } = table;
    let numbering = record.turn(turn).map(|t| t.numbering.clone()).unwrap_or_default();
    boards.before(record, turn)?.tell(events, viewer, &numbering).map_err(rules_of(id))
}

/// Entries of two reports side by side, by the identity of their events.
pub(super) struct Sides<'r> {
    pub changed: Vec<(&'r Entry, &'r Entry)>,
    pub struck: Vec<&'r Entry>,
    pub added: Vec<&'r Entry>,
}

/// Compares two reports entry by entry.
pub(super) fn sides<'r>(old: &'r [Entry], new: &'r [Entry]) -> Sides<'r> {
    let by_id = |entries: &'r [Entry]| entries.iter().map(|e| (&e.id, e)).collect::<BTreeMap<&EventId, &Entry>>();
    let (olds, news) = (by_id(old), by_id(new));
    Sides {
        changed: new.iter().filter_map(|e| Some((*olds.get(&e.id)?, e))).filter(|(was, is)| was != is).collect(),
        struck: old.iter().filter(|e| !news.contains_key(&e.id)).collect(),
        added: new.iter().filter(|e| !olds.contains_key(&e.id)).collect(),
    }
}

/// What a corrected issue says of its differences, for one reader.
pub(super) fn changes(
    room: &Room<'_>,
    table: &Table,
    turn: TurnNo,
    old: Option<&Report>,
    new: &Report,
    viewer: &Viewer,
    rulings: &[RulingNo],
) -> Result<Changes, DeskError> {
    let old = old.map_or(&[][..], |report| &report.entries);
    let sides = sides(old, &new.entries);
    let struck = sides.struck.iter().map(|entry| {
        let text = sentence(room.templates, &table.record.system, turn.0, entry)?;
        Ok(StruckText { no: entry.no, text })
    });
    let numbers = |entries: &mut dyn Iterator<Item = &Entry>| entries.map(|e| e.no).collect::<Vec<EventNo>>();
    Ok(Changes {
        rulings: ruling::as_told(table, turn, rulings, viewer, &[old, &new.entries]),
        changed: numbers(&mut sides.changed.iter().map(|(_, is)| *is)),
        struck: struck.collect::<Result<_, DeskError>>()?,
        added: numbers(&mut sides.added.iter().copied()),
    })
}

/// How many dice stayed as they were.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiceCount {
    /// Dice thrown before that show the same face for the same purpose.
    pub unchanged: usize,
    /// All dice thrown before.
    pub of: usize,
}

/// "211 of 214".
impl std::fmt::Display for DiceCount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.of {
            0 => f.write_str("none were thrown"),
            of => write!(f, "{} of {of}", self.unchanged),
        }
    }
}

/// Compares the dice of two issues.
pub(super) fn dice(old: &[JsonEvent], new: &[JsonEvent]) -> DiceCount {
    let rolls = |events: &'_ [JsonEvent]| -> BTreeMap<String, Roll> {
        let all = events.iter().flat_map(|event| &event.rolls);
        all.map(|roll| (format!("{} {}", roll.scope, roll.key), roll.clone())).collect()
    };
    let (old, new) = (rolls(old), rolls(new));
    let same = |key: &String, roll: &Roll| {
        let now = new.get(key).map_or(&[][..], |now| &now.faces);
        roll.faces.iter().zip(now).filter(|(was, is)| was == is).count()
    };
    DiceCount {
        unchanged: old.iter().map(|(key, roll)| same(key, roll)).sum(),
        of: old.values().map(|roll| roll.faces.len()).sum(),
    }
}

/// The events for which two issues differ: what a challenge in a reopened window may be about [R-003-85].
pub(super) fn events_differing(old: &[JsonEvent], new: &[JsonEvent]) -> Vec<EventId> {
    let by_id = |events: &'_ [JsonEvent]| -> BTreeMap<EventId, JsonEvent> {
        events.iter().map(|event| (event.id.clone(), event.clone())).collect()
    };
    let (old, new) = (by_id(old), by_id(new));
    let gone = old.iter().filter(|(id, event)| new.get(*id) != Some(*event)).map(|(id, _)| id);
    let come = new.keys().filter(|id| !old.contains_key(*id));
    gone.chain(come).cloned().collect()
}
