//! The README's first command and what an umpire does next, with the binary as a user runs it.

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn umpire(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_umpire")).args(args).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn in_folder(dir: &Path, args: &[&str]) -> Output {
    let mut all = vec!["-C", dir.to_str().unwrap()];
    all.extend(args);
    umpire(&all)
}

fn demo(extra: &[&str]) -> (TempDir, std::path::PathBuf, Output) {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("play");
    let mut args = vec!["demo", "--dir", dir.to_str().unwrap()];
    args.extend(extra);
    let output = umpire(&args);
    assert!(output.status.success(), "{}{}", out(&output), said(&output));
    (temp, dir, output)
}

/// The plain text of the letters in the outbox whose subject ends so and whose text holds `words`, with their To.
pub fn letters(dir: &Path, subject: &str, words: &str) -> Vec<(String, String)> {
    let parser = mail_parser::MessageParser::default();
    let files = std::fs::read_dir(dir.join("mail/outbox/new")).unwrap();
    files
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .filter_map(|raw| {
            let letter = parser.parse(&raw)?;
            (letter.subject()?.ends_with(subject) && letter.body_text(0)?.contains(words)).then(|| {
                let to = letter.to().and_then(|to| to.first()).and_then(|to| to.address()).unwrap().to_owned();
                (to, letter.body_text(0).unwrap().into_owned())
            })
        })
        .collect()
}

#[test]
fn the_demo_leaves_a_turn_posted_and_every_letter_answered() {
    let (_temp, dir, shown) = demo(&[]);
    assert!(dir.join("site/index.html").is_file());
    assert!(dir.join("site/livonia/1-spring-1700-1.html").is_file());
    let mut readers: Vec<String> =
        letters(&dir, "Spring 1700", "PRELIMINARY, issue 1").into_iter().map(|(to, _)| to).collect();
    readers.sort();
    assert_eq!(readers, ["astrid@example.org", "august@example.org", "pavel@example.org"]);
    assert_eq!(letters(&dir, "Spring 1700", "your orders as I hold them").len(), 3);
    assert!(out(&shown).contains("umpire -C"), "it says which commands come next:\n{}", out(&shown));
    let replay = in_folder(&dir, &["replay", "--verify"]);
    assert!(replay.status.success(), "{}", said(&replay));
    assert!(
        out(&replay).contains("SQLite says ok") && out(&replay).contains("the same to the byte"),
        "{}",
        out(&replay)
    );
    let status = out(&in_folder(&dir, &["status"]));
    assert!(status.contains("preliminary, issue 1") && status.contains("Summer 1700"), "{status}");
}

#[test]
fn a_line_and_an_order_are_explained() {
    let (_temp, dir, _) = demo(&[]);
    let why = |args: &[&str]| {
        let output = in_folder(&dir, &[&["why", "livonia"], args].concat());
        out(&output) + &said(&output)
    };
    // The letter's second line is obeyed; its third wants a second Action of a card that gives one [003 Action Cards].
    let obeyed = why(&["--seat", "russia", "--order", "2"]);
    assert!(obeyed.contains("It was in force. What came of it:") && obeyed.contains("(letter 1, line 2, "), "{obeyed}");
    let number = obeyed.lines().nth(3).and_then(|line| line.split_whitespace().next()).unwrap();
    let line = why(&[number]);
    assert!(line.contains("Novgorod") && line.contains("[003 Army Movement"), "{line}");
    assert!(line.contains("by order of Russia: \"Croy takes Trubetskoy"), "{line}");
    let refused = why(&["--seat", "russia", "--order", "3"]);
    assert!(
        refused.contains("out of force: That would be a second Action; card 1 gives one. [003 Action Cards]"),
        "{refused}"
    );
    assert!(why(&["99"]).contains("Spring 1700 has no event 99"), "{}", why(&["99"]));
}

#[test]
fn a_played_year_is_challenged_corrected_ratified_and_dealt_anew() {
    let (_temp, dir, _) = demo(&["--play"]);
    assert_eq!(letters(&dir, "Spring 1700", "PRELIMINARY, issue 2").len(), 3);
    let answered = letters(&dir, "Spring 1700", "is upheld");
    assert_eq!(answered.iter().map(|(to, _)| to.as_str()).collect::<Vec<_>>(), ["astrid@example.org"]);
    for phase in ["Spring", "Summer", "Fall", "Winter"] {
        assert_eq!(letters(&dir, &format!("{phase} 1700"), "OFFICIAL, issue").len(), 3, "{phase}");
    }
    let winter = letters(&dir, "Winter 1700", "OFFICIAL, issue");
    assert!(winter.iter().all(|(_, text)| text.contains("dealt five cards")), "the new deal");
    let pages = std::fs::read_dir(dir.join("site/livonia")).unwrap();
    let pages: Vec<String> = pages.map(|p| p.unwrap().file_name().into_string().unwrap()).collect();
    assert!(pages.contains(&"1-spring-1700-2.html".to_owned()), "{pages:?}");
    assert!(in_folder(&dir, &["replay", "--verify"]).status.success());
}

/// Whoever fought can check the dice of his battle from the letter alone, and a forged face is found.
#[test]
fn the_dice_of_an_official_letter_verify_and_forged_ones_do_not() {
    let (_temp, dir, _) = demo(&["--play"]);
    let winter = letters(&dir, "Winter 1700", "OFFICIAL, issue");
    let (_, text) = winter.iter().find(|(to, _)| to.starts_with("pavel")).unwrap();
    let file = dir.join("letter.txt");
    std::fs::write(&file, text).unwrap();
    let good = umpire(&["verify", file.to_str().unwrap()]);
    assert!(good.status.success(), "{}{}", out(&good), said(&good));
    assert!(out(&good).contains("Everything that can be checked is right."), "{}", out(&good));
    let roll = text.lines().find(|line| line.starts_with("roll battle:")).unwrap();
    let (head, faces) = roll.rsplit_once(" : ").unwrap();
    let first = faces.chars().next().unwrap();
    let other = if first == '1' { '2' } else { '1' };
    let forged = text.replace(roll, &format!("{head} : {other}{}", &faces[1..]));
    std::fs::write(&file, forged).unwrap();
    let bad = umpire(&["verify", file.to_str().unwrap()]);
    assert_eq!(bad.status.code(), Some(1), "{}", out(&bad));
    assert!(out(&bad).contains("WRONG"));
}

/// What a player mails back unchanged reads the same: no order changes, no complaint comes.
#[test]
fn an_acknowledgement_mailed_back_reads_the_same() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().to_str().unwrap();
    let seats =
        ["--seat", "sweden=Astrid Lind <astrid@example.org>", "--seat", "russia=Pavel Orlov <pavel@example.org>"];
    let mut new = vec!["-C", dir, "new", "livonia", "--campaign", "livonia-1700", "--address", "umpire@example.org"];
    new.extend(seats);
    let made = umpire(&new);
    assert!(made.status.success(), "{}", said(&made));
    let words = temp.path().join("orders.txt");
    std::fs::write(&words, "highest action card\nLoewenhaupt and all his brigades to Riga\nRiga garrison holds to the last\nbuy 1 infantry\n").unwrap();
    let first = in_folder(temp.path(), &["check", "--seat", "sweden", words.to_str().unwrap()]);
    let again = temp.path().join("again.txt");
    std::fs::write(&again, out(&first)).unwrap();
    let second = in_folder(temp.path(), &["check", "--seat", "sweden", again.to_str().unwrap()]);
    let orders = |text: &str| -> Vec<String> {
        let inside = text.split("===== orders in force =====").nth(1).unwrap();
        let inside = inside.split("====== end of orders ======").next().unwrap();
        inside.lines().filter(|l| !l.trim_start().starts_with(';')).map(str::to_owned).collect()
    };
    assert_eq!(orders(&out(&first)), orders(&out(&second)));
    let json = in_folder(temp.path(), &["check", "--seat", "sweden", "--json", words.to_str().unwrap()]);
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert!(value["sheet"]["orders"].as_array().unwrap().len() >= 3, "{value}");
}

/// The telephone, the umpire's clock and his ruling, as he would type them.
#[test]
fn the_umpires_commands_do_what_they_say() {
    let (_temp, dir, _) = demo(&[]);
    let preview = in_folder(&dir, &["rule", "--impose", "lose 1 Flemming", "--because", "he fell ill", "--preview"]);
    assert!(preview.status.success(), "{}{}", out(&preview), said(&preview));
    assert!(out(&preview).contains("Reports that differ"), "{}", out(&preview));
    let unruled = in_folder(&dir, &["rule", "--impose", "lose 1 Flemming", "--because", "he fell ill"]);
    assert_eq!(unruled.status.code(), Some(1), "without a terminal nothing is agreed to");
    let ruled = in_folder(&dir, &["rule", "--impose", "lose 1 Flemming", "--because", "he fell ill", "--yes"]);
    assert!(ruled.status.success() && out(&ruled).contains("issue 2"), "{}{}", out(&ruled), said(&ruled));
    let extended = in_folder(&dir, &["extend", "--by", "2d", "--because", "a holiday"]);
    assert!(extended.status.success(), "{}", said(&extended));
    assert!(in_folder(&dir, &["hold", "--because", "the umpire is ill"]).status.success());
    assert!(out(&in_folder(&dir, &["status"])).contains("HELD"));
    assert!(in_folder(&dir, &["resume", "--because", "he is well"]).status.success());
    let dry = in_folder(&dir, &["adjudicate", "--dry-run"]);
    assert!(dry.status.success() && out(&dry).contains("THROW-AWAY"), "{}{}", out(&dry), said(&dry));
    assert!(in_folder(&dir, &["run", "--once"]).status.success());
    assert!(in_folder(&dir, &["replay", "--verify"]).status.success());
}

/// Mistakes: unknown words exit 2, a user's mistake exits 1 with one clear message and never a panic.
#[test]
fn mistakes_are_answered_in_plain_words() {
    assert_eq!(umpire(&["dmeo"]).status.code(), Some(2));
    assert_eq!(umpire(&["demo", "--frobnicate"]).status.code(), Some(2));
    let (temp, dir, _) = demo(&[]);
    let here = dir.to_str().unwrap().to_owned();
    let again = umpire(&["demo", "--dir", &here]);
    let nowhere = umpire(&["-C", temp.path().to_str().unwrap(), "status"]);
    let no_game = in_folder(&dir, &["status", "poltava"]);
    let no_seat = in_folder(&dir, &["check", "--seat", "denmark", "/dev/null"]);
    let no_file = in_folder(&dir, &["check", "--seat", "sweden", "/no/such/file"]);
    let no_event = in_folder(&dir, &["rule", "--die", "999.1=3", "--because", "x", "--preview"]);
    let no_campaign = umpire(&["demo", "--campaign", "livonia-1770", "--dir", "x"]);
    for (output, words) in [
        (again, "is there already"),
        (nowhere, "no umpire's folder"),
        (no_game, "no game \"poltava\""),
        (no_seat, "no seat \"denmark\""),
        (no_file, "could not read /no/such/file"),
        (no_event, "999"),
        (no_campaign, "livonia-1700"),
    ] {
        assert_eq!(output.status.code(), Some(1), "{words}: {}", said(&output));
        assert!(said(&output).contains(words) && !said(&output).contains("panicked"), "{}", said(&output));
    }
}

/// A broken campaign file: every fault at once, with file and line, and nothing is opened.
#[test]
fn a_broken_campaign_is_refused_with_all_its_faults() {
    let temp = tempfile::tempdir().unwrap();
    let own = temp.path().join("campaigns/livonia-1700");
    std::fs::create_dir_all(&own).unwrap();
    let units = std::fs::read_to_string("campaigns/livonia-1700/units.csv").unwrap();
    let broken = units.replacen("sweden", "sweeden", 1).replacen(",riga,", ",rgia,", 1);
    std::fs::write(own.join("units.csv"), broken).unwrap();
    let made = umpire(&[
        "-C",
        temp.path().to_str().unwrap(),
        "new",
        "livonia",
        "--campaign",
        "livonia-1700",
        "--address",
        "umpire@example.org",
    ]);
    assert_eq!(made.status.code(), Some(1));
    let text = said(&made);
    assert!(text.contains("units.csv:") && text.contains("sweeden") && text.contains("rgia"), "{text}");
}
