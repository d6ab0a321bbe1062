use super::*;

fn draft() -> Draft {
    Draft {
        from: Party { name: Some("Umpire".into()), address: "umpire@example.org".into() },
        to: Party { name: Some("Karl den tolfte".into()), address: "king@example.org".into() },
        subject: "[gnw1] Sweden, Spring 1700: your orders as I hold them now".into(),
        text: "Riga holds\n-- \nFrom here on\n".into(),
        html: None,
        message_id: "umpire.abc@example.org".into(),
        in_reply_to: None,
        references: Vec::new(),
        thread: None,
        date: "2026-12-04T20:00:00.5Z".parse().unwrap(),
        auto_submitted: AutoSubmitted::Replied,
        list_id: None,
        attachments: Vec::new(),
    }
}

fn text(draft: &Draft) -> String {
    String::from_utf8(compose(draft).unwrap()).unwrap()
}

/// The fields of the header, unfolded.
fn fields(letter: &str) -> Vec<String> {
    let header = letter.split("\r\n\r\n").next().unwrap().replace("\r\n ", " ");
    header.split("\r\n").map(str::to_owned).collect()
}

#[test]
fn a_plain_letter_to_the_byte() {
    let expect = [
        "From: Umpire <umpire@example.org>",
        "To: \"Karl den tolfte\" <king@example.org>",
        "Subject: [gnw1] Sweden, Spring 1700: your orders as I hold them now",
        "Date: Fri, 04 Dec 2026 20:00:00 +0000",
        "Message-ID: <umpire.abc@example.org>",
        "X-Umpire-Loop: yes",
        "Auto-Submitted: auto-replied",
        "X-Auto-Response-Suppress: DR, RN, NRN, OOF, AutoReply",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "Riga holds",
        "--=20",
        "From here on",
        "",
        "",
    ]
    .join("\r\n");
    assert_eq!(text(&draft()), expect);
}

#[test]
fn the_same_draft_gives_the_same_bytes() {
    let mut draft = draft();
    draft.html = Some("<p>Riga holds</p><img src=\"cid:map.png\">".into());
    let png =
        Attachment { name: "map.png".into(), content_type: "image/png".into(), bytes: vec![7; 3000], inline: true };
    draft.attachments = vec![Attachment { name: "orders åäö.txt".into(), inline: false, ..png.clone() }, png];
    let first = text(&draft);
    assert_eq!(first, text(&draft));
    assert!(first.contains("Content-ID: <map.png>\r\n"), "{first}");
    assert!(
        first.contains("multipart/mixed")
            && first.contains("multipart/alternative")
            && first.contains("multipart/related")
    );
    assert!(first.is_ascii() && first.lines().all(|line| line.len() <= 78), "{first}");
    draft.message_id = "umpire.abd@example.org".into();
    assert_ne!(first, text(&draft));
}

#[test]
fn no_name_or_subject_adds_a_header() {
    let mut draft = draft();
    draft.subject = "Spring\r\nBcc: spy@example.org\r\n\r\nbody\u{202e}\0 \u{85}x\u{2028}y".into();
    draft.to.name = Some("Karl\r\nBcc: spy@example.org\n<a@b>, \"x\" <y@example.org>".into());
    draft.in_reply_to = Some("a@b\r\nBcc: spy@example.org".into());
    draft.references = vec!["<x@y>\r\nBcc: z".into(), "å@example.org".into(), "<good@example.org>".into()];
    let letter = text(&draft);
    let names: Vec<_> = fields(&letter).iter().map(|f| f.split(':').next().unwrap().to_owned()).collect();
    let expect = [
        "From",
        "To",
        "Subject",
        "Date",
        "Message-ID",
        "References",
        "X-Umpire-Loop",
        "Auto-Submitted",
        "X-Auto-Response-Suppress",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
    ];
    assert_eq!(names, expect, "{letter}");
    assert!(letter.contains("References: <good@example.org>\r\n"));
}

#[test]
fn long_subjects_and_threads_stay_in_short_lines() {
    let mut draft = draft();
    draft.subject = "Рига ".repeat(500);
    draft.to.name = Some("Å".repeat(500));
    draft.text = "x".repeat(5000);
    draft.in_reply_to = Some(format!("{}@example.org", "r".repeat(100)));
    draft.references = (0..100).map(|n| format!("{n}@example.org")).collect();
    let letter = text(&draft);
    assert!(letter.is_ascii());
    assert!(letter.split("\r\n").all(|line| line.len() <= 200), "{letter}");
    let references = fields(&letter).into_iter().find(|f| f.starts_with("References")).unwrap();
    assert!(references.starts_with("References: <0@example.org> <82@example.org>"), "{references}");
    assert_eq!(references.matches('<').count(), 20);
}

#[test]
fn announcements_are_marked_as_such() {
    let mut draft = draft();
    draft.auto_submitted = AutoSubmitted::Generated;
    draft.list_id = Some("gnw1.umpire.example.org".into());
    let fields = fields(&text(&draft));
    for field in [
        "Auto-Submitted: auto-generated",
        "Precedence: bulk",
        "List-Id: <gnw1.umpire.example.org>",
        "X-Umpire-Loop: yes",
    ] {
        assert!(fields.iter().any(|f| f == field), "{field} in {fields:?}");
    }
}

#[test]
fn what_cannot_stand_in_a_letter_is_refused() {
    let refused = |change: fn(&mut Draft)| {
        let mut draft = draft();
        change(&mut draft);
        compose(&draft).unwrap_err().to_string()
    };
    assert!(refused(|d| d.to.address = "king".into()).starts_with("the To address `king`"));
    assert!(refused(|d| d.to.address = "kung@å.example".into()).contains("ASCII"));
    assert!(refused(|d| d.from.address = "a@b.example\r\nBcc: x@y.example".into()).starts_with("the From address"));
    assert!(refused(|d| d.message_id = "no id".into()).contains("Message-ID"));
    assert!(refused(|d| d.list_id = Some("a b".into())).contains("List-Id"));
    assert!(refused(|d| d.date = "1969-01-01T00:00:00Z".parse().unwrap()).contains("date"));
    assert!(
        refused(|d| d.attachments =
            vec![Attachment { name: "a".into(), content_type: "x".into(), bytes: vec![], inline: false }])
        .contains("type")
    );
}
