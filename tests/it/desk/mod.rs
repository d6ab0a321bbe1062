//! The desk and the daemon, tried with a game of the tests' own.

pub mod bench;
mod bounces;
mod challenges;
mod clock;
mod faults;
mod intake;
mod kill;
pub mod numbers;
mod outbox;
mod rulings;
mod threads;
mod turns;
mod windows;
