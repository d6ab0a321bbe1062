//! What the umpire looks at: what each game waits for, each seat's sheet, challenges, letters that need him.

use super::challenge::{self, ChallengeView};
use super::orders;
use super::room::Room;
use super::table::Table;
use super::{Desk, DeskError, telling};
use crate::engine::sheet::SheetText;
use crate::engine::{GameId, IssueNo, LetterNo, SeatId, Stage, Turn, TurnNo};
use crate::results::facts::Moment;
use crate::store::{Outcome, StoreError};
use jiff::Timestamp;

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
    /// It owes orders.
    pub owes: bool,
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
            let seats = seats(table)?;
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

fn seats(table: &mut Table) -> Result<Vec<SeatStatus>, DeskError> {
    let open = telling::open_turn(table);
    let owing = match open {
        Some(turn) => table.before(turn)?.expects().owing,
        None => Vec::new(),
    };
    let mut seats = Vec::new();
    for info in table.seats() {
        let letters =
            open.and_then(|no| table.record.turn(no)).and_then(|turn| turn.letters.get(&info.id)).map_or(0, Vec::len);
        let held = open.filter(|no| table.record.turn(*no).is_some_and(|turn| turn.sheets.contains_key(&info.id)));
        let sheet = match held {
            Some(turn) => Some(orders::status(table, turn, &info.id)?.text),
            None => None,
        };
        let player = table.record.players.get(&info.id).map(|p| (p.name.clone(), p.address.clone()));
        seats.push(SeatStatus {
            owes: owing.contains(&info.id),
            seat: info.id,
            name: info.name,
            player,
            letters,
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
                let owing: Vec<&SeatStatus> = seats.iter().filter(|s| s.owes && s.player.is_some()).collect();
                let sent = owing.iter().filter(|s| s.letters > 0).count();
                let silent: Vec<&str> = owing.iter().filter(|s| s.letters == 0).map(|s| s.name.as_str()).collect();
                let missing = if silent.is_empty() { String::new() } else { format!("; not {}", silent.join(", ")) };
                waits.push(format!(
                    "orders for {} until {} ({sent} of {} seats have sent{missing})",
                    turn.phase,
                    said(turn.deadline),
                    owing.len()
                ));
            }
            Stage::Sealed => waits.push(format!("you: the results of {} wait for release", turn.phase)),
            Stage::Preliminary { until, .. } => {
                waits.push(format!("challenges to {} until {}", turn.phase, said(*until)));
            }
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
