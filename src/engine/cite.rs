//! Citations: which sentence of a rulebook, or which ruling, decides.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// A rule or ruling by the name under which the campaign's rules page explains it:
/// `003 Pinning`, `R-003-26`, `000 7.4.2`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cite(Cow<'static, str>);

impl Cite {
    /// A citation known when the program was written.
    pub const fn of(rule: &'static str) -> Self {
        Self(Cow::Borrowed(rule))
    }

    /// A citation read from data or typed by the umpire.
    pub fn owned(rule: String) -> Self {
        Self(Cow::Owned(rule))
    }

    /// The citation as text, without brackets.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Cite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Several citations as they stand behind a sentence: `[003 Pinning, R-003-26]`; nothing for none.
pub fn bracketed(cites: &[Cite]) -> String {
    if cites.is_empty() {
        return String::new();
    }
    let list: Vec<&str> = cites.iter().map(Cite::as_str).collect();
    format!("[{}]", list.join(", "))
}
