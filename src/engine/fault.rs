//! Faults in a campaign's data: all of them at once, each with file and line.

use std::fmt;
use std::ops::Range;

/// One fault in a data file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DataFault {
    /// The file, as the campaign names it: `hexsides.csv`.
    pub file: String,
    /// The line, from 1; 0 when the fault is that something is missing from the file.
    pub line: usize,
    /// What is wrong, a sentence.
    pub message: String,
    /// What to do, or what was expected; may be empty.
    pub help: String,
}

impl DataFault {
    /// A fault in this line of this file.
    pub fn new(file: &str, line: usize, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for DataFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.file, self.message)?,
            line => write!(f, "{}:{line}: {}", self.file, self.message)?,
        }
        if self.help.is_empty() { Ok(()) } else { write!(f, " ({})", self.help) }
    }
}

/// The line in which a stretch of a text begins, from 1; 0 if it lies beyond it.
pub fn line_of(text: &str, span: &Range<usize>) -> usize {
    text.get(..span.start).map_or(0, |before| before.matches('\n').count() + 1)
}
