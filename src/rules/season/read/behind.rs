//! What stands behind an order: reasons, remarks, conditions; and words that could bend it, which are never passed over.

use super::draft::{Cond, Fault};
use super::index::Thing;
use super::item::{Item, Lex};
use super::lexicon::{Small, Verb};
use super::parse::{Parser, is_joint, place_of};
use super::talk::is_strong;
use crate::orders::token::Sign;

impl Parser<'_, '_> {
    /// The words behind a clause up to the next: reasons and politeness are passed over; what bends its sense is a fault.
    ///
    /// # Errors
    /// If the words could change what the clause means.
    pub fn trailing(&mut self) -> Result<(), Fault> {
        while let Some(item) = self.peek() {
            match &item.lex {
                // "to Doblen instead of Riga"
                Lex::Small(Small::Instead | Small::Not)
                    if self.place_at(1).is_some() && self.peek_at(2).is_none_or(is_joint) =>
                {
                    self.at += 2
                }
                Lex::Small(Small::Because) => {
                    while self.peek().is_some_and(|item| !item.is_sign(Sign::Comma) && !item.is(Small::But)) {
                        self.at += 1;
                    }
                }
                Lex::Small(Small::If | Small::Unless) => self.condition_behind()?,
                Lex::Sign(Sign::Open) => self.remark()?,
                Lex::Unknown(_) | Lex::Sign(Sign::Quote | Sign::Other | Sign::Close) => self.at += 1,
                Lex::Sign(Sign::Comma | Sign::Dash | Sign::Plus)
                | Lex::Small(Small::But | Small::And | Small::Then) => {
                    let bends = |item: &Item| {
                        matches!(item.lex, Lex::Small(Small::Bends | Small::Not | Small::Or | Small::Except))
                    };
                    let next = self.peek_at(1);
                    if next.is_some_and(|next| matches!(next.lex, Lex::Small(Small::If | Small::Unless))) {
                        if self.condition_belongs_behind(item)? {
                            self.at += 1;
                            continue;
                        }
                        return Ok(());
                    }
                    if next.is_some_and(bends) {
                        self.at += 1;
                        continue;
                    }
                    return self.nothing_dangles();
                }
                Lex::Small(Small::So) => return Ok(()),
                _ => {
                    let message = format!("I cannot make out what {} adds to the order.", self.quoted(item));
                    let help =
                        "The order is not taken without it. Write it again in plain words, conditions with \"if\".";
                    return Err(Fault::words(Some((item.first, item.last)), message, help));
                }
            }
        }
        Ok(())
    }

    /// A place, a kind or a number behind the joint ahead that begins no clause belongs to the order somehow: "to Riga and
    /// Wolmar".
    ///
    /// # Errors
    /// If there is one.
    pub(super) fn nothing_dangles(&self) -> Result<(), Fault> {
        if self.clause_ahead(self.at) {
            return Ok(());
        }
        let next = (self.at..self.end).filter_map(|i| self.items.get(i)).find(|item| !is_joint(item));
        let comma = self.peek().is_some_and(|item| item.is_sign(Sign::Comma) || item.is_sign(Sign::Dash));
        let dangles = next.filter(|item| match &item.lex {
            Lex::Name(things, _) => {
                things.iter().any(|thing| place_of(thing).is_some() || !comma && matches!(thing, Thing::Unit(_)))
            }
            Lex::Hex(_) | Lex::NoHex(_) | Lex::Number(_) | Lex::Kind(_) => true,
            _ => false,
        });
        let Some(item) = dangles else { return Ok(()) };
        let message = format!("I cannot make out what {} has to do with the order.", self.quoted(item));
        Err(Fault::words(
            Some((item.first, item.last)),
            message,
            "Goals one after the other are joined with \"then\" or an arrow.",
        ))
    }

    /// Whether the "if" behind the joint ahead belongs to the order before it, and not to what follows: "..., if we win, go on
    /// to 0306".
    ///
    /// # Errors
    /// If it could belong to either.
    pub(super) fn condition_belongs_behind(&self, joint: &Item) -> Result<bool, Fault> {
        let mut ahead = Parser { at: self.at + 1, cond: None, here: None, ..*self };
        let read = ahead.condition_in_front();
        if read.is_err() || ahead.at >= ahead.end || !ahead.clause_ahead(ahead.at) {
            return Ok(true);
        }
        let goes_on = matches!(ahead.verb(), Some(Verb::GoOn | Verb::Retreat | Verb::FallBack | Verb::March));
        if !joint.is_sign(Sign::Comma) || goes_on {
            return Ok(false);
        }
        if ahead.cond == Some(Cond::Meta) {
            return Ok(true);
        }
        let message = "The condition could belong to the order before it or to the one behind it.";
        Err(Fault::words(
            Some(self.range(self.at + 1, ahead.at)),
            message,
            "Write the two orders on lines of their own.",
        ))
    }

    /// Words in brackets behind an order are a remark, unless they are a condition or an order themselves.
    ///
    /// # Errors
    /// If there is an order in the brackets.
    pub fn remark(&mut self) -> Result<(), Fault> {
        let open = self.at;
        let close = (open..self.end)
            .find(|i| self.items.get(*i).is_some_and(|item| item.is_sign(Sign::Close)))
            .unwrap_or(self.end);
        if self.peek_at(1).is_some_and(|item| matches!(item.lex, Lex::Small(Small::If | Small::Unless))) {
            self.at += 1;
            self.condition_behind()?;
            self.at = (close + 1).min(self.end);
            return Ok(());
        }
        let inner = self.items.get(open + 1..close).unwrap_or(&[]);
        if inner.iter().any(|item| matches!(item.lex, Lex::Verb(v) if is_strong(v)))
            && self.looks_like_an_order(open + 1, close)
        {
            let message = "Words in brackets are a remark, and these look like an order.";
            return Err(Fault::words(Some(self.range(open, close + 1)), message, "Write it on a line of its own."));
        }
        self.at = (close + 1).min(self.end);
        Ok(())
    }
}
