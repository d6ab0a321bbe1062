//! Which part of a letter is its text.
//!
//! Plain text before HTML, but HTML beside an empty plain text (case 14 of the thirty); the signed part of a signed
//! letter (23); nothing of an enclosed letter (24); a text file only if the letter itself says nothing (25).

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};

use super::decode;
use super::flowed;
use super::headers::one_line;
use super::html;
use super::kind::Sealed;
use super::letter::Note;
use super::quoting::{BodyLine, Why};

/// Bounds against bombs. No letter of a person comes near them; what lies beyond is noted, not read.
const MAX_PARTS: usize = 200;
const MAX_DEPTH: usize = 20;
/// Octets of text that are read in one part.
const MAX_TEXT: usize = 512 * 1024;

/// The text of a letter, and what was met on the way to it.
#[derive(Default)]
pub(super) struct Picked {
    pub lines: Vec<BodyLine>,
    pub doubt: bool,
    pub notes: Vec<Note>,
    pub sealed: Option<Sealed>,
    /// Letters enclosed as such.
    pub forwards: usize,
    /// Text files, for a letter that says nothing itself: name, lines, doubt.
    pub files: Vec<(String, Piece)>,
}

/// Some lines, and whether their letters are in doubt.
#[derive(Default)]
pub(super) struct Piece {
    pub lines: Vec<BodyLine>,
    pub doubt: bool,
}

impl Piece {
    fn is_blank(&self) -> bool {
        self.lines.iter().all(|l| l.text.chars().all(|c| c.is_whitespace() || super::quoting::is_invisible(c)))
    }

    fn join(&mut self, other: Piece) {
        self.lines.extend(other.lines);
        self.doubt |= other.doubt;
    }
}

/// Finds the text. `guess` is the character set for letters that name none.
pub(super) fn pick(message: &Message<'_>, guess: Option<&str>) -> Picked {
    let mut picker = Picker { message, guess, met: Picked::default(), parts_left: MAX_PARTS };
    let piece = picker.part(0, 0);
    let mut picked = picker.met;
    let first = piece.lines.iter().map(|l| l.text.trim()).find(|t| !t.is_empty());
    if first == Some("-----BEGIN PGP MESSAGE-----") {
        picked.sealed = Some(Sealed::Pgp);
    }
    picked.lines = piece.lines;
    picked.doubt = piece.doubt;
    picked
}

/// The lines of a text that came without any header.
pub(super) fn bare_text(raw: &[u8], guess: Option<&str>) -> Piece {
    let text = decode::to_text(raw.get(..MAX_TEXT).unwrap_or(raw), None, guess);
    Piece { lines: plain_lines(&text.text), doubt: text.doubt }
}

struct Picker<'a> {
    message: &'a Message<'a>,
    guess: Option<&'a str>,
    met: Picked,
    parts_left: usize,
}

impl<'a> Picker<'a> {
    fn part(&mut self, id: u32, depth: usize) -> Piece {
        let Some(part) = self.message.parts.get(id as usize) else { return Piece::default() };
        if self.parts_left == 0 || depth > MAX_DEPTH {
            self.note(Note::TooManyParts);
            return Piece::default();
        }
        self.parts_left -= 1;
        match &part.body {
            PartType::Multipart(children) => self.multipart(part, children, depth + 1),
            _ => self.leaf(part),
        }
    }

    fn note(&mut self, note: Note) {
        if !self.met.notes.contains(&note) {
            self.met.notes.push(note);
        }
    }

    fn multipart(&mut self, part: &MessagePart<'a>, children: &[u32], depth: usize) -> Piece {
        let subtype = part.content_type().and_then(|c| c.subtype()).unwrap_or_default().to_ascii_lowercase();
        match subtype.as_str() {
            "encrypted" => {
                self.met.sealed = Some(Sealed::Pgp);
                Piece::default()
            }
            "alternative" => self.alternative(children, depth),
            "digest" => {
                self.met.forwards += children.len().max(1);
                Piece::default()
            }
            "signed" => children.first().map(|&id| self.part(id, depth)).unwrap_or_default(),
            _ => {
                let mut all = Piece::default();
                for &id in children {
                    let piece = self.part(id, depth);
                    all.join(piece);
                }
                all
            }
        }
    }

    /// The first alternative that says anything: RFC 2046 5.1.4 puts the plain one first. Where it stands last,
    /// it is still preferred.
    fn alternative(&mut self, children: &[u32], depth: usize) -> Piece {
        let is_plain = |id: &u32| {
            let part = self.message.parts.get(*id as usize);
            part.is_some_and(|p| p.content_type().is_none() || p.is_content_type("text", "plain"))
        };
        let (plain, rich): (Vec<u32>, Vec<u32>) = children.iter().copied().partition(is_plain);
        for id in plain.into_iter().chain(rich) {
            let piece = self.part(id, depth);
            if !piece.is_blank() {
                return piece;
            }
        }
        Piece::default()
    }

    fn leaf(&mut self, part: &MessagePart<'a>) -> Piece {
        let content_type = part.content_type();
        let main = content_type.map_or("text", |c| c.ctype()).to_ascii_lowercase();
        let sub = content_type.map_or(Some("plain"), |c| c.subtype()).unwrap_or("plain").to_ascii_lowercase();
        let name = part.attachment_name().map(file_name);
        let enclosed = name.is_some() || part.content_disposition().is_some_and(|d| d.is_attachment());
        match (main.as_str(), sub.as_str()) {
            ("text", "plain") if !enclosed => self.plain(part),
            ("text", "html") if !enclosed => self.html(part),
            // A multipart without a boundary to be found is all text.
            ("multipart", _) => self.plain(part),
            ("text", "plain") => self.file(part, name),
            ("message", "rfc822" | "global") => {
                self.met.forwards += 1;
                Piece::default()
            }
            ("application", "pkcs7-mime" | "x-pkcs7-mime") => {
                let opaque = content_type.and_then(|c| c.attribute("smime-type")) == Some("signed-data");
                self.met.sealed = Some(if opaque { Sealed::SmimeOpaque } else { Sealed::Smime });
                Piece::default()
            }
            _ if is_silent(&main, &sub, enclosed) => Piece::default(),
            _ => self.other(part, &main, &sub, name),
        }
    }

    /// An enclosure of a kind that we do not read, unless its name says that it is plain text.
    fn other(&mut self, part: &MessagePart<'a>, main: &str, sub: &str, name: Option<String>) -> Piece {
        let lower = name.as_deref().unwrap_or_default().to_lowercase();
        if sub == "octet-stream" && lower.ends_with(".txt") {
            return self.file(part, name);
        }
        if sub == "ms-tnef" || sub == "vnd.ms-tnef" || lower == "winmail.dat" {
            self.note(Note::Winmail);
        } else {
            let name = name.unwrap_or_else(|| "an enclosure without a name".to_owned());
            self.note(Note::NotRead { name, content_type: one_line(&format!("{main}/{sub}")) });
        }
        Piece::default()
    }

    fn file(&mut self, part: &MessagePart<'a>, name: Option<String>) -> Piece {
        let piece = self.plain(part);
        self.met.files.push((name.unwrap_or_else(|| "a text file".to_owned()), piece));
        Piece::default()
    }

    fn plain(&mut self, part: &MessagePart<'a>) -> Piece {
        let (text, footer) = self.text_of(part);
        let parameter = |name: &str| part.content_type().and_then(|c| c.attribute(name)).map(str::to_ascii_lowercase);
        let mut lines = match parameter("format").as_deref() {
            Some("flowed") => {
                let unflowed = flowed::unflow(&text.text, parameter("delsp").as_deref() == Some("yes"));
                unflowed.into_iter().map(BodyLine::plain).collect()
            }
            _ => plain_lines(&text.text),
        };
        let footer = footer.lines().map(|l| BodyLine { text: l.to_owned(), mark: Some(Why::ListFooter) });
        lines.extend(footer);
        Piece { lines, doubt: text.doubt }
    }

    fn html(&mut self, part: &MessagePart<'a>) -> Piece {
        let (text, _) = self.text_of(part);
        Piece { lines: html::to_lines(&text.text), doubt: text.doubt }
    }

    /// The decoded text of a part, and a list's footer behind base64 data.
    fn text_of(&mut self, part: &MessagePart<'a>) -> (decode::Text, String) {
        let range = part.offset_body as usize..part.offset_end as usize;
        let raw = self.message.raw_message.get(range).unwrap_or_default();
        let encoding = part.content_transfer_encoding().unwrap_or_default();
        let mut unwrapped = decode::unwrap_transfer(raw, encoding);
        if unwrapped.bytes.len() > MAX_TEXT {
            unwrapped.bytes.truncate(MAX_TEXT);
            self.note(Note::TooLong);
        }
        let label = part.content_type().and_then(|c| c.attribute("charset"));
        let text = decode::to_text(&unwrapped.bytes, label, self.guess);
        let footer_end = unwrapped.footer.len().min(MAX_TEXT);
        let footer = String::from_utf8_lossy(unwrapped.footer.get(..footer_end).unwrap_or_default()).into_owned();
        (text, footer)
    }
}

fn plain_lines(text: &str) -> Vec<BodyLine> {
    text.split('\n').map(BodyLine::plain).collect()
}

/// Parts that are no text and of which nobody needs to hear: a picture is a signature's ornament far more often
/// than a map with orders drawn on it.
fn is_silent(main: &str, sub: &str, enclosed: bool) -> bool {
    const SILENT: [&str; 9] = [
        "pgp-signature",
        "pkcs7-signature",
        "x-pkcs7-signature",
        "pgp-keys",
        "pgp-encrypted",
        "calendar",
        "vcard",
        "x-vcard",
        "delivery-status",
    ];
    SILENT.contains(&sub) || main == "image" || (main == "text" && !enclosed && sub != "plain")
}

/// A file's name, without folders, controls or tricks of direction; it is shown, never used as a path.
fn file_name(name: &str) -> String {
    let base = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let shown: String = one_line(base).chars().take(80).collect();
    if shown.is_empty() { "an enclosure without a name".to_owned() } else { shown }
}
