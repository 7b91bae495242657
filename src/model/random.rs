//! Pseudorandom numbers that depend only on a seed.

/// A sequence of pseudorandom numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Returns the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(mixed(seed))
    }

    /// Returns a number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(1);
        // The bias towards small numbers is negligible for the limits of a simulation.
        mixed(self.0).checked_rem(limit).unwrap_or_default()
    }

    /// Returns `true` in this share of cases, in thousandths.
    pub fn chance(&mut self, thousandths: u64) -> bool {
        thousandths > 0 && self.below(1_000) < thousandths
    }

    /// Returns one of some values; `None` if there are none.
    pub fn pick<'a, T>(&mut self, values: &'a [T]) -> Option<&'a T> {
        let at = self.below(values.len() as u64);
        values.get(usize::try_from(at).unwrap_or_default())
    }
}

/// Returns a number whose bits all depend on all bits of another one.
///
/// # Source
/// SplitMix64, Steele, Lea and Flood (2014).
pub fn mixed(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
