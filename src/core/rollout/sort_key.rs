//! Sort keys for names.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

/// The sort key of a name. Keys have the same order as names, but most pairs are decided by their heads, without following pointers
/// to two strings.
#[derive(Debug, Clone, Copy)]
pub(super) struct SortKey<'a> {
    /// The first fifteen bytes after the common prefix, padded with zeros. The last byte is their number plus one, or 255 if there
    /// are more.
    head: u128,
    name: &'a str,
}

/// The last byte of a head that holds everything after the common prefix: its length plus one.
const WHOLE: RangeInclusive<u8> = 1..=16;

impl Ord for SortKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.head.cmp(&other.head).then_with(|| {
            let [.., length] = self.head.to_be_bytes();
            if WHOLE.contains(&length) { Ordering::Equal } else { self.name.cmp(other.name) }
        })
    }
}

impl PartialOrd for SortKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SortKey<'_> {}

/// Computes the keys of names.
#[derive(Debug, Clone, Copy)]
pub(super) struct SortKeys<'a> {
    /// The common prefix of all names, which does not affect their order.
    prefix: &'a [u8],
}

impl<'a> SortKeys<'a> {
    /// Finds the common prefix of these names.
    pub(super) fn of(mut names: impl Iterator<Item = &'a str>) -> Self {
        let first = names.next().unwrap_or_default().as_bytes();
        let common = |prefix: &'a [u8], name: &str| {
            let length = prefix.iter().zip(name.as_bytes()).take_while(|(a, b)| a == b).count();
            prefix.get(..length).unwrap_or_default()
        };
        Self { prefix: names.fold(first, common) }
    }

    /// Returns the key of a name, which may lack the common prefix.
    pub(super) fn key<'n>(&self, name: &'n str) -> SortKey<'n> {
        let head = match name.as_bytes().strip_prefix(self.prefix) {
            Some(rest) => head(rest),
            None if name.as_bytes() < self.prefix => 0,
            None => u128::MAX,
        };
        SortKey { head, name }
    }
}

/// Returns the head of a name. It is more than 0 and less than `u128::MAX`, because no string contains the byte 255.
fn head(rest: &[u8]) -> u128 {
    let mut head = [0; 16];
    let [bytes @ .., length] = &mut head;
    *length = if rest.len() > bytes.len() { u8::MAX } else { rest.len() as u8 + WHOLE.start() };
    bytes.iter_mut().zip(rest).for_each(|(byte, given)| *byte = *given);
    u128::from_be_bytes(head)
}
