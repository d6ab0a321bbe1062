//! One sentence per report entry, written once: the letter, its HTML and the page all print it.

use super::facts::{Changes, Results};
use super::templates::{TemplateFault, Templates};
use super::text;
use super::words;
use crate::engine::report::Entry;
use crate::engine::{EventNo, Roll, Scope};
use serde::Serialize;
use serde_json::{Map, Value};

/// A heading and what stands under it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Section {
    /// A battle, a theatre, a seat's purse.
    pub heading: String,
    /// Its entries, in the report's order.
    pub entries: Vec<EntryView>,
}

/// An entry with its sentence.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EntryView {
    /// `14` or `s3`.
    pub no: String,
    /// The number with the mark of a corrected issue before it: `*14` changed, `+31` new.
    pub label: String,
    /// The anchor on the page: `e14`.
    pub anchor: String,
    /// `changed`, `new` or empty.
    pub mark: String,
    /// The kind, as a class for the style sheet.
    pub kind: String,
    /// The sentence.
    pub sentence: String,
    /// Rules and rulings.
    pub cites: Vec<String>,
    /// Dice that the reader may see.
    pub rolls: Vec<RollView>,
    /// The hex's number, or empty.
    pub hex: String,
    /// The step of the sequence of play, in words.
    pub step: String,
    /// The reader's own words that ordered it, or empty.
    pub words: String,
    /// The ruling that caused it, or 0.
    pub ruling: u32,
}

/// Dice thrown together, as they are shown.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RollView {
    /// "volley, Riga Garrison, second".
    pub what: String,
    /// Who may check them.
    pub scope: String,
    /// "6 4 2 \[3\]": in brackets what a ruling set.
    pub faces: String,
    /// The key the faces follow from.
    pub key: String,
    /// Set if a ruling ordered another throw.
    pub rerolled: bool,
    /// Set if a ruling set one of the dice.
    pub ruled: bool,
}

/// The report's entries in sections; entries under the same heading stand together where the first of them stood.
pub fn sections(templates: &Templates, results: &Results) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for entry in &results.report.entries {
        let view = view(templates, results, entry);
        match sections.iter_mut().find(|s| s.heading == entry.heading) {
            Some(section) => section.entries.push(view),
            None => sections.push(Section { heading: text::plain(&entry.heading), entries: vec![view] }),
        }
    }
    sections
}

fn view(templates: &Templates, results: &Results, entry: &Entry) -> EntryView {
    let system = &results.occasion.system;
    // Results must go out even if an umpire's own template is broken: the facts are then told without prose.
    let sentence = sentence(templates, system, results.occasion.turn, entry).unwrap_or_else(|fault| {
        tracing::warn!(%fault, kind = entry.kind, "an entry is told without prose");
        plain_facts(entry)
    });
    let mark = results.changes.as_ref().map_or("", |changes| mark(changes, entry.no));
    let sign = match mark {
        "changed" => "*",
        "new" => "+",
        _ => "",
    };
    EntryView {
        no: entry.no.to_string(),
        label: format!("{sign}{}", entry.no),
        anchor: format!("e{}", entry.no),
        mark: mark.to_owned(),
        kind: entry.kind.clone(),
        sentence,
        cites: entry.cites.iter().map(ToString::to_string).collect(),
        rolls: entry.rolls.iter().map(|r| roll(r, who(entry))).collect(),
        hex: entry.hex.map(|h| h.to_string()).unwrap_or_default(),
        step: entry.step.as_str().replace('_', " "),
        words: entry.source.as_ref().map(|s| text::plain(&s.words)).unwrap_or_default(),
        ruling: entry.ruling.map_or(0, |r| r.0),
    }
}

fn mark(changes: &Changes, no: EventNo) -> &'static str {
    if changes.added.contains(&no) {
        "new"
    } else if changes.changed.contains(&no) {
        "changed"
    } else {
        ""
    }
}

/// The sentence of one entry, from `templates/<system>/entry/<kind>.txt`. The template gets the entry's facts and `n`, a
/// number that is always the same for this event, to choose between phrasings by.
///
/// # Errors
/// If the template fails; a kind without a template is no error but told plainly, and logged.
pub fn sentence(templates: &Templates, system: &str, turn: u32, entry: &Entry) -> Result<String, TemplateFault> {
    let name = templates.name_for(system, &format!("entry/{}.txt", entry.kind));
    if !templates.has(&name) {
        tracing::warn!(kind = entry.kind, system, "no template words this kind of event");
        return Ok(plain_facts(entry));
    }
    let mut facts: Map<String, Value> = entry.facts.clone();
    let no = entry.no.count();
    // Three is the number of phrasings almost everywhere: seven keeps the turns from beginning alike.
    facts.insert("n".to_owned(), Value::from(u64::from(no) + 7 * u64::from(turn)));
    facts.insert("hex".to_owned(), entry.hex.map_or(Value::Null, |h| Value::from(h.to_string())));
    let rendered = templates.render(&name, &facts)?;
    let joined = rendered.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(words::upper_first(&text::plain(&joined)))
}

fn plain_facts(entry: &Entry) -> String {
    let facts: Vec<String> =
        entry.facts.iter().map(|(name, value)| format!("{} {}", name.replace('_', " "), plain_value(value))).collect();
    let kind = words::upper_first(&entry.kind.replace('_', " "));
    match facts.is_empty() {
        true => format!("{kind}."),
        false => text::plain(&format!("{kind}: {}.", facts.join("; "))),
    }
}

fn plain_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => words::list(&items.iter().map(plain_value).collect::<Vec<_>>()),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

/// Who threw, by name: the keys of the dice know numbers only.
fn who(entry: &Entry) -> &str {
    ["unit", "leader", "seat"].iter().find_map(|fact| entry.facts.get(*fact).and_then(Value::as_str)).unwrap_or("")
}

fn roll(roll: &Roll, who: &str) -> RollView {
    let face = |(i, face): (usize, &u8)| match roll.set_by_ruling.contains(&i) {
        true => format!("[{face}]"),
        false => face.to_string(),
    };
    let key = &roll.key;
    let again = match key.ordinal {
        0 | 1 => String::new(),
        n => format!(", {}", words::ordinal(i64::from(n))),
    };
    RollView {
        what: text::plain(&format!("{}, {}{again}", key.what, if who.is_empty() { &key.subject } else { who })),
        scope: match &roll.scope {
            Scope::Public => "all".to_owned(),
            Scope::Seat(_) => "you".to_owned(),
            Scope::Battle(hex) => format!("battle {hex}"),
            Scope::Deal => "the deal".to_owned(),
        },
        faces: roll.faces.iter().enumerate().map(face).collect::<Vec<_>>().join(" "),
        key: key.to_string(),
        rerolled: key.reroll.is_some(),
        ruled: !roll.set_by_ruling.is_empty(),
    }
}
