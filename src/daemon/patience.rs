//! Games that did not move although they were due: looked at again after a while, and then after a longer one.

use crate::engine::GameId;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

const FIRST: SignedDuration = SignedDuration::from_mins(1);
const LONGEST: SignedDuration = SignedDuration::from_hours(1);

/// Which games are left alone, and until when.
#[derive(Debug, Default)]
pub(super) struct Patience {
    held: BTreeMap<GameId, Held>,
}

#[derive(Debug)]
struct Held {
    /// How long the journal was: once it has grown, all may be well.
    length: u64,
    since: Timestamp,
    wait: SignedDuration,
}

impl Patience {
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether a game whose journal has this length may be tried now.
    pub fn is_over(&self, game: &GameId, length: u64, now: Timestamp) -> bool {
        let still = |held: &Held| {
            let waited = now.duration_since(held.since);
            held.length == length && waited >= SignedDuration::ZERO && waited < held.wait
        };
        !self.held.get(game).is_some_and(still)
    }

    pub fn hold(&mut self, game: &GameId, length: u64, now: Timestamp) {
        let before = self.held.get(game).filter(|held| held.length == length).map(|held| held.wait);
        let wait = before.map_or(FIRST, |wait| (wait * 2).min(LONGEST));
        self.held.insert(game.clone(), Held { length, since: now, wait });
    }

    pub fn free(&mut self, game: &GameId) {
        self.held.remove(game);
    }

    /// When the first of them may be tried again.
    pub fn next(&self) -> Option<Timestamp> {
        self.held.values().filter_map(|held| held.since.checked_add(held.wait).ok()).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_tried_again_later_and_later_and_at_once_when_its_journal_grows() {
        let start: Timestamp = "2027-01-05T18:00:00Z".parse().unwrap();
        let after = |minutes| start + SignedDuration::from_mins(minutes);
        let game = GameId::new("duel");
        let mut patience = Patience::default();
        assert!(patience.is_over(&game, 3, start));
        patience.hold(&game, 3, start);
        assert!(!patience.is_over(&game, 3, start) && patience.is_over(&game, 4, start));
        assert_eq!(patience.next(), Some(after(1)));
        assert!(patience.is_over(&game, 3, after(1)));
        patience.hold(&game, 3, after(1));
        assert!(!patience.is_over(&game, 3, after(2)) && patience.is_over(&game, 3, after(3)));
        for _ in 0..9 {
            patience.hold(&game, 3, after(9));
        }
        assert!(patience.is_over(&game, 3, after(9 + 60)));
        assert!(patience.is_over(&game, 3, start), "a clock set back must not make it wait for ever");
        patience.free(&game);
        assert_eq!(patience.len(), 0);
    }
}
