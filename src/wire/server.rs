//! A server's name, port and encryption.

use std::fmt;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

/// How a connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encryption {
    /// TLS from the first byte (RFC 8314).
    Tls,
    /// TLS before anything that matters, asked for by STARTTLS; without it nothing goes on.
    StartTls,
    /// None. Only to this very machine.
    None,
}

/// A server and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Its name, against which its certificate is checked.
    pub host: String,
    /// The port.
    pub port: u16,
    /// How the connection is encrypted.
    pub encryption: Encryption,
    /// The certificates (PEM) that are trusted instead of the system's.
    pub authority: Option<PathBuf>,
    /// How long to wait for a connection, for an answer to begin, and for the server to take what is sent.
    pub patience: Duration,
}

impl Server {
    /// Whether the name can only mean this machine.
    pub fn is_here(&self) -> bool {
        is_loopback(&self.host)
    }

    /// The addresses of the server. An unencrypted connection goes only to this machine, whatever the name resolves to.
    ///
    /// # Errors
    /// If the name has no address, or none that may be used.
    pub fn addresses(&self) -> std::io::Result<Vec<SocketAddr>> {
        let all = (self.host.as_str(), self.port).to_socket_addrs()?;
        let fit: Vec<SocketAddr> =
            all.filter(|address| self.encryption != Encryption::None || address.ip().is_loopback()).collect();
        if fit.is_empty() {
            let why = match self.encryption {
                Encryption::None => "it is not on this machine, and the connection is not encrypted",
                _ => "the name has no address",
            };
            return Err(std::io::Error::new(std::io::ErrorKind::AddrNotAvailable, why));
        }
        Ok(fit)
    }
}

/// Whether a host's name or address means this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_connection_stays_on_this_machine() {
        let mut server = Server {
            host: "192.0.2.1".to_owned(),
            port: 143,
            encryption: Encryption::None,
            authority: None,
            patience: Duration::from_secs(1),
        };
        assert!(server.addresses().unwrap_err().to_string().contains("not on this machine"));
        server.encryption = Encryption::Tls;
        assert_eq!(server.addresses().unwrap().len(), 1);
        for (host, here) in [("localhost", true), ("127.3.2.1", true), ("::1", true), ("mail.example.org", false)] {
            assert_eq!(is_loopback(host), here, "{host}");
        }
    }
}
