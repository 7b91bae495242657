//! Signatures of commits and tags: who made one, and whether the key was trusted at that time.
//!
//! A [`Store`] holds the trusted keys: lines of an OpenSSH allowed-signers file, and certificates of an OpenPGP keyring.
//! [`verify()`] checks a signature against it and returns a [`Verdict`], with a [`Reason`] if the signature is bad.
//! [`SigningKey`] signs the commits that this program makes, and [`new_private_key`] creates a key.
//!
//! ```text
//! allowed-signers file, keyring --Store::read--> Store --+
//! payload, signature, time of the commit ----------------+--verify--> Verdict
//! ```
//!
//! Nothing here reads the clock: a key is checked at the time that the caller gives. That time comes from the commit, and
//! anyone who holds a key can write any time there. So a stolen key must be removed from the store or revoked as compromised;
//! its expiry alone does not exclude it.
//!
//! ```
//! use tidegate_signature::{SigningKey, Store, Verdict, verify};
//!
//! # const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/signature/fixtures/ssh_ed25519.key");
//! # let private_key = std::fs::read_to_string(FILE)?;
//! let key = SigningKey::read(&private_key)?;
//! let signers = format!("ada@example.com {}", key.public_key());
//! let store = Store::read(signers.as_bytes()).map_err(|errors| format!("{errors:?}"))?;
//!
//! let signature = key.sign(b"the commit")?;
//! let verdict = verify(&store, b"the commit", &signature, "2026-01-31T12:00:00Z".parse()?);
//! assert_eq!(verdict, Verdict::Good { signer: "ada@example.com".to_owned(), key: key.fingerprint() });
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allowed_signers;
mod armor;
mod new_key;
mod openpgp;
mod parse_error;
mod signing;
mod ssh;
mod store;
mod validity;
mod verdict;
mod verify;

pub use new_key::{UnusableSeed, new_private_key};
pub use parse_error::ParseError;
pub use signing::{SigningError, SigningKey};
pub use store::Store;
pub use verdict::{Fingerprint, Reason, Verdict};
pub use verify::verify;
