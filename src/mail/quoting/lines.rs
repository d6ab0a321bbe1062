//! Lines made fit to be read: line ends of every kind, blanks of every kind, nothing invisible.

use super::BodyLine;

/// Splits what is still several lines (CR, CRLF, the line separators of Word and Unicode) and cleans each
/// (cases 17, 19 and 30 of the thirty). Dashes and quotation marks stay as written.
pub(super) fn cleaned(line: BodyLine) -> Vec<BodyLine> {
    let text = line.text.strip_suffix('\r').unwrap_or(&line.text);
    let is_break = |c: char| matches!(c, '\r' | '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.split(is_break).map(|part| BodyLine { text: clean(part), mark: line.mark }).collect()
}

fn clean(text: &str) -> String {
    text.chars().filter(|&c| !is_invisible(c)).map(|c| if is_blank(c) { ' ' } else { c }).collect()
}

/// White space that is not the plain blank.
fn is_blank(c: char) -> bool {
    c == '\t' || (c.is_whitespace() && c != ' ')
}

/// Controls, zero-width characters, byte order marks and the marks that turn the direction of writing: none is
/// seen by the writer, all would part a word from its meaning.
pub(in crate::mail) fn is_invisible(c: char) -> bool {
    (c.is_control() && !c.is_whitespace())
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}
