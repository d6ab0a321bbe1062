//! The writer's own words, told from what his mail program, his list server and earlier letters put around them.
//!
//! The rule (shared facts, cases 9 to 16): structure decides, never the wish to be tidy. A line is left out only
//! if a quote mark, an attribution with its quote, a header block, a signature mark or the like says what it is;
//! in doubt it stays and becomes an unknown line that is listed. What was left out is listed with its lines.

mod cuts;
mod lines;

use super::phrases;
use cuts::{attribution_above, find_cut};
use lines::cleaned;
pub(super) use lines::is_invisible;

/// Why lines of a letter are not taken for its writer's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Marked as quoted, by `>` or by HTML structure.
    Quoted,
    /// "On Monday X wrote:" above a quote.
    Attribution,
    /// Below the signature mark `-- ` (RFC 3676 4.3), or in an element that mail programs use for signatures.
    Signature,
    /// An earlier letter below its header block or its attribution, without quote marks.
    OriginalMessage,
    /// A letter passed on.
    Forwarded,
    /// A mailing list's footer.
    ListFooter,
    /// "Sent from my telephone".
    DeviceLine,
    /// The armour of a PGP signature.
    Armour,
}

/// One line of the writer's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnLine {
    /// The line's number in the decoded text as the writer saw it, from 1, quotes and blank lines included.
    /// Soft-wrapped lines count once.
    pub number: usize,
    /// The line as written, but for invisible characters and odd blanks. Never begins with `>`.
    pub text: String,
}

/// Consecutive lines that were left out for one reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// The reason.
    pub why: Why,
    /// Numbered as in [`OwnLine`].
    pub first_line: usize,
    /// The last that belongs to it.
    pub last_line: usize,
}

/// What the writer of a letter put into this letter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnWords {
    /// In the order of the letter. Blank lines between others are kept, at the ends they are not.
    pub lines: Vec<OwnLine>,
    /// In the order of the letter.
    pub left_out: Vec<LeftOut>,
    /// Whether letters had to be guessed or are unreadable: names may be wrong, so ask rather than guess further.
    pub charset_doubt: bool,
}

impl OwnWords {
    /// Whether the letter holds no word of its writer's own.
    pub fn is_empty(&self) -> bool {
        self.lines.iter().all(|line| line.text.trim().is_empty())
    }

    /// The own words as one text, a line each.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Whether some lines were left out for this reason.
    pub fn leaves_out(&self, why: Why) -> bool {
        self.left_out.iter().any(|left| left.why == why)
    }
}

/// A line of the decoded text, and what is known of it from the structure around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BodyLine {
    pub text: String,
    pub mark: Option<Why>,
}

impl BodyLine {
    pub fn plain(text: impl Into<String>) -> Self {
        BodyLine { text: text.into(), mark: None }
    }
}

/// The own words in a plain text that came without a letter around it, such as a file of orders.
pub fn own_words(text: &str) -> OwnWords {
    sort_out(text.split('\n').map(BodyLine::plain).collect())
}

/// Tells the own lines from the others.
pub(super) fn sort_out(body: Vec<BodyLine>) -> OwnWords {
    let mut lines: Vec<BodyLine> = body.into_iter().flat_map(cleaned).collect();
    mark_armour(&mut lines);
    mark_quotes(&mut lines);
    mark_cut(&mut lines);
    mark_attributions(&mut lines);
    mark_signature(&mut lines);
    mark_list_footer(&mut lines);
    mark_device_lines(&mut lines);
    collect(lines)
}

fn mark(lines: &mut [BodyLine], from: usize, to: usize, why: Why) {
    for line in lines.iter_mut().skip(from).take(to.saturating_sub(from)) {
        line.mark.get_or_insert(why);
    }
}

/// Takes a clear-signed text out of its armour (RFC 9580 7): headers, dash-escapes and the signature block.
fn mark_armour(lines: &mut [BodyLine]) {
    let is = |line: &BodyLine, what: &str| line.mark.is_none() && line.text.trim_end() == what;
    let Some(start) = lines.iter().position(|l| is(l, "-----BEGIN PGP SIGNED MESSAGE-----")) else { return };
    let head = lines.iter().skip(start).take_while(|l| !l.text.trim().is_empty()).count();
    let sign = lines.iter().position(|l| is(l, "-----BEGIN PGP SIGNATURE-----")).filter(|&at| at > start);
    let end = lines.iter().position(|l| is(l, "-----END PGP SIGNATURE-----")).filter(|&at| Some(at) > sign);
    let text_end = sign.unwrap_or(lines.len());
    for line in lines.iter_mut().take(text_end).skip(start + head) {
        if let Some(unescaped) = line.text.strip_prefix("- ").filter(|t| t.starts_with('-')) {
            line.text = unescaped.to_owned();
        }
    }
    mark(lines, start, start + head, Why::Armour);
    if let (Some(sign), Some(end)) = (sign, end) {
        mark(lines, sign, end + 1, Why::Armour);
    }
}

/// Marks the lines that begin with `>`. A lone `>From ` is none: mail stores write it for a line that the writer
/// began with "From " (RFC 4155), and orders do begin so.
fn mark_quotes(lines: &mut [BodyLine]) {
    let quoted: Vec<bool> = lines.iter().map(|l| l.text.trim_start().starts_with('>')).collect();
    let near = |at: usize| quoted.get(at).copied().unwrap_or(false);
    let mut answered = false;
    for (at, line) in lines.iter_mut().enumerate() {
        if !near(at) {
            // Below an attribution a lone quoted line is what it seems.
            if !line.text.trim().is_empty() {
                answered = line.text.trim_end().ends_with(':');
            }
            continue;
        }
        let alone = !near(at + 1) && at.checked_sub(1).is_none_or(|before| !near(before)) && !answered;
        match line.text.strip_prefix('>').filter(|t| alone && line.mark.is_none() && t.starts_with("From ")) {
            Some(unescaped) => line.text = unescaped.to_owned(),
            None => {
                line.mark.get_or_insert(Why::Quoted);
            }
        }
    }
}

/// Marks everything below a header block, a forward or an attribution without quote marks.
fn mark_cut(lines: &mut [BodyLine]) {
    if let Some((at, why)) = find_cut(lines) {
        let end = lines.len();
        mark(lines, at, end, why);
    }
}

fn mark_attributions(lines: &mut [BodyLine]) {
    let starts: Vec<usize> = (0..lines.len())
        .filter(|&at| is_quote(lines.get(at)) && !at.checked_sub(1).is_some_and(|before| is_quote(lines.get(before))))
        .collect();
    for start in starts {
        if let Some((first, last)) = attribution_above(lines, start) {
            mark(lines, first, last + 1, Why::Attribution);
        }
    }
}

fn is_quote(line: Option<&BodyLine>) -> bool {
    line.is_some_and(|l| l.mark == Some(Why::Quoted))
}

/// Marks what stands below `-- `, up to the next quote: an answer below that quote is the writer's again.
fn mark_signature(lines: &mut [BodyLine]) {
    let Some(start) = lines.iter().position(|l| l.mark.is_none() && l.text == "-- ") else { return };
    let length =
        lines.iter().skip(start).take_while(|l| !matches!(l.mark, Some(Why::Quoted | Why::Attribution))).count();
    mark(lines, start, start + length, Why::Signature);
}

/// Marks a footer that begins with a rule, speaks of a mailing list and ends the letter.
fn mark_list_footer(lines: &mut [BodyLine]) {
    const LONGEST: usize = 10;
    let is_rule = |l: &BodyLine| {
        let text = l.text.trim();
        l.mark.is_none() && text.len() >= 10 && (text.chars().all(|c| c == '_') || text.chars().all(|c| c == '-'))
    };
    let Some(start) = lines.iter().rposition(is_rule) else { return };
    let foot = || lines.iter().skip(start + 1).map(|l| l.text.to_lowercase());
    let speaks_of_list = foot().any(|text| phrases::LIST_FOOTER.iter().any(|p| text.contains(p)));
    if speaks_of_list && foot().filter(|text| !text.trim().is_empty()).count() <= LONGEST {
        let end = lines.len();
        mark(lines, start, end, Why::ListFooter);
    }
}

fn mark_device_lines(lines: &mut [BodyLine]) {
    for line in lines.iter_mut().filter(|l| l.mark.is_none()) {
        let text = line.text.trim().to_lowercase();
        // Longer lines go on with words of their own.
        if text.chars().count() <= 60 && phrases::DEVICE_LINES.iter().any(|phrase| text.starts_with(phrase)) {
            line.mark = Some(Why::DeviceLine);
        }
    }
}

fn collect(lines: Vec<BodyLine>) -> OwnWords {
    let mut words = OwnWords::default();
    let mut last_own = 0;
    for (at, line) in lines.into_iter().enumerate() {
        let number = at + 1;
        let blank = line.text.trim().is_empty();
        match line.mark {
            None => {
                words.lines.push(OwnLine { number, text: line.text.trim_end().to_owned() });
                last_own = if blank { last_own } else { number };
            }
            Some(_) if blank => {}
            Some(why) => leave_out(&mut words.left_out, why, number, last_own),
        }
    }
    let blank = |line: &OwnLine| line.text.is_empty();
    let keep = words.lines.iter().rposition(|l| !blank(l)).map_or(0, |last| last + 1);
    words.lines.truncate(keep);
    let lead = words.lines.iter().take_while(|l| blank(l)).count();
    words.lines.drain(..lead);
    words.charset_doubt = words.lines.iter().any(|l| l.text.contains('\u{FFFD}'));
    words
}

/// Appends a left-out line, to the last range if only blank lines lie between. `last_own` is the number of the last
/// own line with words.
fn leave_out(left_out: &mut Vec<LeftOut>, why: Why, number: usize, last_own: usize) {
    match left_out.last_mut() {
        Some(last) if last.why == why && last.last_line > last_own => last.last_line = number,
        _ => left_out.push(LeftOut { why, first_line: number, last_line: number }),
    }
}

#[cfg(test)]
mod tests;
