//! The shelf of campaigns: those built in, and an umpire's own, which take their place file by file.

use super::CampaignFiles;
use include_dir::{Dir, include_dir};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

static SHIPPED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/campaigns");

/// The folder of a campaign in which its board was made, tool, layers and all: kept with it, and no part of it. What stands in
/// it changes no game.
const MAKING: &str = "making";

/// Why a campaign could not be found or read.
#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// There is none of this name.
    #[error("there is no campaign \"{name}\"{}; the campaigns are: {}", hint.as_ref().map_or(String::new(), |h| format!(" (did you mean {h}?)")), known.join(", "))]
    Unknown {
        /// As asked for.
        name: String,
        /// The nearest name.
        hint: Option<String>,
        /// All there are.
        known: Vec<String>,
    },
    /// A file of the umpire's own could not be read.
    #[error("could not read {}: {source}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file of the umpire's own is not text.
    #[error("{} is not text in UTF-8: a campaign's files are text (save it as UTF-8, or take it out of the folder)", path.display())]
    NotText {
        /// Which.
        path: PathBuf,
    },
}

/// The names of all campaigns: those shipped and those in `own` (an umpire's `campaigns` folder, which need not exist).
///
/// # Errors
/// If the folder is there and cannot be read.
pub fn list(own: Option<&Path>) -> Result<Vec<String>, CampaignError> {
    let mut names: BTreeSet<String> =
        SHIPPED.dirs().filter_map(|dir| dir.path().file_name()?.to_str()).map(str::to_owned).collect();
    for path in own.map_or(Ok(Vec::new()), entries)? {
        if path.is_dir() && !is_hidden(&path) {
            names.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
        }
    }
    Ok(names.into_iter().collect())
}

/// The files of a campaign: those shipped, with those in `own/<name>/` in their place or beside them.
///
/// # Errors
/// If there is no campaign of this name, or a file of the umpire's own cannot be read.
pub fn find(name: &str, own: Option<&Path>) -> Result<CampaignFiles, CampaignError> {
    let known = list(own)?;
    if !known.iter().any(|k| k == name) {
        let hint = known.iter().find(|k| strsim::jaro_winkler(k, name) > 0.8).cloned();
        return Err(CampaignError::Unknown { name: name.to_owned(), hint, known });
    }
    let mut files = BTreeMap::new();
    if let Some(shipped) = SHIPPED.get_dir(name) {
        shipped_files(shipped, shipped.path(), &mut files);
    }
    if let Some(own) = own.map(|own| own.join(name)).filter(|own| own.is_dir()) {
        own_files(&own, &own, &mut files)?;
    }
    Ok(CampaignFiles { name: name.to_owned(), files })
}

fn shipped_files(dir: &Dir<'_>, root: &Path, into: &mut BTreeMap<String, String>) {
    for file in dir.files() {
        let path = file.path().strip_prefix(root).unwrap_or(file.path());
        if let (Some(path), Some(text)) = (path.to_str(), file.contents_utf8()) {
            into.insert(path.to_owned(), text.to_owned());
        }
    }
    for dir in dir.dirs().filter(|dir| !is_making(dir.path(), root)) {
        shipped_files(dir, root, into);
    }
}

fn own_files(dir: &Path, root: &Path, into: &mut BTreeMap<String, String>) -> Result<(), CampaignError> {
    for path in entries(dir)? {
        if is_hidden(&path) || is_making(&path, root) {
            continue;
        }
        if path.is_dir() {
            own_files(&path, root, into)?;
            continue;
        }
        let bytes = fs::read(&path).map_err(|source| CampaignError::Unreadable { path: path.clone(), source })?;
        let text = String::from_utf8(bytes).map_err(|_| CampaignError::NotText { path: path.clone() })?;
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        into.insert(name, text.trim_start_matches('\u{feff}').to_owned());
    }
    Ok(())
}

fn is_making(path: &Path, root: &Path) -> bool {
    path.strip_prefix(root).is_ok_and(|below| below == Path::new(MAKING))
}

/// Editors' back-ups and swap files are no campaign data.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_none_or(|name| {
        let name = name.to_string_lossy();
        name.starts_with('.') || name.ends_with('~')
    })
}

fn entries(dir: &Path) -> Result<Vec<PathBuf>, CampaignError> {
    if !dir.exists() {
        return Ok(Vec::new());
    }
    let unreadable = |source| CampaignError::Unreadable { path: dir.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        paths.push(entry.map_err(unreadable)?.path());
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_campaign_is_found() {
        let campaign = find("livonia-1700", None).unwrap();
        assert!(campaign.text("campaign.toml").unwrap().contains("livonia-1700"));
        assert!(campaign.text("nothing.csv").is_err());
        assert_eq!(campaign.heading().unwrap().system, "season");
        assert_eq!(campaign.sha256().len(), 64);
    }

    #[test]
    fn an_umpires_own_file_takes_the_place_of_the_shipped() {
        let own = tempfile::tempdir().unwrap();
        let dir = own.path().join("livonia-1700");
        fs::create_dir_all(dir.join("more")).unwrap();
        fs::write(dir.join("rules.md"), "\u{feff}mine").unwrap();
        fs::write(dir.join("more/notes.md"), "more").unwrap();
        fs::write(dir.join("rules.md~"), "old").unwrap();
        fs::create_dir_all(dir.join("making")).unwrap();
        fs::write(dir.join("making/layers.bin"), [0xff, 0x00]).unwrap();
        fs::create_dir_all(own.path().join("home-brew")).unwrap();
        let shipped = find("livonia-1700", None).unwrap();
        let mixed = find("livonia-1700", Some(own.path())).unwrap();
        assert_eq!(mixed.text("rules.md").unwrap(), "mine");
        assert_eq!(mixed.text("more/notes.md").unwrap(), "more");
        assert!(mixed.files.keys().all(|path| !path.starts_with("making")));
        assert_eq!(mixed.text("hexes.csv").unwrap(), shipped.text("hexes.csv").unwrap());
        assert_eq!(mixed.files.len(), shipped.files.len() + 1);
        assert_ne!(mixed.sha256(), shipped.sha256());
        assert!(list(Some(own.path())).unwrap().contains(&"home-brew".to_owned()));
    }

    #[test]
    fn an_unknown_name_gets_the_nearest() {
        let fault = find("livonia-1701", None).unwrap_err().to_string();
        assert!(fault.contains("did you mean livonia-1700?"), "{fault}");
    }

    #[test]
    fn a_file_that_is_no_text_is_named() {
        let own = tempfile::tempdir().unwrap();
        fs::create_dir_all(own.path().join("livonia-1700")).unwrap();
        fs::write(own.path().join("livonia-1700/map.csv"), [0xff, 0xfe, 0x00]).unwrap();
        let fault = find("livonia-1700", Some(own.path())).unwrap_err().to_string();
        assert!(fault.contains("map.csv"), "{fault}");
    }
}
