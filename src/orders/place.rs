//! Pointing at the player's own words.

use super::token::Token;
use crate::engine::sheet::{Span, TextLine};
use crate::engine::{LetterNo, Source};

/// The stretch of the first line that these tokens cover. A sentence that runs over several lines is pointed at where it begins.
pub fn span(lines: &[TextLine], tokens: &[Token]) -> Option<Span> {
    let first = tokens.first()?;
    let same_line = tokens.iter().take_while(|token| token.line == first.line);
    let end = same_line.last().map_or(first.end, |token| token.end);
    Some(Span { line: lines.get(first.line)?.number, start: first.start, end })
}

/// Where an order came from: letter, line, column and the words as typed, line breaks as blanks.
pub fn source(lines: &[TextLine], letter: LetterNo, tokens: &[Token]) -> Source {
    let Some(first) = tokens.first() else {
        return Source { letter, line: 0, column: 0, words: String::new() };
    };
    let line = lines.get(first.line).map_or(0, |line| line.number);
    Source { letter, line, column: first.start, words: words(lines, tokens) }
}

/// The words that these tokens cover, as typed.
pub fn words(lines: &[TextLine], tokens: &[Token]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        let on_line = rest.iter().take_while(|token| token.line == first.line).count();
        let (here, after) = rest.split_at_checked(on_line.max(1)).unwrap_or((rest, &[]));
        let end = here.last().map_or(first.end, |token| token.end);
        let (start, end) = (usize::try_from(first.start).unwrap_or(0), usize::try_from(end).unwrap_or(0));
        if let Some(line) = lines.get(first.line) {
            parts.push(line.text.chars().take(end).skip(start).collect());
        }
        rest = after;
    }
    parts.join(" ")
}

/// The line of carets to set under a quoted line.
pub fn carets(span: &Span) -> String {
    let blank = usize::try_from(span.start).unwrap_or(0);
    let width = usize::try_from(span.end.saturating_sub(span.start)).unwrap_or(1).max(1);
    format!("{}{}", " ".repeat(blank), "^".repeat(width))
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn words_are_given_as_typed() {
        let lines =
            [TextLine { number: 4, text: "* Åbo marches  to".into() }, TextLine { number: 5, text: "Riga now".into() }];
        let mut all = tokens(0, &lines[0].text, 2);
        all.extend(tokens(1, &lines[1].text, 0));
        let source = source(&lines, LetterNo(3), &all[..4]);
        assert_eq!((source.line, source.column, source.words.as_str()), (4, 2, "Åbo marches  to Riga"));
        let span = span(&lines, &all[..1]).unwrap();
        assert_eq!(carets(&span), "  ^^^");
    }
}
