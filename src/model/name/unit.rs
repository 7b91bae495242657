//! Names of rollout units.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AddonName, InvalidName, dns_subdomain};

/// The word for an Application.
const APPLICATION: &str = "application";

/// The name of a rollout unit: what has a digest, rollouts and clusters of its own.
///
/// # Shape
/// An add-on is written as its name, such as `hello`. Any other unit has its kind, a slash and its namespace and name, such as
/// `application/default/web`: the name of an add-on has no slash. Names are equal and sorted as this text.
#[derive(Clone)]
pub enum UnitName {
    /// An add-on.
    AddOn(AddonName),
    /// An Application.
    Application(ScopedName),
}

/// The text of a unit with a kind, a namespace and a name.
#[derive(Clone)]
pub struct ScopedName(Arc<str>);

impl ScopedName {
    fn part(&self, nth: usize) -> &str {
        self.0.split('/').nth(nth).unwrap_or_default()
    }

    /// Returns the namespace.
    pub fn namespace(&self) -> &str {
        self.part(1)
    }

    /// Returns the name inside the namespace.
    pub fn name(&self) -> &str {
        self.part(2)
    }
}

impl UnitName {
    /// Returns the name of an Application.
    ///
    /// # Errors
    /// [`InvalidName`] if the namespace or the name is not a valid name of an object.
    pub fn application(namespace: &str, name: &str) -> Result<Self, InvalidName> {
        format!("{APPLICATION}/{namespace}/{name}").parse()
    }

    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::AddOn(name) => name.as_str(),
            Self::Application(name) => &name.0,
        }
    }

    /// Returns the name of the add-on, if the unit is one.
    pub fn addon(&self) -> Option<&AddonName> {
        match self {
            Self::AddOn(name) => Some(name),
            Self::Application(_) => None,
        }
    }
}

impl FromStr for UnitName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let Some((kind, rest)) = text.split_once('/') else { return text.parse().map(Self::AddOn) };
        let invalid = |why| InvalidName { text: text.to_owned(), what: "name of a rollout unit", why };
        if kind != APPLICATION {
            return Err(invalid(
                "its kind is not known; write `application/<namespace>/<name>`, or the name of an add-on",
            ));
        }
        let (namespace, name) =
            rest.split_once('/').ok_or_else(|| invalid("it needs a namespace: `application/<namespace>/<name>`"))?;
        dns_subdomain(namespace).and_then(|()| dns_subdomain(name)).map_err(invalid)?;
        Ok(Self::Application(ScopedName(text.into())))
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

/// The schema is that of [`AddonName`] as long as documents name add-ons only.
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

    fn unit(text: &str) -> UnitName {
        text.parse().unwrap()
    }

    #[test]
    fn a_name_is_read_as_it_is_written() {
        for text in ["hello", "a.b-c", "application/default/web"] {
            assert_eq!(unit(text).to_string(), text);
            let json = serde_json::to_string(&unit(text)).unwrap();
            assert_eq!(serde_json::from_str::<UnitName>(&json).unwrap(), unit(text));
        }
        let web = UnitName::application("default", "web").unwrap();
        let UnitName::Application(name) = &web else { panic!("{web:?}") };
        assert_eq!((name.namespace(), name.name(), web.addon()), ("default", "web", None));
        assert_eq!(unit("hello").addon().map(AddonName::as_str), Some("hello"));
    }

    #[test]
    fn addons_are_sorted_as_their_names_are() {
        let names = ["b", "a-b", "a.b", "a", "ab", "b0"].map(|name| name.parse::<AddonName>().unwrap());
        let units: BTreeSet<UnitName> = names.iter().map(UnitName::from).collect();
        let sorted: BTreeSet<AddonName> = names.into_iter().collect();
        assert!(units.iter().map(UnitName::as_str).eq(sorted.iter().map(AddonName::as_str)));
        let map: BTreeMap<UnitName, ()> = units.into_iter().map(|unit| (unit, ())).collect();
        assert!(map.contains_key("a-b") && !map.contains_key("application/a/b"));
    }

    #[test]
    fn a_name_of_no_unit_is_refused_with_what_is_wrong() {
        let why = |text: &str| text.parse::<UnitName>().unwrap_err().to_string();
        assert_eq!(
            why("Hello"),
            "\"Hello\" is not a valid add-on name: only lower-case letters, digits, '-' and '.' are allowed"
        );
        assert!(why("application/web").ends_with("it needs a namespace: `application/<namespace>/<name>`"));
        assert!(why("app/default/web").contains("its kind is not known"));
        for text in ["", "/", "application//web", "application/a/", "application/a/b/c", "application/a/B"] {
            assert!(text.parse::<UnitName>().is_err(), "{text}");
        }
    }
}
