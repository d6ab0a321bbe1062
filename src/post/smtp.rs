//! Delivery to an SMTP server (RFC 5321): one letter, one recipient, one transaction.
//!
//! The steps are taken one by one, because what a no means hangs on where it is said: a no to our password is a matter between the
//! umpire and his provider, and must not make an end of a letter; a no to the recipient or to the letter's words is an answer about
//! this letter.

use crate::wire::{Encryption, Login, ProofError, Server, Shown, TrustError, authority, xoauth2};
use data_encoding::BASE64;
use jiff::Timestamp;
use lettre::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{Certificate, CertificateStore, SmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailBodyParameter, MailParameter};
use std::time::Duration;

const RECIPIENT: &str = "the recipient";
const LETTER: &str = "the letter";

/// A server that has taken the letter is not waited for when it says goodbye.
const GOODBYE: Duration = Duration::from_secs(2);

/// An SMTP server, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtpConfig {
    /// The server.
    pub server: Server,
    /// Who we are there; `None` for a relay that knows us by where we are.
    pub login: Option<Login>,
}

/// The way out by SMTP.
pub struct Smtp {
    config: SmtpConfig,
    tls: Option<TlsParameters>,
}

/// Why a server did not take a letter. The words are the server's own where it said any.
#[derive(Debug, thiserror::Error)]
pub enum SmtpError {
    /// The letter or its recipient is refused for good.
    #[error("{server} refuses {what} for good: {said}")]
    Refused {
        /// The server.
        server: String,
        /// The recipient, or the letter.
        what: &'static str,
        /// Code and words.
        said: String,
    },
    /// Not now.
    #[error("{server} does not take {what} now: {said}")]
    Later {
        /// The server.
        server: String,
        /// What it did not take.
        what: &'static str,
        /// Code and words, or what happened to the connection.
        said: String,
    },
    /// The server does not let us send: the configuration, not the letter.
    #[error("{server} does not let us send ({what}): {said}")]
    NotUs {
        /// The server.
        server: String,
        /// What it did not take.
        what: &'static str,
        /// Code and words.
        said: String,
    },
    /// No connection, or none that can be trusted.
    #[error("no connection to {server}: {why}")]
    NoConnection {
        /// The server.
        server: String,
        /// What happened.
        why: String,
    },
    /// No password or token.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// Whom to trust.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// An address that cannot be written to.
    #[error("`{0}` is no mail address to which a server could send")]
    Address(String),
}

impl SmtpError {
    /// Whether this letter will never be taken, whatever is waited for.
    pub fn is_permanent(&self) -> bool {
        matches!(self, SmtpError::Refused { .. } | SmtpError::Address(_))
    }

    /// Whether it may go away by itself. Where neither this nor [permanent](Self::is_permanent), the umpire has something to put right.
    pub fn is_retryable(&self) -> bool {
        match self {
            SmtpError::Later { .. } | SmtpError::NoConnection { .. } => true,
            SmtpError::Proof(fault) => fault.is_retryable(),
            _ => false,
        }
    }

    /// Whether the fault lies with the server or the connection, so that no other letter will fare better now.
    pub fn concerns_all(&self) -> bool {
        !matches!(
            self,
            SmtpError::Refused { .. }
                | SmtpError::Address(_)
                | SmtpError::Later { what: RECIPIENT | LETTER, .. }
                | SmtpError::NotUs { what: RECIPIENT | LETTER, .. }
        )
    }
}

/// What a server can do, as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmtpAbilities {
    /// Letters of eight bits (RFC 6152). Ours are of seven.
    pub eight_bit: bool,
    /// Addresses beyond ASCII (RFC 6531).
    pub utf8: bool,
    /// The connection is encrypted.
    pub encrypted: bool,
}

impl Smtp {
    /// The way out that `config` names. Nothing is connected yet.
    pub fn new(config: SmtpConfig) -> Self {
        Self { config, tls: None }
    }

    /// Connects, encrypts, logs in, and says goodbye: for `umpire mail check`.
    ///
    /// # Errors
    /// If any of it fails.
    pub fn try_out(&mut self, now: Timestamp) -> Result<SmtpAbilities, SmtpError> {
        let mut connection = self.open(now)?;
        let server = connection.server_info();
        let found = SmtpAbilities {
            eight_bit: server.supports_feature(Extension::EightBitMime),
            utf8: server.supports_feature(Extension::SmtpUtfEight),
            encrypted: connection.is_encrypted(),
        };
        let _ = connection.set_timeout(Some(GOODBYE));
        let _ = connection.quit();
        Ok(found)
    }

    /// Sends a letter. After `Ok` the server has said that it took it.
    ///
    /// # Errors
    /// If it did not, or if nobody knows: then the letter has to be sent again, with the same Message-ID.
    pub fn send(&mut self, from: &str, to: &str, letter: &[u8], now: Timestamp) -> Result<String, SmtpError> {
        let sender: Address = from.parse().map_err(|_| SmtpError::Address(from.to_owned()))?;
        let recipient: Address = to.parse().map_err(|_| SmtpError::Address(to.to_owned()))?;
        let mut connection = self.open(now)?;
        let taken = self.transact(&mut connection, sender, recipient, letter);
        match &taken {
            // Said or unsaid, the letter is theirs now.
            Ok(_) => {
                let _ = connection.set_timeout(Some(GOODBYE));
                let _ = connection.quit();
            }
            Err(_) => {
                let _ = connection.set_timeout(Some(GOODBYE));
                connection.abort();
            }
        }
        taken
    }

    fn transact(
        &self,
        connection: &mut SmtpConnection,
        sender: Address,
        recipient: Address,
        letter: &[u8],
    ) -> Result<String, SmtpError> {
        let parameters = self.parameters(connection, &sender, &recipient, letter)?;
        connection.command(Mail::new(Some(sender), parameters)).map_err(|e| self.not_us("our address", &e))?;
        connection.command(Rcpt::new(recipient, Vec::new())).map_err(|e| self.said(RECIPIENT, &e))?;
        connection.command(Data).map_err(|e| self.said(LETTER, &e))?;
        // The library ends the last line itself: with ours the letter would grow by an empty one.
        let letter = letter.strip_suffix(b"\r\n").unwrap_or(letter);
        let answer = connection.message(letter).map_err(|e| self.said(LETTER, &e))?;
        Ok(answer.message().collect::<Vec<_>>().join(" "))
    }

    fn parameters(
        &self,
        connection: &SmtpConnection,
        sender: &Address,
        recipient: &Address,
        letter: &[u8],
    ) -> Result<Vec<MailParameter>, SmtpError> {
        let can = |extension| connection.server_info().supports_feature(extension);
        let refused = |said: &str| SmtpError::Refused {
            server: self.config.server.to_string(),
            what: LETTER,
            said: said.to_owned(),
        };
        let mut parameters = Vec::new();
        if !AsRef::<str>::as_ref(sender).is_ascii() || !AsRef::<str>::as_ref(recipient).is_ascii() {
            if !can(Extension::SmtpUtfEight) {
                return Err(refused("it takes no addresses beyond ASCII (no SMTPUTF8)"));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        if !letter.is_ascii() {
            if !can(Extension::EightBitMime) {
                return Err(refused("it takes no letters of eight bits (no 8BITMIME)"));
            }
            parameters.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        Ok(parameters)
    }

    /// A connection on which letters can be sent.
    fn open(&mut self, now: Timestamp) -> Result<SmtpConnection, SmtpError> {
        let shown = self.config.login.as_ref().map(|login| login.show(now)).transpose()?;
        let server = self.config.server.clone();
        let addresses = server.addresses().map_err(|e| self.no_connection(&e))?;
        let hello = ClientId::default();
        let tls = self.trust()?;
        let wrapped = tls.as_ref().filter(|_| server.encryption == Encryption::Tls);
        let mut connection =
            SmtpConnection::connect(addresses.as_slice(), Some(server.patience), &hello, wrapped, None)
                .map_err(|e| self.no_connection(&e))?;
        if let (Encryption::StartTls, Some(tls)) = (server.encryption, &tls) {
            if !connection.can_starttls() {
                connection.abort();
                return Err(
                    self.no_connection(&"it offers no encryption (no STARTTLS), and without it nothing is sent")
                );
            }
            connection.starttls(tls, &hello).map_err(|e| self.no_connection(&e))?;
        }
        if let (Some(login), Some(shown)) = (&self.config.login, shown) {
            let done = self.log_in(&mut connection, login, &shown);
            if done.is_err() {
                login.refused();
                let _ = connection.set_timeout(Some(GOODBYE));
                connection.abort();
            }
            done?;
        }
        Ok(connection)
    }

    fn log_in(&self, connection: &mut SmtpConnection, login: &Login, shown: &Shown) -> Result<(), SmtpError> {
        let offers = |mechanism| connection.server_info().supports_auth_mechanism(mechanism);
        let no_way = |said: &str| SmtpError::NotUs {
            server: self.config.server.to_string(),
            what: "our login",
            said: said.trim().to_owned(),
        };
        match shown {
            Shown::Password(password) => {
                let known = [Mechanism::Plain, Mechanism::Login];
                if !known.into_iter().any(offers) {
                    return Err(no_way("it takes no password (over this connection)"));
                }
                let credentials = Credentials::new(login.user.clone(), password.reveal().to_owned());
                connection.auth(&known, &credentials).map_err(|e| self.not_us("our login", &e))?;
            }
            Shown::Token(token) => {
                if !offers(Mechanism::Xoauth2) {
                    return Err(no_way("it takes no access tokens (no AUTH XOAUTH2)"));
                }
                // By hand: the library does not let the server explain its no (a challenge that wants an empty line).
                let words = BASE64.encode(xoauth2(&login.user, token).as_bytes());
                let answer = connection
                    .command(format!("AUTH XOAUTH2 {words}\r\n"))
                    .map_err(|e| self.not_us("our access token", &e))?;
                if answer.has_code(334) {
                    let explained = answer.first_line().and_then(|line| BASE64.decode(line.as_bytes()).ok());
                    let explained = explained.map(|words| String::from_utf8_lossy(&words).into_owned());
                    let no = connection.command("\r\n").err().map(|e| e.to_string()).unwrap_or_default();
                    return Err(no_way(&format!("{no} {}", explained.unwrap_or_default())));
                }
            }
        }
        Ok(())
    }

    /// How the server is trusted; read once.
    fn trust(&mut self) -> Result<Option<TlsParameters>, SmtpError> {
        let server = &self.config.server;
        if server.encryption == Encryption::None {
            return Ok(None);
        }
        if self.tls.is_none() {
            let mut builder = TlsParameters::builder(server.host.clone());
            if let Some(path) = &server.authority {
                builder = builder.certificate_store(CertificateStore::None);
                for der in authority(path)? {
                    let certificate = Certificate::from_der(der.to_vec()).map_err(|e| self.no_connection(&e))?;
                    builder = builder.add_root_certificate(certificate);
                }
            }
            self.tls = Some(builder.build().map_err(|e| self.no_connection(&e))?);
        }
        Ok(self.tls.clone())
    }

    fn no_connection(&self, why: &dyn std::fmt::Display) -> SmtpError {
        SmtpError::NoConnection { server: self.config.server.to_string(), why: why.to_string() }
    }

    /// A no to who we are: never the end of a letter.
    fn not_us(&self, what: &'static str, fault: &Error) -> SmtpError {
        let server = self.config.server.to_string();
        if fault.is_permanent() {
            SmtpError::NotUs { server, what, said: words(fault) }
        } else {
            SmtpError::Later { server, what, said: words(fault) }
        }
    }

    /// A no to a recipient or letter.
    fn said(&self, what: &'static str, fault: &Error) -> SmtpError {
        let server = self.config.server.to_string();
        let said = words(fault);
        match (fault.is_permanent(), fault.is_transient()) {
            (true, _) if is_about_us(&said, what) => SmtpError::NotUs { server, what, said },
            (true, _) => SmtpError::Refused { server, what, said },
            (_, true) => SmtpError::Later { server, what, said },
            // Cut or silent: the next letter would fare no better.
            _ => SmtpError::Later { server, what: "what we say", said },
        }
    }
}

/// Code and words as the server said them, or what happened.
fn words(fault: &Error) -> String {
    let told = std::error::Error::source(fault).map(ToString::to_string).unwrap_or_default();
    match fault.status() {
        Some(code) => format!("{code} {told}").trim().to_owned(),
        None if fault.is_timeout() || told.contains("os error 11") => "it does not answer".to_owned(),
        None => fault.to_string(),
    }
}

/// Whether a refusal that is said about a recipient or letter means us. A server that we send through knows nothing of a recipient's
/// wishes, so that what it forbids (X.7.x of RFC 3463: "relay access denied", "client host rejected") it forbids us; of a letter's words
/// it may well forbid some. A day's quota used up is X.4.5.
fn is_about_us(said: &str, what: &str) -> bool {
    let mut words = said.split_whitespace();
    let code = words.next().unwrap_or_default();
    let enhanced = words.next().unwrap_or_default();
    matches!(code, "530" | "534" | "535" | "538")
        || matches!(enhanced, "5.4.5" | "5.7.0" | "5.7.3" | "5.7.8" | "5.7.9")
        || (what == RECIPIENT && enhanced.starts_with("5.7."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_no_to_us_is_not_a_no_to_the_letter() {
        for (said, what, us) in [
            ("550 5.1.1 <nobody@example.org>: no such user", RECIPIENT, false),
            ("554 5.7.1 <nobody@example.org>: Relay access denied", RECIPIENT, true),
            ("554 5.7.1 spam", LETTER, false),
            ("530 5.7.0 log in first", RECIPIENT, true),
            ("550 5.4.5 Daily user sending limit exceeded", LETTER, true),
            ("552 too large", LETTER, false),
        ] {
            assert_eq!(is_about_us(said, what), us, "{said}");
        }
    }
}
