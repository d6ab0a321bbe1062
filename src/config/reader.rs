//! Reads a table of TOML key by key, and remembers what was wrong and what nobody asked for.

use super::FILE;
use crate::engine::DataFault;
use crate::engine::fault::line_of;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One table, being read.
pub(super) struct Section<'t> {
    text: &'t str,
    name: String,
    /// The line of its head, for what is missing in it; 0 if it is not there at all.
    line: usize,
    table: Option<&'t DeTable<'t>>,
    asked: Vec<String>,
    faults: &'t mut Vec<DataFault>,
}

/// What the parser of TOML says, with its line.
pub(super) fn syntax(text: &str, fault: &toml::de::Error) -> DataFault {
    let line = fault.span().map_or(0, |span| line_of(text, &span));
    DataFault::new(FILE, line, fault.message(), "texts stand in quotes, numbers do not, a table's name in brackets")
}

impl<'t> Section<'t> {
    pub fn top(text: &'t str, table: &'t DeTable<'t>, faults: &'t mut Vec<DataFault>) -> Self {
        Self { text, name: String::new(), line: 0, table: Some(table), asked: Vec::new(), faults }
    }

    fn ask(&mut self, key: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.asked.push(key.to_owned());
        self.table.and_then(|table| table.get(key))
    }

    /// Notes a fault; without a place it is one of the section itself.
    pub fn fault(&mut self, span: Option<Range<usize>>, message: String, help: impl Into<String>) {
        let line = span.map_or(self.line, |span| line_of(self.text, &span));
        self.faults.push(DataFault::new(FILE, line, message, help));
    }

    /// The table's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn full_name(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    /// Reads the table `key`, which may be missing: then all in it has its default.
    pub fn section<T>(&mut self, key: &str, read: impl FnOnce(&mut Section<'_>) -> T) -> T {
        let value = self.ask(key);
        let name = self.full_name(key);
        self.inner(&name, value, read)
    }

    /// Reads the table `key` if it is there.
    pub fn optional<T>(&mut self, key: &str, read: impl FnOnce(&mut Section<'_>) -> T) -> Option<T> {
        let value = self.ask(key)?;
        let name = self.full_name(key);
        Some(self.inner(&name, Some(value), read))
    }

    /// Whether something stands at `key`. It counts as asked for.
    pub fn has(&mut self, key: &str) -> Option<Range<usize>> {
        self.ask(key).map(Spanned::span)
    }

    /// A text, or nothing if it is not there.
    pub fn maybe(&mut self, key: &str) -> Option<String> {
        self.has(key)?;
        Some(self.text(key, Some(""))).filter(|text| !text.is_empty())
    }

    /// A list of texts, or nothing if it is not there.
    pub fn texts(&mut self, key: &str) -> Option<Vec<String>> {
        let value = self.ask(key)?;
        let texts: Option<Vec<String>> = value
            .get_ref()
            .as_array()
            .map(|all| all.iter().map(|one| one.get_ref().as_str().map(str::to_owned).unwrap_or_default()).collect());
        match texts.filter(|texts| !texts.is_empty() && texts.iter().all(|text| !text.is_empty())) {
            Some(texts) => Some(texts),
            None => {
                let name = self.full_name(key);
                let written = self.text.get(value.span()).unwrap_or_default().to_owned();
                self.fault(
                    Some(value.span()),
                    format!("`{name}` cannot be {written}"),
                    "it should be a list of texts such as [\"pass\", \"show\", \"umpire\"]",
                );
                None
            }
        }
    }

    /// Yes or no.
    pub fn flag(&mut self, key: &str, default: bool) -> bool {
        let Some(value) = self.ask(key) else { return default };
        value.get_ref().as_bool().unwrap_or_else(|| {
            let name = self.full_name(key);
            let written = self.text.get(value.span()).unwrap_or_default().to_owned();
            self.fault(Some(value.span()), format!("`{name}` cannot be {written}"), "it should be true or false");
            default
        })
    }

    /// Reads each table within the table `key`.
    pub fn sections<T>(&mut self, key: &str, read: impl Fn(&mut Section<'_>) -> T) -> BTreeMap<String, T> {
        let Some(value) = self.ask(key) else { return BTreeMap::new() };
        let Some(tables) = value.get_ref().as_table() else {
            self.fault(Some(value.span()), format!("`{key}` is a group of tables"), format!("write [{key}.NAME]"));
            return BTreeMap::new();
        };
        tables
            .iter()
            .map(|(name, value)| {
                let name = name.get_ref().to_string();
                let inner = self.inner(&format!("{key}.{name}"), Some(value), &read);
                (name, inner)
            })
            .collect()
    }

    fn inner<T>(
        &mut self,
        name: &str,
        value: Option<&Spanned<DeValue<'_>>>,
        read: impl FnOnce(&mut Section<'_>) -> T,
    ) -> T {
        let table = value.and_then(|value| value.get_ref().as_table());
        if let (Some(value), None) = (value, table) {
            self.fault(
                Some(value.span()),
                format!("`{name}` is a table"),
                format!("write [{name}] on a line of its own"),
            );
        }
        let line = value.map_or(0, |value| line_of(self.text, &value.span()));
        let mut section =
            Section { text: self.text, name: name.to_owned(), line, table, asked: Vec::new(), faults: self.faults };
        let done = read(&mut section);
        section.refuse_the_rest();
        done
    }

    /// A text; without a default it has to be there.
    pub fn text(&mut self, key: &str, default: Option<&str>) -> String {
        self.checked(key, default.map(str::to_owned), "a text in quotes", |text| Some(text.to_owned()))
    }

    /// A text that `check` makes something of; `what` says what it should be.
    pub fn checked<T: Default>(
        &mut self,
        key: &str,
        default: Option<T>,
        what: &str,
        check: impl FnOnce(&str) -> Option<T>,
    ) -> T {
        let name = self.full_name(key);
        let Some(value) = self.ask(key) else {
            if default.is_none() {
                self.fault(None, format!("`{name}` is missing"), format!("it should be {what}"));
            }
            return default.unwrap_or_default();
        };
        match value.get_ref().as_str().map(str::trim).filter(|text| !text.is_empty()).and_then(check) {
            Some(checked) => checked,
            None => {
                let written = self.text.get(value.span()).unwrap_or_default().to_owned();
                self.fault(Some(value.span()), format!("`{name}` cannot be {written}"), format!("it should be {what}"));
                default.unwrap_or_default()
            }
        }
    }

    /// A whole number within a range.
    pub fn number(&mut self, key: &str, default: i64, range: RangeInclusive<i64>) -> i64 {
        let name = self.full_name(key);
        let Some(value) = self.ask(key) else { return default };
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|number| i64::from_str_radix(&number.as_str().replace('_', ""), number.radix()).ok())
            .filter(|number| range.contains(number));
        number.unwrap_or_else(|| {
            let written = self.text.get(value.span()).unwrap_or_default().to_owned();
            let help = format!("it should be a whole number from {} to {}", range.start(), range.end());
            self.fault(Some(value.span()), format!("`{name}` cannot be {written}"), help);
            default
        })
    }

    /// One of a few words.
    pub fn one_of<T: Copy>(&mut self, key: &str, default: T, words: &[(&str, T)]) -> T {
        let known: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
        let found = |text: &str| words.iter().find(|(word, _)| *word == text).map(|(_, value)| Some(*value));
        self.checked(key, Some(Some(default)), &known.join(" or "), found).unwrap_or(default)
    }

    /// Refuses every key that was not asked for.
    pub fn refuse_the_rest(&mut self) {
        let Some(table) = self.table else { return };
        for (key, _) in table {
            let name = key.get_ref().to_string();
            if self.asked.contains(&name) {
                continue;
            }
            let near = self
                .asked
                .iter()
                .map(|known| (strsim::jaro_winkler(known, &name), known))
                .filter(|(likeness, _)| *likeness > 0.75)
                .max_by(|a, b| a.0.total_cmp(&b.0));
            let help = match near {
                Some((_, known)) => format!("did you mean `{known}`?"),
                None => format!("here may stand: {}", self.asked.join(", ")),
            };
            let message = format!("`{}` is not a setting", self.full_name(&name));
            self.fault(Some(key.span()), message, help);
        }
    }
}
