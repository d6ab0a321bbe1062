//! `umpire mail`: the mail servers. `check` tries everything but a letter; `login` asks for leave where passwords are not taken.

use super::{Failure, Outcome};
use crate::clock::Clock;
use crate::config::Config;
use crate::engine::Secret;
use crate::mail::{Imap, ImapConfig, Inbox, Maildir};
use crate::post::{Smtp, SmtpConfig};
use crate::wire::{DeviceCode, Encryption, OAuth2, Polled, Server};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

/// `umpire mail`.
#[derive(clap::Subcommand, Debug)]
pub(super) enum Args {
    /// Connect to both servers and say what works and what does not; sends nothing
    Check,
    /// Give leave to use the mailbox, where the provider takes no password (OAuth2)
    Login,
}

pub(super) fn run(path: &Path, args: &Args) -> Outcome {
    let config = Config::load(path)?;
    match args {
        Args::Check => check(&config),
        Args::Login => login(&config),
    }
}

fn check(config: &Config) -> Outcome {
    let mut sound = true;
    match &config.imap {
        Some(imap) => sound &= check_imap(imap),
        None => match Maildir::open(&config.inbox) {
            Ok(_) => println!("Letters come in through the maildir {}: it can be read.", config.inbox.display()),
            Err(fault) => sound = no(&fault),
        },
    }
    match &config.smtp {
        Some(smtp) => sound &= check_smtp(smtp),
        None => println!("Letters go out into the maildir {}: nothing here sends them on.", config.outbox.display()),
    }
    if sound { Ok(ExitCode::SUCCESS) } else { Ok(ExitCode::FAILURE) }
}

fn yes(what: &str) {
    println!("  yes  {what}");
}

fn no(fault: &dyn std::fmt::Display) -> bool {
    println!("  NO   {fault}");
    false
}

fn encrypted(server: &Server) -> &'static str {
    match server.encryption {
        Encryption::Tls => "encrypted from the first byte (TLS)",
        Encryption::StartTls => "encrypted before anything was said (STARTTLS)",
        Encryption::None => "not encrypted: it is this very machine",
    }
}

fn check_imap(config: &ImapConfig) -> bool {
    println!("Letters come in from {} (IMAP), folder {}:", config.server, config.folder);
    let now = Clock::Wall.now();
    let mut imap = Imap::new(config.clone());
    let can = match imap.abilities(now) {
        Ok(can) => can,
        Err(fault) => return no(&fault),
    };
    yes(&format!("connected, {}", encrypted(&config.server)));
    yes(&format!("logged in as {} ({})", config.login.user, can.said_by));
    yes(if can.idle {
        "it says when mail comes (IDLE)"
    } else {
        "it does not say when mail comes (no IDLE): it is asked with every pass"
    });
    yes(match (can.mov, can.uidplus) {
        (true, _) => "letters are moved (MOVE)",
        (false, true) => "letters are copied and then removed (no MOVE, but UIDPLUS)",
        (false, false) => {
            "letters are copied and then removed (no MOVE, no UIDPLUS: what you marked as deleted goes too)"
        }
    });
    match imap.make_folders(now) {
        Ok(names) => yes(&format!("the folders for letters dealt with: {}", names.join(", "))),
        Err(fault) => return no(&fault),
    }
    match Inbox::Imap(Box::new(imap)).list(now) {
        Ok(letters) => yes(&format!("letters waiting: {}", letters.len())),
        Err(fault) => return no(&fault),
    }
    true
}

fn check_smtp(config: &SmtpConfig) -> bool {
    println!("Letters go out to {} (SMTP):", config.server);
    match Smtp::new(config.clone()).try_out(Clock::Wall.now()) {
        Ok(can) => {
            yes(&format!("connected, {}", encrypted(&config.server)));
            match &config.login {
                Some(login) => yes(&format!("logged in as {}", login.user)),
                None => yes("no login: it has to know us by where we are"),
            }
            if !can.utf8 {
                yes("addresses beyond ASCII are not taken (no SMTPUTF8); a player with one could not be written to");
            }
            true
        }
        Err(fault) => no(&fault),
    }
}

fn login(config: &Config) -> Outcome {
    let Some(tokens) = &config.oauth2 else {
        return Err(Failure::new(
            "umpire.toml has no [mail.oauth2]: there is nobody to ask for leave",
            "servers that take a password need no `umpire mail login`",
        ));
    };
    match tokens.begin_device()? {
        Some(code) => by_device(tokens, &code)?,
        None => by_browser(tokens)?,
    }
    println!("Leave is given, and kept in {}. `umpire mail check` tries it out.", tokens.config().token_file.display());
    Ok(ExitCode::SUCCESS)
}

fn by_device(tokens: &OAuth2, code: &DeviceCode) -> Result<(), Failure> {
    println!("Open {} on any device, log in there as the umpire, and type in: {}", code.page, code.code);
    println!("Waiting (at most {} minutes) ...", code.lasts.as_secs().div_ceil(60));
    let mut interval = code.interval;
    let mut waited = Duration::ZERO;
    while waited < code.lasts {
        std::thread::sleep(interval);
        waited += interval;
        match tokens.poll_device(code, Clock::Wall.now()) {
            Ok(Polled::Given) => return Ok(()),
            Ok(Polled::Pending) => {}
            Ok(Polled::SlowDown) => interval += Duration::from_secs(5),
            // One answer that got lost is no answer.
            Err(fault) if fault.is_retryable() => eprintln!("umpire: {fault}"),
            Err(fault) => return Err(fault.into()),
        }
    }
    Err(Failure::new("the code has run out", "begin again with `umpire mail login`"))
}

fn by_browser(tokens: &OAuth2) -> Result<(), Failure> {
    let chance = Secret::fresh()?;
    let Some(consent) = tokens.begin_consent(&chance) else {
        return Err(Failure::new(
            "[mail.oauth2] names neither a `device_url` nor an `authorize_url`",
            "set the one that your provider has",
        ));
    };
    println!("Open this page in a browser, on any machine, and log in as the umpire:\n\n{}\n", consent.page);
    println!(
        "At the end the browser is sent to an address that begins with http://127.0.0.1:8017/ and finds nothing there."
    );
    print!("Copy that address and paste it here: ");
    std::io::stdout().flush()?;
    let mut address = String::new();
    std::io::stdin().read_line(&mut address)?;
    Ok(tokens.finish_consent(&consent, &address, Clock::Wall.now())?)
}
