//! The umpire's verbs, one file and one transaction each. They know letters, sheets, the registry of rules, results and the
//! store; never a socket, never the clock: the time is passed in.
//!
//! | file        | what it does                                                                    |
//! |-------------|---------------------------------------------------------------------------------|
//! | `policy`    | how an umpire wants his games run                                               |
//! | `table`     | a game's record and its boards, folded from the journal and kept                |
//! | `room`      | what a verb works with: the transaction, the templates, the time                |
//! | `telling`   | the facts that letters and pages are made of                                    |
//! | `enrol`     | opens games, seats players                                                      |
//! | `intake`    | stores a letter, finds out whose it is (`identify`), what it wants (`command`)  |
//! | `orders`    | takes orders into a seat's sheet and acknowledges them                          |
//! | `close`     | seals and adjudicates a turn, releases its results                              |
//! | `announce`  | posts an issue of results and opens the turn that follows                       |
//! | `ruling`    | shows what a ruling would change (`difference`), and rules                      |
//! | `challenge` | takes, lists and answers challenges                                             |
//! | `ratify`    | makes results official                                                          |
//! | `turns`     | extends, holds, resumes                                                         |
//! | `timing`    | when things are due: pure functions of policy, record and time                  |
//! | `ready`     | READY and WAIT                                                                  |
//! | `absence`   | who is away and when (`dates`), and what that does to a deadline                |
//! | `reminder`  | writes to those who have sent nothing                                           |
//! | `seats`     | a new player in an old seat, a seat without player, deputies                    |
//! | `status`    | what the umpire looks at                                                        |
//! | `dry_run`   | a turn worked out with throw-away dice                                          |
//! | `verify`    | works all turns out again and compares                                          |
//! | `why`       | what led to a line of the results, or came of an order                          |
//! | `site`      | the public pages                                                                |
//! | `outbox`    | what is to be sent, and what became of it; when it is tried again (`backoff`)   |
//! | `standing`  | letters that are dropped because a newer one says all that they say             |
//! | `bounce`    | letters that come back, and players who cannot be reached                       |
//! | `window`    | when challenges end if letters left late                                        |
//! | `agenda`    | what each game waits for, without folding it                                    |
//! | `guard`     | nothing closes by a clock that has jumped                                       |
//! | `house`     | whom the umpire was woken for; copies of the folder                             |
//! | `moving`    | a game taken to another folder                                                  |

mod absence;
mod agenda;
mod announce;
mod backoff;
mod bounce;
mod challenge;
mod chart;
mod close;
mod command;
mod dates;
mod difference;
mod dry_run;
mod enrol;
mod error;
mod guard;
mod house;
mod identify;
mod intake;
mod moving;
mod orders;
mod outbox;
mod policy;
mod ratify;
mod ready;
mod reminder;
mod room;
mod ruling;
mod seats;
mod site;
mod standing;
mod status;
mod table;
mod telling;
mod timing;
mod turns;
mod verify;
mod why;
mod window;
mod words;

pub use crate::store::{
    BadAddress, Companion, IntakeRow, LineDown, MovedGame, MovedLetter, MovedPost, OutboxRow, Outcome, PostState,
    RawEntry, StoreError, Taken,
};
pub use absence::AbsenceNoted;
pub use challenge::ChallengeView;
pub use chart::Chart;
pub use close::Closed;
pub use difference::DiceCount;
pub use dry_run::DryRun;
pub use enrol::NewGame;
pub use error::DeskError;
pub use guard::ClockTrouble;
pub use intake::{Handled, Incoming};
pub use orders::in_short;
pub use outbox::{OutboxView, TakenUp};
pub use policy::{AbsenceRule, GamePolicy, Holiday, Language, Missing, Policy, PostPolicy, Posting};
pub use ratify::Ratified;
pub use ruling::{Preview, Ruled, RulingWish};
pub use site::GamePages;
pub use status::{GameStatus, LetterView, SeatStatus, TurnStatus};
pub use table::Start;
pub use verify::{TurnVerified, Verdict, Verified};
pub use why::{Fate, Ordered, Reason};

use crate::engine::{GameId, Secret};
use crate::post::MessageIds;
use crate::results::Templates;
use crate::store::{CommitObserver, Store};
use jiff::Timestamp;
use room::Room;
use std::path::Path;
use table::Tables;

/// The umpire's desk in one folder.
pub struct Desk {
    store: Store,
    policy: Policy,
    templates: Templates,
    ids: MessageIds,
    secret: Secret,
    edition: u32,
    tables: Tables,
}

impl Desk {
    /// Makes the store of a folder; `secret` is what its Message-IDs and receipt codes are derived from.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create_store(folder: &Path, secret: &Secret) -> Result<(), DeskError> {
        Store::create(folder, secret)?;
        Ok(())
    }

    /// Sits down at the desk of a folder. `start` is the registry of rule systems: [`crate::rules::start`] but in tests of the desk.
    ///
    /// # Errors
    /// If the store cannot be read, or the umpire's address cannot be used.
    pub fn open(folder: &Path, policy: Policy, templates: Templates, start: Start) -> Result<Self, DeskError> {
        let mut store = Store::open(folder)?;
        let secret = store.read(|tx| tx.secret()).map_err(|fault: StoreError| fault)?;
        let domain = policy.umpire_address.rsplit('@').next().unwrap_or_default();
        let ids = MessageIds::new(secret.derive("message ids").as_bytes(), domain)?;
        let edition = agenda::edition(&policy);
        let mut desk = Self { store, policy, templates, ids, secret, edition, tables: Tables::new(start) };
        desk.refresh_agenda()?;
        Ok(desk)
    }

    /// The games of the folder.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn games(&mut self) -> Result<Vec<GameId>, DeskError> {
        self.store.read(|tx| Ok(tx.games()?))
    }

    /// How games are run here.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The templates in use.
    pub fn templates(&self) -> &Templates {
        &self.templates
    }

    /// Has `observer` called after every commit that may have written.
    pub fn after_commit(&mut self, observer: CommitObserver) {
        self.store.after_commit(observer);
    }

    /// What SQLite says about the soundness of the folder's file: `ok`, or what is wrong.
    ///
    /// # Errors
    /// If it cannot be read at all.
    pub fn integrity(&mut self) -> Result<String, DeskError> {
        Ok(self.store.integrity()?)
    }

    /// Bounds the store's file, for trying what a full disk does.
    #[doc(hidden)]
    pub fn bound_pages(&mut self, pages: u32) -> Result<(), DeskError> {
        Ok(self.store.bound_pages(pages)?)
    }

    /// One verb: one transaction.
    fn work<T>(
        &mut self,
        now: Timestamp,
        verb: impl FnOnce(&Room<'_>, &mut Tables) -> Result<T, DeskError>,
    ) -> Result<T, DeskError> {
        let Self { store, policy, templates, ids, secret, edition, tables } = self;
        let done = store.transaction(|tx| {
            let room = Room { tx, policy, templates, ids, secret, edition: *edition, now };
            let done = verb(&room, tables)?;
            agenda::keep(&room, tables)?;
            Ok(done)
        });
        if done.is_err() {
            // What was folded in before the verb failed has been taken back in the file.
            tables.forget();
        }
        done
    }

    /// A look at things: nothing is written.
    fn look<T>(
        &mut self,
        now: Timestamp,
        verb: impl FnOnce(&Room<'_>, &mut Tables) -> Result<T, DeskError>,
    ) -> Result<T, DeskError> {
        let Self { store, policy, templates, ids, secret, edition, tables } = self;
        store.read(|tx| verb(&Room { tx, policy, templates, ids, secret, edition: *edition, now }, tables))
    }
}
