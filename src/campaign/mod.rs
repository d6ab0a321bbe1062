//! Finds a campaign's files: an umpire's own folder first, then those shipped in the binary. Knows nothing of what they say,
//! but for the few lines at the head of `campaign.toml` that every campaign has.

mod heading;
mod samples;
mod shelf;

pub use heading::{Heading, HouseRule};
pub use samples::{SampleLetter, sample_file, sample_letters};
pub use shelf::{CampaignError, find, list};

use crate::engine::DataFault;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A campaign's files, path within the campaign to text, and its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CampaignFiles {
    /// The campaign's folder name: `livonia-1700`.
    pub name: String,
    /// Path to text.
    pub files: BTreeMap<String, String>,
}

impl CampaignFiles {
    /// The text of a file.
    ///
    /// # Errors
    /// A fault that names the missing file.
    pub fn text(&self, path: &str) -> Result<&str, DataFault> {
        self.files
            .get(path)
            .map(String::as_str)
            .ok_or_else(|| DataFault::new(path, 0, "the campaign has no such file", format!("campaign {}", self.name)))
    }

    /// The head of `campaign.toml`.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn heading(&self) -> Result<Heading, Vec<DataFault>> {
        Heading::read(&self.files)
    }

    /// SHA-256 over all files as used, names and texts, in hexadecimal: two games with the same have the same data.
    pub fn sha256(&self) -> String {
        sha256(&self.files)
    }
}

/// SHA-256 over a campaign's files as the journal keeps them.
pub fn sha256(files: &BTreeMap<String, String>) -> String {
    let mut hasher = Sha256::new();
    for (path, text) in files {
        for part in [path, text] {
            // The length first: no file may pass for a piece of its neighbour.
            hasher.update(u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
            hasher.update(part);
        }
    }
    data_encoding::HEXLOWER.encode(&hasher.finalize())
}
