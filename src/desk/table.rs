//! A game as the desk has it before it: its record and its boards, folded from the journal and kept between verbs.

use super::DeskError;
use crate::campaign::Heading;
use crate::engine::{DataFault, Game, GameId, JournalFault, Record, SeatId, SeatInfo, Turn, TurnNo, Written};
use crate::store::Tx;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Opens a game of a rule system at the beginning of a campaign with these files: the registry.
pub type Start = fn(&str, &BTreeMap<String, String>) -> Result<Box<dyn Game>, Vec<DataFault>>;

/// Boards kept per game: those before the turn being challenged, the one taking orders, and one for looking back.
const BOARDS_KEPT: usize = 3;

/// Games kept folded between verbs: those used last. An umpire may have thousands, of which a few get letters at a time.
const TABLES_KEPT: usize = 16;

/// The games used last, folded.
pub(super) struct Tables {
    start: Start,
    games: BTreeMap<GameId, Used>,
    uses: u64,
    begun: Beginnings,
}

/// Campaigns begun last, as they stand before anything has happened: many games of one campaign are checked and laid out once.
#[derive(Default)]
struct Beginnings {
    kept: Vec<(Fingerprint, Box<dyn Game>)>,
}

type Fingerprint = [u8; 32];

/// Campaigns whose beginnings are kept.
const BEGINNINGS_KEPT: usize = 4;

impl Beginnings {
    fn of(&mut self, start: Start, system: &str, files: &BTreeMap<String, String>) -> Result<Box<dyn Game>, DeskError> {
        let mark = fingerprint(system, files);
        if let Some((_, game)) = self.kept.iter().find(|(known, _)| *known == mark) {
            return Ok(game.duplicate());
        }
        let game = start(system, files).map_err(DeskError::Campaign)?;
        self.kept.truncate(BEGINNINGS_KEPT - 1);
        self.kept.insert(0, (mark, game.duplicate()));
        Ok(game)
    }
}

fn fingerprint(system: &str, files: &BTreeMap<String, String>) -> Fingerprint {
    let mut hash = Sha256::new();
    for text in std::iter::once(system).chain(files.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()])) {
        hash.update(text.len().to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.finalize().into()
}

/// A table and when it was used last, counted in uses.
struct Used {
    at: u64,
    table: Table,
}

/// One game.
pub(super) struct Table {
    pub id: GameId,
    pub record: Record,
    pub heading: Heading,
    pub boards: Boards,
}

/// The boards of a game. Apart from the record, so that a board can be asked about what stands in the record.
pub(super) struct Boards {
    id: GameId,
    opening: Box<dyn Game>,
    kept: BTreeMap<TurnNo, Board>,
}

/// The board before a turn, and how many issues of earlier turns there were when it was folded: issues are only ever added, so
/// that another count means another past.
struct Board {
    issues: usize,
    game: Box<dyn Game>,
}

impl Tables {
    pub fn new(start: Start) -> Self {
        Self { start, games: BTreeMap::new(), uses: 0, begun: Beginnings::default() }
    }

    pub fn start(&self, system: &str, files: &BTreeMap<String, String>) -> Result<Box<dyn Game>, DeskError> {
        (self.start)(system, files).map_err(DeskError::Campaign)
    }

    pub fn forget(&mut self) {
        self.games.clear();
    }

    /// The game as the journal has it now.
    pub fn sit(&mut self, tx: &Tx<'_>, game: &GameId) -> Result<&mut Table, DeskError> {
        if !self.games.contains_key(game) {
            let table = Table::unfold(tx, game, self.start, &mut self.begun)?;
            self.make_room();
            self.games.insert(game.clone(), Used { at: 0, table });
        }
        let gone = || DeskError::NoGame { asked: game.to_string(), known: Vec::new() };
        let Used { at, table } = self.games.get_mut(game).ok_or_else(gone)?;
        self.uses += 1;
        *at = self.uses;
        for written in tx.journal(game, table.record.length)? {
            table.add(&written)?;
        }
        Ok(table)
    }

    fn make_room(&mut self) {
        while self.games.len() >= TABLES_KEPT {
            let oldest = self.games.iter().min_by_key(|(_, used)| used.at).map(|(game, _)| game.clone());
            let Some(oldest) = oldest else { return };
            self.games.remove(&oldest);
        }
    }
}

impl Table {
    fn unfold(tx: &Tx<'_>, game: &GameId, start: Start, begun: &mut Beginnings) -> Result<Self, DeskError> {
        let journal = tx.journal(game, 0)?;
        if journal.is_empty() {
            let known = tx.games()?.iter().map(ToString::to_string).collect();
            return Err(DeskError::NoGame { asked: game.to_string(), known });
        }
        let broken = |why: String| DeskError::Broken { game: game.clone(), why };
        let record = Record::fold(&journal).map_err(|fault| broken(fault.to_string()))?;
        let mut opening = begun.of(start, &record.system, &record.files)?;
        if let Some(dealt) = &record.opening {
            opening.fold(&dealt.events).map_err(rules_of(game))?;
        }
        let heading = Heading::read(&record.files).map_err(DeskError::Campaign)?;
        let boards = Boards { id: game.clone(), opening, kept: BTreeMap::new() };
        Ok(Self { id: game.clone(), record, heading, boards })
    }

    pub fn add(&mut self, written: &Written) -> Result<(), DeskError> {
        let game = self.id.clone();
        self.record.add(written).map_err(|fault| DeskError::Broken { game, why: fault.to_string() })
    }

    pub fn turn(&self, no: TurnNo) -> Result<&Turn, DeskError> {
        self.record.turn(no).ok_or_else(|| {
            DeskError::refused(format!("game {} has no turn {no} yet", self.id), "`umpire status` shows its turns")
        })
    }

    /// The board before `turn`, as the newest issues of all earlier turns made it.
    pub fn before(&mut self, turn: TurnNo) -> Result<&dyn Game, DeskError> {
        self.boards.before(&self.record, turn)
    }

    /// The board as it stands after the newest issue of the newest turn that has one.
    pub fn now(&mut self) -> Result<&dyn Game, DeskError> {
        let last = self.record.turns.iter().rev().find(|turn| !turn.issues.is_empty()).map(|turn| turn.no);
        self.before(last.map_or(TurnNo(1), TurnNo::next))
    }

    pub fn seats(&self) -> Vec<SeatInfo> {
        self.boards.opening.seats()
    }

    pub fn seat_name(&self, seat: &SeatId) -> String {
        self.seats().into_iter().find(|s| s.id == *seat).map_or_else(|| seat.to_string(), |s| s.name)
    }

    /// The seats that have a player, in the campaign's order.
    pub fn players(&self) -> Vec<SeatId> {
        self.seats().into_iter().map(|s| s.id).filter(|seat| self.record.players.contains_key(seat)).collect()
    }

    /// The seats that are waited for in a turn: they have something to decide, and a player to decide it.
    pub fn waited_for(&mut self, turn: TurnNo) -> Result<Vec<SeatId>, DeskError> {
        let owing = self.before(turn)?.expects().owing;
        Ok(owing.into_iter().filter(|seat| self.record.players.contains_key(seat)).collect())
    }

    /// Since when a turn could close, as far as the turn before it goes: no challenge can come any more.
    pub fn free_since(&self, turn: TurnNo) -> Timestamp {
        let before = self.record.turns.iter().filter(|earlier| earlier.no < turn);
        before.flat_map(|earlier| &earlier.windows).map(|window| window.until).max().unwrap_or(Timestamp::MIN)
    }

    /// The seats without player [R-003-81].
    pub fn vacant(&self) -> Vec<SeatId> {
        self.seats().into_iter().map(|s| s.id).filter(|seat| !self.record.players.contains_key(seat)).collect()
    }

    pub fn broken(&self, why: impl Into<String>) -> DeskError {
        DeskError::Broken { game: self.id.clone(), why: why.into() }
    }
}

impl Boards {
    /// See [`Table::before`].
    pub fn before(&mut self, record: &Record, turn: TurnNo) -> Result<&dyn Game, DeskError> {
        let issues = issues_before(record, turn);
        if self.kept.get(&turn).is_none_or(|board| board.issues != issues) {
            let game = self.folded(record, turn)?;
            self.kept.insert(turn, Board { issues, game });
            while self.kept.len() > BOARDS_KEPT {
                let oldest = self.kept.keys().find(|kept| **kept != turn).copied();
                let Some(oldest) = oldest else { break };
                self.kept.remove(&oldest);
            }
        }
        Ok(self.kept.get(&turn).map_or(self.opening.as_ref(), |board| board.game.as_ref()))
    }

    /// The board before the first turn, for folding forward.
    pub fn opening(&self) -> &dyn Game {
        self.opening.as_ref()
    }

    fn folded(&self, record: &Record, turn: TurnNo) -> Result<Box<dyn Game>, DeskError> {
        let base = self.kept.range(..turn).rev().find(|(no, board)| board.issues == issues_before(record, **no));
        let (from, mut game) = match base {
            Some((no, board)) => (*no, board.game.duplicate()),
            None => (TurnNo(0), self.opening.duplicate()),
        };
        for earlier in record.turns.iter().filter(|t| t.no >= from && t.no < turn) {
            if let Some(issue) = earlier.newest() {
                game.fold(&issue.events).map_err(rules_of(&self.id))?;
            }
        }
        Ok(game)
    }
}

fn issues_before(record: &Record, turn: TurnNo) -> usize {
    record.turns.iter().filter(|t| t.no < turn).map(|t| t.issues.len()).sum()
}

/// Names the game in which the rules could not read the journal.
pub(super) fn rules_of(game: &GameId) -> impl Fn(JournalFault) -> DeskError + use<> {
    let game = game.clone();
    move |fault| DeskError::Rules { game: game.clone(), fault }
}
