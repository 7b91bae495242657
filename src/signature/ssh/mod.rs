//! Verifies SSH signatures, and holds what signing needs: the namespace, numbers on the wire, and RSA keys.

mod crypto;
pub(super) mod rsa_key;
mod verify;
pub(super) mod wire;

pub(super) use verify::{NAMESPACE, fingerprint, verify};
