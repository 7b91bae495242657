//! A certificate with its key, in files that may change at any time.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;

use super::pem::pem_end;
use tidegate_model::digest::Digest;
use tidegate_model::time::Timestamp;

/// A certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidCertificate {
    /// A file cannot be read.
    #[error("{path}: {source}; write a file in PEM format, which the daemon may read", path = path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file has no certificate.
    #[error("{path}: there is no certificate in PEM format; write the certificate of the server, and those between it and its authority", path = path.display())]
    NoCertificate {
        /// The file.
        path: PathBuf,
    },
    /// The file has no key.
    #[error("{path}: there is no private key in PEM format ({source}); write the key of the certificate, without a password", path = path.display())]
    NoKey {
        /// The file.
        path: PathBuf,
        /// Why.
        source: pem::Error,
    },
    /// The key is not that of the certificate.
    #[error("{key} is not the key of {certificate}: {source}; write both files again", key = key.display(), certificate = certificate.display())]
    Mismatch {
        /// The file with the certificate.
        certificate: PathBuf,
        /// The file with the key.
        key: PathBuf,
        /// Why.
        source: rustls::Error,
    },
}

/// The files of a certificate and of its key, with what was read from them last.
#[derive(Debug)]
pub(super) struct Files {
    certificate: PathBuf,
    key: PathBuf,
    read: Mutex<Read>,
}

/// What was read from the files.
#[derive(Debug, Clone)]
struct Read {
    /// The digests of the files, also if they could not be used.
    digests: [Option<Digest>; 2],
    /// The last pair that could be used.
    pair: Arc<CertifiedKey>,
    /// When its certificate ends; `None` if that cannot be read.
    expires: Option<Timestamp>,
}

impl Files {
    /// Reads the files, which must be usable now.
    ///
    /// # Errors
    /// [`InvalidCertificate`] if they are not.
    pub(super) fn new(certificate: PathBuf, key: PathBuf) -> Result<Self, InvalidCertificate> {
        let contents = [read(&certificate)?, read(&key)?];
        let (pair, expires) = pair((&certificate, &contents[0]), (&key, &contents[1]))?;
        let digests = contents.map(|content| Some(Digest::of(&content)));
        Ok(Self { certificate, key, read: Mutex::new(Read { digests, pair, expires }) })
    }

    /// Returns when the certificate ends.
    pub(super) fn expires(&self) -> Option<Timestamp> {
        self.newest().expires
    }

    /// Returns the certificate in the files. While they cannot be used, for example because only one of them is new, it is the last one.
    fn newest(&self) -> Read {
        let contents = [read(&self.certificate), read(&self.key)];
        let digests = contents.each_ref().map(|content| content.as_ref().ok().map(|content| Digest::of(content)));
        let mut known = self.read.lock();
        if known.digests == digests {
            return known.clone();
        }
        known.digests = digests;
        let [certificate, key] = contents;
        let renewed = certificate.and_then(|certificate| pair((&self.certificate, &certificate), (&self.key, &key?)));
        match renewed {
            Ok((pair, expires)) => (known.pair, known.expires) = (pair, expires),
            Err(error) => {
                tracing::warn!(%error, "the new certificate cannot be used; the last one stays in use");
            }
        }
        known.clone()
    }
}

impl ResolvesServerCert for Files {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.newest().pair)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, InvalidCertificate> {
    std::fs::read(path).map_err(|source| InvalidCertificate::Unreadable { path: path.to_owned(), source })
}

fn pair(
    (certificate, chain): (&Path, &[u8]),
    (key, secret): (&Path, &[u8]),
) -> Result<(Arc<CertifiedKey>, Option<Timestamp>), InvalidCertificate> {
    let no_certificate = || InvalidCertificate::NoCertificate { path: certificate.to_owned() };
    let found: Result<Vec<CertificateDer<'static>>, pem::Error> = CertificateDer::pem_slice_iter(chain).collect();
    let found = found.ok().filter(|found| !found.is_empty()).ok_or_else(no_certificate)?;
    let secret = PrivateKeyDer::from_pem_slice(secret)
        .map_err(|source| InvalidCertificate::NoKey { path: key.to_owned(), source })?;
    let pair = CertifiedKey::from_der(found, secret, &default_provider());
    let pair = pair.map_err(|source| InvalidCertificate::Mismatch {
        certificate: certificate.to_owned(),
        key: key.to_owned(),
        source,
    })?;
    Ok((Arc::new(pair), pem_end(&String::from_utf8_lossy(chain))))
}
