//! A Dovecot and a Postfix of our own (`tests/servers/`), and what a player does with them.

use crate::desk::bench::plain_text;
use crate::waiting::wait_for;
use jiff::Timestamp;
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use umpire::clock::Clock;
use umpire::mail::{self, Imap, ImapConfig, Inbox};
use umpire::wire::{Encryption, Login, PasswordSource, Proof, Server};

pub fn now() -> Timestamp {
    Clock::Wall.now()
}

/// Running servers. They stop when this is dropped, and when this process ends in any other way.
pub struct Pair {
    dir: TempDir,
    pub smtp: u16,
    pub submission: u16,
    pub submissions: u16,
    pub imap: u16,
    pub imaps: u16,
    pub tokens: u16,
}

const NEEDED: [(&str, &str); 8] = [
    ("/usr/sbin/dovecot", "dovecot-imapd"),
    ("/usr/lib/dovecot/lmtp", "dovecot-lmtpd"),
    ("/usr/lib/dovecot/modules/lib90_sieve_plugin.so", "dovecot-sieve"),
    ("/usr/sbin/postfix", "postfix"),
    ("/usr/bin/openssl", "openssl"),
    ("/usr/bin/python3", "python3"),
    ("/usr/bin/swaks", "swaks"),
    ("/usr/bin/mutt", "mutt"),
];

/// Why the servers cannot run here, if they cannot.
fn hindrance() -> Option<String> {
    if std::fs::metadata("/proc/self").unwrap().uid() != 0 {
        return Some("mail servers are started by root only".to_owned());
    }
    let missing: Vec<&str> =
        NEEDED.iter().filter(|(file, _)| !Path::new(file).exists()).map(|(_, package)| *package).collect();
    (!missing.is_empty()).then(|| format!("for want of the packages {}", missing.join(", ")))
}

fn free_ports() -> [u16; 6] {
    let held: Vec<TcpListener> = (0..6).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    std::array::from_fn(|i| held[i].local_addr().unwrap().port())
}

impl Pair {
    /// Starts the servers; `None`, with the reason printed, where they cannot be had. `UMPIRE_SERVERS=required` makes that a failure.
    pub fn start() -> Option<Self> {
        if let Some(why) = hindrance() {
            assert!(
                std::env::var("UMPIRE_SERVERS").as_deref() != Ok("required"),
                "the mail servers are required: {why}"
            );
            eprintln!("skipped: {why}");
            return None;
        }
        // Between finding a port free and using it another test may take it.
        for attempt in 1..=3 {
            let dir = tempfile::Builder::new().prefix("umpire-pair-").tempdir().unwrap();
            std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
            let ports = free_ports();
            let started = Command::new("tests/servers/pair.sh")
                .arg("start")
                .arg(dir.path())
                .args(ports.map(|port| port.to_string()))
                .env("UMPIRE_PAIR_OWNER", std::process::id().to_string())
                .stdin(Stdio::null())
                .status()
                .unwrap();
            let [smtp, submission, submissions, imap, imaps, tokens] = ports;
            let pair = Self { dir, smtp, submission, submissions, imap, imaps, tokens };
            if started.success() {
                return Some(pair);
            }
            eprintln!("attempt {attempt}: the servers did not start");
        }
        panic!("the mail servers did not start");
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub fn authority(&self) -> PathBuf {
        self.dir().join("tls/ca.crt")
    }

    /// A file with a user's password, as it should be.
    pub fn password_file(&self, user: &str) -> PathBuf {
        let path = self.dir().join(format!("{user}.password"));
        let mut file =
            std::fs::File::options().write(true).create(true).truncate(true).mode(0o600).open(&path).unwrap();
        writeln!(file, "{user}-password").unwrap();
        path
    }

    pub fn server(&self, host: &str, port: u16, encryption: Encryption) -> Server {
        let authority = Some(self.authority());
        Server { host: host.to_owned(), port, encryption, authority, patience: Duration::from_secs(10) }
    }

    pub fn login(&self, user: &str) -> Login {
        let proof = Proof::Password(PasswordSource::File(self.password_file(user)));
        Login { user: format!("{user}@example.org"), proof }
    }

    pub fn imap_config(&self, user: &str) -> ImapConfig {
        ImapConfig {
            server: self.server("localhost", self.imaps, Encryption::Tls),
            login: self.login(user),
            folder: "INBOX".to_owned(),
            processed: "Processed".to_owned(),
            rejected: "Rejected".to_owned(),
        }
    }

    /// The lines of umpire.toml for these servers.
    pub fn toml(&self) -> String {
        let (password, authority) = (self.password_file("umpire"), self.authority());
        let (password, authority) = (password.display(), authority.display());
        format!(
            "[mail.imap]\nhost = \"localhost\"\nport = {}\ntls_ca = \"{authority}\"\npassword_file = \"{password}\"\n\
             timeout_seconds = 10\n\
             [mail.smtp]\nhost = \"localhost\"\nport = {}\ntls = \"starttls\"\ntls_ca = \"{authority}\"\n\
             password_command = [\"cat\", \"{password}\"]\ntimeout_seconds = 10\n",
            self.imaps, self.submission
        )
    }

    /// A letter of a player's, given to the server by swaks: over TLS, with his password.
    pub fn swaks(&self, user: &str, raw: &Path) {
        let done = Command::new("swaks")
            .args(["--server", "127.0.0.1", "--port", &self.submissions.to_string(), "--tls-on-connect"])
            .args(["--tls-ca-path", self.authority().to_str().unwrap()])
            .args(["--auth", "PLAIN", "--auth-user", &format!("{user}@example.org")])
            .args(["--auth-password", &format!("{user}-password")])
            .args(["--from", &format!("{user}@example.org"), "--to", "umpire@example.org"])
            .arg("--data")
            .arg(format!("@{}", raw.display()))
            .args(["--hide-all", "--suppress-data"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "swaks: {said}");
    }

    /// A letter written in mutt, as its user sends it.
    pub fn mutt(&self, user: &str, name: &str, subject: &str, words: &str) {
        let rc = self.dir().join(format!("{user}.muttrc"));
        let text = format!(
            "set from = \"{user}@example.org\"\nset realname = \"{name}\"\nset use_from = yes\n\
             set smtp_url = \"smtp://{user}@example.org@127.0.0.1:{}/\"\nset smtp_pass = \"{user}-password\"\n\
             set smtp_authenticators = \"plain\"\nset ssl_starttls = yes\nset ssl_force_tls = yes\n\
             set ssl_usesystemcerts = no\nset certificate_file = \"{}\"\nset ssl_ca_certificates_file = \"{}\"\n\
             set copy = no\nset send_charset = \"us-ascii:utf-8\"\n",
            self.submission,
            self.authority().display(),
            self.authority().display(),
        );
        std::fs::write(&rc, text).unwrap();
        let mut mutt = Command::new("mutt")
            .args(["-n", "-F", rc.to_str().unwrap(), "-s", subject, "--", "umpire@example.org"])
            .env("HOME", self.dir())
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        mutt.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
        let done = mutt.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned() + &String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "mutt: {said}");
    }

    /// A letter from a server elsewhere, without login.
    pub fn deliver(&self, from: &str, to: &str, raw: &str) {
        let file = self.dir().join("letter.eml");
        std::fs::write(&file, raw).unwrap();
        let done = Command::new("swaks")
            .args(["--server", "127.0.0.1", "--port", &self.smtp.to_string(), "--from", from, "--to", to])
            .arg("--data")
            .arg(format!("@{}", file.display()))
            .args(["--hide-all", "--suppress-data"])
            .status()
            .unwrap();
        assert!(done.success());
    }

    /// What lies in a folder of a user's, read over TLS as his mail program reads it.
    pub fn mailbox(&self, user: &str, folder: &str) -> Vec<Vec<u8>> {
        let config = ImapConfig { folder: folder.to_owned(), ..self.imap_config(user) };
        let mut inbox = Inbox::Imap(Box::new(Imap::new(config)));
        let letters = inbox.list(now()).unwrap_or_else(|fault| panic!("{user}, {folder}: {fault}"));
        letters.iter().map(|letter| inbox.read(letter, 1 << 24, now()).unwrap().bytes).collect()
    }

    /// The subjects of what lies there.
    pub fn subjects(&self, user: &str, folder: &str) -> Vec<String> {
        self.mailbox(user, folder).iter().map(|raw| mail::read(raw).subject.unwrap_or_default()).collect()
    }

    /// The texts of what lies there.
    pub fn texts(&self, user: &str, folder: &str) -> Vec<String> {
        self.mailbox(user, folder).iter().map(|raw| plain_text(raw)).collect()
    }

    /// Waits until so many letters lie there.
    pub fn wait_for(&self, user: &str, folder: &str, count: usize) -> Vec<String> {
        wait_until(&format!("{count} letters of {user} in {folder}"), || {
            Some(self.subjects(user, folder)).filter(|subjects| subjects.len() >= count)
        })
    }
}

/// Asks again and again, at most half a minute.
pub fn wait_until<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    wait_for(Duration::from_secs(30), what, ask)
}

impl Drop for Pair {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for log in ["dovecot/log", "postfix/log", "tokens.log"] {
                let text = std::fs::read_to_string(self.dir().join(log)).unwrap_or_default();
                let last: Vec<&str> = text.lines().rev().take(25).collect();
                eprintln!("== {log}\n{}", last.into_iter().rev().collect::<Vec<_>>().join("\n"));
            }
        }
        let _ = Command::new("tests/servers/pair.sh").arg("stop").arg(self.dir()).status();
    }
}
