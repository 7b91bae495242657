//! A certificate with its key, in files that may be renewed at any time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use super::expiration::der_expiration;
use tidegate_model::digest::Digest;
use tidegate_model::time::Timestamp;

/// A certificate cannot be used. No message contains anything of a file.
#[derive(Debug, thiserror::Error)]
pub enum InvalidCertificate {
    /// A file cannot be read.
    #[error("{path}: {source}; check that the file exists, and that the daemon can read it", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file has no certificate.
    #[error("{path}: no certificate in PEM format; write the server certificate, followed by any intermediates", path = path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// The file has no key.
    #[error("{path}: no private key in PEM format; write the key of the certificate, not encrypted", path = path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
    },
    /// The key is not that of the certificate.
    #[error("{key} is not the key of {certificate}; write both files again", key = key.display(), certificate = certificate.display())]
    Mismatch {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
    },
    /// The certificate or the key is of a kind that is not supported.
    #[error("{certificate} and {key} cannot be used: {source}; use an X.509 certificate with an RSA, P-256, P-384 or Ed25519 key", key = key.display(), certificate = certificate.display())]
    Unsupported {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
        /// Why.
        source: rustls::Error,
    },
}

/// The files of a certificate and of its key, with the last pair that could be used.
#[derive(Debug)]
pub(super) struct Files {
    certificate: PathBuf,
    key: PathBuf,
    pair: Mutex<Pair>,
    /// The digests of files that could not be used.
    rejected: Mutex<Option<[Option<Digest>; 2]>>,
}

/// A certificate with its key.
#[derive(Debug, Clone)]
struct Pair {
    /// The digests of the files.
    digests: [Option<Digest>; 2],
    key: Arc<CertifiedKey>,
    /// When the certificate expires; `None` if that cannot be read.
    expires: Option<Timestamp>,
}

impl Files {
    /// Reads the files, which must be usable now.
    ///
    /// # Errors
    /// [`InvalidCertificate`] if they are not.
    pub(super) fn new(certificate: PathBuf, key: PathBuf) -> Result<Self, InvalidCertificate> {
        let contents = [read(&certificate)?, read(&key)?];
        let pair = pair((&certificate, &contents[0]), (&key, &contents[1]))?;
        Ok(Self { certificate, key, pair: Mutex::new(pair), rejected: Mutex::default() })
    }

    /// Returns when the certificate expires.
    pub(super) fn expires(&self) -> Option<Timestamp> {
        self.pair.lock().expires
    }

    /// Reads the files again. The last pair stays in use if they cannot be used, for example while only one of them is new. That is logged if
    /// they are the same the next time. Blocks.
    pub(super) fn refresh(&self) {
        let contents = [read(&self.certificate), read(&self.key)];
        let digests = contents.each_ref().map(|content| content.as_ref().ok().map(|content| Digest::of(content)));
        if self.pair.lock().digests == digests {
            return;
        }
        let [certificate, key] = contents;
        let renewed = certificate.and_then(|certificate| pair((&self.certificate, &certificate), (&self.key, &key?)));
        let mut rejected = self.rejected.lock();
        match renewed {
            Ok(pair) => {
                *self.pair.lock() = pair;
                *rejected = None;
            }
            Err(error) if rejected.replace(digests.clone()) == Some(digests) => {
                tracing::warn!(%error, "[page.tls] the new certificate is invalid; the previous one stays in use");
            }
            Err(_) => {}
        }
    }
}

impl ResolvesServerCert for Files {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.pair.lock().key.clone())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, InvalidCertificate> {
    std::fs::read(path).map_err(|source| InvalidCertificate::Unreadable { path: path.to_owned(), source })
}

fn pair((certificate, chain): (&Path, &[u8]), (key, secret): (&Path, &[u8])) -> Result<Pair, InvalidCertificate> {
    let digests = [chain, secret].map(|content| Some(Digest::of(content)));
    let found: Option<Vec<CertificateDer<'static>>> = CertificateDer::pem_slice_iter(chain).map(Result::ok).collect();
    let expires = found.as_ref().and_then(|found| der_expiration(found.first()?));
    let found = found.filter(|found| !found.is_empty());
    let found = found.ok_or_else(|| InvalidCertificate::NoCertificate { path: certificate.to_owned() })?;
    // The reason would contain a part of the file.
    let secret = PrivateKeyDer::from_pem_slice(secret);
    let secret = secret.map_err(|_| InvalidCertificate::NoKey { path: key.to_owned() })?;
    let (certificate, key) = (certificate.to_owned(), key.to_owned());
    match CertifiedKey::from_der(found, secret, &default_provider()) {
        Ok(pair) => Ok(Pair { digests, key: Arc::new(pair), expires }),
        Err(rustls::Error::InconsistentKeys(_)) => Err(InvalidCertificate::Mismatch { certificate, key }),
        Err(source) => Err(InvalidCertificate::Unsupported { certificate, key, source }),
    }
}
