//! The hash suffix of the names of generated objects.

use serde_json::{Map, Value};

use crate::yaml::{Error, Node, Scalar};
use tidegate_go::canonical::{go_json, sha256_hex};

/// Number of characters of the hash that are used.
const LENGTH: usize = 10;

/// Returns the hash of a ConfigMap or a Secret.
///
/// # Errors
/// [`Error`] if the data holds a number that JSON cannot represent.
///
/// # Source
/// kustomize `api/hasher`: SHA-256 over the JSON of kind, type, an empty name and the data. Some digits are replaced so that the
/// result spells no words.
pub(crate) fn hash(object: &Node) -> Result<String, Error> {
    let mut hashed = Map::new();
    let kind = object.get("kind").and_then(Node::as_str).unwrap_or_default();
    hashed.insert("kind".to_owned(), kind.into());
    hashed.insert("name".to_owned(), "".into());
    hashed.insert("data".to_owned(), value(object, "data")?);
    let more = if kind == "Secret" { "stringData" } else { "binaryData" };
    if kind == "Secret" {
        hashed.insert("type".to_owned(), value(object, "type")?);
    }
    if object.get(more).is_some_and(|node| node.as_mapping().is_some()) {
        hashed.insert(more.to_owned(), value(object, more)?);
    }
    let hex = sha256_hex(go_json(&Value::Object(hashed)).as_bytes());
    let letter = |c: char| match c {
        '0' => 'g',
        '1' => 'h',
        '3' => 'k',
        'a' => 'm',
        'e' => 't',
        c => c,
    };
    Ok(hex.chars().take(LENGTH).map(letter).collect())
}

fn value(object: &Node, field: &str) -> Result<Value, Error> {
    match object.get(field) {
        None => Ok("".into()),
        Some(node) => node.as_scalar().map(Scalar::text).map_or_else(|| node.to_value(), |text| Ok(text.into())),
    }
}
