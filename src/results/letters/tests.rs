use super::super::facts::Moment;
use super::super::{dice_block, page, picture, sample, text};
use super::*;

fn templates() -> Templates {
    Templates::load(None).unwrap()
}

#[test]
fn every_template_renders_against_the_sample() {
    assert_eq!(sample::check(&templates()), vec![]);
}

#[test]
fn every_kind_of_entry_has_a_template_and_every_template_a_sample() {
    let kinds: Vec<String> =
        sample::entry_facts().into_iter().map(|(kind, _)| format!("season/entry/{kind}.txt")).collect();
    let templates = templates();
    for kind in &kinds {
        assert!(templates.has(kind), "{kind} has no template");
    }
    for name in templates.names().iter().filter(|n| n.contains("/entry/")) {
        assert!(kinds.iter().any(|k| k == name), "{name} has no sample");
    }
}

#[test]
fn entries_in_all_their_phrasings() {
    let templates = templates();
    let mut told = String::new();
    for (kind, sentences) in sample::phrasings(&templates) {
        told.push_str(&format!("{kind}\n"));
        for sentence in sentences {
            told.push_str(&text::wrap(&sentence, "  - ", "    ", 100));
            told.push('\n');
        }
    }
    insta::assert_snapshot!("entries", told);
}

#[test]
fn an_acknowledgement() {
    let letter = acknowledgement(&templates(), &sample::acknowledgement()).unwrap();
    insta::assert_snapshot!("acknowledgement", format!("Subject: {}\n\n{}", letter.subject, letter.text));
}

/// What the umpire entered by telephone and then withdrew.
fn empty() -> Acknowledgement {
    let mut ack = sample::acknowledgement();
    ack.sheet.orders.clear();
    ack.sheet.questions.clear();
    ack.sheet.complaints.clear();
    ack.sheet.passed_over.clear();
    ack.sheet.still_open.clear();
    (ack.left_out, ack.remarks, ack.standing) = (Vec::new(), Vec::new(), Vec::new());
    (ack.letter, ack.receipt, ack.by_umpire) = (0, "5F2C-91AA".to_owned(), true);
    ack
}

#[test]
fn an_empty_acknowledgement() {
    let letter = acknowledgement(&templates(), &empty()).unwrap();
    insta::assert_snapshot!("empty_acknowledgement", letter.text);
}

#[test]
fn results_of_every_stage() {
    let templates = templates();
    for (name, sample) in
        [("preliminary", sample::preliminary()), ("corrected", sample::corrected()), ("official", sample::official())]
    {
        let letter = results(&templates, &sample).unwrap();
        insta::assert_snapshot!(format!("results_{name}"), format!("Subject: {}\n\n{}", letter.subject, letter.text));
    }
}

#[test]
fn challenges_and_notices() {
    let templates = templates();
    let mut letters = Vec::new();
    letters.extend(sample::challenges().iter().map(|c| challenge(&templates, c).unwrap()));
    letters.extend(sample::notices().iter().map(|n| notice(&templates, n).unwrap()));
    let text: Vec<String> = letters.iter().map(|l| format!("Subject: {}\n\n{}", l.subject, l.text)).collect();
    insta::assert_snapshot!("challenges_and_notices", text.join("\n~~~~\n\n"));
}

#[test]
fn orders_stand_alone_between_their_rules() {
    let text = check_text(&templates(), &sample::acknowledgement()).unwrap();
    let (_, rest) = text.split_once(&format!("{ORDERS_BEGIN}\n")).unwrap();
    let (orders, _) = rest.split_once(ORDERS_END).unwrap();
    let held: Vec<&str> = orders.lines().filter(|l| !l.trim_start().starts_with(';')).collect();
    let sheet = sample::acknowledgement().sheet;
    let wanted: Vec<String> = sheet
        .orders
        .iter()
        .filter(|o| o.out_of_force.is_none())
        .map(|o| format!("{:>3}  {}", o.number, o.words))
        .collect();
    assert_eq!(held, wanted);
}

#[test]
fn lines_fit_in_72_columns() {
    let templates = templates();
    let mut letters = vec![acknowledgement(&templates, &sample::acknowledgement()).unwrap()];
    letters.push(acknowledgement(&templates, &empty()).unwrap());
    letters.extend(
        [sample::preliminary(), sample::corrected(), sample::official()].map(|r| results(&templates, &r).unwrap()),
    );
    letters.extend(sample::challenges().iter().map(|c| challenge(&templates, c).unwrap()));
    letters.extend(sample::notices().iter().map(|n| notice(&templates, n).unwrap()));
    // The longest day's name and month, the longest way ahead.
    let text = "Wednesday 30 September 2026, 20:00".to_owned();
    let far =
        Moment { text, away: "in 13 days and 23 hours".to_owned(), ..sample::notices()[0].moment.clone().unwrap() };
    letters.extend(
        sample::notices().into_iter().map(|n| notice(&templates, &Notice { moment: Some(far.clone()), ..n }).unwrap()),
    );
    for letter in letters {
        assert!(!letter.subject.contains('\n') && !letter.subject.is_empty());
        let mut in_orders = false;
        for line in letter.text.lines() {
            in_orders = (in_orders || line == ORDERS_BEGIN) && line != ORDERS_END;
            let order = in_orders && !line.trim_start().starts_with(';');
            assert!(order || text::width(line) <= text::WIDTH, "too wide: {line}");
        }
    }
}

#[test]
fn a_letter_and_a_page_are_all_that_checking_needs() {
    let templates = templates();
    let official = sample::official();
    let letter = results(&templates, &official).unwrap();
    let pages = page::game_pages(&templates, &sample::front_page(), std::slice::from_ref(&official)).unwrap();
    let page = &pages[&format!("livonia/{}", page::file_name(&official))];
    for text in [&letter.text, letter.html.as_ref().unwrap(), page] {
        let found = dice_block::read(text).unwrap().check();
        assert_eq!((found.proven, found.unproven, found.faults.len()), (2, 0, 0));
    }
    let early = results(&templates, &sample::preliminary()).unwrap();
    assert_eq!(dice_block::read(&early.text).unwrap().check().unproven, 3);
}

/// What players and umpires type may hold anything.
#[test]
fn foreign_words_inject_neither_markup_nor_templates_nor_control_codes() {
    const EVIL: &str =
        "{{ root }} {% include 'x' %} <script>alert(1)</script> \u{1b}[2J\u{202e}\n-----BEGIN UMPIRE DICE-----";
    let templates = templates();
    let mut ack = sample::acknowledgement();
    for complaint in &mut ack.sheet.complaints {
        complaint.line_text = EVIL.to_owned();
    }
    ack.sheet.orders[0].words = format!("{EVIL}\n{ORDERS_END}\nBuy 9 guards");
    ack.sheet.passed_over[0].text = EVIL.to_owned();
    let letter = acknowledgement(&templates, &ack).unwrap();
    assert_eq!(letter.text.lines().filter(|l| *l == ORDERS_END).count(), 1);
    assert!(letter.text.contains("{{ root }}") && !letter.text.contains('\u{1b}') && !letter.text.contains('\u{202e}'));

    let mut news = sample::challenges().remove(0);
    news.text = EVIL.to_owned();
    let letter = challenge(&templates, &news).unwrap();
    assert!(!letter.text.lines().any(|l| l.starts_with("-----BEGIN")), "{}", letter.text);

    let mut turn = sample::corrected();
    for entry in &mut turn.report.entries {
        entry.heading = EVIL.to_owned();
        entry.facts.insert("seat".to_owned(), EVIL.into());
        entry.facts.insert("words".to_owned(), EVIL.into());
        entry.source = Some(crate::engine::Source {
            letter: crate::engine::LetterNo(1),
            line: 1,
            column: 0,
            words: EVIL.to_owned(),
        });
    }
    turn.changes.as_mut().unwrap().rulings[0].reason = EVIL.to_owned();
    let mut front = sample::front_page();
    front.seats[0].1 = EVIL.to_owned();
    front.held = Some(EVIL.to_owned());
    let letter = results(&templates, &turn).unwrap();
    let mut pages = page::game_pages(&templates, &front, &[turn]).unwrap();
    pages.insert("index.html".to_owned(), page::index_page(&templates, &[front]).unwrap());
    pages.insert("letter".to_owned(), letter.html.unwrap());
    for (name, html) in pages {
        assert!(!html.contains("<script>alert"), "{name}");
    }
}

#[test]
fn a_kind_without_a_template_is_told_plainly() {
    let mut turn = sample::preliminary();
    turn.report.entries.truncate(1);
    turn.report.entries[0].kind = "comet_seen".to_owned();
    let letter = results(&templates(), &turn).unwrap();
    assert!(letter.text.contains("Comet seen: seat Sweden; value 2; serial 37; unread no."), "{}", letter.text);
}

/// Writes everything that is looked at rather than compared: `UMPIRE_LOOK=/tmp/look cargo test look`.
#[test]
fn look() {
    let Some(folder) = std::env::var_os("UMPIRE_LOOK").map(std::path::PathBuf::from) else { return };
    let templates = templates();
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let board = super::super::livonia::board();
    let public = |mut results: Results| {
        (results.occasion.seat, results.occasion.player) = (String::new(), String::new());
        results.report.board = Some(board.clone());
        results
    };
    write("board.svg", &picture::board_svg(&board));
    write("acknowledgement.txt", &acknowledgement(&templates, &sample::acknowledgement()).unwrap().text);
    write("results.html", &results(&templates, &sample::corrected()).unwrap().html.unwrap());
    let turns = [public(sample::preliminary()), public(sample::corrected())];
    for (path, page) in page::game_pages(&templates, &sample::front_page(), &turns).unwrap() {
        write(&format!("site/{path}"), &page);
    }
    write("site/index.html", &page::index_page(&templates, &[sample::front_page()]).unwrap());
}
