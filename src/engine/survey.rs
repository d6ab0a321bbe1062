//! What a look over a campaign's board brings to light, whatever its rules.

use super::fault::DataFault;

/// A campaign's board, looked over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// What is wrong, each with file and line.
    pub faults: Vec<DataFault>,
    /// What there is, a line for each kind of thing: ("cities", "21: 3 hexagons ...").
    pub counts: Vec<(String, String)>,
    /// Marches that the board has to allow.
    pub marches: Vec<Marched>,
    /// The board hex by hex, a line each: what it is and where its ways lead. Differences between two boards show in it line
    /// by line.
    pub listing: Vec<String>,
}

/// How long a march takes at best, and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marched {
    /// What it is called.
    pub name: String,
    /// How many turns it may take.
    pub allowed: u32,
    /// The quickest way; `None` if there is none.
    pub quickest: Option<Undertaking>,
    /// The surest way within what is allowed, if it is surer than the quickest.
    pub surest: Option<Undertaking>,
}

/// A way of making a march.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undertaking {
    /// Turns.
    pub turns: u32,
    /// How many dice have to fall well.
    pub rolls: u32,
    /// The chance of each, in sixths.
    pub sixths: u32,
    /// Where each turn ends.
    pub stages: Vec<String>,
}

impl Undertaking {
    /// The chance that all its dice fall well, in per cent, rounded.
    pub fn per_cent(&self) -> u32 {
        let (mut good, mut all) = (100_u64, 1_u64);
        for _ in 0..self.rolls.min(20) {
            good = good.saturating_mul(u64::from(self.sixths));
            all = all.saturating_mul(6);
        }
        u32::try_from((2 * good + all) / (2 * all)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_multiply() {
        let chance = |rolls, sixths| Undertaking { turns: 1, rolls, sixths, stages: Vec::new() }.per_cent();
        assert_eq!([chance(0, 4), chance(1, 4), chance(2, 4), chance(3, 5), chance(2, 0)], [100, 67, 44, 58, 0]);
    }
}
