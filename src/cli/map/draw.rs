//! `umpire map`: a board drawn into a file.

use super::super::folder::Folder;
use super::super::{Failure, Outcome};
use super::place;
use crate::desk::Chart;
use crate::engine::board_picture::BoardPicture;
use crate::engine::{Game, SeatId, TurnNo, Viewer};
use crate::results::picture;
use crate::results::picture::png::{self, Size};
use crate::{campaign, rules};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `umpire map` without a subcommand.
#[derive(clap::Args, Debug)]
pub(super) struct DrawArgs {
    /// A campaign, by its folder's name: its board at the start
    #[arg(value_name = "CAMPAIGN", conflicts_with_all = ["game", "turn"])]
    campaign: Option<String>,
    /// A game of this folder: its board after the newest turn; may be left out if there is only one
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The board after this turn of the game, with its battles and moves
    #[arg(long, value_name = "NUMBER")]
    turn: Option<u16>,
    /// Through whose eyes: a seat, "public" or "umpire"
    #[arg(long, value_name = "SEAT", default_value = "public")]
    seat: String,
    /// Only what lies about this place: any name of it that the campaign knows, or a hex number
    #[arg(long, value_name = "PLACE", conflicts_with = "region")]
    around: Option<String>,
    /// How many hexes about it
    #[arg(long, value_name = "HEXES", default_value_t = 3, requires = "around")]
    radius: u32,
    /// Only a province, the land of a seat, or the hexes between two numbers, as 0203-0806
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// The file: .svg or .png; NAME.svg here if left out
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// PNG: how many times as large as on a screen
    #[arg(long, value_name = "TIMES", conflicts_with = "width")]
    scale: Option<f32>,
    /// PNG: how many pixels across
    #[arg(long, value_name = "PIXELS")]
    width: Option<u32>,
}

pub(super) fn run(path: &Path, args: &DrawArgs) -> Outcome {
    let (name, chart) = match &args.campaign {
        Some(name) => (name.clone(), of_campaign(path, name, &args.seat)?),
        None => of_game(path, args)?,
    };
    let board = cut(&chart, args)?;
    let file = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.svg")));
    let ending = file.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    let bytes = match ending.as_deref() {
        Some("svg") => picture::board_svg(&board).into_bytes(),
        Some("png") => png::board_png(&board, size(args))?,
        _ => {
            let what = format!("{} is neither .svg nor .png", file.display());
            return Err(Failure::new(what, "the ending of the file says what it becomes"));
        }
    };
    std::fs::write(&file, bytes)
        .map_err(|fault| Failure::new(format!("could not write {}: {fault}", file.display()), ""))?;
    println!("{}: {} hexes", file.display(), board.hexes.len());
    Ok(ExitCode::SUCCESS)
}

fn size(args: &DrawArgs) -> Size {
    match (args.width, args.scale) {
        (Some(width), _) => Size::Width(width),
        (None, scale) => Size::Scale(scale.unwrap_or(1.0)),
    }
}

fn of_campaign(path: &Path, name: &str, seat: &str) -> Result<Chart, Failure> {
    let files = campaign::find(name, Some(&path.join("campaigns")))?;
    let faulty = |faults: Vec<crate::engine::DataFault>| {
        let lines: Vec<String> = faults.iter().map(|fault| format!("  {fault}")).collect();
        Failure::new(format!("{name} cannot be drawn as it is:\n{}", lines.join("\n")), "`umpire map check` says more")
    };
    let heading = files.heading().map_err(faulty)?;
    let game = rules::start(&heading.system, &files.files).map_err(faulty)?;
    let viewer = viewer(game.as_ref(), seat)?;
    let board = game.board(&viewer);
    let board = board.ok_or_else(|| Failure::new(format!("{name} has no board that can be drawn"), ""))?;
    Ok(Chart { board, places: game.places() })
}

fn viewer(game: &dyn Game, named: &str) -> Result<Viewer, Failure> {
    let wanted = named.trim().to_lowercase();
    let seats = game.seats();
    let seat = seats.iter().find(|seat| seat.id.as_str() == wanted || seat.name.to_lowercase() == wanted);
    match (wanted.as_str(), seat) {
        ("public", _) => Ok(Viewer::Public),
        ("umpire", _) => Ok(Viewer::Umpire),
        (_, Some(seat)) => Ok(Viewer::Seat(seat.id.clone())),
        (_, None) => {
            let known: Vec<&str> = seats.iter().map(|seat| seat.id.as_str()).collect();
            let help = format!("its seats: {}; or public, or umpire", known.join(", "));
            Err(Failure::new(format!("there is no seat \"{named}\""), help))
        }
    }
}

fn of_game(path: &Path, args: &DrawArgs) -> Result<(String, Chart), Failure> {
    let mut folder = Folder::open(path).map_err(|failure| match &args.game {
        Some(_) => failure,
        None => Failure::new(failure.what, format!("name a campaign: {}", campaigns(path))),
    })?;
    let game = folder.game(args.game.as_deref())?;
    let viewer = match args.seat.trim().to_lowercase().as_str() {
        "public" => Viewer::Public,
        "umpire" => Viewer::Umpire,
        named => Viewer::Seat(folder.seat(&game, named)?),
    };
    let now = folder.now();
    let chart = folder.desk().chart(&game, args.turn.map(|turn| TurnNo(turn.into())), &viewer, now)?;
    Ok((file_name(game.as_str(), &viewer), chart))
}

/// A seat's own view gets a name of its own: it must not go to another by mistake.
fn file_name(game: &str, viewer: &Viewer) -> String {
    match viewer {
        Viewer::Public => game.to_owned(),
        Viewer::Umpire => format!("{game}-umpire"),
        Viewer::Seat(seat) => format!("{game}-{}", SeatId::as_str(seat)),
    }
}

fn campaigns(path: &Path) -> String {
    campaign::list(Some(&path.join("campaigns"))).unwrap_or_default().join(", ")
}

fn cut(chart: &Chart, args: &DrawArgs) -> Result<BoardPicture, Failure> {
    let board = &chart.board;
    let hexes = match (&args.around, &args.region) {
        (Some(named), _) => {
            let hex = place::find(chart, named)?;
            board.around(hex, args.radius)
        }
        (None, Some(named)) => board.region(named).ok_or_else(|| {
            let known = board.regions();
            let near = place::nearest(named, known.iter().map(String::as_str));
            Failure::new(format!("there is no province or seat \"{named}\" on this board"), place::did_you_mean(&near))
        })?,
        (None, None) => return Ok(board.clone()),
    };
    Ok(board.within(&hexes))
}
