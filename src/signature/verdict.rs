//! What is said about a signature.

use std::fmt;

use tidegate_model::time::Timestamp;

/// The fingerprint of a key, as its tools print it.
///
/// # Shape
/// `SHA256:` and base64 for SSH; upper-case hexadecimal digits for OpenPGP, of which sixteen are the id of a key whose
/// signature tells no more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(String);

impl Fingerprint {
    pub(super) fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the text of the fingerprint.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is said about the signature of a commit or tag.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a signature that nobody looks at protects nothing"]
pub enum Verdict {
    /// A trusted key made the signature over exactly this payload, and was valid then.
    Good {
        /// Who signed: the first principal of the allowed-signers line, or the user id of the certificate.
        signer: String,
        /// The key that signed; of a certificate, this may be a subkey.
        key: Fingerprint,
    },
    /// There is a signature, and it does not count.
    Bad(Reason),
    /// There is no signature.
    Unsigned,
}

/// Why a signature does not count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Nobody vouches for the key.
    #[error("the signature was made with the key {key}, which is not among the trusted keys")]
    UnknownKey {
        /// The key that the signature names.
        key: Fingerprint,
    },
    /// The key became valid later.
    #[error("the key {key} of {signer} is valid from {from} on only, and the commit is older")]
    NotYetValid {
        /// The key that signed.
        key: Fingerprint,
        /// Whose key it is.
        signer: String,
        /// When the key becomes valid.
        from: Timestamp,
    },
    /// The key, or the signature itself, had expired.
    #[error("the key {key} of {signer} was valid until {until} only, and the commit is younger")]
    Expired {
        /// The key that signed.
        key: Fingerprint,
        /// Whose key it is.
        signer: String,
        /// The last instant at which the key was valid.
        until: Timestamp,
    },
    /// The owner took the key back.
    #[error("the key {key} of {signer} was revoked{}", since.map_or(String::new(), |at| format!(" at {at}")))]
    Revoked {
        /// The key that signed.
        key: Fingerprint,
        /// Whose key it is.
        signer: String,
        /// Since when; `None` if it never was to be trusted, which is so for a stolen key.
        since: Option<Timestamp>,
    },
    /// The signature was made for another purpose than Git.
    #[error("the signature was made for the namespace {found:?}, and signatures of commits are made for \"git\"")]
    Namespace {
        /// The namespace in the signature.
        found: String,
    },
    /// The key is trusted, but for other purposes than Git.
    #[error("the key {key} of {signer} is trusted for other namespaces than \"git\" only")]
    NotForGit {
        /// The key that signed.
        key: Fingerprint,
        /// Whose key it is.
        signer: String,
    },
    /// The certificate does not say that this key of it may sign, or the key does not say that it belongs to the certificate.
    #[error("the certificate of {signer} does not let its key {key} sign")]
    NotForSigning {
        /// The key that signed.
        key: Fingerprint,
        /// Whose key it is.
        signer: String,
    },
    /// A security key signed without being touched.
    #[error("the security key {key} of {signer} signed without being touched")]
    Untouched {
        /// The key that signed.
        key: Fingerprint,
        /// Whose key it is.
        signer: String,
    },
    /// The signature does not fit the payload and the key: one of them was changed.
    #[error("the signature does not fit the commit: it was not made over these bytes by the key {key}")]
    Broken {
        /// The key that the signature names.
        key: Fingerprint,
    },
    /// The signature relies on something that is weak, or that cannot be checked here.
    #[error("the signature relies on {what}, which is not accepted: sign with an Ed25519, ECDSA or RSA key, and SHA-2")]
    Unsupported {
        /// The algorithm or format, in the middle of a sentence.
        what: String,
    },
    /// OpenPGP was left out of this program.
    #[error("the signature is one of OpenPGP, and this program was built without the feature `openpgp`")]
    NoOpenPgp,
    /// The text is no signature.
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
    fn from(judged: Result<(String, Fingerprint), Reason>) -> Self {
        match judged {
            Ok((signer, key)) => Self::Good { signer, key },
            Err(reason) => Self::Bad(reason),
        }
    }
}
