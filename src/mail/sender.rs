//! Addresses, and the two questions about the one who writes: may he be heard, and may he be answered?

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::kind::LetterKind;
use super::letter::Letter;

/// RFC 5321 4.5.3.1: octets of a local part.
const MAX_LOCAL: usize = 64;
/// RFC 5321 4.5.3.1: octets of a domain.
const MAX_DOMAIN: usize = 255;

/// A mail address that has been checked: `local@domain`, without name, comment, quotes or route.
///
/// Two mailboxes are equal if they reach the same person in practice: the domain by RFC 1035 without regard to
/// case, and the local part so as well, since no provider tells `King@` from `king@` and telephones like to
/// write the first. A plus-tag is part of the address and is compared.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Mailbox {
    local: String,
    domain: String,
}

/// Why a text is not a mail address. The player or umpire who typed it is to be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailboxError {
    /// No `@`, or nothing on one side of it.
    #[error("`{0}` is no mail address: it has to look like name@example.org")]
    NoAt(String),
    /// A character that may not stand there without quotes (RFC 5322 3.4.1).
    #[error("`{address}` is no mail address: {character:?} may not stand in it")]
    BadCharacter {
        /// What was written.
        address: String,
        /// What may not stand there.
        character: char,
    },
    /// Dots at an edge or in a row, an empty or hyphened label.
    #[error("`{0}` is no mail address: a dot or hyphen stands where none may")]
    BadDots(String),
    /// Over 64 octets before the `@` or over 255 behind it (RFC 5321 4.5.3.1).
    #[error("`{0}...` is no mail address: it is too long")]
    TooLong(String),
}

impl Mailbox {
    /// The part before the `@`, as written.
    pub fn local(&self) -> &str {
        &self.local
    }

    /// The part behind the `@`, in lower case.
    pub fn domain(&self) -> &str {
        &self.domain
    }

    /// The local part without its plus-tag, and the tag: `umpire+g42.p3` gives `("umpire", Some("g42.p3"))`
    /// (RFC 5233).
    pub fn base_and_tag(&self) -> (&str, Option<&str>) {
        match self.local.split_once('+') {
            Some((base, tag)) if !base.is_empty() => (base, Some(tag)),
            _ => (&self.local, None),
        }
    }

    /// Whether both are the same address when plus-tags are left aside.
    pub fn same_but_for_tag(&self, other: &Mailbox) -> bool {
        self.domain == other.domain && folded(self.base_and_tag().0) == folded(other.base_and_tag().0)
    }

    fn key(&self) -> (&str, String) {
        (&self.domain, folded(&self.local))
    }
}

fn folded(local: &str) -> String {
    local.to_lowercase()
}

impl PartialEq for Mailbox {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
impl Eq for Mailbox {}
impl PartialOrd for Mailbox {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Mailbox {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl fmt::Display for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.local, self.domain)
    }
}

impl From<Mailbox> for String {
    fn from(mailbox: Mailbox) -> Self {
        mailbox.to_string()
    }
}

impl TryFrom<String> for Mailbox {
    type Error = MailboxError;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl FromStr for Mailbox {
    type Err = MailboxError;

    /// Reads a bare address; white space around it and one pair of angle brackets are allowed.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let text = text.strip_prefix('<').and_then(|t| t.strip_suffix('>')).unwrap_or(text);
        let shown = || text.chars().take(80).filter(|c| !c.is_control()).collect::<String>();
        let Some((local, domain)) = text.rsplit_once('@') else { return Err(MailboxError::NoAt(shown())) };
        if local.is_empty() || domain.is_empty() {
            return Err(MailboxError::NoAt(shown()));
        }
        if local.len() > MAX_LOCAL || domain.len() > MAX_DOMAIN {
            return Err(MailboxError::TooLong(shown()));
        }
        let foreign = local.chars().find(|&c| !local_char(c)).or_else(|| domain.chars().find(|&c| !domain_char(c)));
        if let Some(character) = foreign {
            return Err(MailboxError::BadCharacter { address: shown(), character });
        }
        if local.split('.').any(str::is_empty) || domain.split('.').any(bad_label) {
            return Err(MailboxError::BadDots(shown()));
        }
        Ok(Mailbox { local: local.to_owned(), domain: domain.to_lowercase() })
    }
}

fn bad_label(label: &str) -> bool {
    label.is_empty() || label.starts_with('-') || label.ends_with('-')
}

/// `atext` of RFC 5322 3.2.3 and the dot; letters of other scripts by RFC 6531.
fn local_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c) || (!c.is_ascii() && c.is_alphanumeric())
}

fn domain_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '.' || (!c.is_ascii() && c.is_alphanumeric())
}

/// One entry of a From, To or Cc field: what it says, and the address if there is a sound one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    /// The display name, with controls and direction marks taken out. Shown, never trusted.
    pub name: Option<String>,
    /// The address, if what stood there is one.
    pub addr: Option<Mailbox>,
}

/// Why nobody can be said to have written a letter (case 27 of the thirty): exactly one From field with exactly
/// one address is heard, anything else is not, since programs differ in whom they would show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SenderFault {
    /// No field, or nothing in it.
    #[error("the letter has no From")]
    NoFrom,
    /// Programs differ in which of them they show.
    #[error("the letter has {0} From fields; one is allowed")]
    SeveralFields(usize),
    /// RFC 5322 allows it, with a Sender; we do not.
    #[error("the From holds {0} addresses; one is allowed")]
    SeveralAddresses(usize),
    /// A name alone, or an address that is none.
    #[error("the From holds no sound mail address")]
    NotAnAddress,
    /// A player's address set as the name of another's, or a list that wrote itself into the From.
    #[error("the name in the From shows another address ({shown}) than the From itself ({actual})")]
    AddressInName {
        /// The one that a mail program would show.
        shown: Mailbox,
        /// The one that the letter claims to come from.
        actual: Mailbox,
    },
}

/// How far an automatic answer to a letter may go (RFC 3834 2, RFC 5321 6.1). Answers go to the registered
/// address alone in every case (case 28): a Reply-To is never followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyLeave {
    /// A person wrote, straight to us.
    Anyone,
    /// The letter came by way of a mailing list: only a registered player may be answered, at his own address.
    RegisteredOnly,
    /// No automatic answer, to anyone; the reason is for the log.
    Never(&'static str),
}

/// How far an automatic answer to this letter may go.
pub fn reply_leave(letter: &Letter) -> ReplyLeave {
    if letter.null_return_path {
        return ReplyLeave::Never("its return path is null");
    }
    if letter.sender().is_err() {
        return ReplyLeave::Never("it has no single sender");
    }
    match &letter.kind {
        LetterKind::AutoReply(_) => ReplyLeave::Never("it is an automatic reply"),
        LetterKind::Bounce(_) => ReplyLeave::Never("it is a bounce"),
        LetterKind::ReadReceipt => ReplyLeave::Never("it is a receipt"),
        LetterKind::OwnLoop => ReplyLeave::Never("an umpire sent it"),
        LetterKind::Bulk => ReplyLeave::Never("it is bulk mail"),
        LetterKind::MailingList(_) => ReplyLeave::RegisteredOnly,
        LetterKind::Personal | LetterKind::Encrypted(_) | LetterKind::ForwardedOnly => ReplyLeave::Anyone,
    }
}

/// Whether an automatic answer to the registered address of this letter's writer may be sent at all.
pub fn reply_allowed(letter: &Letter) -> bool {
    !matches!(reply_leave(letter), ReplyLeave::Never(_))
}

/// The one who wrote, or why that cannot be said.
///
/// `fields` is the number of From fields in the header, `entries` what stands in all of them.
pub(super) fn single_sender(fields: usize, entries: &[Contact]) -> Result<&Mailbox, SenderFault> {
    if fields > 1 {
        return Err(SenderFault::SeveralFields(fields));
    }
    let contact = match entries {
        [] => return Err(SenderFault::NoFrom),
        [one] => one,
        several => return Err(SenderFault::SeveralAddresses(several.len())),
    };
    let actual = contact.addr.as_ref().ok_or(SenderFault::NotAnAddress)?;
    let shown = contact.name.as_deref().and_then(address_within);
    match shown {
        Some(shown) if shown != *actual => Err(SenderFault::AddressInName { shown, actual: actual.clone() }),
        _ => Ok(actual),
    }
}

/// The first mail address inside a display name.
fn address_within(name: &str) -> Option<Mailbox> {
    let edges = |c: char| c.is_whitespace() || "<>()[]\"',;:".contains(c);
    name.split(edges).filter(|word| word.contains('@')).find_map(|word| word.trim_end_matches('.').parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked_and_compared_without_case() {
        let king: Mailbox = " <King.Charles@Example.ORG> ".parse().unwrap();
        assert_eq!(king.to_string(), "King.Charles@example.org");
        assert_eq!(king, "king.charles@EXAMPLE.org".parse().unwrap());
        assert_ne!(king, "king+x.charles@example.org".parse().unwrap());
        let tagged: Mailbox = "umpire+g42.p3.abc@example.org".parse().unwrap();
        assert_eq!(tagged.base_and_tag(), ("umpire", Some("g42.p3.abc")));
        assert!(tagged.same_but_for_tag(&"UMPIRE@example.org".parse().unwrap()));
        for bad in
            ["", "king", "@example.org", "king@", "a b@example.org", "a@b@c..d", "k@-x.org", "k@x\r\ny.org", ".k@x.org"]
        {
            assert!(bad.parse::<Mailbox>().is_err(), "{bad:?}");
        }
        assert!("åke@räksmörgås.example".parse::<Mailbox>().is_ok());
    }

    #[test]
    fn too_long_an_address_is_refused() {
        let long = format!("{}@example.org", "a".repeat(65));
        assert!(matches!(long.parse::<Mailbox>(), Err(MailboxError::TooLong(_))));
    }

    #[test]
    fn an_address_in_the_name_must_be_the_same_one() {
        let entry = |name: &str| Contact { name: Some(name.into()), addr: "spy@example.org".parse().ok() };
        assert!(single_sender(1, &[entry("Sheremetev")]).is_ok());
        assert!(single_sender(1, &[entry("spy@example.org")]).is_ok());
        assert!(matches!(
            single_sender(1, &[entry("'king@example.org' via list")]),
            Err(SenderFault::AddressInName { .. })
        ));
        assert_eq!(single_sender(0, &[]), Err(SenderFault::NoFrom));
        assert_eq!(single_sender(2, &[entry("a")]), Err(SenderFault::SeveralFields(2)));
        assert_eq!(single_sender(1, &[entry("a"), entry("b")]), Err(SenderFault::SeveralAddresses(2)));
    }
}
