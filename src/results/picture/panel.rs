//! The foot of the sheet: title, scale, compass, and what the colours and signs mean as far as they occur.

use super::super::words;
use super::board::Sheet;
use super::crowd::{Crowd, Rect};
use super::lettering::{Face, width};
use super::{MARGIN, R, colour, escape, ink_on, signs};
use crate::engine::board_picture::{BoardPicture, CityPicture};
use std::collections::BTreeSet;
use std::fmt::Write;

const ROW: f32 = 25.0;
const KEY: f32 = 12.0;

/// Draws a sign around a point.
type Draw = Box<dyn Fn(&mut String, f32, f32)>;

/// One sign of the key: how to draw it around a point, how far it reaches to either side, and its words.
struct Sign {
    draw: Draw,
    half: f32,
    words: String,
}

/// The title, scale and key: markup, and the height of the foot.
pub fn draw(sheet: &Sheet<'_>) -> (String, f32) {
    let mut out = String::new();
    let top = sheet.height;
    let grow = (sheet.width / 1700.0).clamp(1.0, 1.5);
    let title = if block_on_the_map(&mut out, sheet) { 0.0 } else { title_and_scale(&mut out, sheet, top) };
    let (left, right) = (10.0, (sheet.width - 2.0 * MARGIN - 8.0) / grow);
    let (mut x, mut y) = (left, 12.0);
    let _ = write!(out, "<g transform=\"translate({MARGIN} {:.1}) scale({grow:.2})\">", top + title);
    for sign in signs_of(sheet.board) {
        let wide = 2.0 * sign.half + 7.0 + width(&sign.words, Face::Plain, KEY, 0.0);
        if x > left && x + wide > right {
            x = left;
            y += ROW;
        }
        (sign.draw)(&mut out, x + sign.half, y);
        let _ = write!(
            out,
            "<text class=\"key\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x + 2.0 * sign.half + 7.0,
            y + 4.0,
            escape(&sign.words)
        );
        x += wide + 24.0;
    }
    out.push_str("</g>");
    (out, (y + ROW - 6.0) * grow + title)
}

/// Title, scale and compass in a corner that the board leaves empty, as large as there is room; `false` if there is none.
fn block_on_the_map(out: &mut String, sheet: &Sheet<'_>) -> bool {
    let board = sheet.board;
    if board.title.is_empty() {
        return false;
    }
    let wide = title_width(board, TITLE).max(scale_room(board) + 110.0);
    let high = 178.0;
    let Some((x, y, grow)) = empty_corner(sheet, wide, high) else { return false };
    let _ = write!(out, "<g transform=\"translate({x:.1} {y:.1}) scale({grow:.2})\">");
    title(out, board, (0.0, 0.0), (wide, TITLE));
    compass(out, 48.0, 128.0);
    if let Some((length, unit)) = length_of_scale(board, wide - 120.0, 1.0 / grow) {
        scale(out, (wide - 8.0 - length * unit, 130.0), length, unit);
    }
    out.push_str("</g>");
    true
}

/// Looks for room that no hex and no way to a box touches, from the south-west, large first.
fn empty_corner(sheet: &Sheet<'_>, wide: f32, high: f32) -> Option<(f32, f32, f32)> {
    let mut taken = Crowd::within(Rect { left: 0.0, top: 0.0, right: sheet.width, bottom: sheet.height });
    for hex in sheet.hexes.values() {
        let (x, y) = sheet.centre(hex.hex);
        taken.take(&[Rect::around(x, y, R, R)]);
    }
    let ways = sheet
        .link_rects()
        .into_iter()
        .map(|r| Rect::around(f32::midpoint(r.left, r.right), f32::midpoint(r.top, r.bottom), 20.0, 20.0));
    taken.take(&ways.collect::<Vec<_>>());
    let most = (sheet.width / 1500.0).max(1.0);
    for grow in [2.2, 1.8, 1.5, 1.2, 1.0_f32].into_iter().filter(|grow| *grow <= most) {
        let (wide, high) = (wide * grow, high * grow);
        let mut y = sheet.height - high - 6.0;
        while y > MARGIN {
            for x in [MARGIN + 6.0, sheet.width - MARGIN - 6.0 - wide] {
                let spot = Rect { left: x, top: y, right: x + wide, bottom: y + high };
                if taken.has_room(&[spot]) {
                    return Some((x, y, grow));
                }
            }
            y -= 40.0;
        }
    }
    None
}

const TITLE: f32 = 25.0;
const SUBTITLE: f32 = 15.0;

fn title_width(board: &BoardPicture, size: f32) -> f32 {
    width(&board.title, Face::Bold, size, 1.0).max(width(&board.subtitle, Face::Italic, SUBTITLE, 0.4)) + 44.0
}

fn title_height(board: &BoardPicture) -> f32 {
    if board.subtitle.is_empty() { 50.0 } else { 70.0 }
}

fn title(out: &mut String, board: &BoardPicture, (x, y): (f32, f32), (wide, size): (f32, f32)) {
    cartouche(out, (x, y), (wide, title_height(board)));
    let middle = x + wide / 2.0;
    let _ = write!(
        out,
        "<text class=\"title\" font-size=\"{size:.1}\" letter-spacing=\"1\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>\
         <text class=\"subtitle\" font-size=\"{SUBTITLE}\" letter-spacing=\"0.4\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
        y + 34.0,
        escape(&board.title),
        y + 56.0,
        escape(&board.subtitle)
    );
}

/// The room a scale needs at least.
fn scale_room(board: &BoardPicture) -> f32 {
    if board.scale_km.is_some() { 220.0 } else { 0.0 }
}

/// A round number of kilometres that fits, and how long one is.
fn length_of_scale(board: &BoardPicture, room: f32, shrink: f32) -> Option<(f32, f32)> {
    let km = board.scale_km.filter(|km| *km > 0)?;
    let unit = R * 3f32.sqrt() / f32::from(u16::try_from(km).unwrap_or(u16::MAX)) * shrink;
    let lengths = [800.0_f32, 400.0, 200.0, 100.0, 40.0];
    lengths.into_iter().find(|length| length * unit < room).map(|length| (length, unit))
}

/// The title in its frame at the left, the scale and the compass at the right; the height they take.
fn title_and_scale(out: &mut String, sheet: &Sheet<'_>, top: f32) -> f32 {
    let board = sheet.board;
    let mut tall: f32 = 0.0;
    let mut taken = 0.0;
    if !board.title.is_empty() {
        let room = (sheet.width - 2.0 * MARGIN) * 0.62 - 44.0;
        let size = TITLE * (room / width(&board.title, Face::Bold, TITLE, 1.0)).min(1.0);
        let wide = title_width(board, size);
        title(out, board, (MARGIN + 4.0, top + 2.0), (wide, size));
        (tall, taken) = (title_height(board) + 14.0, wide + MARGIN);
    }
    let mut right = sheet.width - MARGIN - 8.0;
    if sheet.width - taken > 170.0 {
        compass(out, right - 34.0, top + 40.0);
        tall = tall.max(84.0);
        right -= 92.0;
    }
    if let Some((length, unit)) = length_of_scale(board, (right - taken - 60.0).min(330.0), 1.0) {
        scale(out, (right - length * unit, top + 44.0), length, unit);
        tall = tall.max(70.0);
    }
    tall
}

/// A double frame with hollow corners.
fn cartouche(out: &mut String, (x, y): (f32, f32), (wide, high): (f32, f32)) {
    let frame = |class: &str, inset: f32, notch: f32| {
        let (l, t, r, b) = (x + inset, y + inset, x + wide - inset, y + high - inset);
        format!(
            "<path class=\"{class}\" d=\"M{:.1} {t:.1}H{:.1}A{notch} {notch} 0 0 0 {r:.1} {:.1}V{:.1}A{notch} {notch} 0 0 0 {:.1} {b:.1}\
             H{:.1}A{notch} {notch} 0 0 0 {l:.1} {:.1}V{:.1}A{notch} {notch} 0 0 0 {:.1} {t:.1}z\"/>",
            l + notch,
            r - notch,
            t + notch,
            b - notch,
            r - notch,
            l + notch,
            b - notch,
            t + notch,
            l + notch,
        )
    };
    out.push_str(&frame("frame plate", 0.0, 11.0));
    out.push_str(&frame("frame fine", 4.0, 9.5));
}

fn compass(out: &mut String, x: f32, y: f32) {
    let _ = write!(
        out,
        "<g transform=\"translate({x:.1} {y:.1})\"><circle class=\"frame fine\" r=\"21\"/><circle class=\"frame fine\" r=\"18.6\"/>"
    );
    for (turn, long, wide) in [(45, 17.0, 4.0), (0, 27.0, 5.6)] {
        for quarter in 0..4 {
            let _ = write!(
                out,
                "<g transform=\"rotate({})\"><path class=\"ray\" d=\"M0-{long}L{wide}-{wide}L0 0z\"/>\
                 <path class=\"ray pale\" d=\"M0-{long}L-{wide}-{wide}L0 0z\"/></g>",
                turn + 90 * quarter
            );
        }
    }
    out.push_str("<text class=\"north\" y=\"-30\">N</text></g>");
}

/// A bar in four parts, kilometres above it.
fn scale(out: &mut String, (x, y): (f32, f32), length: f32, unit: f32) {
    let part = length * unit / 4.0;
    for at in 0..4u8 {
        let class = if at % 2 == 0 { "bar" } else { "bar pale" };
        let _ = write!(
            out,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{part:.1}\" height=\"5\"/>",
            x + part * f32::from(at)
        );
    }
    for at in [0.0_f32, 0.5, 1.0] {
        let _ = write!(
            out,
            "<text class=\"key mid\" x=\"{:.1}\" y=\"{:.1}\">{:.0}</text>",
            x + length * unit * at,
            y - 5.0,
            length * at
        );
    }
    let _ = write!(
        out,
        "<text class=\"key mid tale\" x=\"{:.1}\" y=\"{:.1}\">kilometres</text>",
        x + length * unit / 2.0,
        y + 18.0
    );
}

fn signs_of(board: &BoardPicture) -> Vec<Sign> {
    let there = board.colours();
    let seats = board.legend.iter().enumerate().filter(|(_, (_, fill))| there.contains(fill.as_str()));
    let mut signs: Vec<Sign> = seats.map(|(at, (name, fill))| seat(at, name, fill)).collect();
    land_signs(board, &mut signs);
    city_signs(board, &mut signs);
    turn_signs(board, &mut signs);
    side_signs(board, &mut signs);
    signs
}

fn land_signs(board: &BoardPicture, signs: &mut Vec<Sign>) {
    let land = || board.hexes.iter().filter(|h| h.is_land() || h.is_box());
    if land().any(|h| h.standing == "vassal" && h.fill.is_some()) {
        signs.push(patch("land", "vassalkey", "vassal land, paler and with a broken border"));
    }
    if land().any(|h| h.fill.is_none()) {
        signs.push(patch("land", "", "neutral land"));
    }
    if board.hexes.iter().any(crate::engine::board_picture::HexPicture::is_box) {
        signs.push(patch("boxed", "boxin", "box off the map"));
    }
}

fn city_signs(board: &BoardPicture, signs: &mut Vec<Sign>) {
    let cities = || board.hexes.iter().filter_map(|h| h.city.as_ref());
    let sample = |fort: &str, capital: &str| CityPicture {
        name: String::new(),
        value: 2,
        fort: fort.to_owned(),
        port: false,
        capital: capital.to_owned(),
    };
    let mut push = |there: bool, city: CityPicture, words: &str| {
        if there {
            let draw: Draw = Box::new(move |out, x, y| signs::city(out, &city, x, y));
            signs.push(Sign { draw, half: 9.5, words: words.to_owned() });
        }
    };
    for (fort, words) in [("none", "open town, with its value"), ("square", "square fort"), ("hexagon", "hexagon fort")]
    {
        push(cities().any(|c| c.fort == fort), sample(fort, ""), words);
    }
    push(cities().any(|c| c.capital == "province"), sample("none", "province"), "province's capital");
    push(cities().any(|c| c.capital == "seat"), sample("none", "seat"), "seat's capital");
    if cities().any(|c| c.port) {
        signs.push(Sign { draw: Box::new(signs::anchor), half: 6.0, words: "port".to_owned() });
    }
}

fn turn_signs(board: &BoardPicture, signs: &mut Vec<Sign>) {
    let counters = || board.hexes.iter().flat_map(|h| &h.counters);
    if counters().any(|c| c.strength.is_some() && c.brigades > 0) {
        signs.push(tile("2·7", "two brigades of 7 steps"));
    }
    for (ships, words) in [(true, "ships alone"), (false, "leader or train alone")] {
        if counters().any(|c| c.brigades == 0 && c.ships == ships) {
            let draw: Draw = Box::new(move |out, x, y| signs::alone(out, ships, "#2a2117", x, y));
            signs.push(Sign { draw, half: 8.0, words: words.to_owned() });
        }
    }
    if counters().any(|c| c.strength.is_none()) {
        signs.push(tile("2", "two brigades, strength unknown"));
    }
    if board.hexes.iter().any(|h| h.battle) {
        signs.push(Sign { draw: Box::new(signs::swords), half: 9.0, words: "battle this turn".to_owned() });
    }
    for (retreat, words) in [(false, "move this turn"), (true, "retreat")] {
        if board.arrows.iter().any(|a| a.retreat == retreat) {
            signs.push(stroke(
                if retreat { &["way under retreat", "way over retreat grey"] } else { &["way under", "way over grey"] },
                words,
            ));
        }
    }
}

fn side_signs(board: &BoardPicture, signs: &mut Vec<Sign>) {
    for kind in ["forest", "marsh", "mountain"] {
        if board.sides.iter().any(|s| s.terrain == kind) {
            let draw: Draw = Box::new(move |out, x, y| {
                let apart = if kind == "mountain" { 0.0 } else { 6.5 };
                signs::terrain(out, kind, x - apart, y);
                if apart > 0.0 {
                    signs::terrain(out, kind, x + apart, y);
                }
            });
            signs.push(Sign { draw, half: 11.0, words: kind.to_owned() });
        }
    }
    let river = |major| board.sides.iter().any(|s| !s.river.is_empty() && s.major == major);
    let mut side = |there: bool, classes: &'static [&'static str], words: &str| {
        if there {
            signs.push(stroke(classes, words));
        }
    };
    side(river(false), &["river minor"], "minor river");
    side(river(true), &["river major"], "major river");
    side(board.sides.iter().any(|s| s.strait), &["strait t1", "strait t2"], "strait: ships only");
    side(board.sides.iter().any(|s| s.closed && !s.strait), &["closed", "bars"], "nothing passes");
    side(!board.roads.is_empty(), &["road", "road gravel"], "road");
    let land = || board.hexes.iter().filter(|h| h.is_land());
    let rulers: BTreeSet<Option<&str>> = land().map(|h| h.fill.as_deref()).collect();
    let provinces: BTreeSet<&str> = land().map(|h| h.province.as_str()).collect();
    side(rulers.len() > 1, &["frontier f1", "frontier f2"], "frontier");
    side(provinces.len() > 1, &["province"], "province border");
    side(board.links.iter().any(|l| !l.sea), &["link"], "way to a box");
    side(board.links.iter().any(|l| l.sea), &["link searoute"], "sea way to a box");
}

fn seat(at: usize, name: &str, fill: &str) -> Sign {
    let (words, initials) = (name.to_owned(), escape(&words::initials(name)));
    let (fill, ink) = (colour(fill).to_owned(), ink_on(fill));
    let draw = move |out: &mut String, x: f32, y: f32| {
        let (l, t) = (x - 22.0, y - 8.0);
        let _ = write!(
            out,
            "<rect class=\"land\" x=\"{l:.1}\" y=\"{t:.1}\" width=\"44\" height=\"16\"/>\
             <rect class=\"wash\" fill=\"{fill}\" x=\"{l:.1}\" y=\"{t:.1}\" width=\"44\" height=\"16\"/>\
             <rect class=\"hatch\" fill=\"url(#ub-h{at})\" x=\"{l:.1}\" y=\"{t:.1}\" width=\"44\" height=\"16\"/>\
             <rect class=\"counter\" fill=\"{fill}\" x=\"{l:.1}\" y=\"{t:.1}\" width=\"22\" height=\"16\" rx=\"2\"/>\
             <rect class=\"outline\" x=\"{l:.1}\" y=\"{t:.1}\" width=\"44\" height=\"16\" rx=\"2\"/>\
             <text class=\"on\" x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" style=\"fill:{ink}\">{initials}</text>",
            l + 11.0,
            y + 3.4
        );
    };
    Sign { draw: Box::new(draw), half: 22.0, words }
}

fn patch(under: &'static str, over: &'static str, words: &str) -> Sign {
    let draw = move |out: &mut String, x: f32, y: f32| {
        for class in [under, over].into_iter().filter(|class| !class.is_empty()) {
            let _ = write!(
                out,
                "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"24\" height=\"15\"/>",
                x - 12.0,
                y - 7.5
            );
        }
        let _ = write!(
            out,
            "<rect class=\"outline\" x=\"{:.1}\" y=\"{:.1}\" width=\"24\" height=\"15\"/>",
            x - 12.0,
            y - 7.5
        );
    };
    Sign { draw: Box::new(draw), half: 12.0, words: words.to_owned() }
}

fn tile(count: &'static str, words: &str) -> Sign {
    let draw = move |out: &mut String, x: f32, y: f32| {
        let _ = write!(
            out,
            "<rect class=\"outline\" x=\"{:.1}\" y=\"{:.1}\" width=\"25\" height=\"16\" rx=\"2\"/>\
             <text class=\"on\" x=\"{x:.1}\" y=\"{:.1}\" font-size=\"11\">{count}</text>",
            x - 12.5,
            y - 8.0,
            y + 3.8
        );
    };
    Sign { draw: Box::new(draw), half: 12.5, words: words.to_owned() }
}

fn stroke(classes: &'static [&'static str], words: &str) -> Sign {
    let draw = move |out: &mut String, x: f32, y: f32| {
        for class in classes {
            let _ = write!(out, "<path class=\"{class}\" d=\"M{:.1} {y:.1}h24\"/>", x - 12.0);
        }
    };
    Sign { draw: Box::new(draw), half: 12.0, words: words.to_owned() }
}
