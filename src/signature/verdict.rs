//! The result of verifying a signature.

use std::fmt;

use tidegate_model::time::Timestamp;

/// The fingerprint of a key, as its tools print it.
///
/// # Shape
/// `SHA256:` and base64 for SSH; uppercase hexadecimal digits for OpenPGP. Sixteen digits are a key id, for a signature that
/// contains nothing more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(String);

impl Fingerprint {
    pub(crate) fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the fingerprint as a string.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The result of verifying the signature of a commit or tag.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a signature that is not checked protects nothing"]
pub enum Verdict {
    /// A trusted key made the signature over exactly this payload, and was valid then.
    Good {
        /// Who signed: the first principal of the allowed-signers line, or the user id of the certificate.
        signer: String,
        /// The key that signed; for a certificate, this may be a subkey.
        key: Fingerprint,
    },
    /// There is a signature, but it does not count.
    Bad(Reason),
    /// There is no signature.
    Unsigned,
}

/// Why a signature does not count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The key is not trusted.
    #[error("the signature was made with the key {key}, which is not among the trusted keys")]
    UnknownKey {
        /// The key that the signature names.
        key: Fingerprint,
    },
    /// The key was not valid yet.
    #[error("the key {key} of {signer} is valid only from {from}, but the commit is older")]
    NotYetValid {
        /// The key that signed.
        key: Fingerprint,
        /// The owner of the key.
        signer: String,
        /// When the key becomes valid.
        from: Timestamp,
    },
    /// The key, or the signature itself, had expired.
    #[error("the key {key} of {signer} was valid only until {until}, but the commit is newer")]
    Expired {
        /// The key that signed.
        key: Fingerprint,
        /// The owner of the key.
        signer: String,
        /// The last instant at which the key was valid.
        until: Timestamp,
    },
    /// The key was revoked.
    #[error("the key {key} of {signer} was revoked{}", since.map_or(String::new(), |at| format!(" at {at}")))]
    Revoked {
        /// The key that signed.
        key: Fingerprint,
        /// The owner of the key.
        signer: String,
        /// The time of the revocation; `None` if the key must not be trusted at any time, as after a theft.
        since: Option<Timestamp>,
    },
    /// The signature was made for a purpose other than Git.
    #[error("the signature was made for the namespace {found:?}, but signatures of commits need \"git\"")]
    Namespace {
        /// The namespace in the signature.
        found: String,
    },
    /// The key is trusted, but only for purposes other than Git.
    #[error("the key {key} of {signer} is trusted only for namespaces other than \"git\"")]
    NotForGit {
        /// The key that signed.
        key: Fingerprint,
        /// The owner of the key.
        signer: String,
    },
    /// The certificate does not allow this key to sign, or the key does not confirm that it belongs to the certificate.
    #[error("the certificate of {signer} does not allow its key {key} to sign")]
    NotForSigning {
        /// The key that signed.
        key: Fingerprint,
        /// The owner of the key.
        signer: String,
    },
    /// A security key signed without being touched.
    #[error("the security key {key} of {signer} signed without being touched")]
    Untouched {
        /// The key that signed.
        key: Fingerprint,
        /// The owner of the key.
        signer: String,
    },
    /// The signature does not match the payload and the key: one of them was changed.
    #[error("the signature does not match the commit: the key {key} did not sign these bytes")]
    Broken {
        /// The key that the signature names.
        key: Fingerprint,
    },
    /// The signature relies on something that is weak, or that cannot be checked here.
    #[error("the signature relies on {what}, which is not accepted: sign with an Ed25519, ECDSA or RSA key, and SHA-2")]
    Unsupported {
        /// The algorithm or format, for the middle of a sentence.
        what: String,
    },
    /// This program was built without OpenPGP.
    #[error("this is an OpenPGP signature, but this program was built without the feature `openpgp`")]
    NoOpenPgp,
    /// The signature cannot be parsed.
    #[error("the signature cannot be read: {why}")]
    Unreadable {
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Good { signer, key } => write!(f, "signed by {signer} with the key {key}"),
            Self::Bad(reason) => reason.fmt(f),
            Self::Unsigned => f.write_str("there is no signature"),
        }
    }
}

impl From<Result<(String, Fingerprint), Reason>> for Verdict {
    fn from(result: Result<(String, Fingerprint), Reason>) -> Self {
        match result {
            Ok((signer, key)) => Self::Good { signer, key },
            Err(reason) => Self::Bad(reason),
        }
    }
}
