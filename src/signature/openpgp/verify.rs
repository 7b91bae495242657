//! Verifies detached OpenPGP signatures.

use pgp::composed::{Deserializable as _, DetachedSignature};
use pgp::packet::{Signature, SignatureType};

use super::certificate::{self, Certificate};
use super::key::{self, CertifiedKey};
use super::strength::{key_weakness, weakness};
use crate::armor;
use crate::validity::Validity;
use crate::verdict::{Fingerprint, Reason};
use tidegate_model::time::Timestamp;

/// Maximum number of signatures to check in one block: each takes time, and anyone who pushes a commit controls the
/// block.
const MAX_SIGNATURES: usize = 8;

/// Returns the signer and the key, or why none of the signatures counts. One good signature is enough.
pub(crate) fn verify(
    certificates: &[Certificate],
    payload: &[u8],
    text: &str,
    at: Timestamp,
) -> Result<(String, Fingerprint), Reason> {
    let unreadable = |why: String| Reason::Unreadable { why };
    let block = armor::blocks(text).into_iter().next().and_then(|block| block.text);
    let block = block.ok_or_else(|| unreadable("its end is missing".to_owned()))?;
    let (found, _) = DetachedSignature::from_string_many(block).map_err(|error| unreadable(error.to_string()))?;
    let mut refused: Option<Reason> = None;
    for parsed in found.take(MAX_SIGNATURES) {
        let result = match parsed {
            Ok(parsed) => verify_one(certificates, &parsed.signature, payload, at),
            Err(error) => Err(unreadable(error.to_string())),
        };
        match result {
            Ok(good) => return Ok(good),
            // An error about a known key is more useful than one about an unknown key.
            Err(reason) if refused.as_ref().is_none_or(|r| matches!(r, Reason::UnknownKey { .. })) => {
                refused = Some(reason)
            }
            Err(_) => {}
        }
    }
    Err(refused.unwrap_or_else(|| unreadable("there is no signature in it".to_owned())))
}

fn verify_one(
    certificates: &[Certificate],
    signature: &Signature,
    payload: &[u8],
    at: Timestamp,
) -> Result<(String, Fingerprint), Reason> {
    if let Some(what) = weakness(signature) {
        return Err(Reason::Unsupported { what });
    }
    if !matches!(signature.typ(), Some(SignatureType::Binary | SignatureType::Text)) {
        return Err(Reason::Unreadable { why: "it is a signature over a key, not over a commit".to_owned() });
    }
    let (mut good, mut refused) = (None, None);
    for certificate in certificates {
        for member in certificate.keys().filter(|member| names(signature, member)) {
            match check(certificate, member, signature, payload, at) {
                Ok(key) => good = good.or(Some((certificate.signer.clone(), key))),
                // An older copy of the certificate without the revocation must not override it.
                Err(reason @ Reason::Revoked { .. }) => return Err(reason),
                Err(reason) => refused = refused.or(Some(reason)),
            }
        }
    }
    good.ok_or_else(|| refused.unwrap_or_else(|| unknown(signature)))
}

/// Returns `true` if a signature names a key as its issuer.
fn names(signature: &Signature, member: &CertifiedKey) -> bool {
    signature.issuer_fingerprint().contains(&&member.material.fingerprint())
        || signature.issuer_key_id().contains(&&member.material.key_id())
}

fn unknown(signature: &Signature) -> Reason {
    let named = signature.issuer_fingerprint().first().map(|fingerprint| certificate::fingerprint(fingerprint));
    let named = named
        .or_else(|| signature.issuer_key_id().first().map(|id| Fingerprint::new(id.to_string().to_ascii_uppercase())));
    named.map_or_else(
        || Reason::Unreadable { why: "it does not say which key made it".to_owned() },
        |key| Reason::UnknownKey { key },
    )
}

fn check(
    certificate: &Certificate,
    member: &CertifiedKey,
    signature: &Signature,
    payload: &[u8],
    at: Timestamp,
) -> Result<Fingerprint, Reason> {
    let (key, signer) = (certificate::fingerprint(&member.material.fingerprint()), certificate.signer.as_str());
    if let Some(what) = key_weakness(member.material.parameters()) {
        return Err(Reason::Unsupported { what });
    }
    if !member.material.made(signature, payload) {
        return Err(Reason::Broken { key });
    }
    if !member.may_sign {
        return Err(Reason::NotForSigning { key, signer: signer.to_owned() });
    }
    let primary = certificate::fingerprint(&certificate.primary.material.fingerprint());
    certificate.primary.check(&primary, signer, at)?;
    member.check(&key, signer, at)?;
    lifetime(signature)?.check(&key, signer, at)?;
    Ok(key)
}

/// Returns the validity of the signature itself. It has no start, because the signer's clock may be slightly off.
fn lifetime(signature: &Signature) -> Result<Validity, Reason> {
    let Some(created) = signature.created() else {
        return Err(Reason::Unreadable { why: "it does not say when it was made".to_owned() });
    };
    let span = signature.signature_expiration_time().filter(|span| span.as_secs() > 0);
    let until = span.map(|span| key::instant(i64::from(created.as_secs()) + i64::from(span.as_secs()) - 1));
    Ok(Validity { from: None, until })
}
