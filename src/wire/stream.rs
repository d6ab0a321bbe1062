//! A connection with an end to all patience: a server that is silent, one that sends a byte a minute, and one that never stops
//! sending all come to an error, and never hold the daemon up.

use super::trust::{self, TrustError};
use super::{Encryption, Server};
use crate::clock::Timer;
use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The name, the network, the server.
    #[error("no connection to {server}: {source}")]
    Connect {
        /// The server.
        server: String,
        /// What the system said.
        source: io::Error,
    },
    /// The encryption.
    #[error("no encrypted connection to {server}: {source}{}", advice(source))]
    Tls {
        /// The server.
        server: String,
        /// What went wrong.
        source: io::Error,
    },
    /// Whom to trust.
    #[error(transparent)]
    Trust(#[from] TrustError),
}

/// What the umpire can do about a certificate.
fn advice(fault: &io::Error) -> &'static str {
    let words = fault.to_string();
    if words.contains("UnknownIssuer") {
        " (nobody whom this machine trusts has signed its certificate: is it the right server? `tls_ca` names an authority of your own)"
    } else if words.contains("NotValidForName") || words.contains("not valid for name") {
        " (its certificate is for another name: `host` must be the name in it)"
    } else if words.contains("Expired") || words.contains("expired") {
        " (its certificate has run out, or this machine's clock is wrong)"
    } else if words.contains("InvalidContentType") || words.contains("corrupt message") {
        " (it does not speak TLS on this port: is `tls = \"starttls\"` meant?)"
    } else {
        ""
    }
}

/// How much and how long a connection may still be read and written. Shared between a connection and its owner, who sets it anew
/// for each command.
#[derive(Clone, Debug)]
pub struct Limits(Arc<Mutex<Left>>);

#[derive(Debug)]
struct Left {
    octets: u64,
    time: Timer,
}

impl Limits {
    /// Limits for the greeting and the handshake.
    fn new() -> Self {
        Self(Arc::new(Mutex::new(Left { octets: 1024 * 1024, time: Timer::of(Duration::from_secs(120)) })))
    }

    fn left(&self) -> MutexGuard<'_, Left> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Allows `octets` to be read within `time`.
    pub fn allow(&self, octets: u64, time: Duration) {
        *self.left() = Left { octets, time: Timer::of(time) };
    }

    /// Allows that much time, as much as before to be read.
    pub fn allow_time(&self, time: Duration) {
        self.left().time = Timer::of(time);
    }

    fn time(&self) -> io::Result<Duration> {
        self.left().time.left().ok_or_else(|| io::ErrorKind::TimedOut.into())
    }

    fn read(&self, octets: usize) -> io::Result<()> {
        let mut left = self.left();
        match left.octets.checked_sub(octets as u64) {
            Some(rest) => {
                left.octets = rest;
                Ok(())
            }
            None => Err(io::Error::other("the server sends more than was asked for")),
        }
    }
}

/// The connection below the encryption.
struct Socket {
    tcp: TcpStream,
    patience: Duration,
    limits: Limits,
}

/// The system says `WouldBlock` when a socket's time is up.
fn as_timeout(fault: io::Error) -> io::Error {
    if fault.kind() == io::ErrorKind::WouldBlock { io::ErrorKind::TimedOut.into() } else { fault }
}

impl Read for Socket {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let wait = self.patience.min(self.limits.time()?);
        self.tcp.set_read_timeout(Some(wait))?;
        let octets = self.tcp.read(into).map_err(as_timeout)?;
        self.limits.read(octets)?;
        Ok(octets)
    }
}

impl Write for Socket {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let wait = self.patience.min(self.limits.time()?);
        self.tcp.set_write_timeout(Some(wait))?;
        self.tcp.write(octets).map_err(as_timeout)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.tcp.flush()
    }
}

/// A connection.
pub struct Stream {
    inner: Inner,
    limits: Limits,
    patience: Duration,
}

enum Inner {
    Plain(Socket),
    Tls(Box<StreamOwned<ClientConnection, Socket>>),
}

impl Stream {
    /// Connects, and encrypts at once if the server is one for that; a connection for STARTTLS is given back as it is, to be
    /// [encrypted](Stream::encrypt) next.
    ///
    /// # Errors
    /// If no address answers in time, or the encryption cannot be agreed on.
    pub fn connect(server: &Server) -> Result<Self, WireError> {
        let fault = |source| WireError::Connect { server: server.to_string(), source };
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in server.addresses().map_err(fault)? {
            match TcpStream::connect_timeout(&address, server.patience) {
                Ok(tcp) => {
                    // Commands are short and wait for their answers: nothing is won by collecting them.
                    let _ = tcp.set_nodelay(true);
                    let limits = Limits::new();
                    let socket = Socket { tcp, patience: server.patience, limits: limits.clone() };
                    let plain = Self { inner: Inner::Plain(socket), limits, patience: server.patience };
                    return if server.encryption == Encryption::Tls { plain.encrypt(server) } else { Ok(plain) };
                }
                Err(e) => last = e,
            }
        }
        Err(fault(last))
    }

    /// Encrypts what was not encrypted so far.
    ///
    /// # Errors
    /// If the server cannot be trusted, or does not speak TLS.
    pub fn encrypt(self, server: &Server) -> Result<Self, WireError> {
        let fault = |source| WireError::Tls { server: server.to_string(), source };
        let Self { inner: Inner::Plain(mut socket), limits, patience } = self else { return Ok(self) };
        let name = ServerName::try_from(server.host.clone()).map_err(|e| fault(io::Error::other(e)))?;
        let config = trust::client(server)?;
        let mut tls = ClientConnection::new(config, name).map_err(|e| fault(io::Error::other(e)))?;
        while tls.is_handshaking() {
            tls.complete_io(&mut socket).map_err(fault)?;
        }
        Ok(Self { inner: Inner::Tls(Box::new(StreamOwned::new(tls, socket))), limits, patience })
    }

    /// Its limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Lets the server be silent as long as at first.
    pub fn restore_patience(&mut self) {
        self.set_patience(self.patience);
    }

    /// Sets how long the server may be silent, within the time that is left anyway.
    pub fn set_patience(&mut self, patience: Duration) {
        match &mut self.inner {
            Inner::Plain(socket) => socket.patience = patience,
            Inner::Tls(tls) => tls.sock.patience = patience,
        }
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match &mut self.inner {
            Inner::Plain(socket) => socket.read(into),
            Inner::Tls(tls) => tls.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match &mut self.inner {
            Inner::Plain(socket) => socket.write(octets),
            Inner::Tls(tls) => tls.write(octets),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.inner {
            Inner::Plain(socket) => socket.flush(),
            Inner::Tls(tls) => tls.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn server(listener: &TcpListener) -> Server {
        Server {
            host: "127.0.0.1".to_owned(),
            port: listener.local_addr().unwrap().port(),
            encryption: Encryption::None,
            authority: None,
            patience: Duration::from_millis(200),
        }
    }

    #[test]
    fn silence_drip_and_flood_end() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stream = Stream::connect(&server(&listener)).unwrap();
        let (mut theirs, _) = listener.accept().unwrap();
        assert_eq!(stream.read(&mut [0; 8]).unwrap_err().kind(), io::ErrorKind::TimedOut, "silence");

        let drip = std::thread::spawn(move || {
            while theirs.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        stream.limits().allow(1000, Duration::from_millis(300));
        let mut got = Vec::new();
        assert_eq!(stream.read_to_end(&mut got).unwrap_err().kind(), io::ErrorKind::TimedOut, "drip");
        assert!(got.len() > 2);
        stream.limits().allow(5, Duration::from_secs(5));
        assert!(stream.read_to_end(&mut got).unwrap_err().to_string().contains("more than was asked for"));
        drop(stream);
        drip.join().unwrap();
    }

    #[test]
    fn a_server_without_tls_is_told_apart() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let encrypted = Server { encryption: Encryption::Tls, host: "localhost".to_owned(), ..server(&listener) };
        let theirs = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.write_all(b"* OK ready\r\n");
            let _ = stream.read_to_end(&mut Vec::new());
        });
        let fault = Stream::connect(&encrypted).err().unwrap().to_string();
        assert!(fault.contains("does not speak TLS on this port"), "{fault}");
        theirs.join().unwrap();
    }
}
