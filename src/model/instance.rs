//! The identity of an instance: one configuration of the daemon on one config repository.
//!
//! An identity is random. It is created once, kept in the journal, and written on every object that the instance owns. It is never
//! derived from a path or URL, because those change.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The identity of an instance: 16 lowercase hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(String);

impl InstanceId {
    /// Number of digits.
    pub const LENGTH: usize = 16;

    /// Returns the identity with these digits. It is unique only if the number is random.
    pub fn of(number: u64) -> Self {
        Self(format!("{number:016x}"))
    }

    /// Returns the identity as a string slice.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A string that is not an instance identity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an instance identity: write 16 lowercase hexadecimal digits, as `tidegate status` prints them")]
pub struct InvalidInstanceId(String);

impl FromStr for InstanceId {
    type Err = InvalidInstanceId;
    fn from_str(text: &str) -> Result<Self, InvalidInstanceId> {
        let is_digit = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
        if text.len() == Self::LENGTH && text.bytes().all(is_digit) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidInstanceId(text.to_owned()))
        }
    }
}

impl fmt::Display for InstanceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl JsonSchema for InstanceId {
    fn schema_name() -> Cow<'static, str> {
        "InstanceId".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "The identity of an instance.", "type": "string", "pattern": "^[0-9a-f]{16}$" })
    }
}

impl Serialize for InstanceId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for InstanceId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// An instance: its identity and, if the operator gave one, a readable name. Displays as `name (identity)`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Instance {
    /// The identity.
    pub id: InstanceId,
    /// The name; empty if none was given. It affects no decision and may change.
    pub name: String,
}

impl Instance {
    /// Returns an instance that owns nothing: no object has its identity.
    pub fn unknown() -> Self {
        Self { id: InstanceId::of(0), name: String::new() }
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.name.is_empty() { self.id.fmt(f) } else { write!(f, "{} ({})", self.name, self.id) }
    }
}

/// A name that an instance cannot have. Displays as a sentence with the rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a valid instance name: write at most 63 letters, digits, '-', '_' and '.', starting and ending with a letter or digit"
)]
pub struct InvalidInstanceName(String);

/// Checks the name of an instance.
///
/// # Errors
/// [`InvalidInstanceName`] unless it has at most 63 letters, digits, `-`, `_` and `.`, starting and ending with a letter or digit.
///
/// # Source
/// The syntax of Kubernetes label values.
pub fn check_name(name: &str) -> Result<(), InvalidInstanceName> {
    let is_inner = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
    let bytes = name.as_bytes();
    if bytes.len() <= 63
        && bytes.iter().copied().all(is_inner)
        && edge(bytes.first().copied())
        && edge(bytes.last().copied())
    {
        return Ok(());
    }
    Err(InvalidInstanceName(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_are_sixteen_hexadecimal_digits() {
        assert!("0123456789abcdef".parse::<InstanceId>().is_ok());
        for text in
            ["", "0123456789abcde", "0123456789abcdef0", "0123456789ABCDEF", "0123456789abcdeg", "0123456789abcde\n"]
        {
            assert!(text.parse::<InstanceId>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn names_follow_the_syntax_of_label_values() {
        assert!(["prod", "prod-eu.2", "a"].into_iter().all(|name| check_name(name).is_ok()));
        for name in ["", "-a", "a-", "a b", "a\n", "ä", &"a".repeat(64)] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }
}
