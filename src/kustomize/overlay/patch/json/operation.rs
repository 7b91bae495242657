//! Reads the operations of a JSON patch.

use super::pointer::Pointer;
use crate::yaml;
use crate::yaml::{Content, Error, Input, Node};

/// Maximum number of operations in a patch.
const MAX_OPERATIONS: usize = 10_000;

/// One operation of a JSON patch.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// What it does.
    pub(crate) act: Act,
    /// The path that it applies to.
    pub(crate) path: Pointer,
}

impl Operation {
    /// Returns the value that it adds.
    pub(crate) fn value(&self) -> Option<&Node> {
        match &self.act {
            Act::Add(value) | Act::Replace(value) => Some(value),
            Act::Remove | Act::Move(_) | Act::Copy(_) | Act::Test(_) => None,
        }
    }
}

/// What an operation does.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Sets a field, which may exist, or inserts an element.
    Add(Node),
    /// Removes a value.
    Remove,
    /// Replaces an existing value.
    Replace(Node),
    /// Moves a value from another path.
    Move(Pointer),
    /// Copies a value from another path.
    Copy(Pointer),
    /// Fails unless the path has this value. `None` means that the value must be null or missing.
    Test(Option<Node>),
}

/// Reads a JSON patch: as JSON if it starts with `[`, as YAML otherwise. Empty input is a patch without operations.
///
/// # Errors
/// [`Error`] if the input is not a JSON patch.
pub(crate) fn read(input: Input<'_>) -> Result<Vec<Operation>, Error> {
    let node = if input.bytes.first() == Some(&b'[') { json(input)? } else { yaml::kustomization(input)? };
    let Some(node) = node.filter(|node| !node.is_null()) else { return Ok(Vec::new()) };
    let origin = node.origin;
    let Content::Sequence(items) = node.content else {
        return Err(origin.error("a JSON patch is a list of operations with op and path"));
    };
    if let Some(item) = items.get(MAX_OPERATIONS) {
        let message = format!("the patch has more than {MAX_OPERATIONS} operations; split it");
        return Err(item.origin.error(message));
    }
    items.iter().map(operation).collect()
}

/// Reads JSON. Locations inside it are known only if the YAML reader reads the same value.
fn json(input: Input<'_>) -> Result<Option<Node>, Error> {
    let value: serde_json::Value = serde_json::from_slice(input.bytes).map_err(|error| {
        let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
        let column = u32::try_from(error.column()).unwrap_or(u32::MAX);
        let base = input.base;
        let at = yaml::Origin::new(input.source, base.line.saturating_add(line), base.column.saturating_add(column));
        let message = format!("the patch starts with [, which makes it JSON, but it is not valid: {error}; correct it, or write YAML with - before each operation");
        at.error(message)
    })?;
    let same = yaml::kustomization(input).ok().flatten().filter(|node| node.to_value().is_ok_and(|read| read == value));
    let start = yaml::Origin::new(input.source, input.base.line.saturating_add(1), input.base.column.saturating_add(1));
    Ok(Some(same.unwrap_or_else(|| Node::from_value(&value, start))))
}

fn operation(node: &Node) -> Result<Operation, Error> {
    let act = match text(node, "op")?.0 {
        "add" => Act::Add(value(node)?),
        "replace" => Act::Replace(value(node)?),
        "remove" => Act::Remove,
        "move" => Act::Move(pointer(node, "from")?),
        "copy" => Act::Copy(pointer(node, "from")?),
        "test" => Act::Test(node.get("value").map(normalized).transpose()?),
        other => {
            let message = format!("op is {other:?}, but must be add, remove, replace, move, copy or test");
            return Err(node.get("op").map_or(node.origin, |op| op.origin).error(message));
        }
    };
    Ok(Operation { act, path: pointer(node, "path")? })
}

fn text<'n>(node: &'n Node, field: &str) -> Result<(&'n str, &'n Node), Error> {
    let value = node.get(field);
    value.and_then(|value| Some((value.as_str()?, value))).ok_or_else(|| {
        let origin = value.map_or(node.origin, |value| value.origin);
        origin.error(format!("each operation of a JSON patch needs {field}, a string; add it"))
    })
}

fn pointer(node: &Node, field: &str) -> Result<Pointer, Error> {
    let (text, value) = text(node, field)?;
    Pointer::read(text, value.origin)
}

fn value(node: &Node) -> Result<Node, Error> {
    let value =
        node.get("value").ok_or_else(|| node.origin.error("add and replace need a value; give one, or null"))?;
    normalized(value)
}

fn normalized(value: &Node) -> Result<Node, Error> {
    let mut value = value.clone();
    yaml::normalize(&mut value)?;
    Ok(value)
}
