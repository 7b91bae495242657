//! Conversion of trees from and to JSON values.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::fault::Fault;
use super::mapping::{Key, Mapping};
use super::node::{Content, Node};
use super::number::Number;
use super::origin::Origin;
use super::scalar::{Scalar, Typed};
use super::texts::Texts;

impl Node {
    /// Creates a tree from a JSON value; all nodes get the same origin.
    pub fn from_value(value: &Value, origin: Origin) -> Self {
        build(value, origin, &mut Texts::default())
    }

    /// Returns the tree as a JSON value, with numbers and dates in their final form.
    ///
    /// # Errors
    /// [`Fault`] for infinity and not-a-number, which JSON cannot represent.
    pub fn to_value(&self) -> Result<Value, Fault> {
        Ok(match &self.content {
            Content::Scalar(scalar) => leaf(scalar, self.origin)?,
            Content::Sequence(items) => Value::Array(items.iter().map(Self::to_value).collect::<Result<_, _>>()?),
            Content::Mapping(mapping) => {
                let member = |(key, value): (&Arc<str>, &Self)| Ok((key.to_string(), value.to_value()?));
                let members = mapping.iter().map(|member| (&member.key().text, &member.value));
                Value::Object(members.map(member).collect::<Result<Map<_, _>, Fault>>()?)
            }
        })
    }
}

fn leaf(scalar: &Scalar, origin: Origin) -> Result<Value, Fault> {
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
pub(super) fn no_json(scalar: &Scalar, origin: Origin) -> Fault {
    let message =
        format!("{} is a number that Kubernetes cannot store; put quotes around it if it is a string", scalar.text());
    Fault::new(origin, message)
}

fn build(value: &Value, origin: Origin, texts: &mut Texts) -> Node {
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
            return Node::sequence(items.iter().map(|item| build(item, origin, texts)).collect(), origin);
        }
        Value::Object(members) => {
            let mut mapping = Mapping::new();
            for (key, value) in members {
                mapping.insert(Key { text: texts.get(key), origin }, build(value, origin, texts));
            }
            return Node::mapping(mapping, origin);
        }
    };
    Node::scalar(scalar, origin)
}
