//! Descriptions of nodes for messages.

use super::{Kind, Node};

/// Returns a description of a node for messages.
pub(crate) fn described(node: &Node) -> String {
    let Some(scalar) = node.as_scalar() else {
        return if node.as_mapping().is_some() { "a mapping" } else { "a list" }.to_owned();
    };
    match scalar.kind() {
        Kind::Null => "null".to_owned(),
        Kind::Bool => format!("the boolean {}", scalar.text()),
        Kind::Integer | Kind::Float => format!("the number {}", scalar.text()),
        Kind::Timestamp => format!("the date {}", scalar.text()),
        Kind::String => format!("the string {:?}", scalar.text()),
    }
}
