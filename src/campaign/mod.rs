//! Finds a campaign's files: an umpire's own folder first, then those shipped in the binary. Knows nothing of what they say.

use crate::engine::DataFault;
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
}
