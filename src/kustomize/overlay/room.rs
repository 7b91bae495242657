//! Limits the memory that copies of values use.

use crate::yaml::{Content, Node};

/// Maximum memory for copies, in MiB: their strings, and a fixed amount for each value.
pub(super) const MAX_MIB: usize = 16;
/// Memory that a value uses in addition to its string, in bytes.
const VALUE: usize = 32;

/// The memory that copies may still use, in bytes.
#[derive(Debug)]
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(MAX_MIB << 20)
    }
}

impl Room {
    /// Takes the memory that a value needs. Returns `true` if there was enough.
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
