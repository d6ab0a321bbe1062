//! Passwords: from a file, a command or the environment. Never from a command line, which every process may read, and never from
//! `umpire.toml`, which is shown around.

use crate::clock::Timer;
use std::fmt;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// What a command may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// No password is longer, in octets; tokens in files are not read here.
const LONGEST: u64 = 4096;

/// A secret in memory. It cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    pub(super) fn new(secret: String) -> Self {
        Self(secret)
    }

    /// The secret itself, for a server's eyes.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(...)")
    }
}

/// Where a password is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PasswordSource {
    /// The first line of a file that others cannot read.
    File(PathBuf),
    /// The first line that a command prints: the command and its arguments, no shell.
    Command(Vec<String>),
    /// The first line that a line for `/bin/sh` prints.
    Shell(String),
    /// A variable of the environment.
    Variable(String),
}

/// Why there is no password. None of the texts holds any of it.
#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    /// The file cannot be read.
    #[error("the password file {} cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file can be read by everybody.
    #[error("the password file {0} can be read by others: it is not used (chmod 600 {0})", path.display())]
    Open {
        /// The file.
        path: PathBuf,
    },
    /// The command failed.
    #[error("the password command `{command}` {why}")]
    Command {
        /// Its name.
        command: String,
        /// What happened.
        why: String,
    },
    /// There is no such variable.
    #[error("the variable {0} of the environment, which should hold the password, is not set")]
    NoVariable(String),
    /// It is empty, or no text.
    #[error("{0} gives no password: the first line is empty")]
    Empty(String),
}

impl PasswordSource {
    /// Fetches the password.
    ///
    /// # Errors
    /// If there is none, or it is kept where others can read it.
    pub fn read(&self) -> Result<Password, PasswordError> {
        let text = match self {
            PasswordSource::File(path) => from_file(path)?,
            PasswordSource::Command(words) => from_command(words, PATIENCE)?,
            PasswordSource::Shell(line) => {
                from_command(&["/bin/sh".to_owned(), "-c".to_owned(), line.clone()], PATIENCE)?
            }
            PasswordSource::Variable(name) => {
                std::env::var(name).map_err(|_| PasswordError::NoVariable(name.clone()))?
            }
        };
        match text.lines().next() {
            Some(line) if !line.is_empty() => Ok(Password(line.to_owned())),
            _ => Err(PasswordError::Empty(self.to_string())),
        }
    }
}

/// Names the place, never the password.
impl fmt::Display for PasswordSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PasswordSource::File(path) => write!(f, "the file {}", path.display()),
            PasswordSource::Command(words) => write!(f, "the command `{}`", words.first().map_or("", String::as_str)),
            PasswordSource::Shell(_) => f.write_str("the shell command"),
            PasswordSource::Variable(name) => write!(f, "the variable {name}"),
        }
    }
}

fn from_file(path: &Path) -> Result<String, PasswordError> {
    let fault = |source| PasswordError::Unreadable { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(fault)?;
    let mode = file.metadata().map_err(fault)?.permissions().mode();
    // A group may share it: that is how a service's own user reads what root wrote.
    if mode & 0o007 != 0 {
        return Err(PasswordError::Open { path: path.to_owned() });
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(fault)?;
    Ok(text)
}

fn from_command(words: &[String], patience: Duration) -> Result<String, PasswordError> {
    let name = words.first().cloned().unwrap_or_default();
    let fault = |why: String| PasswordError::Command { command: name.clone(), why };
    let mut child = Command::new(&name)
        .args(words.iter().skip(1))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|e| fault(format!("could not be started: {e}")))?;
    let (tell, told) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        // A thread of its own: what the command prints is taken while its end is awaited.
        std::thread::spawn(move || {
            let mut text = String::new();
            let read = output.take(LONGEST).read_to_string(&mut text);
            let _ = tell.send(read.map(|_| text));
        });
    }
    let timer = Timer::of(patience);
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if timer.left().is_some() => std::thread::sleep(Duration::from_millis(10)),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(fault(format!("was not done after {} seconds", patience.as_secs())));
            }
            Err(e) => return Err(fault(format!("could not be awaited: {e}"))),
        }
    };
    if !status.success() {
        return Err(fault(format!("failed: {status}")));
    }
    match told.recv_timeout(Duration::from_secs(2)) {
        Ok(Ok(text)) => Ok(text),
        _ => Err(fault("printed no text".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("password");
        std::fs::write(&path, "håll fast \nsecond line\n").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(PasswordSource::File(path.clone()).read().unwrap().reveal(), "håll fast ");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o604)).unwrap();
        let fault = PasswordSource::File(path).read().unwrap_err().to_string();
        assert!(fault.contains("can be read by others") && !fault.contains("fast"), "{fault}");
    }

    #[test]
    fn a_command_gives_its_first_line_without_a_shell() {
        let printed = PasswordSource::Command(words(&["printf", "%s\n", "a $HOME `id`", "b"])).read().unwrap();
        assert_eq!(printed.reveal(), "a $HOME `id`");
        assert_eq!(PasswordSource::Shell("printf x; printf y".to_owned()).read().unwrap().reveal(), "xy");
        for (command, said) in [("false", "failed"), ("/no/such/program", "could not be started"), ("true", "empty")] {
            let fault = PasswordSource::Command(words(&[command])).read().unwrap_err().to_string();
            assert!(fault.contains(said), "{fault}");
        }
        let slow = from_command(&words(&["sleep", "60"]), Duration::from_millis(50)).unwrap_err().to_string();
        assert!(slow.contains("was not done"), "{slow}");
    }

    #[test]
    fn a_missing_variable_is_named_and_nothing_is_shown() {
        let fault = PasswordSource::Variable("UMPIRE_NO_SUCH".to_owned()).read().unwrap_err().to_string();
        assert!(fault.contains("UMPIRE_NO_SUCH"));
        assert_eq!(format!("{:?}", Password("secret".to_owned())), "Password(...)");
    }
}
