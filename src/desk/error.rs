//! What can go wrong at the desk, and whom it concerns.

use crate::engine::{DataFault, GameId, JournalFault};
use crate::post::{BadDomain, ComposeError};
use crate::results::TemplateFault;
use crate::store::StoreError;

/// A verb that was not carried out. Nothing of it has happened.
#[derive(Debug, thiserror::Error)]
pub enum DeskError {
    /// The file.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The rules cannot read the journal.
    #[error("game {game}: {fault} (a program with those rules can; the game stands still until then)")]
    Rules {
        /// The game.
        game: GameId,
        /// What they cannot read.
        fault: JournalFault,
    },
    /// The journal makes no sense.
    #[error("game {game}: {why} (restore the folder from a backup)")]
    Broken {
        /// The game.
        game: GameId,
        /// What does not fit.
        why: String,
    },
    /// A template is faulty.
    #[error("a letter could not be worded: {0} (mend the template, or take it out of your folder)")]
    Template(#[from] TemplateFault),
    /// A letter cannot be put together.
    #[error("a letter could not be written: {0}")]
    Compose(#[from] ComposeError),
    /// The umpire's own address is no good for Message-IDs.
    #[error("umpire.toml, umpire.address: {0}")]
    Domain(#[from] BadDomain),
    /// A campaign's data are faulty.
    #[error("the campaign cannot be played as it is:\n{}", .0.iter().map(|f| format!("  {f}")).collect::<Vec<_>>().join("\n"))]
    Campaign(Vec<DataFault>),
    /// Something about time zones or the calendar.
    #[error("time: {0}")]
    Time(#[from] jiff::Error),
    /// The operating system gave no randomness.
    #[error("the operating system has no randomness to give: {0}")]
    Randomness(String),
    /// There is no such game.
    #[error("there is no game \"{asked}\" in this folder; {}", if known.is_empty() { "there is none yet".to_owned() } else { format!("its games: {}", known.join(", ")) })]
    NoGame {
        /// As asked for.
        asked: String,
        /// The games there are.
        known: Vec<String>,
    },
    /// What was asked for cannot be done as things stand.
    #[error("{what}{}", if help.is_empty() { String::new() } else { format!(" ({help})") })]
    Refused {
        /// Why not, a sentence.
        what: String,
        /// What to do instead.
        help: String,
    },
}

impl DeskError {
    /// A refusal with advice.
    pub fn refused(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Refused { what: what.into(), help: help.into() }
    }

    /// Whether the same verb may well succeed later without anybody mending anything.
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Store(fault) if fault.is_retryable())
    }

    /// Whether the disk is full.
    pub fn is_full_disk(&self) -> bool {
        matches!(self, Self::Store(fault) if fault.is_full())
    }

    /// Whether the one who asked can mend it by asking otherwise; if not, the folder or the program needs the umpire.
    pub fn is_users_mistake(&self) -> bool {
        matches!(self, Self::NoGame { .. } | Self::Refused { .. } | Self::Campaign(_))
    }
}
