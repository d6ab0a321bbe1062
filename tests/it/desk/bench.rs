//! An umpire's folder to try things in: fixed secrets, a fixed clock, letters dropped and read as players do.

use super::numbers;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use umpire::campaign::CampaignFiles;
use umpire::daemon::{Folder, Pass, pass};
use umpire::desk::NewGame;
use umpire::engine::{GameId, Player, SeatId, Secret};
use umpire::mail;

pub const NORTH: &str = "Nils North <nils@example.org>";
pub const SOUTH: &str = "Sofia South <sofia@example.org>";

pub fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// When the bench's game is opened. Its first orders close a week later, at eight.
pub fn opened() -> Timestamp {
    at("2027-01-04T12:00:00Z")
}

pub fn deadline() -> Timestamp {
    at("2027-01-11T20:00:00Z")
}

pub fn later(hours: i64) -> SignedDuration {
    SignedDuration::from_hours(hours)
}

pub fn minute() -> SignedDuration {
    SignedDuration::from_mins(1)
}

pub struct Bench {
    pub dir: PathBuf,
    pub folder: Folder,
    pub game: GameId,
    _keep: Option<tempfile::TempDir>,
}

/// A letter that lies in the outbox maildir.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sent {
    pub to: String,
    pub subject: String,
    pub text: String,
    pub message_id: String,
    /// The letter that it answers, if it answers one; else the thread's name.
    pub in_reply_to: Option<String>,
    pub raw: Vec<u8>,
}

pub fn player(name: &str, address: &str) -> Player {
    Player { name: name.to_owned(), address: address.to_owned(), zone: "Europe/Stockholm".to_owned() }
}

pub fn campaign(more: &str) -> CampaignFiles {
    let toml = format!("title = \"Numbers\"\nsystem = \"numbers\"\n{more}");
    CampaignFiles { name: "numbers".to_owned(), files: BTreeMap::from([("campaign.toml".to_owned(), toml)]) }
}

impl Bench {
    pub fn new() -> Self {
        Self::with("", "")
    }

    /// A bench whose umpire.toml and campaign.toml say something more.
    pub fn with(config: &str, campaign_toml: &str) -> Self {
        let keep = tempfile::tempdir().unwrap();
        let mut bench = Self::at(keep.path(), config);
        bench._keep = Some(keep);
        bench.open_game("duel", campaign_toml);
        bench
    }

    /// A bench whose umpire.toml says something more of the umpire.
    pub fn with_head(umpire: &str) -> Self {
        let keep = tempfile::tempdir().unwrap();
        let config = format!("[umpire]\naddress = \"umpire@example.org\"\n{umpire}[games]\nzone = \"UTC\"\n");
        Folder::create_with(keep.path(), &config, &Secret::from_bytes([1; 32])).unwrap();
        let mut bench = Self::reopen(keep.path());
        bench._keep = Some(keep);
        bench.open_game("duel", "");
        bench
    }

    pub fn at(dir: &Path, config: &str) -> Self {
        Self::at_with(dir, "", config)
    }

    /// In a folder whose umpire.toml says something more of the umpire and of the games.
    pub fn at_with(dir: &Path, umpire: &str, games: &str) -> Self {
        let config = format!("[umpire]\naddress = \"umpire@example.org\"\n{umpire}[games]\nzone = \"UTC\"\n{games}");
        Folder::create_with(dir, &config, &Secret::from_bytes([1; 32])).unwrap();
        Self::reopen(dir)
    }

    pub fn reopen(dir: &Path) -> Self {
        let folder = Folder::open_with(dir, numbers::start).unwrap();
        Self { dir: dir.to_owned(), folder, game: GameId::new("duel"), _keep: None }
    }

    pub fn open_game(&mut self, name: &str, campaign_toml: &str) {
        let new = NewGame {
            game: GameId::new(name),
            campaign: campaign(campaign_toml),
            players: BTreeMap::from([
                (SeatId::new("north"), player("Nils North", "nils@example.org")),
                (SeatId::new("south"), player("Sofia South", "sofia@example.org")),
            ]),
            zone: None,
            secret: Some(Secret::from_bytes([2; 32])),
        };
        self.folder.desk.open_game(&new, opened()).unwrap();
    }

    /// Drops a letter into the inbox, received at `received`.
    pub fn drop(&self, name: &str, from: &str, subject: &str, body: &str, received: Timestamp) {
        let raw = format!(
            "From: {from}\r\nTo: umpire@example.org\r\nSubject: {subject}\r\nMessage-ID: <{name}@example.org>\r\n\r\n{body}\r\n"
        );
        self.drop_raw(name, raw.as_bytes(), received);
    }

    pub fn drop_raw(&self, name: &str, raw: &[u8], received: Timestamp) {
        mail::deliver(&self.folder.config.inbox, name, raw, received).unwrap();
    }

    /// A pass that must go through.
    pub fn pass(&mut self, now: Timestamp) -> Pass {
        let pass = pass(&mut self.folder, now);
        assert!(pass.failures.is_empty(), "{:#?}", pass.failures);
        pass
    }

    /// All letters in the outbox maildir, in the sequence in which they were written.
    pub fn sent(&mut self) -> Vec<Sent> {
        let all = self.folder.config.outbox.join("new");
        let read = |path: PathBuf| {
            let raw = std::fs::read(path).unwrap();
            let letter = mail::read(&raw);
            Sent {
                to: letter.to[0].addr.as_ref().unwrap().to_string(),
                subject: letter.subject.clone().unwrap(),
                text: plain_text(&raw),
                message_id: letter.message_id.clone().unwrap(),
                in_reply_to: letter.in_reply_to.first().cloned(),
                raw,
            }
        };
        let mut sent: Vec<Sent> = std::fs::read_dir(all)
            .map(|dir| dir.map(|entry| read(entry.unwrap().path())).collect())
            .unwrap_or_default();
        sent.sort_by(|a, b| (&a.to, &a.message_id).cmp(&(&b.to, &b.message_id)));
        sent
    }

    /// Takes all letters out of the outbox maildir.
    pub fn take_sent(&mut self) -> Vec<Sent> {
        let sent = self.sent();
        let all = self.folder.config.outbox.join("new");
        for entry in std::fs::read_dir(&all).into_iter().flatten() {
            let path = entry.unwrap().path();
            let read = self.folder.config.outbox.join("cur").join(path.file_name().unwrap());
            std::fs::rename(path, read).unwrap();
        }
        sent
    }

    /// Both players name a number, the turn closes, its letters are cleared away. Gives the moment of closing.
    pub fn play_first_turn(&mut self) -> Timestamp {
        self.drop("n1", NORTH, "[duel] orders", "number 5", opened() + later(1));
        self.drop("s1", SOUTH, "[duel] orders", "number 3", opened() + later(1));
        self.pass(opened() + later(2));
        let closing = deadline() + minute();
        assert_eq!(self.pass(closing).closed.len(), 1);
        self.take_sent();
        closing
    }
}

/// The plain part of a letter of ours: it is marked as an umpire's, so that `mail` would read no words in it.
/// A letter's text, as it is read.
pub fn plain_text(raw: &[u8]) -> String {
    let message = mail_parser::MessageParser::default().parse(raw).unwrap();
    message.body_text(0).unwrap().replace("\r\n", "\n")
}

/// The letters to one address.
pub fn to<'s>(sent: &'s [Sent], address: &str) -> Vec<&'s Sent> {
    sent.iter().filter(|letter| letter.to == address).collect()
}
