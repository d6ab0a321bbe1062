use super::*;

fn own(text: &str) -> Vec<String> {
    own_words(text).lines.into_iter().map(|l| l.text).filter(|t| !t.is_empty()).collect()
}

fn left(text: &str) -> Vec<(Why, usize, usize)> {
    own_words(text).left_out.into_iter().map(|l| (l.why, l.first_line, l.last_line)).collect()
}

#[test]
fn numbers_are_those_of_the_letter() {
    let words = own_words("\nHello Umpire\n\n> old\nRiga holds\n\n");
    let numbers: Vec<usize> = words.lines.iter().map(|l| l.number).collect();
    assert_eq!(numbers, [2, 3, 5]);
    assert_eq!(words.left_out, [LeftOut { why: Why::Quoted, first_line: 4, last_line: 4 }]);
}

#[test]
fn answers_between_the_quotes_count() {
    let text =
        "On Fri, 4 Dec 2026 at 20:00, Umpire <umpire@example.org> wrote:\n> Orders?\nRiga holds\n\n> More?\nNo.\n";
    assert_eq!(own(text), ["Riga holds", "No."]);
    assert_eq!(left(text), [(Why::Attribution, 1, 1), (Why::Quoted, 2, 2), (Why::Quoted, 5, 5)]);
}

#[test]
fn attributions_in_the_languages_of_our_players() {
    for attribution in [
        "On Fri, Dec 4, 2026 at 8:00 PM Umpire <umpire@example.org> wrote:",
        "Umpire <umpire@example.org> wrote:",
        "Am 04.12.2026 um 20:00 schrieb Umpire:",
        "Am Fr., 4. Dez. 2026 um 20:00 Uhr schrieb Umpire <umpire@example.org>:",
        "Den fre 4 dec. 2026 kl 20:00 skrev Umpire <umpire@example.org>:",
        "fre 4 dec. 2026 kl. 20:00 skrev Umpire <umpire@example.org>:",
        "Den 4. desember 2026 kl. 20.00 skrev Umpire:",
        "4 декабря 2026 г., 20:00, Umpire <umpire@example.org> написал(а):",
        "пт, 4 дек. 2026 г. в 20:00, Umpire <umpire@example.org>:",
        "W dniu 4.12.2026 o 20:00, Umpire pisze:",
        "pt., 4 gru 2026 o 20:00 Umpire <umpire@example.org> napisał(a):",
        "Le ven. 4 déc. 2026 à 20:00, Umpire <umpire@example.org> a écrit :",
        "Op vr 4 dec 2026 om 20:00 schreef Umpire <umpire@example.org>:",
        "El vie, 4 dic 2026 a las 20:00, Umpire (<umpire@example.org>) escribió:",
        "Il giorno ven 4 dic 2026 alle ore 20:00 Umpire <umpire@example.org> ha scritto:",
        "pe 4. jouluk. 2026 klo 20.00 Umpire (umpire@example.org) kirjoitti:",
        "Em sex., 4 de dez. de 2026 às 20:00, Umpire <umpire@example.org> escreveu:",
    ] {
        let text = format!("Riga to Mitau\n\n{attribution}\n\n> Pskov to Narva\n");
        assert_eq!(own(&text), ["Riga to Mitau"], "{attribution}");
    }
}

#[test]
fn a_wrapped_attribution_goes_whole_and_the_order_above_it_stays() {
    let text = "Riga to Mitau\nOn Fri, 4 Dec 2026 at 20:00, The Umpire of the Great\nNorthern War <umpire@example.org>\nwrote:\n> x\n";
    assert_eq!(own(text), ["Riga to Mitau"]);
    assert_eq!(left(text), [(Why::Attribution, 2, 4), (Why::Quoted, 5, 5)]);
}

#[test]
fn an_order_above_a_quote_is_no_attribution() {
    for order in ["Riga to Mitau:", "On 3 May Riga holds", "card: action 2 (no. 37)", "Den 3 brigad skriver:ej"] {
        assert_eq!(own(&format!("{order}\n> x\n")), [order]);
    }
}

#[test]
fn outlooks_header_block_cuts_in_many_languages() {
    for block in [
        "From: Umpire <umpire@example.org>\nSent: Friday, December 4, 2026 8:00 PM\nTo: King <king@example.org>\nSubject: RE: [gnw1]",
        "*Von:* Umpire <umpire@example.org>\n*Gesendet:* Freitag, 4. Dezember 2026 20:00\n*An:* König\n*Betreff:* [gnw1]",
        "________________________________\nFrån: Umpire <umpire@example.org>\nSkickat: den 4 december 2026 20:00\nTill: Kungen\nÄmne: SV: [gnw1]",
        "От: Umpire <umpire@example.org>\nОтправлено: 4 декабря 2026 г. 20:00\nКому: Царь\nТема: [gnw1]",
        "Od: Umpire\nWysłano: piątek, 4 grudnia 2026 20:00\nDo: Król\nTemat: [gnw1]",
        "De : Umpire\nEnvoyé : vendredi 4 décembre 2026 20:00\nÀ : Roi\nObjet : [gnw1]",
        "От: Umpire\nОтправлено: \u{200e}4\u{200e} декабря 2026 г. 20:00\nКому: Царь",
        "-----Original Message-----\nFrom: x",
        "-----Ursprüngliche Nachricht-----",
        "-------- Исходное сообщение --------",
    ] {
        let text = format!("Riga to Mitau\n\n{block}\n\nPskov to Narva\n");
        assert_eq!(own(&text), ["Riga to Mitau"], "{block}");
        assert!(own_words(&text).leaves_out(Why::OriginalMessage));
    }
}

#[test]
fn words_like_a_header_are_kept() {
    let text = "From: Riga\nTo: Mitau\nSubject to weather: march\nSent: nobody";
    assert_eq!(own(text).len(), 4);
}

#[test]
fn a_forward_is_not_carried_out() {
    for head in [
        "---------- Forwarded message ---------",
        "Begin forwarded message:",
        "-------- Weitergeleitete Nachricht --------",
    ] {
        let text = format!("See below.\n\n{head}\nFrom: tsar@example.org\n\nPskov to Narva\n");
        assert_eq!(own(&text), ["See below."], "{head}");
        assert!(own_words(&text).leaves_out(Why::Forwarded));
    }
}

#[test]
fn an_unmarked_quote_below_a_full_attribution_is_cut() {
    let text = "Riga holds\n\nOn Fri, 4 Dec 2026 at 20:00, Umpire\n<umpire@example.org> wrote:\n\nRiga to Mitau\n";
    assert_eq!(own(text), ["Riga holds"]);
    let prose = "On Fri, 4 Dec 2026 Karl wrote:\nRiga to Mitau\n";
    assert_eq!(own(prose).len(), 2, "without an address it might be the writer's own tale");
}

#[test]
fn the_signature_ends_at_the_quote() {
    let text = "Riga holds\n-- \nKarl\nRex Sueciae\n\nUmpire wrote:\n> Narva?\nNarva holds\n";
    assert_eq!(own(text), ["Riga holds", "Narva holds"]);
    assert_eq!(left(text).first(), Some(&(Why::Signature, 2, 4)));
}

#[test]
fn two_dashes_without_the_blank_are_no_signature() {
    assert_eq!(own("Riga holds\n--\nNarva holds\n"), ["Riga holds", "--", "Narva holds"]);
}

#[test]
fn a_lone_from_of_the_mail_store_is_the_writers() {
    assert_eq!(
        own("card: action 2\n>From Riga to Mitau, all\nend\n"),
        ["card: action 2", "From Riga to Mitau, all", "end"]
    );
    assert!(own("Umpire wrote:\n>From Riga to Mitau\n").is_empty());
    assert_eq!(own("x\n>From Riga\n>to Mitau\n"), ["x"]);
}

#[test]
fn invisible_letters_and_odd_blanks() {
    let words = own_words(
        "\u{feff}Riga\u{a0}to\tMi\u{200b}tau\u{202e}\0\r\nbuy\u{ad} 2\rhold\u{2028}fast\n\u{200b}\u{a0}> old",
    );
    assert_eq!(words.text(), "Riga to Mitau\nbuy 2\nhold\nfast");
    assert_eq!(words.left_out.len(), 1);
}

#[test]
fn dashes_and_quotation_marks_stay() {
    assert_eq!(own("Riga – Mitau — “now” ‒ −2"), ["Riga – Mitau — “now” ‒ −2"]);
}

#[test]
fn footers_of_lists_and_telephones() {
    let text = "Riga holds\nSent from my iPhone\n\n_______________________________________________\nGnw mailing list\nGnw@example.org\nhttps://example.org/listinfo/gnw\n";
    assert_eq!(own(text), ["Riga holds"]);
    assert_eq!(left(text), [(Why::DeviceLine, 2, 2), (Why::ListFooter, 4, 7)]);
    let rule = "Riga holds\n__________________\nNarva holds\n";
    assert_eq!(own(rule).len(), 3);
}

#[test]
fn a_clear_signed_text_leaves_its_armour() {
    let text = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nRiga holds\n- - Narva holds\n-----BEGIN PGP SIGNATURE-----\n\niQE=\n-----END PGP SIGNATURE-----\n";
    assert_eq!(own(text), ["Riga holds", "- Narva holds"]);
}

#[test]
fn unreadable_letters_are_doubted() {
    assert!(own_words("\u{fffd}bo holds").charset_doubt);
    assert!(!own_words("> \u{fffd}bo\nRiga holds").charset_doubt);
}

#[test]
fn bombs_take_linear_time() {
    for bomb in ["\n> a\n", ">From a\n\n", "On 2026 a@b wrote x:\n", "From: x\n", "-- \n> x\n", "__________\n", "a\r"] {
        let _ = own_words(&bomb.repeat(400_000 / bomb.len()));
    }
}
