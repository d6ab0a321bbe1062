//! `[mail.imap]`, `[mail.smtp]` and `[mail.oauth2]`: the servers, and who we are there.

use super::reader::Section;
use crate::mail::ImapConfig;
use crate::post::SmtpConfig;
use crate::wire::{Encryption, Endpoints, Login, OAuth2, OAuth2Config, PasswordSource, Proof, Server};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The servers of an umpire's mail.
#[derive(Default)]
pub(super) struct Servers {
    pub imap: Option<ImapConfig>,
    pub smtp: Option<SmtpConfig>,
    pub oauth2: Option<Arc<OAuth2>>,
}

/// Reads the servers in `[mail]`. Paths count from `folder`; who says no name goes by the umpire's address.
pub(super) fn read(mail: &mut Section<'_>, folder: &Path, address: &str) -> Servers {
    let oauth2 = mail.optional("oauth2", |s| tokens(s, folder)).map(|config| Arc::new(OAuth2::new(config)));
    let hand = Hand { folder, address, oauth2: oauth2.as_ref() };
    let imap = mail.optional("imap", |s| imap(s, &hand));
    let smtp = mail.optional("smtp", |s| smtp(s, &hand));
    Servers { imap: imap.flatten(), smtp: smtp.flatten(), oauth2 }
}

struct Hand<'h> {
    folder: &'h Path,
    address: &'h str,
    oauth2: Option<&'h Arc<OAuth2>>,
}

/// The usual ports for TLS from the first byte, STARTTLS, and neither.
type Ports = [u16; 3];

fn imap(s: &mut Section<'_>, hand: &Hand<'_>) -> Option<ImapConfig> {
    let server = server(s, hand, [993, 143, 143]);
    let login = login(s, hand);
    if login.is_none() {
        s.fault(None, format!("`{}` does not say how to log in", s.name()), LOGIN_HELP);
    }
    let folder = folder(s, "folder", "INBOX");
    let processed = folder_name(s, "processed", "Processed");
    let rejected = folder_name(s, "rejected", "Rejected");
    Some(ImapConfig { server, login: login?, folder, processed, rejected })
}

fn smtp(s: &mut Section<'_>, hand: &Hand<'_>) -> Option<SmtpConfig> {
    let server = server(s, hand, [465, 587, 25]);
    let login = login(s, hand);
    if login.is_none() && !server.is_here() {
        s.fault(None, format!("`{}` does not say how to log in", s.name()), LOGIN_HELP);
    }
    Some(SmtpConfig { server, login })
}

const LOGIN_HELP: &str =
    "set one of `password_file`, `password_command`, `password_shell`, `password_env`, or `oauth2 = true`";

fn server(s: &mut Section<'_>, hand: &Hand<'_>, ports: Ports) -> Server {
    let host = s.text("host", None);
    let known = [("tls", Encryption::Tls), ("starttls", Encryption::StartTls), ("none", Encryption::None)];
    let encryption = s.one_of("tls", Encryption::Tls, &known);
    let [tls, starttls, none] = ports;
    let usual = match encryption {
        Encryption::Tls => tls,
        Encryption::StartTls => starttls,
        Encryption::None => none,
    };
    let port = u16::try_from(s.number("port", usual.into(), 1..=65_535)).unwrap_or(usual);
    let patience = Duration::from_secs(s.number("timeout_seconds", 30, 1..=600).unsigned_abs());
    let authority = s.maybe("tls_ca").map(|path| hand.folder.join(path));
    let server = Server { host, port, encryption, authority, patience };
    if encryption == Encryption::None && !server.host.is_empty() && !server.is_here() {
        let place = s.has("tls");
        let message = format!("`{}.tls` cannot be \"none\" for {}", s.name(), server.host);
        s.fault(place, message, "only a server on this very machine (localhost, 127.0.0.1) is spoken to unencrypted");
    }
    server
}

fn login(s: &mut Section<'_>, hand: &Hand<'_>) -> Option<Login> {
    let user = s.text("user", Some(hand.address));
    if let Some(place) = s.has("password") {
        let message = format!("`{}.password` is not read: a password never stands in this file", s.name());
        s.fault(Some(place), message, LOGIN_HELP);
    }
    let mut found = Vec::new();
    found.extend(s.maybe("password_file").map(|path| Proof::Password(PasswordSource::File(hand.folder.join(path)))));
    found.extend(s.texts("password_command").map(|words| Proof::Password(PasswordSource::Command(words))));
    found.extend(s.maybe("password_shell").map(|line| Proof::Password(PasswordSource::Shell(line))));
    found.extend(s.maybe("password_env").map(|name| Proof::Password(PasswordSource::Variable(name))));
    if s.flag("oauth2", false) {
        match hand.oauth2 {
            Some(tokens) => found.push(Proof::OAuth2(Arc::clone(tokens))),
            None => {
                let place = s.has("oauth2");
                s.fault(place, format!("`{}.oauth2` needs [mail.oauth2]", s.name()), "say there who gives the tokens");
                return Some(Login { user, proof: Proof::Password(PasswordSource::Variable(String::new())) });
            }
        }
    }
    if found.len() > 1 {
        s.fault(None, format!("`{}` says more than one way to log in", s.name()), "leave one of them");
    }
    Some(Login { user, proof: found.pop()? })
}

fn folder(s: &mut Section<'_>, key: &str, default: &str) -> String {
    s.checked(key, Some(default.to_owned()), "a folder's name in ASCII, as the server calls it", |name| {
        (name.is_ascii() && !name.contains(['"', '\\', '\r', '\n', '*', '%'])).then(|| name.to_owned())
    })
}

/// A folder that is not the inbox itself: a letter filed there would come again.
fn folder_name(s: &mut Section<'_>, key: &str, default: &str) -> String {
    let name = folder(s, key, default);
    if name.eq_ignore_ascii_case("inbox") {
        let place = s.has(key);
        s.fault(place, format!("`{}.{key}` cannot be the inbox", s.name()), "letters filed there would come again");
    }
    name
}

fn tokens(s: &mut Section<'_>, folder: &Path) -> OAuth2Config {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Provider {
        Google,
        Microsoft,
        Custom,
    }
    let known = [("google", Provider::Google), ("microsoft", Provider::Microsoft), ("custom", Provider::Custom)];
    let provider = s.one_of("provider", Provider::Custom, &known);
    let tenant = s.text("tenant", Some("common"));
    let (authorize, device, token, scope) =
        (s.maybe("authorize_url"), s.maybe("device_url"), s.maybe("token_url"), s.maybe("scope"));
    let base = match provider {
        Provider::Google => Endpoints::google(),
        Provider::Microsoft => Endpoints::microsoft(&tenant),
        Provider::Custom => {
            if token.is_none() {
                let message = format!("`{}.token_url` is missing", s.name());
                s.fault(None, message, "a provider of your own needs it, and `device_url` or `authorize_url`");
            }
            Endpoints { authorize: None, device: None, token: String::new(), scope: String::new() }
        }
    };
    let endpoints = Endpoints {
        authorize: authorize.or(base.authorize),
        device: device.or(base.device),
        token: token.unwrap_or(base.token),
        scope: scope.unwrap_or(base.scope),
    };
    OAuth2Config {
        endpoints,
        client_id: s.text("client_id", None),
        client_secret_file: s.maybe("client_secret_file").map(|path| folder.join(path)),
        token_file: folder.join(s.text("token_file", Some("mail/oauth2.json"))),
        authority: s.maybe("tls_ca").map(|path| folder.join(path)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;

    const HEAD: &str = "[umpire]\naddress = \"u@example.org\"\n";

    #[test]
    fn little_is_enough_for_a_server() {
        let text = format!(
            "{HEAD}[mail.imap]\nhost = \"imap.example.org\"\npassword_file = \"pw\"\n\
             [mail.smtp]\nhost = \"smtp.example.org\"\ntls = \"starttls\"\nuser = \"other\"\npassword_command = [\"pass\", \"u\"]\n"
        );
        let config = Config::parse_within(&text, Path::new("/srv/play")).unwrap();
        let (imap, smtp) = (config.imap.unwrap(), config.smtp.unwrap());
        assert_eq!((imap.server.port, imap.server.encryption), (993, Encryption::Tls));
        assert_eq!(imap.login.user, "u@example.org");
        assert_eq!(imap.login.proof, Proof::Password(PasswordSource::File("/srv/play/pw".into())));
        assert_eq!((smtp.server.port, smtp.server.encryption), (587, Encryption::StartTls));
        assert_eq!((imap.folder.as_str(), imap.processed.as_str()), ("INBOX", "Processed"));
    }

    #[test]
    fn tokens_serve_both_servers() {
        let text = format!(
            "{HEAD}[mail.imap]\nhost = \"outlook.office365.com\"\noauth2 = true\n\
             [mail.smtp]\nhost = \"smtp.office365.com\"\ntls = \"starttls\"\noauth2 = true\n\
             [mail.oauth2]\nprovider = \"microsoft\"\ntenant = \"consumers\"\nclient_id = \"abc\"\n"
        );
        let config = Config::parse(&text).unwrap();
        let tokens = config.oauth2.unwrap();
        assert!(tokens.config().endpoints.device.as_ref().unwrap().contains("/consumers/"));
        let (Proof::OAuth2(a), Proof::OAuth2(b)) =
            (config.imap.unwrap().login.proof, config.smtp.unwrap().login.unwrap().proof)
        else {
            panic!("not by tokens")
        };
        assert!(Arc::ptr_eq(&a, &b) && Arc::ptr_eq(&a, &tokens));
    }

    #[test]
    fn what_would_be_unsafe_is_refused() {
        let text = format!(
            "{HEAD}[mail.imap]\nhost = \"imap.example.org\"\ntls = \"none\"\npassword = \"x\"\nprocessed = \"Inbox\"\n\
             [mail.smtp]\nhost = \"smtp.example.org\"\npassword_env = \"A\"\npassword_file = \"b\"\n\
             [mail.oauth2]\nclient_id = \"x\"\n"
        );
        let said: Vec<String> = Config::parse(&text).unwrap_err().iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(said.join("\n"), @r#"
        umpire.toml:3: `mail.imap` does not say how to log in (set one of `password_file`, `password_command`, `password_shell`, `password_env`, or `oauth2 = true`)
        umpire.toml:5: `mail.imap.tls` cannot be "none" for imap.example.org (only a server on this very machine (localhost, 127.0.0.1) is spoken to unencrypted)
        umpire.toml:6: `mail.imap.password` is not read: a password never stands in this file (set one of `password_file`, `password_command`, `password_shell`, `password_env`, or `oauth2 = true`)
        umpire.toml:7: `mail.imap.processed` cannot be the inbox (letters filed there would come again)
        umpire.toml:8: `mail.smtp` says more than one way to log in (leave one of them)
        umpire.toml:12: `mail.oauth2.token_url` is missing (a provider of your own needs it, and `device_url` or `authorize_url`)
        "#);
    }
}
