//! Signatures of commits and tags: who made one, and whether the key was trusted at that time.
//!
//! A [`Store`] holds the trusted keys: lines of an OpenSSH allowed-signers file, and certificates of an OpenPGP keyring.
//! [`verify`] checks a signature against it and returns a [`Verdict`], with a [`Reason`] if the signature is bad.
//! [`SigningKey`] signs the commits that this program makes.
//!
//! ```text
//! allowed-signers file, keyring --Store::read--> Store --+
//! payload, signature, time of the commit ----------------+--verify--> Verdict
//! ```
//!
//! Nothing here reads the clock: a key is checked at the time that the caller gives. That time comes from the commit, and
//! anyone who holds a key can write any time there. So a stolen key must be removed from the store or revoked as compromised;
//! its expiry alone does not exclude it.

mod allowed;
mod armour;
mod cursor;
mod date;
mod fault;
mod openpgp;
mod options;
mod pattern;
mod primitive;
mod rsa;
mod signing;
mod ssh;
mod store;
mod validity;
mod verdict;
mod verify;
mod wire;

pub use fault::Fault;
pub use signing::{SigningError, SigningKey};
pub use store::Store;
pub use verdict::{Fingerprint, Reason, Verdict};
pub use verify::verify;
