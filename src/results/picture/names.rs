//! Names on the board. None may touch another, a counter or a sign: each is tried in several places and sizes, the important
//! ones first, and what finds no room is left to the words behind its hex.

use super::board::Sheet;
use super::crowd::{Crowd, Rect};
use super::lettering::{self, ABOVE, BELOW, Face};
use super::pen::{Pen, Point};
use super::signs::{self, CITY_DROP};
use super::{R, escape};
use crate::engine::HexId;
use crate::engine::board_picture::{CityPicture, HexPicture};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What a label names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    City,
    River,
    Province,
    Water,
}

/// A name that found its place.
pub struct Label {
    pub names: Names,
    pub rects: Vec<Rect>,
    /// What it stands on, for a name set along a line; goes into the picture's definitions.
    pub defs: String,
    pub markup: String,
}

/// A line of words around `x` with its foot at `y`.
fn line_rect(x: f32, y: f32, wide: f32, size: f32, anchor: Anchor) -> Rect {
    let left = match anchor {
        Anchor::Middle => x - wide / 2.0,
        Anchor::Start => x,
        Anchor::End => x - wide,
    };
    Rect { left: left - 0.8, top: y - ABOVE * size, right: left + wide + 0.8, bottom: y + BELOW * size }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Anchor {
    Start,
    Middle,
    End,
}

impl Sheet<'_> {
    /// All names that find room, and the crowd with them in it.
    pub fn names(&self, crowd: &mut Crowd) -> Vec<Label> {
        let mut labels = Vec::new();
        self.city_names(crowd, &mut labels);
        crowd.take(&self.arrow_rects());
        crowd.take(&self.link_rects());
        self.water_names(crowd, &mut labels);
        self.river_names(crowd, &mut labels);
        self.province_names(crowd, &mut labels);
        labels
    }

    fn city_names(&self, crowd: &mut Crowd, labels: &mut Vec<Label>) {
        let with_city = |h: &&HexPicture| h.city.as_ref().map(|city| (h.hex, city.clone()));
        let mut cities: Vec<(HexId, CityPicture)> =
            self.hexes.values().filter(|h| !h.is_box()).filter_map(with_city).collect();
        cities.sort_by_key(|(hex, city)| (std::cmp::Reverse(weight(city)), *hex));
        for (hex, city) in cities {
            let found = Tries::of(self, hex, &city).find(|rects| crowd.has_room(rects));
            if let Some(label) = found {
                crowd.take(&label.rects);
                labels.push(label);
            }
        }
    }

    fn province_names(&self, crowd: &mut Crowd, labels: &mut Vec<Label>) {
        let mut provinces: BTreeMap<&str, Vec<HexId>> = BTreeMap::new();
        for hex in self.hexes.values().filter(|h| h.is_land() && !h.province.is_empty()) {
            provinces.entry(&hex.province).or_default().push(hex.hex);
        }
        let mut by_size: Vec<(&str, Vec<HexId>)> = provinces.into_iter().collect();
        by_size.sort_by_key(|(name, hexes)| (std::cmp::Reverse(hexes.len()), *name));
        for (name, hexes) in by_size {
            let largest = 9.5 + (hexes.len() as f32).sqrt() * 1.1;
            let sizes = [largest.min(17.0), (largest * 0.8).min(13.0), 9.0, 7.6];
            let style = Spread { class: "realm", face: Face::Bold, spacing: 0.22, names: Names::Province };
            self.spread(crowd, labels, &name.to_uppercase(), &hexes, &sizes, &style);
        }
    }

    /// Seas and lakes: hexes that are called alike, but for "off Reval" behind it, are one water.
    fn water_names(&self, crowd: &mut Crowd, labels: &mut Vec<Label>) {
        let mut waters: BTreeMap<&str, Vec<HexId>> = BTreeMap::new();
        for hex in self.hexes.values().filter(|h| matches!(h.ground.as_str(), "sea" | "lake")) {
            let name = hex.name.split(" off ").next().unwrap_or_default();
            let name = name.strip_prefix("the ").unwrap_or(name).trim();
            // "The sea off Dagö" is no name of a sea.
            if !matches!(name, "" | "sea" | "lake") {
                waters.entry(name).or_default().push(hex.hex);
            }
        }
        let mut by_size: Vec<(&str, Vec<HexId>)> = waters.into_iter().collect();
        by_size.sort_by_key(|(name, hexes)| (std::cmp::Reverse(hexes.len()), *name));
        for (name, hexes) in by_size {
            let largest = 10.0 + (hexes.len() as f32).sqrt() * 2.2;
            let sizes = [largest.min(26.0), (largest * 0.7).min(16.0), 9.5, 8.0];
            let style = Spread { class: "water", face: Face::Italic, spacing: 0.1, names: Names::Water };
            self.spread(crowd, labels, &super::super::words::upper_first(name), &hexes, &sizes, &style);
        }
    }

    /// Sets a name somewhere in the middle of some hexes, in one line or two.
    fn spread(
        &self,
        crowd: &mut Crowd,
        labels: &mut Vec<Label>,
        words: &str,
        hexes: &[HexId],
        sizes: &[f32],
        style: &Spread,
    ) {
        let places: Vec<Point> = hexes.iter().map(|hex| self.centre(*hex)).collect();
        let count = places.len().max(1) as f32;
        let sum = places.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        let middle = (sum.0 / count, sum.1 / count);
        let own: BTreeSet<HexId> = hexes.iter().copied().collect();
        let between = hexes.iter().flat_map(|hex| {
            let next = self.board.grid.neighbours(*hex).into_iter().filter(|n| *n > *hex && own.contains(n));
            let here = self.centre(*hex);
            next.map(move |n| (here, n)).collect::<Vec<_>>()
        });
        let between = between.map(|(here, n)| {
            let there = self.centre(n);
            (f32::midpoint(here.0, there.0), f32::midpoint(here.1, there.1))
        });
        let drops = [4.0, 24.0, -14.0, 33.0];
        let mut spots: Vec<Point> =
            places.iter().copied().chain(between).flat_map(|(x, y)| drops.map(|drop| (x, y + drop))).collect();
        let far = |p: &Point| (p.0 - middle.0).hypot((p.1 - middle.1) * 1.4);
        spots.sort_by(|a, b| far(a).total_cmp(&far(b)));
        let (west, east) = places.iter().fold((f32::MAX, f32::MIN), |(w, e), p| (w.min(p.0), e.max(p.0)));
        for (try_no, size) in sizes.iter().chain(sizes.last()).enumerate() {
            for lines in [vec![words.to_owned()], halves(words)] {
                let longest = lines.iter().map(|l| lettering::width(l, style.face, *size, size * style.spacing));
                // Only at the very last may a name run over its border.
                let stays = longest.fold(0.0, f32::max) < east - west + 1.5 * R;
                if lines.is_empty() || !(stays || try_no == sizes.len()) {
                    continue;
                }
                for spot in &spots {
                    let label = style.set(&lines, *spot, *size);
                    if crowd.has_room(&label.rects) {
                        crowd.take(&label.rects);
                        labels.push(label);
                        return;
                    }
                }
            }
        }
    }

    /// Names along rivers, again and again on long ones.
    fn river_names(&self, crowd: &mut Crowd, labels: &mut Vec<Label>) {
        const EVERY: f32 = 620.0;
        let major: BTreeSet<&str> = self.board.sides.iter().filter(|s| s.major).map(|s| s.river.as_str()).collect();
        for (name, courses) in self.courses().into_iter().filter(|(name, _)| *name != UNNAMED) {
            for course in courses {
                let course = even(&course);
                let long = course.len() as f32 * STEP;
                let times = (long / EVERY).round().max(1.0);
                let sizes: &[f32] = if major.contains(name) { &[10.5, 9.0, 7.8] } else { &[9.4, 8.2, 7.4] };
                let mut n = 0.5;
                while n < times {
                    let ideal = long * n / times;
                    let reach = long / times / 2.0;
                    if let Some(label) = along(crowd, name, &course, (ideal, reach), sizes, labels.len()) {
                        crowd.take(&label.rects);
                        labels.push(label);
                    }
                    n += 1.0;
                }
            }
        }
    }
}

/// What a board calls a river without a name.
const UNNAMED: &str = "river";

/// Distance of the points of an evened course.
const STEP: f32 = 4.0;

/// The course in even steps and without its smallest bends, for letters to stand on.
fn even(course: &[Point]) -> Vec<Point> {
    let mut points = Vec::new();
    let mut left = 0.0;
    for (a, b) in course.iter().zip(course.iter().skip(1)) {
        let long = (b.0 - a.0).hypot(b.1 - a.1);
        let mut at = left;
        while at < long {
            let t = at / long;
            points.push((a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t));
            at += STEP;
        }
        left = at - long;
    }
    const WIDE: usize = 4;
    let mean = |i: usize| {
        let wide = WIDE.min(i).min(points.len().saturating_sub(1).saturating_sub(i));
        let near = points.iter().skip(i - wide).take(2 * wide + 1);
        let sum = near.fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
        let count = (2 * wide + 1) as f32;
        (sum.0 / count, sum.1 / count)
    };
    (0..points.len()).map(mean).collect()
}

/// Tries to set a name along a course near `ideal`.
fn along(
    crowd: &Crowd,
    name: &str,
    course: &[Point],
    (ideal, reach): (f32, f32),
    sizes: &[f32],
    number: usize,
) -> Option<Label> {
    for size in sizes {
        let spacing = size * 0.09;
        let wide = lettering::width(name, Face::Italic, *size, spacing);
        let mut offs: Vec<f32> = Vec::new();
        let mut off = 0.0;
        while off <= reach {
            offs.extend([off, -off]);
            off += 12.0;
        }
        for off in offs {
            for above in [true, false] {
                let start = ideal + off - wide / 2.0;
                if let Some(label) = on_line(crowd, name, course, (start, wide), (*size, spacing), above, number) {
                    return Some(label);
                }
            }
        }
    }
    None
}

fn on_line(
    crowd: &Crowd,
    name: &str,
    course: &[Point],
    (start, wide): (f32, f32),
    (size, spacing): (f32, f32),
    above: bool,
    number: usize,
) -> Option<Label> {
    let index = |at: f32| -> Option<usize> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        (at >= 0.0).then_some((at / STEP).round() as usize)
    };
    let (first, last) = (index(start - 2.0)?, index(start + wide + 4.0)?);
    let mut stretch: Vec<Point> = course.get(first..=last)?.to_vec();
    let (head, tail) = (stretch.first()?, stretch.last()?);
    if head.0 > tail.0 {
        stretch.reverse();
    }
    // Beside the water, not in it.
    let lift = if above { -3.6 - size * 0.08 } else { 3.2 + size * 0.62 };
    let turned = |i: usize| {
        let (a, b) = (stretch.get(i.saturating_sub(2)), stretch.get((i + 2).min(stretch.len() - 1)));
        let ((ax, ay), (bx, by)) = (*a.unwrap_or(&(0.0, 0.0)), *b.unwrap_or(&(1.0, 0.0)));
        let long = (bx - ax).hypot(by - ay).max(0.01);
        ((bx - ax) / long, (by - ay) / long)
    };
    let lifted: Vec<Point> = stretch
        .iter()
        .enumerate()
        .map(|(i, (x, y))| {
            let (dx, dy) = turned(i);
            (x - dy * lift, y + dx * lift)
        })
        .collect();
    // Sharp bends throw the letters about.
    let straight = |i: usize| {
        let ((ax, ay), (bx, by)) = (turned(i), turned((i + 3).min(stretch.len() - 1)));
        ax * bx + ay * by > 0.9
    };
    if !(0..stretch.len()).all(straight) {
        return None;
    }
    let mut rects = Vec::new();
    let mut at = 2.0;
    for letter in name.chars() {
        let advance = lettering::advance(letter, Face::Italic) * size + spacing;
        let (x, y) = *lifted.get(index(at + advance / 2.0)?)?;
        let (dx, dy) = turned(index(at + advance / 2.0)?);
        let (mx, my) = (x + dy * size * 0.26, y - dx * size * 0.26);
        let tall = size * 0.42;
        let (half_wide, half_tall) =
            (advance / 2.0 * dx.abs() + tall * dy.abs() + 0.4, advance / 2.0 * dy.abs() + tall * dx.abs() + 0.4);
        rects.push(Rect::around(mx, my, half_wide, half_tall));
        at += advance;
    }
    if !crowd.has_room(&rects) {
        return None;
    }
    let mut data = String::new();
    let mut pen = Pen::on(&mut data);
    pen.through(&lifted);
    // A reader's other font may run on a little: it must not lose its last letters.
    if let [.., (ax, ay), (bx, by)] = lifted.as_slice() {
        let on = wide * 0.3 / STEP;
        pen.line((bx + (bx - ax) * on, by + (by - ay) * on));
    }
    let defs = format!("<path id=\"ub-t{number}\" d=\"{data}\"/>");
    let markup = format!(
        "<text class=\"stream halo\" font-size=\"{size}\" letter-spacing=\"{spacing:.2}\">\
         <textPath href=\"#ub-t{number}\" startOffset=\"2\">{}</textPath></text>",
        escape(name)
    );
    Some(Label { names: Names::River, rects, defs, markup })
}

/// A name set large over a stretch of land or water.
struct Spread {
    class: &'static str,
    face: Face,
    spacing: f32,
    names: Names,
}

impl Spread {
    fn set(&self, lines: &[String], (x, y): Point, size: f32) -> Label {
        let spacing = size * self.spacing;
        let top = y - (lines.len() as f32 - 1.0) * size * 0.55;
        let mut label = Label { names: self.names, rects: Vec::new(), defs: String::new(), markup: String::new() };
        for (row, words) in lines.iter().enumerate() {
            let foot = top + row as f32 * size * 1.1;
            let wide = lettering::width(words, self.face, size, spacing);
            label.rects.push(line_rect(x, foot, wide, size, Anchor::Middle));
            let _ = write!(
                label.markup,
                "<text class=\"{} halo\" font-size=\"{size:.1}\" textLength=\"{:.1}\" x=\"{:.1}\" y=\"{foot:.1}\">{}</text>",
                self.class,
                wide - spacing,
                x,
                escape(words)
            );
        }
        label
    }
}

/// A name of several words in two lines of about the same length.
fn halves(words: &str) -> Vec<String> {
    let breaks = words.char_indices().filter(|(_, c)| matches!(c, ' ' | '-'));
    let best = breaks.min_by_key(|(at, _)| (2 * at).abs_diff(words.len()));
    let Some((at, c)) = best else { return Vec::new() };
    let cut = at + if c == '-' { 1 } else { 0 };
    match (words.get(..cut), words.get(cut..)) {
        (Some(head), Some(rest)) => vec![head.to_owned(), rest.trim_start().to_owned()],
        _ => Vec::new(),
    }
}

fn weight(city: &CityPicture) -> (u8, u8, u8) {
    let capital = match city.capital.as_str() {
        "seat" => 2,
        "province" => 1,
        _ => 0,
    };
    let fort = match city.fort.as_str() {
        "hexagon" => 2,
        "square" => 1,
        _ => 0,
    };
    (capital, city.value, fort)
}

/// The places and sizes in which a city's name is tried.
struct Tries<'a> {
    sheet: &'a Sheet<'a>,
    hex: HexId,
    city: &'a CityPicture,
    size: f32,
}

impl<'a> Tries<'a> {
    fn of(sheet: &'a Sheet<'a>, hex: HexId, city: &'a CityPicture) -> Self {
        let size = match weight(city) {
            (2, ..) => 13.6,
            (_, 3.., _) => 12.4,
            (_, 2, _) => 11.4,
            _ => 10.4,
        };
        Tries { sheet, hex, city, size }
    }

    fn find(&self, has_room: impl Fn(&[Rect]) -> bool) -> Option<Label> {
        let name = self.city.name.as_str();
        let short = abbreviated(name);
        let two = halves(name);
        for (scale, lines) in [
            (1.0, vec![name.to_owned()]),
            (0.88, vec![name.to_owned()]),
            (0.92, two.clone()),
            (0.76, vec![name.to_owned()]),
            (0.76, two),
            (0.8, vec![short.clone()]),
            (0.66, vec![short]),
        ] {
            if lines.is_empty() {
                continue;
            }
            let size = (self.size * scale).max(7.4);
            let label = self.places(lines.len(), size).into_iter().map(|place| self.set(&lines, place, size));
            if let Some(label) = label.into_iter().find(|label| has_room(&label.rects)) {
                return Some(label);
            }
        }
        None
    }

    /// Over the sign, under it, beside it.
    fn places(&self, lines: usize, size: f32) -> Vec<(f32, f32, Anchor)> {
        let (x, y) = self.sheet.heart(self.hex);
        let r = signs::reach(self.city);
        let deep = (lines as f32 - 1.0) * size;
        let (over, under) = (y - r - 3.0 - deep, y + r + 2.0 + ABOVE * size);
        let beside = y + size * 0.3 - deep / 2.0;
        let right = x + r + 3.0 + if self.city.port { 14.0 } else { 0.0 };
        let mut places = Vec::new();
        for shift in [0.0, 9.0, -9.0, 18.0, -18.0] {
            places.push((x + shift, over, Anchor::Middle));
        }
        places.push((right, beside, Anchor::Start));
        for shift in [0.0, 9.0, -9.0, 18.0, -18.0] {
            places.push((x + shift, under, Anchor::Middle));
        }
        places.push((x - r - 3.0, beside, Anchor::End));
        for shift in [27.0, -27.0] {
            places.push((x + shift, over, Anchor::Middle));
            places.push((x + shift, under, Anchor::Middle));
        }
        // Over the hex's number, as the last resort.
        places.push((x, over - 9.0, Anchor::Middle));
        places
    }

    fn set(&self, lines: &[String], (x, y, anchor): (f32, f32, Anchor), size: f32) -> Label {
        let capital = self.city.capital == "seat";
        let class = if capital { "name seat halo" } else { "name halo" };
        let spacing = if capital { 0.6 } else { 0.0 };
        let mut label = Label { names: Names::City, rects: Vec::new(), defs: String::new(), markup: String::new() };
        for (row, words) in lines.iter().enumerate() {
            let foot = y + row as f32 * size;
            let wide = lettering::width(words, Face::Bold, size, spacing);
            label.rects.push(line_rect(x, foot, wide, size, anchor));
            let start = match anchor {
                Anchor::Start => x,
                Anchor::Middle => x - wide / 2.0,
                Anchor::End => x - wide,
            };
            // The length is said, so that a reader's other font keeps to the room that was found.
            let _ = write!(
                label.markup,
                "<text class=\"{class}\" font-size=\"{size:.1}\" x=\"{start:.1}\" y=\"{foot:.1}\" textLength=\"{wide:.1}\" \
                 lengthAdjust=\"spacingAndGlyphs\">{}</text>",
                escape(words)
            );
        }
        label
    }
}

/// The first letters, for a name that fits nowhere in full.
fn abbreviated(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= 7 {
        return name.to_owned();
    }
    letters.iter().take(5).collect::<String>() + "."
}

/// Where a city's sign stands in its hex: a little below the middle, higher where counters need the room.
impl Sheet<'_> {
    pub fn heart(&self, hex: HexId) -> Point {
        let (x, y) = self.centre(hex);
        let found = self.hexes.get(&hex);
        let crowded = found.is_some_and(|h| !h.counters.is_empty());
        let boxed = found.is_some_and(|h| h.is_box());
        let drop = match (boxed, crowded) {
            (true, true) => -2.0,
            (true, false) => CITY_DROP + 3.0,
            (false, true) => CITY_DROP - 13.0,
            (false, false) => CITY_DROP,
        };
        (x, y + drop)
    }
}
