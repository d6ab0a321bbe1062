//! The key under the board: what its colours and signs mean, as far as they occur.

use super::super::words;
use super::board::Sheet;
use super::{MARGIN, colour, escape, glyphs, ink_on};
use crate::engine::report::BoardPicture;
use std::fmt::Write;

const ROW: f32 = 26.0;

/// Draws a sign around a point.
type Draw = Box<dyn Fn(&mut String, f32, f32)>;

/// One sign of the key: how to draw it around a point, and its words.
struct Sign {
    draw: Draw,
    words: String,
}

/// The key's markup and its height.
pub fn draw(board: &BoardPicture, sheet: &Sheet<'_>) -> (String, f32) {
    let mut out = String::new();
    let (mut x, mut y) = (MARGIN + 16.0, sheet.height + 12.0);
    for sign in signs(board) {
        let wide = 20.0 + 5.9 * sign.words.chars().count() as f32;
        if x > MARGIN + 16.0 && x + wide > sheet.width - MARGIN {
            x = MARGIN + 16.0;
            y += ROW;
        }
        (sign.draw)(&mut out, x, y);
        let _ = write!(
            out,
            "<text class=\"key\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 18.0,
            y + 4.0,
            escape(&sign.words)
        );
        x += wide + 26.0;
    }
    (out, y + ROW - sheet.height)
}

fn signs(board: &BoardPicture) -> Vec<Sign> {
    let mut signs: Vec<Sign> = board.legend.iter().map(|(name, fill)| seat(name, fill)).collect();
    let counters = || board.hexes.iter().flat_map(|h| &h.counters);
    if counters().any(|c| c.strength.is_some()) {
        signs.push(tile("2·7", "two brigades of 7 steps"));
    }
    if counters().any(|c| c.strength.is_none()) {
        signs.push(tile("2", "two brigades, strength unknown"));
    }
    let cities = || board.hexes.iter().filter_map(|h| h.city.as_ref());
    for (fort, words) in [("none", "open town, with its value"), ("square", "square fort"), ("hexagon", "hexagon fort")]
    {
        if cities().any(|c| c.fort == fort) {
            signs.push(Sign {
                draw: Box::new(move |o, x, y| _ = glyphs::city(o, fort, 2, x, y)),
                words: words.to_owned(),
            });
        }
    }
    if cities().any(|c| c.port) {
        signs.push(Sign { draw: Box::new(glyphs::anchor), words: "port".to_owned() });
    }
    if board.hexes.iter().any(|h| h.battle) {
        signs.push(Sign { draw: Box::new(glyphs::swords), words: "battle this turn".to_owned() });
    }
    for kind in ["forest", "marsh", "mountain"] {
        if board.sides.iter().any(|s| s.terrain == kind) {
            signs.push(Sign { draw: Box::new(move |o, x, y| glyphs::terrain(o, kind, x, y)), words: kind.to_owned() });
        }
    }
    let mut side = |there: bool, classes: &'static [&'static str], words: &str| {
        if there {
            signs.push(stroke(classes, words));
        }
    };
    let river = |major| board.sides.iter().any(|s| !s.river.is_empty() && s.major == major);
    side(river(false), &["river minor"], "minor river");
    side(river(true), &["river major"], "major river");
    side(board.sides.iter().any(|s| s.closed), &["closed", "bars"], "nothing passes");
    side(board.hexes.iter().any(|h| h.fill.is_some()), &["frontier"], "frontier");
    signs
}

fn seat(name: &str, fill: &str) -> Sign {
    let (words, initials) = (name.to_owned(), escape(&words::initials(name)));
    let (fill, ink) = (colour(fill).to_owned(), ink_on(fill));
    let draw = move |out: &mut String, x: f32, y: f32| {
        let _ = write!(
            out,
            "<rect class=\"counter\" fill=\"{fill}\" x=\"{:.1}\" y=\"{:.1}\" width=\"25\" height=\"16\" rx=\"2\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"9\" font-weight=\"700\" text-anchor=\"middle\" style=\"fill:{ink}\">{initials}</text>",
            x - 12.5,
            y - 8.0,
            y + 3.2
        );
    };
    Sign { draw: Box::new(draw), words }
}

fn tile(count: &'static str, words: &str) -> Sign {
    let draw = move |out: &mut String, x: f32, y: f32| {
        let _ = write!(
            out,
            "<rect class=\"grid\" x=\"{:.1}\" y=\"{:.1}\" width=\"25\" height=\"16\" rx=\"2\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"10\" font-weight=\"700\" text-anchor=\"middle\">{count}</text>",
            x - 12.5,
            y - 8.0,
            y + 3.6
        );
    };
    Sign { draw: Box::new(draw), words: words.to_owned() }
}

fn stroke(classes: &'static [&'static str], words: &str) -> Sign {
    let draw = move |out: &mut String, x: f32, y: f32| {
        for class in classes {
            let _ = write!(out, "<path class=\"{class}\" d=\"M{:.1} {y:.1}H{:.1}\"/>", x - 11.0, x + 11.0);
        }
    };
    Sign { draw: Box::new(draw), words: words.to_owned() }
}
