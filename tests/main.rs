//! The integration tests, one binary.

mod mail;
