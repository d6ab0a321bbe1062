//! The table of varied lines: what each means was worked out from the rulebook and the rulings by reading them as an umpire
//! would; the score of the whole table is printed.

use super::board::*;
use crate::engine::sheet::ComplaintKind;
use crate::rules::season::campaign::Season;
use crate::rules::season::read;
use crate::rules::season::state::State;

const LINES: &str = include_str!("lines.txt");
/// The same of the great board, headed by the seat's name.
const GREAT_LINES: &str = include_str!("great_lines.txt");

/// A line of the table: seat and season, words, meaning, and what a fair umpire would have read beyond it.
struct Case {
    head: String,
    words: String,
    meaning: Vec<String>,
    missed: bool,
}

fn cases(lines: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in lines.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        match line.strip_prefix("    ") {
            Some(rest) if rest.starts_with('*') => cases.last_mut().unwrap().missed = true,
            Some(rest) => cases.last_mut().unwrap().meaning.push(rest.to_owned()),
            None => {
                let (head, words) = line.split_once(" | ").unwrap();
                cases.push(Case { head: head.to_owned(), words: words.to_owned(), meaning: Vec::new(), missed: false });
            }
        }
    }
    cases
}

/// What the reader makes of some words, in the table's form.
pub fn read_as(state: &State, of: &str, words: &str) -> Vec<String> {
    let view = view(state, of);
    let reading = reading(state, of, &words.replace("\\n", "\n"));
    let canonical = |order| read::canonical(&view, &seat(of), order).0;
    let mut out: Vec<String> = reading.orders.iter().map(|held| format!("= {}", canonical(&held.order))).collect();
    for question in &reading.questions {
        let readings: Vec<String> = question
            .readings
            .iter()
            .map(|orders| orders.iter().map(canonical).collect::<Vec<_>>().join(" & "))
            .collect();
        out.push(format!("? {}", readings.join(" | ")));
    }
    for complaint in &reading.complaints {
        let sign = match complaint.kind {
            ComplaintKind::NotUnderstood => '!',
            ComplaintKind::Illegal => 'x',
            ComplaintKind::NotAdjudicated => 'k',
            ComplaintKind::Advice => 'i',
        };
        out.push(format!("{sign} {}", complaint.message));
    }
    out.extend(reading.answers.iter().map(|(number, label, _)| format!("# answer {number}{label}")));
    out.extend(reading.withdrawn.iter().map(|(number, _)| format!("# withdraw {number}")));
    if out.is_empty() && !reading.passed_over.is_empty() {
        out.push("~".to_owned());
    }
    out
}

/// The readings are right, asked, missed or wrong; none may be wrong, and asking a player whose words were clear is rare.
#[test]
fn every_line_reads_as_a_fair_umpire_reads_it() {
    let (spring, summer, fall) = (spring(), later(1700, Season::Summer), later(1700, Season::Fall));
    let (mut right, mut missed, mut wrong) = (0, 0, Vec::new());
    for case in cases(LINES) {
        let state = match case.head.get(1..) {
            Some("2") => &summer,
            Some("3") => &fall,
            _ => &spring,
        };
        let read = read_as(state, &case.head[..1], &case.words);
        match (read == case.meaning, case.missed) {
            (true, false) => right += 1,
            (true, true) => missed += 1,
            (false, _) => {
                wrong.push(format!("{} | {}\n  meant {:#?}\n  read  {:#?}", case.head, case.words, case.meaning, read))
            }
        }
    }
    println!(
        "lines {}: right {right}, asked or missed though clear {missed}, wrong {}",
        right + missed + wrong.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(missed * 20 < right + missed, "{missed} of {} clear lines were not read", right + missed);
}

/// Thousands of names, in many languages, some of them like words of everyday English.
#[test]
fn lines_of_the_great_board_read_as_a_fair_umpire_reads_them() {
    let spring = great_spring();
    let states = [spring.clone(), at(spring.clone(), 1700, Season::Summer), at(spring, 1700, Season::Fall)];
    let mut wrong = Vec::new();
    for case in cases(GREAT_LINES) {
        let (of, turn) = match case.head.split_once(' ') {
            Some((of, turn)) => (of, turn.parse::<usize>().unwrap()),
            None => (case.head.as_str(), 1),
        };
        let read = read_as(&states[turn - 1], of, &case.words);
        if read != case.meaning {
            wrong.push(format!("{} | {}\n  meant {:#?}\n  read  {:#?}", case.head, case.words, case.meaning, read));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Carets point at the words in question, counted in characters.
#[test]
fn carets_stand_under_the_words() {
    let state = spring();
    let at = |of, words: &str| {
        let complaint = reading(&state, of, words).complaints.remove(0);
        let span = complaint.span.unwrap();
        let chars = complaint.line_text.chars().skip(span.start as usize).take((span.end - span.start) as usize);
        (span.line, chars.collect::<String>())
    };
    assert_eq!(at("S", "Hello,\n\n* Åbo → Rgia"), (3, "Rgia".to_owned()));
    assert_eq!(at("P", "* Rehnskjold forced march Wolmar – Riga"), (1, "Rehnskjold".to_owned()));
    assert_eq!(at("P", "Königin stays; Kurprinz: Mitau -> Riga"), (1, "Kurprinz".to_owned()));
}

/// Each order keeps letter, line, column and the exact words.
#[test]
fn orders_keep_their_words() {
    let state = spring();
    let reading = reading(&state, "P", "Hello!\n  2. Königin  to Doblen, then buy 1 inf.");
    let source = &reading.orders[0].source;
    assert_eq!((source.letter.0, source.line, source.column, source.words.as_str()), (1, 2, 5, "Königin  to Doblen"));
    assert_eq!(reading.orders[1].source.words, "buy 1 inf");
    assert_eq!(reading.passed_over.len(), 1, "the greeting is no order");
}

/// The player's page promises that its examples are read as they stand: none comes back as not understood.
#[test]
fn the_pages_examples_are_read() {
    let page = include_str!("../../../../../docs/orders.md");
    let fall = later(1700, Season::Fall);
    for line in page.lines().filter(|line| line.starts_with("    ") && !line.trim_start().starts_with("...")) {
        for words in line.split("   ").map(str::trim).filter(|words| words.contains(' ')) {
            let understood = ["S", "R", "P"].iter().any(|of| {
                let reading = reading(&fall, of, words);
                let fault = reading.complaints.iter().any(|c| c.kind == ComplaintKind::NotUnderstood);
                !fault && (reading.orders.len() + reading.questions.len() + reading.complaints.len() > 0)
            });
            let remark = ["he and all", "he alone", "by kind", "a brigade by itself", "a Brigade Move"];
            assert!(understood || remark.iter().any(|r| words.starts_with(r)), "{words}");
        }
    }
}
