//! A letter, read from its bytes.

use std::fmt;

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use mail_parser::MessageParser;
use sha2::{Digest, Sha256};

use super::body::{self, Picked};
use super::headers::Fields;
use super::kind::{self, LetterKind};
use super::phrases;
use super::quoting::{self, OwnWords, Why};
use super::sender::{Contact, Mailbox, SenderFault, single_sender};

/// What the reader may know beforehand. Without any, letters are read all the same.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    /// The character set of the game's players (an IANA name), for letters that name none and are not UTF-8.
    pub charset_guess: Option<String>,
    /// The domain of our own Message-IDs, by which our letters are known when they come back.
    pub own_domain: Option<String>,
}

/// A letter as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Letter {
    /// All that the From fields name. Ask [`Letter::sender`] who wrote.
    pub from: Vec<Contact>,
    /// How many From fields the header has; one is right (RFC 5322 3.6).
    pub from_fields: usize,
    /// All that the To fields name.
    pub to: Vec<Contact>,
    /// All that the Cc fields name.
    pub cc: Vec<Contact>,
    /// The addresses to which the servers delivered, topmost first: `Delivered-To`, `X-Original-To`,
    /// `Envelope-To`. The signed reply address is found here.
    pub delivered_to: Vec<Mailbox>,
    /// Without line ends and controls; encoded words decoded.
    pub subject: Option<String>,
    /// Without angle brackets. A letter may have none.
    pub message_id: Option<String>,
    /// Without angle brackets.
    pub in_reply_to: Vec<String>,
    /// Without angle brackets, oldest first.
    pub references: Vec<String>,
    /// What the writer's clock claimed; shown at most, never reckoned with (R-003-84).
    pub date_header: Option<Timestamp>,
    /// `Return-Path: <>`: no answer, ever (RFC 5321 6.1). A missing field is not a null one.
    pub null_return_path: bool,
    /// Whether a person wrote, and if not, what did.
    pub kind: LetterKind,
    /// Empty unless the letter is a person's.
    pub words: OwnWords,
    /// What the acknowledgement should mention besides the words.
    pub notes: Vec<Note>,
    /// SHA-256 in hex of the raw body with all line ends as LF and none at its end, so that one letter fetched
    /// from two kinds of store has one hash.
    pub body_hash: String,
}

/// Something about a letter that its writer should be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// The letter said nothing, so its text file was read; line numbers are the file's.
    FileRead(String),
    /// The letter itself speaks, so its text file was not read.
    FileNotRead(String),
    /// An enclosure of a kind that is not read.
    NotRead {
        /// Its file name, fit to be shown.
        name: String,
        /// Its kind, as in `application/pdf`.
        content_type: String,
    },
    /// Outlook's private format; the letter has to come as plain text.
    Winmail,
    /// This many letters were enclosed and not read.
    Enclosed(usize),
    /// More nested or numerous parts than any letter needs.
    TooManyParts,
    /// A text beyond half a mebibyte; its end was not read.
    TooLong,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::FileRead(name) => write!(f, "your letter itself is empty, so I read the enclosed file {name}"),
            Note::FileNotRead(name) => write!(f, "I read your letter and not the enclosed file {name}"),
            Note::NotRead { name, content_type } => {
                write!(
                    f,
                    "I cannot read the enclosure {name} ({content_type}); please write orders in the letter itself"
                )
            }
            Note::Winmail => {
                f.write_str("an enclosure is in Outlook's own format (winmail.dat); please send plain text")
            }
            Note::Enclosed(1) => f.write_str("I did not read the letter that you enclosed: write orders yourself"),
            Note::Enclosed(n) => write!(f, "I did not read the {n} letters that you enclosed: write orders yourself"),
            Note::TooManyParts => f.write_str("your letter has more parts than I read"),
            Note::TooLong => f.write_str("your letter is longer than I read; its end was not read"),
        }
    }
}

impl Letter {
    /// The one address that wrote this letter.
    ///
    /// # Errors
    /// [`SenderFault`] unless there is exactly one From field with exactly one sound address, whose name shows no
    /// other. Such a letter is kept and shown to the umpire, and never answered.
    pub fn sender(&self) -> Result<&Mailbox, SenderFault> {
        single_sender(self.from_fields, &self.from)
    }

    /// The Message-IDs of the letters that this one answers or refers to, the nearest first (RFC 5322 3.6.4).
    pub fn answers(&self) -> impl Iterator<Item = &String> {
        self.in_reply_to.iter().chain(self.references.iter().rev())
    }
}

/// Reads a letter. Never fails: of bytes that are no letter it gives what could be read, at least their hash.
pub fn read(raw: &[u8]) -> Letter {
    read_with(raw, &Hints::default())
}

/// Reads a letter with what is known beforehand.
pub fn read_with(raw: &[u8], hints: &Hints) -> Letter {
    let guess = hints.charset_guess.as_deref();
    let raw = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
    let message = MessageParser::default().parse(raw);
    let Some(message) = message.filter(|m| Fields::of(m).is_header()) else { return headless(raw, guess) };
    let fields = Fields::of(&message);
    let kind = kind::classify(&fields, &message, hints.own_domain.as_deref());
    let mut letter = envelope(&fields, kind);
    letter.body_hash =
        body_hash(message.parts.first().and_then(|p| raw.get(p.offset_body as usize..)).unwrap_or_default());
    if letter.kind.is_a_persons() {
        take_words(&mut letter, body::pick(&message, guess));
    }
    letter
}

/// Everything in the header.
fn envelope(fields: &Fields<'_>, kind: LetterKind) -> Letter {
    let delivered = ["delivered-to", "x-original-to", "envelope-to", "x-delivered-to"];
    let mut delivered_to: Vec<Mailbox> = Vec::new();
    for value in delivered.iter().flat_map(|name| fields.all(name)) {
        if let Ok(address) = value.parse::<Mailbox>()
            && !delivered_to.contains(&address)
        {
            delivered_to.push(address);
        }
    }
    Letter {
        from: fields.contacts("from"),
        from_fields: fields.count("from"),
        to: fields.contacts("to"),
        cc: fields.contacts("cc"),
        delivered_to,
        subject: fields.subject(),
        message_id: fields.ids("message-id").into_iter().next(),
        in_reply_to: fields.ids("in-reply-to"),
        references: fields.ids("references"),
        date_header: fields.date(),
        null_return_path: fields.all("return-path").first().is_some_and(|path| path.replace(' ', "") == "<>"),
        kind,
        words: OwnWords::default(),
        notes: Vec::new(),
        body_hash: String::new(),
    }
}

/// Words without any header around them: a person's, though nobody can be said to have written them.
fn headless(raw: &[u8], guess: Option<&str>) -> Letter {
    let piece = body::bare_text(raw, guess);
    let mut words = quoting::sort_out(piece.lines);
    words.charset_doubt |= piece.doubt;
    Letter {
        from: Vec::new(),
        from_fields: 0,
        to: Vec::new(),
        cc: Vec::new(),
        delivered_to: Vec::new(),
        subject: None,
        message_id: None,
        in_reply_to: Vec::new(),
        references: Vec::new(),
        date_header: None,
        null_return_path: false,
        kind: LetterKind::Personal,
        words,
        notes: Vec::new(),
        body_hash: body_hash(raw),
    }
}

/// Sorts out the text of a person's letter, and what it shows about the letter's kind.
fn take_words(letter: &mut Letter, picked: Picked) {
    letter.notes = picked.notes;
    if let Some(sealed) = picked.sealed {
        letter.kind = LetterKind::Encrypted(sealed);
        return;
    }
    let mut words = quoting::sort_out(picked.lines);
    words.charset_doubt |= picked.doubt && !words.is_empty();
    let mut files = picked.files.into_iter();
    if words.is_empty()
        && picked.forwards == 0
        && let Some((name, piece)) = files.next()
    {
        let left_out = std::mem::take(&mut words.left_out);
        words = quoting::sort_out(piece.lines);
        words.charset_doubt |= piece.doubt;
        // The letter's own left-out lines would be numbered by another text.
        if words.is_empty() {
            words.left_out = left_out;
        } else {
            letter.notes.push(Note::FileRead(name));
        }
    }
    letter.notes.extend(files.map(|(name, _)| Note::FileNotRead(name)));
    if picked.forwards > 0 {
        letter.notes.push(Note::Enclosed(picked.forwards));
    }
    if words.is_empty() && (picked.forwards > 0 || words.leaves_out(Why::Forwarded)) {
        letter.kind = LetterKind::ForwardedOnly;
    }
    letter.words = words;
}

fn body_hash(body: &[u8]) -> String {
    let mut lines: Vec<u8> = Vec::with_capacity(body.len());
    let mut bytes = body.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\r' => {
                bytes.next_if_eq(&b'\n');
                lines.push(b'\n');
            }
            byte => lines.push(byte),
        }
    }
    let end = lines.iter().rposition(|&b| b != b'\n').map_or(0, |last| last + 1);
    lines.truncate(end);
    HEXLOWER.encode(&Sha256::digest(&lines))
}

/// A subject without the marks of answering and forwarding in any of the languages known ("Re:", "AW:", "SV:",
/// "Ответ:"), outermost first. Tags in brackets stay.
pub fn bare_subject(subject: &str) -> &str {
    let mut rest = subject.trim();
    while let Some((prefix, after)) = rest.split_once([':', '：']) {
        let word = prefix.split(['[', '(']).next().unwrap_or_default().trim().to_lowercase();
        if prefix.trim_end().contains(' ') || !phrases::REPLY_PREFIXES.contains(&word.as_str()) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// What stands in square brackets in a subject: the tags of games and of mailing lists, in their order.
pub fn subject_tags(subject: &str) -> Vec<&str> {
    subject.split('[').skip(1).filter_map(|part| part.split_once(']')).map(|(tag, _)| tag.trim()).collect()
}
