//! The pages of `site/`: plain files that any web server can show, with no outside resource and no script needed.

use super::entry::Section;
use super::facts::{FrontPage, Moment, Results};
use super::letters::ResultsView;
use super::picture;
use super::templates::{TemplateFault, Templates};
use super::words;
use crate::engine::board_picture::BoardPicture;
use serde::Serialize;
use std::collections::BTreeMap;

/// The file of a turn's issue within its game's folder: `1-spring-1700-2.html`. What [`game_pages`] writes, and what a
/// [`TurnLink`](super::facts::TurnLink) has to name.
pub fn file_name(results: &Results) -> String {
    let phase = words::slug(&results.occasion.phase);
    format!("{}-{phase}-{}.html", results.occasion.turn, results.issue)
}

/// All pages of a game, by path relative to `site/`: `<game>/index.html`, a page per issue of a turn, and `style.css`, which
/// all games share. `turns` are the results as everybody may read them, every issue, in order of play.
///
/// # Errors
/// If a template is faulty.
pub fn game_pages(
    templates: &Templates,
    front: &FrontPage,
    turns: &[Results],
) -> Result<BTreeMap<String, String>, TemplateFault> {
    let game = &front.occasion.game;
    let system = &front.occasion.system;
    let mut pages = BTreeMap::from([("style.css".to_owned(), templates.style().to_owned())]);
    let board = turns.iter().rev().find_map(|t| t.report.board.as_ref());
    let view = FrontView {
        front,
        board: drawn(board),
        board_phase: turns.last().map(|t| t.occasion.phase.as_str()).unwrap_or_default(),
        now: front.turns.first().and_then(|t| t.moment.as_ref()),
        newest: turns.last().map(file_name).unwrap_or_default(),
        css: "../style.css",
    };
    let name = templates.name_for(system, "game.html");
    pages.insert(format!("{game}/index.html"), templates.render(&name, &view)?);
    for (at, results) in turns.iter().enumerate() {
        let page = turn_page(templates, results, turns, at)?;
        pages.insert(format!("{game}/{}", file_name(results)), page);
    }
    Ok(pages)
}

/// What the `index.html` at the top of `site/` tells of a game: its front page with the newest turn only, and without what
/// grows with the game. An umpire may have thousands of games.
pub fn in_index(front: &FrontPage) -> FrontPage {
    FrontPage {
        occasion: front.occasion.clone(),
        turns: front.turns.first().cloned().into_iter().collect(),
        challenges: Vec::new(),
        rulings: Vec::new(),
        seats: front.seats.clone(),
        house_rules: Vec::new(),
        held: front.held.clone(),
        roots: Vec::new(),
    }
}

/// The `index.html` at the top of `site/`: the games of this umpire, each as [`in_index`] tells it.
///
/// # Errors
/// If a template is faulty.
pub fn index_page<G: Serialize>(templates: &Templates, games: &[G]) -> Result<String, TemplateFault> {
    #[derive(Serialize)]
    struct View<'a, G> {
        games: &'a [G],
        css: &'a str,
    }
    templates.render("shared/site.html", &View { games, css: "style.css" })
}

#[derive(Serialize)]
struct FrontView<'a> {
    #[serde(flatten)]
    front: &'a FrontPage,
    board: String,
    board_phase: &'a str,
    now: Option<&'a Moment>,
    newest: String,
    css: &'a str,
}

#[derive(Serialize)]
struct TurnView<'a> {
    #[serde(flatten)]
    results: ResultsView<'a>,
    board: String,
    issues: Vec<Link>,
    superseded_by: Option<Link>,
    before: Option<Link>,
    after: Option<Link>,
    contents: Vec<Link>,
    css: &'a str,
}

/// A link with its words.
#[derive(Serialize)]
struct Link {
    to: String,
    words: String,
    here: bool,
}

fn turn_page(templates: &Templates, results: &Results, turns: &[Results], at: usize) -> Result<String, TemplateFault> {
    let turn = results.occasion.turn;
    let same: Vec<&Results> = turns.iter().filter(|t| t.occasion.turn == turn).collect();
    let neighbour = |other: Option<&Results>| {
        other.map(|t| Link { to: file_name(t), words: t.occasion.phase.clone(), here: false })
    };
    let issue =
        |t: &&Results| Link { to: file_name(t), words: format!("issue {}", t.issue), here: t.issue == results.issue };
    let view = ResultsView::of(templates, results);
    let contents = contents(&view.sections);
    let page = TurnView {
        board: drawn(results.report.board.as_ref()),
        issues: same.iter().map(issue).collect(),
        superseded_by: same.iter().max_by_key(|t| t.issue).filter(|t| t.issue > results.issue).map(issue),
        before: neighbour(turns.iter().take(at).rev().find(|t| t.occasion.turn < turn)),
        after: neighbour(
            turns.iter().filter(|t| t.occasion.turn > turn).min_by_key(|t| (t.occasion.turn, u16::MAX - t.issue)),
        ),
        contents,
        css: "../style.css",
        results: view,
    };
    templates.render(&templates.name_for(&results.occasion.system, "turn.html"), &page)
}

/// Links to the sections of a page, which the template anchors as `part1`, `part2` ... in order.
fn contents(sections: &[Section]) -> Vec<Link> {
    let link = |(i, section): (usize, &Section)| Link {
        to: format!("#part{}", i + 1),
        words: section.heading.clone(),
        here: false,
    };
    sections.iter().enumerate().map(link).collect()
}

fn drawn(board: Option<&BoardPicture>) -> String {
    board.map(picture::board_svg).unwrap_or_default()
}
