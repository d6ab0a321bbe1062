//! Everything that stands on the board itself.

use super::super::words;
use super::glyphs;
use super::{MARGIN, R, colour, escape, ink_on};
use crate::engine::report::{BoardPicture, Counter, HexPicture, SidePicture};
use crate::engine::{HexId, HexSide};
use std::collections::BTreeMap;
use std::fmt::Write;

type Point = (f32, f32);

/// The board laid out: where everything stands.
pub struct Sheet<'a> {
    board: &'a BoardPicture,
    hexes: BTreeMap<HexId, &'a HexPicture>,
    shift: Point,
    /// Width of the whole picture.
    pub width: f32,
    /// Height of the board without its key.
    pub height: f32,
}

impl<'a> Sheet<'a> {
    pub fn of(board: &'a BoardPicture) -> Self {
        let corners = board.hexes.iter().flat_map(|h| board.grid.corners(h.hex));
        let far = f32::from(u16::MAX);
        let (mut low, mut high) = ((far, far), (0.0_f32, 0.0_f32));
        for (x, y) in corners {
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        if board.hexes.is_empty() {
            low = (0.0, 0.0);
        }
        Sheet {
            board,
            hexes: board.hexes.iter().map(|h| (h.hex, h)).collect(),
            shift: (MARGIN - low.0 * R, MARGIN - low.1 * R),
            width: ((high.0 - low.0) * R + 2.0 * MARGIN).max(420.0),
            height: (high.1 - low.1) * R + 2.0 * MARGIN,
        }
    }

    fn place(&self, (x, y): Point) -> Point {
        (x * R + self.shift.0, y * R + self.shift.1)
    }

    fn centre(&self, hex: HexId) -> Point {
        self.place(self.board.grid.centre(hex))
    }

    fn points(&self, hex: HexId) -> String {
        let corners = self.board.grid.corners(hex).map(|c| self.place(c));
        corners.map(|(x, y)| format!("{x:.1},{y:.1}")).join(" ")
    }

    /// The two corners that the hexes of a side share.
    fn ends(&self, side: HexSide) -> Option<(Point, Point)> {
        let [a, b] = side.hexes();
        let others = self.board.grid.corners(b);
        let near = |p: &Point| others.iter().any(|o| (o.0 - p.0).hypot(o.1 - p.1) < 0.01);
        let shared: Vec<Point> = self.board.grid.corners(a).into_iter().filter(near).collect();
        match shared.as_slice() {
            [one, two] => Some((self.place(*one), self.place(*two))),
            _ => None,
        }
    }

    fn line(&self, out: &mut String, class: &str, side: HexSide) {
        if let Some(((ax, ay), (bx, by))) = self.ends(side) {
            let _ = write!(out, "<path class=\"{class}\" d=\"M{ax:.1} {ay:.1}L{bx:.1} {by:.1}\"/>");
        }
    }

    pub fn hexes(&self, out: &mut String) {
        for hex in self.hexes.values() {
            let points = self.points(hex.hex);
            let ground = match hex.ground.as_str() {
                "sea" => "sea",
                "lake" => "lake",
                _ => "land",
            };
            let _ = write!(out, "<polygon class=\"{ground}\" points=\"{points}\"/>");
            if let Some(fill) = &hex.fill {
                let _ = write!(out, "<polygon class=\"owner\" fill=\"{}\" points=\"{points}\"/>", colour(fill));
            }
            let _ = write!(out, "<polygon class=\"grid\" points=\"{points}\"/>");
        }
    }

    /// Coasts, and frontiers between owners, so that ownership can be seen without telling colours apart.
    pub fn edges(&self, out: &mut String) {
        for hex in self.hexes.values() {
            for other in self.board.grid.neighbours(hex.hex) {
                let Some(other) = self.hexes.get(&other).filter(|o| o.hex > hex.hex) else { continue };
                let side = HexSide::between(hex.hex, other.hex);
                let (here, there) = (hex.ground == "land", other.ground == "land");
                if here != there {
                    self.line(out, "coast", side);
                } else if here && hex.fill != other.fill {
                    self.line(out, "frontier", side);
                }
            }
        }
    }

    pub fn sides(&self, out: &mut String) {
        let rivers: Vec<&SidePicture> = self.board.sides.iter().filter(|s| !s.river.is_empty()).collect();
        for side in &rivers {
            self.line(out, if side.major { "river major" } else { "river minor" }, side.side);
        }
        for side in &self.board.sides {
            if side.closed {
                self.line(out, "closed", side.side);
                self.line(out, "bars", side.side);
            }
            self.terrain(out, side);
        }
        let mut named: BTreeMap<&str, Vec<&SidePicture>> = BTreeMap::new();
        for side in rivers {
            named.entry(&side.river).or_default().push(side);
        }
        for (name, sides) in named {
            if let Some(side) = sides.get(sides.len() / 2) {
                self.river_name(out, name, side.side);
            }
        }
    }

    /// Trees, reeds or peaks along a side, on both its banks if a river runs there.
    fn terrain(&self, out: &mut String, side: &SidePicture) {
        let Some(((ax, ay), (bx, by))) = self.ends(side.side) else { return };
        let (dx, dy) = (bx - ax, by - ay);
        let length = dx.hypot(dy).max(1.0);
        let bank = if side.river.is_empty() && !side.closed { 3.0 } else { 7.5 };
        for (at, turn) in [(0.25_f32, 1.0_f32), (0.42, -1.0), (0.58, 1.0), (0.75, -1.0)] {
            let (ox, oy) = (-dy / length * bank * turn, dx / length * bank * turn);
            glyphs::terrain(out, &side.terrain, ax + dx * at + ox, ay + dy * at + oy);
        }
    }

    fn river_name(&self, out: &mut String, name: &str, side: HexSide) {
        let Some(((ax, ay), (bx, by))) = self.ends(side) else { return };
        let mut angle = (by - ay).atan2(bx - ax).to_degrees();
        if angle > 89.0 {
            angle -= 180.0;
        } else if angle < -91.0 {
            angle += 180.0;
        }
        let (x, y) = (f32::midpoint(ax, bx), f32::midpoint(ay, by));
        let _ = write!(
            out,
            "<text class=\"water halo\" transform=\"translate({x:.1} {y:.1}) rotate({angle:.0})\" y=\"2.6\">{}</text>",
            escape(name)
        );
    }

    pub fn labels(&self, out: &mut String) {
        for hex in self.hexes.values() {
            let (x, y) = self.centre(hex.hex);
            let _ = write!(out, "<text class=\"no halo\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y - 33.5, hex.hex);
            let crowded = !hex.counters.is_empty();
            let sign = if crowded { y - 8.5 } else { y + 5.0 };
            let mut reach = 0.0;
            if let Some(city) = &hex.city {
                let size = (122.0 / (city.name.chars().count().max(1) as f32)).clamp(7.0, 11.0);
                let _ = write!(
                    out,
                    "<text class=\"name halo\" font-size=\"{size:.1}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
                    if crowded { y - 21.5 } else { y - 12.0 },
                    escape(&city.name)
                );
                reach = glyphs::city(out, &city.fort, city.value, x, sign) + 10.0;
                if city.port {
                    glyphs::anchor(out, x + reach, sign);
                }
            }
            if hex.battle {
                glyphs::swords(out, x - reach, sign);
            }
            self.counters(out, &hex.counters, x, y + 3.5);
        }
    }

    fn counters(&self, out: &mut String, counters: &[Counter], x: f32, top: f32) {
        const WIDE: f32 = 25.5;
        let compact = counters.len() > 3;
        let (tall, step) = if compact { (10.0, 11.0) } else { (20.5, 0.0) };
        for (row, piles) in counters.chunks(3).take(2).enumerate() {
            let count = piles.len() as f32;
            let mut left = x - (count * WIDE + (count - 1.0) * 2.0) / 2.0;
            for pile in piles {
                self.counter(out, pile, (left, top + step * row as f32), (WIDE, tall), compact);
                left += WIDE + 2.0;
            }
        }
    }

    fn counter(&self, out: &mut String, pile: &Counter, (x, y): Point, (wide, tall): Point, compact: bool) {
        let ink = ink_on(&pile.colour);
        let seat = escape(&self.initials(pile));
        let count = match pile.strength {
            Some(strength) => format!("{}·{strength}", pile.brigades),
            None => pile.brigades.to_string(),
        };
        let _ = write!(
            out,
            "<rect class=\"counter\" fill=\"{}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide}\" height=\"{tall}\" rx=\"2\"/>",
            colour(&pile.colour)
        );
        let middle = x + wide / 2.0;
        let mut text = |size: f32, y: f32, words: &str| {
            let _ = write!(
                out,
                "<text x=\"{middle:.1}\" y=\"{y:.1}\" font-size=\"{size}\" font-weight=\"700\" text-anchor=\"middle\" \
                 style=\"fill:{ink}\">{words}</text>"
            );
        };
        if compact {
            let words = format!("{seat} {count}");
            text((36.0 / words.chars().count() as f32).clamp(4.5, 7.0), y + 7.4, &words);
        } else {
            text(6.5, y + 7.2, &seat);
            text(if count.chars().count() > 4 { 8.5 } else { 11.0 }, y + 17.6, &count);
        }
    }

    fn initials(&self, pile: &Counter) -> String {
        words::initials(self.seat_name(pile))
    }

    fn seat_name<'b>(&'b self, pile: &'b Counter) -> &'b str {
        let known = self.board.legend.iter().find(|(_, c)| *c == pile.colour);
        known.map_or(pile.seat.as_str(), |(name, _)| name.as_str())
    }

    /// The words for pointers and screen readers, over everything else.
    pub fn hits(&self, out: &mut String) {
        for hex in self.hexes.values() {
            let _ = write!(
                out,
                "<polygon class=\"hit\" points=\"{}\"><title>{}</title></polygon>",
                self.points(hex.hex),
                escape(&self.told(hex))
            );
        }
    }

    fn told(&self, hex: &HexPicture) -> String {
        let mut lines = Vec::new();
        let owner = hex.fill.as_ref().and_then(|f| self.board.legend.iter().find(|(_, c)| c == f));
        let place = match (&hex.city, hex.ground.as_str()) {
            (Some(city), _) => {
                let fort = if city.fort == "none" { String::new() } else { format!(", {} fortress", city.fort) };
                let port = if city.port { ", port" } else { "" };
                format!("{}, value {}{fort}{port}", city.name, city.value)
            }
            (None, ground) => ground.to_owned(),
        };
        lines.push(format!("{} {place}{}", hex.hex, owner.map(|(n, _)| format!(" ({n})")).unwrap_or_default()));
        for pile in &hex.counters {
            let brigades = if pile.brigades == 1 { "brigade" } else { "brigades" };
            let strength = pile.strength.map(|s| format!(", strength {s}")).unwrap_or_default();
            let names = if pile.names.is_empty() { String::new() } else { format!(": {}", pile.names.join(", ")) };
            lines.push(format!("{}: {} {brigades}{strength}{names}", self.seat_name(pile), pile.brigades));
        }
        if hex.battle {
            lines.push("A battle was fought here.".to_owned());
        }
        // A title is one run of text: a sentence each, since line breaks are shown by some programs only.
        lines.join(". ").replace("..", ".")
    }
}
