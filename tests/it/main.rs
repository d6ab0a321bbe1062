//! The integration tests, one binary.

// Helpers of tests may fail loudly; clippy sees only `#[test]` functions as tests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod cases;
mod counts;
mod demo;
mod desk;
mod house;
mod layering;
mod map;
mod opening;
mod outside;
mod picture;
mod post_and_mail;
mod servers;
mod waiting;
