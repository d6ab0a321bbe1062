//! What already stands on the sheet, so that nothing is set upon anything else.

/// An upright box.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rect {
    pub left: f32,
    pub top: f32,
    pub right: f32,
    pub bottom: f32,
}

impl Rect {
    pub fn around(x: f32, y: f32, half_wide: f32, half_tall: f32) -> Self {
        Rect { left: x - half_wide, top: y - half_tall, right: x + half_wide, bottom: y + half_tall }
    }

    pub fn overlaps(&self, other: &Rect) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    fn inside(&self, other: &Rect) -> bool {
        self.left >= other.left && self.right <= other.right && self.top >= other.top && self.bottom <= other.bottom
    }
}

const CELL: f32 = 48.0;

/// The boxes of all that stands, found by place: a question costs the same on a large board as on a small one.
pub struct Crowd {
    bounds: Rect,
    across: usize,
    cells: Vec<Vec<Rect>>,
}

impl Crowd {
    pub fn within(bounds: Rect) -> Self {
        let across = steps(bounds.right - bounds.left) + 1;
        let down = steps(bounds.bottom - bounds.top) + 1;
        Crowd { bounds, across, cells: vec![Vec::new(); across * down] }
    }

    fn touched(&self, rect: &Rect) -> impl Iterator<Item = usize> + use<> {
        let (x0, x1) = (steps(rect.left - self.bounds.left), steps(rect.right - self.bounds.left));
        let (y0, y1) = (steps(rect.top - self.bounds.top), steps(rect.bottom - self.bounds.top));
        let (across, last) = (self.across, self.across.saturating_sub(1));
        (y0..=y1).flat_map(move |y| (x0.min(last)..=x1.min(last)).map(move |x| y * across + x))
    }

    /// Whether nothing stands there and all of it is on the sheet.
    pub fn has_room(&self, rects: &[Rect]) -> bool {
        rects.iter().all(|rect| rect.inside(&self.bounds) && !self.hits(rect))
    }

    /// Whether something stands there.
    pub fn hits(&self, rect: &Rect) -> bool {
        self.touched(rect).any(|cell| self.cells.get(cell).is_some_and(|there| there.iter().any(|r| r.overlaps(rect))))
    }

    pub fn take(&mut self, rects: &[Rect]) {
        for rect in rects {
            for cell in self.touched(rect) {
                if let Some(there) = self.cells.get_mut(cell) {
                    there.push(*rect);
                }
            }
        }
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // held above zero
fn steps(length: f32) -> usize {
    (length / CELL).max(0.0) as usize
}
