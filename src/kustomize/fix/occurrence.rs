//! Where a var is used.

use serde_json::Value;

use crate::overlay::RenderedObject;

/// A field that refers to a var.
pub(super) struct Occurrence {
    /// Kind, name and namespace of the object; an empty namespace is absent.
    pub(super) object: [String; 3],
    /// The path of the field, as in `fieldPaths`.
    pub(super) path: String,
    /// If the reference is only a part of the string: what separates the parts, and which one it is.
    pub(super) part: Option<(char, usize)>,
}

/// Why a var cannot be replaced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Irreplaceable {
    #[error("the directory cannot be rendered")]
    Unrendered,
    #[error("{path} is {text:?}, and a replacement can only set a part between two equal characters")]
    Part { path: String, text: String },
}

/// Returns the fields of which the value differs with and without vars, and that refer to a var.
pub(super) fn occurrences(
    bare: &[RenderedObject],
    with_vars: &[RenderedObject],
    var: &str,
) -> Result<Vec<Occurrence>, Irreplaceable> {
    let values = |objects: &[RenderedObject]| -> Option<Vec<Value>> {
        objects.iter().map(|object| object.node.to_value().ok()).collect()
    };
    let (Some(bare), Some(with_vars)) = (values(bare), values(with_vars)) else {
        return Err(Irreplaceable::Unrendered);
    };
    let mut found = Vec::new();
    for (bare, with_vars) in bare.iter().zip(&with_vars) {
        let text = |path: &str| bare.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        let object = [text("/kind"), text("/metadata/name"), text("/metadata/namespace")];
        let mut fields = Vec::new();
        differing(bare, with_vars, &mut Vec::new(), &mut fields);
        let reference = format!("$({var})");
        for (path, text) in fields.into_iter().filter(|(_, text)| text.contains(&reference)) {
            let part = match part(&text, &reference) {
                _ if text == reference => None,
                Some(part) => Some(part),
                None => return Err(Irreplaceable::Part { path, text }),
            };
            found.push(Occurrence { object: object.clone(), path, part });
        }
    }
    Ok(found)
}

/// Returns the strings that differ, with their paths.
fn differing(bare: &Value, with_vars: &Value, path: &mut Vec<String>, found: &mut Vec<(String, String)>) {
    match (bare, with_vars) {
        (Value::Object(bare), Value::Object(with_vars)) => {
            for (name, value) in bare {
                path.push(name.replace('.', "\\."));
                differing(value, with_vars.get(name).unwrap_or(&Value::Null), path, found);
                path.pop();
            }
        }
        (Value::Array(bare), Value::Array(with_vars)) => {
            for (at, value) in bare.iter().enumerate() {
                path.push(at.to_string());
                differing(value, with_vars.get(at).unwrap_or(&Value::Null), path, found);
                path.pop();
            }
        }
        (Value::String(text), other) if *other != *bare => found.push((path.join("."), text.clone())),
        _ => {}
    }
}

/// Returns what separates the parts of a string, and the index of the only part that is the reference.
fn part(text: &str, reference: &str) -> Option<(char, usize)> {
    let separators = ['/', ':', ',', ' ', '=', '.', '-', '@', '_', ';', '?', '&'];
    separators.into_iter().find_map(|separator| {
        let mut places = text.split(separator).enumerate().filter(|(_, part)| *part == reference).map(|(at, _)| at);
        let found = places.next()?;
        places.next().is_none().then_some((separator, found))
    })
}
