//! A walk over a campaign's board: what the loader cannot see line by line, since only the whole shows it.

mod counts;
mod land;
mod listing;
mod marches;

use super::setup;
use crate::engine::{DataFault, Survey};
use std::collections::BTreeMap;

/// Loads a campaign and walks over its board.
///
/// # Errors
/// All faults of the data at once: with any of them there is no board to walk over.
pub(super) fn survey(files: &BTreeMap<String, String>) -> Result<Survey, Vec<DataFault>> {
    let charted = setup::chart(files)?;
    let board = &charted.campaign.board;
    let seas = land::seas(board);
    let mut faults = land::orphans(&charted, &seas);
    faults.extend(land::too_many_seas(files, board, &seas));
    let (marches, impossible) = marches::all(&charted);
    faults.extend(impossible);
    faults.sort();
    Ok(Survey { faults, counts: counts::of(&charted.campaign, &seas), marches, listing: listing::of(board) })
}
