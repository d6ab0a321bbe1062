//! The head of `campaign.toml`: what the desk has to know of any campaign, whatever its rules.

use crate::engine::DataFault;
use crate::engine::fault::line_of;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const FILE: &str = "campaign.toml";

/// What every campaign says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    /// "Livonia 1700-1701".
    pub title: String,
    /// The rule system.
    pub system: String,
    /// The house rules in force, in the file's order.
    pub house_rules: Vec<HouseRule>,
}

/// A house rule as the campaign sets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HouseRule {
    /// Its name.
    pub name: String,
    /// Its value as written, without quotes.
    pub value: String,
    /// What the comment behind it says.
    pub meaning: String,
}

impl Heading {
    /// Reads the head of `campaign.toml` among these files.
    ///
    /// # Errors
    /// All that is wrong with it, each with its line.
    pub fn read(files: &BTreeMap<String, String>) -> Result<Self, Vec<DataFault>> {
        let Some(text) = files.get(FILE) else {
            let help = "every campaign has one, with at least name, title and system";
            return Err(vec![DataFault::new(FILE, 0, "the campaign has no such file", help)]);
        };
        let (table, broken) = DeTable::parse_recoverable(text);
        let mut faults: Vec<DataFault> = broken
            .iter()
            .map(|fault| DataFault::new(FILE, fault.span().map_or(0, |span| line_of(text, &span)), fault.message(), ""))
            .collect();
        let table = table.get_ref();
        let title = word(text, table, "title", &mut faults);
        let system = word(text, table, "system", &mut faults);
        if faults.is_empty() { Ok(Self { title, system, house_rules: house_rules(text, table) }) } else { Err(faults) }
    }

    /// Whether a house rule that can be `true` or `false` is on.
    pub fn is_on(&self, rule: &str, default: bool) -> bool {
        self.house_rules.iter().find(|r| r.name == rule).map_or(default, |r| r.value == "true")
    }
}

fn word(text: &str, table: &DeTable<'_>, key: &str, faults: &mut Vec<DataFault>) -> String {
    let found = table.get(key);
    match found.and_then(|value| value.get_ref().as_str()) {
        Some(word) => word.to_owned(),
        None => {
            let line = found.map_or(0, |value| line_of(text, &value.span()));
            faults.push(DataFault::new(FILE, line, format!("`{key}` must be a text"), format!("{key} = \"...\"")));
            String::new()
        }
    }
}

fn house_rules(text: &str, table: &DeTable<'_>) -> Vec<HouseRule> {
    let Some(rules) = table.get("house_rules").and_then(|rules| rules.get_ref().as_table()) else { return Vec::new() };
    let mut found: Vec<(usize, HouseRule)> = rules
        .iter()
        .map(|(name, value)| {
            let span = value.span();
            let rule = HouseRule {
                name: name.get_ref().to_string(),
                value: plain(text, value),
                meaning: comment(text, &span),
            };
            (span.start, rule)
        })
        .collect();
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, rule)| rule).collect()
}

fn plain(text: &str, value: &Spanned<DeValue<'_>>) -> String {
    let written = text.get(value.span()).unwrap_or_default();
    value.get_ref().as_str().unwrap_or(written).to_owned()
}

fn comment(text: &str, span: &Range<usize>) -> String {
    let rest = text.get(span.end..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    rest.trim_start().strip_prefix('#').unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Heading, Vec<DataFault>> {
        Heading::read(&BTreeMap::from([(FILE.to_owned(), text.to_owned())]))
    }

    #[test]
    fn house_rules_keep_their_order_and_their_comments() {
        let heading =
            read("title = \"T\"\nsystem = \"s\"\n[house_rules]\nzeal = \"high\" # R-003-09. How keen\nopen = false\n")
                .unwrap();
        let rules: Vec<[&str; 3]> =
            heading.house_rules.iter().map(|r| [r.name.as_str(), &r.value, &r.meaning]).collect();
        assert_eq!(rules, [["zeal", "high", "R-003-09. How keen"], ["open", "false", ""]]);
        assert!(!heading.is_on("open", true) && heading.is_on("absent", true));
    }

    #[test]
    fn all_faults_come_at_once() {
        let faults = read("title = 3\nname = \n").unwrap_err();
        let lines: Vec<usize> = faults.iter().map(|f| f.line).collect();
        assert_eq!(lines, [2, 1, 0], "{faults:?}");
        assert!(Heading::read(&BTreeMap::new()).is_err());
    }
}
