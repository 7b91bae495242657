//! Writes trees byte for byte as `kustomize build` prints them, after the round trip through JSON that normalizes their scalars.

mod analyze;
mod emitter;
mod key_order;
mod quoted;
mod roundtrip;
mod writer;

pub use self::roundtrip::normalize;
pub use self::writer::{write, write_all};
