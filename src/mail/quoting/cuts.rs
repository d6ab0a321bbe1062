//! Where another's letter begins: attributions, header blocks, forwards.

use super::super::phrases::{self, Field};
use super::{BodyLine, Why};

/// An attribution is wrapped over at most this many lines.
const LONGEST_ATTRIBUTION: usize = 4;
/// Characters; longer "attributions" are prose.
const LONGEST_TEXT: usize = 400;

/// The first line from which everything is another's letter without quote marks, and why.
pub(super) fn find_cut(lines: &[BodyLine]) -> Option<(usize, Why)> {
    let at = (0..lines.len()).find_map(|at| {
        let line = lines.get(at)?;
        // Gmail marks the head of a forward as an attribution.
        if !matches!(line.mark, None | Some(Why::Attribution)) {
            return None;
        }
        announced(&line.text)
            .or_else(|| is_header_block(lines, at).then_some(Why::OriginalMessage))
            .or_else(|| is_bare_attribution(lines, at).then_some(Why::OriginalMessage))
            .map(|why| (at, why))
    });
    at.map(|(at, why)| (rule_above(lines, at), why))
}

/// `-----Original Message-----`, `---------- Forwarded message ---------` and "Begin forwarded message:".
fn announced(text: &str) -> Option<Why> {
    let text = text.trim();
    let inner = text.trim_matches('-');
    let dashed = text.starts_with("---") && text.ends_with("---");
    let colon = text.ends_with(':');
    if !dashed && !colon {
        return None;
    }
    let said = inner.trim().trim_end_matches(':').trim().to_lowercase();
    if phrases::FORWARDED.contains(&said.as_str()) {
        return Some(Why::Forwarded);
    }
    (dashed && phrases::ORIGINAL.contains(&said.as_str())).then_some(Why::OriginalMessage)
}

/// Whether a header as Outlook sets it above an unmarked quote begins at `at`: From, Sent and Subject in
/// consecutive lines, in one of the languages known; or From, Sent with a day of our time, and To, since Outlook
/// leaves an empty subject away.
fn is_header_block(lines: &[BodyLine], at: usize) -> bool {
    let first = lines.get(at).and_then(|l| field_of(&l.text));
    if first.is_none() {
        return false;
    }
    let mut seen = std::collections::BTreeSet::new();
    let mut folded = 0;
    let mut dated = false;
    for line in lines.iter().skip(at).take(10) {
        match field_of(&line.text) {
            Some(field) => {
                seen.insert(field);
                dated |= field == Field::Sent && names_year(&line.text);
                folded = 0;
            }
            // Long lists of addresses go on in further lines.
            None if !line.text.trim().is_empty() && folded < 2 => folded += 1,
            None => break,
        }
    }
    let about = seen.contains(&Field::Subject) || (dated && seen.contains(&Field::To));
    about && seen.contains(&Field::From) && seen.contains(&Field::Sent)
}

/// The field that a line of such a header states; its label may be set in bold, with or without stars.
fn field_of(text: &str) -> Option<Field> {
    let (label, value) = text.split_once(':')?;
    let label = label.trim().trim_matches('*').trim().to_lowercase();
    if value.trim_matches(['*', ' ']).is_empty() {
        return None;
    }
    phrases::FIELDS.iter().find(|(name, _)| *name == label).map(|(_, field)| *field)
}

/// Includes the rule of underscores or dashes that stands above a header block.
fn rule_above(lines: &[BodyLine], at: usize) -> usize {
    let is_rule = |text: &str| text.len() >= 8 && (text.chars().all(|c| c == '_') || text.chars().all(|c| c == '-'));
    let above = (0..at).rev().find(|&i| lines.get(i).is_some_and(|l| !l.text.trim().is_empty()));
    match above {
        Some(i) if lines.get(i).is_some_and(|l| l.mark.is_none() && is_rule(l.text.trim())) => i,
        _ => at,
    }
}

/// Whether an attribution stands at `at` with nothing quoted below it: some programs quote without marks. Only a
/// full one, with day and mail address, is believed.
fn is_bare_attribution(lines: &[BodyLine], at: usize) -> bool {
    let Some(first) = lines.get(at) else { return false };
    if !begins_attribution(&first.text) {
        return false;
    }
    let Some(length) = (1..=LONGEST_ATTRIBUTION).find(|&n| {
        let text = joined(lines, at, n);
        text.contains('@') && ends_attribution(&text)
    }) else {
        return false;
    };
    let below = lines.iter().skip(at + length).find(|l| !l.text.trim().is_empty());
    below.is_some_and(|l| l.mark.is_none())
}

/// The lines of the attribution right above the quote that begins at `quote`, if there is one.
pub(super) fn attribution_above(lines: &[BodyLine], quote: usize) -> Option<(usize, usize)> {
    let last = (0..quote).rev().take(3).find(|&i| lines.get(i).is_some_and(|l| !l.text.trim().is_empty()))?;
    let own = |i: usize| lines.get(i).is_some_and(|l| l.mark.is_none() && !l.text.trim().is_empty());
    let firsts = || (0..=last).rev().take(LONGEST_ATTRIBUTION).take_while(|&i| own(i));
    let whole = |first: usize| ends_attribution(&joined(lines, first, last + 1 - first));
    firsts()
        .find(|&first| lines.get(first).is_some_and(|l| begins_attribution(&l.text)) && whole(first))
        .or_else(|| firsts().take(1).find(|&first| whole(first)))
        .map(|first| (first, last))
}

fn joined(lines: &[BodyLine], first: usize, count: usize) -> String {
    lines.iter().skip(first).take(count).map(|l| l.text.trim()).collect::<Vec<_>>().join(" ")
}

/// Whether a line can be the first of an attribution: it names a day of our time or an hour, and begins as they do.
fn begins_attribution(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let first = text.split(|c: char| c.is_whitespace() || c == ',').next().unwrap_or_default();
    let begins = first.starts_with(|c: char| c.is_ascii_digit())
        || phrases::WROTE_START.contains(&first)
        || phrases::WEEKDAYS.iter().any(|day| text.starts_with(day));
    begins && (names_year(&text) || names_hour(&text))
}

fn names_year(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.any(|n| n.len() == 4 && (n.starts_with("19") || n.starts_with("20")))
}

fn names_hour(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || c == ',').any(|word| {
        let mut parts = word.splitn(3, [':', '.']).map(|p| p.len() == 2 && p.bytes().all(|b| b.is_ascii_digit()));
        word.len() >= 4 && word.starts_with(|c: char| c.is_ascii_digit()) && parts.nth(1) == Some(true)
    })
}

/// Whether a text, wrapped lines joined, ends as an attribution does: with its verb, or with the address after it.
fn ends_attribution(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let Some(text) = text.strip_suffix(':').map(str::trim_end).filter(|t| t.chars().count() <= LONGEST_TEXT) else {
        return false;
    };
    let verb_ends = phrases::WROTE.iter().any(|verb| ends_with_word(text, verb));
    let verb_within = phrases::WROTE.iter().any(|verb| text.contains(&format!(" {verb} ")));
    let has_digit = text.bytes().any(|b| b.is_ascii_digit());
    let address = text.contains('@');
    // Gmail in Russian writes no verb: "пт, 4 дек. 2026 г. в 20:00, Umpire <umpire@example.org>:".
    let address_ends = address && text.ends_with('>');
    verb_ends || (verb_within && (has_digit || address)) || (address_ends && has_digit)
}

fn ends_with_word(text: &str, word: &str) -> bool {
    text.strip_suffix(word).is_some_and(|before| before.is_empty() || before.ends_with([' ', '>', ',']))
}
