//! Pseudorandom draws that depend only on a seed and a name.

/// A source of draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The seed.
    pub seed: u64,
}

impl Draw {
    /// Draws a number in `0.0..1.0` for a purpose and a name.
    pub fn share(self, purpose: u64, name: &str) -> f64 {
        // FNV-1a turns the name into a number, and SplitMix64 mixes it with the seed.
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let state = mixed(mixed(self.seed ^ purpose.rotate_left(32)) ^ hash);
        // As many bits as the mantissa of an `f64` has.
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// # Source
/// SplitMix64, Steele, Lea and Flood (2014).
fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
