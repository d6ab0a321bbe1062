//! The daemon as a process: pass after pass, asleep in between until something can be due, mail comes, or a signal.

use super::guard::{ClockWatch, Seen};
use super::wake::{Wake, Waker};
use super::{Folder, Pass, alert, log, slice};
use crate::clock::{Clock, Reading, Timer};
use crate::desk::{ClockTrouble, DeskError};
use crate::mail::Maildir;
use jiff::{SignedDuration, Timestamp};
use sd_notify::NotifyState;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// How often the sleeper opens an eye: is there a file in the inbox, has a command of the umpire's written something?
const GLANCE: Duration = Duration::from_secs(1);

/// Serves a folder until it is told to stop. What was begun is brought to its end: nothing is cut off in a transaction.
pub fn serve(folder: &mut Folder, clock: &Clock, waker: &Waker) {
    let mut server =
        Server { manager: Manager::of_environment(), watch: ClockWatch::new(folder.desk.policy().clock_slack) };
    tracing::info!("serving {}", folder.dir.display());
    server.manager.say(&[NotifyState::Ready]);
    while !waker.is_stopped() {
        let signs = Signs::of(folder);
        let reading = clock.reading();
        let pass = match server.guard(folder, reading) {
            Ok(()) => server.pass(folder, reading.wall, waker),
            Err(fault) => {
                tracing::error!("the clock could not be looked at: {fault}");
                Pass::default()
            }
        };
        if !pass.more {
            server.sleep(folder, clock, waker, &signs);
        }
    }
    server.manager.say(&[NotifyState::Stopping]);
    tracing::info!("stopped");
}

struct Server {
    manager: Manager,
    watch: ClockWatch,
}

impl Server {
    fn pass(&mut self, folder: &mut Folder, now: Timestamp, waker: &Waker) -> Pass {
        let manager = &mut self.manager;
        let pass = slice(folder, now, &mut || {
            manager.live();
            !waker.is_stopped()
        });
        log::tell(&pass);
        let alarms = alert::alarms(folder, &pass, now);
        alert::raise(folder, &alarms, now);
        pass
    }

    /// Looks at the clock before anything is done by it.
    fn guard(&mut self, folder: &mut Folder, now: Reading) -> Result<(), DeskError> {
        let on_record = matches!(folder.desk.clock_trouble(now.wall)?, Some(ClockTrouble::Jumped { .. }));
        if self.watch.has_jumped() && !on_record {
            tracing::info!("the clock is trusted again");
            self.watch.trust(now);
        }
        match self.watch.look(now) {
            Seen::Sound => {}
            Seen::Slept(by) => tracing::info!("the machine slept for {by:#}"),
            Seen::Jumped(_) if on_record => {}
            Seen::Jumped(by) => {
                let way = if by.is_negative() { "back" } else { "forward" };
                let why =
                    format!("the clock jumped {way} by {:#}", SignedDuration::from_secs(by.as_secs().saturating_abs()));
                tracing::error!("{why}: nothing closes before you have looked at it");
                if let Err(fault) = folder.desk.distrust_clock(&why, now.wall) {
                    // Unsaid it would be forgotten: look again as if for the first time since before the jump.
                    self.watch.unsee();
                    return Err(fault);
                }
            }
            Seen::Back => {
                tracing::info!("the clock is back where it should be");
                folder.desk.trust_clock(now.wall)?;
            }
        }
        Ok(())
    }

    fn sleep(&mut self, folder: &mut Folder, clock: &Clock, waker: &Waker, signs: &Signs) {
        let poll = Timer::of(folder.config.poll);
        let due = folder.next_moment(clock.now());
        while let Some(left) = poll.left() {
            self.manager.live();
            match waker.sleep(left.min(GLANCE)) {
                Wake::Stop | Wake::Mail => return,
                Wake::Time => {}
            }
            if due.is_some_and(|due| clock.now() > due) || Signs::of(folder) != *signs {
                return;
            }
        }
    }
}

/// By what a sleeper sees that something has happened: the folders of the inbox were changed, another process has written. Looked
/// at before a pass, so that what comes during it is seen behind it.
#[derive(PartialEq, Eq)]
struct Signs {
    inbox: [Option<SystemTime>; 2],
    others: Option<i64>,
}

impl Signs {
    fn of(folder: &Folder) -> Self {
        Self { inbox: changed(&folder.inbox), others: folder.desk.others_wrote().ok() }
    }
}

fn changed(inbox: &Maildir) -> [Option<SystemTime>; 2] {
    let of = |path: &Path| fs::metadata(path).and_then(|found| found.modified()).ok();
    ["new", "cur"].map(|folder| of(&inbox.root().join(folder)))
}

/// The service manager (systemd), if one has started us and wants to hear from us.
struct Manager {
    /// How often it wants a sign of life; half of what it allows.
    every: Option<Duration>,
    next: Option<Timer>,
}

impl Manager {
    fn of_environment() -> Self {
        Self { every: sd_notify::watchdog_enabled().map(|allowed| allowed / 2), next: None }
    }

    fn say(&self, what: &[NotifyState<'_>]) {
        if let Err(fault) = sd_notify::notify(what) {
            tracing::warn!("the service manager does not hear: {fault}");
        }
    }

    /// A sign of life, if it is time for one.
    fn live(&mut self) {
        let Some(every) = self.every else { return };
        if self.next.is_none_or(|next| next.left().is_none()) {
            self.say(&[NotifyState::Watchdog]);
            self.next = Some(Timer::of(every / 2));
        }
    }
}
