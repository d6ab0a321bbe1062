//! Message-IDs: the name of a letter, known before the letter is written.

use std::fmt;

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::engine::{GameId, SeatId};

/// Octets of the HMAC that are used: 160 bits, 32 letters in base32.
const LENGTH: usize = 20;

/// Makes the Message-IDs of an umpire's folder.
///
/// The id is an HMAC of game, kind of letter, seat and cause (architecture, "The outbox"). The same cause gives the
/// same id, so a letter repeated after a crash is recognisably the same; nobody without the secret can guess the id
/// of another seat's letter or learn anything from one.
pub struct MessageIds {
    keyed: Hmac<Sha256>,
    domain: String,
}

/// The domain of Message-IDs must be letters, digits, hyphens and dots. The umpire is to correct his configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` cannot be the domain of Message-IDs: write a host name such as example.org")]
pub struct BadDomain(pub String);

impl MessageIds {
    /// Takes the folder's secret (any length; 32 random octets are right) and the domain behind the `@`.
    ///
    /// # Errors
    /// [`BadDomain`] if the domain is no ASCII host name.
    pub fn new(secret: &[u8], domain: &str) -> Result<MessageIds, BadDomain> {
        let domain = domain.to_ascii_lowercase();
        let label = |l: &str| !l.is_empty() && l.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if domain.len() > 200 || !domain.split('.').all(label) {
            return Err(BadDomain(domain));
        }
        let keyed = Hmac::<Sha256>::new_from_slice(secret).map_err(|_| BadDomain(domain.clone()))?;
        Ok(MessageIds { keyed, domain })
    }

    /// The id, without angle brackets, of the letter of this `kind` ("ack", "results" ...) to this seat (none for
    /// strangers and the umpire), caused by `cause`: the intake row or journal entry it answers or announces.
    pub fn make(&self, game: &GameId, kind: &str, seat: Option<&SeatId>, cause: &str) -> String {
        let mut mac = self.keyed.clone();
        let seat = seat.map_or(String::new(), |seat| format!("/{seat}"));
        for part in [game.as_str(), kind, &seat, cause] {
            // Lengths first, lest ("ab", "c") and ("a", "bc") be one.
            mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            mac.update(part.as_bytes());
        }
        let digest = mac.finalize().into_bytes();
        let name = BASE32_NOPAD.encode(digest.get(..LENGTH).unwrap_or(&digest)).to_ascii_lowercase();
        format!("umpire.{name}@{}", self.domain)
    }

    /// The domain of the ids, by which letters that come back are known.
    pub fn domain(&self) -> &str {
        &self.domain
    }
}

impl fmt::Debug for MessageIds {
    /// The secret stays out of logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MessageIds").field("domain", &self.domain).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_cause_has_the_same_name_and_every_part_counts() {
        let ids = MessageIds::new(b"secret of the folder", "Umpire.Example.org").unwrap();
        let (game, other) = (GameId::new("gnw1"), GameId::new("gnw"));
        let (sweden, russia) = (SeatId::new("sweden"), SeatId::new("russia"));
        let first = ids.make(&game, "ack", Some(&sweden), "intake 3");
        assert_eq!(first, ids.make(&game, "ack", Some(&sweden), "intake 3"));
        // As reckoned by Python's hmac and base64.
        assert_eq!(first, "umpire.6ujqbkdolevdudotkjwxr4jbo4y7s2aq@umpire.example.org");
        let mut all = vec![
            first,
            ids.make(&game, "ack", Some(&sweden), "intake 4"),
            ids.make(&game, "ack", Some(&russia), "intake 3"),
            ids.make(&game, "ack", None, "intake 3"),
            ids.make(&other, "1ack", Some(&sweden), "intake 3"),
            ids.make(&game, "results", Some(&sweden), "intake 3"),
            MessageIds::new(b"another", "umpire.example.org").unwrap().make(&game, "ack", Some(&sweden), "intake 3"),
        ];
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 7);
    }

    #[test]
    fn a_domain_that_would_break_the_header_is_refused() {
        for bad in ["", "a..b", "a b", "a\r\nBcc: x", "räksmörgås.example", "a@b"] {
            assert!(MessageIds::new(b"s", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn the_secret_is_not_shown() {
        let ids = MessageIds::new(b"hush", "example.org").unwrap();
        assert_eq!(format!("{ids:?}"), "MessageIds { domain: \"example.org\", .. }");
    }
}
