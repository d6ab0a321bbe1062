//! Works all turns out again from their inputs and compares: `umpire replay --verify`.

use super::table::rules_of;
use super::{Desk, DeskError};
use crate::engine::{Dice, Game, GameId, Issue, IssueNo, JsonInputs, JsonRuling, Record, Turn, TurnNo, TurnSecret};
use jiff::Timestamp;

/// What became of one issue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Worked out again, the events are the same to the byte.
    Same {
        /// How many.
        events: usize,
    },
    /// Rules of another version did it: its events were folded, not worked out again.
    Folded {
        /// The version that did it.
        rules_version: u32,
    },
    /// It came out differently: the first event that does, by its id, and both as JSON (empty for none).
    Differs {
        /// Its id.
        event: String,
        /// As the journal has it.
        recorded: String,
        /// As it was worked out now.
        again: String,
    },
}

/// One issue of one turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TurnVerified {
    /// The turn.
    pub turn: TurnNo,
    /// What it is called.
    pub phase: String,
    /// The issue.
    pub issue: IssueNo,
    /// What became of it.
    pub verdict: Verdict,
    /// Whether the dice stand under the root that was published.
    pub root_stands: bool,
}

/// A game, worked out again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// SHA-256 of the campaign's files as used.
    pub campaign_sha256: String,
    /// Every issue of every turn.
    pub turns: Vec<TurnVerified>,
}

impl Verified {
    /// Whether everything that could be worked out again came out the same, under the published roots.
    pub fn is_sound(&self) -> bool {
        self.turns.iter().all(|turn| turn.root_stands && !matches!(turn.verdict, Verdict::Differs { .. }))
    }
}

impl Desk {
    /// Works every issue of every turn of a game out again and compares its events, byte for byte.
    ///
    /// # Errors
    /// If the journal cannot be read, or the rules cannot read an input.
    pub fn verify(&mut self, game: &GameId, now: Timestamp) -> Result<Verified, DeskError> {
        // A table of its own: what is verified is the journal, not what was kept of it.
        self.tables.forget();
        self.look(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let rules = rules_of(game);
            let mut board = table.boards.opening().duplicate();
            let mut turns = Vec::new();
            for turn in &table.record.turns {
                let root_stands = TurnSecret::of(&table.record.secret, turn.no).commit(&board.scopes()) == turn.root;
                for issue in &turn.issues {
                    turns.push(TurnVerified {
                        turn: turn.no,
                        phase: turn.phase.clone(),
                        issue: issue.no,
                        verdict: again(board.as_ref(), &table.record, turn, issue).map_err(&rules)?,
                        root_stands,
                    });
                }
                if let Some(issue) = turn.newest() {
                    board.fold(&issue.events).map_err(&rules)?;
                }
            }
            Ok(Verified { campaign_sha256: crate::campaign::sha256(&table.record.files), turns })
        })
    }
}

fn again(
    board: &dyn Game,
    record: &Record,
    turn: &Turn,
    issue: &Issue,
) -> Result<Verdict, crate::engine::JournalFault> {
    if issue.rules_version != board.rules_version() {
        return Ok(Verdict::Folded { rules_version: issue.rules_version });
    }
    let rulings: Vec<JsonRuling> = turn.rulings.iter().take(issue.rulings).map(|r| r.ruling.clone()).collect();
    let inputs = JsonInputs { sheets: turn.sheets.clone(), rulings };
    let done = board.adjudicate(&inputs, Dice::new(turn.no, TurnSecret::of(&record.secret, turn.no)))?;
    let text = |event: Option<&crate::engine::JsonEvent>| {
        event.map_or_else(String::new, |event| serde_json::to_string(event).unwrap_or_else(|fault| fault.to_string()))
    };
    for place in 0..issue.events.len().max(done.events.len()) {
        let (was, is) = (issue.events.get(place), done.events.get(place));
        let (recorded, now) = (text(was), text(is));
        if recorded != now {
            let event = was.or(is).map_or_else(String::new, |event| event.id.to_string());
            return Ok(Verdict::Differs { event, recorded, again: now });
        }
    }
    Ok(Verdict::Same { events: issue.events.len() })
}
