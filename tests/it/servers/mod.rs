//! Mail over the wire: real servers where they are installed, scripted ones that break off in every command.

mod bounce;
mod faulty_imap;
mod faulty_smtp;
mod kills;
mod pair;
mod play;
mod reach;
mod scripted;
mod tokens;
