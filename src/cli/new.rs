//! `umpire new`: makes an umpire's folder, and opens games in it.

use super::folder::Folder;
use super::{Failure, Outcome, print};
use crate::campaign;
use crate::config::FILE;
use crate::daemon;
use crate::desk::NewGame;
use crate::engine::{GameId, Player, SeatId};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
Examples:
  umpire -C play new --address umpire@example.org
  umpire -C play new livonia --campaign livonia-1700 --zone Europe/Stockholm \\
      --seat \"sweden=Astrid Lind <astrid@example.org>, Europe/Stockholm\" \\
      --seat \"russia=Pavel Orlov <pavel@example.org>, Europe/Moscow\"";

/// `umpire new`.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub(super) struct Args {
    /// The game's short name, as it will stand in subjects: [livonia]; without it only the folder is made
    #[arg(requires = "campaign")]
    game: Option<String>,
    /// The campaign, by its folder's name
    #[arg(long, requires = "game")]
    campaign: Option<String>,
    /// Who sits where: SEAT=NAME <ADDRESS>, ZONE (the zone may be left out). Once for each player
    #[arg(long = "seat", value_name = "SEAT=PLAYER", requires = "game")]
    seats: Vec<String>,
    /// The time zone in which the game's deadlines stand
    #[arg(long, requires = "game")]
    zone: Option<String>,
    /// The address to which players write, for a new folder
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    if !path.join(FILE).exists() {
        make_folder(path, args)?;
    } else if args.game.is_none() {
        return Err(Failure::new(
            format!("{} is an umpire's folder already", path.display()),
            "give a game's name to open one in it",
        ));
    }
    let (Some(game), Some(name)) = (&args.game, &args.campaign) else { return Ok(ExitCode::SUCCESS) };
    let mut folder = Folder::open(path)?;
    let own = folder.inner.campaigns();
    let campaign = campaign::find(name, Some(&own))?;
    let players = args.seats.iter().map(|text| seated(text)).collect::<Result<BTreeMap<_, _>, _>>()?;
    let new = NewGame { game: GameId::new(game), campaign, players, zone: args.zone.clone(), secret: None };
    let now = folder.now();
    folder.desk().open_game(&new, now)?;
    let status = folder.desk().status(&new.game, now)?;
    println!("{game} is open: {} ({name}).", status.title);
    for line in &status.waits_for {
        println!("  {line}");
    }
    let empty: Vec<&str> =
        status.seats.iter().filter(|seat| seat.player.is_none()).map(|seat| seat.name.as_str()).collect();
    if !empty.is_empty() {
        println!("  Without player: {}.", print::list(&empty, ""));
    }
    print::outbox_hint();
    Ok(ExitCode::SUCCESS)
}

fn make_folder(path: &Path, args: &Args) -> Result<(), Failure> {
    let Some(address) = &args.address else {
        return Err(Failure::new(
            format!("{} is no umpire's folder yet", path.display()),
            "give --address, the mail address to which players write, and it is made",
        ));
    };
    daemon::Folder::create(path, &Folder::configuration(address))?;
    println!("Made an umpire's folder in {}; its {FILE} explains itself.", path.display());
    Ok(())
}

/// `sweden=Astrid Lind <astrid@example.org>, Europe/Stockholm`.
fn seated(text: &str) -> Result<(SeatId, Player), Failure> {
    let fault = || {
        Failure::new(
            format!("\"{text}\" seats nobody"),
            "write SEAT=NAME <ADDRESS>, ZONE: \"sweden=Astrid Lind <astrid@example.org>, Europe/Stockholm\"",
        )
    };
    let (seat, player) = text.split_once('=').ok_or_else(fault)?;
    let player = player_of(player).ok_or_else(fault)?;
    Ok((SeatId::new(seat.trim()), player))
}

/// `Astrid Lind <astrid@example.org>, Europe/Stockholm`; the zone may be left out.
pub(super) fn player_of(text: &str) -> Option<Player> {
    let (name, rest) = text.split_once('<')?;
    let (address, zone) = rest.split_once('>')?;
    let zone = zone.trim().trim_start_matches(',').trim();
    Some(Player {
        name: name.trim().to_owned(),
        address: address.trim().to_owned(),
        zone: if zone.is_empty() { "UTC".to_owned() } else { zone.to_owned() },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_is_written_like_a_mail_address() {
        let (seat, player) = seated("sweden=Astrid Lind <astrid@example.org>, Europe/Stockholm").unwrap();
        assert_eq!((seat.as_str(), player.name.as_str()), ("sweden", "Astrid Lind"));
        assert_eq!((player.address.as_str(), player.zone.as_str()), ("astrid@example.org", "Europe/Stockholm"));
        assert_eq!(seated("sweden=A <a@example.org>").unwrap().1.zone, "UTC");
        assert!(seated("sweden: Astrid").is_err());
    }
}
