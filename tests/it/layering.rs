//! The arrows of the house: who may know whom. Reads every `crate::` path below `src/` and fails on one that goes the wrong way.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each room may name beside itself. `lib.rs` and `main.rs` only list rooms.
const MAY_KNOW: &[(&str, &[&str])] = &[
    ("engine", &[]),
    ("orders", &["engine"]),
    ("rules", &["engine", "orders"]),
    ("campaign", &["engine"]),
    // What both ends of the mail have in common: servers, encryption, passwords.
    ("wire", &["engine", "clock"]),
    ("mail", &["engine", "wire"]),
    ("post", &["engine", "wire"]),
    ("results", &["engine"]),
    ("store", &["engine"]),
    ("desk", &["engine", "orders", "mail", "rules", "campaign", "results", "store", "post"]),
    ("config", &["engine", "desk", "mail", "post", "wire"]),
    ("clock", &[]),
    ("daemon", &["engine", "wire", "desk", "mail", "post", "store", "config", "clock", "results", "campaign", "rules"]),
    (
        "cli",
        &[
            "engine", "wire", "desk", "mail", "post", "store", "config", "clock", "results", "campaign", "rules",
            "daemon",
        ],
    ),
];

/// Single rule systems: siblings that never import each other, and that nobody outside `rules` names.
fn systems() -> BTreeSet<String> {
    let rooms = fs::read_dir("src/rules").unwrap().map(|entry| entry.unwrap().path());
    rooms.filter(|path| path.is_dir()).map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The part of a file that is compiled into the product: tests may reach for what they like.
fn product(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

fn is_test_file(path: &Path) -> bool {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    matches!(stem, "tests" | "testing") || path.components().any(|part| part.as_os_str() == "tests")
}

/// Paths that begin with `crate::`, as lists of names: `crate::{engine::SeatId, post}` gives two.
fn crate_paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for line in code.split("crate::").skip(1) {
        let names = |text: &str| -> Vec<String> {
            let path: String = text.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | ':')).collect();
            path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
        };
        match line.strip_prefix('{') {
            None => paths.push(names(line)),
            Some(group) => {
                paths.extend(group.split('}').next().unwrap_or("").split(',').map(|part| names(part.trim())))
            }
        }
    }
    paths
}

fn room_of(path: &Path) -> String {
    let below = path.strip_prefix("src").unwrap();
    let first = below.components().next().unwrap().as_os_str().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

#[test]
fn every_arrow_goes_down_the_house() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let systems = systems();
    let mut wrong = Vec::new();
    for path in files.iter().filter(|path| !is_test_file(path)) {
        let room = room_of(path);
        if matches!(room.as_str(), "lib" | "main") {
            continue;
        }
        let Some((_, allowed)) = MAY_KNOW.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{}: the room \"{room}\" has no line in this test", path.display()));
            continue;
        };
        let text = fs::read_to_string(path).unwrap();
        for names in crate_paths(product(&text)) {
            let Some(target) = names.first() else { continue };
            let known_room = MAY_KNOW.iter().any(|(name, _)| name == target);
            if known_room && *target != room && !allowed.contains(&target.as_str()) {
                wrong.push(format!("{}: {room} must not know {target} ({})", path.display(), names.join("::")));
            }
            if let Some(system) = names.get(1).filter(|name| target == "rules" && systems.contains(*name)) {
                let inside = path.starts_with(Path::new("src/rules").join(system));
                if !inside && path != Path::new("src/rules/mod.rs") {
                    wrong.push(format!("{}: nobody outside it may name the rule system {system}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "forbidden arrows:\n  {}", wrong.join("\n  "));
}

#[test]
fn rules_use_no_clock_no_files_no_network() {
    let mut files = Vec::new();
    for room in ["src/engine", "src/orders", "src/rules"] {
        sources(Path::new(room), &mut files);
    }
    for path in files.iter().filter(|path| !is_test_file(path)) {
        let text = fs::read_to_string(path).unwrap();
        for forbidden in
            ["std::fs", "std::net", "std::process", "std::env", "rusqlite", "tera::", "lettre", "Instant", "SystemTime"]
        {
            assert!(!product(&text).contains(forbidden), "{} names {forbidden}", path.display());
        }
    }
}

#[test]
fn the_test_sees_what_it_should() {
    assert_eq!(crate_paths("use crate::{engine::SeatId, post};"), [vec!["engine", "SeatId"], vec!["post"]]);
    assert_eq!(crate_paths("crate::store::Store::open(x)"), [vec!["store", "Store", "open"]]);
    assert!(systems().contains("season"));
}
