//! Names of rollout units.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AddonName, InvalidName};

/// The name of a rollout unit: what has a digest, rollouts and clusters of its own.
///
/// # Shape
/// An add-on is written as its name, such as `hello`. Names are equal and sorted as this text.
#[derive(Clone)]
pub enum UnitName {
    /// An add-on.
    AddOn(AddonName),
}

impl UnitName {
    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        let Self::AddOn(name) = self;
        name.as_str()
    }

    /// Returns the name of the add-on.
    pub fn addon(&self) -> &AddonName {
        let Self::AddOn(name) = self;
        name
    }
}

impl FromStr for UnitName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        text.parse().map(Self::AddOn)
    }
}

impl From<AddonName> for UnitName {
    fn from(name: AddonName) -> Self {
        Self::AddOn(name)
    }
}

impl From<&AddonName> for UnitName {
    fn from(name: &AddonName) -> Self {
        Self::AddOn(name.clone())
    }
}

impl Borrow<str> for UnitName {
    fn borrow(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for UnitName {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for UnitName {}

impl PartialOrd for UnitName {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UnitName {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

impl Hash for UnitName {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl fmt::Display for UnitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for UnitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// The schema is that of [`AddonName`].
impl JsonSchema for UnitName {
    fn schema_name() -> Cow<'static, str> {
        AddonName::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        AddonName::json_schema(generator)
    }
}

impl Serialize for UnitName {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for UnitName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn a_name_is_read_as_it_is_written() {
        let unit: UnitName = "a.b-c".parse().unwrap();
        assert_eq!((unit.to_string().as_str(), unit.addon().as_str()), ("a.b-c", "a.b-c"));
        let json = serde_json::to_string(&unit).unwrap();
        assert_eq!(serde_json::from_str::<UnitName>(&json).unwrap(), unit);
        let error = "a/b".parse::<UnitName>().unwrap_err();
        assert_eq!(error, "a/b".parse::<AddonName>().unwrap_err());
    }

    #[test]
    fn addons_are_sorted_as_their_names_are() {
        let names = ["b", "a-b", "a.b", "a", "ab", "b0"].map(|name| name.parse::<AddonName>().unwrap());
        let units: BTreeSet<UnitName> = names.iter().map(UnitName::from).collect();
        let sorted: BTreeSet<AddonName> = names.into_iter().collect();
        assert!(units.iter().map(UnitName::as_str).eq(sorted.iter().map(AddonName::as_str)));
        let map: BTreeMap<UnitName, ()> = units.into_iter().map(|unit| (unit, ())).collect();
        assert!(map.contains_key("a-b") && !map.contains_key("a/b"));
    }
}
