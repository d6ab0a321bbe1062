//! What `post` writes, `mail` reads: the two never see each other inside the crate.

use proptest::prelude::*;
use umpire::engine::{GameId, SeatId};
use umpire::mail::{self, Hints, LetterKind, Why};
use umpire::post::{self, AutoSubmitted, Draft, MessageIds, Party, StoredLetter};

fn draft(subject: &str, text: &str) -> Draft {
    Draft {
        from: Party { name: Some("Umpire".into()), address: "umpire@example.org".into() },
        to: Party { name: Some("Кароль Åkesson, \"Rex\"".into()), address: "king@example.org".into() },
        subject: subject.into(),
        text: text.into(),
        html: None,
        message_id: "umpire.abc@example.org".into(),
        in_reply_to: Some("k1@example.org".into()),
        references: vec!["k0@example.org".into()],
        thread: None,
        date: "2026-12-04T20:00:00Z".parse().unwrap(),
        auto_submitted: AutoSubmitted::Replied,
        list_id: None,
        attachments: Vec::new(),
    }
}

/// The letter as if a person had written it: without the marks by which an umpire's letter is dropped.
fn as_a_persons(raw: &[u8]) -> Vec<u8> {
    let text = String::from_utf8(raw.to_vec()).unwrap();
    let marks = ["X-Umpire-Loop:", "Auto-Submitted:", "X-Auto-Response-Suppress:"];
    text.split_inclusive("\r\n").filter(|line| !marks.iter().any(|m| line.starts_with(m))).collect::<String>().into()
}

#[test]
fn a_letter_comes_back_as_it_was_written() {
    let text = "Åbo håller ut.\nРига держится до последнего – “aldrig”.\n\n\tfrån Dünamünde  till Ösel = 2\n";
    let subject = "[gnw1] Sverige, våren 1700: Нарва и Рига, Åbo och Ösel; all that is long enough to be folded";
    let raw = post::compose(&draft(subject, text)).unwrap();
    let letter = mail::read(&as_a_persons(&raw));
    assert_eq!(letter.subject.as_deref(), Some(subject));
    assert_eq!(letter.message_id.as_deref(), Some("umpire.abc@example.org"));
    assert_eq!(letter.in_reply_to, ["k1@example.org"]);
    assert_eq!(letter.references, ["k0@example.org", "k1@example.org"]);
    assert_eq!(letter.to[0].name.as_deref(), Some("Кароль Åkesson, \"Rex\""));
    assert_eq!(letter.sender().unwrap().to_string(), "umpire@example.org");
    assert_eq!(letter.date_header.unwrap().to_string(), "2026-12-04T20:00:00Z");
    assert_eq!(letter.words.text(), text.replace('\t', " ").trim_end());
}

#[test]
fn our_own_letter_is_dropped_when_it_comes_back() {
    let ids = MessageIds::new(b"secret", "umpire.example.org").unwrap();
    let mut draft = draft("x", "Riga holds");
    draft.message_id = ids.make(&GameId::new("gnw1"), "ack", Some(&SeatId::new("sweden")), "intake 3");
    let raw = post::compose(&draft).unwrap();
    assert_eq!(mail::read(&raw).kind, LetterKind::OwnLoop);
    let hints = Hints { own_domain: Some(ids.domain().into()), ..Hints::default() };
    assert_eq!(mail::read_with(&as_a_persons(&raw), &hints).kind, LetterKind::OwnLoop, "known by its id alone");
    assert!(mail::read(&raw).words.is_empty());
}

#[test]
fn an_answer_over_our_quoted_letter_holds_the_new_words_only() {
    let ours = "Sweden, Spring 1700: your orders as I hold them now\n\n  1  Action card 2, serial 37\n";
    let quoted: String = ours.lines().map(|line| format!("> {line}\n")).collect();
    let answer =
        format!("7a\nRiga holds\n\nOn Fri, 4 Dec 2026 at 20:00, Umpire <umpire@example.org> wrote:\n\n{quoted}");
    let letter = mail::read(&as_a_persons(&post::compose(&draft("Re: x", &answer)).unwrap()));
    assert_eq!(letter.words.text(), "7a\nRiga holds");
    assert!(letter.words.leaves_out(Why::Attribution) && letter.words.leaves_out(Why::Quoted));
}

#[test]
fn a_delivered_letter_lies_in_the_maildir_as_stored() {
    let dir = tempfile::tempdir().unwrap();
    let raw = post::compose(&draft("x", "Riga holds")).unwrap();
    post::deliver(dir.path(), &StoredLetter { message_id: "umpire.abc@example.org", bytes: &raw }).unwrap();
    let box_of_the_king = mail::Maildir::open(dir.path()).unwrap();
    let listed = box_of_the_king.list().unwrap();
    assert_eq!(box_of_the_king.read(&listed[0], 100_000).unwrap().bytes, raw);
}

proptest! {
    #[test]
    fn subjects_and_words_come_back(
        subject in "[a-zåäöÅÄÖа-яА-Я0-9,.:()<>\"=?_-]{1,12}( [a-zåäöÅÄÖа-яА-Я0-9,.:()<>\"=?_-]{1,12}){0,8}",
        text in "([a-zåäöа-я0-9=?_.,*]{1,30}( [a-zåäöа-я0-9=?_.,*–]{1,200}){0,3}\n{1,2}){1,6}",
    ) {
        let raw = post::compose(&draft(&subject, &text)).unwrap();
        prop_assert!(raw.is_ascii());
        prop_assert!(raw.split(|&b| b == b'\n').all(|line| line.len() < 998));
        let letter = mail::read(&as_a_persons(&raw));
        prop_assert_eq!(letter.subject.as_deref(), Some(subject.as_str()));
        prop_assert_eq!(letter.words.text(), text.trim_end());
    }

    #[test]
    fn no_text_adds_a_header(name in any::<String>(), subject in any::<String>(), foreign in any::<String>()) {
        let mut draft = draft(&subject, "x");
        draft.to.name = Some(name);
        draft.in_reply_to = Some(foreign.clone());
        draft.references = vec![foreign];
        let raw = String::from_utf8(post::compose(&draft).unwrap()).unwrap();
        let header = raw.split("\r\n\r\n").next().unwrap();
        let known = ["From", "To", "Subject", "Date", "Message-ID", "In-Reply-To", "References", "X-Umpire-Loop",
            "Auto-Submitted", "X-Auto-Response-Suppress", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"];
        for line in header.split("\r\n").filter(|line| !line.starts_with(' ')) {
            prop_assert!(known.contains(&line.split(':').next().unwrap()), "{}", line);
        }
        prop_assert!(!header.replace("\r\n", "").contains(['\r', '\n']));
    }
}
