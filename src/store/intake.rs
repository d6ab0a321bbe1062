//! Letters that came: stored raw before anything else happens to them, and never changed.

use super::{StoreError, Tx, moment_text};
use crate::engine::{GameId, LetterNo, SeatId, TurnNo};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row};
use sha2::{Digest, Sha256};

/// A letter as the mailbox holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewLetter<'a> {
    /// Which mailbox: `maildir:/srv/umpire/inbox`, `imap:user@host/INBOX/<UIDVALIDITY>`.
    pub mailbox: &'a str,
    /// Its name or UID there, which the mailbox never gives twice.
    pub unique_name: &'a str,
    /// When the mail server received it [R-003-84].
    pub received: Timestamp,
    /// It, as it came.
    pub raw: &'a [u8],
    /// It was larger than is read, and `raw` is only its header; the whole stays in the mailbox.
    pub cut: bool,
}

/// What storing a letter came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// It is new and has this number.
    New(LetterNo),
    /// It was stored before, from here or from another folder, under this number.
    Known(LetterNo),
}

impl Taken {
    /// The letter's number.
    pub fn no(self) -> LetterNo {
        let (Taken::New(no) | Taken::Known(no)) = self;
        no
    }
}

/// What became of a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Orders were taken from it.
    Orders,
    /// It held a challenge or a command and nothing else.
    Command,
    /// It was answered, and nothing was taken from it.
    Refused,
    /// It was neither acted upon nor answered (auto-replies, bounces, our own mail).
    Ignored,
    /// The umpire has to look at it.
    ForUmpire,
}

impl Outcome {
    const ALL: [(Outcome, &'static str); 5] = [
        (Outcome::Orders, "orders"),
        (Outcome::Command, "command"),
        (Outcome::Refused, "refused"),
        (Outcome::Ignored, "ignored"),
        (Outcome::ForUmpire, "for_umpire"),
    ];

    /// The word by which it is kept.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(outcome, _)| *outcome == self).map_or("", |(_, word)| word)
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == word).map(|(outcome, _)| *outcome)
    }
}

/// What became of a letter, and whose it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disposition {
    /// What became of it.
    pub outcome: Outcome,
    /// Why, in a few words for the umpire.
    pub note: String,
    /// The game, if it was found out.
    pub game: Option<GameId>,
    /// The seat, likewise.
    pub seat: Option<SeatId>,
    /// The turn, likewise.
    pub turn: Option<TurnNo>,
}

/// A stored letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IntakeRow {
    /// Its number.
    pub no: LetterNo,
    /// The mailbox.
    pub mailbox: String,
    /// The name there.
    pub unique_name: String,
    /// When the mail server received it.
    pub received: Timestamp,
    /// It, as it came.
    pub raw: Vec<u8>,
    /// `raw` is only its header.
    pub cut: bool,
    /// What became of it; `None` while it waits.
    pub disposition: Option<Disposition>,
}

impl Tx<'_> {
    /// Stores a letter, once: a letter known by its place in the mailbox, or by Message-ID and body, is not stored again.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn receive(&self, letter: &NewLetter<'_>, now: Timestamp) -> Result<Taken, StoreError> {
        let (head, body) = parted(letter.raw);
        let message_id = message_id(head);
        let hash = data_encoding::HEXLOWER.encode(&Sha256::digest(body));
        if let Some(known) = self.known_letter(letter, message_id.as_deref(), &hash)? {
            return Ok(Taken::Known(known));
        }
        let mut insert = self
            .tx
            .prepare_cached(
                "INSERT INTO intake (mailbox, unique_name, message_id, body_hash, received, stored, raw, cut)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            )
            .map_err(self.said("write"))?;
        let row = (
            letter.mailbox,
            letter.unique_name,
            message_id,
            hash,
            moment_text(letter.received),
            moment_text(now),
            letter.raw,
            letter.cut,
        );
        let no = insert.insert(row).map_err(self.said("store a letter in"))?;
        Ok(Taken::New(LetterNo(u32::try_from(no).unwrap_or(u32::MAX))))
    }

    fn known_letter(
        &self,
        letter: &NewLetter<'_>,
        message_id: Option<&str>,
        hash: &str,
    ) -> Result<Option<LetterNo>, StoreError> {
        let mut query = self
            .tx
            .prepare_cached(
                "SELECT no FROM intake WHERE (mailbox = ?1 AND unique_name = ?2)
                 UNION ALL SELECT no FROM intake WHERE message_id = ?3 AND body_hash = ?4
                 UNION ALL SELECT no FROM intake
                     WHERE message_id IS NULL AND body_hash = ?4 AND received = ?5 AND raw = ?6 LIMIT 1",
            )
            .map_err(self.said("read"))?;
        // A letter that bears no name and is found again (a mailbox that counts anew) is the same to the last octet and second.
        let row = (letter.mailbox, letter.unique_name, message_id, hash, moment_text(letter.received), letter.raw);
        query
            .query_row(row, |row| row.get(0))
            .optional()
            .map(|found| found.map(LetterNo))
            .map_err(self.said("read the letters of"))
    }

    /// The number of the letter of this name in this mailbox, if it is stored.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn letter_named(&self, mailbox: &str, unique_name: &str) -> Result<Option<LetterNo>, StoreError> {
        let mut query = self
            .tx
            .prepare_cached("SELECT no FROM intake WHERE mailbox = ?1 AND unique_name = ?2")
            .map_err(self.said("read"))?;
        let found = query.query_row((mailbox, unique_name), |row| row.get(0)).optional();
        found.map(|no| no.map(LetterNo)).map_err(self.said("read the letters of"))
    }

    /// Letters of which nothing has become yet, in the sequence of their receipt, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn waiting_letters(&self, limit: u32) -> Result<Vec<LetterNo>, StoreError> {
        let said = self.said("read the letters of");
        let mut query = self
            .tx
            .prepare_cached("SELECT no FROM intake WHERE outcome IS NULL ORDER BY received, no LIMIT ?1")
            .map_err(&said)?;
        let rows = query.query_map([limit], |row| row.get(0)).map_err(&said)?;
        rows.map(|no| Ok(LetterNo(no.map_err(&said)?))).collect()
    }

    /// What became of a letter; `None` while it waits.
    ///
    /// # Errors
    /// If there is none of this number, or it cannot be read.
    pub fn outcome(&self, no: LetterNo) -> Result<Option<Outcome>, StoreError> {
        let mut query =
            self.tx.prepare_cached("SELECT outcome FROM intake WHERE no = ?1").map_err(self.said("read"))?;
        let word: Option<String> = query.query_row([no.0], |row| row.get(0)).map_err(self.said("read a letter of"))?;
        Ok(word.as_deref().and_then(Outcome::from_word))
    }

    /// A stored letter.
    ///
    /// # Errors
    /// If there is none of this number, or it cannot be read.
    pub fn letter(&self, no: LetterNo) -> Result<IntakeRow, StoreError> {
        let mut query = self.tx.prepare_cached(&format!("{SELECT} WHERE no = ?1")).map_err(self.said("read"))?;
        query.query_row([no.0], letter_row).map_err(self.said("read a letter of"))
    }

    /// The letters of these outcomes, newest first, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn letters_with(&self, outcome: Outcome, limit: u32) -> Result<Vec<IntakeRow>, StoreError> {
        let said = self.said("read the letters of");
        let mut query =
            self.tx.prepare_cached(&format!("{SELECT} WHERE outcome = ?1 ORDER BY no DESC LIMIT ?2")).map_err(&said)?;
        let rows = query.query_map((outcome.as_str(), limit), letter_row).map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }

    /// The letters from which a seat's orders for a turn were taken, in the sequence of their receipt.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn order_letters(&self, game: &GameId, seat: &SeatId, turn: TurnNo) -> Result<Vec<IntakeRow>, StoreError> {
        let said = self.said("read the letters of");
        let mut query = self
            .tx
            .prepare_cached(&format!(
                "{SELECT} WHERE game = ?1 AND seat = ?2 AND turn = ?3 AND outcome = 'orders' ORDER BY received, no"
            ))
            .map_err(&said)?;
        let rows = query.query_map((game.as_str(), seat.as_str(), turn.0), letter_row).map_err(&said)?;
        rows.map(|row| row.map_err(&said)).collect()
    }

    /// Whether orders of a seat for a turn were taken from a letter that was received later than `than`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn took_orders_later(
        &self,
        game: &GameId,
        seat: &SeatId,
        turn: TurnNo,
        than: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut query = self
            .tx
            .prepare_cached(
                "SELECT 1 FROM intake WHERE game = ?1 AND seat = ?2 AND turn = ?3 AND outcome = 'orders' AND received > ?4",
            )
            .map_err(self.said("read"))?;
        query
            .exists((game.as_str(), seat.as_str(), turn.0, moment_text(than)))
            .map_err(self.said("read the letters of"))
    }

    /// Writes down what became of a letter.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn dispose(&self, no: LetterNo, what: &Disposition) -> Result<(), StoreError> {
        let mut update = self
            .tx
            .prepare_cached("UPDATE intake SET outcome = ?2, note = ?3, game = ?4, seat = ?5, turn = ?6 WHERE no = ?1")
            .map_err(self.said("write"))?;
        let row = (
            no.0,
            what.outcome.as_str(),
            &what.note,
            what.game.as_ref().map(GameId::as_str),
            what.seat.as_ref().map(SeatId::as_str),
            what.turn.map(|turn| turn.0),
        );
        update.execute(row).map_err(self.said("write"))?;
        Ok(())
    }
}

const SELECT: &str = "SELECT no, mailbox, unique_name, received, raw, outcome, note, game, seat, turn, cut FROM intake";

fn letter_row(row: &Row<'_>) -> rusqlite::Result<IntakeRow> {
    let outcome: Option<String> = row.get(5)?;
    let disposition = match outcome.as_deref().and_then(Outcome::from_word) {
        None => None,
        Some(outcome) => Some(Disposition {
            outcome,
            note: row.get::<_, Option<String>>(6)?.unwrap_or_default(),
            game: row.get::<_, Option<String>>(7)?.map(|id| GameId::new(&id)),
            seat: row.get::<_, Option<String>>(8)?.map(|id| SeatId::new(&id)),
            turn: row.get::<_, Option<u32>>(9)?.map(TurnNo),
        }),
    };
    Ok(IntakeRow {
        no: LetterNo(row.get(0)?),
        mailbox: row.get(1)?,
        unique_name: row.get(2)?,
        received: super::outbox::moment(row, 3)?,
        raw: row.get(4)?,
        cut: row.get(10)?,
        disposition,
    })
}

/// Header and body. The headers change on the way (each server adds its own), the body does not: with the Message-ID it is what
/// makes a letter the same letter.
fn parted(raw: &[u8]) -> (&[u8], &[u8]) {
    let blank = |mark: &[u8]| raw.windows(mark.len()).position(|w| w == mark).map(|at| at + mark.len());
    let end = [blank(b"\r\n\r\n"), blank(b"\n\n")].into_iter().flatten().min().unwrap_or(0);
    raw.split_at_checked(end).unwrap_or((&[], raw))
}

/// The Message-ID as it stands in the header. Read here, by the plainest of means, because a letter is stored before any parser
/// of mail has had a chance to stumble over it.
fn message_id(head: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let field = lines.find_map(|line| {
        let (name, rest) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("message-id").then_some(rest.trim())
    })?;
    let value = if field.is_empty() { lines.next()?.trim() } else { field };
    (!value.is_empty()).then(|| value.to_owned())
}
