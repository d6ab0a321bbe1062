//! Plain text for a terminal: widths, wrapping, tables, carets. Nothing here knows what the words mean.

use crate::engine::Span;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How wide a letter is. Old mail programs break longer lines wherever they like.
pub const WIDTH: usize = 72;

/// Columns that `text` takes in a terminal: combining marks take none, East Asian characters two.
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Breaks `text` between words so that no line is wider than `columns`. The first line begins with `first`, all others with
/// `rest`. Blank lines part paragraphs. A word that is too long by itself is left whole: it may be an address or a hash.
pub fn wrap(text: &str, first: &str, rest: &str, columns: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut indent = first;
    for paragraph in paragraphs(text) {
        if !lines.is_empty() {
            lines.push(rest.trim_end().to_owned());
        }
        let mut line = indent.to_owned();
        let mut empty = true;
        for word in words_of(&paragraph) {
            if !empty && width(&line) + 1 + width(&word) > columns {
                lines.push(std::mem::replace(&mut line, rest.to_owned()));
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(&word);
            empty = false;
        }
        lines.push(line);
        indent = rest;
    }
    lines.join("\n")
}

/// Words, and short brackets whole: a citation broken over two lines is hard to find again.
fn words_of(paragraph: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for word in paragraph.split([' ', '\n', '\t']).filter(|w| !w.is_empty()) {
        match words.last_mut().filter(|last| open && width(last) < 30) {
            Some(last) => {
                last.push(' ');
                last.push_str(word);
            }
            None => {
                open = word.starts_with('[');
                words.push(word.to_owned());
            }
        }
        open = open && !word.contains(']');
    }
    words
}

fn paragraphs(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut current = String::new();
    for line in text.lines() {
        if line.trim().is_empty() {
            if !current.is_empty() {
                found.push(std::mem::take(&mut current));
            }
        } else {
            current.push_str(line);
            current.push('\n');
        }
    }
    if !current.is_empty() {
        found.push(current);
    }
    found
}

/// A numbered line of a report: number, sentence with a hanging indent, and the citations at the right edge.
pub fn numbered(label: &str, sentence: &str, note: &str) -> String {
    const HANG: usize = 6;
    let first = format!("{label:>4}  ");
    let rest = " ".repeat(HANG);
    let mut text = wrap(sentence, &first, &rest, WIDTH);
    if note.is_empty() {
        return text;
    }
    let used = text.lines().last().map_or(0, width);
    let wanted = width(note);
    if used + 2 + wanted <= WIDTH {
        text.push_str(&" ".repeat(WIDTH - used - wanted));
        text.push_str(note);
    } else {
        text.push('\n');
        let indent = " ".repeat(WIDTH.saturating_sub(wanted).max(HANG));
        text.push_str(&wrap(note, &indent, &rest, WIDTH));
    }
    text
}

/// `text` with `prefix` before each of its lines, wrapped: for what somebody else wrote.
pub fn quoted(text: &str, prefix: &str) -> String {
    let lines: Vec<String> = text
        .trim_end()
        .lines()
        .map(
            |line| {
                if line.trim().is_empty() { prefix.trim_end().to_owned() } else { wrap(line, prefix, prefix, WIDTH) }
            },
        )
        .collect();
    lines.join("\n")
}

/// A table with its columns side by side, numbers to the right, cells of the widest columns wrapped until it fits.
pub fn table(columns: &[String], rows: &[Vec<String>], indent: usize) -> String {
    const GAP: usize = 2;
    let cell = |row: &[String], i: usize| row.get(i).map(|c| plain(c)).unwrap_or_default();
    let mut widths: Vec<usize> = (0..columns.len())
        .map(|i| rows.iter().map(|r| width(&cell(r, i))).chain([width(&cell(columns, i))]).max().unwrap_or(0))
        .collect();
    let room = WIDTH.saturating_sub(indent + GAP * columns.len().saturating_sub(1));
    // A word is not broken, so a column goes below its longest word only if all of them have to.
    let longest = |text: &str| text.split_whitespace().map(width).max().unwrap_or(0);
    let words: Vec<usize> = (0..columns.len())
        .map(|i| rows.iter().map(|r| longest(&cell(r, i))).chain([longest(&cell(columns, i))]).max().unwrap_or(0))
        .collect();
    while widths.iter().sum::<usize>() > room {
        let roomy = widths.iter_mut().zip(&words).filter(|(width, word)| **width > **word).map(|(width, _)| width);
        match roomy.max() {
            Some(widest) => *widest -= 1,
            None => match widths.iter_mut().max() {
                Some(widest) if *widest > 8 => *widest -= 1,
                _ => break,
            },
        }
    }
    let numeric: Vec<bool> = (0..columns.len()).map(|i| rows.iter().all(|r| is_number(&cell(r, i)))).collect();
    let mut out = Vec::new();
    let mut line = |row: &[String]| {
        let cells: Vec<Vec<String>> = widths
            .iter()
            .enumerate()
            .map(|(i, w)| wrap(&cell(row, i), "", "", *w).lines().map(str::to_owned).collect())
            .collect();
        for at in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
            let mut text = " ".repeat(indent);
            for (i, (lines, w)) in cells.iter().zip(&widths).enumerate() {
                let part = lines.get(at).map_or("", String::as_str);
                let pad = " ".repeat(w.saturating_sub(width(part)));
                let gap = if i == 0 { "" } else { "  " };
                match numeric.get(i) {
                    Some(true) => text.push_str(&format!("{gap}{pad}{part}")),
                    _ => text.push_str(&format!("{gap}{part}{pad}")),
                }
            }
            out.push(text.trim_end().to_owned());
        }
    };
    if columns.iter().any(|c| !c.is_empty()) {
        line(columns);
        line(&widths.iter().map(|w| "-".repeat(*w)).collect::<Vec<_>>());
    }
    for row in rows {
        line(row);
    }
    out.join("\n")
}

fn is_number(cell: &str) -> bool {
    cell.chars().all(|c| c.is_ascii_digit() || "+-–−/.,%".contains(c))
}

/// One line of foreign text, safe to print: tabs become spaces, what could move the cursor or turn the line around a dot.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("    "),
            '\n' | '\r' => out.push(' '),
            c if is_unsafe(c) => out.push('·'),
            c => out.push(c),
        }
    }
    out
}

/// Whether a terminal might act on the character, or show the line in another order than it is written in.
pub fn is_unsafe(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// A player's line and the carets under the doubtful stretch of it, cut around the stretch to fit `columns`.
///
/// The span counts characters; the carets count columns, so that they stand right under accents and wide letters. A span
/// beyond the line's end (the words alone were kept) is taken for the whole line.
pub fn carets(line: &str, span: Option<&Span>, columns: usize) -> (String, Option<String>) {
    let pieces: Vec<String> = line.chars().map(|c| plain(c.encode_utf8(&mut [0; 4]))).collect();
    let Some(span) = span else {
        return (cut(&pieces, 0, 0, columns).0, None);
    };
    let as_index = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    let (mut start, mut end) = (as_index(span.start), as_index(span.end).min(pieces.len()));
    if start >= end {
        (start, end) = (0, pieces.len());
    }
    let (shown, before, under) = cut(&pieces, start, end, columns);
    let carets = (under > 0).then(|| format!("{}{}", " ".repeat(before), "^".repeat(under)));
    (shown, carets)
}

/// The window of `pieces` that shows as much as fits, from a little before `start`; with the columns before the stretch and
/// those under it.
fn cut(pieces: &[String], start: usize, end: usize, columns: usize) -> (String, usize, usize) {
    let widths: Vec<usize> = pieces.iter().map(|p| piece_width(p)).collect();
    let sum = |from: usize, to: usize| widths.iter().take(to).skip(from).sum::<usize>();
    let mut from = 0;
    if sum(0, pieces.len()) > columns {
        let lead = columns / 3;
        while from < start && sum(from, end.min(start + columns)) > columns - 2 || sum(from, start) > lead.max(1) {
            from += 1;
            if sum(from, pieces.len()) <= columns - 2 {
                break;
            }
        }
    }
    let mut to = pieces.len();
    let marks = |from: usize, to: usize| usize::from(from > 0) + usize::from(to < pieces.len());
    while to > from && sum(from, to) + marks(from, to) > columns {
        to -= 1;
    }
    let mut shown = String::new();
    if from > 0 {
        shown.push('…');
    }
    shown.extend(pieces.iter().take(to).skip(from).map(String::as_str));
    if to < pieces.len() {
        shown.push('…');
    }
    let before = usize::from(from > 0) + sum(from, start.clamp(from, to));
    let under = sum(start.clamp(from, to), end.clamp(from, to));
    (shown, before, if end > start { under.max(1) } else { 0 })
}

fn piece_width(piece: &str) -> usize {
    match piece.chars().next() {
        Some(c) if piece.chars().nth(1).is_none() => UnicodeWidthChar::width(c).unwrap_or(1),
        _ => width(piece),
    }
}

/// The last touch to a letter: no character that a terminal would act on, no blanks at line ends, no two blank lines in a
/// row, one line feed at the end.
pub fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = true;
    for line in text.lines() {
        let line: String = line.trim_end().chars().map(|c| if is_unsafe(c) { '·' } else { c }).collect();
        if line.is_empty() {
            if !blank {
                out.push('\n');
            }
            blank = true;
        } else {
            out.push_str(&line);
            out.push('\n');
            blank = false;
        }
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: u32, end: u32) -> Span {
        Span { line: 1, start, end }
    }

    #[test]
    fn wraps_with_a_hanging_indent() {
        assert_eq!(wrap("one two three four", "1 ", "  ", 9), "1 one two\n  three\n  four");
        assert_eq!(wrap("a\n\nb", "", "  ", 9), "a\n\n  b");
        assert_eq!(wrap("x 0123456789abcdef y", "", "", 6), "x\n0123456789abcdef\ny");
    }

    #[test]
    fn citations_stand_at_the_right_edge_or_below() {
        let short = numbered("11", "Riga was invested.", "[Sieges]");
        assert_eq!(width(&short), WIDTH);
        let long = numbered("11", &"word ".repeat(13), "[Movement, R-003-17]");
        assert_eq!(long.lines().count(), 2);
        assert!(long.lines().all(|l| width(l) <= WIDTH));
    }

    #[test]
    fn carets_count_characters_not_bytes() {
        let (line, marks) = carets("Rehnskjöld marsch Åbo", Some(&span(18, 21)), 60);
        assert_eq!((line.as_str(), marks.as_deref()), ("Rehnskjöld marsch Åbo", Some("                  ^^^")));
    }

    #[test]
    fn carets_stand_under_wide_and_combined_letters_and_after_tabs() {
        // A + ring above as two characters takes one column; 里 加 take two each.
        let (_, combined) = carets("A\u{30a}bo x", Some(&span(5, 6)), 60);
        assert_eq!(combined.unwrap(), "    ^");
        let (_, wide) = carets("里加 x", Some(&span(0, 2)), 60);
        assert_eq!(wide.unwrap(), "^^^^");
        let (line, tab) = carets("\tx", Some(&span(1, 2)), 60);
        assert_eq!((line.as_str(), tab.unwrap().as_str()), ("    x", "    ^"));
    }

    #[test]
    fn long_lines_are_cut_around_the_span() {
        let long = format!("{}HERE{}", "a".repeat(100), "b".repeat(100));
        let (line, marks) = carets(&long, Some(&span(100, 104)), 61);
        let marks = marks.unwrap();
        assert!(width(&line) <= 61, "{}", width(&line));
        let at = marks.find('^').unwrap();
        let under: String = line.chars().skip(at).take(4).collect();
        assert_eq!((under.as_str(), marks.matches('^').count()), ("HERE", 4));
        assert!(line.starts_with('…') && line.ends_with('…'));
    }

    #[test]
    fn a_span_longer_than_the_window_or_outside_the_line_still_draws() {
        let long = "w".repeat(300);
        let (line, marks) = carets(&long, Some(&span(0, 300)), 61);
        assert!(width(&line) <= 61 && width(&marks.unwrap()) <= 61);
        let (_, marks) = carets("7c", Some(&span(40, 42)), 61);
        assert_eq!(marks.unwrap(), "^^");
        assert_eq!(carets("", Some(&span(0, 0)), 61), (String::new(), None));
    }

    #[test]
    fn nothing_foreign_moves_the_cursor() {
        assert_eq!(plain("a\u{1b}[2Jb\u{202e}c"), "a·[2Jb·c");
        assert_eq!(tidy("a \u{7}\n\n\n\nb\n\n"), "a ·\n\nb\n");
    }

    #[test]
    fn tables_fit_and_align() {
        let rows = vec![vec!["Åbo Regiment".into(), "4".into()], vec!["Karelian Horse".into(), "13".into()]];
        let text = table(&["Brigade".into(), "Steps".into()], &rows, 2);
        assert_eq!(
            text,
            "  Brigade         Steps\n  --------------  -----\n  Åbo Regiment        4\n  Karelian Horse     13"
        );
        let wide = table(&["a".into(), "b".into()], &[vec!["long words ".repeat(9), "short".into()]], 2);
        assert!(wide.lines().all(|l| width(l) <= WIDTH), "{wide}");
    }

    /// The columns stay straight behind a long word: another one gives way.
    #[test]
    fn a_long_word_keeps_its_column() {
        let row = ["Landskrona on the Sound 0618", "Uppland-Västmanland Regiments", "infantry and more of it, on foot"];
        let columns = ["Place", "Unit", "Kind"].map(str::to_owned);
        let text = table(&columns, &[row.map(str::to_owned).to_vec()], 2);
        let lines: Vec<&str> = text.lines().collect();
        let kind = lines[0].find("Kind").unwrap();
        assert_eq!(lines[2].chars().nth(kind), Some('i'), "{text}");
        assert_eq!(lines[2].chars().nth(kind - 1), Some(' '), "{text}");
    }
}
