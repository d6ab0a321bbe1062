//! Path data as short as it can be: tenths of a unit, steps from the point before.

/// A point of the sheet.
pub type Point = (f32, f32);

/// Writes the data of a path.
pub struct Pen<'a> {
    out: &'a mut String,
    at: (i32, i32),
}

impl<'a> Pen<'a> {
    pub fn on(out: &'a mut String) -> Self {
        Pen { out, at: (0, 0) }
    }

    pub fn go(&mut self, to: Point) {
        let to = tenths(to);
        self.out.push('M');
        self.pair(to);
        self.at = to;
    }

    pub fn line(&mut self, to: Point) {
        let to = tenths(to);
        let step = (to.0 - self.at.0, to.1 - self.at.1);
        if step == (0, 0) {
            return;
        }
        self.out.push('l');
        self.pair(step);
        self.at = to;
    }

    /// A curve whose handle is `by`.
    pub fn bend(&mut self, by: Point, to: Point) {
        let (by, to) = (tenths(by), tenths(to));
        self.out.push('q');
        self.pair((by.0 - self.at.0, by.1 - self.at.1));
        if to.0 >= self.at.0 {
            self.out.push(' ');
        }
        self.pair((to.0 - self.at.0, to.1 - self.at.1));
        self.at = to;
    }

    pub fn close(&mut self) {
        self.out.push('z');
    }

    /// A closed shape.
    pub fn shape(&mut self, points: &[Point]) {
        for (at, point) in points.iter().enumerate() {
            if at == 0 { self.go(*point) } else { self.line(*point) }
        }
        self.close();
    }

    /// A line through all points.
    pub fn through(&mut self, points: &[Point]) {
        for (at, point) in points.iter().enumerate() {
            if at == 0 { self.go(*point) } else { self.line(*point) }
        }
    }

    fn pair(&mut self, (x, y): (i32, i32)) {
        number(self.out, x);
        if y >= 0 {
            self.out.push(' ');
        }
        number(self.out, y);
    }
}

#[allow(clippy::cast_possible_truncation)] // a sheet is some thousand units wide
fn tenths((x, y): Point) -> (i32, i32) {
    ((x * 10.0).round() as i32, (y * 10.0).round() as i32)
}

/// By hand: a large board has a hundred thousand of these.
fn number(out: &mut String, tenths: i32) {
    let (whole, part) = (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10);
    if tenths < 0 {
        out.push('-');
    }
    if whole > 0 || part == 0 {
        digits(out, whole);
    }
    if part > 0 {
        out.push('.');
        digits(out, part);
    }
}

fn digits(out: &mut String, number: u32) {
    if number >= 10 {
        digits(out, number / 10);
    }
    out.push(char::from_digit(number % 10, 10).unwrap_or('0'));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let written = |tenths| {
            let mut out = String::new();
            number(&mut out, tenths);
            out
        };
        let all = [0, 5, -5, 10, -10, 123, -123, 10_000, 10_001].map(written);
        assert_eq!(all, ["0", ".5", "-.5", "1", "-1", "12.3", "-12.3", "1000", "1000.1"]);
    }

    #[test]
    fn steps_add_up_to_where_the_line_goes() {
        let mut out = String::new();
        Pen::on(&mut out).shape(&[(1.04, 2.0), (1.08, 2.0), (3.0, 1.0)]);
        assert_eq!(out, "M1 2l.1 0l1.9-1z");
    }
}
