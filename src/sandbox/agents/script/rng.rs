//! Pseudorandom draws that depend only on a seed and names.

use sha2::{Digest, Sha256};

/// A source of pseudorandom draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Rng {
    pub(crate) seed: u64,
}

impl Rng {
    /// Draws a number for a name.
    pub(crate) fn number(self, what: &str, name: &str) -> u64 {
        let digest = Sha256::digest(format!("{}/{what}/{name}", self.seed));
        digest.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// Draws a number in `0.0..1.0` for a name.
    pub(crate) fn share(self, what: &str, name: &str) -> f64 {
        // As many bits as the mantissa of an `f64` has.
        (self.number(what, name) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns `true` if a name is among the given percentage of all names.
    pub(crate) fn is_among(self, what: &str, name: &str, percent: f64) -> bool {
        self.share(what, name) * 100.0 < percent
    }
}
