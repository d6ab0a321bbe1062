//! Doubt: every point at which words can be taken in two ways is a choice, and every way is tried.

use crate::engine::Cite;

/// Why a choice has to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Doubt {
    /// A sentence for the player.
    pub message: String,
    /// By which rules; empty if only the wording is in doubt.
    pub cites: Vec<Cite>,
}

/// Makes choices, one way of making them at a time.
#[derive(Clone, Debug, Default)]
pub struct Chooser {
    tape: Vec<usize>,
    at: usize,
    widths: Vec<usize>,
    /// Why, one for each choice met.
    pub doubts: Vec<Doubt>,
}

impl Chooser {
    /// Picks one of `options`. Nothing is recorded when there is nothing to choose.
    pub fn pick<T: Clone>(&mut self, options: &[T], doubt: impl FnOnce() -> Doubt) -> Option<T> {
        if options.len() < 2 {
            return options.first().cloned();
        }
        if self.at == self.tape.len() {
            self.tape.push(0);
        }
        if self.at == self.widths.len() {
            self.widths.push(options.len());
            self.doubts.push(doubt());
        }
        let chosen = self.tape.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        options.get(chosen).cloned()
    }

    /// Winds on to the next way of choosing; `false` when all have been tried.
    fn advance(&mut self) -> bool {
        let mut tape: Vec<usize> = self.tape.iter().take(self.at).copied().collect();
        while let Some(last) = tape.pop() {
            let width = self.widths.get(tape.len()).copied().unwrap_or(0);
            if last + 1 < width {
                tape.push(last + 1);
                *self = Self { tape, ..Self::default() };
                return true;
            }
        }
        false
    }
}

/// Most readings that are tried: more than a player would read through.
const MOST: usize = 24;

/// All readings of something, in order, and the doubts met on the first.
pub fn all_readings<T>(mut read: impl FnMut(&mut Chooser) -> T) -> (Vec<T>, Vec<Doubt>) {
    let mut chooser = Chooser::default();
    let mut readings = Vec::new();
    let mut doubts: Vec<Doubt> = Vec::new();
    loop {
        chooser.at = 0;
        readings.push(read(&mut chooser));
        for doubt in &chooser.doubts {
            if !doubts.contains(doubt) {
                doubts.push(doubt.clone());
            }
        }
        if readings.len() >= MOST || !chooser.advance() {
            return (readings, doubts);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt() -> Doubt {
        Doubt { message: "which?".into(), cites: Vec::new() }
    }

    #[test]
    fn every_way_is_tried_in_order() {
        let (readings, doubts) = all_readings(|chooser| {
            let a = chooser.pick(&['a', 'b'], doubt).unwrap();
            let b = if a == 'a' { chooser.pick(&[1, 2, 3], doubt).unwrap() } else { 0 };
            (a, b)
        });
        assert_eq!(readings, [('a', 1), ('a', 2), ('a', 3), ('b', 0)]);
        assert_eq!(doubts.len(), 1);
    }

    #[test]
    fn one_option_is_no_choice() {
        assert_eq!(all_readings(|chooser| chooser.pick(&[7], doubt)), (vec![Some(7)], Vec::new()));
    }
}
