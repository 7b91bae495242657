//! Verifies SSH signatures.

use ssh_key::public::KeyData;
use ssh_key::{Error, HashAlg, SshSig};

use tidegate_model::time::Timestamp;

use super::crypto::{self, Check};
use crate::allowed_signers::AllowedSigner;
use crate::armor;
use crate::verdict::{Fingerprint, Reason};

/// The namespace of Git's signatures.
pub(crate) const NAMESPACE: &str = "git";

/// Returns the fingerprint of a key.
pub(crate) fn fingerprint(key: &KeyData) -> Fingerprint {
    Fingerprint::new(key.fingerprint(HashAlg::Sha256).to_string())
}

/// Returns the signer and the key, or why the signature does not count.
///
/// # Source
/// PROTOCOL.sshsig of OpenSSH. Trust is decided as by `ssh-keygen -Y find-principals` and `-Y verify`.
pub(crate) fn verify(
    signers: &[AllowedSigner],
    payload: &[u8],
    text: &str,
    at: Timestamp,
) -> Result<(String, Fingerprint), Reason> {
    let signature = read(text)?;
    if signature.namespace() != NAMESPACE {
        return Err(Reason::Namespace { found: signature.namespace().to_owned() });
    }
    let key = fingerprint(signature.public_key());
    let known: Vec<&AllowedSigner> = signers.iter().filter(|signer| signer.key == *signature.public_key()).collect();
    let Some(first) = known.first() else { return Err(Reason::UnknownKey { key }) };
    check(&signature, payload, &key, first.name())?;
    // A key may have several lines; one of them must allow it to sign.
    let mut refused = None;
    for signer in &known {
        match may_sign(signer, &key, at) {
            Ok(()) => return Ok((signer.name().to_owned(), key)),
            Err(reason) => refused = refused.or(Some(reason)),
        }
    }
    Err(refused.unwrap_or(Reason::UnknownKey { key }))
}

fn read(text: &str) -> Result<SshSig, Reason> {
    let unreadable = |why: String| Reason::Unreadable { why };
    let armored = armor::rewrap(text).ok_or_else(|| unreadable("its end is missing".to_owned()))?;
    SshSig::from_pem(armored).map_err(|error| match error {
        Error::AlgorithmUnknown => Reason::Unsupported { what: "the algorithm of this SSH signature".to_owned() },
        Error::AlgorithmUnsupported { algorithm } => Reason::Unsupported { what: format!("the algorithm {algorithm}") },
        Error::Version { number } => Reason::Unsupported { what: format!("version {number} of SSH signatures") },
        error => unreadable(error.to_string()),
    })
}

fn check(signature: &SshSig, payload: &[u8], key: &Fingerprint, signer: &str) -> Result<(), Reason> {
    let broken = || Reason::Broken { key: key.clone() };
    let data = SshSig::signed_data(NAMESPACE, signature.hash_alg(), payload).map_err(|_| broken())?;
    match crypto::check(signature.public_key(), signature.signature(), &data) {
        Check::Valid => Ok(()),
        Check::Untouched => Err(Reason::Untouched { key: key.clone(), signer: signer.to_owned() }),
        Check::Invalid => Err(broken()),
        Check::Unsupported(what) => Err(Reason::Unsupported { what }),
    }
}

fn may_sign(signer: &AllowedSigner, key: &Fingerprint, at: Timestamp) -> Result<(), Reason> {
    let is_for_git = signer.namespaces.as_ref().is_none_or(|namespaces| namespaces.matches(NAMESPACE));
    if !is_for_git {
        return Err(Reason::NotForGit { key: key.clone(), signer: signer.name().to_owned() });
    }
    signer.validity.check(key, signer.name(), at)
}
