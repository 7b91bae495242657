//! The configurations that a cluster should have, with their hashes.

pub(super) mod desired;
pub(super) mod entry;
pub mod hash;
pub mod layer;
