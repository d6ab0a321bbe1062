//! Dice anyone can check: a roll is a function of a secret and a key, never of what was rolled before.
//!
//! * Each turn has a [`TurnSecret`]. Each [`Scope`] of the turn has a secret of its own, derived from it by
//!   HMAC-SHA256, so that telling one reader his scopes tells him nothing of the others.
//! * A Merkle root over all scope secrets is published before orders open ([`TurnSecret::commit`]); with the official
//!   results a reader gets the secrets of the scopes that he may see, each with its [`Proof`].
//! * A volley is `faces(scope secret, key)`: the HMAC of the key under the scope secret seeds ChaCha20 (RFC 8439 block
//!   function as frozen in `rand_chacha`), whose bytes become faces by the rejection rule of [`faces`].
//!
//! Striking an order therefore moves no die of a battle it has nothing to do with.

use super::hex::HexId;
use super::ids::{RulingNo, SeatId, StepName, TurnNo};
use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

/// Thirty-two secret bytes, written as lower-case hexadecimal.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl Secret {
    /// A secret from the operating system's generator: the one place where the project asks for randomness.
    ///
    /// # Errors
    /// If the operating system has no randomness to give.
    #[allow(clippy::disallowed_types)] // the one place where the project asks for randomness
    pub fn fresh() -> Result<Self, rand::rngs::SysError> {
        use rand::TryRng;
        let mut bytes = [0; 32];
        rand::rngs::SysRng.try_fill_bytes(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The secret with these bytes, for tests and throw-away dice.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, for deriving further keys.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// A secret that follows from this one and a label (HMAC-SHA256), and does not lead back to it.
    pub fn derive(&self, label: &str) -> Secret {
        Secret(keyed_hash(&self.0, label.as_bytes()))
    }
}

/// Never prints the secret: a log line must not give a turn's dice away.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex_text(&self.0))
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        bytes32(&text).map(Secret).ok_or_else(|| serde::de::Error::custom("a secret is 64 hexadecimal digits"))
    }
}

/// A SHA-256 hash that may be seen by all, written as lower-case hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hash([u8; 32]);

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex_text(&self.0))
    }
}

impl std::str::FromStr for Hash {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        bytes32(text).map(Hash).ok_or("a hash is 64 hexadecimal digits")
    }
}

impl Serialize for Hash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

fn hex_text(bytes: &[u8]) -> String {
    data_encoding::HEXLOWER.encode(bytes)
}

fn bytes32(text: &str) -> Option<[u8; 32]> {
    data_encoding::HEXLOWER_PERMISSIVE.decode(text.trim().as_bytes()).ok()?.try_into().ok()
}

fn keyed_hash(key: &[u8; 32], message: &[u8]) -> [u8; 32] {
    // HMAC takes keys of any length: with a 32-byte array there is nothing to refuse.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.update(message);
    mac.finalize().into_bytes().into()
}

/// Who may check a die once the turn is official.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// Every reader.
    Public,
    /// One seat.
    Seat(SeatId),
    /// Whoever fought in this hex.
    Battle(HexId),
    /// The deal of cards: nobody before the next reshuffle.
    Deal,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Public => f.write_str("public"),
            Scope::Seat(seat) => write!(f, "seat:{seat}"),
            Scope::Battle(hex) => write!(f, "battle:{hex}"),
            Scope::Deal => f.write_str("deal"),
        }
    }
}

impl std::str::FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "public" => Ok(Scope::Public),
            None if text == "deal" => Ok(Scope::Deal),
            Some(("seat", seat)) if !seat.is_empty() => Ok(Scope::Seat(SeatId::new(seat))),
            Some(("battle", hex)) => hex.parse().map(Scope::Battle).map_err(|e: super::hex::NotAHex| e.to_string()),
            _ => Err(format!("\"{text}\" is no scope of dice: public, deal, seat:NAME or battle:HEX")),
        }
    }
}

impl Serialize for Scope {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The secret behind all dice of one turn.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TurnSecret(Secret);

impl TurnSecret {
    /// The secret of `turn`, from the game's secret.
    pub fn of(game: &Secret, turn: TurnNo) -> Self {
        Self(game.derive(&format!("turn {turn}")))
    }

    /// The secret of one scope.
    pub fn scope(&self, scope: &Scope) -> Secret {
        self.0.derive(&scope.to_string())
    }

    /// The Merkle root over the secrets of all `scopes`, in the order given. Publish it before orders open.
    pub fn commit(&self, scopes: &[Scope]) -> Hash {
        let mut level: Vec<Hash> = scopes.iter().map(|scope| leaf(scope, &self.scope(scope))).collect();
        while level.len() > 1 {
            level = level.chunks(2).map(pair_up).collect();
        }
        level.first().copied().unwrap_or(Hash([0; 32]))
    }

    /// The secret of `scope` and the proof that it stands under [`TurnSecret::commit`] of the same `scopes`;
    /// `None` if it is not one of them.
    pub fn reveal(&self, scopes: &[Scope], scope: &Scope) -> Option<Revealed> {
        let mut place = scopes.iter().position(|s| s == scope)?;
        let mut level: Vec<Hash> = scopes.iter().map(|s| leaf(s, &self.scope(s))).collect();
        let mut path = Vec::new();
        while level.len() > 1 {
            let partner = level.get(place ^ 1).copied();
            path.push(match partner {
                None => Turn::Alone,
                Some(hash) if place % 2 == 0 => Turn::Right(hash),
                Some(hash) => Turn::Left(hash),
            });
            level = level.chunks(2).map(pair_up).collect();
            place /= 2;
        }
        Some(Revealed { scope: scope.clone(), secret: self.scope(scope), proof: Proof(path) })
    }
}

fn leaf(scope: &Scope, secret: &Secret) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update([0]);
    hasher.update(scope.to_string());
    hasher.update([0]);
    hasher.update(secret.0);
    Hash(hasher.finalize().into())
}

fn node(left: &Hash, right: &Hash) -> Hash {
    let mut hasher = Sha256::new();
    hasher.update([1]);
    hasher.update(left.0);
    hasher.update(right.0);
    Hash(hasher.finalize().into())
}

fn pair_up(pair: &[Hash]) -> Hash {
    match pair {
        [left, right] => node(left, right),
        [alone] => *alone,
        _ => Hash([0; 32]),
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Turn {
    Left(Hash),
    Right(Hash),
    Alone,
}

/// The way from one scope's leaf up to the published root.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Proof(Vec<Turn>);

/// A scope's secret, given out with the official results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Revealed {
    /// Which dice it is for.
    pub scope: Scope,
    /// The secret itself.
    pub secret: Secret,
    /// That it is the one committed to.
    pub proof: Proof,
}

impl Revealed {
    /// Whether this secret stands under the root that was published before orders opened.
    pub fn stands_under(&self, root: &Hash) -> bool {
        let climb = |below: Hash, turn: &Turn| match turn {
            Turn::Left(hash) => node(hash, &below),
            Turn::Right(hash) => node(&below, hash),
            Turn::Alone => below,
        };
        self.proof.0.iter().fold(leaf(&self.scope, &self.secret), climb) == *root
    }
}

/// What a volley is for: with the scope's secret it fixes the faces.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct DieKey {
    /// The turn.
    pub turn: TurnNo,
    /// The step of the sequence of play.
    pub step: StepName,
    /// What is decided: `crossing`, `volley`, `rally`.
    pub what: String,
    /// Who rolls, by number rather than by name: `u17`, `u17@0910`.
    pub subject: String,
    /// Which of several such volleys, from 1.
    pub ordinal: u32,
    /// Set when the umpire ordered another throw: a die by ruling comes from a key of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reroll: Option<RulingNo>,
}

impl fmt::Display for DieKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}/{}/{}", self.turn, self.step, self.what, self.subject, self.ordinal)?;
        match self.reroll {
            Some(ruling) => write!(f, "/ruling {ruling}"),
            None => Ok(()),
        }
    }
}

/// Six-sided dice thrown together for one purpose.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Roll {
    /// Whose secret made them.
    pub scope: Scope,
    /// What they were for.
    pub key: DieKey,
    /// The faces, 1 to 6, in order.
    pub faces: Vec<u8>,
    /// Dice (counted from 0) that the umpire set by ruling.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_by_ruling: Vec<usize>,
}

impl Roll {
    /// Recomputes the faces from a revealed secret and compares those that no ruling set.
    pub fn agrees_with(&self, secret: &Secret) -> bool {
        let count = self.faces.len();
        faces(secret, &self.key, count)
            .iter()
            .zip(&self.faces)
            .enumerate()
            .all(|(i, (ours, shown))| ours == shown || self.set_by_ruling.contains(&i))
    }
}

/// The first `count` faces of a key: bytes of ChaCha20 seeded with HMAC-SHA256(secret, key); a byte of 252 or more is
/// passed over, any other gives `byte mod 6 + 1`.
pub fn faces(secret: &Secret, key: &DieKey, count: usize) -> Vec<u8> {
    let mut stream = Stream::new(secret, &key.to_string());
    (0..count).map(|_| stream.face()).collect()
}

struct Stream {
    rng: ChaCha20Rng,
    block: [u8; 64],
    used: usize,
}

impl Stream {
    fn new(secret: &Secret, key: &str) -> Self {
        let rng = ChaCha20Rng::from_seed(keyed_hash(&secret.0, key.as_bytes()));
        Self { rng, block: [0; 64], used: 64 }
    }

    fn byte(&mut self) -> u8 {
        if self.used >= self.block.len() {
            self.rng.fill_bytes(&mut self.block);
            self.used = 0;
        }
        let byte = self.block.get(self.used).copied().unwrap_or(0);
        self.used += 1;
        byte
    }

    fn face(&mut self) -> u8 {
        loop {
            let byte = self.byte();
            if byte < 252 {
                return byte % 6 + 1;
            }
        }
    }

    /// A number below `bound` (1 to 65,536) from two bytes, most significant first; numbers beyond the last whole multiple of
    /// `bound` are passed over.
    fn below(&mut self, bound: u32) -> u32 {
        let last = 65_536 - 65_536 % bound;
        loop {
            let number = u32::from(self.byte()) * 256 + u32::from(self.byte());
            if number < last {
                return number % bound;
            }
        }
    }
}

/// A volley that the umpire has ruled on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Ruled {
    set: BTreeMap<usize, u8>,
    reroll: Option<RulingNo>,
}

/// The dice of one adjudication: the only source of chance that rules may use.
pub struct Dice {
    turn: TurnNo,
    secret: TurnSecret,
    ruled: BTreeMap<DieKey, Ruled>,
    scopes: RefCell<BTreeMap<String, Secret>>,
}

impl Dice {
    /// The dice of `turn`.
    pub fn new(turn: TurnNo, secret: TurnSecret) -> Self {
        Self { turn, secret, ruled: BTreeMap::new(), scopes: RefCell::default() }
    }

    /// The turn they are for.
    pub fn turn(&self) -> TurnNo {
        self.turn
    }

    /// Sets die `die` (counted from 0) of the volley `key` to `face`.
    pub fn set(&mut self, key: DieKey, die: usize, face: u8) {
        self.ruled.entry(DieKey { reroll: None, ..key }).or_default().set.insert(die, face.clamp(1, 6));
    }

    /// Throws the volley `key` again, from a key that carries the ruling.
    pub fn reroll(&mut self, key: DieKey, ruling: RulingNo) {
        self.ruled.entry(DieKey { reroll: None, ..key }).or_default().reroll = Some(ruling);
    }

    /// Throws `count` dice. `what`, `subject` and `ordinal` must name this volley and no other of the step.
    pub fn roll(&self, scope: Scope, step: &StepName, what: &str, subject: &str, ordinal: u32, count: usize) -> Roll {
        let mut key = DieKey {
            turn: self.turn,
            step: step.clone(),
            what: what.to_owned(),
            subject: subject.to_owned(),
            ordinal,
            reroll: None,
        };
        let ruled = self.ruled.get(&key).cloned().unwrap_or_default();
        key.reroll = ruled.reroll;
        let mut faces = faces(&self.scope_secret(&scope), &key, count);
        let mut set_by_ruling = Vec::new();
        for (die, face) in ruled.set {
            if let Some(slot) = faces.get_mut(die) {
                *slot = face;
                set_by_ruling.push(die);
            }
        }
        Roll { scope, key, faces, set_by_ruling }
    }

    /// Puts `cards` in an order that follows from the scope's secret and `purpose` (Fisher-Yates from the last place down).
    pub fn shuffle<T>(&self, scope: &Scope, purpose: &str, cards: &mut [T]) {
        let mut stream = Stream::new(&self.scope_secret(scope), &format!("{}/shuffle/{purpose}", self.turn));
        for last in (1..cards.len()).rev() {
            let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
            let chosen = usize::try_from(stream.below(bound)).unwrap_or(0);
            cards.swap(last, chosen);
        }
    }

    fn scope_secret(&self, scope: &Scope) -> Secret {
        let mut known = self.scopes.borrow_mut();
        known.entry(scope.to_string()).or_insert_with(|| self.secret.scope(scope)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dice() -> Dice {
        Dice::new(TurnNo(3), TurnSecret::of(&Secret::from_bytes([7; 32]), TurnNo(3)))
    }

    fn step() -> StepName {
        StepName::new("battles")
    }

    #[test]
    fn a_volley_depends_on_its_key_alone() {
        let (a, b) = (dice(), dice());
        a.roll(Scope::Public, &step(), "volley", "u1", 1, 4);
        let first = a.roll(Scope::Public, &step(), "volley", "u2", 1, 4);
        let second = b.roll(Scope::Public, &step(), "volley", "u2", 1, 4);
        assert_eq!(first, second);
        assert_ne!(first.faces, b.roll(Scope::Deal, &step(), "volley", "u2", 1, 4).faces);
    }

    #[test]
    fn a_longer_volley_begins_with_the_shorter() {
        let long = dice().roll(Scope::Public, &step(), "volley", "u2", 1, 90);
        let short = dice().roll(Scope::Public, &step(), "volley", "u2", 1, 4);
        assert!(long.faces.starts_with(&short.faces));
        assert!(long.faces.iter().all(|f| (1..=6).contains(f)));
    }

    #[test]
    fn faces_are_even() {
        let roll = dice().roll(Scope::Public, &step(), "volley", "u9", 1, 60_000);
        for face in 1..=6 {
            let seen = roll.faces.iter().filter(|f| **f == face).count();
            assert!((9_600..10_400).contains(&seen), "face {face} came {seen} times in 60000");
        }
    }

    /// Pinned for ever: should one of these change, every published proof of every game would break.
    #[test]
    fn the_cipher_is_frozen() {
        let secret = Secret::from_bytes([0; 32]);
        let key = DieKey {
            turn: TurnNo(1),
            step: step(),
            what: "volley".into(),
            subject: "u1".into(),
            ordinal: 1,
            reroll: None,
        };
        // Computed independently with Python's hmac, hashlib and a ChaCha20 of its own (tests/dice/check.py).
        assert_eq!(faces(&secret, &key, 12), include!("../../tests/dice/frozen.in"));
    }

    #[test]
    fn a_fixed_die_says_so_and_still_verifies() {
        let mut dice = dice();
        let plain = dice.roll(Scope::Public, &step(), "volley", "u2", 1, 4);
        let other = plain.faces[2] % 6 + 1;
        dice.set(plain.key.clone(), 2, other);
        let fixed = dice.roll(Scope::Public, &step(), "volley", "u2", 1, 4);
        assert_eq!((fixed.faces[2], fixed.set_by_ruling.as_slice()), (other, &[2][..]));
        assert!(fixed.agrees_with(&TurnSecret::of(&Secret::from_bytes([7; 32]), TurnNo(3)).scope(&Scope::Public)));
    }

    #[test]
    fn a_reroll_comes_from_a_key_of_its_own() {
        let mut dice = dice();
        let plain = dice.roll(Scope::Public, &step(), "volley", "u2", 1, 20);
        dice.reroll(plain.key.clone(), RulingNo(4));
        let again = dice.roll(Scope::Public, &step(), "volley", "u2", 1, 20);
        assert_ne!(plain.faces, again.faces);
        assert_eq!(again.key.reroll, Some(RulingNo(4)));
    }

    #[test]
    fn every_scope_proves_itself_and_no_other() {
        let secret = TurnSecret::of(&Secret::from_bytes([9; 32]), TurnNo(1));
        for count in 1..9u8 {
            let scopes: Vec<Scope> = (0..count).map(|i| Scope::Battle(HexId::new(i, 1).unwrap())).collect();
            let root = secret.commit(&scopes);
            for scope in &scopes {
                let revealed = secret.reveal(&scopes, scope).unwrap();
                assert!(revealed.stands_under(&root), "{scope} of {count}");
                let forged = Revealed { secret: Secret::from_bytes([1; 32]), ..revealed };
                assert!(!forged.stands_under(&root));
            }
        }
    }

    #[test]
    fn a_shuffle_keeps_every_card() {
        let mut cards: Vec<u8> = (0..87).collect();
        dice().shuffle(&Scope::Deal, "year 1701", &mut cards);
        assert_ne!(cards, (0..87).collect::<Vec<u8>>());
        cards.sort_unstable();
        assert_eq!(cards, (0..87).collect::<Vec<u8>>());
    }
}
