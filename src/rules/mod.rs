//! The rule systems, siblings that never import each other, and the registry: one line per system.

pub mod season;

use crate::engine::{DataFault, Game};
use std::collections::BTreeMap;

type Start = fn(&BTreeMap<String, String>) -> Result<Box<dyn Game>, Vec<DataFault>>;

const REGISTRY: &[(&str, Start)] = &[("season", season::start)];

/// Opens a game of `system` at the beginning of the campaign with these files (path to text).
///
/// # Errors
/// All faults of the campaign's data at once, each with file and line.
pub fn start(system: &str, files: &BTreeMap<String, String>) -> Result<Box<dyn Game>, Vec<DataFault>> {
    match REGISTRY.iter().find(|(name, _)| *name == system) {
        Some((_, start)) => start(files),
        None => {
            let known: Vec<&str> = REGISTRY.iter().map(|(name, _)| *name).collect();
            let help = format!("the systems are: {}", known.join(", "));
            Err(vec![DataFault::new("campaign.toml", 0, format!("there is no rule system \"{system}\""), help)])
        }
    }
}
