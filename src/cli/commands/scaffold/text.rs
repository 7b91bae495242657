//! Texts with names that are filled in.

use tidegate_kustomize::yaml::{Node, Origin, write};

/// Returns a text in which each `@NAME@` is replaced by its value, and each `@q:NAME@` by its value as a string in YAML, with quotation marks
/// if it needs them.
pub(super) fn filled(text: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("@q:{name}@"), &scalar(value)).replace(&format!("@{name}@"), value)
    })
}

/// Returns a string as a scalar of YAML.
fn scalar(value: &str) -> String {
    let node = Node::from_value(&serde_json::Value::from(value), Origin::default());
    // A string can always be written.
    write(&node).map_or_else(|_| format!("{value:?}"), |text| text.trim_end().to_owned())
}
