//! Events become report entries for one viewer [R-003-83].

use super::event::Event;
use super::state::State;
use crate::engine::report::{Audience, Report, Table};
use crate::engine::{Recorded, Scope, Viewer};

/// Skeleton.
pub(super) fn scopes(_: &State) -> Vec<Scope> {
    vec![Scope::Public]
}

/// Skeleton.
pub(super) fn revealed_to(_: &State, _: &[Recorded<Event>], _: &Viewer) -> Vec<Scope> {
    Vec::new()
}

/// Skeleton.
pub(super) fn audiences(_: &State, events: &[Recorded<Event>]) -> Vec<Audience> {
    events.iter().map(|_| Audience::Everyone).collect()
}

/// Skeleton.
pub(super) fn report(_: &State, _: &[Recorded<Event>], _: &Viewer) -> Report {
    Report { entries: Vec::new(), tables: Vec::new(), board: None }
}

/// Skeleton.
pub(super) fn standing(_: &State, _: &Viewer) -> Vec<Table> {
    Vec::new()
}
