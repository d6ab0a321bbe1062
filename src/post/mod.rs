//! OUT: a letter is composed once, stored as bytes, and delivered as stored until somebody has taken it.
//!
//! | file         | what it does                                                                     |
//! |--------------|----------------------------------------------------------------------------------|
//! | `message_id` | the name of a letter, fixed by its cause and a secret                            |
//! | `compose`    | a [`Draft`] becomes the bytes of a MIME letter, the same bytes for the same draft |
//! | `transport`  | the way out, whichever it is                                                     |
//! | `maildir`    | ... into a folder; twice is once                                                 |
//! | `smtp`       | ... to a server; what its answer means                                           |
//!
//! Nothing here reads the clock or makes randomness: date and Message-ID are passed in, and the marks between MIME
//! parts come from the Message-ID. Message-IDs are written without angle brackets everywhere but in the letter.

mod compose;
mod maildir;
mod message_id;
mod smtp;
mod transport;

pub use compose::{Attachment, AutoSubmitted, ComposeError, Draft, Party, compose};
pub use maildir::{Delivered, PostError, StoredLetter, deliver};
pub use message_id::{BadDomain, MessageIds};
pub use smtp::{Smtp, SmtpAbilities, SmtpConfig, SmtpError};
pub use transport::{Sealed, SendError, Transport};
