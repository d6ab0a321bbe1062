//! `umpire`: a play-by-email umpire for wargame campaigns.
//!
//! Read the modules from top to bottom: it is the way a letter travels.
//!
//! ```text
//!  inbox ─▶ mail ─▶ desk ─▶ rules ─▶ results ─▶ post ─▶ outbox
//!           bytes    │  words   │  events    │  prose     bytes
//!                    ▼          ▼            ▼
//!                  store     engine        site/
//! ```
//!
//! * [`mail`] makes a letter of bytes: who, when received, and the player's *own* words.
//! * [`orders`] is the machinery that reads words (names, spans, "did you mean"); each rule system's verbs are its own.
//! * [`engine`] is the generic core: ids, hexes, dice by key, order sheets, the working turn, the journal. No I/O.
//! * [`rules`] holds the rule systems, siblings that never import each other, behind one trait
//!   ([`Rules`](engine::Rules)); the desk sees only [`Game`](engine::Game), written once for all of them.
//! * [`campaign`] finds campaigns and sample letters, in the umpire's folder or in the binary.
//! * [`results`] words report entries: letters, pages, pictures. All prose is in `templates/`.
//! * [`store`] is one SQLite file: the journal, the letters in, the letters out.
//! * [`desk`] is the umpire's verbs: intake, close, rule, challenge, ratify ... one transaction each.
//! * [`post`] composes letters to bytes that never change again, and delivers them.
//! * [`daemon`] is the loop: fetch, take in, close what is due, send. No rules.
//! * [`cli`] is one file a command.
//!
//! # Invariants
//!
//! 1. **Adjudication is pure**: state + orders + rulings + dice keys -> events. No clock, no I/O, no hash order; the same
//!    inputs give the same bytes on every machine (`umpire replay --verify`).
//! 2. **The journal is the truth.** State is a fold of it; nothing in it is changed; a correction is appended.
//! 3. **Dice by key, secrets by scope**: a face is a function of a secret and of what the die is for. Striking one order moves
//!    no die of an unrelated battle, and each reader can check his dice and nobody else's ([`engine::dice`]).
//! 4. **Nobody is told what his side may not know**: reading orders, complaints and tables are given a view, never the state.
//! 5. **A letter is stored before anything else happens to it, and answered by the transaction that acts on it.** Outgoing
//!    letters are stored with their Message-ID before the first attempt to send them.
//! 6. **Every decision cites its rule**, in the code, in the refusal and in the case book (`tests/cases/`).
//!
//! `tests/it/layering.rs` holds the arrows between these modules in place.

pub mod campaign;
pub mod cli;
pub mod clock;
pub mod config;
pub mod daemon;
pub mod desk;
pub mod engine;
pub mod mail;
pub mod orders;
pub mod post;
pub mod results;
pub mod rules;
pub mod store;
pub mod wire;
