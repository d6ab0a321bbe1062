//! Letters of ours that come back (RFC 3464), and players who cannot be reached. A report is never answered; the umpire is told.
//!
//! Whose letter it was is found by its Message-ID, which a report returns with the header and which nobody but its reader has seen;
//! where a report returns none, by the recipient that it names.

use super::room::{Address, Kind, Room, Why};
use super::standing::Standing;
use super::table::Tables;
use super::{DeskError, telling};
use crate::engine::{GameId, SeatId};
use crate::mail::{Bounce, FailedRecipient, Letter};
use crate::results::facts::Notice;
use crate::results::letters;
use crate::store::{BadAddress, Disposition, IntakeRow, OutboxRow, Outcome};
use jiff::SignedDuration;

/// A report that returns no Message-ID is taken to be about the newest letter to its recipient that is no older than this: no
/// server tries for longer (RFC 5321 4.5.4.1 says four to five days).
const TRIED_AT_MOST: SignedDuration = SignedDuration::from_hours(10 * 24);

/// Somebody who cannot be reached.
pub(super) struct Unreachable<'a> {
    pub post: &'a OutboxRow,
    pub address: &'a str,
    pub why: &'a str,
    /// The report that says so.
    pub letter: Option<&'a IntakeRow>,
}

/// Reads a report.
pub(super) fn take(
    room: &Room<'_>,
    tables: &mut Tables,
    row: &IntakeRow,
    letter: &Letter,
    bounce: &Bounce,
) -> Result<Disposition, DeskError> {
    let ours = named(room, letter, bounce)?;
    let mut told = Disposition {
        outcome: Outcome::Ignored,
        note: "a report that tells nothing of a letter of ours".to_owned(),
        game: None,
        seat: None,
        turn: None,
    };
    if bounce.recipients.is_empty() {
        let about = ours.as_ref().map_or_else(String::new, |post| format!(" about letter {}", post.id));
        told.outcome = Outcome::ForUmpire;
        told.note = format!("a report{about} that only a person can read");
        return Ok(about_seat(told, ours.as_ref()));
    }
    for fate in &bounce.recipients {
        let Some(post) = (match &ours {
            Some(post) => Some(post.clone()),
            None => addressed(room, fate)?,
        }) else {
            continue;
        };
        let (outcome, note) = one_fate(room, tables, row, &post, fate)?;
        // One that needs the umpire says more than one that does not.
        if told.outcome != Outcome::ForUmpire {
            told = about_seat(Disposition { outcome, note, ..told }, Some(&post));
        }
    }
    Ok(told)
}

fn about_seat(told: Disposition, post: Option<&OutboxRow>) -> Disposition {
    let Some(post) = post else { return told };
    Disposition { game: post.post.game.clone(), seat: post.post.seat.clone(), turn: None, ..told }
}

/// Our letter, by a Message-ID that the report returns.
fn named(room: &Room<'_>, letter: &Letter, bounce: &Bounce) -> Result<Option<OutboxRow>, DeskError> {
    for id in bounce.original.iter().chain(letter.answers()) {
        if let Some(post) = room.tx.posted(id)? {
            return Ok(Some(post));
        }
    }
    Ok(None)
}

fn addressed(room: &Room<'_>, fate: &FailedRecipient) -> Result<Option<OutboxRow>, DeskError> {
    let Some(address) = &fate.address else { return Ok(None) };
    let since = room.now.checked_sub(TRIED_AT_MOST).unwrap_or(room.now);
    Ok(room.tx.last_sent_to(&address.to_string(), since)?)
}

/// What one report means for one letter.
fn one_fate(
    room: &Room<'_>,
    tables: &mut Tables,
    row: &IntakeRow,
    post: &OutboxRow,
    fate: &FailedRecipient,
) -> Result<(Outcome, String), DeskError> {
    let (address, id) = (&post.post.recipient, post.id);
    let words = [fate.action.as_str(), fate.status.as_str(), fate.diagnostic.as_str()];
    let words = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    match fate.action.as_str() {
        "failed" => room.tx.reported(id, &words, true, room.now)?,
        "delayed" => {
            room.tx.reported(id, &words, false, room.now)?;
            return Ok((Outcome::Ignored, format!("letter {id} to {address} is delayed: {words}")));
        }
        _ => return Ok((Outcome::Ignored, format!("a receipt for letter {id} to {address}: {words}"))),
    }
    // Class 4 with "failed": a server gave up after days. The letter is lost, the address may be sound.
    if !fate.permanent {
        return Ok((Outcome::ForUmpire, format!("letter {id} to {address} was not delivered in time: {words}")));
    }
    let news = unreachable(room, tables, &Unreachable { post, address, why: &words, letter: Some(row) })?;
    let outcome = if news { Outcome::ForUmpire } else { Outcome::Ignored };
    Ok((outcome, format!("letter {id} to {address} came back: {words}")))
}

/// Marks an address as one that cannot be reached, and tells the umpire if that is news. Says whether it is.
pub(super) fn unreachable(room: &Room<'_>, tables: &mut Tables, who: &Unreachable<'_>) -> Result<bool, DeskError> {
    let bad = BadAddress {
        address: who.address.to_owned(),
        since: room.now,
        why: who.why.to_owned(),
        post: Some(who.post.id),
        letter: who.letter.map(|row| row.no),
    };
    let (Some(game), Some(seat)) = (&who.post.post.game, &who.post.post.seat) else { return Ok(false) };
    let news = room.tx.mark_address(&bad)?;
    if news {
        advise(room, tables, game, seat, who)?;
    }
    Ok(news)
}

fn advise(
    room: &Room<'_>,
    tables: &mut Tables,
    game: &GameId,
    seat: &SeatId,
    who: &Unreachable<'_>,
) -> Result<(), DeskError> {
    let Some(advice) = &room.policy.post.advice else { return Ok(()) };
    let table = tables.sit(room.tx, game)?;
    let notice = Notice {
        occasion: telling::occasion(room, table, None, Some(seat)),
        kind: "unreachable".to_owned(),
        reason: who.why.to_owned(),
        about: format!("letter {} to {}", who.post.id, who.address),
        ..Notice::default()
    };
    let to = Address {
        kind: Kind::Advice,
        why: Why::Matter(format!("{} unreachable since {}", who.address, room.now)),
        standing: Standing::Lasting,
        thread: None,
        game: Some(game),
        seat: None,
        name: &room.policy.umpire_name,
        address: advice,
        turn: None,
        second: false,
    };
    room.send(&to, letters::notice(room.templates, &notice)?)?;
    Ok(())
}
