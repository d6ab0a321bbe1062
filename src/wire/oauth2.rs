//! Access tokens (RFC 6749) for servers that take no password.
//!
//! Once, the umpire gives this program leave to use his mail ([`Consent`] in a browser, RFC 7636, or a [`DeviceCode`] typed in on any
//! device, RFC 8628). What comes of it, the refresh token, is kept in a file that only its owner can read. From it an access token is
//! got whenever the last one has run out.

mod ask;
mod consent;

pub use consent::{Consent, DeviceCode, Polled};

use super::Password;
use ask::Answer;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An access token is renewed so long before it runs out: a pass that begins with it also ends with it.
const MARGIN: SignedDuration = SignedDuration::from_mins(5);

/// Where leave is asked for and tokens are given, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    /// The page on which leave is given.
    pub authorize: Option<String>,
    /// Where a code for another device is got.
    pub device: Option<String>,
    /// Where tokens are got.
    pub token: String,
    /// For what leave is asked.
    pub scope: String,
}

impl Endpoints {
    /// Google's. It gives device codes for other things than mail, so leave is given in a browser.
    pub fn google() -> Self {
        Self {
            authorize: Some("https://accounts.google.com/o/oauth2/v2/auth".to_owned()),
            device: None,
            token: "https://oauth2.googleapis.com/token".to_owned(),
            scope: "https://mail.google.com/".to_owned(),
        }
    }

    /// Microsoft's. `tenant` is that of the organisation, or `common`, `organizations` or `consumers`.
    pub fn microsoft(tenant: &str) -> Self {
        let base = format!("https://login.microsoftonline.com/{tenant}/oauth2/v2.0");
        Self {
            authorize: Some(format!("{base}/authorize")),
            device: Some(format!("{base}/devicecode")),
            token: format!("{base}/token"),
            scope:
                "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access"
                    .to_owned(),
        }
    }
}

/// How tokens are got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OAuth2Config {
    /// Where.
    pub endpoints: Endpoints,
    /// The name under which this program is registered there.
    pub client_id: String,
    /// The file with the secret that some give beside it.
    pub client_secret_file: Option<PathBuf>,
    /// The file in which the refresh token is kept.
    pub token_file: PathBuf,
    /// The certificates (PEM) that are trusted instead of the system's.
    pub authority: Option<PathBuf>,
}

/// Why there is no token. No text holds one.
#[derive(Debug, thiserror::Error)]
pub enum OAuth2Error {
    /// The server did not answer, or not to the purpose.
    #[error("no answer from {url}: {why}")]
    Unreachable {
        /// Who was asked.
        url: String,
        /// What went wrong.
        why: String,
    },
    /// The server said no.
    #[error("{url} refused: {error}{}", if about.is_empty() { String::new() } else { format!(" ({about})") })]
    Refused {
        /// Who was asked.
        url: String,
        /// Its word, RFC 6749 5.2.
        error: String,
        /// Its explanation.
        about: String,
    },
    /// The leave was withdrawn or has run out.
    #[error("the leave to use the mailbox has run out or was withdrawn ({0}): give it again with `umpire mail login`")]
    Withdrawn(String),
    /// There was never any leave.
    #[error("there is no leave yet to use the mailbox ({} is missing): give it with `umpire mail login`", .0.display())]
    NoLeave(PathBuf),
    /// The file of the refresh token.
    #[error("the token file {} {why}", path.display())]
    TokenFile {
        /// The file.
        path: PathBuf,
        /// What is the matter.
        why: String,
    },
    /// The client's secret.
    #[error(transparent)]
    Secret(#[from] super::PasswordError),
    /// Whom to trust.
    #[error(transparent)]
    Trust(#[from] super::TrustError),
    /// What was pasted is not what was asked for.
    #[error("that is not the address to which the browser was sent: {0}")]
    NotTheAddress(String),
}

impl OAuth2Error {
    /// Whether it may go away by itself.
    pub fn is_retryable(&self) -> bool {
        match self {
            OAuth2Error::Unreachable { .. } => true,
            OAuth2Error::Refused { error, .. } => matches!(error.as_str(), "temporarily_unavailable" | "server_error"),
            _ => false,
        }
    }
}

/// What the token file holds.
#[derive(Serialize, Deserialize)]
struct Kept {
    refresh_token: String,
}

struct Access {
    token: Password,
    until: Timestamp,
}

/// Gets tokens and keeps them.
pub struct OAuth2 {
    config: OAuth2Config,
    access: Mutex<Option<Access>>,
}

impl fmt::Debug for OAuth2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuth2").field("config", &self.config).finish_non_exhaustive()
    }
}

impl PartialEq for OAuth2 {
    fn eq(&self, other: &Self) -> bool {
        self.config == other.config
    }
}

impl Eq for OAuth2 {}

impl OAuth2 {
    /// Tokens as `config` says.
    pub fn new(config: OAuth2Config) -> Self {
        Self { config, access: Mutex::new(None) }
    }

    /// How they are got.
    pub fn config(&self) -> &OAuth2Config {
        &self.config
    }

    fn kept(&self) -> MutexGuard<'_, Option<Access>> {
        self.access.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An access token that holds for some minutes yet.
    ///
    /// # Errors
    /// If there is no leave, or the server gives none.
    pub(super) fn access(&self, now: Timestamp) -> Result<Password, OAuth2Error> {
        let mut kept = self.kept();
        if let Some(access) = kept.as_ref().filter(|access| access.until > now) {
            return Ok(access.token.clone());
        }
        let refresh = load(&self.config.token_file)?;
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh.as_str())];
        let answer = self.ask_token(&form).map_err(|fault| match fault {
            OAuth2Error::Refused { error, about, .. } if error == "invalid_grant" => {
                OAuth2Error::Withdrawn(if about.is_empty() { error } else { about })
            }
            other => other,
        })?;
        let access = self.taken(answer, now)?;
        let token = access.token.clone();
        *kept = Some(access);
        Ok(token)
    }

    /// Throws the access token away: the server did not like it.
    pub(super) fn forget(&self) {
        *self.kept() = None;
    }

    fn ask_token(&self, form: &[(&str, &str)]) -> Result<Answer, OAuth2Error> {
        let secret = self.client_secret()?;
        let mut all = form.to_vec();
        all.push(("client_id", &self.config.client_id));
        if let Some(secret) = &secret {
            all.push(("client_secret", secret.reveal()));
        }
        ask::post(&self.config.endpoints.token, &all, self.config.authority.as_deref())
    }

    fn client_secret(&self) -> Result<Option<Password>, OAuth2Error> {
        let file = self.config.client_secret_file.clone();
        Ok(file.map(|file| super::PasswordSource::File(file).read()).transpose()?)
    }

    /// Takes a server's answer: keeps the refresh token, if it gave a new one, and gives the access token.
    fn taken(&self, answer: Answer, now: Timestamp) -> Result<Access, OAuth2Error> {
        let token = answer.text("access_token")?;
        if let Ok(refresh) = answer.text("refresh_token") {
            save(&self.config.token_file, refresh)?;
        }
        let lasts = SignedDuration::from_secs(answer.number("expires_in").unwrap_or(600));
        let until = now.checked_add(lasts - MARGIN).unwrap_or(now);
        Ok(Access { token: Password::new(token.to_owned()), until })
    }
}

fn load(path: &Path) -> Result<String, OAuth2Error> {
    let fault = |why: String| OAuth2Error::TokenFile { path: path.to_owned(), why };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(OAuth2Error::NoLeave(path.to_owned())),
        Err(e) => return Err(fault(format!("cannot be read: {e}"))),
    };
    let mode = fs::metadata(path).map_err(|e| fault(format!("cannot be read: {e}")))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(fault(format!("can be read by others: it is not used (chmod 600 {})", path.display())));
    }
    let kept: Kept = serde_json::from_str(&text)
        .map_err(|_| fault("is not as it was written: give leave again with `umpire mail login`".to_owned()))?;
    Ok(kept.refresh_token)
}

/// Written beside and moved into place: a crash leaves the old token or the new one.
fn save(path: &Path, refresh_token: &str) -> Result<(), OAuth2Error> {
    let fault =
        |e: std::io::Error| OAuth2Error::TokenFile { path: path.to_owned(), why: format!("cannot be written: {e}") };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(fault)?;
    }
    let draft = path.with_extension("new");
    let _ = fs::remove_file(&draft);
    let text = serde_json::to_string(&Kept { refresh_token: refresh_token.to_owned() }).unwrap_or_default();
    let written = File::options().write(true).create_new(true).mode(0o600).open(&draft).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&draft, path)).map_err(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refresh_token_is_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("mail/token.json");
        assert!(matches!(load(&path), Err(OAuth2Error::NoLeave(_))));
        save(&path, "one").unwrap();
        save(&path, "two").unwrap();
        assert_eq!(load(&path).unwrap(), "two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let fault = load(&path).unwrap_err().to_string();
        assert!(fault.contains("can be read by others") && !fault.contains("two"), "{fault}");
    }
}
