//! Events that the umpire imposes, in the rulebook's terms.

use super::event::Event;
use super::state::State;
use crate::engine::{Complaint, ComplaintKind};

/// Skeleton.
pub(super) fn read(_: &State, words: &str) -> Result<(&'static str, Event), Complaint> {
    Err(Complaint {
        kind: ComplaintKind::NotUnderstood,
        span: None,
        line_text: words.to_owned(),
        message: String::new(),
        help: String::new(),
        cites: Vec::new(),
    })
}
