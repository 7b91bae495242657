//! The ValueAddTransformer: sets a field to a string, or adds a part to a path.

use crate::overlay::field_specs::spec::split;
use crate::overlay::input::{Fields, Reader, Text};
use crate::overlay::model::Resource;
use crate::overlay::model::values::{Cause, scalar, text_of};
use crate::overlay::replacement::{Path, create_scalar};
use crate::yaml::{Error, Node, Origin, Provenance};

/// The cause that `blame` shows.
const CAUSE: &str = "ValueAddTransformer";

/// A ValueAddTransformer.
#[derive(Debug)]
pub(crate) struct ValueAdd {
    /// The value, unless it is the name of the directory.
    pub(crate) value: Option<Text>,
    pub(crate) targets: Vec<Target>,
    /// The file with more targets.
    pub(crate) more: Option<Text>,
}

/// Where the value is added.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) origin: Origin,
    /// The selector of the objects. All objects match without it.
    pub(crate) selector: Option<Node>,
    pub(crate) field: Text,
    /// At which position of a path the value is inserted, from 1. If it is 0, the value replaces the field.
    pub(crate) position: usize,
}

impl ValueAdd {
    /// Reads the configuration.
    pub(crate) fn read(node: &Node, reader: &mut Reader) -> Self {
        let known = ["apiVersion", "kind", "metadata", "value", "targets", "targetFilePath"];
        let fields = reader.fields(node, "a ValueAddTransformer", &known);
        let value = reader.text(&fields, "value").map(|text| Text { text: text.text.trim().into(), ..text });
        let more = reader.text(&fields, "targetFilePath");
        let targets = targets(&fields, reader);
        if targets.is_empty() && more.is_none() {
            reader.error(node.origin, "there is no target; write `targets`");
        }
        Self { value: value.filter(|value| !value.is_empty()), targets, more }
    }

    /// Reads a file with targets.
    pub(crate) fn read_targets(node: &Node, reader: &mut Reader) -> Vec<Target> {
        let fields = reader.fields(node, "a file with targets", &["targets"]);
        targets(&fields, reader)
    }
}

fn targets(fields: &Fields<'_>, reader: &mut Reader) -> Vec<Target> {
    let items = reader.items(fields, "targets");
    items.iter().filter_map(|item| target(item, reader)).collect()
}

fn target(node: &Node, reader: &mut Reader) -> Option<Target> {
    let fields = reader.fields(node, "a target", &["selector", "fieldPath", "filePathPosition"]);
    let position = reader.integer(&fields, "filePathPosition").unwrap_or(0);
    let Some(field) = reader.text(&fields, "fieldPath") else {
        reader.error(node.origin, "the target has no fieldPath; write one such as `metadata/annotations/cluster`");
        return None;
    };
    let Ok(position) = usize::try_from(position) else {
        reader.error(node.origin, format!("filePathPosition is {position}, but must be 0 or more"));
        return None;
    };
    Some(Target { origin: node.origin, selector: fields.get("selector").cloned(), field, position })
}

/// Adds a value to an object.
///
/// # Errors
/// [`Error`] if the field is not a single value, or is below one.
///
/// # Source
/// kustomize `valueadd.Filter`.
pub(crate) fn add_value(
    resource: &mut Resource,
    value: &Text,
    target: &Target,
    provenance: &mut Provenance,
) -> Result<(), Error> {
    let path = Path::of(&target.field.text, split(&target.field.text), target.field.origin)?;
    let Some(field) = create_scalar(&mut resource.node, &path)? else { return Ok(()) };
    let old = text_of(field)?;
    let new = match target.position {
        0 => value.text.to_string(),
        position => inserted(old.text(), position - 1, &value.text),
    };
    let before = Some(field.origin).filter(|_| !old.text().is_empty());
    let scalar = scalar(new.into(), Some(old));
    let origin = Cause::new(CAUSE, target.origin).origin(value.origin, before, provenance);
    *field = Node::scalar(scalar, origin);
    resource.share_changes(provenance, &|by| by == CAUSE);
    Ok(())
}

/// Inserts a part into a path. An absolute path stays absolute.
///
/// # Source
/// kustomize `filesys.InsertPathPart`.
fn inserted(path: &str, at: usize, part: &str) -> String {
    let (root, relative) = match path.strip_prefix('/') {
        Some(relative) => ("/", relative),
        None => ("", path),
    };
    let mut parts: Vec<&str> = if relative.is_empty() { Vec::new() } else { relative.split('/').collect() };
    parts.insert(at.min(parts.len()), part);
    // Go's filepath.Join cleans the path.
    let mut clean: Vec<&str> = Vec::new();
    for part in parts.iter().flat_map(|part| part.split('/')) {
        match part {
            "" | "." => {}
            ".." if clean.last().is_some_and(|last| *last != "..") => drop(clean.pop()),
            ".." if root == "/" => {}
            part => clean.push(part),
        }
    }
    format!("{root}{}", clean.join("/"))
}
