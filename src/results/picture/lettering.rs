//! How wide words are in the map's own font, so that the picture can be laid out without a screen.

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The map's font files, as they are built in.
pub static FONTS: [&[u8]; 3] = [
    include_bytes!("font/Alegreya-Medium.ttf"),
    include_bytes!("font/Alegreya-Bold.ttf"),
    include_bytes!("font/Alegreya-MediumItalic.ttf"),
];

/// How far capitals with their accents stand above the line, and letters reach below it, in parts of the size.
pub const ABOVE: f32 = 0.74;
pub const BELOW: f32 = 0.2;

/// A cut of the font.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Face {
    Plain,
    Bold,
    Italic,
}

type Advances = BTreeMap<char, f32>;

static ADVANCES: LazyLock<[Advances; 3]> = LazyLock::new(|| FONTS.map(advances));

fn advances(file: &[u8]) -> Advances {
    let Ok(font) = FontRef::new(file) else { return Advances::new() };
    let em = f32::from(font.metrics(Size::unscaled(), LocationRef::default()).units_per_em).max(1.0);
    let glyphs = font.glyph_metrics(Size::unscaled(), LocationRef::default());
    let pairs = font.charmap().mappings().filter_map(|(code, glyph)| {
        let advance = glyphs.advance_width(glyph)? / em;
        Some((char::from_u32(code)?, advance))
    });
    pairs.collect()
}

/// Whether the map's font has the letter.
#[cfg(test)]
pub fn has(letter: char) -> bool {
    ADVANCES.iter().all(|advances| advances.contains_key(&letter))
}

/// The width of a letter at size 1.
pub fn advance(letter: char, face: Face) -> f32 {
    let [plain, bold, italic] = &*ADVANCES;
    let advances = match face {
        Face::Plain => plain,
        Face::Bold => bold,
        Face::Italic => italic,
    };
    // A letter the font lacks comes from another, which is rarely wider than this.
    advances.get(&letter).copied().unwrap_or(0.8)
}

/// The width of words in one line, each letter followed by `spacing`.
pub fn width(words: &str, face: Face, size: f32, spacing: f32) -> f32 {
    words.chars().map(|letter| advance(letter, face) * size + spacing).sum()
}
