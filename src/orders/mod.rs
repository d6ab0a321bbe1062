//! Words become order sheets: the machinery that every rule system shares. No rules, no mail.
//!
//! [`layout`] turns the lines of a letter into blocks and sentences, [`token`] a line into words and signs, [`mod@fold`] a word
//! into the form in which spellings meet. [`names`] finds what a word can stand for, in full, shortened or misspelt;
//! [`choice`] tries every reading of a doubtful line; [`place`] points at the player's own words. What the words mean is the
//! rule systems' business.

pub mod choice;
pub mod fold;
pub mod layout;
pub mod names;
pub mod place;
pub mod token;

pub use choice::{Chooser, Doubt, all_readings};
pub use fold::fold;
pub use layout::{Block, Layout};
pub use names::{Closeness, Found, Names};
pub use token::{Sign, Token, What};
