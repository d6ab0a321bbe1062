//! Tokens become items: verbs, names, kinds, numbers, signs. The words that carry no meaning are gone.

use super::index::{Index, Thing};
use super::lexicon::{Small, Term, Verb, lexicon, may_be_a_name};
use crate::engine::HexId;
use crate::orders::names::{Closeness, Found};
use crate::orders::token::{Sign, Token, What};
use crate::rules::season::campaign::Kind;

/// What a piece of a sentence is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Lex {
    /// A verb of the game.
    Verb(Verb),
    /// A small word.
    Small(Small),
    /// A kind of unit.
    Kind(Kind),
    /// A number.
    Number(u32),
    /// A hex by its number, on the board.
    Hex(HexId),
    /// Four digits that are no hex of this board.
    NoHex(HexId),
    /// A name and what it can stand for.
    Name(Vec<Thing>, Closeness),
    /// A sign.
    Sign(Sign),
    /// A word that is none of these.
    Unknown(String),
}

/// A piece of a sentence and its tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Item {
    /// What.
    pub lex: Lex,
    /// Its first token, by index in the block.
    pub first: usize,
    /// Its last token.
    pub last: usize,
    /// It is a possessive: "Flemming's".
    pub possessive: bool,
}

impl Item {
    /// Whether it is this small word.
    pub fn is(&self, small: Small) -> bool {
        self.lex == Lex::Small(small)
    }

    /// Whether it is this sign.
    pub fn is_sign(&self, sign: Sign) -> bool {
        self.lex == Lex::Sign(sign)
    }

    /// The things it names.
    pub fn things(&self) -> &[Thing] {
        match &self.lex {
            Lex::Name(things, _) => things,
            _ => &[],
        }
    }
}

/// Splits a block's tokens into items, fillers left out.
pub(super) fn items(index: &Index<'_>, tokens: &[Token]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let (lex, used) = match &token.what {
            What::Word { folded, .. } => word(index, tokens, at, folded, items.last()),
            What::Number(n) => (Lex::Number(*n), 1),
            What::Hex(hex) if index.view.campaign.board.hexes.contains_key(hex) => (Lex::Hex(*hex), 1),
            What::Hex(hex) => (Lex::NoHex(*hex), 1),
            What::Sign(sign) => (Lex::Sign(*sign), 1),
        };
        let last = at + used.max(1) - 1;
        let possessive = matches!(tokens.get(last).map(|t| &t.what), Some(What::Word { possessive: true, .. }));
        if lex != Lex::Small(Small::Filler) {
            items.push(Item { lex, first: at, last, possessive });
        }
        at = last + 1;
    }
    items
}

/// Most words of a name or phrase.
const LONGEST: usize = 6;

fn word(index: &Index<'_>, tokens: &[Token], at: usize, folded: &str, before: Option<&Item>) -> (Lex, usize) {
    let (words, ends) = sentence(tokens, at);
    let width = |words: usize| ends.get(words.max(1) - 1).map_or(1, |end| end + 1 - at);
    let term = lexicon().exact(&words);
    let capital = tokens.get(at).is_some_and(|token| token.capital);
    // A great board has places called Luck and Bar, and a river March: they are meant where a place is expected, or where a
    // word that is not of the game has its capital.
    let plain = |found: &Found<Thing>| {
        let verb = term.as_ref().is_some_and(|term| matches!(term.things.as_slice(), [Term::Verb(_)]));
        let to_march = verb && before.is_some_and(|item| item.is(Small::To));
        let expected = leads_to_a_place(before) && !to_march || capital && term.is_none();
        found.words == 1 && is_ground(&found.things) && !expected
    };
    let ordinary = term.is_some() || !may_be_a_name(folded);
    let name = index.exact(&words).filter(|found| !(ordinary && plain(found)));
    match (&term, &name) {
        (Some(term), Some(name)) if name.words < term.words => return (lex_of(&term.things), width(term.words)),
        (_, Some(name)) => return (Lex::Name(name.things.clone(), name.closeness), width(name.words)),
        (Some(term), None) => {
            // "Nov Garr": a shortened name of several words is more than the small word it begins with.
            return (lex_of(&term.things), width(term.words));
        }
        (None, None) => {}
    }
    if may_be_a_name(folded) {
        // Behind a word that means nothing a small letter begins another such word, and no place half written.
        let astray = !capital && matches!(before.map(|item| &item.lex), Some(Lex::Unknown(_)));
        let meant = |found: &Found<Thing>| found.closeness == Closeness::Exact || !(astray && is_ground(&found.things));
        if let Some(found) = index.find(&words).filter(meant) {
            return (Lex::Name(found.things, found.closeness), width(found.words));
        }
        let plain = |found: &crate::orders::Found<Term>| {
            found.things.len() == 1 && found.things.iter().all(|term| may_slip(*term))
        };
        if let Some(term) = lexicon().shortened(&words).filter(|found| folded.len() >= 4 && plain(found)) {
            return (lex_of(&term.things), width(term.words));
        }
        let slips = (index.slip(folded).filter(meant), lexicon().slip(folded));
        match slips {
            (Some(name), None) => return (Lex::Name(name.things, Closeness::Slip), 1),
            (None, Some(term)) if plain(&term) => return (lex_of(&term.things), 1),
            _ => {}
        }
    }
    (Lex::Unknown(folded.to_owned()), 1)
}

/// Whether a name is of land or water and of nobody.
fn is_ground(things: &[Thing]) -> bool {
    things.iter().all(|thing| matches!(thing, Thing::Place(_) | Thing::River(_)))
}

/// Whether a place is expected behind an item.
fn leads_to_a_place(before: Option<&Item>) -> bool {
    before.is_some_and(|item| match &item.lex {
        Lex::Small(small) => matches!(
            small,
            Small::To
                | Small::From
                | Small::Via
                | Small::At
                | Small::In
                | Small::Of
                | Small::Along
                | Small::On
                | Small::Over
        ),
        Lex::Verb(verb) => matches!(verb, Verb::Besiege | Verb::Storm | Verb::Capture | Verb::Relieve | Verb::Raise),
        Lex::Sign(sign) => matches!(sign, Sign::Arrow),
        _ => false,
    })
}

/// Which words of the lexicon are read in spite of a slip: those of the game, and those that turn a sentence round.
fn may_slip(term: Term) -> bool {
    match term {
        Term::Verb(_) | Term::Kind(_) => true,
        Term::Small(small) => matches!(
            small,
            Small::Bends
                | Small::Not
                | Small::If
                | Small::Unless
                | Small::With
                | Small::From
                | Small::Via
                | Small::Garrison
        ),
        Term::Number(_) => false,
    }
}

fn lex_of(terms: &[Term]) -> Lex {
    match terms.first() {
        Some(Term::Verb(verb)) => Lex::Verb(*verb),
        Some(Term::Small(small)) => Lex::Small(*small),
        Some(Term::Kind(kind)) => Lex::Kind(*kind),
        Some(Term::Number(n)) => Lex::Number(*n),
        None => Lex::Unknown(String::new()),
    }
}

/// The folded words from a token on, a tight hyphen between two of them passed over, and the token at which each ends.
fn sentence(tokens: &[Token], at: usize) -> (Vec<&str>, Vec<usize>) {
    let (mut words, mut ends) = (Vec::new(), Vec::new());
    let mut next = at;
    while words.len() < LONGEST {
        match tokens.get(next) {
            Some(token) if token.word().is_some() => {
                words.push(token.word().unwrap_or(""));
                ends.push(next);
                next += 1;
            }
            Some(token) if token.is(Sign::Break) && !words.is_empty() => next += 1,
            Some(token) if token.is(Sign::Dash) && token.tight && tokens.get(next + 1).is_some_and(|t| t.tight) => {
                next += 1
            }
            _ => break,
        }
    }
    (words, ends)
}
