//! The umpire's words as a verb and what follows it, and complaints that point at them.

use super::super::state::State;
use super::names::fold;
use crate::engine::{Complaint, ComplaintKind, Span};
use std::ops::Range;

/// A word of the line.
pub(super) struct Word<'w> {
    /// As typed, without the comma behind it.
    pub(super) raw: &'w str,
    /// Lower case, without accents.
    pub(super) folded: String,
    /// A comma stands behind it.
    pub(super) comma: bool,
    start: u32,
    end: u32,
}

/// The line.
pub(super) struct Words<'w> {
    pub(super) state: &'w State,
    line: &'w str,
    pub(super) all: Vec<Word<'w>>,
}

impl<'w> Words<'w> {
    pub(super) fn of(state: &'w State, line: &'w str) -> Self {
        let mut all = Vec::new();
        let mut column = 0;
        for part in line.split(char::is_whitespace) {
            let raw = part.trim_end_matches([',', ';', '.', ':']);
            let chars = |text: &str| u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            if !raw.is_empty() {
                let comma = part.ends_with(',');
                all.push(Word { raw, folded: fold(raw), comma, start: column, end: column + chars(raw) });
            }
            column += chars(part) + 1;
        }
        Self { state, line, all }
    }

    /// The first word.
    pub(super) fn verb(&self) -> &str {
        self.all.first().map_or("", |word| &word.folded)
    }

    /// All words behind the verb.
    pub(super) fn rest(&self) -> Range<usize> {
        1.min(self.all.len())..self.all.len()
    }

    /// The words of a stretch.
    pub(super) fn at(&self, range: &Range<usize>) -> &[Word<'w>] {
        self.all.get(range.clone()).unwrap_or(&[])
    }

    /// The word at a place, folded.
    pub(super) fn word(&self, place: usize) -> &str {
        self.all.get(place).map_or("", |word| &word.folded)
    }

    /// A stretch as typed.
    pub(super) fn typed(&self, range: &Range<usize>) -> String {
        self.at(range).iter().map(|word| word.raw).collect::<Vec<_>>().join(" ")
    }

    /// The stretches before and behind the last of these words in `range`.
    pub(super) fn split(&self, range: &Range<usize>, at: &[&str]) -> Option<(Range<usize>, Range<usize>)> {
        let place = range.clone().rev().find(|place| at.contains(&self.word(*place)))?;
        Some((range.start..place, place + 1..range.end))
    }

    /// The stretches of a list: parted by commas and "and".
    pub(super) fn list(&self, range: &Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut start = range.start;
        for (place, word) in range.clone().zip(self.at(range)) {
            let is_and = word.folded == "and";
            if is_and || word.comma {
                parts.push(start..if is_and { place } else { place + 1 });
                start = place + 1;
            }
        }
        parts.push(start..range.end);
        parts.into_iter().filter(|part| !part.is_empty()).collect()
    }

    /// A number within `range`, and the rest of the stretch without it and without "steps", "CS", "of" and "from".
    pub(super) fn count(&self, range: &Range<usize>) -> (Option<u8>, Range<usize>) {
        let mut start = range.start;
        let number = match self.word(start) {
            "a" | "one" => Some(1),
            "two" => Some(2),
            "three" => Some(3),
            digits => digits.parse().ok(),
        };
        if number.is_some() {
            start += 1;
        }
        while start < range.end && matches!(self.word(start), "step" | "steps" | "cs" | "of" | "from" | "for" | "to") {
            start += 1;
        }
        (number, start..range.end)
    }

    /// A complaint about a stretch.
    pub(super) fn complaint(
        &self,
        range: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Complaint {
        let words = self.at(&range);
        let span = words.first().zip(words.last());
        Complaint {
            kind: ComplaintKind::NotUnderstood,
            span: span.map(|(first, last)| Span { line: 1, start: first.start, end: last.end }),
            line_text: self.line.to_owned(),
            message: message.into(),
            help: help.into(),
            cites: Vec::new(),
        }
    }

    /// A complaint about the whole line, to which the form's usage is added.
    pub(super) fn unclear(&self, message: impl Into<String>) -> Complaint {
        self.complaint(0..self.all.len(), message, "")
    }
}
