//! Wakes the umpire by a command of his own when mail is down, the clock has jumped, a game cannot go on, or the disk is full.
//! Not more than once an hour for the same cause, across restarts.

use super::{Failure, Folder, Pass};
use crate::clock::Timer;
use jiff::{SignedDuration, Timestamp};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

/// Between two alarms for one cause.
const PAUSE: SignedDuration = SignedDuration::from_hours(1);
/// What a command may take.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// An alarm: what it is about, in a word that stays the same, and what to tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alarm {
    /// `mail-in`, `mail-out`, `clock`, `disk`, `game livonia`.
    pub cause: String,
    /// For the umpire: what is the matter and what to do. No orders, no secrets.
    pub text: String,
}

/// What a pass gives cause to wake the umpire for.
pub fn alarms(folder: &mut Folder, pass: &Pass, now: Timestamp) -> Vec<Alarm> {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let mut add = |cause: String, text: String| {
        all.entry(cause).and_modify(|old| *old = format!("{old}\n{text}")).or_insert(text);
    };
    let overdue = folder.mail_overdue(now);
    for failure in &pass.failures {
        match failure {
            _ if failure.is_full_disk() => add("disk".to_owned(), failure.to_string()),
            Failure::Clock(_) => add("clock".to_owned(), failure.to_string()),
            Failure::Game { game, fault } if !fault.is_retryable() => add(format!("game {game}"), failure.to_string()),
            Failure::Inbox(_) | Failure::Desk(_) if overdue.is_some() => add("mail-in".to_owned(), failure.to_string()),
            _ => {}
        }
    }
    if let (Some(since), Some(text)) = (overdue, all.get_mut("mail-in")) {
        *text = format!("No letter could be fetched since {}. {text}", said(since));
    }
    for turn in &pass.extended {
        all.insert(format!("missing {}", turn.game), super::log::suspected(turn));
    }
    let limit = now - folder.config.alert_after;
    if let Ok(Some((since, why))) = folder.desk.oldest_failed(limit) {
        all.insert("mail-out".to_owned(), format!("A letter of {} could still not be sent: {why}", said(since)));
    }
    all.into_iter().map(|(cause, text)| Alarm { cause, text }).collect()
}

fn said(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// Raises alarms by the umpire's command, each cause at most once an hour.
pub fn raise(folder: &mut Folder, alarms: &[Alarm], now: Timestamp) {
    for alarm in alarms {
        if folder.config.alert_command.is_empty() || !may_raise(folder, alarm, now) {
            continue;
        }
        // Noted before it is tried: a command that hangs is not tried with every pass.
        folder.alerted.insert(alarm.cause.clone(), now);
        if let Err(fault) = folder.desk.woken(&alarm.cause, now) {
            tracing::warn!("that you were alerted could not be written down: {fault}");
        }
        match run(&folder.config.alert_command, alarm, PATIENCE) {
            Ok(()) => tracing::info!("you were alerted ({})", alarm.cause),
            Err(fault) => tracing::error!("the alert command failed ({}): {fault}", alarm.cause),
        }
    }
}

fn may_raise(folder: &mut Folder, alarm: &Alarm, now: Timestamp) -> bool {
    let lately = |last: &Timestamp| *last <= now && now.duration_since(*last) < PAUSE;
    if folder.alerted.get(&alarm.cause).is_some_and(lately) {
        return false;
    }
    // A store that cannot be read is itself a reason to be woken.
    folder.desk.may_wake(&alarm.cause, PAUSE, now).unwrap_or(true)
}

/// Why the umpire's command did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum AlertError {
    /// It could not be started or waited for.
    #[error("{program}: {fault} (`alert_command` in umpire.toml names the program and its arguments)")]
    Io {
        /// The program.
        program: String,
        /// Why.
        fault: io::Error,
    },
    /// It said that it failed.
    #[error("{program} ended with {status}")]
    Failed {
        /// The program.
        program: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// It did not end.
    #[error("{program} had not ended after {} seconds and was stopped", patience.as_secs())]
    Slow {
        /// The program.
        program: String,
        /// How long it was waited for.
        patience: Duration,
    },
}

/// Runs a command with the alarm's text as its standard input and the cause in `UMPIRE_ALERT`.
///
/// # Errors
/// If it cannot be run, fails, or takes too long.
pub fn run(command: &[String], alarm: &Alarm, patience: Duration) -> Result<(), AlertError> {
    let [program, arguments @ ..] = command else { return Ok(()) };
    let io = |fault| AlertError::Io { program: program.clone(), fault };
    let mut child = Command::new(program)
        .args(arguments)
        .env("UMPIRE_ALERT", &alarm.cause)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        // A group of its own, so that what it has started ends with it.
        .process_group(0)
        .spawn()
        .map_err(io)?;
    if let Some(mut stdin) = child.stdin.take() {
        // Who does not read it does not need it.
        let _ = writeln!(stdin, "umpire: {}", alarm.text);
    }
    match ended(&mut child, patience).map_err(io)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(AlertError::Failed { program: program.clone(), status }),
        None => {
            if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
                let _ = kill_process_group(group, Signal::KILL);
            }
            child.wait().map_err(io)?;
            Err(AlertError::Slow { program: program.clone(), patience })
        }
    }
}

fn ended(child: &mut Child, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let timer = Timer::of(patience);
    while timer.left().is_some() {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(LOOK_AGAIN);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alarm() -> Alarm {
        Alarm { cause: "clock".to_owned(), text: "the clock has jumped".to_owned() }
    }

    fn shell(script: &str) -> Vec<String> {
        ["/bin/sh", "-c", script].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_command_gets_the_cause_and_the_text() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("heard");
        let script = format!("{{ echo \"$UMPIRE_ALERT\"; cat; }} > {}", file.display());
        run(&shell(&script), &alarm(), PATIENCE).unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "clock\numpire: the clock has jumped\n");
    }

    #[test]
    fn a_command_that_fails_is_missing_or_hangs_is_said_so() {
        let said = |command: &[String], patience| run(command, &alarm(), patience).unwrap_err().to_string();
        assert!(said(&shell("exit 3"), PATIENCE).contains("exit status: 3"));
        assert!(said(&["/nowhere/alert".to_owned()], PATIENCE).contains("umpire.toml"));
        assert!(said(&shell("sleep 60 & wait"), Duration::from_millis(100)).contains("was stopped"));
    }
}
