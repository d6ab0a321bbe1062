//! The turn's moves.

use super::board::Sheet;
use super::colour;
use super::crowd::Rect;
use super::pen::{Pen, Point};
use crate::engine::board_picture::ArrowPicture;
use std::fmt::Write;

impl Sheet<'_> {
    pub fn arrows(&self, out: &mut String) {
        for (number, arrow) in self.board.arrows.iter().enumerate() {
            self.arrow(out, arrow, number);
        }
    }

    /// The room that the moves take, in small pieces.
    pub fn arrow_rects(&self) -> Vec<Rect> {
        let mut rects = Vec::new();
        for (number, arrow) in self.board.arrows.iter().enumerate() {
            let Some(Drawn { points, tip, .. }) = self.laid_out(arrow, number) else { continue };
            for (a, b) in points.iter().zip(points.iter().skip(1).chain([&tip])) {
                let pieces = ((b.0 - a.0).hypot(b.1 - a.1) / 8.0).ceil().max(1.0);
                let mut at = 0.0;
                while at <= pieces {
                    let t = at / pieces;
                    rects.push(Rect::around(a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t, 4.0, 4.0));
                    at += 1.0;
                }
            }
        }
        rects
    }

    /// From beside the start to beside the goal, through the hexes between, a little to one side: two armies that change
    /// places must not hide each other.
    fn laid_out(&self, arrow: &ArrowPicture, number: usize) -> Option<Drawn> {
        let spread = [0.0, 5.0, -5.0, 10.0, -10.0].get(number % 5).copied().unwrap_or(0.0);
        let mut points: Vec<Point> = arrow.path.iter().map(|hex| self.centre(*hex)).collect();
        let (first, last) = (points.first().copied()?, points.last().copied()?);
        if points.len() < 2 {
            return None;
        }
        let whole = direction(first, last);
        for point in &mut points {
            *point = (point.0 - whole.1 * spread, point.1 + whole.0 * spread + 6.0);
        }
        if let [start, second, ..] = points.as_mut_slice() {
            let way = direction(*start, *second);
            *start = (start.0 + way.0 * 20.0, start.1 + way.1 * 20.0);
        }
        let tail = points.iter().rev().nth(1).copied()?;
        let goal = points.last_mut()?;
        let way = direction(tail, *goal);
        let tip = (goal.0 - way.0 * 17.0, goal.1 - way.1 * 17.0);
        let neck = (tip.0 - way.0 * 9.0, tip.1 - way.1 * 9.0);
        *goal = neck;
        Some(Drawn { points, neck, tip, way })
    }

    fn arrow(&self, out: &mut String, arrow: &ArrowPicture, number: usize) {
        let Some(Drawn { points, neck, tip, way }) = self.laid_out(arrow, number) else { return };
        let mut data = String::new();
        shaft(&mut Pen::on(&mut data), &points);
        let mut head = String::new();
        let wing = |side: f32| (neck.0 - way.0 * 2.5 - way.1 * 6.6 * side, neck.1 - way.1 * 2.5 + way.0 * 6.6 * side);
        Pen::on(&mut head).shape(&[tip, wing(1.0), neck, wing(-1.0)]);
        let dashed = if arrow.retreat { " retreat" } else { "" };
        let paint = colour(&arrow.colour);
        let _ = write!(
            out,
            "<path class=\"way under{dashed}\" d=\"{data}\"/><path class=\"way over{dashed}\" stroke=\"{paint}\" d=\"{data}\"/>\
             <path class=\"head\" fill=\"{paint}\" d=\"{head}\"/>"
        );
    }
}

/// Where an arrow runs: the points of its shaft, where the head begins and ends, and which way it points.
struct Drawn {
    points: Vec<Point>,
    neck: Point,
    tip: Point,
    way: Point,
}

/// Smooth through the middles of its parts.
fn shaft(pen: &mut Pen<'_>, points: &[Point]) {
    let middle = |a: Point, b: Point| (f32::midpoint(a.0, b.0), f32::midpoint(a.1, b.1));
    let [start, between @ .., end] = points else { return };
    pen.go(*start);
    for (at, point) in between.iter().enumerate() {
        let next = between.get(at + 1).copied();
        pen.bend(*point, next.map_or(*end, |next| middle(*point, next)));
    }
    if between.is_empty() {
        let way = direction(*start, *end);
        let long = (end.0 - start.0).hypot(end.1 - start.1);
        let half = middle(*start, *end);
        pen.bend((half.0 - way.1 * long * 0.08, half.1 + way.0 * long * 0.08), *end);
    }
}

fn direction(a: Point, b: Point) -> Point {
    let long = (b.0 - a.0).hypot(b.1 - a.1).max(0.01);
    ((b.0 - a.0) / long, (b.1 - a.1) / long)
}
