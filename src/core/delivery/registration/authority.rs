//! The authority of a custom signer: a certificate and a private key, from a Secret.

use std::fmt;

use ring::rand::SecureRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P384_SHA384_ASN1_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm, KeyPair as _,
    RSA_PKCS1_SHA256, RsaKeyPair,
};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use sec1::EcPrivateKey;
use x509_cert::Certificate;
use x509_cert::der::asn1::{Any, Null};
use x509_cert::der::oid::ObjectIdentifier;
use x509_cert::der::oid::db::rfc5912::{
    ECDSA_WITH_SHA_256, ECDSA_WITH_SHA_384, SECP_256_R_1, SECP_384_R_1, SHA_256_WITH_RSA_ENCRYPTION,
};
use x509_cert::der::{self, Decode as _};
use x509_cert::spki::AlgorithmIdentifierOwned;

use tidegate_model::time::Timestamp;

/// The reason why an authority cannot issue a certificate.
///
/// # Source
/// OCM `pkg/addon/templateagent`, `CustomSignerWithExpiry`, for the messages that upstream has too.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// The value `tls.crt` has no PEM block with a certificate.
    #[error("failed to decode ca cert")]
    NoCertificate,
    /// The certificate of the authority is malformed.
    #[error("failed to parse ca certificate: {0}")]
    Certificate(der::Error),
    /// The value `tls.key` has no PEM block with a private key.
    #[error("failed to decode ca key")]
    NoKey,
    /// The private key is malformed or of another type.
    #[error("failed to parse ca key: {0}; RSA keys of 2048 to 4096 bits and EC keys on P-256 and P-384 are supported")]
    Key(String),
    /// The private key belongs to another certificate.
    #[error("the ca key does not belong to the ca certificate")]
    Mismatch,
    /// The certificate of the authority has expired.
    #[error("signer has expired, expired time: {0}")]
    Expired(Timestamp),
    /// A time or a name cannot be encoded.
    #[error("the certificate cannot be encoded: {0}")]
    Encoding(der::Error),
    /// The source of random numbers failed.
    #[error("the ca key failed to sign: the system has no random numbers, or the key is damaged")]
    Signing,
}

/// The certificate and the private key of a custom signer.
pub struct Authority {
    /// The certificate.
    pub(super) certificate: Certificate,
    key: Key,
}

enum Key {
    Rsa(Box<RsaKeyPair>),
    P256(EcdsaKeyPair),
    P384(EcdsaKeyPair),
}

/// Displays the subject of the certificate, and never the key.
impl fmt::Debug for Authority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Authority({})", self.certificate.tbs_certificate.subject)
    }
}

impl Authority {
    /// Reads an authority from the values `tls.crt` and `tls.key` of a Secret: of each, the first PEM block of its kind.
    ///
    /// The key may be RSA in PKCS#8 or PKCS#1, or EC in PKCS#8 or SEC 1. Upstream accepts only RSA. `random` is a source of
    /// random numbers; the key is tested with it.
    ///
    /// # Errors
    /// [`Unusable`].
    ///
    /// # Source
    /// OCM `pkg/addon/templateagent`, `CustomSignerWithExpiry`.
    pub fn from_pem(certificate: &[u8], key: &[u8], random: &dyn SecureRandom) -> Result<Self, Unusable> {
        let der = CertificateDer::from_pem_slice(certificate).map_err(|_| Unusable::NoCertificate)?;
        let certificate = Certificate::from_der(&der).map_err(Unusable::Certificate)?;
        let key = Key::parse(&PrivateKeyDer::from_pem_slice(key).map_err(|_| Unusable::NoKey)?, random)?;
        let public = &certificate.tbs_certificate.subject_public_key_info.subject_public_key;
        if public.as_bytes() != Some(key.public()) {
            return Err(Unusable::Mismatch);
        }
        Ok(Self { certificate, key })
    }

    /// Returns the algorithm of the signatures.
    pub(super) fn algorithm(&self) -> AlgorithmIdentifierOwned {
        match &self.key {
            Key::Rsa(_) => {
                AlgorithmIdentifierOwned { oid: SHA_256_WITH_RSA_ENCRYPTION, parameters: Some(Any::from(Null)) }
            }
            Key::P256(_) => AlgorithmIdentifierOwned { oid: ECDSA_WITH_SHA_256, parameters: None },
            Key::P384(_) => AlgorithmIdentifierOwned { oid: ECDSA_WITH_SHA_384, parameters: None },
        }
    }

    /// Signs `bytes`.
    pub(super) fn sign(&self, bytes: &[u8], random: &dyn SecureRandom) -> Result<Vec<u8>, Unusable> {
        match &self.key {
            Key::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, random, bytes, &mut signature).map_err(|_| Unusable::Signing)?;
                Ok(signature)
            }
            Key::P256(key) | Key::P384(key) => {
                let signature = key.sign(random, bytes).map_err(|_| Unusable::Signing)?;
                Ok(signature.as_ref().to_vec())
            }
        }
    }
}

impl Key {
    fn parse(der: &PrivateKeyDer<'_>, random: &dyn SecureRandom) -> Result<Self, Unusable> {
        let rejected = |error: ring::error::KeyRejected| Unusable::Key(error.to_string());
        let rsa = |key: RsaKeyPair| Self::Rsa(Box::new(key));
        match der {
            PrivateKeyDer::Pkcs1(key) => RsaKeyPair::from_der(key.secret_pkcs1_der()).map(rsa).map_err(rejected),
            PrivateKeyDer::Sec1(key) => Self::parse_sec1(key.secret_sec1_der(), random),
            PrivateKeyDer::Pkcs8(key) => {
                let key = key.secret_pkcs8_der();
                let ec = |algorithm| EcdsaKeyPair::from_pkcs8(algorithm, key, random);
                RsaKeyPair::from_pkcs8(key)
                    .map(rsa)
                    .or_else(|_| ec(&ECDSA_P256_SHA256_ASN1_SIGNING).map(Self::P256))
                    .or_else(|_| ec(&ECDSA_P384_SHA384_ASN1_SIGNING).map(Self::P384))
                    .map_err(rejected)
            }
            _ => Err(Unusable::NoKey),
        }
    }

    fn parse_sec1(der: &[u8], random: &dyn SecureRandom) -> Result<Self, Unusable> {
        let key = EcPrivateKey::from_der(der).map_err(|error| Unusable::Key(error.to_string()))?;
        let curve = key.parameters.and_then(|parameters| parameters.named_curve());
        let public = key.public_key.ok_or_else(|| Unusable::Key("the key has no public key".to_owned()))?;
        let ec = |algorithm: &'static EcdsaSigningAlgorithm| {
            EcdsaKeyPair::from_private_key_and_public_key(algorithm, key.private_key, public, random)
                .map_err(|error| Unusable::Key(error.to_string()))
        };
        let is = |expected: ObjectIdentifier| curve.is_some_and(|curve| curve.as_bytes() == expected.as_bytes());
        if is(SECP_256_R_1) {
            ec(&ECDSA_P256_SHA256_ASN1_SIGNING).map(Self::P256)
        } else if is(SECP_384_R_1) {
            ec(&ECDSA_P384_SHA384_ASN1_SIGNING).map(Self::P384)
        } else {
            Err(Unusable::Key("the curve is not supported".to_owned()))
        }
    }

    /// Returns the public key, as the bit string of a certificate contains it.
    fn public(&self) -> &[u8] {
        match self {
            Self::Rsa(key) => key.public_key().as_ref(),
            Self::P256(key) | Self::P384(key) => key.public_key().as_ref(),
        }
    }
}
