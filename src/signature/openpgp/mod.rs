//! Verifies OpenPGP signatures.
//!
//! The certificates of a keyring are reduced to plain facts when they are read: which keys may sign, for whom and when.
//! This requires the feature `openpgp`. Without it, keyrings and OpenPGP signatures are refused with an error that says so.

#[cfg(not(feature = "openpgp"))]
mod absent;
#[cfg(feature = "openpgp")]
mod certificate;
#[cfg(feature = "openpgp")]
mod keyring;
#[cfg(feature = "openpgp")]
mod member;
#[cfg(feature = "openpgp")]
mod strength;
#[cfg(feature = "openpgp")]
mod verify;

#[cfg(not(feature = "openpgp"))]
pub(super) use absent::{Certificate, read_armoured, read_binary, verify};
#[cfg(feature = "openpgp")]
pub(super) use certificate::Certificate;
#[cfg(feature = "openpgp")]
pub(super) use keyring::{read_armoured, read_binary};
#[cfg(feature = "openpgp")]
pub(super) use verify::verify;
