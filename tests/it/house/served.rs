//! A folder with a real game that began in the past, and the binary that serves it.

use crate::waiting::wait_for;
use jiff::{SignedDuration, Timestamp};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::{Duration, SystemTime};
use umpire::campaign;
use umpire::daemon::Folder;
use umpire::desk::NewGame;
use umpire::engine::{GameId, Player, SeatId, Secret};
use umpire::mail;

/// What a test waits for at most. The machine may be busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct House {
    pub dir: PathBuf,
    _keep: tempfile::TempDir,
}

/// The time, to the second: tests of the real binary need the real one.
pub fn now() -> Timestamp {
    #[expect(clippy::disallowed_methods, reason = "the binary under test reads the wall clock, too")]
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    Timestamp::from_second(since.as_secs().try_into().unwrap()).unwrap()
}

pub fn players() -> BTreeMap<SeatId, Player> {
    toml::from_str(campaign::sample_file("livonia-1700", "players.toml").unwrap()).unwrap()
}

impl House {
    /// A folder with `livonia`, opened so long ago. Orders close three days after that.
    pub fn opened(ago: SignedDuration, umpire_toml: &str, serve_toml: &str) -> Self {
        let house = Self::empty(umpire_toml, serve_toml);
        let new = NewGame {
            game: GameId::new("livonia"),
            campaign: campaign::find("livonia-1700", None).unwrap(),
            players: players(),
            zone: Some("UTC".to_owned()),
            secret: Some(Secret::from_bytes([2; 32])),
        };
        house.folder().desk.open_game(&new, now() - ago).unwrap();
        house
    }

    pub fn empty(umpire_toml: &str, serve_toml: &str) -> Self {
        let keep = tempfile::tempdir().unwrap();
        let dir = keep.path().join("play");
        let config = format!(
            "[umpire]\naddress = \"umpire@example.org\"\n{umpire_toml}\n[serve]\npoll_seconds = 1\n{serve_toml}\n\
             [games]\ndeadline_days = 3\n"
        );
        Folder::create_with(&dir, &config, &Secret::from_bytes([1; 32])).unwrap();
        Self { dir, _keep: keep }
    }

    pub fn folder(&self) -> Folder {
        Folder::open(&self.dir).unwrap()
    }

    /// Drops the campaign's own letters for Spring 1700 into the inbox, received so long ago.
    pub fn spring_letters(&self, ago: SignedDuration) -> usize {
        let letters = &campaign::sample_letters("livonia-1700")["spring-1700"];
        for letter in letters {
            let name = format!("spring.{}.test", letter.name);
            mail::deliver(&self.dir.join("mail/inbox"), &name, letter.raw, now() - ago).unwrap();
        }
        letters.len()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_umpire"));
        command.arg("-C").arg(&self.dir).args(args);
        command
    }

    pub fn umpire(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    pub fn status(&self) -> String {
        let output = self.umpire(&["status"]);
        assert!(output.status.success(), "{}", said(&output));
        out(&output)
    }

    pub fn sent(&self) -> usize {
        files(&self.dir.join("mail/outbox/new"))
    }

    /// Begins to serve, with these variables in the environment.
    pub fn serve(&self, variables: &[(&str, &str)]) -> Serving {
        self.serve_with(&["serve"], variables)
    }

    pub fn serve_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Serving {
        let log = self.dir.join("log");
        let file = File::create(&log).unwrap();
        Serving::begun(self.command(args).envs(variables.iter().copied()), file, log)
    }
}

pub fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn files(dir: &Path) -> usize {
    fs::read_dir(dir).map_or(0, Iterator::count)
}

/// Waits until it is so, and gives up loudly.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    wait_for(PATIENCE, what, || is_so().then_some(()));
}

/// A running `umpire serve`. It is killed if the test forgets it.
pub struct Serving {
    pub child: Child,
    log: PathBuf,
}

impl Serving {
    /// Begins the command; its log goes to `file`, which lies at `log`.
    pub fn begun(command: &mut Command, file: File, log: PathBuf) -> Self {
        Self { child: command.env_remove("UMPIRE_LOG").stderr(file).spawn().unwrap(), log }
    }

    pub fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    pub fn wait_for(&self, words: &str) {
        wait_until(&format!("\"{words}\" in the log"), || self.log().contains(words));
    }

    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Sends a signal and waits for the end: the exit code and the log.
    pub fn stop(mut self, signal: Signal) -> (Option<i32>, String) {
        self.signal(signal);
        let mut code = None;
        wait_until("its end", || {
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        (code.unwrap().code(), self.log())
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
