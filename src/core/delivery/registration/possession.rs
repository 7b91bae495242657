//! Whether the requester of a certificate has the private key: the signature of a PKCS#10 request.

use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P384_SHA256_ASN1, ECDSA_P384_SHA384_ASN1, ED25519,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, UnparsedPublicKey,
    VerificationAlgorithm,
};
use x509_cert::der::Encode as _;
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::der::oid::db::rfc5912::{
    ECDSA_WITH_SHA_256, ECDSA_WITH_SHA_384, ID_EC_PUBLIC_KEY, RSA_ENCRYPTION, SECP_256_R_1, SECP_384_R_1,
    SHA_256_WITH_RSA_ENCRYPTION, SHA_384_WITH_RSA_ENCRYPTION, SHA_512_WITH_RSA_ENCRYPTION,
};
use x509_cert::der::oid::db::rfc8410::ID_ED_25519;
use x509_cert::request::CertReq;
use x509_cert::spki::SubjectPublicKeyInfoOwned;

/// Returns `true` if a request is signed with the private key that belongs to its public key.
///
/// Agents use EC keys on P-256. Keys on P-384, RSA keys of at least 2048 bits and Ed25519 keys are supported too.
///
/// # Source
/// RFC 2986, section 3. kube-apiserver refuses other requests too (`pkg/apis/certificates/validation`).
pub(super) fn is_proven(request: &CertReq) -> bool {
    let key = &request.info.public_key;
    let bytes = (key.subject_public_key.as_bytes(), request.signature.as_bytes(), request.info.to_der());
    let (Some(public), Some(signature), Ok(signed)) = bytes else { return false };
    algorithm(key, request.algorithm.oid)
        .is_some_and(|algorithm| UnparsedPublicKey::new(algorithm, public).verify(&signed, signature).is_ok())
}

fn algorithm(
    key: &SubjectPublicKeyInfoOwned,
    signature: ObjectIdentifier,
) -> Option<&'static dyn VerificationAlgorithm> {
    let curve = || key.algorithm.parameters.as_ref()?.decode_as::<ObjectIdentifier>().ok();
    match (key.algorithm.oid, signature) {
        (ID_EC_PUBLIC_KEY, ECDSA_WITH_SHA_256) => match curve()? {
            SECP_256_R_1 => Some(&ECDSA_P256_SHA256_ASN1),
            SECP_384_R_1 => Some(&ECDSA_P384_SHA256_ASN1),
            _ => None,
        },
        (ID_EC_PUBLIC_KEY, ECDSA_WITH_SHA_384) => match curve()? {
            SECP_256_R_1 => Some(&ECDSA_P256_SHA384_ASN1),
            SECP_384_R_1 => Some(&ECDSA_P384_SHA384_ASN1),
            _ => None,
        },
        (RSA_ENCRYPTION, SHA_256_WITH_RSA_ENCRYPTION) => Some(&RSA_PKCS1_2048_8192_SHA256),
        (RSA_ENCRYPTION, SHA_384_WITH_RSA_ENCRYPTION) => Some(&RSA_PKCS1_2048_8192_SHA384),
        (RSA_ENCRYPTION, SHA_512_WITH_RSA_ENCRYPTION) => Some(&RSA_PKCS1_2048_8192_SHA512),
        (ID_ED_25519, ID_ED_25519) => Some(&ED25519),
        _ => None,
    }
}
