//! Words and meanings.

mod board;
mod roundtrip;
mod samples;
mod sheets;
mod table;
