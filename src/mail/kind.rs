//! What kind of letter this is: only a person's is read for orders, and only a person's is answered.

use mail_parser::{Message, MimeHeaders, PartType};

use super::headers::{Fields, ids_in};
use super::phrases;
use super::sender::Mailbox;

/// Our own letters bear this field, whatever their umpire; so do the letters of every other `umpire`.
pub(super) const LOOP_HEADER: &str = "x-umpire-loop";
/// The beginning of our own Message-IDs; `post` makes them.
pub(super) const OWN_ID_START: &str = "umpire.";

/// The kind of a letter. Words are read for the kinds that a person writes and for no other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LetterKind {
    /// A person wrote to us.
    Personal,
    /// A person wrote, by way of a discussion list of this name (RFC 2919). Words are read.
    MailingList(String),
    /// A vacation notice or another program's answer (RFC 3834): never read, never answered.
    AutoReply(AutoMark),
    /// A report that a letter of ours was not delivered, or not yet (RFC 3464).
    Bounce(Bounce),
    /// A report that somebody's program showed our letter (RFC 8098): ignored.
    ReadReceipt,
    /// A letter that an umpire sent: dropped.
    OwnLoop,
    /// Newsletters and the like: never read, never answered.
    Bulk,
    /// A person wrote, and we cannot open it: refused with the reason.
    Encrypted(Sealed),
    /// A person passed on a letter and wrote nothing himself: not carried out, explained.
    ForwardedOnly,
}

impl LetterKind {
    /// Whether a person wrote this letter to us, so that its words may be orders.
    pub fn is_a_persons(&self) -> bool {
        matches!(
            self,
            LetterKind::Personal | LetterKind::MailingList(_) | LetterKind::Encrypted(_) | LetterKind::ForwardedOnly
        )
    }
}

/// By what an automatic reply was recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AutoMark {
    /// `Auto-Submitted`, not `no` (RFC 3834 5).
    AutoSubmitted,
    /// The marks of older programs: `Precedence: auto_reply`, `X-Autoreply`, `X-Auto-Response-Suppress` ...
    Vacation,
    /// A subject that only such programs write.
    Subject,
    /// A report of a kind that nobody writes by hand.
    Report,
}

/// How a letter is closed to us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sealed {
    /// OpenPGP, inline or by RFC 3156.
    Pgp,
    /// S/MIME enveloped data (RFC 8551).
    Smime,
    /// Signed by S/MIME in such a way that only a program that knows it can show the text.
    SmimeOpaque,
}

/// What a bounce says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bounce {
    /// Empty where the report has no part for machines.
    pub recipients: Vec<FailedRecipient>,
    /// The Message-ID of our letter, without angle brackets, if the report returns its header.
    pub original: Option<String>,
}

/// One recipient's fate (RFC 3464 2.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedRecipient {
    /// To whom the letter was to go, by the original address if the report keeps it.
    pub address: Option<Mailbox>,
    /// `failed`, `delayed`, `delivered` ..., in lower case.
    pub action: String,
    /// `5.1.1` and the like (RFC 3463).
    pub status: String,
    /// What the refusing server said, in one line.
    pub diagnostic: String,
    /// Whether trying again is of no use: action `failed` with a status of class 5. Class 4 is not final.
    pub permanent: bool,
}

/// The kind as far as header and structure tell; whether a person's letter is sealed or holds nothing but
/// a forward is seen later, from its text.
pub(super) fn classify(fields: &Fields<'_>, message: &Message<'_>, own_domain: Option<&str>) -> LetterKind {
    if is_own(fields, own_domain) {
        return LetterKind::OwnLoop;
    }
    if let Some(report) = report(fields, message) {
        return report;
    }
    if let Some(mark) = auto_mark(fields) {
        return LetterKind::AutoReply(mark);
    }
    list_kind(fields).unwrap_or(LetterKind::Personal)
}

fn is_own(fields: &Fields<'_>, own_domain: Option<&str>) -> bool {
    let ours = |id: &String| {
        let parts = id.rsplit_once('@');
        parts.is_some_and(|(local, domain)| {
            local.starts_with(OWN_ID_START) && own_domain.is_some_and(|own| own.eq_ignore_ascii_case(domain))
        })
    };
    fields.has(LOOP_HEADER) || fields.ids("message-id").iter().any(ours)
}

fn report(fields: &Fields<'_>, message: &Message<'_>) -> Option<LetterKind> {
    let root = message.parts.first()?;
    if root.is_content_type("multipart", "report") {
        let kind = root.content_type().and_then(|c| c.attribute("report-type")).map(str::to_lowercase);
        return Some(match kind.as_deref() {
            Some("disposition-notification") => LetterKind::ReadReceipt,
            Some("delivery-status") => LetterKind::Bounce(bounce(message)),
            _ if message.parts.iter().any(is_status) => LetterKind::Bounce(bounce(message)),
            _ => LetterKind::AutoReply(AutoMark::Report),
        });
    }
    // Servers older than RFC 3464 write reports as letters.
    let from_daemon = fields
        .contacts("from")
        .iter()
        .filter_map(|c| c.addr.as_ref())
        .any(|a| ["mailer-daemon", "postmaster"].iter().any(|name| a.local().eq_ignore_ascii_case(name)));
    (from_daemon || fields.has("x-failed-recipients")).then(|| LetterKind::Bounce(bounce(message)))
}

fn is_status(part: &mail_parser::MessagePart<'_>) -> bool {
    part.is_content_type("message", "delivery-status") || part.is_content_type("message", "global-delivery-status")
}

fn bounce(message: &Message<'_>) -> Bounce {
    let status = message.parts.iter().find(|part| is_status(part)).map(|part| part_text(&part.body));
    Bounce {
        recipients: status.as_deref().map(failed_recipients).unwrap_or_default(),
        original: message.parts.iter().find_map(original_id).or_else(|| named_original(&status?)),
    }
}

/// The Message-ID of our letter as some servers name it when they return nothing of the letter itself.
fn named_original(status: &str) -> Option<String> {
    let names = ["x-original-message-id", "original-message-id"];
    let fields = status.lines().filter_map(|line| line.split_once(':'));
    let mut named = fields.filter(|(name, _)| names.iter().any(|known| name.trim().eq_ignore_ascii_case(known)));
    named.find_map(|(_, value)| ids_in(value).into_iter().next())
}

fn part_text(body: &PartType<'_>) -> String {
    match body {
        PartType::Text(text) | PartType::Html(text) => text.to_string(),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        PartType::Message(inner) => String::from_utf8_lossy(&inner.raw_message).into_owned(),
        PartType::Multipart(_) => String::new(),
    }
}

/// The groups of fields behind the first, each for one recipient (RFC 3464 2.1).
fn failed_recipients(status: &str) -> Vec<FailedRecipient> {
    // A field goes on in lines that begin with a blank (RFC 5322 2.2.3).
    let status = status.replace("\r\n", "\n").replace("\n ", " ").replace("\n\t", " ");
    let groups = status.split("\n\n").map(|group| group.lines().filter_map(|l| l.split_once(':')).collect::<Vec<_>>());
    groups.filter_map(|fields| recipient(&fields)).take(100).collect()
}

fn recipient(fields: &[(&str, &str)]) -> Option<FailedRecipient> {
    let value = |name: &str| fields.iter().find(|(n, _)| n.trim().eq_ignore_ascii_case(name)).map(|(_, v)| v.trim());
    let address = value("original-recipient").or_else(|| value("final-recipient"));
    let action = value("action")?.to_ascii_lowercase();
    let status = value("status").unwrap_or_default();
    let status = status.split_whitespace().next().unwrap_or_default().to_owned();
    let address = address.and_then(|a| a.rsplit(';').next()).and_then(|a| a.trim().parse().ok());
    let permanent = action == "failed" && status.starts_with('5');
    let diagnostic = value("diagnostic-code").map(|code| code.split_once(';').map_or(code, |(_, said)| said));
    let diagnostic = super::headers::one_line(diagnostic.unwrap_or_default().trim());
    Some(FailedRecipient { address, action, status, diagnostic, permanent })
}

/// The Message-ID of the letter that a report returns, whole or its header alone.
fn original_id(part: &mail_parser::MessagePart<'_>) -> Option<String> {
    if let PartType::Message(inner) = &part.body {
        return inner.message_id().map(str::to_owned);
    }
    let header_only = part.is_content_type("text", "rfc822-headers") || part.is_content_type("message", "rfc822");
    let text = header_only.then(|| part_text(&part.body))?;
    let line = text.lines().find(|l| l.get(..11).is_some_and(|name| name.eq_ignore_ascii_case("message-id:")))?;
    ids_in(line).into_iter().next()
}

fn auto_mark(fields: &Fields<'_>) -> Option<AutoMark> {
    let auto_submitted = fields.all("auto-submitted").iter().any(|value| {
        let word = value.split([';', '(']).next().unwrap_or_default().trim();
        !word.is_empty() && !word.eq_ignore_ascii_case("no")
    });
    if auto_submitted {
        return Some(AutoMark::AutoSubmitted);
    }
    const MARKS: [&str; 6] = [
        "x-autoreply",
        "x-autorespond",
        "x-autoresponder",
        "x-autoreply-from",
        "x-vacation",
        "x-auto-response-suppress",
    ];
    let said_no = |name: &str| fields.lower(name).is_some_and(|v| matches!(v.as_str(), "no" | "none" | ""));
    if MARKS.iter().any(|name| fields.has(name) && !said_no(name)) {
        return Some(AutoMark::Vacation);
    }
    if fields.lower("precedence").is_some_and(|p| matches!(p.as_str(), "auto_reply" | "junk")) {
        return Some(AutoMark::Vacation);
    }
    let subject = fields.subject().unwrap_or_default().to_lowercase();
    phrases::AUTO_SUBJECTS.iter().any(|start| subject.starts_with(start)).then_some(AutoMark::Subject)
}

fn list_kind(fields: &Fields<'_>) -> Option<LetterKind> {
    let precedence = fields.lower("precedence").unwrap_or_default();
    let discussion = fields.has("list-post") || fields.has("mailing-list") || precedence == "list";
    if discussion || (fields.has("list-id") && precedence != "bulk" && !fields.has("list-unsubscribe-post")) {
        let id = fields.all("list-id").into_iter().next().unwrap_or_default();
        let name = ids_in(&id).into_iter().next().unwrap_or(id);
        return Some(LetterKind::MailingList(super::headers::one_line(&name)));
    }
    (precedence == "bulk" || fields.has("list-unsubscribe") || fields.has("list-id")).then_some(LetterKind::Bulk)
}
