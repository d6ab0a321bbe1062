//! What the demo plays besides the sample letters: who writes them, and a challenge with its ruling. Data of `orders/`.

use super::super::Failure;
use crate::campaign;
use crate::desk::RulingWish;
use crate::engine::{GameId, Player, SeatId};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeMap;

/// `orders/<campaign>/players.toml`.
pub(super) struct Players(BTreeMap<SeatId, Player>);

impl Players {
    pub fn of(campaign: &str) -> Result<Self, Failure> {
        let text = campaign::sample_file(campaign, "players.toml").unwrap_or_default();
        Ok(Self(toml::from_str(text)?))
    }

    pub fn seated(&self) -> BTreeMap<SeatId, Player> {
        self.0.clone()
    }
}

/// `orders/<campaign>/play.toml`: by turn, a challenge and what the umpire makes of it.
pub(super) struct Script(BTreeMap<String, Scene>);

/// A challenge and its ruling.
#[derive(Deserialize, Debug)]
pub(super) struct Scene {
    /// Who challenges.
    pub seat: SeatId,
    /// His words: `CHALLENGE 14: ...`.
    pub challenge: String,
    /// The order that the umpire admits.
    pub admit: String,
    /// His reason.
    pub because: String,
    /// His answer to the player.
    pub answer: String,
}

impl Script {
    pub fn of(campaign: &str) -> Result<Self, Failure> {
        let text = campaign::sample_file(campaign, "play.toml").unwrap_or_default();
        Ok(Self(toml::from_str(text)?))
    }

    /// The scene of a turn: "Spring 1700".
    pub fn scene(&self, phase: &str) -> Option<&Scene> {
        self.0.get(&phase.to_lowercase().replace(' ', "-"))
    }
}

impl Scene {
    /// What the umpire rules.
    pub fn wish(&self) -> RulingWish {
        RulingWish::Admit { seat: self.seat.clone(), words: self.admit.clone() }
    }

    /// The challenge as a raw letter.
    pub fn letter(&self, game: &GameId, players: &Players, phase: &str, at: Timestamp) -> Result<Vec<u8>, Failure> {
        let player =
            players.0.get(&self.seat).ok_or_else(|| Failure::new("the demo's script names an empty seat", ""))?;
        let date = jiff::fmt::rfc2822::to_string(&at.to_zoned_datetime(jiff::tz::TimeZone::UTC))?;
        let text = format!(
            "From: {} <{}>\r\nTo: umpire@example.org\r\nSubject: Re: [{}] {phase}\r\nDate: {date}\r\n\
             Message-ID: <challenge.{}@example.org>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
             Content-Transfer-Encoding: 8bit\r\n\r\n{}\r\n",
            player.name, player.address, game, self.seat, self.challenge
        );
        Ok(text.into_bytes())
    }
}
