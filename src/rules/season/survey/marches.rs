//! The fewest seasons in which a foot army makes a march of history, by the rules of movement and without an enemy in its way
//! [003 Army Movement, Side Limits, Rivers, Forced Marches, River Movement].

use super::super::board::{Board, RiverId};
use super::super::campaign::{Campaign, Kind};
use super::super::setup::{Charted, HistoricMarch};
use crate::engine::survey::{Marched, Undertaking};
use crate::engine::{DataFault, HexId};
use std::collections::{BTreeMap, BTreeSet};

/// A search that has not ended by then will not.
const MOST_SEASONS: u32 = 200;

/// Every march of marches.csv, and those that take too long.
pub(super) fn all(charted: &Charted) -> (Vec<Marched>, Vec<DataFault>) {
    let rates = Rates::of(&charted.campaign);
    let mut marched = Vec::new();
    let mut faults = Vec::new();
    for march in &charted.marches {
        let found = try_march(&charted.campaign, &rates, march);
        let fault = match &found.quickest {
            None => Some(("there is no way by land".to_owned(), "open a side, or strike the march")),
            Some(quickest) if quickest.turns > march.seasons => {
                let message = format!("it takes {} seasons, not {}", quickest.turns, march.seasons);
                Some((message, "a clear side, a bridge at a city or a river along the way would shorten it"))
            }
            Some(_) => None,
        };
        if let Some((message, help)) = fault {
            faults.push(DataFault::new("marches.csv", march.line, format!("{}: {message}", march.name), help));
        }
        marched.push(found);
    }
    (marched, faults)
}

/// Where an army is and which of the march's places it goes to next.
type Place = (HexId, usize);
/// How many rolls it took to get there, and where each season ended.
type Known = (u32, Vec<HexId>);

fn try_march(campaign: &Campaign, rates: &Rates, march: &HistoricMarch) -> Marched {
    let mut best: BTreeMap<Place, Known> = BTreeMap::new();
    let mut fresh: BTreeSet<Place> = BTreeSet::new();
    if let Some(start) = march.through.first() {
        let place = (*start, passed(&march.through, *start, 0));
        best.insert(place, (0, Vec::new()));
        fresh.insert(place);
    }
    let arrived = |best: &BTreeMap<Place, Known>| -> Option<Known> {
        let goal = best.iter().filter(|((_, leg), _)| *leg == march.through.len());
        goal.map(|(_, known)| known).min().cloned()
    };
    let mut quickest = None;
    let mut turns = 0;
    while quickest.is_none() || turns < march.seasons {
        if turns >= MOST_SEASONS || fresh.is_empty() {
            break;
        }
        turns += 1;
        fresh = season(campaign, rates, march, &mut best, &fresh);
        quickest = quickest.or_else(|| arrived(&best).map(|known| undertaking(campaign, march, turns, known)));
    }
    let surest = arrived(&best).map(|known| {
        let turns = u32::try_from(known.1.len()).unwrap_or(u32::MAX);
        undertaking(campaign, march, turns, known)
    });
    let surest = surest.filter(|sure| {
        sure.turns <= march.seasons && quickest.as_ref().is_some_and(|quick: &Undertaking| sure.rolls < quick.rolls)
    });
    Marched { name: march.name.clone(), allowed: march.seasons, quickest, surest }
}

fn undertaking(campaign: &Campaign, march: &HistoricMarch, turns: u32, (rolls, stages): Known) -> Undertaking {
    let stages = stages.iter().map(|hex| campaign.board.name(*hex).to_owned()).collect();
    // A roll has to be under the rating [R-003-18].
    let sixths = u32::from(march.rating.saturating_sub(1).min(6));
    Undertaking { turns, rolls, sixths, stages }
}

/// One more season for whoever got somewhere better in the season before.
fn season(
    campaign: &Campaign,
    rates: &Rates,
    march: &HistoricMarch,
    best: &mut BTreeMap<Place, Known>,
    fresh: &BTreeSet<Place>,
) -> BTreeSet<Place> {
    let before: Vec<(Place, Known)> = fresh.iter().filter_map(|p| Some((*p, best.get(p)?.clone()))).collect();
    let mut better = BTreeSet::new();
    for (place, (rolls, stages)) in before {
        for (to, more) in one_season(campaign, rates, &march.through, place) {
            let mut stages = stages.clone();
            stages.push(to.0);
            let found = (rolls + more, stages);
            // Fewer rolls first; who needs as many later than another is no better.
            if best.get(&to).is_none_or(|known| found.0 < known.0) {
                best.insert(to, found);
                better.insert(to);
            }
        }
    }
    better
}

/// The hexes that an army of foot may go in a season, and the rivers along which it may.
struct Rates {
    normal: u32,
    forced: u32,
    river: u32,
    rivers: BTreeMap<HexId, Vec<RiverId>>,
}

impl Rates {
    /// The slowest foot sets the pace; a forced march doubles it [003 Movement Rating, Forced Marches, R-003-66].
    fn of(campaign: &Campaign) -> Self {
        let foot = campaign.table.iter().filter(|((_, kind), _)| *kind == Kind::Infantry);
        let normal = foot.map(|(_, row)| u32::from(row.movement)).min().unwrap_or(1);
        let rivers = campaign.board.hexes.keys().map(|hex| (*hex, campaign.board.rivers_at(*hex))).collect();
        Rates { normal, forced: normal * 2, river: campaign.figures.river_move_max, rivers }
    }

    fn rivers_at(&self, hex: HexId) -> &[RiverId] {
        self.rivers.get(&hex).map_or(&[], Vec::as_slice)
    }
}

/// Whither one season leads from a place, and the fewest rolls that it takes.
fn one_season(campaign: &Campaign, rates: &Rates, through: &[HexId], from: Place) -> BTreeMap<Place, u32> {
    let mut found = BTreeMap::new();
    on_foot(campaign, rates, through, from, (0, 0), &mut found);
    for river in rates.rivers_at(from.0) {
        let on_river = |hex: HexId| rates.rivers_at(hex).contains(river);
        afloat(&campaign.board, rates.river, through, from, &on_river, &mut found);
    }
    found.remove(&from);
    found
}

/// A march: brigades stop behind forest, marsh and mountains; a river without a city on either bank takes a roll, and so does
/// going beyond the normal rate [003 Side Limits, Rivers, Forced Marches, R-003-15, R-003-16, R-003-18].
fn on_foot(
    campaign: &Campaign,
    rates: &Rates,
    through: &[HexId],
    (here, leg): Place,
    (gone, rolls): (u32, u32),
    found: &mut BTreeMap<Place, u32>,
) {
    if gone == rates.forced {
        return;
    }
    for (next, side) in campaign.board.ways_from(here) {
        let rolls = rolls + u32::from(campaign.board.needs_crossing(here, next));
        let place = (next, passed(through, next, leg));
        let all = rolls + u32::from(gone + 1 > rates.normal);
        let known = found.entry(place).or_insert(all);
        *known = all.min(*known);
        if !campaign.figures.stops.contains(&side.terrain) {
            on_foot(campaign, rates, through, place, (gone + 1, rolls), found);
        }
    }
}

/// Along one river, without stops and rolls, from bank to bank as it likes [003 River Movement, R-003-66, R-003-93].
fn afloat(
    board: &Board,
    most: u32,
    through: &[HexId],
    from: Place,
    on_river: &impl Fn(HexId) -> bool,
    found: &mut BTreeMap<Place, u32>,
) {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    for _ in 0..most {
        let mut next_open = Vec::new();
        for (here, leg) in open {
            for (next, _) in board.ways_from(here).filter(|(next, _)| on_river(*next)) {
                let place = (next, passed(through, next, leg));
                if seen.insert(place) {
                    found.insert(place, 0);
                    next_open.push(place);
                }
            }
        }
        open = next_open;
    }
}

/// The next place to go to for who stands in `hex`.
fn passed(through: &[HexId], hex: HexId, leg: usize) -> usize {
    leg + through.iter().skip(leg).take_while(|place| **place == hex).count()
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::Table;
    use super::*;

    /// Seasons and rolls.
    type Short = (u32, u32);

    /// What a march takes at best: seasons, rolls, and rolls of the surest way.
    fn tried(board: &str, through: &[&str], seasons: u32) -> (Option<Short>, Option<Short>) {
        let mut table = Table::new(&format!("{board}\nA: sweden infantry Dal 4"));
        let through = through.iter().map(|letter| table.hex(letter)).collect();
        let march = HistoricMarch { line: 2, name: "test".to_owned(), through, seasons, rating: 5 };
        let rates = Rates::of(table.campaign());
        let found = try_march(table.campaign(), &rates, &march);
        let short = |way: Undertaking| (way.turns, way.rolls);
        (found.quickest.map(short), found.surest.map(short))
    }

    /// Foot goes one hex a season, two on a forced march with one roll; what a march has time for it does without
    /// [003 Forced Marches].
    #[test]
    fn a_forced_march_doubles_and_takes_a_roll() {
        let road = "A--B clear, B--C clear, C--D clear, D--E clear";
        assert_eq!(tried(road, &["A", "E"], 2), (Some((2, 2)), None));
        assert_eq!(tried(road, &["A", "E"], 3), (Some((2, 2)), Some((3, 1))));
        assert_eq!(tried(road, &["A", "E"], 4), (Some((2, 2)), Some((4, 0))));
        assert_eq!(tried(road, &["A", "D"], 2), (Some((2, 1)), None));
    }

    /// Behind a forest foot stops, forced or not [003 Side Limits, R-003-15].
    #[test]
    fn forest_stops() {
        assert_eq!(tried("A--B forest, B--C clear, C--D clear", &["A", "D"], 9).0, Some((2, 1)));
        assert_eq!(tried("A--B clear, B--C forest, C--D clear", &["A", "D"], 9).0, Some((2, 1)));
        assert_eq!(tried("A--B forest, B--C forest, C--D forest", &["A", "D"], 9).0, Some((3, 0)));
        assert_eq!(tried("A--B clear closed, B--C clear", &["A", "C"], 9).0, None);
    }

    /// A river without a city takes a roll to cross [003 Rivers]; along it an army goes in one season and without one
    /// [003 River Movement].
    #[test]
    fn rivers_are_crossed_by_roll_and_travelled_without() {
        assert_eq!(tried("A--B clear river", &["A", "B"], 9).0, Some((1, 0)), "a river move changes banks [R-003-93]");
        assert_eq!(tried("A--B clear river, B--C clear", &["A", "C"], 9), (Some((1, 2)), Some((2, 0))));
        let along = "A--B forest river, B--C forest river, C--D forest river, D--E forest river";
        assert_eq!(tried(along, &["A", "E"], 9), (Some((1, 0)), None));
    }

    /// A march that has to touch places in order goes back and forth.
    #[test]
    fn stops_are_made_in_order() {
        let road = "A--B clear, B--C clear, C--D clear";
        assert_eq!(tried(road, &["B", "A", "D"], 9).0, Some((2, 2)));
        assert_eq!(tried(road, &["B", "D", "A"], 9).0, Some((3, 2)));
    }
}
