//! What the umpire looks at: what each game waits for, each seat's sheet, challenges, letters that need him.

use super::challenge::{self, ChallengeView};
use super::orders;
use super::room::Room;
use super::table::Table;
use super::window::{self, End};
use super::{Desk, DeskError, telling};
use crate::engine::sheet::SheetText;
use crate::engine::{GameId, IssueNo, LetterNo, MoveCause, Player, SeatId, Stage, Turn, TurnNo};
use crate::results::facts::Moment;
use crate::store::{Outcome, StoreError};
use jiff::Timestamp;
use jiff::civil::Date;

/// How many letters are shown that need the umpire.
const LETTERS_SHOWN: u32 = 50;

/// A seat, as far as the turn that takes orders is concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatStatus {
    /// Slug.
    pub seat: SeatId,
    /// Name.
    pub name: String,
    /// The player's name and address; `None` for a seat without player.
    pub player: Option<(String, String)>,
    /// A second person who may write for it: name and address.
    pub deputy: Option<(String, String)>,
    /// Why letters do not reach the player, if they do not.
    pub unreachable: Option<String>,
    /// It owes orders, and has somebody to send them.
    pub owes: bool,
    /// It has said READY.
    pub ready: bool,
    /// The absence announced that is not over: first and last day.
    pub away: Option<(Date, Date)>,
    /// For how many turns nothing came from the player who sits there, without a word that he would be away.
    pub missed: usize,
    /// How many letters of its have been taken in.
    pub letters: usize,
    /// Its sheet in words; `None` if nothing has come.
    pub sheet: Option<SheetText>,
}

/// A turn at a glance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnStatus {
    /// Number.
    pub turn: TurnNo,
    /// "Spring 1700".
    pub phase: String,
    /// Where it stands.
    pub stage: Stage,
    /// When orders close or closed.
    pub deadline: Moment,
    /// Its newest issue, if there is one.
    pub issue: Option<IssueNo>,
    /// The rulings on it: number, reason.
    pub rulings: Vec<(u32, String)>,
}

/// A game at a glance.
#[derive(Clone, PartialEq, Debug)]
pub struct GameStatus {
    /// The game.
    pub game: GameId,
    /// Its title.
    pub title: String,
    /// The campaign and its rule system.
    pub campaign: (String, String),
    /// What it waits for, a sentence each.
    pub waits_for: Vec<String>,
    /// Why it is held, if it is.
    pub held: Option<String>,
    /// Its turns, oldest first.
    pub turns: Vec<TurnStatus>,
    /// The seats, for the turn that takes orders.
    pub seats: Vec<SeatStatus>,
    /// All challenges.
    pub challenges: Vec<ChallengeView>,
}

/// A letter that needs the umpire.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LetterView {
    /// Number.
    pub no: LetterNo,
    /// When it came.
    pub received: Timestamp,
    /// Why it needs him.
    pub note: String,
    /// The game and seat, if known.
    pub seat: Option<(GameId, SeatId)>,
}

impl Desk {
    /// Where a game stands.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn status(&mut self, game: &GameId, now: Timestamp) -> Result<GameStatus, DeskError> {
        self.look(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let seats = seats(room, table)?;
            Ok(GameStatus {
                game: game.clone(),
                title: table.heading.title.clone(),
                campaign: (table.record.campaign.clone(), table.record.system.clone()),
                waits_for: waits_for(room, table, &seats)?,
                held: table.record.held.as_ref().map(|(_, reason)| reason.clone()),
                turns: table.record.turns.iter().map(|turn| turn_status(room, table, turn)).collect(),
                seats,
                challenges: challenge::views(table),
            })
        })
    }

    /// Letters that the umpire has to look at, newest first.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn letters_for_umpire(&mut self) -> Result<Vec<LetterView>, DeskError> {
        let rows = self.store.read(|tx| tx.letters_with(Outcome::ForUmpire, LETTERS_SHOWN));
        let view = |row: crate::store::IntakeRow| {
            let done = row.disposition?;
            Some(LetterView { no: row.no, received: row.received, note: done.note, seat: done.game.zip(done.seat) })
        };
        Ok(rows.map_err(|fault: StoreError| fault)?.into_iter().filter_map(view).collect())
    }
}

fn turn_status(room: &Room<'_>, table: &Table, turn: &Turn) -> TurnStatus {
    TurnStatus {
        turn: turn.no,
        phase: turn.phase.clone(),
        stage: turn.stage.clone(),
        deadline: telling::moment(room, table, turn.deadline, None),
        issue: turn.newest().map(|issue| issue.no),
        rulings: turn.rulings.iter().map(|r| (r.ruling.no.0, r.reason.clone())).collect(),
    }
}

fn seats(room: &Room<'_>, table: &mut Table) -> Result<Vec<SeatStatus>, DeskError> {
    let open = telling::open_turn(table);
    let waited_for = match open {
        Some(turn) => table.waited_for(turn)?,
        None => Vec::new(),
    };
    let bad = room.tx.bad_addresses()?;
    let mut seats = Vec::new();
    for info in table.seats() {
        let held = open.filter(|no| table.record.turn(*no).is_some_and(|turn| turn.sheets.contains_key(&info.id)));
        let sheet = match held {
            Some(turn) => Some(orders::status(table, turn, &info.id)?.text),
            None => None,
        };
        let seating = &table.record.seating;
        let turn = open.and_then(|no| table.record.turn(no));
        let person = |p: &Player| (p.name.clone(), p.address.clone());
        let absences = seating.absences.get(&info.id).into_iter().flatten();
        let player = table.record.players.get(&info.id).map(person);
        let is_bad = |address: &str| bad.iter().find(|bad| bad.address.eq_ignore_ascii_case(address));
        let unreachable = player.as_ref().and_then(|(_, address)| is_bad(address)).map(|bad| bad.why.clone());
        seats.push(SeatStatus {
            deputy: seating.deputies.get(&info.id).map(person),
            owes: waited_for.contains(&info.id),
            ready: turn.is_some_and(|turn| turn.ready.contains_key(&info.id)),
            away: absences.filter(|a| a.ends > room.now).map(|a| (a.from, a.to)).min(),
            missed: seating.missed.get(&info.id).map_or(0, Vec::len),
            letters: turn.and_then(|turn| turn.letters.get(&info.id)).map_or(0, Vec::len),
            seat: info.id,
            name: info.name,
            player,
            unreachable,
            sheet,
        });
    }
    Ok(seats)
}

fn waits_for(room: &Room<'_>, table: &mut Table, seats: &[SeatStatus]) -> Result<Vec<String>, DeskError> {
    let mut waits = Vec::new();
    if let Some((_, reason)) = &table.record.held {
        waits.push(format!("you: the game is held ({reason}); `umpire resume` lets it go on"));
    }
    for seat in seats {
        if let (Some((name, address)), Some(why)) = (&seat.player, &seat.unreachable) {
            waits.push(format!("you: letters to {name} ({}, {address}) do not arrive: {why}", seat.name));
        }
    }
    let turns = table.record.turns.clone();
    for turn in &turns {
        let said = |at| {
            let moment = telling::moment(room, table, at, None);
            if moment.away.is_empty() {
                format!("{} ({})", moment.text, moment.zone)
            } else {
                format!("{}, {}", moment.text, moment.away)
            }
        };
        match &turn.stage {
            Stage::Open => {
                let owing: Vec<&SeatStatus> = seats.iter().filter(|s| s.owes).collect();
                let silent: Vec<&str> =
                    owing.iter().filter(|s| !turn.has_word_of(&s.seat)).map(|s| s.name.as_str()).collect();
                let sent = owing.len() - silent.len();
                let missing = if silent.is_empty() { String::new() } else { format!("; not {}", silent.join(", ")) };
                let ready = owing.iter().filter(|s| s.ready).count();
                let ready = if ready > 0 { format!(", {ready} ready") } else { String::new() };
                let grace = room.policy.of(&table.id).grace;
                let grace =
                    if grace.is_zero() { String::new() } else { format!(" and {} h of grace", grace.as_hours()) };
                waits.push(format!(
                    "orders for {} until {}{grace} ({sent} of {} seats have sent{ready}{missing})",
                    turn.phase,
                    said(turn.deadline),
                    owing.len()
                ));
                if let Some(moved) = turn.moves.iter().rev().find(|m| m.cause == MoveCause::Missing) {
                    waits.push(format!(
                        "you, perhaps: too few had sent by {}, so the deadline moved; is the mail all right?",
                        said(moved.from)
                    ));
                }
            }
            Stage::Sealed => waits.push(format!("you: the results of {} wait for release", turn.phase)),
            Stage::Preliminary { until, .. } => waits.push(match window::end(room, table, turn)? {
                End::Stands => format!("challenges to {} until {}", turn.phase, said(*until)),
                End::Moves(until) => format!("challenges to {} until {}", turn.phase, said(until)),
                End::Unknown => format!(
                    "challenges to {} until {} at the earliest: not all letters with the results have left",
                    turn.phase,
                    said(*until)
                ),
            }),
            Stage::Official { .. } => {}
        }
    }
    let open: Vec<String> = table.record.open_challenges().map(|c| c.no.to_string()).collect();
    if !open.is_empty() {
        waits.push(format!("you: challenge {} is not answered", open.join(", ")));
    }
    if waits.is_empty() && table.now()?.expects().over {
        waits.push("nothing: the game is over".to_owned());
    }
    Ok(waits)
}
