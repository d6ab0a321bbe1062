//! The words by which mail programs announce quotes, forwards and automatic letters, in the languages of our
//! players. All in lower case; compared with `to_lowercase` of the text.
//!
//! A phrase belongs here only if no order and no press reads like it.

/// Verbs of attribution lines ("On Monday X wrote:").
pub(super) const WROTE: &[&str] = &[
    "wrote", "writes", "schrieb", "schreibt", "skrev", "skriver", "написал", "написала", "написал(а)", "писал",
    "писал(а)", "пишет", "пише", "написав", "napisał", "napisała", "napisał(a)", "pisze", "a écrit", "écrit", "schreef",
    "schrijft", "escribió", "escribio", "escribe", "ha scritto", "scrive", "kirjoitti", "escreveu", "escreve",
    "napsal", "napsal(a)", "kirjutas", "írta", "yazdı", "rakstīja",
];

/// Words with which the first line of an attribution begins when it does not begin with a day or a number.
pub(super) const WROTE_START: &[&str] = &["on", "am", "den", "le", "el", "il", "em", "op", "w", "dnia", "dne", "på", "a", "la"];

/// Days of the week, as far as attributions begin with them: English, German, Swedish, Danish, Norwegian,
/// Russian, Polish, French, Dutch, Spanish, Italian, Finnish, Portuguese. Compared as beginnings of words.
pub(super) const WEEKDAYS: &[&str] = &[
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "mo.", "di.", "mi.", "do.", "fr.", "sa.", "so.", "mån", "tis",
    "ons", "tors", "fre", "lör", "sön", "man", "tir", "tor", "lør", "søn", "пн", "вт", "ср", "чт", "пт", "сб", "вс",
    "pon", "wt", "śr", "czw", "pt", "sob", "niedz", "lun", "mar", "mer", "jeu", "ven", "sam", "dim", "ma ", "wo ",
    "do ", "vr ", "za ", "zo ", "mié", "jue", "vie", "sáb", "dom", "ke ", "qua", "sex",
];

/// The inside of `-----Original Message-----`.
pub(super) const ORIGINAL: &[&str] = &[
    "original message", "original appointment", "reply message", "ursprüngliche nachricht", "originalnachricht",
    "ursprungligt meddelande", "originalmeddelande", "oprindelig meddelelse", "opprinnelig melding",
    "исходное сообщение", "wiadomość oryginalna", "oryginalna wiadomość", "message d'origine",
    "oorspronkelijk bericht", "mensaje original", "messaggio originale", "mensagem original", "alkuperäinen viesti", "message original",
    "původní zpráva",
];

/// The inside of `---------- Forwarded message ---------`, or the whole of a line that ends in a colon.
pub(super) const FORWARDED: &[&str] = &[
    "forwarded message", "forwarded letter", "begin forwarded message", "weitergeleitete nachricht",
    "anfang der weitergeleiteten nachricht", "vidarebefordrat meddelande", "vidarebefordrat brev", "videresendt meddelelse",
    "videresendt besked", "videresendt melding", "пересылаемое сообщение", "пересланное сообщение", "начало переадресованного сообщения",
    "wiadomość przekazana", "przekazana wiadomość", "treść przekazanej wiadomości", "message transféré",
    "début du message réexpédié", "doorgestuurd bericht", "begin doorgestuurd bericht", "mensaje reenviado",
    "inicio del mensaje reenviado", "messaggio inoltrato", "inizio messaggio inoltrato", "välitetty viesti",
    "mensagem encaminhada", "mensagem reencaminhada",
];

/// One field of the header that Outlook and its kin set above an unmarked quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    From,
    Sent,
    To,
    Cc,
    Subject,
}

/// Labels of that header, without the colon.
pub(super) const FIELDS: &[(&str, Field)] = &[
    ("from", Field::From), ("von", Field::From), ("från", Field::From), ("fra", Field::From), ("от", Field::From),
    ("от кого", Field::From), ("od", Field::From), ("de", Field::From), ("van", Field::From), ("da", Field::From),
    ("lähettäjä", Field::From), ("expéditeur", Field::From), ("remitente", Field::From), ("mittente", Field::From),
    ("sent", Field::Sent), ("date", Field::Sent), ("gesendet", Field::Sent), ("datum", Field::Sent),
    ("skickat", Field::Sent), ("sendt", Field::Sent), ("dato", Field::Sent), ("отправлено", Field::Sent),
    ("дата", Field::Sent), ("wysłano", Field::Sent), ("wysłane", Field::Sent), ("data", Field::Sent),
    ("envoyé", Field::Sent), ("verzonden", Field::Sent), ("enviado", Field::Sent), ("enviado el", Field::Sent),
    ("enviado em", Field::Sent), ("enviada em", Field::Sent), ("enviada", Field::Sent), ("fecha", Field::Sent),
    ("inviato", Field::Sent), ("lähetetty", Field::Sent), ("päivämäärä", Field::Sent),
    ("to", Field::To), ("an", Field::To), ("till", Field::To), ("til", Field::To), ("кому", Field::To),
    ("do", Field::To), ("à", Field::To), ("aan", Field::To), ("para", Field::To), ("a", Field::To),
    ("vastaanottaja", Field::To), ("per", Field::To),
    ("cc", Field::Cc), ("kopia", Field::Cc), ("kopie", Field::Cc), ("копия", Field::Cc), ("kopi", Field::Cc),
    ("subject", Field::Subject), ("betreff", Field::Subject), ("ämne", Field::Subject), ("emne", Field::Subject),
    ("тема", Field::Subject), ("temat", Field::Subject), ("objet", Field::Subject), ("onderwerp", Field::Subject),
    ("asunto", Field::Subject), ("oggetto", Field::Subject), ("aihe", Field::Subject), ("assunto", Field::Subject),
];

/// Beginnings of the short lines that telephones and apps put below a letter.
pub(super) const DEVICE_LINES: &[&str] = &[
    "sent from my iphone", "sent from my ipad", "sent from my android", "sent from my samsung", "sent from my galaxy",
    "sent from my mobile", "sent from my phone", "sent from mail for windows", "sent from outlook for",
    "sent from yahoo mail", "sent from proton mail", "sent with proton mail", "sent with protonmail", "get outlook for",
    "von meinem iphone gesendet", "von meinem ipad gesendet", "skickat från min iphone", "skickat från min ipad",
    "sendt fra min iphone", "отправлено с iphone", "wysłane z iphone", "envoyé de mon iphone", "enviado desde mi iphone",
    "lähetetty iphonesta",
    "inviato da iphone", "enviado do meu iphone", "verstuurd vanaf mijn iphone", "отправлено из", "hämta outlook för",
];

/// What a mailing list's footer speaks of.
pub(super) const LIST_FOOTER: &[&str] = &[
    "mailing list", "mailinglist", "listinfo", "unsubscribe", "you received this message because you are subscribed",
    "to post to this group", "mailman",
];

/// Beginnings of the subjects that automatic replies bear. A person's "Re: Out of office" does not begin so.
pub(super) const AUTO_SUBJECTS: &[&str] = &[
    "automatic reply:", "auto reply:", "autoreply:", "auto-reply:", "out of office:", "out of the office:",
    "out of office reply", "out of office autoreply", "automatische antwort", "abwesenheitsnotiz", "autosvar:",
    "automatiskt svar", "автоматический ответ", "автоответ", "odpowiedź automatyczna", "réponse automatique",
    "automatisch antwoord", "respuesta automática", "risposta automatica",
    "automaattinen vastaus", "resposta automática", "autosvar ",
];

/// Beginnings of subjects that say no more than "this answers" or "this is passed on".
pub(super) const REPLY_PREFIXES: &[&str] = &[
    "re", "aw", "antw", "antwort", "sv", "vs", "ad", "odp", "rif", "r", "res", "rv", "ответ", "отв", "fwd", "fw",
    "wg", "tr", "vb", "пересл", "doorst",
];
