//! What ends the daemon's sleep before its time: a signal, or whoever watches a mailbox.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

/// Why the daemon wakes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wake {
    /// It is to stop.
    Stop,
    /// There may be mail.
    Mail,
    /// Nothing happened.
    Time,
}

/// The sleeper's ear.
pub struct Waker {
    stop: Arc<AtomicBool>,
    to: Sender<Wake>,
    from: Receiver<Wake>,
}

impl Waker {
    /// One that hears nothing but its bells ([`Waker::bell`]).
    pub fn deaf() -> Self {
        let (to, from) = mpsc::channel();
        Self { stop: Arc::default(), to, from }
    }

    /// One that hears SIGTERM and SIGINT.
    ///
    /// # Errors
    /// If the operating system does not let signals be heard.
    pub fn of_signals() -> io::Result<Self> {
        let waker = Self::deaf();
        let (stop, bell) = (Arc::clone(&waker.stop), waker.bell());
        let mut signals = Signals::new([SIGTERM, SIGINT])?;
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for _ in signals.forever() {
                // A second signal finds the flag set: whoever cannot wait for the end of a transaction has SIGKILL.
                stop.store(true, Ordering::Relaxed);
                if bell.send(Wake::Stop).is_err() {
                    return;
                }
            }
        })?;
        Ok(waker)
    }

    /// A bell for a thread that watches a mailbox: `send(Wake::Mail)` ends the sleep.
    pub fn bell(&self) -> Sender<Wake> {
        self.to.clone()
    }

    /// Whether the daemon is to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sleeps until a bell rings, at most so long.
    pub fn sleep(&self, at_most: Duration) -> Wake {
        if self.is_stopped() {
            return Wake::Stop;
        }
        match self.from.recv_timeout(at_most) {
            Ok(Wake::Stop) => {
                self.stop.store(true, Ordering::Relaxed);
                Wake::Stop
            }
            Ok(wake) => wake,
            Err(_) => Wake::Time,
        }
    }
}
