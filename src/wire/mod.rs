//! The wire: what the letters that come in and those that go out have in common. Servers and how they are reached, whom we trust,
//! and how we say who we are.
//!
//! | file       | what it does                                                                   |
//! |------------|--------------------------------------------------------------------------------|
//! | `server`   | a server's name, port and encryption; unencrypted only on this machine         |
//! | `stream`   | a connection with an end to all patience: silence, drip and flood              |
//! | `trust`    | certificates: the system's, or an own authority's                              |
//! | `password` | a password from a file, a command or the environment, and from nowhere else    |
//! | `oauth2`   | access tokens for servers that take no password (RFC 6749, 7636, 8628)         |
//!
//! No secret is ever shown: [`Password`] and tokens have no `Display`, and their `Debug` says nothing.

mod oauth2;
mod password;
mod server;
mod stream;
mod trust;

pub use oauth2::{Consent, DeviceCode, Endpoints, OAuth2, OAuth2Config, OAuth2Error, Polled};
pub use password::{Password, PasswordError, PasswordSource};
pub use server::{Encryption, Server};
pub use stream::{Limits, Stream, WireError};
pub use trust::TrustError;
pub(crate) use trust::authority;

use jiff::Timestamp;
use std::sync::Arc;

/// Who we are to a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The user's name there, often the whole mail address.
    pub user: String,
    /// The proof.
    pub proof: Proof,
}

/// By what a server knows that it is us.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A password.
    Password(PasswordSource),
    /// An access token.
    OAuth2(Arc<OAuth2>),
}

/// The proof at hand.
#[derive(Clone, Debug)]
pub enum Shown {
    /// A password.
    Password(Password),
    /// An access token, to be shown as XOAUTH2.
    Token(Password),
}

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The password.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// The token.
    #[error(transparent)]
    OAuth2(#[from] OAuth2Error),
}

impl ProofError {
    /// Whether it may go away by itself.
    pub fn is_retryable(&self) -> bool {
        match self {
            ProofError::Password(_) => false,
            ProofError::OAuth2(fault) => fault.is_retryable(),
        }
    }
}

impl Login {
    /// Fetches the proof: the password anew each time, so that it can be changed while the daemon runs; an access token as long as
    /// it holds.
    ///
    /// # Errors
    /// If there is none.
    pub fn show(&self, now: Timestamp) -> Result<Shown, ProofError> {
        match &self.proof {
            Proof::Password(source) => Ok(Shown::Password(source.read()?)),
            Proof::OAuth2(tokens) => Ok(Shown::Token(tokens.access(now)?)),
        }
    }

    /// Says that the server did not take the proof: an access token that was kept is thrown away.
    pub fn refused(&self) {
        if let Proof::OAuth2(tokens) = &self.proof {
            tokens.forget();
        }
    }
}

/// The words by which XOAUTH2 shows a token (not yet in base64).
pub(crate) fn xoauth2(user: &str, token: &Password) -> String {
    format!("user={user}\x01auth=Bearer {}\x01\x01", token.reveal())
}
