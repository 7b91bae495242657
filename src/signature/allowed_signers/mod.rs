//! Parses allowed-signers files of OpenSSH.

mod cursor;
mod options;
mod patterns;
mod signer;

pub(super) use signer::{AllowedSigner, read};
