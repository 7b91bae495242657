//! Verifies OpenPGP signatures.
//!
//! The certificates of a keyring are reduced to plain facts when they are read: which keys may sign, for whom and when.
//! This requires the feature `openpgp`. Without it, keyrings and OpenPGP signatures are refused with an error that says so.

#[cfg(feature = "openpgp")]
mod certificate;
#[cfg(not(feature = "openpgp"))]
mod disabled;
#[cfg(feature = "openpgp")]
mod key;
#[cfg(feature = "openpgp")]
mod keyring;
#[cfg(feature = "openpgp")]
mod strength;
#[cfg(feature = "openpgp")]
mod verify;

#[cfg(feature = "openpgp")]
pub(super) use certificate::Certificate;
#[cfg(not(feature = "openpgp"))]
pub(super) use disabled::{Certificate, read_armored, read_binary, verify};
#[cfg(feature = "openpgp")]
pub(super) use keyring::{read_armored, read_binary};
#[cfg(feature = "openpgp")]
pub(super) use verify::verify;
