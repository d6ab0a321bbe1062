//! The board as a picture: one self-contained SVG, which the page embeds and a program can turn into a PNG.
//!
//! From the ground up: hexes, coasts and frontiers, terrain on hexsides, rivers, closed sides, names and cities, counters,
//! and over it all an invisible hex each with the words that a pointer or a screen reader gets.

mod board;
mod glyphs;
mod legend;

use crate::engine::report::BoardPicture;
use board::Sheet;
use std::fmt::Write;

/// Outer radius of a hex in the picture's units.
const R: f32 = 50.0;
/// Empty margin around the board.
const MARGIN: f32 = 14.0;

/// The colours, once for light and once for dark: what carries meaning differs in shape as well.
const STYLE: &str = "\
.ub text{font-family:'Iowan Old Style','Palatino Linotype',Palatino,'Book Antiqua','P052',Georgia,serif;fill:#2a2117}\
.ub .land{fill:#f2ead6}.ub .sea{fill:#cfe0e6}.ub .lake{fill:#bdd7e2}\
.ub .grid{fill:none;stroke:#7d6f57;stroke-opacity:.35;stroke-width:.8}\
.ub .owner{fill-opacity:.3}\
.ub .coast{stroke:#5d8296;stroke-width:2;stroke-linecap:round}\
.ub .frontier{stroke:#5b4636;stroke-width:1.8;stroke-dasharray:5 3;stroke-linecap:butt}\
.ub .river{stroke:#3f7ca3;stroke-linecap:round}.ub .minor{stroke-width:2.4}.ub .major{stroke-width:5.6}\
.ub .closed{stroke:#33261b;stroke-width:5}.ub .bars{stroke:#f2ead6;stroke-width:2.4;stroke-dasharray:3 3}\
.ub .tree{fill:#4c7350;stroke:#f2ead6;stroke-width:.7}.ub .marsh{stroke:#2f7f78;stroke-width:1.3;fill:none;stroke-linecap:round}\
.ub .hill{fill:#b79a72;stroke:#5d4527;stroke-width:.9;stroke-linejoin:round}\
.ub .halo{paint-order:stroke;stroke:#f8f2e3;stroke-width:3.2;stroke-linejoin:round;stroke-opacity:.9}\
.ub .no{font-size:7.5px;fill:#6d5f4c;text-anchor:middle}\
.ub .name{font-weight:600;text-anchor:middle}\
.ub .water{font-style:italic;font-size:8px;text-anchor:middle;fill:#245b7d}\
.ub .city{fill:#33291f;stroke:#f8f2e3;stroke-width:1.2}.ub .value{font-size:9px;font-weight:700;fill:#fbf6ea;text-anchor:middle}\
.ub .anchor{fill:none;stroke:#24506d;stroke-width:1.5;stroke-linecap:round}\
.ub .counter{stroke:#1c150e;stroke-width:.9}.ub .swords{fill:none;stroke:#a3161f;stroke-width:2;stroke-linecap:round}\
.ub .swordsback{fill:none;stroke:#fbf6ea;stroke-width:4.6;stroke-linecap:round}\
.ub .key{font-size:11px}\
.ub .hit{fill:#000;fill-opacity:0;stroke:none}.ub .hit:hover{stroke:#a3161f;stroke-width:2}\
@media (prefers-color-scheme:dark){\
.ub text{fill:#eadfca}.ub .land{fill:#38322a}.ub .sea{fill:#1c2f3a}.ub .lake{fill:#23404f}\
.ub .grid{stroke:#cbbda4;stroke-opacity:.22}.ub .owner{fill-opacity:.36}\
.ub .coast{stroke:#6f9db5}.ub .frontier{stroke:#d9c5a8}.ub .river{stroke:#6fb2da}\
.ub .closed{stroke:#e6d8bf}.ub .bars{stroke:#2a251e}.ub .tree{fill:#8fbf93;stroke:#2a251e}.ub .marsh{stroke:#6cc7be}\
.ub .hill{fill:#8a734f;stroke:#e0c9a1}.ub .halo{stroke:#211c15}.ub .no{fill:#b7a98f}.ub .water{fill:#a9d4ee}\
.ub .city{fill:#efe5d0;stroke:#211c15}.ub .value{fill:#211c15}.ub .anchor{stroke:#a9d4ee}\
.ub .counter{stroke:#f4ead6}.ub .swords{stroke:#ff9c94}.ub .swordsback{stroke:#211c15}}";

/// Draws the board.
pub fn board_svg(board: &BoardPicture) -> String {
    let sheet = Sheet::of(board);
    let (key, key_height) = legend::draw(board, &sheet);
    let (width, height) = (sheet.width, sheet.height + key_height);
    let mut out = String::with_capacity(64 * 1024);
    // Writing to a String cannot fail, here and below.
    let _ = write!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"ub\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"{}\"><style>{STYLE}</style>",
        escape(&summary(board))
    );
    sheet.hexes(&mut out);
    sheet.edges(&mut out);
    sheet.sides(&mut out);
    sheet.labels(&mut out);
    out.push_str(&key);
    sheet.hits(&mut out);
    out.push_str("</svg>");
    out
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

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn the_sample_board_is_whole_markup() {
        let svg = board_svg(&sample::board());
        for tag in ["g", "text", "title", "style", "svg"] {
            let opened = svg.matches(&format!("<{tag}>")).count() + svg.matches(&format!("<{tag} ")).count();
            assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        assert!(svg.contains("Dünamünde") && svg.contains("0205") && !svg.contains("NaN"));
    }

    #[test]
    fn names_and_colours_cannot_break_out_of_the_markup() {
        let mut board = sample::board();
        for hex in &mut board.hexes {
            hex.fill = hex.fill.as_ref().map(|_| "\"/><script>".to_owned());
            if let Some(city) = &mut hex.city {
                city.name = "<script>alert('x')</script>".to_owned();
            }
            for counter in &mut hex.counters {
                counter.colour = "red\" onload=\"x".to_owned();
                counter.names = vec!["</title><script>".to_owned()];
            }
        }
        board.legend.push(("<b>".to_owned(), "url(http://example.org)".to_owned()));
        let svg = board_svg(&board);
        assert!(!svg.contains("<script") && !svg.contains("onload=\"") && !svg.contains("example.org"), "{svg}");
    }

    #[test]
    fn flat_topped_and_empty_boards_draw_too() {
        let mut board = sample::board();
        board.grid = crate::engine::Grid::FlatEvenColumns;
        assert!(board_svg(&board).contains("Mitau"));
        board.hexes.clear();
        let svg = board_svg(&board);
        assert!(svg.starts_with("<svg") && !svg.contains("inf") && !svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn ink_can_be_read() {
        assert_eq!((ink_on("#2b5c9e"), ink_on("#f0d060"), ink_on("nonsense")), ("#ffffff", "#1c150e", "#ffffff"));
    }
}
