//! Plain manifests as the items of a list in a template.

use serde_json::Value;

use crate::cli::failure::Failure;
use tidegate_kustomize::yaml::{Error, Input, Node, Origin, SourceId, manifests, write};

/// The columns before the `-` of an item.
const INDENT: &str = "        ";

/// Returns the objects of a YAML stream as the items of a list, for the field `manifests` of a template. `name` is that of the file, for
/// errors.
///
/// Comments are kept where the text can be indented as it is. Otherwise, and for a `List`, the objects are written without them.
pub(super) fn items(name: &str, text: &str) -> Result<String, Failure> {
    let nodes = parsed(text).map_err(|error| at(name, error.place, &error.message))?;
    let mut objects = Vec::new();
    for node in &nodes {
        let value = node.to_value().map_err(|error| at(name, error.place, &error.message))?;
        objects.extend(expanded(name, node.origin, value)?);
    }
    if objects.is_empty() {
        return Err(Failure::Usage(format!("{name} contains no objects; name a file with Kubernetes manifests")));
    }
    let as_written: String = documents(text).iter().map(|document| indented(document)).collect();
    if values(&as_written).is_some_and(|read| read == objects) {
        return Ok(as_written);
    }
    let written: Result<Vec<String>, _> =
        objects.iter().map(|object| write(&Node::from_value(object, Origin::default()))).collect();
    let written = written.map_err(|error| at(name, error.place, &error.message))?;
    Ok(written.iter().map(|document| indented(document)).collect())
}

fn parsed(text: &str) -> Result<Vec<Node>, Error> {
    manifests(Input::of_file(SourceId::default(), text.as_bytes()))
}

fn at(name: &str, origin: Origin, message: &str) -> Failure {
    Failure::Usage(format!("{name}:{}:{}: {message}", origin.line, origin.column))
}

/// Returns an object, or the objects of a `List`.
fn expanded(name: &str, origin: Origin, mut value: Value) -> Result<Vec<Value>, Failure> {
    let kind = value["kind"].as_str().unwrap_or_default();
    if kind.ends_with("List") && value["items"].is_array() {
        let Value::Array(items) = value["items"].take() else { return Ok(Vec::new()) };
        return items
            .into_iter()
            .map(|item| expanded(name, origin, item))
            .collect::<Result<Vec<_>, _>>()
            .map(|items| items.concat());
    }
    let missing = [("/apiVersion", "apiVersion"), ("/kind", "kind"), ("/metadata/name", "metadata.name")]
        .into_iter()
        .find(|(path, _)| value.pointer(path).is_none_or(|found| !found.is_string()));
    match missing {
        None => Ok(vec![value]),
        Some((_, field)) => {
            Err(at(name, origin, &format!("the object has no {field}, so it is no Kubernetes manifest")))
        }
    }
}

/// Returns the texts of the documents.
fn documents(text: &str) -> Vec<String> {
    let mut documents = vec![String::new()];
    for line in text.lines() {
        match (line.trim_end(), documents.last_mut()) {
            ("---", _) | (_, None) => documents.push(String::new()),
            (_, Some(document)) => {
                document.push_str(line);
                document.push('\n');
            }
        }
    }
    documents
}

/// Returns a document as an item of a list. Comments before the object stay before the item.
fn indented(document: &str) -> String {
    let mut text = String::new();
    let mut is_begun = false;
    let document = document.trim_end();
    for line in document.lines().skip_while(|line| line.trim().is_empty()) {
        if line.is_empty() {
            text.push('\n');
            continue;
        }
        let is_comment = line.trim_start().starts_with('#');
        let before = match (is_begun, is_comment) {
            (true, _) => "  ",
            (false, true) => "",
            (false, false) => {
                is_begun = true;
                "- "
            }
        };
        text.push_str(&format!("{INDENT}{before}{line}\n"));
    }
    text
}

/// Returns the values of a list of items; `None` if it is not one.
fn values(items: &str) -> Option<Vec<Value>> {
    let nodes = parsed(&format!("items:\n{items}")).ok()?;
    let [node] = &nodes[..] else { return None };
    node.to_value().ok()?.get("items")?.as_array().cloned()
}
