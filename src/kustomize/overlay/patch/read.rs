//! Reads the text of a patch: objects to merge, or operations.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::compare::describe;
use crate::overlay::patch::json::operation;
use crate::overlay::patch::json::operation::Operation;
use crate::overlay::patch::merge::element_setter::is_empty;
use crate::yaml;
use crate::yaml::{Base, Content, Error, Input, Node, Scalar};

/// The content of a patch.
#[derive(Debug, Clone)]
pub(crate) enum Text {
    /// Objects to merge. If there are none, nothing happens.
    Merge(Vec<Node>),
    /// Operations to apply.
    Json(Vec<Operation>),
}

impl Text {
    /// Reads a patch in either form.
    ///
    /// # Errors
    /// [`Error`] if it has neither form. The error is about the form that it looks like.
    pub(crate) fn read(input: Input<'_>) -> Result<Self, Error> {
        let objects = match objects(input) {
            Ok(objects) => return Ok(Self::Merge(objects)),
            Err(error) => error,
        };
        operation::read(input).map(Self::Json).map_err(|operations| {
            let looks = input.bytes.iter().find(|byte| !byte.is_ascii_whitespace());
            let is_list = matches!(looks, Some(b'[' | b'-')) && !input.bytes.starts_with(b"---");
            if is_list { operations } else { objects }
        })
    }
}

/// Trims whitespace around an inline patch, as kustomize does.
pub(crate) fn trimmed(input: Input<'_>) -> Input<'_> {
    let bytes = input.bytes.trim_ascii();
    let before = input.bytes.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
    let lines = input.bytes.iter().take(before).filter(|byte| **byte == b'\n').count();
    let line = input.base.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
    Input { base: Base { line, ..input.base }, bytes, ..input }
}

/// Reads the objects of a patch. Lists are replaced by their items.
///
/// # Errors
/// [`Error`] at anything that is not an object with a kind and a name.
pub(crate) fn objects(input: Input<'_>) -> Result<Vec<Node>, Error> {
    let mut queue: VecDeque<_> = yaml::resources(input)?.into();
    let mut objects = Vec::new();
    queue.iter().try_for_each(check)?;
    while let Some(mut node) = queue.pop_front() {
        if !text(&node, &["kind"]).ends_with("List") {
            objects.push(node);
            continue;
        }
        let Some(items) = node.as_mapping_mut().and_then(|mapping| mapping.remove("items")) else {
            objects.push(node);
            continue;
        };
        let origin = items.value.origin;
        match items.value.content {
            Content::Sequence(items) => {
                let items: Vec<_> = items.into_iter().filter(|item| !is_empty(item)).collect();
                items.iter().try_for_each(check)?;
                queue.extend(items);
            }
            Content::Scalar(scalar) if scalar.kind() == yaml::Kind::Null => {}
            _ => return Err(origin.error("items of a List must be a list of objects")),
        }
    }
    Ok(objects)
}

fn check(node: &Node) -> Result<(), Error> {
    let wrong = |message: Cow<'static, str>| Err(node.origin.error(message));
    if node.as_mapping().is_none() {
        return wrong(
            format!("a patch is an object to merge or a list of operations, but this is {}", describe(node)).into(),
        );
    }
    let kind = text(node, &["kind"]);
    if kind.is_empty() {
        return wrong(
            "the patch has no kind; give apiVersion, kind and metadata.name, even if there is a target".into(),
        );
    }
    if !kind.ends_with("List") && text(node, &["metadata", "name"]).is_empty() {
        return wrong("the patch has no metadata.name; give it, even if there is a target".into());
    }
    Ok(())
}

fn text<'n>(node: &'n Node, path: &[&str]) -> &'n str {
    node.find(path).filter(|node| !node.is_null()).and_then(Node::as_scalar).map_or("", Scalar::text)
}
