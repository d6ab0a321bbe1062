//! A draft becomes the bytes of a MIME letter.
//!
//! The bytes are stored before the first attempt to deliver them, so they depend on the draft and on nothing else.
//! They are ASCII throughout, in lines short enough for any server: a body by quoted-printable, names and subjects
//! by RFC 2047. What came from players (names, subjects, ids that they answer to) cannot add a header.

use std::time::SystemTime;

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use lettre::Address;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{self, Body, Mailbox, MessageBuilder, MultiPart, SinglePart};
use sha2::{Digest, Sha256};

/// By this field every umpire knows the letters of an umpire, and drops them.
const LOOP_HEADER: HeaderName = HeaderName::new_from_ascii_str("X-Umpire-Loop");
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");
const SUPPRESS: HeaderName = HeaderName::new_from_ascii_str("X-Auto-Response-Suppress");
const PRECEDENCE: HeaderName = HeaderName::new_from_ascii_str("Precedence");
const LIST_ID: HeaderName = HeaderName::new_from_ascii_str("List-Id");

/// Characters of a name or subject that are sent; more helps nobody.
const LONGEST: usize = 200;
/// References beyond these are dropped from the middle, as RFC 5537 3.4.4 does.
const MOST_REFERENCES: usize = 20;

/// A person or seat with a mail address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// Shown beside the address.
    pub name: Option<String>,
    /// `local@domain`, ASCII.
    pub address: String,
}

/// What kind of automatic letter this is (RFC 3834 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoSubmitted {
    /// It answers one letter: acknowledgements, refusals.
    Replied,
    /// It comes by itself: results, reminders.
    Generated,
}

/// A file that goes with a letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// File name.
    pub name: String,
    /// MIME type, as in `image/png` or `text/plain; charset=utf-8`.
    pub content_type: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// Shown within the HTML, which names it `cid:` and the name (spaces as hyphens); else it hangs below the letter.
    pub inline: bool,
}

/// A letter to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The umpire's address; answers go to it.
    pub from: Party,
    /// The registered address of one recipient.
    pub to: Party,
    /// Of any length and content; line ends and controls become blanks.
    pub subject: String,
    /// The letter in plain text, lines as they shall be seen.
    pub text: String,
    /// The same in HTML.
    pub html: Option<String>,
    /// From [`super::MessageIds`], with or without angle brackets.
    pub message_id: String,
    /// The letter that this one answers. What is no sound id is left out.
    pub in_reply_to: Option<String>,
    /// The thread, oldest first, without the letter answered. What is no sound id is left out.
    pub references: Vec<String>,
    /// The id under which all letters of a thread stand, whatever letter each of them answers. If it is set it alone is named in
    /// References and comes last in In-Reply-To, where mutt looks for the parent: a player's answer to last month's letter would
    /// draw ours into that thread.
    pub thread: Option<String>,
    /// When the letter was written; whole seconds are kept.
    pub date: Timestamp,
    /// Answer or announcement.
    pub auto_submitted: AutoSubmitted,
    /// Names the game for mail programs (RFC 2919), as in `gnw1.umpire.example.org`.
    pub list_id: Option<String>,
    /// Files, in their order.
    pub attachments: Vec<Attachment>,
}

/// Why no letter could be made of a draft. None goes away by trying again: wake the umpire.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// An address that is none, or that only a server with SMTPUTF8 could take (RFC 6531).
    #[error("the {field} address `{address}` cannot be written to: {why}")]
    Address {
        /// "From" or "To".
        field: &'static str,
        /// What stands there.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// A Message-ID with other characters than RFC 5322 3.6.4 allows.
    #[error("`{0}` cannot be a Message-ID")]
    MessageId(String),
    /// A List-Id with other characters than RFC 2919 2 allows.
    #[error("`{0}` cannot be a List-Id")]
    ListId(String),
    /// A date before 1970 or after 9999.
    #[error("{0} cannot be the date of a letter")]
    Date(Timestamp),
    /// The type of an attachment.
    #[error("the file {name} cannot be of the type `{content_type}`")]
    ContentType {
        /// File name.
        name: String,
        /// What stands there.
        content_type: String,
    },
    /// What the mail library found beside these.
    #[error("the letter cannot be put together: {0}")]
    Library(#[from] lettre::error::Error),
}

/// Writes a letter. The same draft gives the same bytes, with CRLF at the line ends.
///
/// # Errors
/// [`ComposeError`] if an address, an id, the date or a type cannot stand in a letter.
pub fn compose(draft: &Draft) -> Result<Vec<u8>, ComposeError> {
    let id = bracketed(&draft.message_id).ok_or_else(|| ComposeError::MessageId(draft.message_id.clone()))?;
    let header = header(draft, &id)?;
    let marks = Boundaries { id, next: 0 };
    let letter = match body(draft, marks)? {
        Part::Single(part) => header.singlepart(part)?,
        Part::Multi(part) => header.multipart(part)?,
    };
    Ok(letter.formatted())
}

fn header(draft: &Draft, id: &str) -> Result<MessageBuilder, ComposeError> {
    let mut builder = message::Message::builder()
        .from(mailbox("From", &draft.from)?)
        .to(mailbox("To", &draft.to)?)
        .subject(one_line(&draft.subject))
        .date(date(draft.date)?)
        .message_id(Some(id.to_owned()));
    let answered = draft.in_reply_to.as_deref().and_then(bracketed);
    if let Some(root) = draft.thread.as_deref().and_then(bracketed) {
        let answered = answered.map_or(root.clone(), |answered| format!("{answered} {root}"));
        return marked(draft, builder.in_reply_to(answered).references(root));
    }
    let mut thread: Vec<String> = draft.references.iter().filter_map(|r| bracketed(r)).collect();
    if let Some(answered) = answered {
        thread.retain(|r| *r != answered);
        thread.push(answered.clone());
        builder = builder.in_reply_to(answered);
    }
    if thread.len() > MOST_REFERENCES {
        thread.drain(1..=thread.len() - MOST_REFERENCES);
    }
    if !thread.is_empty() {
        builder = builder.references(thread.join(" "));
    }
    marked(draft, builder)
}

/// The marks by which programs know a program's letter.
fn marked(draft: &Draft, mut builder: MessageBuilder) -> Result<MessageBuilder, ComposeError> {
    let raw = |name: HeaderName, value: &str| HeaderValue::new(name, value.to_owned());
    builder = builder
        .raw_header(raw(LOOP_HEADER, "yes"))
        .raw_header(raw(
            AUTO_SUBMITTED,
            match draft.auto_submitted {
                AutoSubmitted::Replied => "auto-replied",
                AutoSubmitted::Generated => "auto-generated",
            },
        ))
        // Not "All": reports of failure are wanted.
        .raw_header(raw(SUPPRESS, "DR, RN, NRN, OOF, AutoReply"));
    // RFC 3834 knows Auto-Submitted alone; vacation programs older than it know this alone.
    if draft.auto_submitted == AutoSubmitted::Generated {
        builder = builder.raw_header(raw(PRECEDENCE, "bulk"));
    }
    if let Some(list) = &draft.list_id {
        if !is_dot_atom(list) || !list.is_ascii() {
            return Err(ComposeError::ListId(list.clone()));
        }
        builder = builder.raw_header(raw(LIST_ID, &format!("<{list}>")));
    }
    Ok(builder)
}

fn mailbox(field: &'static str, party: &Party) -> Result<Mailbox, ComposeError> {
    let fault = |why: String| ComposeError::Address { field, address: one_line(&party.address), why };
    if !party.address.is_ascii() {
        return Err(fault("only ASCII addresses can be reached from here".to_owned()));
    }
    let address: Address =
        party.address.trim().parse().map_err(|e: lettre::address::AddressError| fault(e.to_string()))?;
    let name = party.name.as_deref().map(one_line).filter(|name| !name.is_empty());
    Ok(Mailbox::new(name, address))
}

fn date(at: Timestamp) -> Result<SystemTime, ComposeError> {
    const LAST: i64 = 253_402_300_799;
    let seconds = u64::try_from(at.as_second()).ok().filter(|_| at.as_second() <= LAST);
    let seconds = seconds.ok_or(ComposeError::Date(at))?;
    Ok(SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds))
}

/// An id in angle brackets, if it can be one: `id-left "@" id-right` of RFC 5322 3.6.4 in short lines.
fn bracketed(id: &str) -> Option<String> {
    let id = id.trim();
    let bare = id.strip_prefix('<').and_then(|i| i.strip_suffix('>')).unwrap_or(id);
    let (left, right) = bare.split_once('@')?;
    let right_ok = is_dot_atom(right) || (right.starts_with('[') && right.ends_with(']') && printable(right));
    (bare.len() <= 250 && printable(left) && !left.is_empty() && right_ok).then(|| format!("<{bare}>"))
}

fn is_dot_atom(text: &str) -> bool {
    printable(text)
        && !text.contains(['[', ']', '@', '(', ')', ',', ';', ':', '"', '\\'])
        && text.split('.').all(|p| !p.is_empty())
}

fn printable(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_graphic() && b != b'<' && b != b'>')
}

/// Text for a header: one line of bounded length without controls or marks that turn the direction of writing.
fn one_line(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line: String = text
        .chars()
        .filter(|&c| !turns(c))
        .map(|c| if c.is_control() || c.is_whitespace() { ' ' } else { c })
        .take(LONGEST)
        .collect();
    line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

enum Part {
    Single(SinglePart),
    Multi(MultiPart),
}

/// The lines between MIME parts. lettre's own are random.
struct Boundaries {
    id: String,
    next: u32,
}

impl Boundaries {
    fn next(&mut self) -> String {
        self.next += 1;
        let digest = Sha256::digest(format!("boundary {} of {}", self.next, self.id));
        // No quoted-printable or base64 text can hold "=_".
        format!("=_{}", HEXLOWER.encode(digest.get(..16).unwrap_or(&digest)))
    }
}

fn body(draft: &Draft, mut marks: Boundaries) -> Result<Part, ComposeError> {
    let (inline, below): (Vec<&Attachment>, Vec<&Attachment>) =
        draft.attachments.iter().partition(|file| file.inline && draft.html.is_some());
    let mixed = (!below.is_empty()).then(|| MultiPart::mixed().boundary(marks.next()));
    let text = words(&draft.text, ContentType::TEXT_PLAIN);
    let said = match &draft.html {
        None => Part::Single(text),
        Some(html) => Part::Multi(both(text, html, &inline, &mut marks)?),
    };
    let Some(mixed) = mixed else { return Ok(said) };
    let mut whole = match said {
        Part::Single(part) => mixed.singlepart(part),
        Part::Multi(part) => mixed.multipart(part),
    };
    for file in below {
        whole = whole.singlepart(attached(file)?);
    }
    Ok(Part::Multi(whole))
}

/// The plain text, and beside it the HTML with the files shown in it.
fn both(
    text: SinglePart,
    html: &str,
    inline: &[&Attachment],
    marks: &mut Boundaries,
) -> Result<MultiPart, ComposeError> {
    let either = MultiPart::alternative().boundary(marks.next()).singlepart(text);
    let html = words(html, ContentType::TEXT_HTML);
    if inline.is_empty() {
        return Ok(either.singlepart(html));
    }
    let mut related = MultiPart::related().boundary(marks.next()).singlepart(html);
    for file in inline {
        related = related.singlepart(attached(file)?);
    }
    Ok(either.multipart(related))
}

/// A text in UTF-8 by quoted-printable: readable in the raw, safe against line limits and lost blanks.
fn words(text: &str, content_type: ContentType) -> SinglePart {
    let body = Body::new_with_encoding(text.to_owned(), ContentTransferEncoding::QuotedPrintable);
    // Quoted-printable takes every text, so the other way is never gone.
    let body = body.unwrap_or_else(Body::new);
    SinglePart::builder().header(content_type).body(body)
}

fn attached(file: &Attachment) -> Result<SinglePart, ComposeError> {
    let name = one_line(&file.name).replace(['/', '\\', '"'], "-");
    let fault = || ComposeError::ContentType { name: name.clone(), content_type: one_line(&file.content_type) };
    let content_type = ContentType::parse(&file.content_type).map_err(|_| fault())?;
    let kind = if file.inline {
        message::Attachment::new_inline_with_name(content_id(&name), name)
    } else {
        message::Attachment::new(name)
    };
    let body = Body::new_with_encoding(file.bytes.clone(), ContentTransferEncoding::Base64);
    Ok(kind.body(body.unwrap_or_else(Body::new), content_type))
}

fn content_id(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests;
