//! What hangs together: land by marches and voyages, seas by ships [003 Movement, Sea Movement, Fleet Movement].

use super::super::board::{Board, Ground};
use super::super::setup::Charted;
use super::super::waters::Water;
use crate::engine::{DataFault, HexId};
use std::collections::{BTreeMap, BTreeSet};

/// Sea ports that ships can reach from one another, if need be by calling at others on the way.
pub(super) type Sea = BTreeSet<HexId>;

/// The seas, by their ports; the one with most ports first [003 Fleet Movement, R-003-68, R-003-P46, R-003-P47].
pub(super) fn seas(board: &Board) -> Vec<Sea> {
    let mut ports_on: BTreeMap<Water, Vec<HexId>> = BTreeMap::new();
    let mut left: Sea = board.sea_ports().collect();
    for port in &left {
        for water in board.waters_at(*port) {
            ports_on.entry(water).or_default().push(*port);
        }
    }
    let mut seas = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut sea = Sea::from([first]);
        let mut ports = vec![first];
        let mut seen: BTreeSet<Water> = BTreeSet::new();
        while let Some(port) = ports.pop() {
            let mut reached: Vec<HexId> = board.links.by_sea(port).to_vec();
            let mut open = board.waters_at(port);
            while let Some(water) = open.pop() {
                if seen.insert(water) {
                    reached.extend(ports_on.get(&water).into_iter().flatten());
                    open.extend(board.sea_ways_from(water));
                }
            }
            for port in reached {
                if left.remove(&port) {
                    sea.insert(port);
                    ports.push(port);
                }
            }
        }
        seas.push(sea);
    }
    seas.sort_by_key(|sea| std::cmp::Reverse(sea.len()));
    seas
}

/// Every land hex can be reached from the rest by marching or by ship; what cannot is a slip of the data.
pub(super) fn orphans(charted: &Charted, seas: &[Sea]) -> Vec<DataFault> {
    let board = &charted.campaign.board;
    let mut left: BTreeSet<HexId> =
        board.hexes.iter().filter(|(_, hex)| hex.ground == Ground::Land).map(|(id, _)| *id).collect();
    let mut parts: Vec<Vec<HexId>> = Vec::new();
    while let Some(first) = left.pop_first() {
        let (mut part, mut open) = (vec![first], vec![first]);
        while let Some(here) = open.pop() {
            let by_land = board.ways_from(here).map(|(next, _)| next);
            let by_sea = seas.iter().filter(|sea| sea.contains(&here)).flatten().copied();
            let next: Vec<HexId> = by_land.chain(by_sea).filter(|next| left.remove(next)).collect();
            part.extend(&next);
            open.extend(next);
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    parts.iter().skip(1).filter_map(|part| orphan(charted, part)).collect()
}

fn orphan(charted: &Charted, part: &[HexId]) -> Option<DataFault> {
    let board = &charted.campaign.board;
    let first = part.first()?;
    let named: Vec<String> = part.iter().take(4).map(|hex| format!("{hex} ({})", board.name(*hex))).collect();
    let more = if part.len() > named.len() { format!(" and {} more", part.len() - named.len()) } else { String::new() };
    let message = format!("neither march nor ship leads from the rest of the board to {}{more}", named.join(", "));
    let line = charted.hex_lines.get(first).copied().unwrap_or(0);
    Some(DataFault::new("hexes.csv", line, message, "open a side, give it a sea port, or make it sea or lake"))
}

/// Ports reach one another, but for as many separate seas as the campaign says that there are.
pub(super) fn too_many_seas(files: &BTreeMap<String, String>, board: &Board, seas: &[Sea]) -> Option<DataFault> {
    let said = usize::try_from(board.seas).unwrap_or(usize::MAX);
    if seas.len() == said || (seas.is_empty() && said == 1) {
        return None;
    }
    let of = |sea: &Sea| {
        let names: Vec<&str> = sea.iter().take(4).map(|hex| board.name(*hex)).collect();
        if sea.len() > names.len() { format!("{} ...", names.join(", ")) } else { names.join(", ") }
    };
    let list: Vec<String> = seas.iter().map(of).collect();
    let message = match seas.len() {
        1 => format!("all sea ports lie on one sea, and [map] seas says {said}"),
        found => format!(
            "the sea ports lie on {found} seas between which no ship passes, and [map] seas says {said}: {}",
            list.join(" / ")
        ),
    };
    let help = format!("open a strait or a link between them, or write seas = {}", seas.len());
    Some(DataFault::new("campaign.toml", line_of_map(files), message, help))
}

fn line_of_map(files: &BTreeMap<String, String>) -> usize {
    let lines = files.get("campaign.toml").into_iter().flat_map(|text| text.lines()).zip(1..);
    let named = |word: &str| lines.clone().find(|(line, _)| line.trim_start().starts_with(word)).map(|(_, no)| no);
    named("seas").or_else(|| named("[map]")).unwrap_or(0)
}
