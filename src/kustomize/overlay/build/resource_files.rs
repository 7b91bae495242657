//! Reads objects from resource files.

use std::collections::VecDeque;

use crate::overlay::model::Resource;
use crate::yaml;
use crate::yaml::described;
use crate::yaml::{Content, Error, Input, Interner, Node};

/// Reads the objects of a file. Lists are replaced by their items.
///
/// # Errors
/// [`Error`] if it is not YAML, or a document is not an object with a kind and a name.
///
/// # Source
/// kustomize `RNodesFromBytes`: a lone `List` is unwrapped in place, the items of other lists come last.
pub(crate) fn objects(input: Input<'_>, interner: &mut Interner) -> Result<Vec<Resource>, Error> {
    let mut nodes: VecDeque<Node> = yaml::resources_with(input, interner)?.into();
    if nodes.len() == 1 && nodes.front().is_some_and(is_wrapping) {
        nodes = nodes.pop_front().map(|list| items(list).into()).unwrap_or_default();
    }
    nodes.iter().filter(|node| !node.is_empty()).try_for_each(check)?;
    let mut resources = Vec::new();
    while let Some(node) = nodes.pop_front() {
        if node.is_empty() {
            continue;
        }
        let is_list = kind(&node).ends_with("List") && node.get("items").is_some();
        if !is_list {
            resources.push(Resource::new(node));
            continue;
        }
        for mut item in list_items(node)? {
            // Items went through JSON, which normalizes numbers and dates.
            yaml::normalize(&mut item)?;
            if is_wrapping(&item) {
                nodes.extend(items(item));
            } else if !item.is_empty() {
                check(&item)?;
                nodes.push_back(item);
            }
        }
    }
    Ok(resources)
}

fn kind(node: &Node) -> &str {
    let kind = node.get("kind").filter(|kind| !kind.is_null()).and_then(Node::as_scalar);
    kind.map_or("", yaml::Scalar::text)
}

fn is_wrapping(node: &Node) -> bool {
    matches!(kind(node), "List" | "ResourceList") && node.get("items").is_some()
}

/// Returns the elements of `items`, or nothing if it is not a list.
fn items(list: Node) -> Vec<Node> {
    let Content::Mapping(mut mapping) = list.content else { return Vec::new() };
    match mapping.remove("items").map(|entry| entry.value.content) {
        Some(Content::Sequence(items)) => items,
        _ => Vec::new(),
    }
}

fn list_items(list: Node) -> Result<Vec<Node>, Error> {
    match list.get("items") {
        Some(node) if node.as_sequence().is_none() && !node.is_null() => {
            Err(node.origin.error(format!("items is {}, but must be a list of objects", described(node))))
        }
        _ => Ok(items(list)),
    }
}

/// Checks that a node is an object with a kind and a name.
fn check(node: &Node) -> Result<(), Error> {
    if node.as_mapping().is_none() {
        let message = format!(
            "this is {}, but each document of a resource file must be an object with apiVersion, kind and metadata",
            described(node)
        );
        return Err(node.origin.error(message));
    }
    let kind = kind(node);
    if kind.is_empty() {
        let message = "the object has no kind; write apiVersion and kind, or list the file where it belongs";
        return Err(node.origin.error(message));
    }
    let name = node.find(&["metadata", "name"]).filter(|name| !name.is_null()).and_then(Node::as_scalar);
    if kind.ends_with("List") || name.is_some_and(|name| !name.text().is_empty()) {
        return Ok(());
    }
    let remedy = match node.find(&["metadata", "generateName"]) {
        Some(_) => "generateName is not enough, because patches and references need a name; write metadata.name",
        None => "write metadata.name",
    };
    Err(node.origin.error(format!("the {kind} has no name; {remedy}")))
}
