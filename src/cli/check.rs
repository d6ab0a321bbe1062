//! `umpire check`: orders read as a letter of that seat would be, and nothing stored.

use super::folder::{Folder, bytes_of};
use super::{Failure, Outcome};
use crate::engine::{GameId, SeatId};
use crate::results::facts::Acknowledgement;
use crate::results::letters;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Whose orders, and where they stand.
#[derive(clap::Args, Debug)]
pub(super) struct Whose {
    /// The seat whose orders they are
    #[arg(long)]
    seat: String,
    /// The game; may be left out if there is only one
    #[arg(long)]
    game: Option<String>,
    /// Words as a player types them, or a raw letter; - for standard input
    file: PathBuf,
}

impl Whose {
    /// The words, the folder, and the game and seat that are meant.
    pub fn open(&self, path: &Path) -> Result<(Vec<u8>, Folder, GameId, SeatId), Failure> {
        let raw = bytes_of(&self.file)?;
        let mut folder = Folder::open(path)?;
        let game = folder.game(self.game.as_deref())?;
        let seat = folder.seat(&game, &self.seat)?;
        Ok((raw, folder, game, seat))
    }
}

/// `umpire check`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    whose: Whose,
    /// The orders as typed structures with their words, complaints and readings, as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let (raw, mut folder, game, seat) = args.whose.open(path)?;
    let now = folder.now();
    let (sheet, read) = folder.desk().check(&game, &seat, &raw, now)?;
    if args.json {
        println!("{}", serde_json::to_string_pretty(&serde_json::json!({ "sheet": sheet, "read": read }))?);
    } else {
        print!("{}", letters::check_text(folder.desk().templates(), &read)?);
    }
    Ok(doubtful(&read))
}

/// 0 if everything was taken as it stands, 1 if a line was refused or waits for an answer: for scripts.
fn doubtful(read: &Acknowledgement) -> ExitCode {
    use crate::engine::ComplaintKind::{Illegal, NotUnderstood};
    let refused = read.sheet.complaints.iter().any(|c| matches!(c.kind, Illegal | NotUnderstood));
    if refused || !read.sheet.questions.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
