//! Places by the names that people type.

use super::super::Failure;
use crate::desk::Chart;
use crate::engine::HexId;
use deunicode::deunicode;

/// The hex of a place: a hex number, or any of its names, with or without accents, in any script.
pub(super) fn find(chart: &Chart, named: &str) -> Result<HexId, Failure> {
    let on_board = |hex: &HexId| chart.board.hexes.iter().any(|h| h.hex == *hex);
    if let Some(hex) = named.trim().parse().ok().filter(on_board) {
        return Ok(hex);
    }
    let wanted = folded(named);
    let found = chart.places.iter().find(|(name, _)| folded(name) == wanted).map(|(_, hex)| *hex);
    found.ok_or_else(|| {
        let near = nearest(named, chart.places.iter().map(|(name, _)| name.as_str()));
        Failure::new(format!("there is no place \"{named}\" on this board"), did_you_mean(&near))
    })
}

fn folded(name: &str) -> String {
    deunicode(name).to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The names that come nearest, the nearest first; those that are quite unlike are left out.
pub(super) fn nearest<'n>(named: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted = folded(named);
    let off = |name: &str| strsim::osa_distance(&folded(name), &wanted);
    let mut near: Vec<(usize, &str)> = names.map(|name| (off(name), name)).collect();
    near.sort_unstable();
    near.dedup();
    let most = (wanted.chars().count() / 2).max(2);
    near.into_iter().filter(|(off, _)| *off <= most).take(4).map(|(_, name)| name).collect()
}

/// The help for a name that nothing bears.
pub(super) fn did_you_mean(near: &[&str]) -> String {
    if near.is_empty() {
        "a hex number, as 0501, always works".to_owned()
    } else {
        format!("did you mean {}?", near.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_people_write_them() {
        assert_eq!(folded("Dünamünde"), folded("dunamunde"));
        assert_eq!(folded("Velikiye Luki"), folded("velikiye-luki"));
        assert_eq!(nearest("Narwa", ["Riga", "Narva", "Nyen"].into_iter()), ["Narva"]);
        assert!(nearest("Xanadu", ["Riga", "Nyen"].into_iter()).is_empty());
    }
}
