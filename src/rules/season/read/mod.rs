//! A player's words become orders; orders become canonical words.
//!
//! [`letter`] reads: [`item`] finds names and verbs among the tokens of a block, [`parse`] makes clauses of them, [`resolve`],
//! [`going`] and [`deeds`] hold each against the seat's view, [`conflict`] sees that a letter does not contradict itself.
//! [`supersede`] says what a newer order does to an older one, [`weigh`] what the cards and the purse carry, [`canonical`] how
//! an order is written so that it reads back as itself, [`still_open`] what is not decided yet. The grammar for players stands
//! in `docs/orders.md`.

mod behind;
mod canonical;
mod carding;
mod condition;
mod conflict;
mod deeds;
mod doing;
mod draft;
mod going;
mod holdings;
mod index;
mod item;
mod letter;
mod lexicon;
mod lines;
mod marching;
mod movers;
mod open;
mod parse;
mod resolve;
mod retreating;
mod route;
mod saying;
mod spending;
mod supersede;
mod talk;
mod ways;
mod weigh;

#[cfg(test)]
mod tests;

pub(super) use canonical::canonical;
pub(super) use letter::letter;
pub(super) use open::still_open;
pub(super) use supersede::supersede;
pub(super) use weigh::weigh;
