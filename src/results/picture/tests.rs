//! Pictures as numbers: what can be computed of them is.

use super::super::{livonia, sample};
use super::crowd::Rect;
use super::lettering::{self, Face};
use super::png::{Size, board_png, tree};
use super::*;
use crate::engine::board_picture::{HexPicture, LinkPicture};
use crate::engine::{Grid, HexId, Viewer};
use crate::{campaign, rules};
use resvg::tiny_skia::Pixmap;
use resvg::usvg;
use std::collections::BTreeSet;

/// The boards of all campaigns, as the public sees them at the start and as the umpire does.
fn boards() -> Vec<BoardPicture> {
    let mut boards = vec![livonia::board(), sample::board()];
    for name in campaign::list(None).unwrap() {
        let files = campaign::find(&name, None).unwrap();
        let system = files.heading().unwrap().system;
        let game = rules::start(&system, &files.files).unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        boards.extend(game.board(&Viewer::Public));
        boards.extend(game.board(&Viewer::Umpire));
    }
    boards
}

fn largest() -> BoardPicture {
    boards().into_iter().max_by_key(|board| board.hexes.len()).unwrap()
}

fn hex(text: &str) -> HexId {
    text.parse().unwrap()
}

#[test]
fn no_name_touches_another_nor_a_sign_nor_a_counter() {
    for board in boards() {
        let sheet = Sheet::of(&board);
        let fixed = sheet.crowd();
        let labels = sheet.names(&mut sheet.crowd());
        for (at, label) in labels.iter().enumerate() {
            for rect in &label.rects {
                assert!(!fixed.hits(rect), "{}: {} stands on a sign", board.title, label.markup);
                for other in labels.iter().skip(at + 1) {
                    let clash = other.rects.iter().any(|r| r.overlaps(rect));
                    assert!(!clash, "{}: {} touches {}", board.title, label.markup, other.markup);
                }
            }
        }
    }
}

#[test]
fn every_city_of_every_board_is_named() {
    for board in boards() {
        let cities = board.hexes.iter().filter(|h| h.city.is_some() && !h.is_box()).count();
        assert_eq!(board_svg_counted(&board).1.cities, cities, "{}", board.title);
    }
}

fn texts<'t>(group: &'t usvg::Group, found: &mut Vec<&'t usvg::Text>) {
    for node in group.children() {
        match node {
            usvg::Node::Text(text) => found.push(text),
            usvg::Node::Group(group) => texts(group, found),
            _ => {}
        }
    }
}

fn content(text: &usvg::Text) -> String {
    text.chunks().iter().map(usvg::TextChunk::text).collect()
}

/// The drawing program reads the picture as it stands, and sets no word beyond its edge.
#[test]
fn all_words_stand_on_the_sheet() {
    for board in boards() {
        let tree = tree(&draw(&board, Use::Page).0).unwrap();
        let mut all = Vec::new();
        texts(tree.root(), &mut all);
        assert!(all.len() > board.hexes.len(), "{}: numbers, names and key", board.title);
        for text in all {
            let bounds = text.abs_bounding_box();
            let inside = bounds.left() >= 0.0
                && bounds.top() >= 0.0
                && bounds.right() <= tree.size().width()
                && bounds.bottom() <= tree.size().height();
            assert!(inside, "{}: {} at {bounds:?}", board.title, content(text));
        }
    }
}

/// What was measured is what is drawn: every name fills the box that was kept free for it, and no more.
#[test]
fn names_are_as_wide_as_they_were_measured() {
    let board = largest();
    let (svg, labels) = draw(&board, Use::Print);
    let tree = tree(&svg).unwrap();
    let mut all = Vec::new();
    texts(tree.root(), &mut all);
    let mut seen = 0;
    for label in labels.iter().filter(|label| label.names != Names::River) {
        for rect in &label.rects {
            let fits = |text: &&&usvg::Text| {
                let b = text.abs_bounding_box();
                let middle = f32::midpoint(rect.top, rect.bottom);
                let there = (b.left() - rect.left).abs() < 3.0 && (b.top()..b.bottom()).contains(&middle);
                there && label.markup.contains(&content(text))
            };
            let drawn = all.iter().find(fits).unwrap_or_else(|| panic!("{} is not in its box", label.markup));
            let bounds = drawn.abs_bounding_box();
            assert!(bounds.right() < rect.right + 1.5, "{}: {bounds:?} {rect:?}", content(drawn));
            assert!(bounds.right() > rect.right - 9.0, "{}: {bounds:?} {rect:?}", content(drawn));
            seen += 1;
        }
    }
    assert!(seen >= 50, "{seen} names were compared");
}

#[test]
fn the_font_has_every_letter_of_every_name() {
    for board in boards() {
        let cities = board.hexes.iter().filter_map(|h| h.city.as_ref()).map(|c| c.name.as_str());
        let land = board.hexes.iter().flat_map(|h| [h.name.as_str(), h.province.as_str()]);
        let rivers = board.sides.iter().map(|s| s.river.as_str());
        for name in cities.chain(land).chain(rivers).chain([board.title.as_str()]) {
            let lacking: String = name.chars().filter(|c| !lettering::has(*c)).collect();
            assert!(lacking.is_empty(), "{name} needs {lacking}");
        }
    }
    for name in ["Łuck Čáslav Gözleve Åbo Köln Şumnu İzmir Őr Dvůr", "Рига Ревель Нарва ёЁ Київ"]
    {
        assert!(name.chars().all(lettering::has), "{name}");
    }
    // From the font's own table: the bold space is a quarter of an em, give or take.
    assert!((0.15..0.35).contains(&lettering::advance(' ', Face::Bold)));
}

fn pixel(map: &Pixmap, x: f32, y: f32) -> [u8; 3] {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let found = map.pixel(x.round() as u32, y.round() as u32).unwrap();
    [found.red(), found.green(), found.blue()]
}

#[test]
fn a_png_has_the_size_asked_for_and_something_on_it() {
    let board = livonia::board();
    let sheet = Sheet::of(&board);
    let png = board_png(&board, Size::Width(1734)).unwrap();
    let map = Pixmap::decode_png(&png).unwrap();
    assert_eq!(map.width(), 1734);
    let scale = 1734.0 / sheet.width;
    // Reval is a dark fortress on yellow land: the wall above the figure in it is the sign's own colour.
    let (x, y) = sheet.heart(hex("0201"));
    let [red, green, blue] = pixel(&map, x * scale, (y - 5.6) * scale);
    assert!(red < 90 && green < 80 && blue < 70, "the sign of Reval is {red} {green} {blue}");
    let (x, y) = sheet.centre(hex("0300"));
    let sea = pixel(&map, (x + 30.0) * scale, (y + 10.0) * scale);
    let (x, y) = sheet.centre(hex("0202"));
    let land = pixel(&map, (x - 6.0) * scale, (y + 14.0) * scale);
    assert!(sea[2] > sea[0], "water is blue: {sea:?}");
    assert_ne!(sea, land);
    assert_eq!(board_png(&board, Size::Scale(1.0)).unwrap(), board_png(&board, Size::Scale(1.0)).unwrap());
    assert!(matches!(board_png(&board, Size::Width(0)), Err(png::PngFault::Size { .. })));
    assert!(matches!(board_png(&board, Size::Scale(100.0)), Err(png::PngFault::Size { .. })));
}

/// How a colour looks to eyes that lack one kind of cone: Machado, Oliveira and Fernandes 2009, severity 1, on linear light.
const EYES: [(&str, [[f32; 3]; 3]); 4] = [
    ("full sight", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    (
        "protanopia",
        [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]],
    ),
    (
        "deuteranopia",
        [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
    ),
    (
        "tritanopia",
        [[1.255_528, -0.076_749, -0.178_779], [-0.078_411, 0.930_809, 0.147_602], [0.004_733, 0.691_367, 0.303_900]],
    ),
];

fn linear(text: &str) -> [f32; 3] {
    [1, 3, 5].map(|at| {
        let byte = f32::from(u8::from_str_radix(&text[at..at + 2], 16).unwrap()) / 255.0;
        if byte <= 0.04045 { byte / 12.92 } else { ((byte + 0.055) / 1.055).powf(2.4) }
    })
}

/// CIE L*a*b* under D65.
fn lab(rgb: [f32; 3]) -> [f32; 3] {
    let [r, g, b] = rgb;
    let xyz = [
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    ];
    let [x, y, z] = xyz.map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

fn seen(eye: &[[f32; 3]; 3], colour: [f32; 3]) -> [f32; 3] {
    eye.map(|row| row.iter().zip(colour).map(|(m, c)| m * c).sum::<f32>().clamp(0.0, 1.0))
}

fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

/// Ten units of L*a*b* is a difference that nobody overlooks side by side; what is nearer has the hatch and the initials.
#[test]
fn colour_blind_readers_tell_the_seats_counters_apart() {
    for board in boards().into_iter().skip(2) {
        for (name, eye) in &EYES {
            for (at, (one, a)) in board.legend.iter().enumerate() {
                for (other, b) in board.legend.iter().skip(at + 1) {
                    let far = apart(lab(seen(eye, linear(a))), lab(seen(eye, linear(b))));
                    assert!(far >= 10.0, "{}: {one} and {other} are {far:.1} apart to {name}", board.title);
                }
            }
        }
    }
}

/// Colour is never the only sign: no two seats have the same hatch or the same initials on their counters.
#[test]
fn seats_differ_in_more_than_colour() {
    for board in boards() {
        let defs = ground::hatches(&Sheet::of(&board));
        let hatches: Vec<&str> = defs.split(" d=\"").skip(1).filter_map(|d| d.split('"').next()).collect();
        let different: BTreeSet<&str> = hatches.iter().copied().collect();
        assert_eq!((hatches.len(), different.len()), (board.legend.len(), board.legend.len()));
        let initials: BTreeSet<String> =
            board.legend.iter().map(|(name, _)| super::super::words::initials(name)).collect();
        assert_eq!(initials.len(), board.legend.len(), "{}", board.title);
    }
}

/// Walks from neighbour to neighbour instead of measuring: another way to the same set.
fn within_steps(board: &BoardPicture, from: HexId, steps: u32) -> BTreeSet<HexId> {
    let mut reached = BTreeSet::from([from]);
    for _ in 0..steps {
        let next: Vec<HexId> = reached.iter().flat_map(|hex| board.grid.neighbours(*hex)).collect();
        reached.extend(next);
    }
    let present: BTreeSet<HexId> = board.hexes.iter().map(|h| h.hex).collect();
    reached.intersection(&present).copied().collect()
}

#[test]
fn a_part_has_exactly_the_hexes_within_the_radius() {
    let board = livonia::board();
    let narva = hex("0501");
    for radius in 0..4 {
        let hexes = board.around(narva, radius);
        assert_eq!(hexes, within_steps(&board, narva, radius));
        let part = board.within(&hexes);
        assert_eq!(part.hexes.iter().map(|h| h.hex).collect::<BTreeSet<_>>(), hexes);
        assert!(part.sides.iter().all(|side| side.side.hexes().iter().all(|hex| hexes.contains(hex))));
        assert_eq!(board_svg_counted(&part).1.hexes, hexes.len());
    }
    // Round Narva there are Swedes and, two hexes away, Russians; no Saxons.
    let part = board.within(&board.around(narva, 2));
    let (svg, seats) = (board_svg(&part), part.colours().len());
    assert!(svg.contains(">Sweden</text>") && svg.contains(">Russia</text>") && !svg.contains(">Saxony-Poland</text>"));
    assert_eq!((seats, part.legend.len()), (2, 3), "the hatch of a seat's land is the same in every part");
}

#[test]
fn regions_are_provinces_seats_and_blocks_of_hexes() {
    let board = livonia::board();
    let livonia = board.region("LIVONIA").unwrap();
    let inside = |h: &&HexPicture| h.province == "Livonia";
    assert!(board.hexes.iter().filter(inside).all(|h| livonia.contains(&h.hex)));
    assert!(livonia.contains(&hex("0206")), "Mitau lies on its rim");
    assert!(!livonia.contains(&hex("0800")), "Nöteborg does not");
    assert!(board.region("sweden").unwrap().is_superset(&livonia));
    let block = board.region("0303-0202").unwrap();
    assert_eq!(block, ["0202", "0203", "0302", "0303"].map(hex).into());
    assert_eq!(board.region("Atlantis"), None);
    assert_eq!(board.region("9090-9191"), None);
}

#[test]
fn roads_and_moves_are_cut_where_the_part_ends() {
    let mut board = sample::board();
    let far = ["0304", "0305", "0205", "0206"].map(hex);
    board.arrows[0].path = far.to_vec();
    let part = board.within(&["0304", "0305", "0206"].map(hex).into());
    assert_eq!(part.arrows.len(), 1);
    assert_eq!(part.arrows[0].path, ["0304", "0305"].map(hex));
}

#[test]
fn boxes_straits_roads_and_links_are_drawn_and_explained() {
    let mut board = livonia::board();
    let land = board.hexes.iter().find(|h| h.hex == hex("0704")).unwrap().clone();
    board.hexes.push(HexPicture { hex: hex("1004"), ground: "box".to_owned(), name: "Moscow".to_owned(), ..land });
    board.links.push(LinkPicture { ends: [hex("0704"), hex("1004")], sea: false });
    board.sides[0].strait = true;
    board.roads.push(crate::engine::board_picture::RoadPicture {
        name: "the Narva road".to_owned(),
        hexes: ["0501", "0401", "0301", "0201"].map(hex).to_vec(),
    });
    let svg = board_svg(&board);
    for words in [
        "Moscow",
        "class=\"link\"",
        "class=\"strait t2\"",
        "class=\"road\"",
        ">strait: ships only<",
        ">box off the map<",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    let plain = board_svg(&livonia::board());
    for words in ["class=\"link", "class=\"strait", "class=\"road", ">road<", "retreat</text>"] {
        assert!(!plain.contains(words), "{words}");
    }
}

#[test]
fn the_same_board_is_the_same_picture() {
    assert_eq!(board_svg(&livonia::board()), board_svg(&livonia::board()));
    assert!(board_svg(&largest()).len() < 1_200_000);
}

/// The key under a picture of a part lists nothing that does not occur in it.
#[test]
fn the_key_lists_what_occurs() {
    let board = livonia::board();
    let svg = board_svg(&board.within(&board.around(hex("0300"), 0)));
    for absent in ["forest</text>", "river</text>", "port</text>", "Sweden</text>", "frontier</text>"] {
        assert!(!svg.contains(absent), "{absent}");
    }
    assert!(Rect::around(0.0, 0.0, 1.0, 1.0).overlaps(&Rect::around(1.5, 0.0, 1.0, 1.0)));
}

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
    board.grid = Grid::FlatEvenColumns;
    assert!(board_svg(&board).contains("Mitau"));
    board.hexes.clear();
    let svg = board_svg(&board);
    assert!(svg.starts_with("<svg") && !svg.contains("inf") && !svg.contains("NaN"), "{svg}");
}

#[test]
fn ink_can_be_read() {
    assert_eq!((ink_on("#2b5c9e"), ink_on("#f0d060"), ink_on("nonsense")), ("#ffffff", "#1c150e", "#ffffff"));
}
