//! Finds out which game and seat a letter is from. For now by the registered From alone; who answers to a seat's own letter, or
//! names the game in brackets, is heard for that game, else the sender's only one is meant.

use super::room::Room;
use super::table::Tables;
use super::{DeskError, agenda};
use crate::engine::{GameId, Player, SeatId, TurnNo};
use crate::mail::{Letter, LetterKind, Mailbox, bare_subject, subject_tags};
use crate::store::OutboxRow;

/// Whose letter it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Who {
    /// A player.
    Seat {
        game: GameId,
        seat: SeatId,
        /// The turn that the letter answered asked orders for, if it answers one of ours.
        replies_to: Option<TurnNo>,
    },
    /// Nobody of ours.
    Stranger,
    /// Somebody who had a seat and has none any more.
    Former,
    /// A player of ours, but the letter does not tell for which game or seat it is; why, a sentence.
    Unclear(String),
}

/// Marks that mail gateways put into subjects; they name no game.
const GATEWAY_MARKS: [&str; 6] = ["ext", "extern", "external", "spam", "caution", "***spam***"];

pub(super) fn who(room: &Room<'_>, tables: &mut Tables, from: &Mailbox, letter: &Letter) -> Result<Who, DeskError> {
    let games = room.tx.games_of(&agenda::folded(from))?;
    // The letters of ours that it answers or refers to, the nearest first; no more are looked up than are needed.
    let mut ours = letter.answers().filter_map(|id| room.tx.posted(id).transpose());
    let about = |row: &OutboxRow| row.post.game.as_ref().is_some_and(|game| games.contains(game));
    let nearest = ours.find(|row| row.as_ref().map_or(true, about)).transpose()?;
    let subject = letter.subject.as_deref().unwrap_or_default();
    let tags = game_tags(letter, subject);
    let tagged = |game: &GameId| tags.iter().any(|tag| tag_names(tag, game));
    // A player of a hundred games need not have all of them folded for a letter that says which it is about.
    let meant: Vec<GameId> = match nearest.as_ref().and_then(|row| row.post.game.as_ref()) {
        Some(game) => vec![game.clone()],
        None => games.iter().filter(|game| tagged(game)).cloned().collect(),
    };
    let mut seats = Seats::default();
    seats.find(room, tables, from, &meant)?;
    if seats.held.is_empty() {
        seats.find(room, tables, from, &games)?;
    }
    let Seats { mut held, former } = seats;
    if held.is_empty() {
        return Ok(if former { Who::Former } else { Who::Stranger });
    }
    let holds = |game: &GameId, seat: &SeatId| held.iter().any(|(g, s, _)| g == game && s == seat);
    for row in nearest.map(Ok).into_iter().chain(ours) {
        let post = row?.post;
        let (Some(game), Some(seat)) = (post.game, post.seat) else { continue };
        if holds(&game, &seat) {
            return Ok(Who::Seat { game, seat, replies_to: post.turn });
        }
    }
    if !tags.is_empty() && !held.iter().any(|(game, ..)| tagged(game)) {
        return Ok(Who::Unclear(format!("You have no seat in a game called [{}].", tags.join("], ["))));
    }
    if !tags.is_empty() {
        held.retain(|(game, ..)| tagged(game));
    }
    let first = held.first().map(|(game, ..)| game.clone());
    if held.iter().any(|(game, ..)| Some(game) != first.as_ref()) {
        return Ok(Who::Unclear("You have a seat in more than one game.".to_owned()));
    }
    if held.len() > 1 {
        held.retain(|(_, seat, name)| names_seat(subject, seat, name));
    }
    match held.as_slice() {
        [(game, seat, _)] => Ok(Who::Seat { game: game.clone(), seat: seat.clone(), replies_to: None }),
        _ => Ok(Who::Unclear("You hold more than one seat: name the seat in the subject, too.".to_owned())),
    }
}

/// What somebody holds, and whether he held anything before.
#[derive(Default)]
struct Seats {
    held: Vec<(GameId, SeatId, String)>,
    former: bool,
}

impl Seats {
    fn find(
        &mut self,
        room: &Room<'_>,
        tables: &mut Tables,
        from: &Mailbox,
        games: &[GameId],
    ) -> Result<(), DeskError> {
        let is_he = |player: &Player| player.address.parse::<Mailbox>().is_ok_and(|address| address == *from);
        for game in games {
            let table = tables.sit(room.tx, game)?;
            for seat in table.record.players.keys().filter(|seat| table.record.writers(seat).any(is_he)) {
                self.held.push((game.clone(), seat.clone(), table.seat_name(seat)));
            }
            self.former |= table.record.seating.former.iter().any(|(_, player)| is_he(player));
        }
        Ok(())
    }
}

fn game_tags(letter: &Letter, subject: &str) -> Vec<String> {
    // A mailing list puts its own name in brackets, so that a tag there proves nothing.
    if matches!(letter.kind, LetterKind::MailingList(_)) {
        return Vec::new();
    }
    let tags = subject_tags(bare_subject(subject)).into_iter().map(str::to_lowercase);
    tags.filter(|tag| !tag.is_empty() && !GATEWAY_MARKS.contains(&tag.as_str())).collect()
}

/// `[livonia]`, and `[livonia Sweden]` or `[livonia/sweden]` as well.
fn tag_names(tag: &str, game: &GameId) -> bool {
    tag.split([' ', '/', ',', ':']).next() == Some(game.as_str())
}

fn names_seat(subject: &str, seat: &SeatId, name: &str) -> bool {
    let subject = subject.to_lowercase();
    subject.contains(&name.to_lowercase()) || subject.contains(seat.as_str())
}
