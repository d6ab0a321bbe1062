//! The thirty cases of letters as they really are, by their numbers; each letter of our own making.

use proptest::prelude::*;

use super::*;

const HEAD: &str = "From: Karl <king@example.org>\nTo: umpire@example.org\nSubject: Re: [gnw1] Spring 1700\n\
    Message-ID: <k1@example.org>\nDate: Fri, 4 Dec 2026 19:00:00 +0100\n";

fn letter(rest: &str) -> Letter {
    read(format!("{HEAD}{rest}").as_bytes())
}

fn words(rest: &str) -> String {
    letter(rest).words.text()
}

fn reads(rest: &str, expect: &str) {
    for text in [rest.to_owned(), rest.replace('\n', "\r\n")] {
        let head = if text.contains('\r') { HEAD.replace('\n', "\r\n") } else { HEAD.to_owned() };
        assert_eq!(read(format!("{head}{text}").as_bytes()).words.text(), expect, "{text}");
    }
}

#[test]
fn a_letter_without_tricks() {
    let letter = letter(
        "In-Reply-To: <umpire.a@example.org>\nReferences: <umpire.0@example.org>\n <umpire.a@example.org>\n\nRiga holds\n",
    );
    assert_eq!(letter.sender().unwrap().to_string(), "king@example.org");
    assert_eq!(letter.from[0].name.as_deref(), Some("Karl"));
    assert_eq!(letter.to[0].addr, "umpire@example.org".parse().ok());
    assert_eq!(letter.subject.as_deref(), Some("Re: [gnw1] Spring 1700"));
    assert_eq!(letter.message_id.as_deref(), Some("k1@example.org"));
    assert_eq!(letter.in_reply_to, ["umpire.a@example.org"]);
    assert_eq!(letter.references, ["umpire.0@example.org", "umpire.a@example.org"]);
    assert_eq!(letter.date_header.unwrap().to_string(), "2026-12-04T18:00:00Z");
    assert_eq!(letter.kind, LetterKind::Personal);
    assert_eq!(letter.words.text(), "Riga holds");
    assert_eq!(reply_leave(&letter), ReplyLeave::Anyone);
}

#[test]
fn case_1_and_2_automatic_replies_are_neither_read_nor_answered() {
    for mark in [
        "Auto-Submitted: auto-replied (vacation)",
        "Auto-Submitted: auto-generated; owner-email=x",
        "Precedence: bulk",
        "Precedence: junk",
        "X-Auto-Response-Suppress: All",
        "X-Autoreply: yes",
        "List-Unsubscribe: <https://example.org/u>",
    ] {
        let letter = letter(&format!("{mark}\n\nRiga holds\n"));
        assert!(matches!(letter.kind, LetterKind::AutoReply(_) | LetterKind::Bulk), "{mark}: {:?}", letter.kind);
        assert!(letter.words.is_empty());
        assert!(!reply_allowed(&letter));
    }
    assert_eq!(letter("Auto-Submitted: no\n\nRiga holds\n").kind, LetterKind::Personal);
    let away = read(b"From: k@example.org\nSubject: Automatic reply: [gnw1]\n\nI am away\n");
    assert_eq!(away.kind, LetterKind::AutoReply(AutoMark::Subject));
    let answer = read(b"From: k@example.org\nSubject: Re: Automatic reply: [gnw1]\n\nRiga holds\n");
    assert_eq!(answer.kind, LetterKind::Personal);
}

#[test]
fn case_3_a_null_return_path_is_never_answered() {
    assert!(!reply_allowed(&letter("Return-Path: <>\n\nRiga holds\n")));
    assert!(!reply_allowed(&letter("Return-Path: < >\n\nRiga holds\n")));
    assert!(reply_allowed(&letter("Return-Path: <king@example.org>\n\nRiga holds\n")));
}

const BOUNCE: &str = "From: Mail Delivery System <MAILER-DAEMON@mx.example.org>\nTo: umpire@example.org\nReturn-Path: <>\n\
Auto-Submitted: auto-replied\nContent-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\n\n\
--b\n\nThe letter could not be delivered.\n\
--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\n\
Final-Recipient: rfc822; tsar@example.org\nOriginal-Recipient: rfc822;Tsar@example.org\nAction: failed\nStatus: 5.1.1\n\n\
Final-Recipient: rfc822; king@example.org\nAction: delayed\nStatus: 4.4.1\n\n\
--b\nContent-Type: message/rfc822\n\nMessage-ID: <umpire.xyz@example.org>\nX-Umpire-Loop: yes\nSubject: results\n\nRiga holds\n--b--\n";

#[test]
fn case_4_a_bounce_is_read_by_its_machine_part() {
    for raw in
        [BOUNCE.to_owned(), BOUNCE.replace('\n', "\r\n"), BOUNCE.replace("message/rfc822", "text/rfc822-headers")]
    {
        let letter = read(raw.as_bytes());
        let LetterKind::Bounce(bounce) = &letter.kind else { panic!("{:?}", letter.kind) };
        assert_eq!(bounce.original.as_deref(), Some("umpire.xyz@example.org"));
        let seen: Vec<_> =
            bounce.recipients.iter().map(|r| (r.address.clone(), r.status.as_str(), r.permanent)).collect();
        let address = |a: &str| a.parse::<Mailbox>().ok();
        assert_eq!(seen, [(address("tsar@example.org"), "5.1.1", true), (address("king@example.org"), "4.4.1", false)]);
        assert!(letter.words.is_empty());
    }
    let old = read(b"From: MAILER-DAEMON@example.org\nSubject: failure notice\n\nHi. This is the qmail-send program\n");
    assert_eq!(old.kind, LetterKind::Bounce(Bounce::default()));
}

#[test]
fn case_5_a_read_receipt_is_nothing() {
    let letter = letter(
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n--b\n\nread\n--b--\n",
    );
    assert_eq!(letter.kind, LetterKind::ReadReceipt);
    assert!(!reply_allowed(&letter));
}

#[test]
fn case_6_our_own_letters_are_known_when_they_come_back() {
    assert_eq!(letter("X-Umpire-Loop: yes\n\nRiga holds\n").kind, LetterKind::OwnLoop);
    let hints = Hints { own_domain: Some("Example.org".into()), ..Hints::default() };
    let own = "From: a@example.org\nMessage-ID: <umpire.abc@example.org>\n\nx\n";
    assert_eq!(read_with(own.as_bytes(), &hints).kind, LetterKind::OwnLoop);
    assert_eq!(read_with(format!("{HEAD}\nx").as_bytes(), &hints).kind, LetterKind::Personal);
}

#[test]
fn case_7_and_8_the_same_letter_has_the_same_hash_from_any_store() {
    let one = letter("\nRiga holds\nNarva holds\n");
    let crlf = read(
        format!("Delivered-To: u@example.org\n{HEAD}\nRiga holds\nNarva holds\n\n").replace('\n', "\r\n").as_bytes(),
    );
    assert_eq!(one.body_hash, crlf.body_hash);
    assert_ne!(one.body_hash, letter("\nRiga holds\nNarva falls\n").body_hash);
    assert_eq!(one.body_hash.len(), 64);
}

#[test]
fn case_9_to_11_quotes_are_dropped_and_told() {
    let below =
        letter("\nRiga holds\n\nOn Fri, 4 Dec 2026 at 18:00, Umpire <u@example.org> wrote:\n> Narva holds\n>> x\n");
    assert_eq!(below.words.text(), "Riga holds");
    let why: Vec<Why> = below.words.left_out.iter().map(|l| l.why).collect();
    assert_eq!(why, [Why::Attribution, Why::Quoted]);
    reads("\n> Orders?\n\nRiga holds\n", "Riga holds");
    let only = letter("\nUmpire wrote:\n> Riga holds\n");
    assert!(only.words.is_empty() && only.words.leaves_out(Why::Quoted));
    assert_eq!(only.kind, LetterKind::Personal);
}

#[test]
fn case_12_outlooks_unmarked_quote_is_cut() {
    reads(
        "\nRiga holds\n\nVon: Umpire\nGesendet: Freitag, 4. Dezember 2026 18:00\nAn: Karl\nBetreff: [gnw1]\n\nNarva holds\n",
        "Riga holds",
    );
}

#[test]
fn case_13_html_is_read_block_by_block() {
    reads(
        "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
        <div dir=3D\"ltr\"><div>card: action 2</div><div>Riga holds</div></div><br>\n\
        <div class=3D\"gmail_quote\"><div class=3D\"gmail_attr\">On Fri, 4 Dec 2026, Umpire wrote:<br></div>\n\
        <blockquote class=3D\"gmail_quote\"><div>Narva holds</div></blockquote></div>\n",
        "card: action 2\nRiga holds",
    );
}

const ALTERNATIVE: &str = "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n\
    --b\nContent-Type: text/plain\n\nPLAIN\n--b\nContent-Type: text/html\n\n<div>Narva holds</div><div>HTML</div>\n--b--\n";

#[test]
fn case_14_empty_text_beside_html_gives_the_html() {
    reads(&ALTERNATIVE.replace("PLAIN", "Riga holds"), "Riga holds");
    reads(&ALTERNATIVE.replace("PLAIN", ""), "Narva holds\nHTML");
    reads(&ALTERNATIVE.replace("PLAIN", " \u{a0}\n \u{200b}\n"), "Narva holds\nHTML");
}

#[test]
fn case_15_words_that_might_be_orders_stay() {
    let letter = letter("\nRiga holds\n\nKarl\nRex Sueciae\n\nSent from my iPhone\n");
    assert_eq!(letter.words.text(), "Riga holds\n\nKarl\nRex Sueciae");
    assert!(letter.words.leaves_out(Why::DeviceLine));
}

#[test]
fn case_16_flowed_text_is_joined_first() {
    reads(
        "Content-Type: text/plain; format=flowed; delsp=yes\n\nCharles XII to Copen \nhagen\n From Riga all\n> old \n> text\n-- \nKarl\n",
        "Charles XII to Copenhagen\nFrom Riga all",
    );
}

#[test]
fn case_17_to_19_blanks_and_line_ends() {
    assert_eq!(
        words("Content-Type: text/plain; charset=utf-8\n\nRiga\u{a0}–\tMi\u{feff}tau\rNarva\r\n “now”"),
        "Riga – Mitau\nNarva\n “now”"
    );
}

#[test]
fn case_20_character_sets() {
    let raw = |label: &str, body: &[u8]| {
        let head = format!("{HEAD}Content-Type: text/plain{label}\nContent-Transfer-Encoding: 8bit\n\n");
        [head.as_bytes(), body].concat()
    };
    let koi = b"\xf2\xc9\xc7\xc1 stoit\n";
    assert_eq!(read(&raw("; charset=koi8-r", koi)).words.text(), "Рига stoit");
    assert_eq!(read(&raw("; charset=\"windows-1251\"", b"\xd0\xe8\xe3\xe0\n")).words.text(), "Рига");
    assert_eq!(read(&raw("; charset=ISO-8859-1", b"\xc5bo\n")).words.text(), "Åbo");
    assert_eq!(read(&raw("; charset=us-ascii", "Åbo\n".as_bytes())).words.text(), "Åbo");
    let unnamed = read(&raw("", koi));
    assert!(unnamed.words.charset_doubt);
    let hints = Hints { charset_guess: Some("koi8-r".into()), ..Hints::default() };
    assert_eq!(read_with(&raw("", koi), &hints).words.text(), "Рига stoit");
    assert!(read(&raw("; charset=utf-8", b"Riga \xff holds\n")).words.charset_doubt);
}

#[test]
fn case_21_base64_with_a_footer_behind_it() {
    let rest = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\nUmlnYSBob2xkcw0KTmFydmEgaG9sZHMNCg==\n\
        _______________________________________________\nGnw mailing list\n";
    reads(rest, "Riga holds\nNarva holds");
    assert!(letter(rest).words.leaves_out(Why::ListFooter));
    let mixed = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n\
        UmlnYSBob2xkcw==\nfooter!\n--b--\n";
    reads(mixed, "Riga holds");
}

#[test]
fn case_22_winmail() {
    let rest = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nRiga holds\n--b\nContent-Type: application/ms-tnef; name=winmail.dat\n\n\
        Content-Disposition: attachment; filename=winmail.dat\n\nxyz\n--b--\n";
    let letter = letter(rest);
    assert_eq!(letter.words.text(), "Riga holds");
    assert_eq!(letter.notes, [Note::Winmail]);
}

#[test]
fn case_23_signed_is_read_and_sealed_is_refused() {
    reads(
        "Content-Type: multipart/signed; protocol=\"application/pgp-signature\"; boundary=b\n\n--b\nContent-Type: text/plain\n\nRiga holds\n\
        --b\nContent-Type: application/pgp-signature; name=signature.asc\n\n-----BEGIN PGP SIGNATURE-----\n--b--\n",
        "Riga holds",
    );
    for (rest, sealed) in [
        (
            "Content-Type: multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=b\n\n--b\n\nx\n--b--\n",
            Sealed::Pgp,
        ),
        ("\n-----BEGIN PGP MESSAGE-----\n\nhQ==\n-----END PGP MESSAGE-----\n", Sealed::Pgp),
        ("Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\n\nMII\n", Sealed::Smime),
        ("Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\n\nMII\n", Sealed::SmimeOpaque),
    ] {
        let letter = letter(rest);
        assert_eq!(letter.kind, LetterKind::Encrypted(sealed), "{rest}");
        assert!(letter.words.is_empty() && reply_allowed(&letter));
    }
}

#[test]
fn case_24_what_is_passed_on_is_not_carried_out() {
    let enclosed = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nTEXT\n--b\nContent-Type: message/rfc822\n\n\
        From: tsar@example.org\nSubject: x\n\nNarva holds\n--b--\n";
    let only = letter(&enclosed.replace("TEXT", ""));
    assert_eq!((only.kind.clone(), only.words.is_empty()), (LetterKind::ForwardedOnly, true));
    assert_eq!(only.notes, [Note::Enclosed(1)]);
    let both = letter(&enclosed.replace("TEXT", "Riga holds"));
    assert_eq!((both.kind, both.words.text().as_str()), (LetterKind::Personal, "Riga holds"));
    let inline = letter("\n---------- Forwarded message ---------\nFrom: tsar@example.org\n\nNarva holds\n");
    assert_eq!(inline.kind, LetterKind::ForwardedOnly);
    let digest =
        letter("Content-Type: multipart/digest; boundary=b\n\n--b\n\nFrom: tsar@example.org\n\nNarva holds\n--b--\n");
    assert_eq!(digest.kind, LetterKind::ForwardedOnly);
}

#[test]
fn case_25_a_text_file_speaks_only_for_a_silent_letter() {
    let with = |body: &str| {
        letter(&format!(
            "Content-Type: multipart/mixed; boundary=b\n\n--b\n\n{body}\n--b\nContent-Type: text/plain; name=\"../o\u{202e}rders.txt\"\n\
            Content-Disposition: attachment; filename=\"../orders.txt\"\n\nNarva holds\n--b\n\
            Content-Type: application/vnd.openxmlformats-officedocument.wordprocessingml.document; name=orders.docx\n\
            Content-Disposition: attachment; filename=orders.docx\nContent-Transfer-Encoding: base64\n\nUEsD\n--b--\n"
        ))
    };
    let silent = with("");
    assert_eq!(silent.words.text(), "Narva holds");
    assert!(silent.notes.contains(&Note::FileRead("orders.txt".into())), "{:?}", silent.notes);
    assert!(silent.notes.iter().any(|n| n.to_string().contains("orders.docx")));
    let speaking = with("Riga holds");
    assert_eq!(speaking.words.text(), "Riga holds");
    assert!(speaking.notes.contains(&Note::FileNotRead("orders.txt".into())));
}

#[test]
fn case_26_a_header_alone_is_a_letter() {
    let letter = read(HEAD.as_bytes());
    assert_eq!(letter.sender().unwrap().to_string(), "king@example.org");
    assert!(letter.words.is_empty());
}

#[test]
fn case_27_exactly_one_sender_is_heard() {
    let fault = |head: &str| {
        let letter = read(format!("{head}To: umpire@example.org\n\nRiga holds\n").as_bytes());
        assert!(!reply_allowed(&letter), "{head}");
        letter.sender().unwrap_err()
    };
    assert_eq!(fault(""), SenderFault::NoFrom);
    assert_eq!(fault("From: king@example.org\nFrom: spy@example.org\n"), SenderFault::SeveralFields(2));
    assert_eq!(fault("From: king@example.org, spy@example.org\n"), SenderFault::SeveralAddresses(2));
    assert_eq!(fault("From: King Karl\n"), SenderFault::NotAnAddress);
    assert!(matches!(fault("From: \"king@example.org\" <spy@example.org>\n"), SenderFault::AddressInName { .. }));
    assert!(matches!(fault("From: king@example.org <spy@example.org>\n"), SenderFault::AddressInName { .. }));
    assert!(matches!(
        fault("From: =?utf-8?q?=22king=40example=2Eorg=22?= <spy@example.org>\n"),
        SenderFault::AddressInName { .. }
    ));
    fault("From: undisclosed:;\n");
}

#[test]
fn case_28_and_29_lists_and_routes() {
    let list = letter(
        "List-Id: Great Northern War <gnw.example.org>\nList-Post: <mailto:gnw@example.org>\nPrecedence: list\n\
        List-Unsubscribe: <mailto:x@example.org>\nReply-To: gnw@example.org\n\nRiga holds\n",
    );
    assert_eq!(list.kind, LetterKind::MailingList("gnw.example.org".into()));
    assert_eq!((list.words.text().as_str(), reply_leave(&list)), ("Riga holds", ReplyLeave::RegisteredOnly));
    let routed = letter(
        "Delivered-To: umpire+g42.p3.ABC@example.org\nX-Original-To: umpire@example.org\nDelivered-To: umpire@example.org\n\nx\n",
    );
    assert_eq!(
        routed.delivered_to,
        ["umpire+g42.p3.abc@example.org".parse().unwrap(), "umpire@example.org".parse::<Mailbox>().unwrap()]
    );
    for prefix in ["Re: ", "AW: ", "Antw: ", "SV: RE: ", "Ответ: ", "Re[2]: ", "RE : ", "Fwd: "] {
        assert_eq!(bare_subject(&format!("{prefix}[gnw1] Spring: 1700")), "[gnw1] Spring: 1700", "{prefix}");
    }
    assert_eq!(bare_subject("Riga: hold"), "Riga: hold");
    assert_eq!(subject_tags("Re: [list] [gnw1] Spring [x"), ["list", "gnw1"]);
}

#[test]
fn case_30_broken_letters_are_still_letters() {
    let claimed = read(b"From: k@example.org\nDate: Mon, 99 Foo 1700 25:61:00 +9999\n\nRiga\0 holds\x07\n");
    assert_eq!((claimed.date_header, claimed.words.text().as_str()), (None, "Riga holds"));
    let bare = read(b"card: action 2 (no. 37)\n\nRiga holds\n");
    assert_eq!(bare.words.text(), "card: action 2 (no. 37)\n\nRiga holds");
    assert_eq!(bare.words.lines[2].number, 3);
    assert_eq!(bare.sender().unwrap_err(), SenderFault::NoFrom);
    assert!(read(b"").words.is_empty());
    assert!(letter("\n\n").words.is_empty());
    assert_eq!(
        read("\u{feff}From: k@example.org\n\nRiga holds".as_bytes()).sender().unwrap().to_string(),
        "k@example.org"
    );
    assert_eq!(
        read(b"From k@example.org Fri Dec  4 20:00:00 2026\nFrom: k@example.org\n\nRiga holds").words.text(),
        "Riga holds"
    );
}

#[test]
fn a_missing_last_boundary_loses_nothing() {
    reads("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nRiga holds\n", "Riga holds");
    reads(
        "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n=C3=85bo holds\n",
        "Åbo holds",
    );
    reads("Content-Type: multipart/mixed; boundary=b\n\nRiga holds\n", "Riga holds");
}

#[test]
fn subjects_and_names_are_made_fit_for_one_line() {
    let letter = read(
        "From: =?utf-8?q?Karl=0D=0ABcc:_x?= <king@example.org>\nSubject: =?utf-8?b?UmlnYQpCY2M6IHg=?= \u{202e}Åbo\n\nx"
            .as_bytes(),
    );
    assert_eq!(letter.from[0].name.as_deref(), Some("Karl Bcc: x"));
    assert_eq!(letter.subject.as_deref(), Some("Riga Bcc: x Åbo"));
}

/// Letters for the mutations below: one of each shape.
fn samples() -> Vec<Vec<u8>> {
    [
        format!("{HEAD}\nRiga holds\n\nOn Fri, 4 Dec 2026 at 18:00, Umpire <u@example.org> wrote:\n> Narva holds\n-- \nKarl\n"),
        format!("{HEAD}{ALTERNATIVE}"),
        format!("{HEAD}Content-Type: text/html\n\n<p>a<blockquote>b</p></blockquote><pre>&gt; c\n> d</pre>&#62; e<br>&nbsp;&gt; f"),
        format!("{HEAD}Content-Type: text/plain; format=flowed; delsp=yes\n\n > a \n> b \nc \n >> d\n"),
        BOUNCE.to_owned(),
        "just words\n> and a quote\n".to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec()
}

fn holds_no_quote(letter: &Letter) -> bool {
    letter.words.lines.iter().all(|line| !line.text.trim_start().starts_with('>'))
}

proptest! {
    #[test]
    fn any_bytes_are_read(raw in prop::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert!(holds_no_quote(&read(&raw)));
    }

    #[test]
    fn any_text_is_read(text in "([ -~]|\\PC|[\r\n\t>: <&;-]){0,400}") {
        prop_assert!(holds_no_quote(&read(text.as_bytes())));
        let html = format!("{HEAD}Content-Type: text/html; charset=utf-8\n\n{text}");
        prop_assert!(holds_no_quote(&read(html.as_bytes())));
    }

    #[test]
    fn mutated_letters_are_read(
        which in 0..6usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..12),
    ) {
        let mut raw = samples().swap_remove(which);
        for (at, byte, what) in edits {
            let at = at.index(raw.len().max(1));
            match what {
                0 if at < raw.len() => raw[at] = byte,
                1 if at < raw.len() => { raw.remove(at); }
                2 => raw.truncate(at),
                _ => raw.insert(at.min(raw.len()), byte),
            }
        }
        prop_assert!(holds_no_quote(&read(&raw)));
    }

    #[test]
    fn own_lines_and_left_out_lines_never_overlap(text in "((> ?)?[a-zA-Z:@ -]{0,12}\n){0,30}") {
        let words = own_words(&text);
        for left in &words.left_out {
            prop_assert!(left.first_line <= left.last_line);
            let inside = |l: &&OwnLine| (left.first_line..=left.last_line).contains(&l.number) && !l.text.is_empty();
            prop_assert!(words.lines.iter().find(inside).is_none());
        }
        let count = text.lines().filter(|l| !l.trim().is_empty()).count();
        let kept = words.lines.iter().filter(|l| !l.text.trim().is_empty()).count();
        prop_assert!(kept <= count);
    }
}
