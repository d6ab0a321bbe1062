//! The integration tests, one binary.

mod post_and_mail;
