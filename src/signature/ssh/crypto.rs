//! The cryptographic checks of SSH signatures, done with ring.

use ring::digest::{SHA256, digest};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA512,
    RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use ssh_key::public::{EcdsaPublicKey, KeyData, RsaPublicKey};
use ssh_key::{Algorithm, HashAlg, Signature};

use super::wire;

/// Length of the data that a security key adds to its signature: flags, and a four-byte counter.
const TRAILER: usize = 5;
const PRESENT: u8 = 1;

/// The result of a cryptographic check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Check {
    /// The key signed the data.
    Valid,
    /// The key signed the data, but no one touched the security key.
    Untouched,
    /// The key did not sign the data.
    Invalid,
    /// The signature cannot be checked, or must not be relied on.
    Unsupported(String),
}

/// Checks a signature over data. The key type decides, so a signature of another type is broken.
pub(crate) fn check(key: &KeyData, signature: &Signature, data: &[u8]) -> Check {
    let bytes = signature.as_bytes();
    match (key, signature.algorithm()) {
        (KeyData::Ed25519(key), Algorithm::Ed25519) => verify_with(&ED25519, &key.0, data, bytes),
        (KeyData::Ecdsa(key), Algorithm::Ecdsa { curve }) if key.curve() == curve => ecdsa(key, data, bytes),
        (KeyData::Rsa(key), Algorithm::Rsa { hash: Some(hash) }) => rsa(key, hash, data, bytes),
        (KeyData::SkEd25519(key), Algorithm::SkEd25519) => {
            security_key(key.application(), data, bytes, |data, bytes| {
                verify_with(&ED25519, &key.public_key().0, data, bytes)
            })
        }
        (KeyData::SkEcdsaSha2NistP256(key), Algorithm::SkEcdsaSha2NistP256) => {
            security_key(key.application(), data, bytes, |data, bytes| {
                fixed_ecdsa(&ECDSA_P256_SHA256_FIXED, 32, key.ec_point().as_bytes(), data, bytes)
            })
        }
        (KeyData::Dsa(_) | KeyData::Other(_), _) => Check::Unsupported(format!("a key of type {}", key.algorithm())),
        _ => Check::Invalid,
    }
}

fn verify_with(algorithm: &'static dyn VerificationAlgorithm, key: &[u8], data: &[u8], signature: &[u8]) -> Check {
    let verified = UnparsedPublicKey::new(algorithm, key).verify(data, signature);
    if verified.is_ok() { Check::Valid } else { Check::Invalid }
}

fn ecdsa(key: &EcdsaPublicKey, data: &[u8], signature: &[u8]) -> Check {
    let point = key.as_sec1_bytes();
    match key {
        EcdsaPublicKey::NistP256(_) => fixed_ecdsa(&ECDSA_P256_SHA256_FIXED, 32, point, data, signature),
        EcdsaPublicKey::NistP384(_) => fixed_ecdsa(&ECDSA_P384_SHA384_FIXED, 48, point, data, signature),
        EcdsaPublicKey::NistP521(_) => Check::Unsupported("a key on the curve P-521".to_owned()),
    }
}

fn fixed_ecdsa(
    algorithm: &'static dyn VerificationAlgorithm,
    width: usize,
    point: &[u8],
    data: &[u8],
    signature: &[u8],
) -> Check {
    wire::fixed(signature, width).map_or(Check::Invalid, |pair| verify_with(algorithm, point, data, &pair))
}

fn rsa(key: &RsaPublicKey, hash: HashAlg, data: &[u8], signature: &[u8]) -> Check {
    let (Some(n), Some(e)) = (key.n.as_positive_bytes(), key.e.as_positive_bytes()) else { return Check::Invalid };
    let (n, e) = (wire::trimmed(n), wire::trimmed(e));
    let zeros = n.first().map_or(0, |byte| byte.leading_zeros() as usize);
    let bits = n.len() * 8 - zeros;
    if !(2048..=8192).contains(&bits) {
        return Check::Unsupported(format!("an RSA key of {bits} bits (2048 to 8192 are expected)"));
    }
    // The wire format has no leading zeros, but the check needs the full width of the key.
    let Some(signature) = wire::padded(signature, n.len()) else { return Check::Invalid };
    let algorithm = match hash {
        HashAlg::Sha256 => &RSA_PKCS1_2048_8192_SHA256,
        HashAlg::Sha512 => &RSA_PKCS1_2048_8192_SHA512,
        _ => return Check::Unsupported(format!("the hash {hash}")),
    };
    let verified = RsaPublicKeyComponents { n, e }.verify(algorithm, data, &signature);
    if verified.is_ok() { Check::Valid } else { Check::Invalid }
}

/// Checks a signature of a security key, which covers the hashes of its application and of the data, with flags and a
/// counter between them.
///
/// # Source
/// PROTOCOL.u2f of OpenSSH, "SSH U2F Signatures".
fn security_key(application: &str, data: &[u8], signature: &[u8], inner: impl FnOnce(&[u8], &[u8]) -> Check) -> Check {
    let Some((signature, trailer)) = signature.split_last_chunk::<TRAILER>() else { return Check::Invalid };
    let [flags, ..] = *trailer;
    let mut message = digest(&SHA256, application.as_bytes()).as_ref().to_vec();
    message.extend(trailer);
    message.extend(digest(&SHA256, data).as_ref());
    match inner(&message, signature) {
        Check::Valid if flags & PRESENT == 0 => Check::Untouched,
        other => other,
    }
}
