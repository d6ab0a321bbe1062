//! Servers in threads of this process that do as they should, and at one chosen step do not.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What a server does at the chosen step instead of what it should.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Hangs up before it does anything.
    CutBefore,
    /// Does it, and hangs up in the middle of its answer.
    CutWithin,
    /// Does it, and hangs up before it answers.
    CutAfter,
    /// Answers what means nothing.
    Garbage,
    /// Does it, and says nothing.
    Stall,
    /// Does not do it, and says this.
    Say(&'static str),
}

/// Counts steps and knows at which one the fault is due. It comes once.
pub struct Script {
    fault: Option<(usize, Fault)>,
    pub steps: Vec<String>,
}

impl Script {
    pub fn new(fault: Option<(usize, Fault)>) -> Self {
        Self { fault, steps: Vec::new() }
    }

    fn step(&mut self, name: &str) -> Option<Fault> {
        let at = self.steps.len();
        self.steps.push(name.to_owned());
        self.fault.filter(|(due, _)| *due == at).map(|(_, fault)| fault)
    }
}

/// What a connection does after a step.
#[derive(PartialEq, Eq)]
pub enum Next {
    Go,
    HangUp,
}

/// Does a step, or what the script says instead. `work` gives the answer.
pub fn step(script: &Mutex<Script>, out: &mut TcpStream, name: &str, work: impl FnOnce() -> Vec<u8>) -> Next {
    let fault = script.lock().unwrap().step(name);
    let mut say = |octets: &[u8]| if out.write_all(octets).is_ok() { Next::Go } else { Next::HangUp };
    match fault {
        None => say(&work()),
        Some(Fault::CutBefore) => Next::HangUp,
        Some(Fault::CutAfter) => {
            work();
            Next::HangUp
        }
        Some(Fault::CutWithin) => {
            let answer = work();
            say(&answer[..answer.len() / 2]);
            Next::HangUp
        }
        Some(Fault::Garbage) => say(b"\xff\xfe ~~~ {12 (((\r\n"),
        Some(Fault::Stall) => {
            work();
            Next::Go
        }
        Some(Fault::Say(words)) => say(format!("{words}\r\n").as_bytes()),
    }
}

/// A server on a free port; `serve` is called for each connection in a thread of its own.
pub fn listen(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(stream) = stream else { return };
            let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
            let serve = Arc::clone(&serve);
            std::thread::spawn(move || serve(stream));
        }
    });
    port
}

/// Lines as they come, without their ends.
pub fn lines(stream: &TcpStream) -> impl Iterator<Item = String> + use<> {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned()),
        }
    })
}
