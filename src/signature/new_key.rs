//! Creates SSH keys.

use ring::signature::{Ed25519KeyPair, KeyPair as _};
use ssh_key::private::{Ed25519Keypair, Ed25519PrivateKey, KeypairData};
use ssh_key::public::Ed25519PublicKey;
use ssh_key::{LineEnding, PrivateKey};

/// A seed of which no key can be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no key can be created of this seed: draw another one")]
pub struct UnusableSeed;

/// Returns the Ed25519 private key of a secret, random seed, as OpenSSH stores it without a passphrase. The comment is usually the
/// address of its owner.
///
/// # Errors
/// [`UnusableSeed`] if a library refuses the seed, which no known seed causes.
pub fn new_private_key(seed: &[u8; 32], comment: &str) -> Result<String, UnusableSeed> {
    let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_| UnusableSeed)?;
    let public: [u8; 32] = pair.public_key().as_ref().try_into().map_err(|_| UnusableSeed)?;
    let pair = Ed25519Keypair { public: Ed25519PublicKey(public), private: Ed25519PrivateKey::from_bytes(seed) };
    let key = PrivateKey::new(KeypairData::Ed25519(pair), comment);
    let text = key.and_then(|key| key.to_openssh(LineEnding::LF)).map_err(|_| UnusableSeed)?;
    Ok(text.as_str().to_owned())
}
