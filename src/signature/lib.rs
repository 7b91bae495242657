//! Signatures of commits and tags: who made one, and whether that key was to be trusted at that time.
//!
//! A [`Store`] holds the keys that are trusted: lines of an allowed-signers file of OpenSSH, and certificates of an OpenPGP
//! keyring. [`verify`] judges a signature by it and gives a [`Verdict`], with the [`Reason`] as a value if it is a bad one.
//! [`SigningKey`] signs what this program itself commits.
//!
//! ```text
//! allowed-signers file, keyring --Store::read--> Store --+
//! payload, signature, time of the commit ----------------+--verify--> Verdict
//! ```
//!
//! Nothing here reads a clock: a key is judged at the time that the caller gives. That time comes from the commit, and whoever
//! holds a key may write any time there, so a key that was stolen must be taken out of the store or be revoked as stolen; its
//! end of validity alone does not shut it out.

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
