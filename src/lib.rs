//! `umpire`: a play-by-email umpire. (The architecture stands here.)

pub mod campaign;
pub mod engine;
pub mod mail;
pub mod orders;
pub mod post;
pub mod results;
pub mod rules;
