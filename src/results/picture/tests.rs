//! Pictures as numbers: what can be computed of them is.

use super::super::sample;
use super::*;

#[test]
fn the_sample_board_is_whole_markup() {
    let svg = board_svg(&sample::board());
    for tag in ["g", "text", "title", "style", "svg"] {
        let opened = svg.matches(&format!("<{tag}>")).count() + svg.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, svg.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    assert!(svg.contains("Dünamünde") && svg.contains("0205") && !svg.contains("NaN"));
}

#[test]
fn names_and_colours_cannot_break_out_of_the_markup() {
    let mut board = sample::board();
    for hex in &mut board.hexes {
        hex.fill = hex.fill.as_ref().map(|_| "\"/><script>".to_owned());
        if let Some(city) = &mut hex.city {
            city.name = "<script>alert('x')</script>".to_owned();
        }
        for counter in &mut hex.counters {
            counter.colour = "red\" onload=\"x".to_owned();
            counter.names = vec!["</title><script>".to_owned()];
        }
    }
    board.legend.push(("<b>".to_owned(), "url(http://example.org)".to_owned()));
    let svg = board_svg(&board);
    assert!(!svg.contains("<script") && !svg.contains("onload=\"") && !svg.contains("example.org"), "{svg}");
}

#[test]
fn flat_topped_and_empty_boards_draw_too() {
    let mut board = sample::board();
    board.grid = crate::engine::Grid::FlatEvenColumns;
    assert!(board_svg(&board).contains("Mitau"));
    board.hexes.clear();
    let svg = board_svg(&board);
    assert!(svg.starts_with("<svg") && !svg.contains("inf") && !svg.contains("NaN"), "{svg}");
}

#[test]
fn ink_can_be_read() {
    assert_eq!((ink_on("#2b5c9e"), ink_on("#f0d060"), ink_on("nonsense")), ("#ffffff", "#1c150e", "#ffffff"));
}
