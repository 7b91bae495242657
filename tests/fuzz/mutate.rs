//! Changes bytes at random.

/// Fragments that parsers treat in a special way.
const FRAGMENTS: &[&str] = &[
    "",
    "\0",
    "\n",
    "\r\n",
    "\t",
    " ",
    "  - ",
    ": ",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    "\"",
    "'",
    "\\",
    "#",
    "&a ",
    "*a",
    "<<: ",
    "---\n",
    "...\n",
    "!!binary ",
    "|\n",
    ">-\n",
    "%",
    "$",
    "~",
    "null",
    "true",
    "NaN",
    "-0",
    "1e999",
    "9223372036854775808",
    "-9223372036854775809",
    "18446744073709551616",
    "0x",
    "1_0",
    "\u{feff}",
    "\u{202e}",
    "é",
    "\u{1f600}",
    "\\u0000",
    "\\ud800",
    "${",
    "{{",
    "../",
    "/",
    "//",
    "..",
    ".",
    "*",
    "?",
    "^",
    "+",
    "|",
    "=",
    "==",
    "!=",
    ">=",
    "&&",
    "@",
    "T00:00:60Z",
    "9999-12-31",
    "1h",
    "999999999h",
    "Ki",
    "E",
];

/// Changes samples as a function of a seed.
pub(super) struct Mutator<'a> {
    samples: &'a [Vec<u8>],
    state: u64,
}

impl<'a> Mutator<'a> {
    /// Creates a mutator of samples; at least one.
    pub(super) fn new(seed: u64, samples: &'a [Vec<u8>]) -> Self {
        assert!(!samples.is_empty());
        Self { samples, state: seed }
    }

    /// Returns a number less than `limit`, which is at least 1.
    ///
    /// # Source
    /// SplitMix64, by Steele, Lea and Flood.
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % limit as u64).unwrap()
    }

    /// Returns a sample with a few changes.
    pub(super) fn next(&mut self) -> Vec<u8> {
        let at = self.below(self.samples.len());
        let mut bytes = self.samples[at].clone();
        for _ in 0..=self.below(6) {
            self.change(&mut bytes);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.below(bytes.len() + 1);
        let end = (at + self.below(24)).min(bytes.len());
        match self.below(9) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let fragment = FRAGMENTS[self.below(FRAGMENTS.len())];
                drop(bytes.splice(at..at, fragment.bytes()));
            }
            3 => {
                let fragment = FRAGMENTS[self.below(FRAGMENTS.len())];
                drop(bytes.splice(at..end, fragment.bytes()));
            }
            4 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
            5 => {
                let byte = u8::try_from(self.below(256)).unwrap();
                bytes.insert(at, byte);
            }
            6 => {
                // A part that is repeated, also very often: nesting, long names, long lists.
                let times = [2, 3, 40, 3_000][self.below(4)];
                let part = bytes[at..end].repeat(times);
                drop(bytes.splice(at..at, part));
            }
            7 => {
                // The head of one sample, and the tail of another one.
                let other = self.below(self.samples.len());
                let from = self.below(self.samples[other].len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&self.samples[other][from..]);
            }
            _ => {
                let part = bytes[at..end].to_vec();
                let to = self.below(bytes.len() + 1);
                drop(bytes.splice(to..to, part));
            }
        }
    }
}
