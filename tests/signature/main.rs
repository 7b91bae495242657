//! Signatures: made by `ssh-keygen`, `gpg` and `git`, kept as files, and judged without any of them.
//!
//! The private keys among these files were made for these tests and open nothing.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that panics is a test that fails")]

mod allowed;
mod fixture;
#[cfg(not(feature = "openpgp"))]
mod no_openpgp;
#[cfg(feature = "openpgp")]
mod openpgp;
mod properties;
mod security_key;
mod signing;
mod ssh;
