//! Words and meanings.

mod board;
mod show;
