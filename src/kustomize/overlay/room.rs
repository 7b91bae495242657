//! How much memory copies of values may take.

use crate::yaml::{Content, Node};

/// The most that copies take, in MiB of their texts and some for each value.
pub(super) const MAX_MIB: usize = 16;
/// What a value takes besides its text, in bytes.
const VALUE: usize = 32;

/// What copies may still take.
#[derive(Debug)]
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(MAX_MIB << 20)
    }
}

impl Room {
    /// Takes what a value needs; returns `true` if it was there.
    pub(super) fn take(&mut self, value: &Node) -> bool {
        let left = self.0.checked_sub(bytes(value));
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

fn bytes(node: &Node) -> usize {
    let held: usize = match &node.content {
        Content::Scalar(scalar) => scalar.text().len(),
        Content::Sequence(items) => items.iter().map(bytes).sum(),
        Content::Mapping(mapping) => mapping.iter().map(|member| member.key().text.len() + bytes(&member.value)).sum(),
    };
    held + VALUE
}
