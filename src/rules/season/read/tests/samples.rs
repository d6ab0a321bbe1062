//! The sample letters.

use super::board::*;
use crate::engine::LetterNo;
use crate::engine::sheet::{ComplaintKind, TextLine};
use crate::rules::season::campaign::Season;
use crate::rules::season::read;
use crate::rules::season::state::State;

fn body(season: &str, seat: &str) -> Vec<TextLine> {
    let path = format!("{}/orders/livonia-1700/{season}-1700/{seat}.eml", env!("CARGO_MANIFEST_DIR"));
    let raw = std::fs::read(path).unwrap();
    let letter = mail_parser::MessageParser::default().parse(&raw).unwrap();
    let text = letter.body_text(0).unwrap().into_owned();
    let own = text.split("\nOn Mon").next().unwrap().to_owned();
    lines(&own)
}

fn check(state: &State, season: &str) {
    for slug in ["sweden", "russia", "saxony_poland"] {
        let reading = read::letter(&view(state, slug), &seat(slug), LetterNo(1), &body(season, slug));
        assert!(reading.questions.is_empty(), "{season} {slug}: {:#?}", reading.questions);
        let bad: Vec<_> = reading
            .complaints
            .iter()
            .filter(|c| matches!(c.kind, ComplaintKind::NotUnderstood | ComplaintKind::Illegal))
            .collect();
        assert!(bad.is_empty(), "{season} {slug}: {bad:#?}");
        assert!(reading.orders.len() >= 5, "{season} {slug}: {:#?}", reading.orders);
    }
}

#[test]
fn spring() {
    check(&super::board::spring(), "spring");
}

/// As the Spring leaves them if all goes as ordered.
#[test]
fn summer() {
    let mut state = later(1700, Season::Summer);
    for (unit, at) in [("Flemming", "0205"), ("Königin", "0205"), ("Leibdragoner", "0205"), ("Kurprinz", "0206")] {
        put(&mut state, unit, at);
    }
    for (unit, at) in [
        ("Lubomirski", "0207"),
        ("Polotsk Banner", "0207"),
        ("Croy", "0702"),
        ("Trubetskoy", "0702"),
        ("Novgorod Horse", "0702"),
    ] {
        put(&mut state, unit, at);
    }
    besiege(&mut state, "0205", "P");
    check(&state, "summer");
}

/// As Summer leaves them.
#[test]
fn fall() {
    let mut state = later(1700, Season::Fall);
    let at_riga = ["Flemming", "Königin", "Leibdragoner", "Augustus", "Polish Guard", "Kurprinz"];
    let at_kokenhusen = ["Leszczynski", "Görtz", "Steinau"];
    let at_jama = ["Croy", "Trubetskoy", "Novgorod Horse"];
    let at_luga = ["Peter", "Preobrazhensky", "Golovin", "Schneewentz"];
    for (units, at) in
        [(&at_riga[..], "0205"), (&at_kokenhusen[..], "0306"), (&at_jama[..], "0601"), (&at_luga[..], "0702")]
    {
        for unit in units {
            put(&mut state, unit, at);
        }
    }
    put(&mut state, "Lubomirski", "0207");
    besiege(&mut state, "0205", "P");
    besiege(&mut state, "0306", "P");
    besiege(&mut state, "0601", "R");
    check(&state, "fall");
}
