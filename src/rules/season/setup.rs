//! `campaigns/<name>/` -> [`Campaign`] -> [`State`]: raw data, then checked data, all faults at once.

use super::campaign::Campaign;
use super::state::State;
use crate::engine::DataFault;
use std::collections::BTreeMap;

/// Skeleton.
///
/// # Errors
/// All faults.
pub fn load(_: &BTreeMap<String, String>) -> Result<Campaign, Vec<DataFault>> {
    Err(vec![DataFault::new("campaign.toml", 0, "skeleton", "")])
}

/// The state before the first turn.
pub fn open(campaign: Campaign) -> State {
    use std::sync::Arc;
    State {
        year: campaign.start_year,
        season: super::campaign::Season::Spring,
        turn: crate::engine::TurnNo(1),
        units: BTreeMap::new(),
        awaited: Default::default(),
        captives: BTreeMap::new(),
        control: BTreeMap::new(),
        depleted: Default::default(),
        sieges: BTreeMap::new(),
        provinces: BTreeMap::new(),
        seats: BTreeMap::new(),
        wars: Default::default(),
        passage: Default::default(),
        start_values: BTreeMap::new(),
        next_unit: 1000,
        now: Default::default(),
        scores: None,
        campaign: Arc::new(campaign),
    }
}
