//! Conversion of trees from and to JSON values.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::node::{Content, Mapping, Node};
use super::ordered_map::Key;
use crate::yaml::interner::Interner;
use crate::yaml::origin::{Error, Origin};
use crate::yaml::scalar::Number;
use crate::yaml::scalar::value::{Scalar, Typed};

impl Node {
    /// Creates a tree from a JSON value; all nodes get the same origin.
    pub fn from_value(value: &Value, origin: Origin) -> Self {
        build(value, origin, &mut Interner::default())
    }

    /// Returns the tree as a JSON value, with numbers and dates in their final form.
    ///
    /// # Errors
    /// [`Error`] for infinity and not-a-number, which JSON cannot represent.
    pub fn to_value(&self) -> Result<Value, Error> {
        Ok(match &self.content {
            Content::Scalar(scalar) => leaf(scalar, self.origin)?,
            Content::Sequence(items) => Value::Array(items.iter().map(Self::to_value).collect::<Result<_, _>>()?),
            Content::Mapping(mapping) => {
                let entry = |(key, value): (&Arc<str>, &Self)| Ok((key.to_string(), value.to_value()?));
                let entries = mapping.iter().map(|entry| (&entry.key().text, &entry.value));
                Value::Object(entries.map(entry).collect::<Result<Map<_, _>, Error>>()?)
            }
        })
    }
}

fn leaf(scalar: &Scalar, origin: Origin) -> Result<Value, Error> {
    Ok(match scalar.typed() {
        Typed::Null => Value::Null,
        Typed::Bool(value) => value.into(),
        Typed::String(text) => text.into_owned().into(),
        Typed::Number(number) => match number.through_json() {
            Some(Number::Signed(n)) => n.into(),
            Some(Number::Unsigned(n)) => n.into(),
            Some(Number::Float(n)) => n.into(),
            None => return Err(no_json(scalar, origin)),
        },
    })
}

/// Returns the error for a number that JSON cannot represent.
pub(crate) fn no_json(scalar: &Scalar, origin: Origin) -> Error {
    let message =
        format!("{} is a number that Kubernetes cannot store; put quotes around it if it is a string", scalar.text());
    origin.error(message)
}

fn build(value: &Value, origin: Origin, interner: &mut Interner) -> Node {
    let scalar = match value {
        Value::Null => Scalar::null(),
        Value::Bool(value) => Scalar::boolean(*value),
        Value::String(text) => Scalar::string(text.as_str()),
        Value::Number(number) => Scalar::number(match (number.as_i64(), number.as_u64()) {
            (Some(n), _) => Number::Signed(n),
            (None, Some(n)) => Number::Unsigned(n),
            (None, None) => Number::Float(number.as_f64().unwrap_or(f64::NAN)),
        }),
        Value::Array(items) => {
            return Node::sequence(items.iter().map(|item| build(item, origin, interner)).collect(), origin);
        }
        Value::Object(entries) => {
            let mut mapping = Mapping::new();
            for (key, value) in entries {
                mapping.insert(Key { text: interner.get(key), origin }, build(value, origin, interner));
            }
            return Node::mapping(mapping, origin);
        }
    };
    Node::scalar(scalar, origin)
}
