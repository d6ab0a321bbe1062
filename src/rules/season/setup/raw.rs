//! Data files as written: tables and keys, each value with its line, every fault kept instead of the first one thrown.

use crate::engine::fault::line_of;
use crate::engine::{DataFault, HexId, SeatId};
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A line of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct At {
    /// File.
    pub file: &'static str,
    /// Line from 1; 0 = the file as a whole.
    pub line: usize,
}

/// The faults found so far.
#[derive(Default)]
pub(super) struct Faults(Vec<DataFault>);

impl Faults {
    /// Notes a fault.
    pub fn add(&mut self, at: At, message: impl Into<String>, help: impl Into<String>) {
        self.0.push(DataFault::new(at.file, at.line, message, help));
    }

    /// Whether nothing was found.
    pub fn none(&self) -> bool {
        self.0.is_empty()
    }

    /// All faults, by file and line, none twice.
    pub fn into_list(mut self) -> Vec<DataFault> {
        self.0.sort();
        self.0.dedup();
        self.0
    }
}

/// A sentence that offers the nearest known word, or all of them if none is near.
pub(super) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_by_key(|k| strsim::damerau_levenshtein(&word.to_lowercase(), &k.to_lowercase()));
    let near = known.first().filter(|k| strsim::damerau_levenshtein(word, k) <= 1.max(word.chars().count() / 3));
    match (near, known.len()) {
        (Some(near), _) => format!("did you mean \"{near}\"?"),
        (None, 0) => String::new(),
        (None, 1..=12) => format!("known are: {}", known.join(", ")),
        (None, more) => format!("none of the {more} known names is near it"),
    }
}

/// The text of a file; a missing one is a fault.
pub(super) fn text<'a>(
    files: &'a BTreeMap<String, String>,
    file: &'static str,
    faults: &mut Faults,
) -> Option<&'a str> {
    let found = files.get(file);
    if found.is_none() {
        let help = did_you_mean(file, files.keys().map(String::as_str));
        faults.add(At { file, line: 0 }, "the campaign has no such file", help);
    }
    found.map(String::as_str)
}

/// A row of a CSV file. An empty cell stands for "none".
pub(super) struct Row {
    /// Where.
    pub at: At,
    cells: BTreeMap<&'static str, String>,
}

/// The column that says where a row's figures are from; no rule reads it.
const SOURCE: &str = "source";

/// Reads a CSV file that a campaign may do without.
pub(super) fn rows_if_there(
    files: &BTreeMap<String, String>,
    file: &'static str,
    columns: &[&'static str],
    faults: &mut Faults,
) -> Vec<Row> {
    if files.contains_key(file) { rows(files, file, columns, faults) } else { Vec::new() }
}

/// Reads a CSV file with exactly these columns, in any order, and perhaps one for sources.
pub(super) fn rows(
    files: &BTreeMap<String, String>,
    file: &'static str,
    columns: &[&'static str],
    faults: &mut Faults,
) -> Vec<Row> {
    let Some(text) = text(files, file, faults) else { return Vec::new() };
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let places = match reader.headers() {
        Ok(headers) => places(headers, file, columns, faults),
        Err(fault) => {
            faults.add(At { file, line: 1 }, format!("the header cannot be read: {fault}"), "");
            return Vec::new();
        }
    };
    let width = reader.headers().map_or(0, csv::StringRecord::len);
    let mut rows = Vec::new();
    for record in reader.records() {
        match record {
            Ok(record) => {
                let line = record.position().map_or(0, |p| usize::try_from(p.line()).unwrap_or(0));
                let at = At { file, line };
                if record.len() != width {
                    let message = format!("{} cells where the header has {width}", record.len());
                    faults.add(at, message, "a name with a comma in it needs quotes around it");
                }
                let cell = |place: &usize| record.get(*place).unwrap_or("").to_owned();
                let cells = places.iter().map(|(column, place)| (*column, cell(place))).collect();
                rows.push(Row { at, cells });
            }
            Err(fault) => {
                let line = fault.position().map_or(0, |p| usize::try_from(p.line()).unwrap_or(0));
                faults.add(At { file, line }, format!("the row cannot be read: {fault}"), "");
            }
        }
    }
    rows
}

fn places(
    headers: &csv::StringRecord,
    file: &'static str,
    columns: &[&'static str],
    faults: &mut Faults,
) -> BTreeMap<&'static str, usize> {
    let at = At { file, line: 1 };
    let mut found = BTreeMap::new();
    for (place, name) in headers.iter().enumerate() {
        match columns.iter().find(|column| **column == name) {
            Some(column) if found.insert(*column, place).is_none() => {}
            Some(_) => faults.add(at, format!("the column \"{name}\" stands twice"), "strike one of them"),
            // Any file may say where its figures are from.
            None if name == SOURCE => {}
            None => {
                let help = did_you_mean(name, columns.iter().copied());
                faults.add(at, format!("there is no column \"{name}\" here"), help);
            }
        }
    }
    for column in columns.iter().filter(|column| !found.contains_key(*column)) {
        faults.add(at, format!("the column \"{column}\" is missing"), format!("columns: {}", columns.join(",")));
    }
    found
}

impl Row {
    /// The cell as it stands; "" = none.
    pub fn text(&self, column: &str) -> &str {
        self.cells.get(column).map_or("", String::as_str)
    }

    /// The cell, which must not be empty.
    pub fn needed(&self, column: &str, faults: &mut Faults) -> String {
        let cell = self.text(column);
        // A column that is not there at all has been complained about once.
        if cell.is_empty() && self.cells.contains_key(column) {
            faults.add(self.at, format!("{column} is empty"), "it must be filled in");
        }
        cell.to_owned()
    }

    /// Names parted by `|`.
    pub fn list(&self, column: &str) -> Vec<String> {
        self.text(column).split('|').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }

    /// A number between two bounds; `None` for an empty cell or a fault.
    pub fn number<T>(&self, column: &str, least: T, most: T, faults: &mut Faults) -> Option<T>
    where
        T: FromStr + PartialOrd + std::fmt::Display + Copy,
    {
        let cell = self.text(column);
        if cell.is_empty() {
            return None;
        }
        let number = cell.parse().ok().filter(|n| (least..=most).contains(n));
        if number.is_none() {
            let message = format!("{column} is \"{cell}\"");
            faults.add(self.at, message, format!("a number from {least} to {most} is needed"));
        }
        number
    }

    /// A number that must be there.
    pub fn count<T>(&self, column: &str, least: T, most: T, faults: &mut Faults) -> T
    where
        T: FromStr + PartialOrd + std::fmt::Display + Copy,
    {
        self.needed(column, faults);
        self.number(column, least, most, faults).unwrap_or(least)
    }

    /// One of a list of words, "" included if the list has it.
    pub fn choice<T: Copy>(&self, column: &str, choices: &[(&str, T)], faults: &mut Faults) -> Option<T> {
        let cell = self.text(column);
        let chosen = choices.iter().find(|(word, _)| *word == cell);
        if chosen.is_none() && self.cells.contains_key(column) {
            let help = did_you_mean(cell, choices.iter().map(|(word, _)| *word).filter(|word| !word.is_empty()));
            faults.add(self.at, format!("{column} is \"{cell}\""), help);
        }
        chosen.map(|(_, value)| *value)
    }

    /// A hex number.
    pub fn hex(&self, column: &str, faults: &mut Faults) -> Option<HexId> {
        let cell = self.needed(column, faults);
        match cell.parse() {
            Ok(hex) => Some(hex),
            Err(_) if cell.is_empty() => None,
            Err(fault) => {
                faults.add(self.at, fault.to_string(), "a leading 0 may have been lost in a spreadsheet");
                None
            }
        }
    }

    /// A seat or, from an empty cell, none; an unknown seat is a fault.
    pub fn seat(&self, column: &str, seats: &BTreeSet<SeatId>, faults: &mut Faults) -> Option<SeatId> {
        let cell = self.text(column);
        if cell.is_empty() {
            return None;
        }
        let known = seats.get(cell).cloned();
        if known.is_none() {
            let help = did_you_mean(cell, seats.iter().map(SeatId::as_str));
            faults.add(self.at, format!("{column} \"{cell}\" is no seat of campaign.toml"), help);
        }
        known
    }
}

/// A table of a TOML file.
pub(super) struct Keys<'t> {
    /// Where it begins.
    pub at: At,
    text: &'t str,
    name: String,
    table: &'t DeTable<'t>,
}

/// Parses a TOML file; what cannot be parsed is a fault.
pub(super) fn parse<'t>(file: &'static str, text: &'t str, faults: &mut Faults) -> Spanned<DeTable<'t>> {
    let (table, broken) = DeTable::parse_recoverable(text);
    for fault in broken {
        let line = fault.span().map_or(0, |span| line_of(text, &span));
        faults.add(At { file, line }, format!("this is not TOML: {}", fault.message()), "");
    }
    table
}

impl<'t> Keys<'t> {
    /// The whole of a parsed file.
    pub fn top(file: &'static str, text: &'t str, table: &'t Spanned<DeTable<'t>>) -> Self {
        Self { at: At { file, line: 0 }, text, name: String::new(), table: table.get_ref() }
    }

    fn full(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    fn value(&self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.table.get(key)
    }

    /// Where a key's value stands, else where the table begins.
    pub fn at(&self, key: &str) -> At {
        let line = self.value(key).map(|value| line_of(self.text, &value.span()));
        At { line: line.unwrap_or(self.at.line), ..self.at }
    }

    /// Complains of keys other than these.
    pub fn only(&self, known: &[&str], faults: &mut Faults) {
        for key in self.table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            let at = At { line: line_of(self.text, &key.span()), ..self.at };
            let help = did_you_mean(key.get_ref(), known.iter().copied());
            faults.add(at, format!("\"{}\" is not known here", self.full(key.get_ref())), help);
        }
    }

    /// Whether a key is there.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    fn wanted(&self, key: &str, what: &str, faults: &mut Faults) {
        match self.value(key) {
            None => faults.add(self.at, format!("\"{}\" is missing", self.full(key)), format!("{what} is needed")),
            Some(_) => {
                faults.add(self.at(key), format!("\"{}\" is not {what}", self.full(key)), format!("{what} is needed"));
            }
        }
    }

    /// A text.
    pub fn text(&self, key: &str, faults: &mut Faults) -> String {
        let found = self.value(key).and_then(|v| v.get_ref().as_str());
        if found.is_none() {
            self.wanted(key, "a text in quotes", faults);
        }
        found.unwrap_or_default().to_owned()
    }

    /// Texts.
    pub fn texts(&self, key: &str, faults: &mut Faults) -> Vec<String> {
        let list = self.value(key).and_then(|v| v.get_ref().as_array());
        let texts: Option<Vec<String>> =
            list.and_then(|list| list.iter().map(|v| v.get_ref().as_str().map(str::to_owned)).collect());
        if texts.is_none() {
            self.wanted(key, "a list of texts", faults);
        }
        texts.unwrap_or_default()
    }

    /// `true` or `false`.
    pub fn flag(&self, key: &str, faults: &mut Faults) -> bool {
        let found = self.value(key).and_then(|v| v.get_ref().as_bool());
        if found.is_none() {
            self.wanted(key, "true or false", faults);
        }
        found.unwrap_or_default()
    }

    /// A whole number between two bounds.
    pub fn number<T: TryFrom<i64> + Default>(&self, key: &str, least: i64, most: i64, faults: &mut Faults) -> T {
        let written = self.value(key).and_then(|v| v.get_ref().as_integer());
        let number = written.and_then(|n| i64::from_str_radix(n.as_str(), n.radix()).ok());
        let number = number.filter(|n| (least..=most).contains(n)).and_then(|n| T::try_from(n).ok());
        if number.is_none() {
            self.wanted(key, &format!("a whole number from {least} to {most}"), faults);
        }
        number.unwrap_or_default()
    }

    /// Numbers by name; none if the key is not there.
    pub fn numbers(&self, key: &str, faults: &mut Faults) -> BTreeMap<String, i64> {
        if self.value(key).is_none() {
            return BTreeMap::new();
        }
        let Some(table) = self.table(key, faults) else { return BTreeMap::new() };
        let names: Vec<String> = table.table.keys().map(|name| name.get_ref().to_string()).collect();
        names.into_iter().map(|name| (name.clone(), table.number(&name, -9_999, 9_999, faults))).collect()
    }

    /// One of a list of words.
    pub fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)], faults: &mut Faults) -> Option<T> {
        let word = self.text(key, faults);
        let chosen = choices.iter().find(|(name, _)| *name == word);
        if chosen.is_none() && self.value(key).is_some() {
            let allowed: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
            let help = format!("allowed: {}", allowed.join(", "));
            faults.add(self.at(key), format!("\"{}\" is \"{word}\"", self.full(key)), help);
        }
        chosen.map(|(_, value)| *value)
    }

    /// A table below this one.
    pub fn table(&self, key: &str, faults: &mut Faults) -> Option<Keys<'t>> {
        let found = self.value(key).and_then(|value| self.below(key, value));
        if found.is_none() {
            self.wanted(key, "a table", faults);
        }
        found
    }

    /// The tables of an array `[[key]]`; none is no fault.
    pub fn tables(&self, key: &str, faults: &mut Faults) -> Vec<Keys<'t>> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let list = value.get_ref().as_array();
        let tables: Option<Vec<Keys<'t>>> =
            list.and_then(|list| list.iter().map(|value| self.below(key, value)).collect());
        if tables.is_none() {
            self.wanted(key, "a list of tables", faults);
        }
        tables.unwrap_or_default()
    }

    fn below(&self, key: &str, value: &'t Spanned<DeValue<'t>>) -> Option<Keys<'t>> {
        let line = line_of(self.text, &value.span());
        let table = value.get_ref().as_table()?;
        Some(Keys { at: At { line, ..self.at }, text: self.text, name: self.full(key), table })
    }
}
