//! How long to wait before the next try. Nothing is left to chance: the jitter comes from the letter's name, so that a pass told
//! again gives the same, and yet a hundred letters that failed together do not come back together.

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

const FIRST: i64 = 60;
/// A letter is tried at least every hour: greylisting (RFC 6647) ends within minutes, a full mailbox within days.
const LONGEST: i64 = 3_600;
/// The way out as a whole is tried more often: all letters wait for it.
const LINE_LONGEST: i64 = 900;

/// When a letter is tried again that failed for the `attempt`-th time (from 1) at `now`.
pub(super) fn next_try(message_id: &str, attempt: u32, now: Timestamp) -> Timestamp {
    later(now, jittered(message_id, attempt, doubled(attempt, LONGEST)))
}

/// When the way out is tried again.
pub(super) fn next_line(tries: u32, now: Timestamp) -> Timestamp {
    later(now, doubled(tries, LINE_LONGEST))
}

fn later(now: Timestamp, seconds: i64) -> Timestamp {
    now.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}

fn doubled(attempt: u32, longest: i64) -> i64 {
    FIRST.checked_shl(attempt.saturating_sub(1).min(20)).unwrap_or(longest).min(longest)
}

/// A quarter more or less.
fn jittered(message_id: &str, attempt: u32, seconds: i64) -> i64 {
    let digest = Sha256::digest(format!("try {attempt} of {message_id}"));
    let byte = i64::from(digest.first().copied().unwrap_or_default());
    seconds + seconds * (byte - 128) / 512
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_to_an_hour_and_no_two_letters_keep_step() {
        let now: Timestamp = "2027-01-05T18:00:00Z".parse().unwrap();
        let waits = |id: &str| -> Vec<i64> {
            (1..=12).map(|attempt| next_try(id, attempt, now).duration_since(now).as_secs()).collect()
        };
        let first = waits("a@example.org");
        assert_eq!(first, waits("a@example.org"), "the same letter waits the same");
        assert_ne!(first, waits("b@example.org"));
        for (wait, plain) in first.iter().zip([60, 120, 240, 480, 960, 1920, 3600, 3600, 3600, 3600, 3600, 3600]) {
            assert!((plain * 3 / 4..=plain * 5 / 4).contains(wait), "{wait} for {plain}");
        }
        assert!(next_try("a", u32::MAX, now) <= now + SignedDuration::from_secs(4_500));
        assert_eq!(next_line(9, now), now + SignedDuration::from_mins(15));
    }
}
