//! Creates SSH keys.

use ring::rand::{SecureRandom, generate};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use ssh_key::private::{Ed25519Keypair, Ed25519PrivateKey, KeypairData};
use ssh_key::public::Ed25519PublicKey;
use ssh_key::{LineEnding, PrivateKey};

/// No key could be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no key was created, because the system has no random numbers: check that this program may read /dev/urandom")]
pub struct NoRandomNumbers;

/// Returns a new Ed25519 private key as OpenSSH stores it, without a passphrase. The comment is usually the address of its owner.
///
/// # Errors
/// [`NoRandomNumbers`] if the source of random numbers fails.
pub fn new_private_key(random: &dyn SecureRandom, comment: &str) -> Result<String, NoRandomNumbers> {
    let seed: [u8; 32] = generate(random).map_err(|_| NoRandomNumbers)?.expose();
    let pair = Ed25519KeyPair::from_seed_unchecked(&seed).map_err(|_| NoRandomNumbers)?;
    let public: [u8; 32] = pair.public_key().as_ref().try_into().map_err(|_| NoRandomNumbers)?;
    let pair = Ed25519Keypair { public: Ed25519PublicKey(public), private: Ed25519PrivateKey::from_bytes(&seed) };
    let key = PrivateKey::new(KeypairData::Ed25519(pair), comment);
    let text = key.and_then(|key| key.to_openssh(LineEnding::LF)).map_err(|_| NoRandomNumbers)?;
    Ok(text.as_str().to_owned())
}
