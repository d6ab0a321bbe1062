//! Takes a game out of a folder and puts it into another, journal to the byte, so that it goes on there with the same dice.

use super::{Desk, DeskError};
use crate::engine::{Fact, GameId};
use crate::store::MovedGame;
use jiff::Timestamp;
use std::collections::BTreeMap;

impl Desk {
    /// All that is kept of a game, and its campaign's files.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be read.
    pub fn take_out(
        &mut self,
        game: &GameId,
        now: Timestamp,
    ) -> Result<(MovedGame, BTreeMap<String, String>), DeskError> {
        self.look(now, |room, tables| {
            let files = tables.sit(room.tx, game)?.record.files.clone();
            Ok((room.tx.take_out(game)?, files))
        })
    }

    /// Puts a game in. Its journal is folded before anything stays.
    ///
    /// # Errors
    /// If there is a game of this name, if its letters' numbers are taken here, if its journal makes no sense.
    pub fn put_in(&mut self, game: &GameId, moved: &MovedGame, now: Timestamp) -> Result<(), DeskError> {
        self.work(now, |room, tables| {
            super::enrol::check_name(game)?;
            if room.tx.games()?.contains(game) {
                let help = "a game is in one folder only; import it into another";
                return Err(DeskError::refused(format!("there is a game {game} already"), help));
            }
            if let Some(no) = room.tx.number_taken(moved)? {
                let what = format!("letter {no} of {game} would have the number of another letter of this folder");
                let help = "the journal names letters by number: import the game into a folder of its own \
                            (`umpire -C NEW new --address ...` makes one)";
                return Err(DeskError::refused(what, help));
            }
            let opens = moved.journal.first().and_then(|entry| serde_json::from_str::<Fact>(&entry.fact).ok());
            if !matches!(opens, Some(Fact::GameOpened { .. })) {
                return Err(DeskError::refused("the archive holds no journal of a game", "export it again"));
            }
            room.tx.put_in(game, moved)?;
            tables.sit(room.tx, game)?.now()?;
            Ok(())
        })
    }
}
