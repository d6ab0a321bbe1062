//! How leave is given: in a browser, or by typing a code in on any device.

use super::ask;
use super::{OAuth2, OAuth2Error};
use crate::engine::Secret;
use crate::wire::Password;
use data_encoding::BASE64URL_NOPAD;
use jiff::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Where the browser is sent with the leave. Nothing listens there: the umpire copies the address, so that the program may run on a
/// machine without a browser.
const BACK: &str = "http://127.0.0.1:8017/";

/// A question to be answered in a browser (RFC 6749 4.1 with the proof of RFC 7636).
#[derive(Debug)]
pub struct Consent {
    /// The page to be opened.
    pub page: String,
    verifier: Password,
    state: String,
}

/// A code to be typed in on any device (RFC 8628).
#[derive(Debug)]
pub struct DeviceCode {
    /// The code.
    pub code: String,
    /// The page on which it is typed in.
    pub page: String,
    /// How long it holds.
    pub lasts: Duration,
    /// How long to wait between two questions.
    pub interval: Duration,
    secret: Password,
}

/// What came of asking whether the code was typed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polled {
    /// Not yet.
    Pending,
    /// Not yet, and we ask too often: five seconds more between two questions from now on.
    SlowDown,
    /// Leave was given, and its token is kept.
    Given,
}

impl OAuth2 {
    /// Begins with a device code, if the server gives such.
    ///
    /// # Errors
    /// If it cannot be asked.
    pub fn begin_device(&self) -> Result<Option<DeviceCode>, OAuth2Error> {
        let Some(url) = &self.config.endpoints.device else { return Ok(None) };
        let form = [("client_id", self.config.client_id.as_str()), ("scope", &self.config.endpoints.scope)];
        let answer = ask::post(url, &form, self.config.authority.as_deref())?;
        let seconds = |key, otherwise: u64| {
            Duration::from_secs(answer.number(key).and_then(|n| u64::try_from(n).ok()).unwrap_or(otherwise))
        };
        let page = answer.text("verification_uri").or_else(|_| answer.text("verification_url"))?;
        Ok(Some(DeviceCode {
            code: answer.text("user_code")?.to_owned(),
            page: page.to_owned(),
            lasts: seconds("expires_in", 900),
            interval: seconds("interval", 5).max(Duration::from_secs(1)),
            secret: Password::new(answer.text("device_code")?.to_owned()),
        }))
    }

    /// Asks whether the code was typed in.
    ///
    /// # Errors
    /// If leave was refused, the code has run out, or nobody answers.
    pub fn poll_device(&self, code: &DeviceCode, now: Timestamp) -> Result<Polled, OAuth2Error> {
        let form =
            [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", code.secret.reveal())];
        match self.ask_token(&form) {
            Ok(answer) => self.first(answer, now).map(|()| Polled::Given),
            Err(OAuth2Error::Refused { error, .. }) if error == "authorization_pending" => Ok(Polled::Pending),
            Err(OAuth2Error::Refused { error, .. }) if error == "slow_down" => Ok(Polled::SlowDown),
            Err(other) => Err(other),
        }
    }

    /// Begins with a page for a browser, if the server has one. `chance` must be fresh: the proof is made of it.
    pub fn begin_consent(&self, chance: &Secret) -> Option<Consent> {
        let authorize = self.config.endpoints.authorize.as_ref()?;
        let verifier = BASE64URL_NOPAD.encode(chance.as_bytes());
        let state = BASE64URL_NOPAD.encode(&Sha256::digest(format!("state {verifier}")));
        let challenge = BASE64URL_NOPAD.encode(&Sha256::digest(&verifier));
        let query = [
            ("response_type", "code"),
            ("client_id", &self.config.client_id),
            ("redirect_uri", BACK),
            ("scope", &self.config.endpoints.scope),
            ("state", &state),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
            // Google gives a refresh token only if it is asked for so, and again only if leave is asked for again.
            ("access_type", "offline"),
            ("prompt", "consent"),
        ];
        let query: Vec<String> = query
            .iter()
            .map(|(key, value)| format!("{key}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)))
            .collect();
        Some(Consent { page: format!("{authorize}?{}", query.join("&")), verifier: Password::new(verifier), state })
    }

    /// Takes the address to which the browser was sent.
    ///
    /// # Errors
    /// If it is not that, or leave was refused.
    pub fn finish_consent(&self, consent: &Consent, address: &str, now: Timestamp) -> Result<(), OAuth2Error> {
        let code = code_in(address, &consent.state)?;
        let form = [
            ("grant_type", "authorization_code"),
            ("code", code.as_str()),
            ("redirect_uri", BACK),
            ("code_verifier", consent.verifier.reveal()),
        ];
        let answer = self.ask_token(&form)?;
        self.first(answer, now)
    }

    /// The first token: without a refresh token it would be of no use tomorrow.
    fn first(&self, answer: ask::Answer, now: Timestamp) -> Result<(), OAuth2Error> {
        answer.text("refresh_token")?;
        let access = self.taken(answer, now)?;
        *self.kept() = Some(access);
        Ok(())
    }
}

/// The code in the address to which the browser was sent.
fn code_in(address: &str, state: &str) -> Result<String, OAuth2Error> {
    let fault = |why: &str| OAuth2Error::NotTheAddress(why.to_owned());
    let (_, query) = address.trim().split_once('?').ok_or_else(|| fault("it has no `?`"))?;
    let query = query.split('#').next().unwrap_or_default();
    let value = |wanted: &str| {
        let found = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == wanted)?.1;
        Some(percent_decode_str(&found.replace('+', " ")).decode_utf8_lossy().into_owned())
    };
    if let Some(error) = value("error") {
        return Err(fault(&format!("leave was refused ({error})")));
    }
    if value("state").as_deref() != Some(state) {
        return Err(fault("it belongs to another question"));
    }
    value("code").ok_or_else(|| fault("it holds no code"))
}

#[cfg(test)]
mod tests {
    use super::super::{Endpoints, OAuth2Config};
    use super::*;

    #[test]
    fn only_the_answer_to_this_question_is_taken() {
        assert_eq!(code_in("http://127.0.0.1:8017/?state=s&code=4%2Fab&scope=x#", "s").unwrap(), "4/ab");
        for (address, said) in [
            ("4/ab", "no `?`"),
            ("http://127.0.0.1:8017/?state=t&code=4", "another question"),
            ("http://127.0.0.1:8017/?state=s", "no code"),
            ("http://127.0.0.1:8017/?error=access_denied&state=s", "refused (access_denied)"),
        ] {
            assert!(code_in(address, "s").unwrap_err().to_string().contains(said), "{address}");
        }
    }

    #[test]
    fn the_page_asks_for_mail_with_proof() {
        let config = OAuth2Config {
            endpoints: Endpoints::google(),
            client_id: "id.example".to_owned(),
            client_secret_file: None,
            token_file: "token.json".into(),
            authority: None,
        };
        let consent = OAuth2::new(config).begin_consent(&Secret::from_bytes([7; 32])).unwrap();
        assert!(consent.page.starts_with("https://accounts.google.com/o/oauth2/v2/auth?response_type=code&"));
        assert!(consent.page.contains("scope=https%3A%2F%2Fmail%2Egoogle%2Ecom%2F&"));
        assert!(!consent.page.contains(consent.verifier.reveal()), "the proof is not shown before its time");
    }
}
