//! The daemon as a process: pass after pass, asleep in between until something can be due, mail comes, or a signal.

use super::guard::{ClockWatch, Seen};
use super::wake::{Wake, Waker};
use super::{Folder, Pass, alert, log, slice};
use crate::clock::{Clock, Reading, Timer};
use crate::desk::{ClockTrouble, DeskError};
use crate::mail::{Imap, Inbox};
use jiff::{SignedDuration, Timestamp};
use sd_notify::NotifyState;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, SystemTime};

/// How often the sleeper opens an eye: is there a file in the inbox, has a command of the umpire's written something?
const GLANCE: Duration = Duration::from_secs(1);
/// What a listener's connection may take to come back.
const CALL_BACK: Duration = Duration::from_secs(5);

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
        let listener = Listener::sent_out(folder, clock.now(), waker);
        while let Some(left) = poll.left() {
            self.manager.live();
            match waker.sleep(left.min(GLANCE)) {
                Wake::Stop => return,
                Wake::Mail => break,
                Wake::Time => {}
            }
            if due.is_some_and(|due| clock.now() > due) || Signs::of(folder) != *signs {
                return;
            }
        }
        if let Some(listener) = listener {
            listener.called_back(folder);
        }
    }
}

/// Waits at a server that says when mail comes (IDLE), in a thread with the connection, while the daemon keeps its ears open for
/// all else. Who does not wait for it to come back goes on with a new connection, and the old one ends with its thread.
struct Listener {
    back: Receiver<Box<Imap>>,
}

impl Listener {
    fn sent_out(folder: &mut Folder, now: Timestamp, waker: &Waker) -> Option<Self> {
        let config = folder.config.imap.clone()?;
        let listening = std::mem::replace(&mut folder.inbox, Inbox::Imap(Box::new(Imap::new(config))));
        let Inbox::Imap(mut imap) = listening else {
            folder.inbox = listening;
            return None;
        };
        let (bell, at_most, (to, back)) = (waker.bell(), folder.config.poll, mpsc::channel());
        let listen = move || {
            // What is wrong with the server the next pass says; here nobody must be woken without pause.
            let mail = imap.wait_for_mail(at_most, now).unwrap_or(false);
            if to.send(imap).is_ok() && mail {
                let _ = bell.send(Wake::Mail);
            }
        };
        let started = std::thread::Builder::new().name("listener".to_owned()).spawn(listen);
        started.is_ok().then_some(Self { back })
    }

    /// Takes the connection back, if it comes soon.
    fn called_back(self, folder: &mut Folder) {
        if let Ok(imap) = self.back.recv_timeout(CALL_BACK) {
            folder.inbox = Inbox::Imap(imap);
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

fn changed(inbox: &Inbox) -> [Option<SystemTime>; 2] {
    let Inbox::Maildir(inbox) = inbox else { return [None; 2] };
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
