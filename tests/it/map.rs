//! The boards of the shipped campaigns, tested by themselves: sound, as they were when they were last read through
//! (`tests/map/<campaign>.txt`), and with the borders that the country has (`tests/map/borders.toml`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use umpire::campaign::{self, CampaignFiles};
use umpire::engine::{HexId, HexSide, Survey};
use umpire::rules;
use umpire::rules::season::board::Board;
use umpire::rules::season::setup;

const FOLDER: &str = "tests/map";
const ACCEPT: &str = "UMPIRE_ACCEPT";
/// Lines of a difference that are shown.
const SHOWN: usize = 60;

fn shelf() -> Vec<CampaignFiles> {
    campaign::list(None).unwrap().iter().map(|name| campaign::find(name, None).unwrap()).collect()
}

fn survey(campaign: &CampaignFiles) -> Survey {
    let system = campaign.heading().unwrap().system;
    rules::survey(&system, &campaign.files).unwrap_or_else(|faults| Survey { faults, ..Survey::default() })
}

#[test]
fn every_shipped_board_is_sound() {
    let of = |campaign: &CampaignFiles| {
        let faults = survey(campaign).faults;
        faults.iter().map(|fault| format!("campaigns/{}/{fault}", campaign.name)).collect::<Vec<_>>()
    };
    let faults: Vec<String> = shelf().iter().flat_map(of).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A board is as it was when somebody last read it line by line.
#[test]
fn boards_are_as_they_were_last_accepted() {
    let mut told = Vec::new();
    for campaign in shelf() {
        let file: PathBuf = Path::new(FOLDER).join(format!("{}.txt", campaign.name));
        let now = survey(&campaign).listing;
        if std::env::var_os(ACCEPT).is_some() {
            std::fs::write(&file, now.join("\n") + "\n").unwrap();
            continue;
        }
        let Ok(before) = std::fs::read_to_string(&file) else {
            told.push(format!("{} is missing: nobody has read this board yet", file.display()));
            continue;
        };
        let before: Vec<&str> = before.lines().collect();
        let different = difference(&before, &now.iter().map(String::as_str).collect::<Vec<_>>());
        if !different.is_empty() {
            let more = different.len().saturating_sub(SHOWN);
            let more = if more > 0 { format!("\n... and {more} lines more") } else { String::new() };
            let shown: Vec<String> = different.into_iter().take(SHOWN).collect();
            told.push(format!("--- {}\n+++ campaigns/{}\n{}{more}", file.display(), campaign.name, shown.join("\n")));
        }
    }
    let help =
        format!("If the change was meant: {ACCEPT}=1 cargo nextest run --test it map:: and read `git diff {FOLDER}`.");
    assert!(told.is_empty(), "\n{}\n{help}", told.join("\n"));
}

/// Lines that are gone (`-`) and new (`+`), by the hex with which they begin; a hex's two lines stand together.
fn difference(before: &[&str], now: &[&str]) -> Vec<String> {
    let by_hex = |lines: &[&str]| -> BTreeMap<String, String> {
        // Notes at the head have no hex; each is its own key.
        let key = |line: &&str| if line.starts_with('#') { (*line).to_owned() } else { line.chars().take(4).collect() };
        lines.iter().map(|line| (key(line), (*line).to_owned())).collect()
    };
    let (before, now) = (by_hex(before), by_hex(now));
    let keys: std::collections::BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let mut found = Vec::new();
    for key in keys.into_iter().filter(|key| before.get(*key) != now.get(*key)) {
        found.extend(before.get(key).map(|line| format!("-{line}")));
        found.extend(now.get(key).map(|line| format!("+{line}")));
    }
    found
}

#[test]
fn a_difference_shows_both_lines_of_a_hex() {
    let before = ["# head", "0101 land | E 0201 c", "0201 land | W 0101 c"];
    let now = ["# head", "0101 land | E 0201 f", "0201 land | W 0101 c", "0301 sea"];
    assert_eq!(difference(&before, &now), ["-0101 land | E 0201 c", "+0101 land | E 0201 f", "+0301 sea"]);
}

/// What a border is, in the words of borders.toml.
fn border(board: &Board, a: HexId, b: HexId) -> String {
    let linked = board.links.by_land(a).contains(&b);
    match board.sides.get(&HexSide::between(a, b)) {
        None => "apart".to_owned(),
        Some(_) if linked => "linked".to_owned(),
        Some(side) if side.strait => "strait".to_owned(),
        Some(side) if side.closed => "barred".to_owned(),
        Some(side) => match &side.river {
            None => "dry".to_owned(),
            Some(river) => river.id.as_ref().map_or_else(|| "river".to_owned(), ToString::to_string),
        },
    }
}

#[test]
fn borders_are_those_of_the_country() {
    let text = std::fs::read_to_string(Path::new(FOLDER).join("borders.toml")).unwrap();
    let said: BTreeMap<String, BTreeMap<String, String>> = toml::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for campaign in shelf() {
        let Some(borders) = said.get(&campaign.name) else {
            wrong.push(format!("{}: borders.toml has no table for it", campaign.name));
            continue;
        };
        let board = match setup::load(&campaign.files) {
            Ok(loaded) => loaded.board,
            Err(faults) => {
                wrong.push(format!("{}: it does not load, {} faults", campaign.name, faults.len()));
                continue;
            }
        };
        let cities: BTreeMap<&str, HexId> =
            board.hexes.iter().filter_map(|(hex, h)| Some((h.city.as_ref()?.id.as_str(), *hex))).collect();
        for (pair, expected) in borders {
            let ends: Option<Vec<HexId>> = pair.split_whitespace().map(|city| cities.get(city).copied()).collect();
            match ends.as_deref() {
                Some([a, b]) => {
                    let found = border(&board, *a, *b);
                    if found != *expected {
                        wrong.push(format!("{}: {pair} ({a} {b}) is {found}, not {expected}", campaign.name));
                    }
                }
                _ => wrong.push(format!("{}: \"{pair}\" names no two cities of the board", campaign.name)),
            }
        }
    }
    let shipped: Vec<String> = shelf().into_iter().map(|campaign| campaign.name).collect();
    wrong.extend(said.keys().filter(|name| !shipped.contains(name)).map(|name| format!("there is no campaign {name}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `umpire map check` looks at the campaigns of the umpire's folder too, and its exit code says whether all are sound.
#[test]
fn the_command_says_what_is_wrong_and_where() {
    let folder = tempfile::tempdir().unwrap();
    let check = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_umpire"));
        command.arg("-C").arg(folder.path()).args(["map", "check", "livonia-1700"]).args(more);
        let done = command.output().unwrap();
        let said = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (done.status.success(), said(&done.stdout), said(&done.stderr))
    };
    let (sound, said, _) = check(&[]);
    assert!(sound && said.contains("livonia-1700: Livonia 1700-1701") && said.contains("  sound\n"), "{said}");
    let (sound, listed, _) = check(&["--list"]);
    let accepted = std::fs::read_to_string(Path::new(FOLDER).join("livonia-1700.txt")).unwrap();
    assert!(sound && listed == accepted, "{listed}");
    let own = folder.path().join("campaigns/livonia-1700");
    std::fs::create_dir_all(&own).unwrap();
    for (file, from, to) in [
        ("cities.csv", "Arensburg,0003,1,square,sea,1", "Arensburg,0003,1,square,none,"),
        ("units.csv", "King's Transports,3,arensburg", "King's Transports,3,reval"),
    ] {
        let text = campaign::find("livonia-1700", None).unwrap().files[file].replace(from, to);
        std::fs::write(own.join(file), text).unwrap();
    }
    let (sound, said, _) = check(&[]);
    assert!(!sound && said.contains("1 fault:\n    campaigns/livonia-1700/hexes.csv:"), "{said}");
}
