//! The desk and the daemon, tried with a game of the tests' own.

pub mod bench;
mod challenges;
mod clock;
mod faults;
mod intake;
mod kill;
pub mod numbers;
mod rulings;
mod turns;
