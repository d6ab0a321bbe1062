//! What drawing the largest board costs. Each measurement asserts its answer first. Figures: `benches/README.md`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic, missing_docs)]

use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use umpire::campaign;
use umpire::engine::Viewer;
use umpire::engine::board_picture::BoardPicture;
use umpire::results::picture::png::{Size, board_png};
use umpire::results::picture::{Drawn, board_svg_counted};
use umpire::rules;

/// The largest board that is shipped, at the start, as the umpire sees it: all counters on it.
fn largest() -> BoardPicture {
    let boards = campaign::list(None).unwrap().into_iter().map(|name| {
        let files = campaign::find(&name, None).unwrap();
        let game = rules::start(&files.heading().unwrap().system, &files.files).unwrap();
        game.board(&Viewer::Umpire).unwrap()
    });
    boards.max_by_key(|board| board.hexes.len()).unwrap()
}

/// Everything is on it: all hexes, and a name at every city on the map.
fn is_whole(board: &BoardPicture, drawn: Drawn) {
    let cities = board.hexes.iter().filter(|h| h.city.is_some() && !h.is_box()).count();
    assert_eq!((drawn.hexes, drawn.cities), (board.hexes.len(), cities));
    assert!(drawn.hexes > 900 && drawn.cities > 150 && drawn.rivers > 40, "{drawn:?}");
}

fn svg(c: &mut Criterion) {
    let board = largest();
    let (svg, drawn) = board_svg_counted(&board);
    is_whole(&board, drawn);
    assert!(svg.len() < 1_200_000, "{} bytes", svg.len());
    c.bench_function("board_svg: the largest board", |b| {
        b.iter(|| is_whole(&board, board_svg_counted(black_box(&board)).1));
    });
}

fn png(c: &mut Criterion) {
    let board = largest();
    let mut group = c.benchmark_group("board_png");
    group.sample_size(10);
    group.bench_function("the largest board, 1600 pixels wide", |b| {
        b.iter(|| assert!(board_png(black_box(&board), Size::Width(1600)).unwrap().starts_with(b"\x89PNG")));
    });
    group.finish();
}

criterion_group!(benches, svg, png);
criterion_main!(benches);
