//! What names are sorted by.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

/// Stands for a name in comparisons: in the same order as the names, but most pairs are told by their heads, without a walk to
/// two texts in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rank<'a> {
    /// Fifteen bytes of what follows the common prefix, zeros where there are fewer, and in the last byte how many there are.
    head: u128,
    name: &'a str,
}

/// The last byte of a head that holds all there is to know of a name: how long it is, and one.
const WHOLE: RangeInclusive<u8> = 1..=16;

impl Ord for Rank<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.head.cmp(&other.head).then_with(|| {
            let [.., length] = self.head.to_be_bytes();
            if WHOLE.contains(&length) { Ordering::Equal } else { self.name.cmp(other.name) }
        })
    }
}

impl PartialOrd for Rank<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rank<'_> {}

/// Gives names their ranks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranks<'a> {
    /// What the names begin with, all of them: it tells nothing.
    prefix: &'a [u8],
}

impl<'a> Ranks<'a> {
    /// Prepares for names such as these.
    pub(super) fn of(mut names: impl Iterator<Item = &'a str>) -> Self {
        let first = names.next().unwrap_or_default().as_bytes();
        let common = |prefix: &'a [u8], name: &str| {
            let length = prefix.iter().zip(name.as_bytes()).take_while(|(a, b)| a == b).count();
            prefix.get(..length).unwrap_or_default()
        };
        Self { prefix: names.fold(first, common) }
    }

    /// Returns the rank of a name, whether it begins as the others do or not.
    pub(super) fn rank<'n>(&self, name: &'n str) -> Rank<'n> {
        let head = match name.as_bytes().strip_prefix(self.prefix) {
            Some(rest) => head(rest),
            None if name.as_bytes() < self.prefix => 0,
            None => u128::MAX,
        };
        Rank { head, name }
    }
}

/// Returns the head of a name, which is above 0 and below the highest, since no text holds a byte of 255.
fn head(rest: &[u8]) -> u128 {
    let mut head = [0; 16];
    let [bytes @ .., length] = &mut head;
    *length = if rest.len() > bytes.len() { u8::MAX } else { rest.len() as u8 + WHOLE.start() };
    bytes.iter_mut().zip(rest).for_each(|(byte, given)| *byte = *given);
    u128::from_be_bytes(head)
}
