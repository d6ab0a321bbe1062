//! Opens games and seats players.

use super::room::{Room, Why};
use super::table::{Table, rules_of};
use super::telling::{self, NoticeNews};
use super::timing::Timetable;
use super::{Desk, DeskError, absence};
use crate::campaign::CampaignFiles;
use crate::engine::{Dice, Fact, Game, GameId, Player, SeatId, Secret, TurnNo, TurnSecret};
use crate::mail::Mailbox;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// A game to be opened.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Its slug: what stands in the subject's brackets.
    pub game: GameId,
    /// The campaign.
    pub campaign: CampaignFiles,
    /// Who sits where. A seat left out has no player and does what the campaign says of such seats.
    pub players: BTreeMap<SeatId, Player>,
    /// The zone in which its deadlines stand; the policy's if none is given.
    pub zone: Option<String>,
    /// The secret behind its dice; a fresh one if none is given.
    pub secret: Option<Secret>,
}

impl Desk {
    /// Opens a game and its first turn, and tells the players.
    ///
    /// # Errors
    /// If there is a game of this name, a seat that the campaign does not have, an address that is none; all faults of the
    /// campaign's data at once.
    pub fn open_game(&mut self, new: &NewGame, now: Timestamp) -> Result<(), DeskError> {
        let secret = match &new.secret {
            Some(secret) => secret.clone(),
            None => Secret::fresh().map_err(|fault| DeskError::Randomness(fault.to_string()))?,
        };
        self.work(now, |room, tables| {
            check_name(&new.game)?;
            if room.tx.games()?.contains(&new.game) {
                let help = "choose another name; `umpire status` lists the games";
                return Err(DeskError::refused(format!("there is a game {} already", new.game), help));
            }
            let heading = new.campaign.heading().map_err(DeskError::Campaign)?;
            let board = tables.start(&heading.system, &new.campaign.files)?;
            for (seat, player) in &new.players {
                check_seat(board.as_ref(), seat)?;
                check_player(player)?;
            }
            let zone = new.zone.clone().unwrap_or_else(|| room.policy.of(&new.game).zone.clone());
            jiff::tz::TimeZone::get(&zone)?;
            room.tx.add_game(&new.game)?;
            let opened = Fact::GameOpened {
                campaign: new.campaign.name.clone(),
                system: heading.system,
                files: new.campaign.files.clone(),
                players: new.players.clone(),
                zone,
                secret: secret.clone(),
            };
            room.tx.append(&new.game, room.now, opened)?;
            deal(room, &new.game, board.as_ref(), &secret)?;
            let table = tables.sit(room.tx, &new.game)?;
            let entry = open_next(room, table, room.now)?;
            for seat in new.players.keys() {
                welcome(room, table, seat, entry.unwrap_or_default())?;
            }
            Ok(())
        })
    }
}

/// What chance decides before the first turn.
fn deal(room: &Room<'_>, game: &GameId, board: &dyn Game, secret: &Secret) -> Result<(), DeskError> {
    let none = TurnNo(0);
    let dice = TurnSecret::of(secret, none);
    let root = dice.commit(&board.scopes());
    let events = board.opening(Dice::new(none, dice)).map_err(rules_of(game))?;
    if !events.is_empty() {
        let opening = Fact::Opening { root, rules_version: board.rules_version(), events };
        room.tx.append(game, room.now, opening)?;
    }
    Ok(())
}

/// Opens the turn that the board now expects, with the root of its dice, if it is not open yet and the game is not over. Its
/// orders close no earlier than `not_before`. Gives the journal's entry.
pub(super) fn open_next(room: &Room<'_>, table: &mut Table, not_before: Timestamp) -> Result<Option<u64>, DeskError> {
    let board = table.now()?;
    let (expected, scopes, rules_version) = (board.expects(), board.scopes(), board.rules_version());
    if expected.over || table.record.turn(expected.turn).is_some() {
        return Ok(None);
    }
    let last = table.record.newest().map_or(TurnNo(0), |turn| turn.no);
    if expected.turn <= last {
        return Err(table.broken(format!("its rules expect turn {} after turn {last}", expected.turn)));
    }
    let timetable = Timetable::new(room.policy.of(&table.id), &table.record.zone)?;
    let deadline = timetable.deadline(room.now, not_before)?;
    let root = TurnSecret::of(&table.record.secret, expected.turn).commit(&scopes);
    let opened = Fact::TurnOpened { turn: expected.turn, phase: expected.phase, root, rules_version, deadline };
    let entry = room.append(table, opened)?.seq;
    absence::mind(room, table, expected.turn, None)?;
    Ok(Some(entry))
}

fn welcome(room: &Room<'_>, table: &Table, seat: &SeatId, entry: u64) -> Result<(), DeskError> {
    let open = telling::open_turn(table);
    let turn = open.and_then(|no| table.record.turn(no));
    let news = NoticeNews {
        kind: "opened",
        turn: open,
        reason: turn.map_or_else(String::new, |turn| turn.root.to_string()),
        moment: turn.map(|turn| turn.deadline),
        ..NoticeNews::default()
    };
    telling::send_notice(room, table, seat, Why::Entry(entry), &news)?;
    Ok(())
}

/// The name stands in subjects, file names and Message-IDs.
pub(super) fn check_name(game: &GameId) -> Result<(), DeskError> {
    let name = game.as_str();
    let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || name.len() > 32 || name.starts_with('-') || name.ends_with('-') || !name.chars().all(sound) {
        let help = "small letters, digits and hyphens, 32 at most, as in gnw-2";
        return Err(DeskError::refused(format!("\"{name}\" cannot be the name of a game"), help));
    }
    Ok(())
}

pub(super) fn check_seat(board: &dyn Game, seat: &SeatId) -> Result<(), DeskError> {
    let seats = board.seats();
    if seats.iter().any(|known| known.id == *seat) {
        return Ok(());
    }
    let known: Vec<&str> = seats.iter().map(|known| known.id.as_str()).collect();
    Err(DeskError::refused(format!("there is no seat \"{seat}\""), format!("the seats are: {}", known.join(", "))))
}

pub(super) fn check_player(player: &Player) -> Result<(), DeskError> {
    let address = player.address.parse::<Mailbox>();
    if let Err(fault) = &address {
        return Err(DeskError::refused(fault.to_string(), "every player has one address, name@example.org"));
    }
    if !player.address.is_ascii() {
        let what = format!("{} cannot be written to from here", player.address);
        return Err(DeskError::refused(what, "the address must be plain ASCII"));
    }
    jiff::tz::TimeZone::get(&player.zone)?;
    Ok(())
}
