//! An OpenPGP certificate as plain facts: its owner, and which of its keys may sign.

use pgp::composed::{SignedPublicKey, SignedPublicSubKey};
use pgp::packet::{PublicKey, Signature, SignatureType};
use pgp::types::{KeyDetails as _, KeyVersion, SignedUser, Tag};

use super::key::{self, CertifiedKey, Material, Revocation};
use super::strength::weakness;
use crate::verdict::Fingerprint;

/// A certificate whose statements were all checked.
#[derive(Debug, Clone)]
pub(crate) struct Certificate {
    /// The name of its owner.
    pub(crate) signer: String,
    /// All valid user ids.
    names: Vec<String>,
    /// The key that certifies all others.
    pub(super) primary: CertifiedKey,
    /// The other keys.
    subkeys: Vec<CertifiedKey>,
}

/// A certificate that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unusable {
    #[error("the certificate {0} has an old version, which cannot be relied on: create a new key")]
    Old(Fingerprint),
    #[error(
        "the certificate {0} has no valid self-signature, or only one with SHA-1: its owner must make another one with \
         `gpg --quick-set-expire {0} 2y`, and export the key again"
    )]
    Unsigned(Fingerprint),
}

impl Certificate {
    /// Checks a certificate.
    ///
    /// As with GnuPG, the newest valid statement about a key counts at any time: an owner who extends a key's expiry declares
    /// that it was good all along.
    ///
    /// # Errors
    /// [`Unusable`]
    pub(crate) fn new(parsed: SignedPublicKey) -> Result<Self, Unusable> {
        let key = &parsed.primary_key;
        let shown = fingerprint(&key.fingerprint());
        if !matches!(key.version(), KeyVersion::V4 | KeyVersion::V6) {
            return Err(Unusable::Old(shown));
        }
        let mut users: Vec<(&SignedUser, &Signature)> =
            parsed.details.users.iter().filter_map(|user| Some((user, certification(key, user)?))).collect();
        users.sort_by_key(|(_, statement)| std::cmp::Reverse((statement.is_primary(), seconds(statement))));
        let direct = parsed
            .details
            .direct_signatures
            .iter()
            .filter(|s| s.typ() == Some(SignatureType::Key) && weakness(s).is_none() && s.verify_key(key).is_ok());
        let Some(statement) = direct.chain(users.iter().map(|(_, s)| *s)).max_by_key(|s| seconds(s)) else {
            return Err(Unusable::Unsigned(shown));
        };
        let revocations = parsed.details.revocation_signatures.iter().filter(|s| s.verify_key(key).is_ok());
        let primary = CertifiedKey {
            material: Material::Primary(key.clone()),
            may_sign: key::sign_flag(statement).unwrap_or(true),
            validity: key::validity(key.created_at(), statement),
            revoked: Revocation::of(revocations),
        };
        let names: Vec<String> =
            users.iter().map(|(user, _)| String::from_utf8_lossy(user.id.id()).into_owned()).collect();
        let signer = names.first().cloned().unwrap_or_else(|| shown.to_string());
        let subkeys = parsed.public_subkeys.iter().map(|subkey| checked_subkey(key, subkey)).collect();
        Ok(Self { signer, names, primary, subkeys })
    }

    /// Returns all keys, the primary one first.
    pub(super) fn keys(&self) -> impl Iterator<Item = &CertifiedKey> {
        std::iter::once(&self.primary).chain(&self.subkeys)
    }

    /// Returns `true` if the key belongs to the certificate and one of its user ids has this e-mail address.
    pub(crate) fn speaks_for(&self, key: &Fingerprint, identity: &str) -> bool {
        let address = format!("<{identity}>");
        self.keys().any(|member| fingerprint(&member.material.fingerprint()) == *key)
            && self.names.iter().any(|name| name == identity || name.ends_with(&address))
    }
}

/// Returns a fingerprint as GnuPG prints it.
pub(crate) fn fingerprint(fingerprint: &pgp::types::Fingerprint) -> Fingerprint {
    Fingerprint::new(format!("{fingerprint:X}"))
}

fn seconds(statement: &Signature) -> u32 {
    statement.created().map_or(0, |created| created.as_secs())
}

/// Returns the newest valid certification that a user id belongs to the key; `None` if it has since been revoked.
fn certification<'a>(key: &PublicKey, user: &'a SignedUser) -> Option<&'a Signature> {
    let holds = |s: &&Signature| s.verify_certification(key, Tag::UserId, &user.id).is_ok();
    let is_revocation = |s: &Signature| s.typ() == Some(SignatureType::CertRevocation);
    let stated = user.signatures.iter().filter(|s| !is_revocation(s) && weakness(s).is_none()).filter(holds);
    let newest = stated.max_by_key(|s| seconds(s))?;
    let revoked = user.signatures.iter().filter(|s| is_revocation(s)).filter(holds).map(seconds).max();
    revoked.is_none_or(|at| at < seconds(newest)).then_some(newest)
}

/// Checks a subkey: it may sign if the primary key says so, and if the subkey confirms that it belongs to the primary key.
///
/// Without the second condition, anyone could claim the signatures of someone else's subkey.
fn checked_subkey(primary: &PublicKey, subkey: &SignedPublicSubKey) -> CertifiedKey {
    let holds = |s: &&Signature| s.verify_subkey_binding(primary, &subkey.key).is_ok();
    let is = |s: &Signature, typ: SignatureType| s.typ() == Some(typ);
    let bindings = subkey.signatures.iter().filter(|s| is(s, SignatureType::SubkeyBinding) && weakness(s).is_none());
    let binding = bindings.filter(holds).max_by_key(|s| seconds(s));
    let may_sign = binding.is_some_and(|binding| {
        let back = binding.embedded_signature();
        key::sign_flag(binding) == Some(true)
            && back.is_some_and(|s| weakness(s).is_none() && s.verify_primary_key_binding(&subkey.key, primary).is_ok())
    });
    let revocations = subkey.signatures.iter().filter(|s| is(s, SignatureType::SubkeyRevocation)).filter(holds);
    CertifiedKey {
        material: Material::Subkey(subkey.key.clone()),
        may_sign,
        validity: binding.map(|b| key::validity(subkey.key.created_at(), b)).unwrap_or_default(),
        revoked: Revocation::of(revocations),
    }
}
