//! The folder as a house: the daemon as a process, its log, its alarms, its clock; copies, and games that move.

mod alarms;
mod clock;
mod copies;
mod process;
mod schemas;
pub mod served;
