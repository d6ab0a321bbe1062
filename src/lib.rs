//! `umpire`: a play-by-email umpire. (The architecture stands here.)

pub mod campaign;
pub mod clock;
pub mod config;
pub mod desk;
pub mod engine;
pub mod mail;
pub mod orders;
pub mod post;
pub mod results;
pub mod rules;
pub mod store;
