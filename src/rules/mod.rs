//! The rule systems, siblings that never import each other, and the registry: one line per system.

pub mod season;

use crate::engine::{DataFault, Game, Rules, Survey};
use std::collections::BTreeMap;

type Files = BTreeMap<String, String>;
/// Something of a campaign's files, or all that is wrong with them.
type Checked<T> = Result<T, Vec<DataFault>>;

/// A rule system as the rest of the house finds it.
struct System {
    name: &'static str,
    start: fn(&Files) -> Checked<Box<dyn Game>>,
    survey: fn(&Files) -> Checked<Survey>,
}

const REGISTRY: &[System] =
    &[System { name: season::Season::SYSTEM, start: season::start, survey: season::Season::survey }];

fn system(name: &str) -> Checked<&'static System> {
    REGISTRY.iter().find(|system| system.name == name).ok_or_else(|| {
        let known: Vec<&str> = REGISTRY.iter().map(|system| system.name).collect();
        let help = format!("the systems are: {}", known.join(", "));
        vec![DataFault::new("campaign.toml", 0, format!("there is no rule system \"{name}\""), help)]
    })
}

/// Opens a game of `system` at the beginning of the campaign with these files (path to text).
///
/// # Errors
/// All faults of the campaign's data at once, each with file and line.
pub fn start(system: &str, files: &Files) -> Result<Box<dyn Game>, Vec<DataFault>> {
    (self::system(system)?.start)(files)
}

/// Looks over the board of a campaign of `system` with these files.
///
/// # Errors
/// All faults of the campaign's data at once, if they keep the board from being looked over.
pub fn survey(system: &str, files: &Files) -> Result<Survey, Vec<DataFault>> {
    (self::system(system)?.survey)(files)
}
