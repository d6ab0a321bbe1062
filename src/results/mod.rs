//! Report entries become a letter per seat and a page for all. Tera lives here; no rules, and no prose of the games' own:
//! every sentence a player reads stands in `templates/`, where an umpire can put his own file over it.
//!
//! [`facts`] is what the desk hands in; [`letters`] and [`page`] what it gets back; [`entry`] words each report entry once,
//! so that the letter, the HTML beside it and the page say the same; [`dice_block`] is what `umpire verify` reads.

pub mod dice_block;
pub mod entry;
pub mod facts;
mod filters;
pub mod letters;
#[cfg(test)]
mod livonia;
pub mod page;
pub mod picture;
pub mod sample;
mod sheet_view;
pub mod templates;
pub mod text;
mod words;

pub use letters::{Dispatch, ORDERS_BEGIN, ORDERS_END};
pub use templates::{TemplateFault, Templates};
