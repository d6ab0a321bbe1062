//! Works all turns out again from their inputs and compares: `umpire replay --verify`.

use super::table::rules_of;
use super::{Desk, DeskError};
use crate::engine::{
    Dice, Game, GameId, Issue, IssueNo, JournalFault, JsonEvent, JsonInputs, JsonRuling, Record, Turn, TurnNo,
    TurnSecret,
};
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
    /// Works every issue of every turn of a game out again, and its opening, and compares the events byte for byte.
    ///
    /// # Errors
    /// If the journal cannot be read, or the rules cannot read an input.
    pub fn verify(&mut self, game: &GameId, now: Timestamp) -> Result<Verified, DeskError> {
        // A table of its own: what is verified is the journal, not what was kept of it.
        self.tables.forget();
        self.look(now, |room, tables| {
            let record = tables.sit(room.tx, game)?.record.clone();
            let mut board = tables.start(&record.system, &record.files)?;
            let turns = all_again(board.as_mut(), &record).map_err(rules_of(game))?;
            Ok(Verified { campaign_sha256: crate::campaign::sha256(&record.files), turns })
        })
    }
}

fn all_again(board: &mut dyn Game, record: &Record) -> Result<Vec<TurnVerified>, JournalFault> {
    let secret = |turn| TurnSecret::of(&record.secret, turn);
    let mut all = Vec::new();
    if let Some(opening) = &record.opening {
        let none = TurnNo(0);
        let version = opening.rules_version;
        let done =
            if version == board.rules_version() { Some(board.opening(Dice::new(none, secret(none)))?) } else { None };
        all.push(TurnVerified {
            turn: none,
            phase: "the opening".to_owned(),
            issue: IssueNo(1),
            verdict: compared(&opening.events, done.as_deref(), version),
            root_stands: secret(none).commit(&board.scopes()) == opening.root,
        });
        board.fold(&opening.events)?;
    }
    for turn in &record.turns {
        let root_stands = secret(turn.no).commit(&board.scopes()) == turn.root;
        for issue in &turn.issues {
            let verdict = again(board, turn, issue, secret(turn.no))?;
            all.push(TurnVerified { turn: turn.no, phase: turn.phase.clone(), issue: issue.no, verdict, root_stands });
        }
        if let Some(issue) = turn.newest() {
            board.fold(&issue.events)?;
        }
    }
    Ok(all)
}

fn again(board: &dyn Game, turn: &Turn, issue: &Issue, secret: TurnSecret) -> Result<Verdict, JournalFault> {
    if issue.rules_version != board.rules_version() {
        return Ok(compared(&issue.events, None, issue.rules_version));
    }
    let rulings: Vec<JsonRuling> = turn.rulings.iter().take(issue.rulings).map(|r| r.ruling.clone()).collect();
    let inputs = JsonInputs { sheets: turn.sheets.clone(), rulings, vacant: turn.vacant.clone() };
    let done = board.adjudicate(&inputs, Dice::new(turn.no, secret))?;
    Ok(compared(&issue.events, Some(&done.events), issue.rules_version))
}

/// What was recorded beside what came out now; nothing came out if rules of another version did it.
fn compared(recorded: &[JsonEvent], now: Option<&[JsonEvent]>, rules_version: u32) -> Verdict {
    let Some(now) = now else { return Verdict::Folded { rules_version } };
    let text = |event: Option<&JsonEvent>| {
        event.map_or_else(String::new, |event| serde_json::to_string(event).unwrap_or_else(|fault| fault.to_string()))
    };
    for place in 0..recorded.len().max(now.len()) {
        let (was, is) = (recorded.get(place), now.get(place));
        let (recorded, again) = (text(was), text(is));
        if recorded != again {
            let event = was.or(is).map_or_else(String::new, |event| event.id.to_string());
            return Verdict::Differs { event, recorded, again };
        }
    }
    Verdict::Same { events: recorded.len() }
}
