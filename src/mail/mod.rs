//! IN: the bytes of a letter become a [`Letter`]: who wrote, what kind of letter it is, and which of its words
//! the writer put into *this* letter.
//!
//! A letter travels through this folder from top to bottom:
//!
//! | file       | what it does                                                                              |
//! |------------|-------------------------------------------------------------------------------------------|
//! | `inbox`    | where letters lie, whichever it is; raw bytes and the hour of their receipt               |
//! | `maildir`  | ... in a folder on this machine                                                           |
//! | `imap`     | ... in a folder on a server                                                               |
//! | `letter`   | header and body together: [`read`] never fails and never panics                           |
//! | `headers`  | header fields as written, and the few that are decoded                                    |
//! | `sender`   | addresses, who may be heard, who may be answered                                          |
//! | `kind`     | a person's letter, or an auto-reply, a bounce, a receipt, a loop ...                      |
//! | `body`     | which of the MIME parts is the text (plain before HTML, the signed part, a `.txt` at need) |
//! | `decode`   | transfer encoding and character set                                                       |
//! | `flowed`   | RFC 3676 undone                                                                           |
//! | `html`     | HTML to lines, with the quotes that its structure shows                                   |
//! | `quoting`  | the writer's own words, told from quotes, signatures, forwards and footers                |
//! | `phrases`  | the words by which mail programs announce those, in the languages of our players          |
//!
//! Two rules stand above all others here. Nothing that the writer did not write in this letter may be taken for
//! his words; and nothing that might be an order is dropped in silence: what was left out is listed with its
//! lines ([`LeftOut`]), so that the acknowledgement can say so.
//!
//! Everything is a pure function of the bytes, but for the first three. The time of receipt is never taken from a
//! header (R-003-84): the caller knows it from the server or from the maildir.

mod body;
mod decode;
mod flowed;
mod headers;
mod html;
mod imap;
mod inbox;
mod kind;
mod letter;
mod maildir;
// Its lists are meant to be read as lists of words.
#[rustfmt::skip]
mod phrases;
mod quoting;
mod sender;
#[cfg(test)]
mod thirty;

pub use imap::{Abilities, Imap, ImapConfig, ImapError, ImapFault};
pub use inbox::{Inbox, InboxError, Waiting};
pub use kind::{AutoMark, Bounce, FailedRecipient, LetterKind, Sealed};
pub use letter::{Hints, Letter, Note, bare_subject, read, read_with, subject_tags};
pub use maildir::{Filed, Folder, MailFile, Maildir, MaildirError, RawLetter, deliver};
pub use quoting::{LeftOut, OwnLine, OwnWords, Why, own_words};
pub use sender::{Contact, Mailbox, MailboxError, ReplyLeave, SenderFault, reply_allowed, reply_leave};
