//! The shape of a letter: which lines belong together, which are bullets, comments, answers to questions.

use super::fold::fold;
use super::token::{Sign, Token, What, is_dash, tokens};
use crate::engine::sheet::{ORDERS_BEGIN, ORDERS_END, TextLine};

/// Lines that belong together: a bullet, a paragraph, a line of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The words and signs, in order; each knows its line.
    pub tokens: Vec<Token>,
    /// Indices of the lines.
    pub lines: Vec<usize>,
}

/// An answer to a numbered question: `2a`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The question.
    pub number: u32,
    /// The reading chosen.
    pub label: char,
    /// Index of the line.
    pub line: usize,
    /// First character and one past the last.
    pub span: (u32, u32),
}

/// A letter laid out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layout {
    /// What may hold orders.
    pub blocks: Vec<Block>,
    /// Answers, each alone on its line.
    pub answers: Vec<Answer>,
    /// Indices of lines that hold nothing for the umpire: comments, press, quotes, what stands outside the markers.
    pub passed: Vec<usize>,
    /// The first word of the letter is REPLACE [R-003-86].
    pub replaces_all: bool,
}

/// Lays a letter out. If it holds the markers that an acknowledgement sets around the orders, only what stands between
/// them is read.
pub fn layout(lines: &[TextLine]) -> Layout {
    let mut out = Layout::default();
    let shapes = shapes(lines, &mut out);
    let widths = paragraph_widths(lines, &shapes);
    let mut open: Option<Block> = None;
    let mut before: Option<usize> = None;
    for (at, line) in lines.iter().enumerate() {
        let Some(shape) = shapes.get(at).copied() else { continue };
        let Shape::Text { indent, bullet, from } = shape else {
            out.blocks.extend(open.take());
            before = None;
            continue;
        };
        let mut words = tokens(at, &line.text, from);
        cut_comment(&mut words, &line.text);
        if !out.replaces_all && out.blocks.is_empty() && open.is_none() && words.first().and_then(Token::word) == Some("replace") {
            out.replaces_all = true;
            words.remove(0);
        }
        if let Some(answers) = answers(&words, bullet) {
            out.blocks.extend(open.take());
            out.answers.extend(answers);
            before = None;
            continue;
        }
        let width = widths.get(at).copied().unwrap_or(0);
        let joins = !bullet && before.is_some_and(|last| belongs(lines, &shapes, last, at, indent, width, &words, open.as_ref()));
        match open.as_mut().filter(|_| joins) {
            Some(block) => {
                let at_start = words.first().map_or(0, |word| word.start);
                block.tokens.push(Token { what: What::Sign(Sign::Break), line: at, start: at_start, end: at_start, tight: false, capital: false });
                block.tokens.extend(words);
                block.lines.push(at);
            }
            None => {
                out.blocks.extend(open.take());
                open = Some(Block { tokens: words, lines: vec![at] });
            }
        }
        before = Some(at);
    }
    out.blocks.extend(open);
    out
}

#[derive(Clone, Copy)]
enum Shape {
    Blank,
    Passed,
    Text { indent: usize, bullet: bool, from: usize },
}

fn shapes(lines: &[TextLine], out: &mut Layout) -> Vec<Shape> {
    let (first, last) = marked(lines).unwrap_or((0, lines.len()));
    let mut shapes = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let text = line.text.trim();
        let shape = if text.is_empty() {
            Shape::Blank
        } else if at < first || at >= last || text.starts_with(['#', ';', '>']) || is_press(text) {
            out.passed.push(at);
            Shape::Passed
        } else {
            let indent = line.text.chars().take_while(|c| c.is_whitespace()).count();
            match bullet(&line.text, indent) {
                Some(from) => Shape::Text { indent: from, bullet: true, from },
                None => Shape::Text { indent, bullet: false, from: indent },
            }
        };
        shapes.push(shape);
    }
    shapes
}

/// The lines between the markers, if both are there.
fn marked(lines: &[TextLine]) -> Option<(usize, usize)> {
    let plain = |text: &str| text.split_whitespace().map(fold).filter(|word| !word.is_empty()).collect::<Vec<_>>();
    let (begin, end) = (plain(ORDERS_BEGIN), plain(ORDERS_END));
    let find = |marker: &[String]| lines.iter().position(|line| plain(&line.text) == *marker);
    let first = find(&begin)? + 1;
    let last = find(&end)?;
    (first <= last).then_some((first, last))
}

/// Words to the other players or to nobody: `Press: ...`.
fn is_press(text: &str) -> bool {
    let head = text.split(':').next().unwrap_or("");
    text.contains(':') && matches!(fold(head).as_str(), "press" | "pressrelease" | "psst" | "comment" | "note" | "ps")
}

/// Where the text behind a bullet or a list number begins; `None` if the line has none.
fn bullet(text: &str, indent: usize) -> Option<usize> {
    let chars: Vec<char> = text.chars().collect();
    let at = |offset: usize| chars.get(offset).copied();
    let mut next = indent;
    if at(next) == Some('(') {
        next += 1;
    }
    let digits = chars.iter().skip(next).take_while(|c| c.is_ascii_digit()).count();
    let end = if (1..=3).contains(&digits) {
        next += digits;
        match at(next) {
            Some('.' | ')' | ':') if at(next + 1) != Some('>') => next + 1,
            // A column of numbers, as acknowledgements set it: two blanks or a tab.
            Some('\t') => next,
            Some(' ') if at(next + 1) == Some(' ') => next,
            _ => return None,
        }
    } else if digits == 0 && next == indent {
        let sign = at(indent)?;
        let dash = is_dash(sign) && at(indent + 1).is_some_and(|c| c != '>' && !is_dash(c));
        let letter = sign.is_ascii_alphabetic() && at(indent + 1) == Some(')');
        match sign {
            '*' | '•' | '·' | '◦' | '▪' | '‣' | '●' | '○' | '+' | '–' | '—' => indent + 1,
            _ if dash => indent + 1,
            _ if letter => indent + 2,
            _ => return None,
        }
    } else {
        return None;
    };
    let rest = chars.iter().skip(end).take_while(|c| c.is_whitespace()).count();
    (end + rest < chars.len()).then_some(end + rest)
}

/// ` # words` to the end of a line is a comment; `#3` is a number.
fn cut_comment(words: &mut Vec<Token>, text: &str) {
    let chars: Vec<char> = text.chars().collect();
    let is_hash = |token: &Token| {
        let at = usize::try_from(token.start).unwrap_or(usize::MAX);
        let roomy = at == 0 || chars.get(at - 1).is_some_and(|c| c.is_whitespace());
        chars.get(at) == Some(&'#') && roomy && chars.get(at + 1).is_none_or(|c| !c.is_ascii_digit())
    };
    if let Some(cut) = words.iter().position(is_hash) {
        words.truncate(cut);
    }
}

/// Words that may stand around an answer.
const ANSWERING: &[&str] = &[
    "answer", "answers", "question", "q", "my", "choice", "reading", "is", "to", "for", "i", "choose", "take", "and", "please",
    "thanks", "thank", "you", "yes", "option", "no", "the", "just",
];

/// The answers on a line that holds nothing else: `2a`, `2 b please`, `2a, 3b`. Letters stand right behind their numbers.
fn answers(words: &[Token], bullet: bool) -> Option<Vec<Answer>> {
    if bullet {
        return None;
    }
    let mut found = Vec::new();
    let mut number: Option<(u32, u32)> = None;
    for token in words {
        match (&token.what, number) {
            (What::Number(n), None) => number = Some((*n, token.start)),
            (What::Word { folded, .. }, Some((n, start))) if folded.len() == 1 => {
                let label = folded.chars().next().filter(|c| ('a'..='h').contains(c))?;
                found.push(Answer { number: n, label, line: token.line, span: (start, token.end) });
                number = None;
            }
            (What::Word { folded, .. }, None) if ANSWERING.contains(&folded.as_str()) => {}
            (What::Sign(_), _) => {}
            _ => return None,
        }
    }
    (number.is_none() && !found.is_empty()).then_some(found)
}

/// Words after which a sentence cannot be over.
const OPEN_ENDED: &[&str] = &[
    "and", "to", "the", "with", "from", "of", "via", "at", "by", "or", "a", "an", "in", "on", "for", "if", "through", "then",
    "all", "his", "her", "their", "my", "buy", "into", "towards", "march", "marches", "lay", "lays", "avoid", "give", "plus",
    "in", "no", "nr", "no",
];

/// Words with which no order begins.
const CARRYING_ON: &[&str] = &["and", "to", "from", "via", "through", "or", "then", "plus", "until", "because"];

/// Whether the line `at` carries on what line `last` began: an indented line under a bullet, a wrapped line of prose, a
/// sentence that is plainly not over.
#[allow(clippy::too_many_arguments)]
fn belongs(
    lines: &[TextLine],
    shapes: &[Shape],
    last: usize,
    at: usize,
    indent: usize,
    width: usize,
    words: &[Token],
    open: Option<&Block>,
) -> bool {
    let Some(Shape::Text { indent: above, bullet: under_bullet, .. }) = shapes.get(last).copied() else { return false };
    let Some(end) = open.and_then(|block| block.tokens.last()) else { return false };
    let (text, next) = match (lines.get(last), lines.get(at)) {
        (Some(a), Some(b)) => (a.text.trim_end(), b.text.trim_start()),
        _ => return false,
    };
    let first = words.first().and_then(Token::word).unwrap_or("");
    let unfinished = end.is(Sign::Comma)
        || end.is(Sign::Plus)
        || end.is(Sign::Arrow)
        || end.word().is_some_and(|word| OPEN_ENDED.contains(&word));
    let greets = is_regards(next);
    let first_width = next.split_whitespace().next().map_or(0, |word| word.chars().count());
    let long = text.chars().count();
    let lower = next.chars().next().is_some_and(char::is_lowercase);
    let wrapped = width >= 60 && (long + 1 + first_width > width || long >= 60 && lower);
    let hangs = under_bullet && indent >= above.max(2) || indent > above + 1;
    let over = end.is(Sign::Stop) || end.is(Sign::Semicolon);
    !greets && (wrapped || hangs || (!over && (unfinished && !is_salutation(text) || CARRYING_ON.contains(&first))))
}

fn is_regards(text: &str) -> bool {
    let words: Vec<String> = text.split_whitespace().take(5).map(fold).collect();
    words.iter().any(|word| matches!(word.as_str(), "regards" | "greetings" | "wishes" | "sincerely" | "cheers" | "gruss"))
}

fn is_salutation(text: &str) -> bool {
    let first = text.split_whitespace().next().map(fold).unwrap_or_default();
    matches!(first.as_str(), "dear" | "hello" | "hallo" | "hi" | "hej" | "hey" | "moin" | "greetings" | "cheers" | "regards")
}

/// The longest line of the paragraph each line stands in: prose is wrapped where the next word would not have fitted.
fn paragraph_widths(lines: &[TextLine], shapes: &[Shape]) -> Vec<usize> {
    let mut widths = vec![0; lines.len()];
    let mut start = 0;
    for at in 0..=lines.len() {
        let inside = matches!(shapes.get(at), Some(Shape::Text { .. }));
        if inside {
            continue;
        }
        let widest = lines.get(start..at).into_iter().flatten().map(|line| line.text.trim_end().chars().count()).max();
        for width in widths.iter_mut().take(at).skip(start) {
            *width = widest.unwrap_or(0);
        }
        start = at + 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<TextLine> {
        text.lines().zip(1..).map(|(text, number)| TextLine { number, text: text.to_owned() }).collect()
    }

    fn blocks(text: &str) -> Vec<Vec<usize>> {
        layout(&lines(text)).blocks.into_iter().map(|block| block.lines).collect()
    }

    #[test]
    fn lines_stand_alone_and_bullets_too() {
        assert_eq!(blocks("Dal to Riga\nbuy 2 inf\n\n* a\n* b\n3) c"), [[0], [1], [3], [4], [5]]);
    }

    #[test]
    fn unfinished_and_indented_lines_carry_on() {
        assert_eq!(blocks("Dal to\nRiga\nbuy 2 inf"), [vec![0, 1], vec![2]]);
        assert_eq!(blocks("1. Dal to Riga\n   and besiege it\n2. buy 2 inf"), [vec![0, 1], vec![2]]);
        assert_eq!(blocks("Dal to Riga\nthen Åbo to Wenden"), [vec![0, 1]]);
    }

    #[test]
    fn prose_is_wrapped_where_the_next_word_would_not_have_fitted() {
        let prose = "Croy takes Trubetskoy and the Novgorod Horse from Novgorod as far as Pskov\nGarrison and stays there\nbuy 1";
        assert_eq!(blocks(prose), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn comments_press_and_quotes_hold_no_orders() {
        let out = layout(&lines("# a\n; b\n> c\nPress: Dal to Riga\nDal to Riga # soon\ncard #37"));
        assert_eq!(out.passed, [0, 1, 2, 3]);
        assert_eq!(out.blocks.iter().map(|b| b.tokens.len()).collect::<Vec<_>>(), [3, 3]);
    }

    #[test]
    fn answers_stand_alone_on_their_line() {
        let found = |text| layout(&lines(text)).answers.iter().map(|a| (a.number, a.label)).collect::<Vec<_>>();
        assert_eq!(found("2a"), [(2, 'a')]);
        assert_eq!(found("2 b please"), [(2, 'b')]);
        assert_eq!(found("Answer: 2a, 3b."), [(2, 'a'), (3, 'b')]);
        assert_eq!(found("2a Dal to Riga"), []);
        assert_eq!(found("buy 2 a"), []);
    }

    #[test]
    fn only_what_stands_between_the_markers_is_read() {
        let text = format!("hello\n{ORDERS_BEGIN}\nDal to Riga\n{ORDERS_END}\nbuy 2 inf");
        assert_eq!(blocks(&text), [[2]]);
    }

    #[test]
    fn replace_is_the_first_word() {
        assert!(layout(&lines("REPLACE\nDal to Riga")).replaces_all);
        assert!(layout(&lines("Replace: Dal to Riga")).replaces_all);
        assert!(!layout(&lines("Dal to Riga\nREPLACE")).replaces_all);
    }
}
