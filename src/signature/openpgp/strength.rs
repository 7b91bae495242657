//! Decides which OpenPGP algorithms can be relied on.

use pgp::crypto::hash::HashAlgorithm;
use pgp::packet::{Signature, SignatureVersion, SubpacketData};
use pgp::ser::Serialize as _;
use pgp::types::{EcdsaPublicParams, EddsaLegacyPublicParams, PublicParams};

/// Returns the part of a signature that cannot be relied on: its version, its hash, or an unknown critical subpacket.
pub(super) fn weakness(signature: &Signature) -> Option<String> {
    if !matches!(signature.version(), SignatureVersion::V4 | SignatureVersion::V6) {
        return Some(format!("version {} of OpenPGP signatures", u8::from(signature.version())));
    }
    match signature.hash_alg() {
        Some(
            HashAlgorithm::Sha256
            | HashAlgorithm::Sha384
            | HashAlgorithm::Sha512
            | HashAlgorithm::Sha3_256
            | HashAlgorithm::Sha3_512,
        ) => {}
        Some(hash) => return Some(format!("the hash {hash}")),
        None => return Some("no hash".to_owned()),
    }
    let unknown = |data: &SubpacketData| {
        matches!(data, SubpacketData::Other(..) | SubpacketData::Experimental(..) | SubpacketData::Notation(_))
    };
    // A subpacket that is marked as critical must be understood, or the signature may mean something else.
    let demands = signature.config().is_some_and(|c| c.hashed_subpackets().any(|s| s.is_critical && unknown(&s.data)));
    demands.then(|| "a critical subpacket that is not supported".to_owned())
}

/// Returns why a key cannot be relied on.
pub(super) fn key_weakness(parameters: &PublicParams) -> Option<String> {
    match parameters {
        PublicParams::RSA(key) => {
            // The number starts with its length in bits.
            let bytes = key.to_bytes().unwrap_or_default();
            let bits = bytes.first_chunk::<2>().map_or(0, |bits| u16::from_be_bytes(*bits));
            (bits < 2048).then(|| format!("an RSA key of {bits} bits (2048 or more are expected)"))
        }
        PublicParams::ECDSA(EcdsaPublicParams::Unsupported { curve, .. }) => Some(format!("the curve {curve}")),
        PublicParams::EdDSALegacy(EddsaLegacyPublicParams::Unsupported { curve, .. }) => {
            Some(format!("the curve {curve}"))
        }
        PublicParams::ECDSA(_) | PublicParams::EdDSALegacy(_) | PublicParams::Ed25519(_) => None,
        PublicParams::DSA(_) => Some("a DSA key".to_owned()),
        _ => Some("this kind of OpenPGP key".to_owned()),
    }
}
