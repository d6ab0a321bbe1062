//! The fault table: one row for each kind of fault that was tried, with what was counted. `tests/run` prints the rows of its run.

use rusqlite::Connection;
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
    /// What an umpire's folder holds, when all is at rest, of so many different letters with orders that were sent in time.
    pub fn of_folder(dir: &Path, struck: usize, letters: usize) -> Self {
        let store = Connection::open(dir.join("umpire.sqlite")).unwrap();
        let count = |sql: &str| store.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap().unsigned_abs() as usize;
        let settled = count(
            "SELECT count(*) FROM intake AS i WHERE outcome = 'orders' AND EXISTS (SELECT 1 FROM outbox AS o
             WHERE o.cause = 'letter ' || i.no AND (o.sent IS NOT NULL OR o.dropped_by IS NOT NULL))",
        );
        Self {
            struck,
            letters,
            settled,
            again: 0,
            lost: letters.saturating_sub(settled),
            twice: count(
                "SELECT count(*) FROM (SELECT cause FROM outbox WHERE kind = 'acknowledgement'
                 GROUP BY cause, recipient HAVING count(*) > 1)",
            ),
            readjudicated: readjudicated(&store),
            unread: letters.saturating_sub(count("SELECT count(*) FROM intake WHERE outcome = 'orders'")),
        }
    }

    /// The sum of both.
    pub fn and(self, other: &Self) -> Self {
        Self {
            struck: self.struck + other.struck,
            letters: self.letters + other.letters,
            settled: self.settled + other.settled,
            again: self.again + other.again,
            lost: self.lost + other.lost,
            twice: self.twice + other.twice,
            readjudicated: self.readjudicated + other.readjudicated,
            unread: self.unread + other.unread,
        }
    }

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

/// How many turns were adjudicated more than once.
pub fn readjudicated(store: &Connection) -> usize {
    let sql = "SELECT count(*) FROM (SELECT game, json_extract(fact, '$.turn') FROM journal
               WHERE json_extract(fact, '$.fact') = 'adjudicated' GROUP BY 1, 2 HAVING count(*) > 1)";
    store.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap().unsigned_abs() as usize
}
