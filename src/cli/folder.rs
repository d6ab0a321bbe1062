//! An umpire's folder as the commands use it: the daemon's, with the time and the names that an umpire types.

use super::Failure;
use crate::clock::Clock;
use crate::config::{EXAMPLE, FILE};
use crate::daemon;
use crate::desk::Desk;
use crate::engine::{GameId, SeatId};
use jiff::Timestamp;
use std::path::Path;

/// An open folder.
pub(super) struct Folder {
    /// The folder.
    pub inner: daemon::Folder,
    /// What time it is here.
    pub clock: Clock,
}

impl Folder {
    /// Opens an umpire's folder.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        Self::open_with(path, Clock::Wall)
    }

    /// Opens an umpire's folder in which a clock of its own runs.
    pub fn open_with(path: &Path, clock: Clock) -> Result<Self, Failure> {
        if !path.join(FILE).exists() {
            return Err(Failure::new(
                format!("{} is no umpire's folder: it has no {FILE}", path.display()),
                "name one with -C DIR; `umpire new` makes one, `umpire demo` one to look at",
            ));
        }
        Ok(Self { inner: daemon::Folder::open(path)?, clock })
    }

    /// The desk.
    pub fn desk(&mut self) -> &mut Desk {
        &mut self.inner.desk
    }

    /// The commented example configuration with another address.
    pub fn configuration(address: &str) -> String {
        EXAMPLE.replace("umpire@example.org", address)
    }

    /// What time it is.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The game that is meant: the one named, or the only one there is.
    pub fn game(&mut self, named: Option<&str>) -> Result<GameId, Failure> {
        let games = self.inner.desk.games()?;
        let list = || games.iter().map(GameId::as_str).collect::<Vec<_>>().join(", ");
        match (named, games.as_slice()) {
            (Some(name), _) => games.iter().find(|game| game.as_str() == name).cloned().ok_or_else(|| {
                Failure::new(format!("there is no game \"{name}\" in this folder"), format!("its games: {}", list()))
            }),
            (None, [only]) => Ok(only.clone()),
            (None, []) => {
                Err(Failure::new("there is no game in this folder yet", "`umpire new NAME --campaign ...` opens one"))
            }
            (None, _) => {
                Err(Failure::new("there are several games in this folder", format!("name one of: {}", list())))
            }
        }
    }

    /// The seat that is meant, by its slug or name in any case.
    pub fn seat(&mut self, game: &GameId, named: &str) -> Result<SeatId, Failure> {
        let now = self.now();
        let seats = self.inner.desk.status(game, now)?.seats;
        let wanted = named.trim().to_lowercase();
        let fits = |slug: &str, name: &str| slug == wanted || name.to_lowercase() == wanted;
        let exact = seats.iter().find(|seat| fits(seat.seat.as_str(), &seat.name));
        let begins: Vec<_> = seats
            .iter()
            .filter(|seat| seat.seat.as_str().starts_with(&wanted) || seat.name.to_lowercase().starts_with(&wanted))
            .collect();
        match (exact, begins.as_slice()) {
            (Some(seat), _) => Ok(seat.seat.clone()),
            (None, [seat]) => Ok(seat.seat.clone()),
            _ => {
                let known: Vec<&str> = seats.iter().map(|seat| seat.seat.as_str()).collect();
                Err(Failure::new(
                    format!("there is no seat \"{named}\" in {game}"),
                    format!("its seats: {}", known.join(", ")),
                ))
            }
        }
    }
}

/// The bytes of a file, or of standard input for `-`.
pub(super) fn bytes_of(file: &Path) -> Result<Vec<u8>, Failure> {
    use std::io::Read;
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    std::fs::read(file).map_err(|fault| Failure::new(format!("could not read {}: {fault}", file.display()), ""))
}
