//! Whose certificates are trusted.

use super::Server;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why nobody can be trusted.
#[derive(Debug, thiserror::Error)]
pub enum TrustError {
    /// The file of the own authority.
    #[error("no certificates could be read from {}: {why} (`tls_ca` names a file of certificates in PEM)", path.display())]
    Authority {
        /// The file.
        path: PathBuf,
        /// What was wrong.
        why: String,
    },
    /// The system has none.
    #[error("this machine has no trusted certificates: {0} (install the package ca-certificates, or set `tls_ca`)")]
    NoRoots(String),
    /// TLS itself.
    #[error("TLS could not be set up: {0}")]
    Setup(String),
}

/// The certificates in the file of an own authority.
///
/// # Errors
/// If there are none.
pub(crate) fn authority(path: &Path) -> Result<Vec<CertificateDer<'static>>, TrustError> {
    let fault = |why: String| TrustError::Authority { path: path.to_owned(), why };
    let found = CertificateDer::pem_file_iter(path).map_err(|e| fault(e.to_string()))?;
    let found: Vec<_> = found.collect::<Result<_, _>>().map_err(|e| fault(e.to_string()))?;
    if found.is_empty() { Err(fault("there are none in it".to_owned())) } else { Ok(found) }
}

/// The certificates by which this server is trusted: of the own authority alone if one is named, else the system's.
pub(super) fn roots(own: Option<&Path>) -> Result<RootCertStore, TrustError> {
    let mut store = RootCertStore::empty();
    if let Some(path) = own {
        for certificate in authority(path)? {
            let fault = |e: rustls::Error| TrustError::Authority { path: path.to_owned(), why: e.to_string() };
            store.add(certificate).map_err(fault)?;
        }
        return Ok(store);
    }
    let found = rustls_native_certs::load_native_certs();
    store.add_parsable_certificates(found.certs);
    if store.is_empty() {
        let why = found.errors.first().map_or_else(|| "none were found".to_owned(), ToString::to_string);
        return Err(TrustError::NoRoots(why));
    }
    Ok(store)
}

pub(super) fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

pub(super) fn client(server: &Server) -> Result<Arc<ClientConfig>, TrustError> {
    let config = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(|e| TrustError::Setup(e.to_string()))?
        .with_root_certificates(roots(server.authority.as_deref())?)
        .with_no_client_auth();
    Ok(Arc::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_certificates_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ca.pem");
        assert!(authority(&path).unwrap_err().to_string().contains("ca.pem"));
        std::fs::write(&path, "no certificate\n").unwrap();
        assert!(authority(&path).unwrap_err().to_string().contains("there are none in it"));
    }
}
