//! Small signs: cities, anchors, battles, counters, and what grows along hexsides.

use super::board::Sheet;
use super::crowd::{Crowd, Rect};
use super::pen::{Pen, Point};
use super::{colour, escape, ink_on};
use crate::engine::board_picture::{CityPicture, Counter, SidePicture};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How far below the middle of its hex a city's sign stands.
pub const CITY_DROP: f32 = 5.0;

/// Half the room that a city's sign takes.
pub fn reach(city: &CityPicture) -> f32 {
    radius(city) * if city.fort == "none" { 1.0 } else { 1.3 } + if city.capital.is_empty() { 0.6 } else { 2.2 }
}

fn radius(city: &CityPicture) -> f32 {
    let base = if city.value == 0 { 3.2 } else { 4.8 };
    base + 0.85 * f32::from(city.value.min(4))
}

/// A circle for an open town, a bastioned square or hexagon for a fortress, with the value in it; a ring about capitals.
pub fn city(out: &mut String, city: &CityPicture, x: f32, y: f32) {
    let r = radius(city);
    if !city.capital.is_empty() {
        let ring = r * if city.fort == "none" { 1.0 } else { 1.24 } + 2.0;
        let class = if city.capital == "seat" { "ring crown" } else { "ring" };
        let _ = write!(out, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{ring:.1}\"/>");
    }
    let class = if city.capital == "seat" { "city seat" } else { "city" };
    match city.fort.as_str() {
        "square" => fort(out, class, (x, y), r * 0.94, 4, 45.0),
        "hexagon" => fort(out, class, (x, y), r, 6, 0.0),
        _ => {
            let _ = write!(out, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\"/>");
        }
    }
    if city.value > 0 {
        let size = 6.6 + 0.8 * f32::from(city.value.min(4));
        let _ = write!(
            out,
            "<text class=\"value\" font-size=\"{size:.1}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            y + size * 0.33,
            city.value
        );
    }
}

/// A trace of walls with a bastion at each corner.
fn fort(out: &mut String, class: &str, (x, y): Point, r: f32, corners: u8, first: f32) {
    let turn = 360.0 / f32::from(corners);
    let spread = if corners == 4 { 17.0 } else { 13.0 };
    let wall = if corners == 4 { 1.04 } else { 0.98 };
    let mut points = Vec::new();
    for corner in 0..corners {
        let angle = first + turn * f32::from(corner);
        for (off, far) in [(-spread, wall), (-spread * 0.8, 1.16), (0.0, 1.36), (spread * 0.8, 1.16), (spread, wall)] {
            let angle: f32 = (angle + off).to_radians();
            points.push((x + r * far * angle.cos(), y + r * far * angle.sin()));
        }
    }
    let mut data = String::new();
    Pen::on(&mut data).shape(&points);
    let _ = write!(out, "<path class=\"{class}\" d=\"{data}\"/>");
}

/// An anchor: a port.
pub fn anchor(out: &mut String, x: f32, y: f32) {
    let _ = write!(
        out,
        "<path class=\"anchor\" transform=\"translate({x:.1} {y:.1})\" \
         d=\"M0-4V6M-2.8-2.2H2.8M-4.6 2.2C-4.6 5.2-2.2 6.2 0 6.2S4.6 5.2 4.6 2.2M1.5-5.5A1.5 1.5 0 1 1-1.5-5.5A1.5 1.5 0 1 1 1.5-5.5\"/>"
    );
}

/// Crossed swords: a battle.
pub fn swords(out: &mut String, x: f32, y: f32) {
    const PATH: &str = "M-6.5-7.5L5.5 5.5M6.5-7.5L-5.5 5.5M-7 2L-2 6.8M7 2L2 6.8M-5.5 5.5L-7.6 7.6M5.5 5.5L7.6 7.6";
    let place = format!("transform=\"translate({x:.1} {y:.1})\" d=\"{PATH}\"");
    let _ = write!(out, "<path class=\"swordsback\" {place}/><path class=\"swords\" {place}/>");
}

const WIDE: f32 = 25.5;

/// The room that a hex's counters take.
pub fn counters_rect(counters: &[Counter], x: f32, top: f32) -> Option<Rect> {
    let across = counters.len().min(3) as f32;
    (!counters.is_empty()).then(|| {
        let half = (across * WIDE + (across - 1.0) * 2.0) / 2.0 + 1.0;
        Rect { left: x - half, top: top - 1.0, right: x + half, bottom: top + 22.0 }
    })
}

/// The counters of a hex: up to three side by side, else two rows of flat ones.
pub fn counters<'b>(
    out: &mut String,
    counters: &'b [Counter],
    seat_name: impl Fn(&'b Counter) -> &'b str,
    x: f32,
    top: f32,
) {
    let compact = counters.len() > 3;
    let (tall, step) = if compact { (10.0, 11.0) } else { (20.5, 0.0) };
    for (row, piles) in counters.chunks(3).take(2).enumerate() {
        let count = piles.len() as f32;
        let mut left = x - (count * WIDE + (count - 1.0) * 2.0) / 2.0;
        for pile in piles {
            let initials = escape(&super::super::words::initials(seat_name(pile)));
            counter(out, pile, &initials, (left, top + step * row as f32), (WIDE, tall), compact);
            left += WIDE + 2.0;
        }
    }
}

fn counter(out: &mut String, pile: &Counter, seat: &str, (x, y): Point, (wide, tall): Point, compact: bool) {
    let ink = ink_on(&pile.colour);
    let count = match pile.strength {
        _ if pile.brigades == 0 => String::new(),
        Some(strength) => format!("{}·{strength}", pile.brigades),
        None => pile.brigades.to_string(),
    };
    let _ = write!(
        out,
        "<rect class=\"shadow\" x=\"{:.1}\" y=\"{:.1}\" width=\"{wide}\" height=\"{tall}\" rx=\"2\"/>\
         <rect class=\"counter\" fill=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide}\" height=\"{tall}\" rx=\"2\"/>",
        x + 1.2,
        y + 1.4,
        colour(&pile.colour)
    );
    let middle = x + wide / 2.0;
    if pile.brigades == 0 && !compact {
        alone(out, pile.ships, ink, middle, y + 13.4);
    }
    let mut text = |size: f32, y: f32, words: &str| {
        let _ = write!(
            out,
            "<text class=\"on\" x=\"{middle:.1}\" y=\"{y:.1}\" font-size=\"{size}\" style=\"fill:{ink}\">{words}</text>"
        );
    };
    if compact {
        let words = format!("{seat} {count}");
        text((40.0 / words.chars().count() as f32).clamp(5.0, 8.0), y + 7.6, &words);
    } else {
        text(7.0, y + 7.2, seat);
        if !count.is_empty() {
            text(if count.chars().count() > 4 { 10.0 } else { 12.5 }, y + 17.8, &count);
        }
    }
}

/// What stands on a counter without a brigade: an anchor for ships, else a leader's star.
pub fn alone(out: &mut String, ships: bool, ink: &str, x: f32, y: f32) {
    let place = format!("transform=\"translate({x:.1} {y:.1})\"");
    let _ = if ships {
        write!(
            out,
            "<path {place} fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.2\" d=\"M0-3.6V5M-2.4-2H2.4M-4 1.8C-4 4.4-1.8 5.2 0 5.2S4 4.4 4 1.8\"/>"
        )
    } else {
        write!(
            out,
            "<path {place} fill=\"{ink}\" d=\"M0-5L1.5-1.6 5.1-1.3 2.4 1.1 3.2 4.6 0 2.7-3.2 4.6-2.4 1.1-5.1-1.3-1.5-1.6z\"/>"
        )
    };
}

/// The drawing of one tree, tuft of reeds or hill around a point: parts of different class.
fn growth(kind: &str) -> &'static [(&'static str, &'static str)] {
    match kind {
        "forest" => &[
            ("ub-trunk", "M0 1.6V4.6H2.6"),
            (
                "ub-tree",
                "M-3 .4C-3.4-1.4-2-2.6-1.6-3.2C-1.2-4.6 1.2-4.6 1.6-3.2C2.4-2.6 3.6-1 2.8.6C2.6 2-2.4 2.2-3 .4z",
            ),
            ("ub-leaf", "M.9-2.6C1.9-1.8 2-.2 1.2.8M-.6-2.4C-.2-1.6-.2-.6-.6.2"),
        ],
        "marsh" => &[("ub-marsh", "M-5 2.2H5M-2.6 4H3.4M-2.4.6L-3.2-2.6M0 .8V-4M2.4.6L3.2-2.6")],
        "mountain" => &[
            ("ub-hill", "M-8 4C-5.4 2.4-4-3.6-1.4-6.2C.4-5 1-3 2.2-1.8C3-3 3.8-3.6 4.6-3.6C6.2-2 6.6 2.4 9 4"),
            (
                "ub-slope",
                "M-1.2-5.6C-.8-3 .2-.6.2 2.4M.4-4.2C1 -2 1.8-.4 1.9 2.6M4.8-3C5-1 5.4.8 5.4 3M6 -1.4C6.4.2 6.8 1.6 7.2 3",
            ),
        ],
        _ => &[],
    }
}

/// One sign of a terrain, for the legend.
pub fn terrain(out: &mut String, kind: &str, x: f32, y: f32) {
    for (class, data) in growth(kind) {
        let _ = write!(out, "<path class=\"{class}\" transform=\"translate({x:.1} {y:.1})\" d=\"{data}\"/>");
    }
}

/// Where the signs of a side stand, from its middle: both banks in turn, further off where a river or a bar runs.
fn stands(kind: &str, (dx, dy): Point, bank: bool) -> Vec<Point> {
    let long = dx.hypot(dy).max(1.0);
    let off = match (kind, bank) {
        ("mountain", false) => 2.0,
        (_, false) => 3.6,
        (_, true) => 9.5,
    };
    let along: &[f32] = match kind {
        "mountain" => &[-0.27, 0.02, 0.3],
        "marsh" => &[-0.26, 0.0, 0.26],
        _ => &[-0.33, -0.12, 0.1, 0.32],
    };
    let mut stands: Vec<Point> = along
        .iter()
        .zip([1.0_f32, -1.0].iter().cycle())
        .map(|(at, turn)| (dx * at - dy / long * off * turn, dy * at + dx / long * off * turn))
        .collect();
    stands.sort_by(|a, b| a.1.total_cmp(&b.1));
    stands
}

impl Sheet<'_> {
    /// Trees, reeds and hills along the sides, but none where a name stands. Gives the definitions first.
    pub fn growth(&self, crowd: &Crowd) -> (String, String) {
        let (mut defs, mut out) = (String::new(), String::new());
        let mut groves: BTreeMap<(String, i32, i32, bool), usize> = BTreeMap::new();
        for kind in ["forest", "marsh", "mountain"] {
            if self.board.sides.iter().any(|s| s.terrain == kind) {
                let _ = write!(defs, "<g id=\"ub-{kind}\">");
                for (class, data) in growth(kind) {
                    let _ = write!(defs, "<path class=\"{class}\" d=\"{data}\"/>");
                }
                defs.push_str("</g>");
            }
        }
        let mut sides: Vec<(&SidePicture, Point, Point)> = Vec::new();
        for side in self.board.sides.iter().filter(|s| !growth(&s.terrain).is_empty()) {
            if let Some((a, b)) = self.ends(side.side) {
                let middle = (f32::midpoint(a.0, b.0), f32::midpoint(a.1, b.1));
                sides.push((side, middle, (b.0 - a.0, b.1 - a.1)));
            }
        }
        sides.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
        for (side, middle, along) in sides {
            let bank = !side.river.is_empty() || side.closed;
            let stands = stands(&side.terrain, along, bank);
            let free = |(x, y): &Point| !crowd.hits(&Rect::around(middle.0 + x, middle.1 + y, 4.5, 4.5));
            if stands.iter().all(free) {
                #[allow(clippy::cast_possible_truncation)]
                let key = (side.terrain.clone(), along.0.round() as i32, along.1.round() as i32, bank);
                let next = groves.len();
                let grove = *groves.entry(key).or_insert_with(|| {
                    let _ = write!(defs, "<g id=\"ub-g{next}\">");
                    for (x, y) in &stands {
                        let _ = write!(defs, "<use href=\"#ub-{}\" x=\"{x:.1}\" y=\"{y:.1}\"/>", side.terrain);
                    }
                    defs.push_str("</g>");
                    next
                });
                let _ = write!(out, "<use href=\"#ub-g{grove}\" x=\"{:.1}\" y=\"{:.1}\"/>", middle.0, middle.1);
            } else {
                for (x, y) in stands.iter().filter(|stand| free(stand)) {
                    let (x, y) = (middle.0 + x, middle.1 + y);
                    let _ = write!(out, "<use href=\"#ub-{}\" x=\"{x:.1}\" y=\"{y:.1}\"/>", side.terrain);
                }
            }
        }
        (defs, out)
    }
}
