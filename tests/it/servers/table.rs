//! The fault table: one row for each kind of fault that was tried, with what was counted. `tests/run` prints the rows of its run.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// What is counted after a fault. The last four must be 0.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    /// How often the fault struck.
    pub struck: usize,
    /// Letters sent to the umpire, or by him where the fault is on the way out; each counted once.
    pub letters: usize,
    /// Of these, answered: by a letter of their own, or by a newer one that says all that it would have said. On the way out: taken by the
    /// server, refused by it for good, or dropped for a newer one.
    pub settled: usize,
    /// Letters that came again under the same Message-ID: what mail programs show once.
    pub again: usize,
    /// Letters of which nothing came.
    pub lost: usize,
    /// Letters answered twice with another Message-ID.
    pub twice: usize,
    /// Turns adjudicated twice.
    pub readjudicated: usize,
    /// Turns closed with timely mail unread.
    pub unread: usize,
}

impl Counts {
    /// Writes the row down for `tests/run`, and fails if anything is there that must not be.
    pub fn row(&self, fault: &str) {
        let mut line = format!("{fault:<58}");
        for count in [self.struck, self.letters, self.settled, self.again] {
            write!(line, "{count:>9}").unwrap();
        }
        for count in [self.lost, self.twice, self.readjudicated, self.unread] {
            write!(line, "{count:>7}").unwrap();
        }
        println!("{line}");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults");
        fs::create_dir_all(&folder).unwrap();
        let name: String = fault.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        fs::write(folder.join(name), line + "\n").unwrap();
        assert_eq!([self.lost, self.twice, self.readjudicated, self.unread], [0; 4], "{fault}: {self:?}");
        assert_eq!(self.settled, self.letters, "{fault}: {self:?}");
    }
}
