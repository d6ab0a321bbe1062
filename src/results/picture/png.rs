//! The picture as a PNG, in the map's own font and no other: the same on every machine.

use super::lettering::FONTS;
use super::{Use, draw};
use crate::engine::board_picture::BoardPicture;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, fontdb};
use std::sync::{Arc, LazyLock};

static FONT_SHELF: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut shelf = fontdb::Database::new();
    for font in FONTS {
        shelf.load_font_data(font.to_vec());
    }
    shelf.set_serif_family("Alegreya");
    Arc::new(shelf)
});

/// How large a PNG is to be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Size {
    /// So many times the size at which the SVG is shown.
    Scale(f32),
    /// So many pixels across.
    Width(u32),
}

/// A picture that could not be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PngFault {
    /// Nothing, or more pixels than a picture can have.
    #[error("a picture of {wide} by {tall} pixels cannot be made")]
    Size {
        /// Across.
        wide: u32,
        /// Down.
        tall: u32,
    },
    /// The picture could not be read or written; a fault of this program.
    #[error("the picture could not be turned into a PNG: {0}")]
    Drawing(String),
}

/// The largest picture, in pixels: A0 at 300 dots an inch.
const MOST: u64 = 9934 * 14044;

/// Draws the board as a PNG.
///
/// # Errors
/// If the size is nothing or too much.
pub fn board_png(board: &BoardPicture, size: Size) -> Result<Vec<u8>, PngFault> {
    let drawing = |fault: String| PngFault::Drawing(fault);
    let tree = tree(&draw(board, Use::Print).0).map_err(|fault| drawing(fault.to_string()))?;
    let natural = tree.size();
    let scale = match size {
        Size::Scale(scale) => scale,
        #[allow(clippy::cast_precision_loss)]
        Size::Width(width) => width as f32 / natural.width(),
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held below the largest picture next
    let pixels = |length: f32| (length * scale).round().max(0.0) as u32;
    let (wide, tall) = (pixels(natural.width()), pixels(natural.height()));
    if u64::from(wide) * u64::from(tall) > MOST {
        return Err(PngFault::Size { wide, tall });
    }
    let mut pixmap = Pixmap::new(wide, tall).ok_or(PngFault::Size { wide, tall })?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|fault| drawing(fault.to_string()))
}

/// The picture as the drawing program understands it.
pub(super) fn tree(svg: &str) -> Result<usvg::Tree, usvg::Error> {
    let options = usvg::Options {
        fontdb: Arc::clone(&FONT_SHELF),
        font_family: "Alegreya".to_owned(),
        ..usvg::Options::default()
    };
    usvg::Tree::from_str(svg, &options)
}
