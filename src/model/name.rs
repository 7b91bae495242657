//! Validated names. Each has its own type, so that a cluster name is never used as an add-on name.

mod unit;

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use unit::{ApplicationName, UnitName};

/// A string that is not a valid Kubernetes object name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a valid {what}: {why}")]
pub struct InvalidName {
    /// The rejected string.
    pub text: String,
    /// The kind of name it should have been.
    pub what: &'static str,
    /// The rule that it violates.
    pub why: &'static str,
}

/// Checks an RFC 1123 subdomain, the rule for the names of custom resources.
///
/// # Source
/// Kubernetes API conventions, "DNS Subdomain Names": at most 253 characters: lowercase letters, digits, `-` and `.`.
fn dns_subdomain(text: &str) -> Result<(), &'static str> {
    if text.is_empty() {
        return Err("it is empty");
    }
    if text.len() > 253 {
        return Err("it is longer than 253 characters");
    }
    if !text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-' || b == b'.') {
        return Err("only lower-case letters, digits, '-' and '.' are allowed");
    }
    let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
    if text.split('.').all(|part| edge(part.bytes().next()) && edge(part.bytes().last())) {
        Ok(())
    } else {
        Err("each part must start and end with a letter or digit")
    }
}

macro_rules! name {
    ($(#[$doc:meta])* $type:ident, $what:literal) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $type(Arc<str>);

        impl $type {
            /// Returns the name as a string slice.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $type {
            type Err = InvalidName;
            fn from_str(text: &str) -> Result<Self, InvalidName> {
                dns_subdomain(text)
                    .map(|()| Self(text.into()))
                    .map_err(|why| InvalidName { text: text.to_owned(), what: $what, why })
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0)
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(&self.0, f)
            }
        }

        impl Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "description": concat!("A valid ", $what, "."),
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 253,
                    "pattern": "^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"
                })
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

name! {
    /// The name of a managed cluster, which is also the name of its namespace on the hub.
    ///
    /// ```compile_fail
    /// use tidegate_model::name::{AddonName, ClusterName};
    /// let cluster: ClusterName = "east-1".parse::<AddonName>().unwrap();
    /// ```
    ClusterName, "cluster name"
}

name! {
    /// The name of an add-on: of its ClusterManagementAddOn and of every ManagedClusterAddOn created from it.
    AddonName, "add-on name"
}

/// The namespace and name of a namespaced object such as a Placement.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NamespacedName {
    /// The namespace; empty for a cluster-scoped object.
    pub namespace: String,
    /// The name inside the namespace.
    pub name: String,
}

impl NamespacedName {
    /// Pairs a namespace (may be empty) with a name.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>) -> Self {
        Self { namespace: namespace.into(), name: name.into() }
    }
}

impl FromStr for NamespacedName {
    type Err = InvalidName;
    /// Reads `namespace/name`.
    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let invalid = |why| InvalidName { text: text.to_owned(), what: "namespaced name", why };
        let (namespace, name) = text.split_once('/').ok_or_else(|| invalid("it is not of the form namespace/name"))?;
        [namespace, name].into_iter().try_for_each(dns_subdomain).map_err(invalid)?;
        Ok(Self::new(namespace, name))
    }
}

impl fmt::Display for NamespacedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() { f.write_str(&self.name) } else { write!(f, "{}/{}", self.namespace, self.name) }
    }
}

/// Returns the part of a template's name that is its version: `0.4.1` for `hello-template-0.4.1` of `hello-template`. The revision of an
/// application is `NAME@VERSION`.
pub fn version_of(addon: &UnitName, template: &str) -> String {
    let name = match addon {
        UnitName::AddOn(name) => name.as_str(),
        UnitName::Application(name) => name.name(),
    };
    let rest = template.strip_prefix(name).unwrap_or(template).trim_start_matches(['-', '.', '_', '@']);
    if rest.is_empty() { template.to_owned() } else { rest.to_owned() }
}
