//! The public pages, told from the journal alone: the same journal, the same pages.

use super::announce::posted_issues;
use super::difference;
use super::room::Room;
use super::table::Table;
use super::{Desk, DeskError, telling};
use crate::engine::{EventNo, GameId, Report, Revealed, RulingNo, Stage, Turn, TurnNo, TurnSecret, Viewer};
use crate::results::facts::{FrontPage, PublicChallenge, Results, RulingText, TurnLink};
use crate::results::page;
use crate::store::StoreError;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// The remark of the folder under which it stands what the pages were made by.
const MADE_BY: &str = "pages made by";
/// The remark of the folder that says that the page of all games is old.
const INDEX_IS_OLD: &str = "index is old";

/// The pages of a game.
pub struct GamePages {
    /// The game.
    pub game: GameId,
    /// How long its journal was.
    pub length: u64,
    /// Path within the site to text.
    pub pages: BTreeMap<String, String>,
    /// What the page of all games tells of it, as JSON.
    front: String,
}

impl Desk {
    /// The public pages of a game.
    ///
    /// # Errors
    /// If its journal cannot be read or a template is faulty.
    pub fn pages(&mut self, game: &GameId) -> Result<GamePages, DeskError> {
        // A page is read later than it is written: seen from the end of time no moment is "in three days".
        self.look(Timestamp::MAX, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let turns = all_results(room, table)?;
            let front = front(room, table, &turns)?;
            let pages = page::game_pages(room.templates, &front, &turns)?;
            let told = serde_json::to_string(&page::in_index(&front));
            let front = told.map_err(|fault| table.broken(format!("its front page: {fault}")))?;
            Ok(GamePages { game: game.clone(), length: table.record.length, pages, front })
        })
    }

    /// The page of all games, if it is not what it should be.
    ///
    /// # Errors
    /// If it cannot be read or a template is faulty.
    pub fn index_page(&mut self) -> Result<Option<String>, DeskError> {
        self.look(Timestamp::MAX, |room, _| {
            if room.tx.remark(INDEX_IS_OLD)?.is_none() {
                return Ok(None);
            }
            let fronts = room.tx.fronts()?;
            let read = |text: &String| serde_json::from_str::<serde_json::Value>(text).ok();
            let fronts: Vec<_> = fronts.iter().filter_map(read).collect();
            Ok(Some(page::index_page(room.templates, &fronts)?))
        })
    }

    /// Games whose journal has grown since their pages were written; at most `limit`.
    ///
    /// # Errors
    /// If they cannot be looked up.
    pub fn unrendered(&mut self, limit: u32) -> Result<Vec<GameId>, DeskError> {
        Ok(self.store.read(|tx| tx.unrendered(limit)).map_err(|fault: StoreError| fault)?)
    }

    /// Writes down that these pages were written.
    ///
    /// # Errors
    /// If that cannot be written; they will be written again.
    pub fn rendered(&mut self, written: &[GamePages], now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| {
            let mut changed = false;
            for game in written {
                changed |= room.tx.rendered(&game.game, game.length, &game.front)?;
            }
            if changed {
                room.tx.set_remark(INDEX_IS_OLD, Some("yes"))?;
            }
            Ok(())
        })
    }

    /// Writes down that the page of all games was written.
    ///
    /// # Errors
    /// If that cannot be written; it will be written again.
    pub fn index_rendered(&mut self, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, _| Ok(room.tx.set_remark(INDEX_IS_OLD, None)?))
    }

    /// Has all pages written anew if they were made by another program, with other templates, or to another `place`.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn render_for(&mut self, place: &str, missing: bool, now: Timestamp) -> Result<(), DeskError> {
        let by = format!("{} {} {place}", env!("CARGO_PKG_VERSION"), self.templates.mark());
        let known = self.store.read(|tx| tx.remark(MADE_BY)).map_err(|fault: StoreError| fault)?;
        if !missing && known.as_deref() == Some(&by) {
            return Ok(());
        }
        self.work(now, |room, _| {
            room.tx.render_all_anew()?;
            room.tx.set_remark(INDEX_IS_OLD, Some("yes"))?;
            Ok(room.tx.set_remark(MADE_BY, Some(&by))?)
        })
    }
}

/// Every issue that was posted, oldest first, as the public may know it.
fn all_results(room: &Room<'_>, table: &mut Table) -> Result<Vec<Results>, DeskError> {
    let mut all = Vec::new();
    for turn in table.record.turns.iter().map(|turn| turn.no).collect::<Vec<_>>() {
        let mut before: Option<Report> = None;
        for no in posted_issues(table, turn)? {
            let Some(issue) = table.turn(turn)?.issue(no).cloned() else { continue };
            let mut results = telling::results(room, table, turn, &issue, &Viewer::Public)?;
            if results.stage == "official" {
                results.revealed = telling::revealed(table, turn, &issue, &Viewer::Public)?;
            }
            if let Some(old) = &before {
                let rulings = rulings_of(table, turn, issue.rulings);
                let changes =
                    difference::changes(room, table, turn, Some(old), &results.report, &Viewer::Public, &rulings)?;
                // Rulings that change nothing in public are nobody else's business.
                if *old != results.report {
                    results.changes = Some(changes);
                }
            }
            before = Some(results.report.clone());
            all.push(results);
        }
    }
    Ok(all)
}

fn rulings_of(table: &Table, turn: TurnNo, upto: usize) -> Vec<RulingNo> {
    table.record.turn(turn).map_or(Vec::new(), |t| t.rulings.iter().take(upto).map(|r| r.ruling.no).collect())
}

fn front(room: &Room<'_>, table: &mut Table, turns: &[Results]) -> Result<FrontPage, DeskError> {
    let current = table.record.turns.iter().rev().find(|turn| turn.stage == Stage::Open).or(table.record.newest());
    let current = current.map(|turn| turn.no);
    let roots = roots(table, turns)?;
    Ok(FrontPage {
        occasion: telling::occasion(room, table, current, None),
        turns: table.record.turns.iter().rev().map(|turn| link(room, table, turn, turns)).collect(),
        challenges: table.record.challenges.iter().rev().map(|c| public_challenge(table, c)).collect(),
        rulings: public_rulings(turns),
        seats: table
            .seats()
            .into_iter()
            .map(|seat| {
                let player = table.record.players.get(&seat.id).map_or_else(String::new, |player| player.name.clone());
                (seat.name, player)
            })
            .collect(),
        house_rules: table
            .heading
            .house_rules
            .iter()
            .map(|rule| (rule.name.clone(), rule.value.clone(), rule.meaning.clone()))
            .collect(),
        held: table.record.held.as_ref().map(|(_, reason)| reason.clone()),
        roots,
    })
}

fn link(room: &Room<'_>, table: &Table, turn: &Turn, results: &[Results]) -> TurnLink {
    let (stage, at) = match &turn.stage {
        Stage::Open => ("open", Some(turn.deadline)),
        Stage::Sealed => ("sealed", None),
        Stage::Preliminary { until, .. } => ("preliminary", Some(*until)),
        Stage::Official { .. } => ("official", None),
    };
    let newest = results.iter().rev().find(|r| r.occasion.turn == turn.no.0);
    TurnLink {
        phase: turn.phase.clone(),
        stage: stage.to_owned(),
        file: newest.map_or_else(String::new, page::file_name),
        moment: at.map(|at| telling::moment(room, table, at, None)),
    }
}

/// Number, event and state; the event only if everybody has it under that number. The text may hold what its writer alone may
/// know, and stays with the umpire.
fn public_challenge(table: &Table, on_record: &crate::engine::turn::ChallengeOnRecord) -> PublicChallenge {
    let challenge = &on_record.challenge;
    let state = match &on_record.answer {
        None => "open",
        Some((_, true)) => "upheld",
        Some((_, false)) => "answered",
    };
    PublicChallenge {
        no: challenge.no.0,
        event: challenge
            .event
            .filter(|no| matches!(no, EventNo::Public(_)))
            .map_or_else(String::new, |no| no.to_string()),
        state: state.to_owned(),
        phase: table.record.turn(challenge.turn).map_or_else(String::new, |turn| turn.phase.clone()),
    }
}

/// The rulings that changed public reports, newest first; what was ruled only as far as all may know it.
fn public_rulings(turns: &[Results]) -> Vec<(String, RulingText)> {
    let mut told: Vec<(String, RulingText)> = Vec::new();
    for results in turns {
        for ruling in results.changes.iter().flat_map(|changes| &changes.rulings) {
            if !told.iter().any(|(_, known)| known.no == ruling.no) {
                told.push((results.occasion.phase.clone(), ruling.clone()));
            }
        }
    }
    told.reverse();
    told
}

/// The roots of all dice, newest first, with what the public has been given of the secrets under them: all that is left when the
/// game is over.
fn roots(table: &mut Table, turns: &[Results]) -> Result<Vec<(String, String, Vec<Revealed>)>, DeskError> {
    let over = table.record.current().is_none() && table.now()?.expects().over;
    let mut roots = Vec::new();
    if let Some(opening) = table.record.opening.as_ref().map(|opening| opening.root) {
        let given = if over { everything(table, TurnNo(0))? } else { Vec::new() };
        roots.push(("The opening".to_owned(), opening.to_string(), given));
    }
    let all: Vec<_> =
        table.record.turns.iter().map(|turn| (turn.no, turn.phase.clone(), turn.root.to_string())).collect();
    for (turn, phase, root) in all {
        let official = turns.iter().rev().find(|r| r.occasion.turn == turn.0 && r.stage == "official");
        let given = match official {
            _ if over => everything(table, turn)?,
            Some(results) => results.revealed.clone(),
            None => Vec::new(),
        };
        roots.push((phase, root, given));
    }
    roots.reverse();
    Ok(roots)
}

/// Every secret of a turn's dice.
fn everything(table: &mut Table, turn: TurnNo) -> Result<Vec<Revealed>, DeskError> {
    let secret = TurnSecret::of(&table.record.secret, turn);
    let scopes = table.before(turn)?.scopes();
    Ok(scopes.iter().filter_map(|scope| secret.reveal(&scopes, scope)).collect())
}
