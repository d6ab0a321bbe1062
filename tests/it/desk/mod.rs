//! The desk and the daemon, tried with a game of the tests' own.

mod bench;
mod challenges;
mod clock;
mod faults;
mod intake;
mod kill;
mod numbers;
mod rulings;
mod seats;
mod time;
mod turns;
