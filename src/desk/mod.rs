//! The umpire's verbs.
pub mod policy;
pub use policy::{GamePolicy, Language, Policy, Posting};
