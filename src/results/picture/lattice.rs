//! Where the corners and sides of the hexes are drawn. Coasts, rivers and frontiers run along hexsides, but as a pen would
//! draw them: smooth through the corners and never quite straight. Everything that shares a side shares its line.

use super::R;
use super::pen::{Pen, Point};
use crate::engine::board_picture::{BoardPicture, HexPicture};
use crate::engine::{Grid, HexId, HexSide};
use std::collections::{BTreeMap, BTreeSet};

/// A corner of the lattice in whole steps, so that the corners of neighbours are equal.
pub type Corner = (i32, i32);
/// A side by its corners, the lower first.
pub type Edge = (Corner, Corner);

/// What runs along a side; the first in this order gives the line its shape.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Role {
    Coast,
    River(usize),
    Border,
}

/// The corners and sides of a board.
pub struct Lattice {
    grid: Grid,
    shift: Point,
    rims: BTreeMap<HexId, [Corner; 6]>,
    beside: BTreeMap<Edge, [Option<HexId>; 2]>,
    moved: BTreeMap<Corner, Point>,
    lines: BTreeMap<Edge, Vec<Point>>,
}

pub fn edge(a: Corner, b: Corner) -> Edge {
    if a <= b { (a, b) } else { (b, a) }
}

fn corner(grid: Grid, (x, y): Point) -> Corner {
    let half_root = 3f32.sqrt() / 2.0;
    let (wide, tall) = match grid {
        Grid::PointyOddRows => (half_root, 0.5),
        Grid::FlatEvenColumns => (0.5, half_root),
    };
    #[allow(clippy::cast_possible_truncation)] // a board is some hundred steps wide
    ((x / wide).round() as i32, (y / tall).round() as i32)
}

impl Lattice {
    pub fn of(board: &BoardPicture, shift: Point) -> Self {
        let grid = board.grid;
        let on_map = || board.hexes.iter().filter(|h| !h.is_box());
        let rims: BTreeMap<HexId, [Corner; 6]> =
            on_map().map(|h| (h.hex, grid.corners(h.hex).map(|c| corner(grid, c)))).collect();
        let mut beside: BTreeMap<Edge, [Option<HexId>; 2]> = BTreeMap::new();
        for (hex, rim) in &rims {
            for (a, b) in around(rim) {
                let places = beside.entry(edge(a, b)).or_default();
                let place = if places[0].is_none() { &mut places[0] } else { &mut places[1] };
                *place = Some(*hex);
            }
        }
        let mut lattice = Lattice { grid, shift, rims, beside, moved: BTreeMap::new(), lines: BTreeMap::new() };
        let roles = lattice.roles(board);
        lattice.draw(&roles);
        lattice
    }

    /// A point in the units of the grid, as it stands on the sheet.
    pub fn place(&self, (x, y): Point) -> Point {
        (x * R + self.shift.0, y * R + self.shift.1)
    }

    pub fn centre(&self, hex: HexId) -> Point {
        self.place(self.grid.centre(hex))
    }

    /// The corner's place before any smoothing.
    fn true_place(&self, (x, y): Corner) -> Point {
        let half_root = 3f32.sqrt() / 2.0;
        let (wide, tall) = match self.grid {
            Grid::PointyOddRows => (half_root, 0.5),
            Grid::FlatEvenColumns => (0.5, half_root),
        };
        #[allow(clippy::cast_precision_loss)]
        self.place((x as f32 * wide, y as f32 * tall))
    }

    fn drawn_place(&self, corner: Corner) -> Point {
        self.moved.get(&corner).copied().unwrap_or_else(|| self.true_place(corner))
    }

    /// The side between two hexes of the map.
    pub fn edge_of(&self, side: HexSide) -> Option<Edge> {
        let [a, b] = side.hexes();
        let (one, other) = (self.rims.get(&a)?, self.rims.get(&b)?);
        around(one).map(|(a, b)| edge(a, b)).find(|found| around(other).any(|(a, b)| edge(a, b) == *found))
    }

    /// Both ends of a side, as the lattice has them.
    pub fn true_ends(&self, (a, b): Edge) -> (Point, Point) {
        (self.true_place(a), self.true_place(b))
    }

    /// All sides with the hexes on both hands.
    pub fn sides(&self) -> impl Iterator<Item = (Edge, HexId, Option<HexId>)> {
        self.beside.iter().filter_map(|(edge, [one, other])| Some((*edge, (*one)?, *other)))
    }

    fn roles(&self, board: &BoardPicture) -> BTreeMap<Edge, Role> {
        let hexes = board.by_hex();
        let mut roles = BTreeMap::new();
        for (edge, one, other) in self.sides() {
            let (Some(one), Some(other)) = (hexes.get(&one), other.and_then(|hex| hexes.get(&hex))) else { continue };
            if one.is_land() != other.is_land() {
                roles.insert(edge, Role::Coast);
            } else if one.is_land() && !same_rule(one, other) {
                roles.insert(edge, Role::Border);
            }
        }
        let mut names: Vec<&str> = Vec::new();
        for side in &board.sides {
            let Some(edge) = self.edge_of(side.side) else { continue };
            let role = if side.strait {
                Role::Coast
            } else if side.river.is_empty() {
                continue;
            } else {
                let known = names.iter().position(|name| *name == side.river);
                Role::River(known.unwrap_or_else(|| {
                    names.push(&side.river);
                    names.len() - 1
                }))
            };
            let kept = roles.entry(edge).or_insert(role);
            *kept = (*kept).min(role);
        }
        roles
    }

    fn draw(&mut self, roles: &BTreeMap<Edge, Role>) {
        let mut meeting: BTreeMap<Corner, Vec<(Corner, Role)>> = BTreeMap::new();
        for ((a, b), role) in roles {
            meeting.entry(*a).or_default().push((*b, *role));
            meeting.entry(*b).or_default().push((*a, *role));
        }
        let mut leave: BTreeMap<(Corner, Corner), Point> = BTreeMap::new();
        for (corner, there) in &meeting {
            let Some((before, after)) = goes_through(there) else { continue };
            let (p, q, here) = (self.true_place(before), self.true_place(after), self.true_place(*corner));
            let along = unit((q.0 - p.0, q.1 - p.1));
            leave.insert((*corner, after), along);
            leave.insert((*corner, before), (-along.0, -along.1));
            let pull = 0.3;
            let middle = (f32::midpoint(p.0, q.0), f32::midpoint(p.1, q.1));
            let shake = if there.iter().any(|(_, role)| *role == Role::Coast) { 2.4 } else { 1.2 };
            let place = (
                here.0 + (middle.0 - here.0) * pull + noise(*corner, 1) * shake,
                here.1 + (middle.1 - here.1) * pull + noise(*corner, 2) * shake,
            );
            self.moved.insert(*corner, place);
        }
        for ((a, b), role) in roles {
            let (from, to) = (self.drawn_place(*a), self.drawn_place(*b));
            let reach = (to.0 - from.0).hypot(to.1 - from.1) * 0.36;
            let straight = unit((to.0 - from.0, to.1 - from.1));
            let start = leave.get(&(*a, *b)).copied().unwrap_or(straight);
            let end = leave.get(&(*b, *a)).copied().unwrap_or((-straight.0, -straight.1));
            let handles = [
                from,
                (from.0 + start.0 * reach, from.1 + start.1 * reach),
                (to.0 + end.0 * reach, to.1 + end.1 * reach),
                to,
            ];
            let (steps, sway) = match role {
                Role::Coast => (8, 3.4),
                Role::River(_) => (8, 1.8),
                Role::Border => (4, 1.0),
            };
            self.lines.insert((*a, *b), shaken(handles, steps, sway, (*a, *b)));
        }
    }

    /// The line of a side from `a` to `b`, both ends included.
    pub fn line(&self, a: Corner, b: Corner) -> Vec<Point> {
        match self.lines.get(&edge(a, b)) {
            Some(line) if a <= b => line.clone(),
            Some(line) => line.iter().rev().copied().collect(),
            None => vec![self.drawn_place(a), self.drawn_place(b)],
        }
    }

    /// Draws a walk from corner to corner.
    pub fn trace(&self, pen: &mut Pen, walk: &[Corner]) {
        let Some(first) = walk.first() else { return };
        pen.go(self.drawn_place(*first));
        for (a, b) in walk.iter().zip(walk.iter().skip(1)) {
            for point in self.line(*a, *b).iter().skip(1) {
                pen.line(*point);
            }
        }
        if walk.len() > 2 && walk.first() == walk.last() {
            pen.close();
        }
    }

    /// The whole walk as points.
    pub fn points(&self, walk: &[Corner]) -> Vec<Point> {
        let mut points: Vec<Point> = walk.first().map(|c| self.drawn_place(*c)).into_iter().collect();
        for (a, b) in walk.iter().zip(walk.iter().skip(1)) {
            points.extend(self.line(*a, *b).into_iter().skip(1));
        }
        points
    }

    /// The outline of a set of hexes as a path's data.
    pub fn outline(&self, hexes: &BTreeSet<HexId>) -> String {
        let mut out = String::new();
        let mut pen = Pen::on(&mut out);
        let mut onward: BTreeMap<Corner, Vec<Corner>> = BTreeMap::new();
        for hex in hexes {
            let Some(rim) = self.rims.get(hex) else { continue };
            for (a, b) in around(rim) {
                let others = self.beside.get(&edge(a, b)).into_iter().flatten().flatten();
                if !others.clone().any(|other| other != hex && hexes.contains(other)) {
                    onward.entry(a).or_default().push(b);
                }
            }
        }
        while let Some((start, first)) = onward.iter_mut().find_map(|(from, to)| Some((*from, to.pop()?))) {
            let mut walk = vec![start, first];
            let mut here = first;
            while here != start {
                let Some(next) = onward.get_mut(&here).and_then(Vec::pop) else { break };
                walk.push(next);
                here = next;
            }
            onward.retain(|_, to| !to.is_empty());
            self.trace(&mut pen, &walk);
        }
        out
    }

    /// The sides on which a set of hexes has other hexes of the map beside it.
    pub fn border(&self, hexes: &BTreeSet<HexId>) -> Vec<Edge> {
        let rims = hexes.iter().filter_map(|hex| self.rims.get(hex)).flat_map(around).map(|(a, b)| edge(a, b));
        let inside = |hex: &Option<HexId>| hex.is_some_and(|hex| hexes.contains(&hex));
        let runs = |side: &Edge| match self.beside.get(side) {
            Some([one, Some(other)]) => inside(one) != hexes.contains(other),
            _ => false,
        };
        rims.filter(runs).collect()
    }

    /// The hex itself, unsmoothed, for the grid and for pointers.
    pub fn hexagon(&self, pen: &mut Pen, hex: HexId) {
        let corners = self.grid.corners(hex).map(|c| self.place(c));
        pen.shape(&corners);
    }

    /// All sides, each once, as straight lines.
    pub fn grid(&self) -> String {
        let mut out = String::new();
        let mut pen = Pen::on(&mut out);
        for walk in walks(self.beside.keys().copied()) {
            for (at, corner) in walk.iter().enumerate() {
                let place = self.true_place(*corner);
                if at == 0 { pen.go(place) } else { pen.line(place) }
            }
        }
        out
    }
}

/// Whether no frontier runs between two hexes of land.
fn same_rule(one: &HexPicture, other: &HexPicture) -> bool {
    one.fill == other.fill && one.province == other.province
}

/// The sides of a rim in turning order.
fn around(rim: &[Corner; 6]) -> impl Iterator<Item = (Corner, Corner)> + use<'_> {
    rim.iter().copied().zip(rim.iter().copied().cycle().skip(1))
}

/// The two neighbours between which a line goes on through this corner, if one does.
fn goes_through(there: &[(Corner, Role)]) -> Option<(Corner, Corner)> {
    let strongest = there.iter().map(|(_, role)| *role).min()?;
    let of = |wanted: Role| -> Option<(Corner, Corner)> {
        let mut fitting = there.iter().filter(|(_, role)| *role == wanted);
        match (fitting.next(), fitting.next(), fitting.next()) {
            (Some((a, _)), Some((b, _)), None) => Some((*a, *b)),
            _ => None,
        }
    };
    let rivers = || there.iter().find_map(|(_, role)| of(*role).filter(|_| matches!(role, Role::River(_))));
    match strongest {
        Role::Coast => of(Role::Coast),
        Role::River(_) => rivers(),
        Role::Border => of(Role::Border),
    }
}

/// Strings sides together into walks from corner to corner: from junction to junction, then what is left as rings.
pub fn walks(edges: impl Iterator<Item = Edge>) -> Vec<Vec<Corner>> {
    let mut open: BTreeMap<Corner, BTreeSet<Corner>> = BTreeMap::new();
    for (a, b) in edges {
        open.entry(a).or_default().insert(b);
        open.entry(b).or_default().insert(a);
    }
    let degree: BTreeMap<Corner, usize> = open.iter().map(|(corner, next)| (*corner, next.len())).collect();
    let ends = |corner: &Corner| degree.get(corner).is_some_and(|n| *n != 2);
    let mut found = Vec::new();
    let starts: Vec<Corner> = degree.keys().copied().filter(ends).chain(degree.keys().copied()).collect();
    for start in starts {
        while let Some(first) = take(&mut open, start) {
            let mut walk = vec![start, first];
            let mut here = first;
            while !ends(&here) && here != start {
                let Some(next) = take(&mut open, here) else { break };
                walk.push(next);
                here = next;
            }
            found.push(walk);
        }
    }
    found
}

fn take(open: &mut BTreeMap<Corner, BTreeSet<Corner>>, from: Corner) -> Option<Corner> {
    let to = open.get_mut(&from)?.pop_first()?;
    if let Some(back) = open.get_mut(&to) {
        back.remove(&from);
    }
    Some(to)
}

fn unit((x, y): Point) -> Point {
    let long = x.hypot(y).max(0.001);
    (x / long, y / long)
}

/// A number from -1 to 1 that is always the same for the same corner: a map drawn twice is the same map.
fn noise((x, y): Corner, salt: u32) -> f32 {
    let mut mixed = x.cast_unsigned().wrapping_mul(0x9E37_79B1) ^ y.cast_unsigned().wrapping_mul(0x85EB_CA77);
    mixed ^= salt.wrapping_mul(0xC2B2_AE3D);
    mixed ^= mixed >> 15;
    mixed = mixed.wrapping_mul(0x2C1B_3C6D);
    mixed ^= mixed >> 12;
    mixed = mixed.wrapping_mul(0x297A_2D39);
    mixed ^= mixed >> 15;
    let [low, high, ..] = mixed.to_le_bytes();
    f32::from(u16::from_le_bytes([low, high])) / 32767.5 - 1.0
}

/// A curve with a slight tremble, the ends kept.
fn shaken([p, q, r, s]: [Point; 4], steps: u8, sway: f32, (a, b): Edge) -> Vec<Point> {
    let seed = (a.0 * 3 + b.0 * 7, a.1 * 5 + b.1 * 11);
    let across = unit((p.1 - s.1, s.0 - p.0));
    let point = |step: u8| {
        let t = f32::from(step) / f32::from(steps);
        let u = 1.0 - t;
        let mix =
            |a: f32, b: f32, c: f32, d: f32| u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d;
        // Coarse waves and fine ones, none at the ends.
        let fade = (4.0 * t * u).sqrt();
        let fine = noise(seed, 10 + u32::from(step)) * 0.6;
        let coarse = noise(seed, 50 + u32::from(step) / 2);
        let off = (coarse + fine) * sway * 0.62 * fade;
        (mix(p.0, q.0, r.0, s.0) + across.0 * off, mix(p.1, q.1, r.1, s.1) + across.1 * off)
    };
    (0..=steps).map(point).collect()
}
