//! One question to an authorisation server: a form there, JSON back.

use super::OAuth2Error;
use crate::wire::server::is_loopback;
use crate::wire::trust;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

/// For the whole of one question.
const PATIENCE: Duration = Duration::from_secs(30);
/// No answer is longer, in octets.
const LONGEST: u64 = 64 * 1024;

/// What an authorisation server answered.
pub(super) struct Answer {
    url: String,
    value: serde_json::Value,
}

impl Answer {
    /// A text in it.
    pub fn text(&self, key: &str) -> Result<&str, OAuth2Error> {
        self.value.get(key).and_then(|value| value.as_str()).filter(|text| !text.is_empty()).ok_or_else(|| {
            OAuth2Error::Unreachable { url: self.url.clone(), why: format!("its answer has no `{key}`") }
        })
    }

    /// A number in it; some servers write numbers as texts.
    pub fn number(&self, key: &str) -> Option<i64> {
        let value = self.value.get(key)?;
        value.as_i64().or_else(|| value.as_str()?.parse().ok()).filter(|n| (0..=86_400 * 365).contains(n))
    }
}

/// Sends a form.
///
/// # Errors
/// [`OAuth2Error::Refused`] with the server's word, if it is one of RFC 6749's; else why nothing came of it.
pub(super) fn post(url: &str, form: &[(&str, &str)], authority: Option<&Path>) -> Result<Answer, OAuth2Error> {
    let fault = |why: String| OAuth2Error::Unreachable { url: url.to_owned(), why };
    if !is_safe(url) {
        return Err(fault("it is neither https nor on this machine, and would be shown a secret".to_owned()));
    }
    let tls = TlsConfig::builder()
        .root_certs(roots(authority)?)
        .unversioned_rustls_crypto_provider(trust::provider())
        .build();
    let agent = ureq::Agent::config_builder()
        .tls_config(tls)
        .timeout_global(Some(PATIENCE))
        .http_status_as_error(false)
        .max_redirects(0)
        .build()
        .new_agent();
    let sent = agent.post(url).header("Accept", "application/json").send_form(form.iter().copied());
    let mut answer = sent.map_err(|e| fault(e.to_string()))?;
    let status = answer.status();
    let value: serde_json::Value = answer
        .body_mut()
        .with_config()
        .limit(LONGEST)
        .read_json()
        .map_err(|_| fault(format!("its answer ({status}) is not JSON")))?;
    if let Some(error) = value.get("error").and_then(|error| error.as_str()) {
        let about = value.get("error_description").and_then(|about| about.as_str()).unwrap_or_default();
        // The first line says what is the matter; Microsoft's further ones are for its own staff.
        let about = about.lines().next().unwrap_or_default().trim().to_owned();
        return Err(OAuth2Error::Refused { url: url.to_owned(), error: error.to_owned(), about });
    }
    if !status.is_success() {
        return Err(fault(format!("it answered {status}")));
    }
    Ok(Answer { url: url.to_owned(), value })
}

/// Secrets are shown over https only, or to this machine.
fn is_safe(url: &str) -> bool {
    if let Some(rest) = url.strip_prefix("http://") {
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        let host = authority.rsplit_once(':').map_or(authority, |(host, _)| host);
        return is_loopback(host);
    }
    url.starts_with("https://")
}

fn roots(own: Option<&Path>) -> Result<RootCerts, OAuth2Error> {
    let certificates = match own {
        Some(path) => trust::authority(path)?,
        None => rustls_native_certs::load_native_certs().certs,
    };
    Ok(RootCerts::Specific(Arc::new(certificates.iter().map(|der| Certificate::from_der(der).to_owned()).collect())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_leave_unencrypted() {
        for (url, safe) in [
            ("https://auth.example.org/token", true),
            ("http://127.0.0.1:8080/token", true),
            ("http://localhost/token", true),
            ("http://auth.example.org/token", false),
            ("http://127.0.0.1.example.org/token", false),
            ("ftp://127.0.0.1/", false),
        ] {
            assert_eq!(is_safe(url), safe, "{url}");
        }
        let refused = post("http://auth.example.org/token", &[("refresh_token", "x")], None).err().unwrap();
        assert!(refused.to_string().contains("neither https"), "{refused}");
    }
}
