//! The sample letters of `orders/`: what players of a shipped campaign might send, by turn.

use crate::engine::SeatId;
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;

static SAMPLES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/orders");

/// A sample letter, as it would come by mail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SampleLetter {
    /// The file's name without `.eml`: the seat that sends it, perhaps with a number behind (`sweden`, `sweden-2`).
    pub name: &'static str,
    /// The letter.
    pub raw: &'static [u8],
}

impl SampleLetter {
    /// The seat that sends it.
    pub fn seat(&self) -> SeatId {
        SeatId::new(self.name.split_once('-').map_or(self.name, |(seat, _)| seat))
    }
}

/// A campaign's sample letters by the name of their turn's folder (`spring-1700`), each folder's in the order of their names.
pub fn sample_letters(campaign: &str) -> BTreeMap<&'static str, Vec<SampleLetter>> {
    let folders = SAMPLES.get_dir(campaign).into_iter().flat_map(Dir::dirs);
    folders.filter_map(|folder| Some((folder.path().file_name()?.to_str()?, letters(folder)))).collect()
}

/// A file beside a campaign's sample letters: `players.toml`, `play.toml`.
pub fn sample_file(campaign: &str, name: &str) -> Option<&'static str> {
    SAMPLES.get_file(format!("{campaign}/{name}"))?.contents_utf8()
}

fn letters(folder: &Dir<'static>) -> Vec<SampleLetter> {
    let mut found: Vec<SampleLetter> = folder
        .files()
        .filter(|file| file.path().extension().is_some_and(|ext| ext == "eml"))
        .filter_map(|file| Some(SampleLetter { name: file.path().file_stem()?.to_str()?, raw: file.contents() }))
        .collect();
    found.sort_by_key(|letter| letter.name);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_the_name_before_the_dash() {
        let seat = |name| SampleLetter { name, raw: b"" }.seat();
        assert_eq!(seat("saxony_poland"), SeatId::new("saxony_poland"));
        assert_eq!(seat("sweden-2"), SeatId::new("sweden"));
    }

    #[test]
    fn the_shipped_campaign_has_letters_for_its_first_turn() {
        let letters = sample_letters("livonia-1700");
        assert!(letters.get("spring-1700").is_some_and(|spring| spring.len() >= 3));
        assert!(sample_letters("no-such-campaign").is_empty());
    }
}
