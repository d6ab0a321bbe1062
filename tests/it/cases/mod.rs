//! The case book: `tests/cases/season/*.toml`, one case a rule, each with the outcome that the rulebook gives. How to write
//! one stands in `tests/cases/README.md`.
//!
//! `CASE=pinned cargo test --test it cases -- --nocapture` runs the cases with that word in their name and prints their events.

mod expect;
mod layout;
mod position;
mod run;

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Book {
    /// Where all cases of the file are looked at unless they say otherwise.
    until: Option<String>,
    case: Vec<Case>,
}

/// One case.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    /// Sections and rulings it rests on.
    rule: Vec<String>,
    /// How the expected outcome follows from them.
    why: String,
    position: String,
    #[serde(default)]
    orders: BTreeMap<String, String>,
    /// Seats without player when the turn is sealed.
    #[serde(default)]
    vacant: Vec<String>,
    /// Faces: "volley Dal r1 = 1 1 6 6".
    #[serde(default)]
    dice: Vec<String>,
    /// The face of every die that `dice` does not name.
    rest: Option<u8>,
    /// What the reader has to say, a part of each sentence.
    #[serde(default)]
    complaints: Vec<String>,
    /// Look at the board after this step instead of at the start of the next turn.
    until: Option<String>,
    expect: Vec<String>,
    /// A case is skipped only with a written reason.
    skip: Option<String>,
}

fn books() -> Vec<(String, Book)> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir("tests/cases/season").unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let mut book: Book = toml::from_str(&text).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        for case in &mut book.case {
            case.until = case.until.take().or_else(|| book.until.clone());
        }
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), book)
    };
    paths.iter().filter(|path| path.extension().is_some_and(|e| e == "toml")).map(read).collect()
}

#[test]
fn every_case_comes_out_as_the_rulebook_says() {
    let wanted = std::env::var("CASE").unwrap_or_default();
    let (mut failed, mut counts, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
    for (chapter, book) in books() {
        let cases: Vec<&Case> = book.case.iter().filter(|case| case.name.contains(&wanted)).collect();
        counts.push(format!("{chapter} {}", cases.len()));
        for case in cases {
            if let Some(reason) = &case.skip {
                skipped.push(format!("{} ({reason})", case.name));
                continue;
            }
            let report = run::run(case);
            if !wanted.is_empty() {
                println!("{}", run::print(case, &report));
            }
            if !report.differs.is_empty() {
                failed.push((format!("{chapter}/{}", case.name), run::print(case, &report)));
            }
        }
    }
    let total: usize = counts.iter().map(|c| c.rsplit_once(' ').unwrap().1.parse::<usize>().unwrap()).sum();
    println!("case book: {total} cases ({}); skipped {}: {}", counts.join(", "), skipped.len(), skipped.join("; "));
    let names: Vec<&str> = failed.iter().map(|(name, _)| name.as_str()).collect();
    let texts: Vec<&str> = failed.iter().map(|(_, text)| text.as_str()).collect();
    assert!(failed.is_empty(), "{}\n{} of {total} cases failed: {}", texts.join("\n"), failed.len(), names.join(", "));
}

#[test]
fn every_case_has_a_name_of_its_own_and_cites_a_rule() {
    let mut names = BTreeMap::new();
    for (chapter, book) in books() {
        for case in book.case {
            let known = |rule: &String| rule.starts_with("003 ") || rule.starts_with("R-003-");
            assert!(!case.rule.is_empty() && case.rule.iter().all(known), "{}: {:?}", case.name, case.rule);
            assert!(!case.why.is_empty() && !case.expect.is_empty(), "{}", case.name);
            let first = names.insert(case.name.clone(), chapter.clone());
            assert!(first.is_none(), "{} stands in {} and in {chapter}", case.name, first.unwrap());
        }
    }
    assert!(names.len() >= 60, "only {} cases", names.len());
}
