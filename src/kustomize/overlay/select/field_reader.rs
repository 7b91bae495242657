//! Reads typed fields from nodes of a kustomization file.

use std::sync::Arc;

use crate::yaml::{Error, Kind, Node, Number, Scalar, Typed};

/// The fields of a mapping by their exact names.
#[derive(Debug)]
pub(crate) struct FieldReader<'n> {
    values: Vec<(&'static str, &'n Node)>,
}

impl<'n> FieldReader<'n> {
    /// Reads a mapping. Names match in any case. Of names that differ only in case, the last in string order counts.
    ///
    /// # Errors
    /// [`Error`] if it is not a mapping, or has an unknown field.
    pub(crate) fn read(node: &'n Node, what: &str, known: &[&'static str]) -> Result<Self, Error> {
        let mut values = Vec::new();
        let mapping = match node.as_mapping() {
            Some(mapping) => mapping,
            None if node.is_null() => return Ok(Self { values }),
            None => {
                let names = known.join(", ");
                return Err(node.origin.error(format!("{what} must be a mapping with {names}")));
            }
        };
        let mut entries: Vec<_> = mapping.iter().collect();
        entries.sort_by(|a, b| a.key().text.cmp(&b.key().text));
        for entry in entries {
            let key = entry.key();
            let exact = known.iter().find(|name| **name == &*key.text);
            let Some(name) = exact.or_else(|| known.iter().find(|name| name.eq_ignore_ascii_case(&key.text))) else {
                let message = format!("{what} has no field {:?}; it can have {}", &*key.text, known.join(", "));
                return Err(key.origin.error(message));
            };
            values.retain(|(other, _)| other != name);
            if !entry.value.is_null() {
                values.push((*name, &entry.value));
            }
        }
        Ok(Self { values })
    }

    /// Returns a field.
    pub(crate) fn get(&self, name: &str) -> Option<&'n Node> {
        self.values.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
    }

    /// Returns the string of a field.
    ///
    /// # Errors
    /// [`Error`] if it is not a string.
    pub(crate) fn text(&self, name: &str) -> Result<Option<Arc<str>>, Error> {
        self.get(name).map(|node| text(node, name)).transpose()
    }

    /// Returns `true` if a field is true.
    ///
    /// # Errors
    /// [`Error`] if it is neither true nor false.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Error> {
        let Some(node) = self.get(name) else { return Ok(false) };
        match node.as_scalar().map(Scalar::typed) {
            Some(Typed::Bool(value)) => Ok(value),
            _ => Err(node.origin.error(format!("{name} must be true or false"))),
        }
    }

    /// Returns the number of a field.
    ///
    /// # Errors
    /// [`Error`] if it is not a whole number.
    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>, Error> {
        let Some(node) = self.get(name) else { return Ok(None) };
        let number = match node.as_scalar().map(Scalar::typed) {
            Some(Typed::Number(number)) => number.through_json(),
            _ => None,
        };
        match number {
            Some(Number::Signed(value)) => Ok(Some(value)),
            _ => Err(node.origin.error(format!("{name} must be a whole number"))),
        }
    }

    /// Returns the items of a field.
    ///
    /// # Errors
    /// [`Error`] if it is not a list.
    pub(crate) fn items(&self, name: &str) -> Result<Option<&'n [Node]>, Error> {
        let Some(node) = self.get(name) else { return Ok(None) };
        let items = node.as_sequence().ok_or_else(|| node.origin.error(format!("{name} must be a list")))?;
        Ok(Some(items))
    }
}

/// Returns the string of a node. Null is the empty string.
///
/// # Errors
/// [`Error`] if it is not a string.
pub(crate) fn text(node: &Node, name: &str) -> Result<Arc<str>, Error> {
    match node.as_scalar() {
        Some(scalar) if matches!(scalar.kind(), Kind::String | Kind::Timestamp) => Ok(Arc::clone(scalar.shared_text())),
        Some(scalar) if scalar.kind() == Kind::Null => Ok(Arc::default()),
        Some(scalar) => {
            let message = format!("{name} must be a string, and {} is not one; put it in quotes", scalar.text());
            Err(node.origin.error(message))
        }
        None => Err(node.origin.error(format!("{name} must be a string"))),
    }
}
