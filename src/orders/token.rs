//! A line of a letter as words and signs, each with its place in the line.

use super::fold::fold;
use crate::engine::HexId;

/// Signs that part or join words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `.` or `!` at the end of a sentence.
    Stop,
    /// `?` at the end of a sentence.
    Question,
    /// `:`
    Colon,
    /// `->`, `=>`, `→`, `>` and their like.
    Arrow,
    /// A dash with room around it, or a hyphen between two words.
    Dash,
    /// `(` or `[`
    Open,
    /// `)` or `]`
    Close,
    /// `+` or `&`
    Plus,
    /// `%`
    Percent,
    /// `/`
    Slash,
    /// `@`
    At,
    /// `=`
    Equals,
    /// `"`, `“` and their like.
    Quote,
    /// The end of a line within a block: a comma if a new order begins behind it, else nothing.
    Break,
    /// Anything else.
    Other,
}

/// What a token is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// A word, folded; `possessive` if an `'s` or `'` was cut off its end.
    Word {
        /// The folded word.
        folded: String,
        /// Whether it was a possessive.
        possessive: bool,
    },
    /// A number of fewer than four digits, or of more.
    Number(u32),
    /// Four digits, which name a hex.
    Hex(HexId),
    /// A sign.
    Sign(Sign),
}

/// A word, number or sign and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What.
    pub what: What,
    /// Index of the line in the letter's lines (not its number).
    pub line: usize,
    /// First character, from 0.
    pub start: u32,
    /// One past the last character.
    pub end: u32,
    /// No room between this token and the one before.
    pub tight: bool,
    /// It begins with a capital letter.
    pub capital: bool,
}

impl Token {
    /// The folded word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.what {
            What::Word { folded, .. } => Some(folded),
            _ => None,
        }
    }

    /// Whether it is this sign.
    pub fn is(&self, sign: Sign) -> bool {
        self.what == What::Sign(sign)
    }
}

const DASHES: &[char] = &['-', '‐', '‑', '‒', '–', '—', '―', '−', '~'];
const QUOTES: &[char] = &['"', '“', '”', '„', '«', '»', '‟'];
const APOSTROPHES: &[char] = &['\'', '’', '‘', '`', '´', 'ʼ'];

/// Whether a character is a dash of any kind.
pub fn is_dash(c: char) -> bool {
    DASHES.contains(&c)
}

/// Words before whose full stop a sentence goes on: `no. 37`, `St. Petersburg`.
const SHORTENED: &[&str] =
    &["no", "nr", "st", "inf", "cav", "drag", "gen", "regt", "reg", "gar", "garr", "brig", "col", "approx", "art"];

/// Splits part of a line (from character `from` on) into tokens. Never fails; what it does not know becomes [`Sign::Other`].
pub fn tokens(line: usize, text: &str, from: usize) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let mut found: Vec<Token> = Vec::new();
    let mut at = from;
    let mut last_end = None;
    while let Some(&c) = chars.get(at) {
        if c.is_whitespace() || is_invisible(c) {
            at += 1;
            continue;
        }
        let (what, end) = next_token(&chars, at, &found);
        let tight = last_end == Some(at);
        last_end = Some(end);
        if let Some(what) = what {
            found.push(Token { what, line, start: narrow(at), end: narrow(end), tight, capital: c.is_uppercase() });
        }
        at = end.max(at + 1);
    }
    found
}

fn narrow(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Characters that mail clients and copying leave behind and nobody sees.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{00ad}' | '\u{202a}'..='\u{202e}')
        || c.is_control()
}

fn next_token(chars: &[char], at: usize, before: &[Token]) -> (Option<What>, usize) {
    let c = chars.get(at).copied().unwrap_or(' ');
    let peek = |offset: usize| chars.get(at + offset).copied().unwrap_or(' ');
    if c.is_ascii_digit() {
        return number(chars, at);
    }
    if c.is_alphanumeric() {
        return word(chars, at);
    }
    let sign = |sign, width| (Some(What::Sign(sign)), at + width);
    if is_dash(c) || c == '=' {
        let run = chars.iter().skip(at).take_while(|c| is_dash(**c) || **c == '=').count();
        return match peek(run) {
            '>' | '›' | '»' => sign(Sign::Arrow, run + 1),
            _ if c == '=' && run == 1 => sign(Sign::Equals, 1),
            _ => sign(Sign::Dash, run),
        };
    }
    match c {
        '→' | '⇒' | '➔' | '➜' | '⟶' | '↦' | '➡' | '>' | '›' | '»' if !(c == '»' && peek(1) == ' ') => {
            let run = chars.iter().skip(at).take_while(|next| **next == c).count();
            sign(Sign::Arrow, run)
        }
        ',' | '،' | '、' => sign(Sign::Comma, 1),
        ';' => sign(Sign::Semicolon, 1),
        '?' => sign(Sign::Question, 1),
        '!' => sign(Sign::Stop, 1),
        '…' => sign(Sign::Stop, 1),
        '.' if full_stop(before, at) => sign(Sign::Stop, 1),
        '.' => (None, at + 1),
        ':' => sign(Sign::Colon, 1),
        '(' | '[' | '{' => sign(Sign::Open, 1),
        ')' | ']' | '}' => sign(Sign::Close, 1),
        '+' | '&' => sign(Sign::Plus, 1),
        '%' | '‰' => sign(Sign::Percent, 1),
        // "Dal to Riga / buy 2 inf" parts, "Riga/Wenden" offers a choice.
        '/' if peek(1) == ' ' && at > 0 && chars.get(at - 1) == Some(&' ') => sign(Sign::Semicolon, 1),
        '/' => sign(Sign::Slash, 1),
        '@' => sign(Sign::At, 1),
        '½' => (Some(What::Word { folded: "half".to_owned(), possessive: false }), at + 1),
        c if QUOTES.contains(&c) => sign(Sign::Quote, 1),
        c if APOSTROPHES.contains(&c) => (None, at + 1),
        _ => sign(Sign::Other, 1),
    }
}

/// A full stop ends a sentence unless it belongs to a shortened word.
fn full_stop(before: &[Token], at: usize) -> bool {
    let Some(last) = before.last().filter(|last| last.end == narrow(at)) else { return true };
    last.word().is_none_or(|word| word.len() > 1 && !SHORTENED.contains(&word))
}

fn number(chars: &[char], at: usize) -> (Option<What>, usize) {
    let digits: String = chars.iter().skip(at).take_while(|c| c.is_ascii_digit()).collect();
    let end = at + digits.len();
    if digits.len() == 4
        && let Ok(hex) = digits.parse::<HexId>()
    {
        return (Some(What::Hex(hex)), end);
    }
    let value = digits.parse::<u32>().unwrap_or(u32::MAX);
    (Some(What::Number(value)), ordinal_end(chars, end).unwrap_or(end))
}

/// `2nd`, `3rd`: the letters go with the number.
fn ordinal_end(chars: &[char], end: usize) -> Option<usize> {
    let tail: String = chars.iter().skip(end).take_while(|c| c.is_alphabetic()).collect::<String>().to_lowercase();
    matches!(tail.as_str(), "st" | "nd" | "rd" | "th").then(|| end + tail.chars().count())
}

fn word(chars: &[char], at: usize) -> (Option<What>, usize) {
    let mut end = at;
    while let Some(&c) = chars.get(end) {
        let inner = APOSTROPHES.contains(&c) && chars.get(end + 1).is_some_and(|next| next.is_alphabetic());
        // Combining accents belong to the letter before them; invisible marks to nobody, but they do not part a word.
        let combining = matches!(c, '\u{0300}'..='\u{036f}') || is_invisible(c) && !c.is_control();
        if !(c.is_alphanumeric() || inner || combining) {
            break;
        }
        end += 1;
    }
    let raw: String = chars.iter().take(end).skip(at).collect();
    let (stem, mut possessive) = match raw.rfind(|c| APOSTROPHES.contains(&c)) {
        Some(cut) if fold(raw.get(cut..).unwrap_or("")) == "s" => (raw.get(..cut).unwrap_or(&raw), true),
        // "he'll", "I'd", "we've"
        Some(cut) if matches!(fold(raw.get(cut..).unwrap_or("")).as_str(), "ll" | "d" | "ve" | "re" | "m") => {
            (raw.get(..cut).unwrap_or(&raw), false)
        }
        _ => (raw.as_str(), false),
    };
    if chars.get(end).is_some_and(|c| APOSTROPHES.contains(c)) && raw.ends_with(['s', 'S']) {
        possessive = true;
        end += 1;
    }
    let folded = fold(stem);
    if folded == "w" && chars.get(end) == Some(&'/') {
        end += 1; // "w/ Flemming"
    }
    if folded.is_empty() {
        return (None, end.max(at + 1));
    }
    (Some(What::Word { folded, possessive }), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |token: Token| match token.what {
            What::Word { folded, possessive } => format!("{folded}{}", if possessive { "'s" } else { "" }),
            What::Number(n) => format!("#{n}"),
            What::Hex(hex) => format!("@{hex}"),
            What::Sign(sign) => format!("{sign:?}"),
        };
        tokens(0, text, 0).into_iter().map(show).collect()
    }

    #[test]
    fn arrows_and_dashes_of_every_kind() {
        for arrow in ["->", "=>", "→", "-->", "–>", ">", "⇒"] {
            assert_eq!(shown(&format!("Mitau {arrow} Riga")), ["mitau", "Arrow", "riga"], "{arrow}");
        }
        for dash in ["-", "–", "—", "--", "−"] {
            assert_eq!(shown(&format!("Mitau {dash} Riga")), ["mitau", "Dash", "riga"], "{dash}");
        }
    }

    #[test]
    fn shortened_words_do_not_end_a_sentence() {
        assert_eq!(shown("card 2 (no. 37). Dal"), ["card", "#2", "Open", "no", "#37", "Close", "Stop", "dal"]);
    }

    #[test]
    fn possessives_hexes_and_ordinals() {
        assert_eq!(shown("Flemming's 0205 2nd Дерпт"), ["flemming's", "@0205", "#2", "derpt"]);
    }

    #[test]
    fn places_are_counted_in_characters() {
        let found = tokens(0, "Åbo → Riga", 0);
        assert_eq!(found.iter().map(|t| (t.start, t.end)).collect::<Vec<_>>(), [(0, 3), (4, 5), (6, 10)]);
    }
}
