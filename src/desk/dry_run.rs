//! A turn worked out with throw-away dice: whether it runs, never what it will bring. The umpire must not be able to shop for a
//! result and then extend.

use super::close;
use super::table::rules_of;
use super::{Desk, DeskError};
use crate::engine::{Dice, GameId, JsonRuling, Report, Secret, TurnNo, TurnSecret, Viewer};
use jiff::Timestamp;

/// What a dry run showed.
#[derive(Clone, PartialEq, Debug)]
pub struct DryRun {
    /// The turn.
    pub turn: TurnNo,
    /// What it is called.
    pub phase: String,
    /// What happened with these dice, as the umpire sees it. Its numbers are of this run only.
    pub report: Report,
    /// The question with which it stopped, if it did: step, seat, question.
    pub asks: Option<(String, String, String)>,
}

impl Desk {
    /// Works out the oldest turn that is not official, with throw-away dice.
    ///
    /// # Errors
    /// If there is no such turn, or the rules cannot work it out.
    pub fn dry_run(&mut self, game: &GameId, now: Timestamp) -> Result<DryRun, DeskError> {
        let secret = Secret::fresh().map_err(|fault| DeskError::Randomness(fault.to_string()))?;
        self.look(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let Some(turn) = table.record.current().cloned() else {
                return Err(DeskError::refused(format!("game {game} has no turn to work out"), ""));
            };
            let rulings: Vec<JsonRuling> = turn.rulings.iter().map(|r| r.ruling.clone()).collect();
            let dice = Dice::new(turn.no, TurnSecret::of(&secret, turn.no));
            let done = close::adjudicate_with(table, turn.no, rulings, dice)?;
            let rules = rules_of(game);
            let report = table.before(turn.no)?.tell(&done.events, &Viewer::Umpire, &done.numbering).map_err(rules)?;
            let asks = done.asks.map(|(step, seat, question)| (step.to_string(), table.seat_name(&seat), question));
            Ok(DryRun { turn: turn.no, phase: turn.phase, report, asks })
        })
    }
}
