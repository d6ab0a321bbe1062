//! Words and meanings.

mod board;
mod roundtrip;
mod samples;
mod show;
mod sheets;
mod table;
