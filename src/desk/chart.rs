//! The board of a game for whoever may look at it.

use super::announce::posted_issues;
use super::{Desk, DeskError, telling};
use crate::engine::board_picture::BoardPicture;
use crate::engine::{GameId, HexId, TurnNo, Viewer};
use jiff::Timestamp;

/// A board, and the names by which a part of it can be asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// The board.
    pub board: BoardPicture,
    /// All names of places and where they lie.
    pub places: Vec<(String, HexId)>,
}

impl Desk {
    /// The board after a turn, with its battles and moves, as `viewer` may see it; after the newest turn with results if none
    /// is named, and before the first turn if there is none. Players are shown only what was posted.
    ///
    /// # Errors
    /// If the game or turn does not exist, the turn has no results yet, or the game's system has no board.
    pub fn chart(
        &mut self,
        game: &GameId,
        turn: Option<TurnNo>,
        viewer: &Viewer,
        now: Timestamp,
    ) -> Result<Chart, DeskError> {
        self.look(now, |room, tables| {
            let table = tables.sit(room.tx, game)?;
            let turns: Vec<TurnNo> = table.record.turns.iter().map(|turn| turn.no).collect();
            let wanted = turn.map_or_else(|| turns.into_iter().rev().collect(), |turn| vec![turn]);
            let mut told = None;
            for no in wanted {
                let newest = match viewer {
                    Viewer::Umpire => table.turn(no)?.newest().map(|issue| issue.no),
                    Viewer::Public | Viewer::Seat(_) => posted_issues(table, no)?.pop(),
                };
                told = newest.and_then(|issue| table.record.turn(no)?.issue(issue).cloned()).map(|issue| (no, issue));
                if told.is_some() {
                    break;
                }
            }
            let no_board = || DeskError::refused(format!("game {game} has no board that can be drawn"), "");
            let board = match (told, turn) {
                (Some((no, issue)), _) => telling::results(room, table, no, &issue, viewer)?.report.board,
                (None, Some(no)) => {
                    let what = format!("turn {no} of {game} has no results that could be drawn");
                    return Err(DeskError::refused(what, "leave out the turn for the board as it stands"));
                }
                (None, None) => table.before(TurnNo(1))?.board(viewer),
            };
            let places = table.before(TurnNo(1))?.places();
            Ok(Chart { board: board.ok_or_else(no_board)?, places })
        })
    }
}
