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

#[cfg(test)]
mod tests {
    use super::*;

    fn livonia() -> BTreeMap<String, String> {
        let files = std::fs::read_dir("campaigns/livonia-1700").unwrap().map(|entry| entry.unwrap().path());
        let name = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
        files.map(|path| (name(&path), std::fs::read_to_string(&path).unwrap())).collect()
    }

    /// What the survey says after changes of the shipped campaign: file, words, other words.
    fn said(changes: &[(&str, &str, &str)]) -> Vec<String> {
        let mut files = livonia();
        for (file, from, to) in changes {
            let text = files.entry((*file).to_owned()).or_default();
            assert!(text.contains(from), "{file} does not hold {from:?}");
            *text = text.replacen(from, to, 1);
        }
        let survey = survey(&files).unwrap_or_else(|faults| panic!("{faults:#?}"));
        survey.faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn land_that_nobody_can_reach_is_told() {
        let found = said(&[
            ("cities.csv", "Arensburg,0003,1,square,sea,1", "Arensburg,0003,1,square,none,"),
            ("units.csv", "King's Transports,3,arensburg", "King's Transports,3,reval"),
        ]);
        let line = livonia()["hexes.csv"].lines().position(|line| line.starts_with("0003")).unwrap() + 1;
        let [fault] = found.as_slice() else { panic!("{found:?}") };
        assert!(fault.starts_with(&format!("hexes.csv:{line}: neither march nor ship leads")), "{fault}");
        assert!(fault.contains("0003 (Arensburg)"), "{fault}");
    }

    /// With 0101 a lake, no ship goes from the Gulf of Finland to that of Riga.
    #[test]
    fn seas_that_do_not_meet_must_be_said() {
        let cut = ("hexes.csv", "0101,sea", "0101,lake");
        let found = said(&[cut]);
        let [fault] = found.as_slice() else { panic!("{found:?}") };
        assert!(fault.contains("2 seas between which no ship passes, and [map] seas says 1"), "{fault}");
        let seas = ("campaign.toml", "scale_km = 70", "seas = 2\nscale_km = 70");
        assert_eq!(said(&[cut, seas]), [] as [String; 0]);
        let line = livonia()["campaign.toml"].lines().position(|line| line.starts_with("scale_km")).unwrap() + 1;
        let found = said(&[seas]);
        let [fault] = found.as_slice() else { panic!("{found:?}") };
        assert!(fault.starts_with(&format!("campaign.toml:{line}: all sea ports lie on one sea")), "{fault}");
    }

    /// Riga to Pskov is Riga, Wenden, Marienburg or the Walk road, Pechory, Pskov: more than a season for foot.
    #[test]
    fn marches_that_take_too_long_are_told() {
        let march = "name,through,seasons,rating,source\nQuick,riga|pskov,1,5,a test\nSlow,riga|pskov,9,5,a test\n";
        let found = said(&[("marches.csv", "", march)]);
        let [fault] = found.as_slice() else { panic!("{found:?}") };
        assert!(fault.starts_with("marches.csv:2: Quick: it takes"), "{fault}");
        let island = "name,through,seasons,rating,source\nDry-shod,pernau|arensburg,9,5,a test\n";
        let found = said(&[("marches.csv", "", island)]);
        assert_eq!(found.len(), 1);
        assert!(found.concat().contains("marches.csv:2: Dry-shod: there is no way by land"), "{found:?}");
    }
}
