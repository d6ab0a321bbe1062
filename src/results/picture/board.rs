//! The sheet: the board laid out, and what takes room on it before any name does.

use super::crowd::{Crowd, Rect};
use super::lattice::Lattice;
use super::pen::{Pen, Point};
use super::signs;
use super::{MARGIN, R, escape};
use crate::engine::HexId;
use crate::engine::board_picture::{BoardPicture, Counter, HexPicture};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The board laid out: where everything stands.
pub struct Sheet<'a> {
    pub board: &'a BoardPicture,
    pub hexes: BTreeMap<HexId, &'a HexPicture>,
    pub lattice: Lattice,
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
        let wide = (high.0 - low.0) * R;
        let width = (wide + 2.0 * MARGIN).max(520.0);
        let shift = ((width - wide) / 2.0 - low.0 * R, MARGIN - low.1 * R);
        Sheet {
            board,
            hexes: board.by_hex(),
            lattice: Lattice::of(board, shift),
            width,
            height: (high.1 - low.1) * R + 2.0 * MARGIN,
        }
    }

    pub fn centre(&self, hex: HexId) -> Point {
        self.lattice.centre(hex)
    }

    /// A seat's place in the legend, by the colour that stands for it.
    pub fn seat_at(&self, colour: &str) -> Option<usize> {
        self.board.legend.iter().position(|(_, fill)| fill == colour)
    }

    /// The name of a counter's seat.
    pub fn seat_name<'b>(&'b self, pile: &'b Counter) -> &'b str {
        let known = self.board.legend.iter().find(|(_, c)| *c == pile.colour);
        known.map_or(pile.seat.as_str(), |(name, _)| name.as_str())
    }

    /// Hex numbers, cities' signs, counters: what stands where it must.
    pub fn crowd(&self) -> Crowd {
        let edge =
            Rect { left: MARGIN / 2.0, top: MARGIN / 2.0, right: self.width - MARGIN / 2.0, bottom: self.height };
        let mut crowd = Crowd::within(edge);
        for hex in self.hexes.values() {
            let (x, y) = self.centre(hex.hex);
            if hex.is_box() {
                crowd.take(&[Rect::around(x, y, BOX.0 + 4.0, BOX.1 + 4.0)]);
                continue;
            }
            crowd.take(&[Rect::around(x, y - 39.0, 8.5, 3.4)]);
            let (cx, cy) = self.heart(hex.hex);
            let mut reach = 0.0;
            if let Some(city) = &hex.city {
                reach = signs::reach(city);
                crowd.take(&[Rect::around(cx, cy, reach, reach)]);
                if city.port {
                    crowd.take(&[Rect::around(cx + reach + 9.0, cy + 1.0, 5.5, 7.5)]);
                }
            }
            if hex.battle {
                crowd.take(&[Rect::around(cx - reach - 10.0, cy, 8.0, 8.0)]);
            }
            if let Some(rect) = signs::counters_rect(&hex.counters, x, y + 3.5) {
                crowd.take(&[rect]);
            }
        }
        crowd
    }

    pub fn numbers(&self, out: &mut String) {
        out.push_str("<g class=\"no\">");
        for hex in self.hexes.values().filter(|h| !h.is_box()) {
            let (x, y) = self.centre(hex.hex);
            let _ = write!(out, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y - 36.6, hex.hex);
        }
        out.push_str("</g>");
    }

    pub fn signs(&self, out: &mut String) {
        for hex in self.hexes.values() {
            let (x, y) = self.centre(hex.hex);
            let (cx, cy) = self.heart(hex.hex);
            if hex.is_box() {
                self.box_frame(out, hex, (x, y));
            }
            let mut reach = 0.0;
            if let Some(city) = &hex.city {
                signs::city(out, city, cx, cy);
                reach = signs::reach(city);
                if city.port {
                    signs::anchor(out, cx + reach + 9.0, cy + 1.0);
                }
            }
            if hex.battle {
                signs::swords(out, cx - reach - 10.0, cy);
            }
            let top = if hex.is_box() { y + 12.0 } else { y + 3.5 };
            signs::counters(out, &hex.counters, |pile| self.seat_name(pile), x, top);
        }
    }

    /// A box off the map: a frame of its own, with its name at the top.
    fn box_frame(&self, out: &mut String, hex: &HexPicture, (x, y): Point) {
        let (half_wide, half_tall) = BOX;
        let mut rect = |class: &str, grow: f32, paint: &str| {
            let _ = write!(
                out,
                "<rect class=\"{class}\"{paint} x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                x - half_wide - grow,
                y - half_tall - grow,
                2.0 * (half_wide + grow),
                2.0 * (half_tall + grow)
            );
        };
        rect("boxed", 3.0, "");
        rect("boxin", 0.0, "");
        if let Some(fill) = &hex.fill {
            rect("wash", 0.0, &format!(" fill=\"{}\"", super::colour(fill)));
            if let Some(at) = self.seat_at(fill) {
                rect("hatch", 0.0, &format!(" fill=\"url(#ub-h{at})\""));
            }
        }
        let name = hex.city.as_ref().map_or(hex.name.as_str(), |city| city.name.as_str());
        let size =
            (2.0 * half_wide - 8.0) / super::lettering::width(name, super::lettering::Face::Bold, 1.0, 0.0).max(1.0);
        let _ = write!(
            out,
            "<text class=\"name halo mid\" font-size=\"{:.1}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\
             <text class=\"no one\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>",
            size.min(12.5),
            y - half_tall + 20.0,
            escape(name),
            y - half_tall + 8.6,
            hex.hex
        );
    }

    /// The words for pointers and screen readers, over everything else.
    pub fn hits(&self, out: &mut String) {
        out.push_str("<g class=\"hits\">");
        for hex in self.hexes.values() {
            let mut data = String::new();
            self.lattice.hexagon(&mut Pen::on(&mut data), hex.hex);
            let _ = write!(out, "<path d=\"{data}\"><title>{}</title></path>", escape(&self.told(hex)));
        }
        out.push_str("</g>");
    }

    fn told(&self, hex: &HexPicture) -> String {
        let mut lines = Vec::new();
        let owner = hex.fill.as_ref().and_then(|f| self.board.legend.iter().find(|(_, c)| c == f));
        let place = match (&hex.city, hex.name.as_str()) {
            (Some(city), _) => {
                let fort = if city.fort == "none" { String::new() } else { format!(", {} fortress", city.fort) };
                let port = if city.port { ", port" } else { "" };
                let capital = if city.capital == "seat" { ", capital" } else { "" };
                format!("{}, value {}{fort}{port}{capital}", city.name, city.value)
            }
            (None, "") => hex.ground.clone(),
            (None, name) => name.to_owned(),
        };
        let held = match (owner, hex.standing.as_str()) {
            (Some((name, _)), "vassal") => format!(" ({name}, vassal land)"),
            (Some((name, _)), _) => format!(" ({name})"),
            (None, "neutral") => " (neutral)".to_owned(),
            (None, _) => String::new(),
        };
        lines.push(format!("{} {place}{held}", hex.hex));
        if !hex.province.is_empty() {
            lines.push(format!("Province: {}", hex.province));
        }
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

/// Half the width and height of a box off the map.
const BOX: Point = (41.0, 37.0);
