//! A key of a certificate, with what the certificate states about it.

use pgp::packet::{PublicKey, PublicSubkey, RevocationCode, Signature, SubpacketData};
use pgp::types::{KeyDetails as _, KeyId, PublicParams};

use crate::validity::Validity;
use crate::verdict::{Fingerprint, Reason};
use tidegate_model::time::Timestamp;

/// The public key itself.
#[derive(Debug, Clone)]
pub(super) enum Material {
    Primary(PublicKey),
    Subkey(PublicSubkey),
}

impl Material {
    /// Returns `true` if the key made the signature over the payload.
    pub(crate) fn made(&self, signature: &Signature, payload: &[u8]) -> bool {
        match self {
            Self::Primary(key) => signature.verify(key, payload).is_ok(),
            Self::Subkey(key) => signature.verify(key, payload).is_ok(),
        }
    }

    pub(super) fn parameters(&self) -> &PublicParams {
        match self {
            Self::Primary(key) => key.public_params(),
            Self::Subkey(key) => key.public_params(),
        }
    }

    pub(super) fn key_id(&self) -> KeyId {
        match self {
            Self::Primary(key) => key.legacy_key_id(),
            Self::Subkey(key) => key.legacy_key_id(),
        }
    }

    pub(crate) fn fingerprint(&self) -> pgp::types::Fingerprint {
        match self {
            Self::Primary(key) => key.fingerprint(),
            Self::Subkey(key) => key.fingerprint(),
        }
    }
}

/// A primary key or subkey.
#[derive(Debug, Clone)]
pub(super) struct CertifiedKey {
    pub(super) material: Material,
    /// Whether a valid binding allows it to sign.
    pub(crate) may_sign: bool,
    pub(crate) validity: Validity,
    pub(crate) revoked: Option<Revocation>,
}

/// The time from which a key must not be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Revocation {
    /// Never trusted: it was stolen, or its owner gave no reason.
    Always,
    /// Retired or superseded at that time; what it signed before stays good.
    Since(Timestamp),
}

impl Revocation {
    /// Returns the strictest of a key's valid revocations.
    pub(crate) fn of<'a>(revocations: impl Iterator<Item = &'a Signature>) -> Option<Self> {
        revocations.map(Self::meant_by).reduce(|a, b| match (a, b) {
            (Self::Since(a), Self::Since(b)) => Self::Since(a.min(b)),
            _ => Self::Always,
        })
    }

    fn meant_by(signature: &Signature) -> Self {
        let harmless = [RevocationCode::KeySuperseded, RevocationCode::KeyRetired];
        let is_harmless = signature.revocation_reason_code().is_some_and(|code| harmless.contains(code));
        signature
            .created()
            .filter(|_| is_harmless)
            .map_or(Self::Always, |created| Self::Since(instant(created.as_secs().into())))
    }
}

impl CertifiedKey {
    /// Returns an error if the key must not be trusted at an instant. `key` is the key to name in the error, and may differ
    /// from this one.
    pub(crate) fn check(&self, key: &Fingerprint, signer: &str, at: Timestamp) -> Result<(), Reason> {
        let revoked = |since| Err(Reason::Revoked { key: key.clone(), signer: signer.to_owned(), since });
        match self.revoked {
            Some(Revocation::Always) => revoked(None),
            Some(Revocation::Since(since)) if at >= since => revoked(Some(since)),
            _ => self.validity.check(key, signer, at),
        }
    }
}

/// Returns the period in which a key is valid, according to the statement that binds it.
pub(crate) fn validity(created: pgp::types::Timestamp, statement: &Signature) -> Validity {
    let created = i64::from(created.as_secs());
    let key_ends = statement.key_expiration_time().map(|span| (created, span));
    let stated = statement.created().map_or(created, |at| i64::from(at.as_secs()));
    let statement_ends = statement.signature_expiration_time().map(|span| (stated, span));
    let ends = [key_ends, statement_ends].into_iter().flatten().filter(|(_, span)| span.as_secs() > 0);
    // At the expiration time the key has already expired, so the second before is the last valid one.
    let until = ends.map(|(from, span)| from + i64::from(span.as_secs()) - 1).min();
    Validity { from: Some(instant(created)), until: until.map(instant) }
}

/// Returns whether the key flags of a statement allow signing; `None` if it has no flags.
pub(super) fn sign_flag(statement: &Signature) -> Option<bool> {
    statement.config()?.hashed_subpackets().find_map(|subpacket| match &subpacket.data {
        SubpacketData::KeyFlags(flags) => Some(flags.sign()),
        _ => None,
    })
}

/// Converts an OpenPGP time, which counts seconds since the Unix epoch.
pub(crate) fn instant(seconds: i64) -> Timestamp {
    Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH)
}
