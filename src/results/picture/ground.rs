//! Sea and land, who holds it, borders, rivers, roads: everything below the signs and the names.

use super::board::Sheet;
use super::crowd::Rect;
use super::lattice::{Edge, walks};
use super::pen::{Pen, Point};
use super::{colour, shade};
use crate::engine::board_picture::{HexPicture, LinkPicture};
use crate::engine::{HexId, HexSide};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// How the lands of the seats are hatched, in the legend's order: colour is never the only sign.
const HATCHES: [&str; 8] = [
    "M0 9L9 0",
    "M0 0L9 9",
    "M0 4.5H9",
    "M4.5 0V9",
    "M1.6 2.2H3M6 6.7H7.4",
    "M0 9L9 0M0 0L9 9",
    "M2.2 2.2h3.4M3.9 .5v3.4",
    "M0 3Q2.2 .8 4.5 3T9 3",
];

/// The patterns of the seats' hatches, `ub-h0` and on.
pub fn hatches(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    for ((at, (_, fill)), hatch) in sheet.board.legend.iter().enumerate().zip(HATCHES.iter().cycle()) {
        let _ = write!(
            out,
            "<pattern id=\"ub-h{at}\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\">\
             <path d=\"{hatch}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\"/></pattern>",
            shade(colour(fill), 0.8)
        );
    }
    out
}

impl Sheet<'_> {
    fn set(&self, of: impl Fn(&HexPicture) -> bool) -> BTreeSet<HexId> {
        self.hexes.values().filter(|h| !h.is_box() && of(h)).map(|h| h.hex).collect()
    }

    fn stroke(&self, out: &mut String, class: &str, edges: impl Iterator<Item = Edge>) {
        let mut data = String::new();
        let mut pen = Pen::on(&mut data);
        for walk in walks(edges) {
            self.lattice.trace(&mut pen, &walk);
        }
        if !data.is_empty() {
            let _ = write!(out, "<path class=\"{class}\" d=\"{data}\"/>");
        }
    }

    /// Sides whose two hexes are both on the map and differ so.
    fn between<'s>(
        &'s self,
        differ: impl Fn(&HexPicture, &HexPicture) -> bool + 's,
    ) -> impl Iterator<Item = Edge> + 's {
        self.lattice.sides().filter_map(move |(edge, one, other)| {
            let (one, other) = (self.hexes.get(&one)?, self.hexes.get(&other?)?);
            differ(one, other).then_some(edge)
        })
    }

    pub fn ground(&self, out: &mut String) {
        let all = self.lattice.outline(&self.set(|_| true));
        let _ = write!(out, "<path class=\"sea\" d=\"{all}\"/>");
        let lakes = self.set(|h| h.ground == "lake");
        if !lakes.is_empty() {
            let _ = write!(out, "<path class=\"lake\" d=\"{}\"/>", self.lattice.outline(&lakes));
        }
        self.coast(out);
        let land = self.lattice.outline(&self.set(HexPicture::is_land));
        let _ = write!(out, "<path class=\"land\" d=\"{land}\"/>");
        self.owners(out);
        let _ = write!(out, "<path class=\"grid\" d=\"{}\"/><path class=\"rim\" d=\"{all}\"/>", self.lattice.grid());
    }

    /// Lines along the shore as an engraver would cut them; the land covers their inner half.
    fn coast(&self, out: &mut String) {
        let mut data = String::new();
        let mut pen = Pen::on(&mut data);
        let shore = self.between(|a, b| a.is_land() != b.is_land());
        for walk in walks(shore) {
            self.lattice.trace(&mut pen, &walk);
        }
        if data.is_empty() {
            return;
        }
        let _ = write!(out, "<defs><path id=\"ub-shore\" d=\"{data}\"/></defs>");
        for class in ["shoal s1", "shoal s2", "shoal s3", "coast"] {
            let _ = write!(out, "<use class=\"{class}\" href=\"#ub-shore\"/>");
        }
    }

    /// The land of each seat: a wash of its colour, its hatch, and the colour again along the border as mapmakers did by hand.
    fn owners(&self, out: &mut String) {
        for (at, (_, fill)) in self.board.legend.iter().enumerate() {
            for vassal in [false, true] {
                let held = |h: &HexPicture| h.fill.as_ref() == Some(fill) && (h.standing == "vassal") == vassal;
                let hexes = self.set(|h| h.is_land() && held(h));
                if hexes.is_empty() {
                    continue;
                }
                // Where the board ends no land does: the colour runs along true borders only.
                let mut ribbon = String::new();
                let mut pen = Pen::on(&mut ribbon);
                for walk in walks(self.lattice.border(&hexes).into_iter()) {
                    self.lattice.trace(&mut pen, &walk);
                }
                let id = format!("ub-r{at}{}", if vassal { "v" } else { "" });
                let dress = if vassal { " vassal" } else { "" };
                let _ = write!(
                    out,
                    "<defs><path id=\"{id}\" d=\"{}\"/><clipPath id=\"{id}c\"><use href=\"#{id}\"/></clipPath></defs>\
                     <use class=\"wash{dress}\" fill=\"{paint}\" href=\"#{id}\"/>\
                     <use class=\"hatch{dress}\" fill=\"url(#ub-h{at})\" href=\"#{id}\"/>\
                     <g clip-path=\"url(#{id}c)\"><path class=\"ribbon{dress}\" stroke=\"{paint}\" d=\"{ribbon}\"/></g>",
                    self.lattice.outline(&hexes),
                    paint = colour(fill),
                );
            }
        }
    }

    pub fn lines(&self, out: &mut String) {
        let on_land = |a: &HexPicture, b: &HexPicture| a.is_land() && b.is_land();
        let other_rule =
            |a: &HexPicture, b: &HexPicture| a.fill != b.fill || (a.standing == "neutral") != (b.standing == "neutral");
        self.stroke(
            out,
            "province",
            self.between(move |a, b| on_land(a, b) && !other_rule(a, b) && a.province != b.province),
        );
        for class in ["frontier f1", "frontier f2"] {
            self.stroke(out, class, self.between(move |a, b| on_land(a, b) && other_rule(a, b)));
        }
        self.stroke(out, "shore", self.between(|a, b| a.is_land() != b.is_land()));
        self.rivers(out);
        let straits = || self.board.sides.iter().filter(|s| s.strait).filter_map(|s| self.lattice.edge_of(s.side));
        self.stroke(out, "strait t1", straits());
        self.stroke(out, "strait t2", straits());
        let closed = || self.board.sides.iter().filter(|s| s.closed && !s.strait);
        for class in ["closed", "bars"] {
            self.stroke(out, class, closed().filter_map(|s| self.lattice.edge_of(s.side)));
        }
        self.roads(out);
    }

    fn rivers(&self, out: &mut String) {
        for (class, major) in [("river minor", false), ("river major", true)] {
            let of = self.board.sides.iter().filter(|s| !s.river.is_empty() && s.major == major);
            self.stroke(out, class, of.filter_map(|s| self.lattice.edge_of(s.side)));
        }
    }

    /// Roads go through the middle of their hexes: through the city, or in a bend where there is none.
    fn roads(&self, out: &mut String) {
        let mut next: BTreeMap<HexId, BTreeSet<HexId>> = BTreeMap::new();
        for road in &self.board.roads {
            for (a, b) in road.hexes.iter().zip(road.hexes.iter().skip(1)) {
                next.entry(*a).or_default().insert(*b);
                next.entry(*b).or_default().insert(*a);
            }
        }
        let mut data = String::new();
        let mut pen = Pen::on(&mut data);
        for (hex, to) in &next {
            let here = self.heart(*hex);
            let halfway = |to: HexId| {
                let there = self.heart(to);
                (f32::midpoint(here.0, there.0), f32::midpoint(here.1, there.1))
            };
            let bare = self.hexes.get(hex).is_some_and(|h| h.city.is_none());
            match to.iter().copied().collect::<Vec<_>>().as_slice() {
                [one, other] if bare => {
                    pen.go(halfway(*one));
                    pen.bend(here, halfway(*other));
                }
                ways => {
                    for way in ways {
                        pen.go(here);
                        pen.line(halfway(*way));
                    }
                }
            }
        }
        if !data.is_empty() {
            let _ = write!(out, "<path class=\"road\" d=\"{data}\"/><path class=\"road gravel\" d=\"{data}\"/>");
        }
    }

    /// The course of a named river as one line for each of its parts.
    pub fn courses(&self) -> BTreeMap<&str, Vec<Vec<Point>>> {
        let mut rivers: BTreeMap<&str, Vec<Edge>> = BTreeMap::new();
        for side in self.board.sides.iter().filter(|s| !s.river.is_empty()) {
            if let Some(edge) = self.lattice.edge_of(side.side) {
                rivers.entry(&side.river).or_default().push(edge);
            }
        }
        let drawn = |edges: Vec<Edge>| walks(edges.into_iter()).iter().map(|walk| self.lattice.points(walk)).collect();
        rivers.into_iter().map(|(name, edges)| (name, drawn(edges))).collect()
    }

    /// Ways to and between the boxes.
    pub fn links(&self, out: &mut String) {
        for link in &self.board.links {
            let [from, bow, to] = self.bowed(link);
            let mut data = String::new();
            let mut pen = Pen::on(&mut data);
            pen.go(from);
            pen.bend(bow, to);
            let class = if link.sea { "link searoute" } else { "link" };
            let _ = write!(out, "<path class=\"{class}\" d=\"{data}\"/>");
        }
    }

    /// A link's ends and the handle between them: bowed a little, so that ways from one box do not lie upon each other.
    fn bowed(&self, link: &LinkPicture) -> [Point; 3] {
        let [from, to] = link.ends.map(|hex| self.centre(hex));
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        [from, (f32::midpoint(from.0, to.0) - dy * 0.08, f32::midpoint(from.1, to.1) + dx * 0.08), to]
    }

    /// The room that links take, in small pieces.
    pub fn link_rects(&self) -> Vec<Rect> {
        let of = |link: &LinkPicture| {
            let [a, by, b] = self.bowed(link);
            (0..=60u8).map(move |at| {
                let t = f32::from(at) / 60.0;
                let mix = |a: f32, by: f32, b: f32| a * (1.0 - t) * (1.0 - t) + 2.0 * by * t * (1.0 - t) + b * t * t;
                Rect::around(mix(a.0, by.0, b.0), mix(a.1, by.1, b.1), 4.0, 4.0)
            })
        };
        self.board.links.iter().flat_map(of).collect()
    }

    /// The two ends of a side, if its hexes are neighbours on the map.
    pub fn ends(&self, side: HexSide) -> Option<(Point, Point)> {
        Some(self.lattice.true_ends(self.lattice.edge_of(side)?))
    }
}
