//! Report entries become a letter per seat and a page for all. Tera lives here; no rules, no prose.

pub mod facts;
