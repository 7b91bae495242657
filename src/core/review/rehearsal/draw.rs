//! Pseudorandom draws that depend only on a seed and a name.

use tidegate_model::random::mixed;

/// A source of draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The seed.
    pub seed: u64,
}

impl Draw {
    /// Draws a number in `0.0..1.0` for a purpose and a name.
    pub fn share(self, purpose: u64, name: &str) -> f64 {
        // FNV-1a turns the name into a number, which is mixed with the seed.
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let state = mixed(mixed(self.seed ^ purpose.rotate_left(32)) ^ hash);
        // As many bits as the mantissa of an `f64` has.
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}
