//! Normalization of the metadata of embedded resources: empty and unknown fields are dropped, as in the metadata of any object.

use serde_json::Value;

use super::node::Node;
use tidegate_api::schema::pruning;

/// Normalizes the metadata of all embedded resources to the form that a server stores. `metadata` is its schema.
///
/// # Source
/// `apiextensions-apiserver/pkg/apiserver/schema/objectmeta`, `Coerce`.
pub(crate) fn coerce(value: &mut Value, node: &Node, metadata: &Value) {
    match value {
        Value::Object(members) => {
            if node.is_resource
                && let Some(own) = members.get_mut("metadata").filter(|own| own.is_object())
            {
                pruning::prune(own, metadata, false);
                if let Value::Object(own) = own {
                    own.retain(|_, member| !is_empty(member));
                }
            }
            for (name, member) in members.iter_mut() {
                if let Some(schema) = node.members.get(name).or(node.others.as_deref()) {
                    coerce(member, schema, metadata);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = &node.items {
                items.iter_mut().for_each(|item| coerce(item, schema, metadata));
            }
        }
        _ => {}
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}
