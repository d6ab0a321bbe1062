//! A connection to an IMAP server on which somebody is logged in.

use super::fault::{self, ImapError, ImapFault};
use super::{ImapConfig, SLACK, was_refused};
use crate::wire::{Encryption, Limits, Login, Server, Shown, Stream, xoauth2};
use imap::extensions::idle::{SetReadTimeout, WaitOutcome};
use imap::types::UnsolicitedResponse;
use imap::{Authenticator, Client};
use jiff::Timestamp;
use std::cell::RefCell;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// One command and all of its answer take no longer.
const COMMAND: Duration = Duration::from_secs(300);
/// No greeting has more octets than this.
const LONGEST_LINE: usize = 8192;

/// What a server can do, as far as it matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// It says when mail comes (RFC 2177).
    pub idle: bool,
    /// It moves letters (RFC 6851).
    pub mov: bool,
    /// It removes single letters (RFC 4315).
    pub uidplus: bool,
    /// What stands between a folder's name and that of a folder in it.
    pub delimiter: String,
    /// How we said who we are.
    pub said_by: &'static str,
}

impl SetReadTimeout for Stream {
    fn set_read_timeout(&mut self, timeout: Option<Duration>) -> imap::Result<()> {
        match timeout {
            // IDLE: all of the wait, however often the server says that it is still there.
            Some(wait) => {
                self.set_patience(wait);
                self.limits().allow_time(wait);
            }
            // The library means "for ever"; a silent server would then never be found out.
            None => {
                self.restore_patience();
                self.limits().allow_time(COMMAND);
            }
        }
        Ok(())
    }
}

/// A session.
pub(super) struct Session {
    server: Server,
    inner: Option<imap::Session<Stream>>,
    limits: Limits,
    /// What the server can do.
    pub abilities: Abilities,
    /// The selected folder's UIDVALIDITY.
    pub validity: u32,
    /// How many letters were in it when it was selected.
    pub exists: u32,
    /// The server has IDLE and does not do it.
    pub idle_refused: bool,
}

impl Session {
    /// Connects and logs in.
    pub fn open(config: &ImapConfig, now: Timestamp) -> Result<Self, ImapError> {
        let server = &config.server;
        let at = |verb| move |fault| ImapError::new(server, verb, fault);
        let shown = config.login.show(now).map_err(|e| at("log in")(e.into()))?;
        let mut stream = Stream::connect(server).map_err(|e| at("connect")(e.into()))?;
        let mut greeted = false;
        if server.encryption == Encryption::StartTls {
            start_tls(&mut stream).map_err(at("begin encryption"))?;
            stream = stream.encrypt(server).map_err(|e| at("begin encryption")(e.into()))?;
            greeted = true;
        }
        let limits = stream.limits().clone();
        limits.allow(SLACK, COMMAND);
        let logged_in = unshaken(move || {
            let mut client = Client::new(stream);
            if !greeted {
                let greeting = client.read_greeting().map_err(fault::of)?;
                if !greeting.starts_with(b"* OK") {
                    return Err(ImapFault::Said(String::from_utf8_lossy(&greeting).trim().to_owned()));
                }
            }
            log_in(client, &config.login, &shown)
        });
        let (mut inner, said_by) = logged_in.map_err(at("log in")).inspect_err(|e| {
            if matches!(e.fault, ImapFault::Refused(_)) {
                config.login.refused();
            }
        })?;
        let mut abilities = unshaken(|| abilities(&mut inner).map_err(fault::of)).map_err(at("ask what it can do"))?;
        abilities.said_by = said_by;
        let server = server.clone();
        Ok(Self { server, inner: Some(inner), limits, abilities, validity: 0, exists: 0, idle_refused: false })
    }

    /// Whether something went wrong: then the connection is of no more use.
    pub fn is_broken(&self) -> bool {
        self.inner.is_none()
    }

    /// Runs commands whose answers have at most so many octets. After any error the session is over, and the next one begins anew:
    /// nobody knows what the server still means to say.
    pub fn run<T>(
        &mut self,
        verb: &'static str,
        octets: u64,
        work: impl FnOnce(&mut imap::Session<Stream>) -> imap::Result<T>,
    ) -> Result<T, ImapError> {
        let Some(mut inner) = self.inner.take() else {
            return Err(ImapError::new(&self.server, verb, ImapFault::Lost));
        };
        self.limits.allow(octets, COMMAND);
        let (inner, done) = unshaken(move || {
            let done = work(&mut inner).map_err(fault::of)?;
            Ok((inner, done))
        })
        .map_err(|fault| ImapError::new(&self.server, verb, fault))?;
        self.inner = Some(inner);
        Ok(done)
    }

    /// Selects the folder, so that letters can be moved out of it.
    pub fn select(&mut self, folder: &str) -> Result<(), ImapError> {
        let verb = "open the folder";
        let selected = self.run(verb, SLACK, |s| {
            let selected = s.select(folder)?;
            // What it tells here is in `selected` already.
            s.take_all_unsolicited().for_each(drop);
            Ok(selected)
        })?;
        let fault = |fault| ImapError::new(&self.server, verb, fault);
        if selected.is_read_only {
            return Err(fault(ImapFault::ReadOnly));
        }
        self.validity = selected.uid_validity.ok_or_else(|| fault(ImapFault::NoValidity))?;
        self.exists = selected.exists;
        Ok(())
    }

    /// What the server told unasked.
    pub fn take_unsolicited(&mut self) -> Vec<UnsolicitedResponse> {
        self.inner.as_mut().map(|inner| inner.take_all_unsolicited().collect()).unwrap_or_default()
    }

    /// Whether there is such a folder.
    pub fn has_folder(&mut self, name: &str) -> Result<bool, ImapError> {
        self.run("look for a folder", SLACK, |s| Ok(!s.list(Some(""), Some(&format!("\"{name}\"")))?.is_empty()))
    }

    /// Makes a folder. False: the server does not want to.
    pub fn make_folder(&mut self, name: &str) -> Result<bool, ImapError> {
        self.run("make a folder", SLACK, |s| match s.create(name) {
            Ok(()) => {
                // Mail programs show the folders one is subscribed to; without it the folder is there all the same.
                match s.subscribe(name) {
                    Err(fault) if !was_refused(&fault) => Err(fault),
                    _ => Ok(true),
                }
            }
            Err(fault) if was_refused(&fault) => Ok(false),
            Err(fault) => Err(fault),
        })
    }

    /// Waits by IDLE. True: something came.
    pub fn idle(&mut self, max: Duration) -> Result<bool, ImapError> {
        let waited = self.run("wait for mail", SLACK, |s| {
            let mut idle = s.idle();
            idle.keepalive(false).timeout(max);
            let outcome = idle
                .wait_while(|told| !matches!(told, UnsolicitedResponse::Exists(_) | UnsolicitedResponse::Recent(_)));
            drop(idle);
            outcome
        });
        match waited {
            Ok(outcome) => Ok(outcome == WaitOutcome::MailboxChanged),
            Err(fault) => {
                self.idle_refused = matches!(fault.fault, ImapFault::Said(_));
                Err(fault)
            }
        }
    }
}

/// The library is young: on two answers that no sound server gives it panics. A server must not bring the daemon down.
fn unshaken<T>(work: impl FnOnce() -> Result<T, ImapFault>) -> Result<T, ImapFault> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(ImapFault::Confused("an answer out of all order".to_owned())))
}

/// STARTTLS (RFC 3501 6.2.1), by hand: the library does it on its own connections alone. Read octet by octet, so that nothing which
/// came unencrypted is taken for encrypted.
fn start_tls(stream: &mut Stream) -> Result<(), ImapFault> {
    let greeting = line(stream)?;
    if !greeting.starts_with("* OK") {
        return Err(ImapFault::Said(greeting));
    }
    stream.write_all(b"s1 STARTTLS\r\n")?;
    stream.flush()?;
    loop {
        let answer = line(stream)?;
        match answer.strip_prefix("s1 ") {
            Some(done) if done.starts_with("OK") => return Ok(()),
            Some(done) => return Err(ImapFault::NoWay(format!("it does not begin encryption: {done}"))),
            None => {}
        }
    }
}

fn line(stream: &mut Stream) -> Result<String, ImapFault> {
    let mut line = Vec::new();
    let mut octet = [0];
    while line.len() < LONGEST_LINE {
        stream.read_exact(&mut octet)?;
        line.extend_from_slice(&octet);
        if octet == *b"\n" {
            return Ok(String::from_utf8_lossy(&line).trim().to_owned());
        }
    }
    Err(ImapFault::Confused("a line without end".to_owned()))
}

/// Says something once, and then listens.
struct Saying {
    words: String,
    /// What the server answered to it, before it said no.
    answer: RefCell<String>,
    said: RefCell<bool>,
}

impl Authenticator for &Saying {
    type Response = Vec<u8>;

    fn process(&self, challenge: &[u8]) -> Vec<u8> {
        if self.said.replace(true) {
            // XOAUTH2: the server explains, and waits for an empty line before it says no.
            *self.answer.borrow_mut() = String::from_utf8_lossy(challenge).into_owned();
            return Vec::new();
        }
        self.words.clone().into_bytes()
    }
}

type LoggedIn = (imap::Session<Stream>, &'static str);

fn log_in(mut client: Client<Stream>, login: &Login, shown: &Shown) -> Result<LoggedIn, ImapFault> {
    let offers = client.capabilities().map_err(fault::of)?;
    let (method, words) = match shown {
        Shown::Token(token) if offers.has_str("AUTH=XOAUTH2") => ("XOAUTH2", xoauth2(&login.user, token)),
        Shown::Token(_) => return Err(ImapFault::NoWay("it does not take access tokens (no AUTH=XOAUTH2)".to_owned())),
        Shown::Password(password) if offers.has_str("AUTH=PLAIN") => {
            ("PLAIN", format!("\0{}\0{}", login.user, password.reveal()))
        }
        Shown::Password(_) if offers.has_str("LOGINDISABLED") => {
            return Err(ImapFault::NoWay("it takes no password (over this connection)".to_owned()));
        }
        Shown::Password(password) => {
            let session = client.login(&login.user, password.reveal()).map_err(|(e, _)| refused(e, ""))?;
            return Ok((session, "LOGIN"));
        }
    };
    let saying = Saying { words, answer: RefCell::default(), said: RefCell::default() };
    let session = client.authenticate(method, &&saying).map_err(|(e, _)| refused(e, &saying.answer.borrow()))?;
    Ok((session, method))
}

/// A no to a login. "Not now" is another matter than "not you".
fn refused(fault: imap::Error, explained: &str) -> ImapFault {
    match fault {
        imap::Error::No(no) => {
            let words = no.to_string();
            let later = words.contains("UNAVAILABLE") || format!("{:?}", no.code).contains("UNAVAILABLE");
            let explained = explained.trim();
            let words = if explained.is_empty() { words } else { format!("{words} {explained}") };
            if later { ImapFault::Said(words) } else { ImapFault::Refused(words) }
        }
        other => fault::of(other),
    }
}

fn abilities(session: &mut imap::Session<Stream>) -> imap::Result<Abilities> {
    let can = session.capabilities()?;
    let delimiter = {
        let names = session.list(Some(""), None)?;
        names.iter().find_map(|name| name.delimiter().map(str::to_owned)).unwrap_or_else(|| "/".to_owned())
    };
    Ok(Abilities {
        idle: can.has_str("IDLE"),
        mov: can.has_str("MOVE"),
        uidplus: can.has_str("UIDPLUS"),
        delimiter,
        said_by: "",
    })
}
