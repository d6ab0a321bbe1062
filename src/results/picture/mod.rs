//! The board as a picture: one self-contained SVG, which the page embeds, and the same as a PNG.
//!
//! From the ground up: sea and land, washes and hatches of the owners, borders, coasts, rivers, roads, terrain on hexsides,
//! names, cities, moves, counters, and over it all an invisible hex each with the words that a pointer or a screen reader
//! gets. `lattice` decides where lines run, `crowd` and `names` which names find room.

mod arrows;
mod board;
mod crowd;
mod ground;
mod lattice;
mod lettering;
mod names;
mod panel;
mod pen;
pub mod png;
mod signs;
mod style;
#[cfg(test)]
mod tests;

use crate::engine::board_picture::BoardPicture;
use board::Sheet;
use names::{Label, Names};
use std::fmt::Write;

/// Outer radius of a hex in the picture's units.
const R: f32 = 50.0;
/// Empty margin around the board.
const MARGIN: f32 = 22.0;

/// What a picture is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// A page: dark where the reader's screen is, with words behind the hexes.
    Page,
    /// Paper: always light, nothing to point at.
    Print,
}

/// Draws the board. A page may hold one such picture: its parts are called by names that all of them share.
pub fn board_svg(board: &BoardPicture) -> String {
    draw(board, Use::Page).0
}

/// How much stands on a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// Hexes.
    pub hexes: usize,
    /// Names of cities.
    pub cities: usize,
    /// Names along rivers, every repetition.
    pub rivers: usize,
    /// Names of provinces.
    pub provinces: usize,
    /// Names of waters.
    pub waters: usize,
}

/// Draws the board and counts what found room on it.
pub fn board_svg_counted(board: &BoardPicture) -> (String, Drawn) {
    let (svg, labels) = draw(board, Use::Page);
    let of = |names: Names| labels.iter().filter(|label| label.names == names).count();
    let drawn = Drawn {
        hexes: board.hexes.len(),
        cities: of(Names::City),
        rivers: of(Names::River),
        provinces: of(Names::Province),
        waters: of(Names::Water),
    };
    (svg, drawn)
}

fn draw(board: &BoardPicture, purpose: Use) -> (String, Vec<Label>) {
    let sheet = Sheet::of(board);
    let mut crowd = sheet.crowd();
    let labels = sheet.names(&mut crowd);
    let (growth_defs, growth) = sheet.growth(&crowd);
    let (key, key_height) = panel::draw(&sheet);
    let (width, height) = (sheet.width, sheet.height + key_height + MARGIN / 2.0);
    let mut out = String::with_capacity(512 * 1024);
    // On a page a large board scrolls rather than shrink to what nobody can read.
    let least = if width > 1500.0 { format!(" style=\"--board:{:.0}px\"", width * 0.75) } else { String::new() };
    // Writing to a String cannot fail, here and below.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ub\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\"{least} aria-label=\"{}\"><style>{}{}</style><defs>{}{growth_defs}",
        escape(&summary(board)),
        style::LIGHT,
        if purpose == Use::Page { style::DARK } else { "" },
        ground::hatches(&sheet)
    );
    out.extend(labels.iter().map(|label| label.defs.as_str()));
    let _ = write!(out, "</defs>{}", paper(width, height));
    sheet.ground(&mut out);
    sheet.lines(&mut out);
    out.push_str(&growth);
    sheet.numbers(&mut out);
    let on_ground = |label: &&Label| label.names != Names::City;
    out.extend(labels.iter().filter(on_ground).map(|label| label.markup.as_str()));
    sheet.links(&mut out);
    sheet.arrows(&mut out);
    sheet.signs(&mut out);
    out.extend(labels.iter().filter(|label| !on_ground(label)).map(|label| label.markup.as_str()));
    out.push_str(&key);
    if purpose == Use::Page {
        sheet.hits(&mut out);
    }
    out.push_str("</svg>");
    (out, labels)
}

/// The sheet itself with the double line that maps have around them.
fn paper(width: f32, height: f32) -> String {
    let rect = |class: &str, inset: f32| {
        let (wide, high) = (width - 2.0 * inset, height - 2.0 * inset);
        format!("<rect class=\"{class}\" x=\"{inset}\" y=\"{inset}\" width=\"{wide:.1}\" height=\"{high:.1}\"/>")
    };
    rect("paper", 0.0) + &rect("frame", 5.0) + &rect("frame fine", 9.0)
}

fn summary(board: &BoardPicture) -> String {
    let battles = board.hexes.iter().filter(|h| h.battle).count();
    let occupied = board.hexes.iter().filter(|h| !h.counters.is_empty()).count();
    format!("The board: {} hexes, {occupied} with troops, {battles} with a battle", board.hexes.len())
}

/// Text as it may stand in the picture's markup.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A colour as the facts give it, or grey: nothing else may get into an attribute.
fn colour(text: &str) -> &str {
    let digits = text.strip_prefix('#').unwrap_or("");
    if digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()) { text } else { "#808080" }
}

/// Black or white, whichever can be read on the colour.
fn ink_on(text: &str) -> &'static str {
    let channel = |at: usize| {
        let byte = colour(text).get(at..at + 2).and_then(|h| u8::from_str_radix(h, 16).ok()).unwrap_or(128);
        (f32::from(byte) / 255.0).powf(2.2)
    };
    let light = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
    if light > 0.3 { "#1c150e" } else { "#ffffff" }
}

/// A colour made darker by a factor.
fn shade(text: &str, by: f32) -> String {
    let channel = |at: usize| {
        let byte = colour(text).get(at..at + 2).and_then(|h| u8::from_str_radix(h, 16).ok()).unwrap_or(128);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and 255
        let darker = (f32::from(byte) * by).clamp(0.0, 255.0) as u8;
        darker
    };
    format!("#{:02x}{:02x}{:02x}", channel(1), channel(3), channel(5))
}
