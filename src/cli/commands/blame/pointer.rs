//! JSON pointers (RFC 6901) into trees of values with origins.

use crate::cli::failure::Failure;
use tidegate_kustomize::yaml::{Content, Node};

/// Follows a JSON pointer (RFC 6901).
///
/// # Errors
/// [`Failure::Usage`] if the object has no such value, with what it has instead.
pub(super) fn step_into<'a>(object: &'a Node, pointer: &str) -> Result<(String, &'a Node), Failure> {
    let mut node = object;
    let mut walked = String::new();
    for part in pointer.trim_start_matches('/').split('/').filter(|part| !part.is_empty()) {
        let name = part.replace("~1", "/").replace("~0", "~");
        node = node.child(&name).ok_or_else(|| {
            let at = if walked.is_empty() { "the object" } else { &walked };
            let has = match &node.content {
                Content::Mapping(members) => {
                    let names: Vec<&str> = members.iter().map(|member| member.key().text.as_ref()).collect();
                    format!("has {}", names.join(", "))
                }
                Content::Sequence(items) => format!("is a list of {}", items.len()),
                Content::Scalar(_) => "is a single value".to_owned(),
            };
            Failure::Usage(format!("there is no {name:?}: {at} {has}"))
        })?;
        walked.push_str(&format!("/{part}"));
    }
    Ok((walked, node))
}

/// Returns all single values below a value, each with its JSON pointer. `pointer` is that of the value itself.
pub(super) fn leaves<'a>(node: &'a Node, pointer: String, found: &mut Vec<(String, &'a Node)>) {
    match &node.content {
        Content::Scalar(_) => found.push((pointer, node)),
        Content::Sequence(items) => {
            for (index, item) in items.iter().enumerate() {
                leaves(item, format!("{pointer}/{index}"), found);
            }
        }
        Content::Mapping(members) => {
            for member in members.iter() {
                let name = member.key().text.replace('~', "~0").replace('/', "~1");
                leaves(&member.value, format!("{pointer}/{name}"), found);
            }
        }
    }
}
