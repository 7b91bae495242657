//! Signs with Tidegate's own SSH key.

use std::fmt;

use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, EcdsaSigningAlgorithm,
    Ed25519KeyPair, RSA_PKCS1_SHA512, RsaKeyPair,
};
use ssh_key::private::{EcdsaKeypair, KeypairData};
use ssh_key::{Algorithm, EcdsaCurve, HashAlg, LineEnding, PrivateKey, PublicKey, Signature, SshSig};

use super::armor;
use super::ssh::{self, NAMESPACE, rsa_key, wire};
use super::verdict::Fingerprint;

/// Why a private key cannot be used or failed to sign.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SigningError {
    /// The key is encrypted.
    #[error(
        "the key is protected by a passphrase, which no one could enter: create a key for this program alone with \
         `ssh-keygen -t ed25519 -N '' -f <file>`, or remove the passphrase from a copy with `ssh-keygen -p -N '' -f <file>`"
    )]
    Encrypted,
    /// The key has another format.
    #[error(
        "this is {found}, but an OpenSSH private key (BEGIN OPENSSH PRIVATE KEY) is expected: create one with \
         `ssh-keygen -t ed25519 -N '' -f <file>`, or rewrite an older one with `ssh-keygen -p -N '' -f <file>`"
    )]
    Format {
        /// What the file contains instead.
        found: String,
    },
    /// The key has the right format, but its content is damaged.
    #[error("the private key cannot be read ({why}): copy the whole file again")]
    Unreadable {
        /// What is wrong with it.
        why: String,
    },
    /// The key type is not supported for signing.
    #[error(
        "a key of type {found} cannot sign here: create an Ed25519, ECDSA (256 or 384) or RSA (2048 bits or more) key"
    )]
    Unsupported {
        /// The type of the key.
        found: String,
    },
    /// The system provided no random numbers, or the key does not work.
    #[error("the key {key} failed to sign: the system has no random numbers, or the key is damaged")]
    Failed {
        /// The key.
        key: Fingerprint,
    },
}

/// A private SSH key that signs commits.
///
/// Its bytes are never printed. They are not wiped from memory, because the signing library keeps them as long as the key
/// exists.
pub struct SigningKey {
    pair: Pair,
    public: PublicKey,
}

enum Pair {
    Ed25519(Box<Ed25519KeyPair>),
    Ecdsa(Box<EcdsaKeyPair>),
    Rsa(Box<RsaKeyPair>),
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("key", &self.fingerprint().as_str()).finish_non_exhaustive()
    }
}

impl SigningKey {
    /// Parses an OpenSSH private key without a passphrase.
    ///
    /// # Errors
    /// What the file contains instead, or what is wrong with the key. Errors never contain any part of the key.
    pub fn read(text: &str) -> Result<Self, SigningError> {
        match armor::label(text) {
            Some("OPENSSH PRIVATE KEY") => {}
            Some(label) => return Err(SigningError::Format { found: format!("a block {label:?}") }),
            None if text.trim_start().starts_with("ssh-") || text.trim_start().starts_with("ecdsa-") => {
                return Err(SigningError::Format { found: "a public key".to_owned() });
            }
            None => return Err(SigningError::Format { found: "no key".to_owned() }),
        }
        let armored = armor::rewrap(text)
            .ok_or_else(|| SigningError::Unreadable { why: "its last line is missing".to_owned() })?;
        let key =
            PrivateKey::from_openssh(armored).map_err(|error| SigningError::Unreadable { why: error.to_string() })?;
        let damaged = || SigningError::Unreadable { why: "its numbers are inconsistent".to_owned() };
        let pair = match key.key_data() {
            KeypairData::Encrypted(_) => return Err(SigningError::Encrypted),
            KeypairData::Ed25519(keys) => {
                Ed25519KeyPair::from_seed_and_public_key(keys.private.as_ref(), &keys.public.0)
                    .map(|pair| Pair::Ed25519(Box::new(pair)))
                    .map_err(|_| damaged())?
            }
            KeypairData::Ecdsa(keys) => ecdsa_pair(keys)?,
            KeypairData::Rsa(keys) => Pair::Rsa(Box::new(rsa_key::key_pair(keys).ok_or_else(damaged)?)),
            _ => return Err(SigningError::Unsupported { found: key.algorithm().to_string() }),
        };
        Ok(Self { pair, public: key.public_key().clone() })
    }

    /// Signs a commit or tag, and returns the armored signature that Git stores with the payload.
    ///
    /// ECDSA and RSA use random numbers from the system, so the signature differs each time. This is the only place in the pure
    /// floors that does so, and no decision depends on it.
    ///
    /// # Errors
    /// [`SigningError::Failed`] if the system has no random numbers.
    pub fn sign(&self, payload: &[u8]) -> Result<String, SigningError> {
        let failed = || SigningError::Failed { key: self.fingerprint() };
        let data = SshSig::signed_data(NAMESPACE, HashAlg::Sha512, payload).map_err(|_| failed())?;
        let random = SystemRandom::new();
        let (algorithm, bytes) = match &self.pair {
            Pair::Ed25519(pair) => (Algorithm::Ed25519, pair.sign(&data).as_ref().to_vec()),
            Pair::Ecdsa(pair) => {
                let fixed = pair.sign(&random, &data).map_err(|_| failed())?;
                (self.public.algorithm(), wire::numbers(fixed.as_ref()))
            }
            Pair::Rsa(pair) => {
                let mut bytes = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA512, &random, &data, &mut bytes).map_err(|_| failed())?;
                (Algorithm::Rsa { hash: Some(HashAlg::Sha512) }, bytes)
            }
        };
        Signature::new(algorithm, bytes)
            .and_then(|signature| SshSig::new(self.public.key_data().clone(), NAMESPACE, HashAlg::Sha512, signature))
            .and_then(|signature| signature.to_pem(LineEnding::LF))
            .map_err(|_| failed())
    }

    /// Returns the public key as one line, as in a `.pub` file or on a forge.
    pub fn public_key(&self) -> String {
        self.public.to_openssh().unwrap_or_default()
    }

    /// Returns the fingerprint of the key.
    pub fn fingerprint(&self) -> Fingerprint {
        ssh::fingerprint(self.public.key_data())
    }
}

fn ecdsa_pair(keys: &EcdsaKeypair) -> Result<Pair, SigningError> {
    let algorithm: &'static EcdsaSigningAlgorithm = match keys.curve() {
        EcdsaCurve::NistP256 => &ECDSA_P256_SHA256_FIXED_SIGNING,
        EcdsaCurve::NistP384 => &ECDSA_P384_SHA384_FIXED_SIGNING,
        EcdsaCurve::NistP521 => return Err(SigningError::Unsupported { found: keys.algorithm().to_string() }),
    };
    EcdsaKeyPair::from_private_key_and_public_key(
        algorithm,
        keys.private_key_bytes(),
        keys.public_key_bytes(),
        &SystemRandom::new(),
    )
    .map(|pair| Pair::Ecdsa(Box::new(pair)))
    .map_err(|_| SigningError::Unreadable { why: "its numbers are inconsistent".to_owned() })
}
