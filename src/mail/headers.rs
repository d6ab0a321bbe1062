//! Header fields: as written, where a program's mark is looked for, and decoded, where people are named.

use jiff::Timestamp;
use jiff::civil;
use jiff::tz::Offset;
use mail_parser::{Header, HeaderName, Message};

use super::quoting::is_invisible;
use super::sender::Contact;

/// Fields of which a letter has at least one. A text in which none is found is words without a header, even if
/// its lines look like fields ("card: action 2").
const EVERY_LETTER_HAS: [&str; 11] = [
    "from",
    "to",
    "subject",
    "date",
    "received",
    "message-id",
    "mime-version",
    "return-path",
    "delivered-to",
    "content-type",
    "cc",
];

/// Longest name or subject that is taken over, in characters.
const LONGEST: usize = 300;

/// The fields of a letter's own header.
pub(super) struct Fields<'a> {
    headers: &'a [Header<'a>],
    raw: &'a [u8],
}

impl<'a> Fields<'a> {
    pub fn of(message: &'a Message<'a>) -> Self {
        let headers = message.parts.first().map_or(&[][..], |part| &part.headers);
        Fields { headers, raw: &message.raw_message }
    }

    /// Whether this is a letter's header at all.
    pub fn is_header(&self) -> bool {
        self.headers.iter().any(|h| EVERY_LETTER_HAS.iter().any(|name| h.name.as_str().eq_ignore_ascii_case(name)))
    }

    fn named<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'b Header<'a>> {
        self.headers.iter().filter(move |h| h.name.as_str().eq_ignore_ascii_case(name))
    }

    /// All values of a field as written, unfolded, in the order of the header.
    pub fn all(&self, name: &str) -> Vec<String> {
        let value = |h: &Header<'_>| {
            let bytes = self.raw.get(h.offset_start as usize..h.offset_end as usize).unwrap_or_default();
            String::from_utf8_lossy(bytes)
                .split(['\r', '\n'])
                .map(str::trim)
                .collect::<Vec<_>>()
                .join(" ")
                .trim()
                .to_owned()
        };
        self.named(name).map(value).collect()
    }

    /// The first (topmost) value of a field, in lower case.
    pub fn lower(&self, name: &str) -> Option<String> {
        self.all(name).first().map(|value| value.to_lowercase())
    }

    pub fn has(&self, name: &str) -> bool {
        self.named(name).next().is_some()
    }

    pub fn count(&self, name: &str) -> usize {
        self.named(name).count()
    }

    /// The people in all fields of this name.
    pub fn contacts(&self, name: &str) -> Vec<Contact> {
        let addresses = self.named(name).filter_map(|h| h.value.as_address());
        let contact = |a: &mail_parser::Addr<'_>| Contact {
            name: a.name.as_deref().map(one_line).filter(|n| !n.is_empty()),
            addr: a.address.as_deref().and_then(|text| text.parse().ok()),
        };
        addresses.flat_map(|list| list.iter().map(contact)).collect()
    }

    /// The topmost subject, encoded words decoded (RFC 2047).
    pub fn subject(&self) -> Option<String> {
        self.named("subject").next().and_then(|h| h.value.as_text()).map(one_line)
    }

    /// The message ids in a field, without angle brackets.
    pub fn ids(&self, name: &str) -> Vec<String> {
        self.all(name).iter().flat_map(|value| ids_in(value)).collect()
    }

    /// The hour that the writer's machine claims. Never the hour of receipt.
    pub fn date(&self) -> Option<Timestamp> {
        let header = self.headers.iter().find(|h| h.name == HeaderName::Date)?;
        let date = header.value.as_datetime().filter(|d| d.is_valid())?;
        let part = |n: u8| i8::try_from(n).ok();
        let local = civil::DateTime::new(
            i16::try_from(date.year).ok()?,
            part(date.month)?,
            part(date.day)?,
            part(date.hour)?,
            part(date.minute)?,
            part(date.second)?,
            0,
        );
        let seconds = i32::from(date.tz_hour) * 3600 + i32::from(date.tz_minute) * 60;
        let offset = Offset::from_seconds(if date.tz_before_gmt { -seconds } else { seconds }).ok()?;
        offset.to_timestamp(local.ok()?).ok()
    }
}

/// Message ids in a field's value: what stands in angle brackets, or bare words with an `@` where a program
/// forgot the brackets.
pub(super) fn ids_in(value: &str) -> Vec<String> {
    let compact = |id: &str| id.chars().filter(|c| !c.is_whitespace() && !c.is_control()).take(998).collect::<String>();
    let mut ids: Vec<String> =
        value.split('<').skip(1).filter_map(|part| part.split_once('>')).map(|(id, _)| compact(id)).collect();
    if ids.is_empty() {
        ids = value.split_whitespace().filter(|word| word.contains('@')).map(compact).collect();
    }
    ids.retain(|id| !id.is_empty());
    ids
}

/// Text for one line of ours: no controls, no line ends, nothing invisible, of bounded length.
pub(super) fn one_line(text: &str) -> String {
    let visible = text.chars().filter(|&c| c.is_whitespace() || !is_invisible(c));
    let cleaned: String = visible.map(|c| if c.is_whitespace() { ' ' } else { c }).take(LONGEST).collect();
    cleaned.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
