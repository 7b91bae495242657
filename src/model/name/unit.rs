//! Names of rollout units.

use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AddonName, InvalidName, NamespacedName};

/// The name of a rollout unit: what has a digest, rollouts and clusters of its own.
///
/// # Shape
/// An add-on is written as its name, such as `hello`, and an application as `application/NAMESPACE/NAME`. The name of an add-on has no
/// slash. Names are equal and sorted as this text.
#[derive(Clone)]
pub enum UnitName {
    /// An add-on.
    AddOn(AddonName),
    /// An application.
    Application(ApplicationName),
}

/// The namespace and name of an application, with the text of its unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ApplicationName {
    /// The name of the unit, as text.
    text: Arc<str>,
    /// The index at which the namespace ends.
    slash: usize,
}

/// What the text of every application starts with.
const APPLICATION: &str = "application/";
/// The folder of applications beside what is about add-ons.
const APPLICATIONS: &str = "applications/";

impl ApplicationName {
    /// Returns the namespace.
    pub fn namespace(&self) -> &str {
        self.text.get(APPLICATION.len()..self.slash).unwrap_or_default()
    }

    /// Returns the name inside the namespace.
    pub fn name(&self) -> &str {
        self.text.get(self.slash + 1..).unwrap_or_default()
    }

    /// Returns the name of the unit, as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl From<ApplicationName> for String {
    fn from(name: ApplicationName) -> Self {
        name.as_str().to_owned()
    }
}

impl TryFrom<String> for ApplicationName {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        let invalid = || InvalidName {
            text: text.clone(),
            what: "application",
            why: "it is not of the form application/namespace/name",
        };
        Self::try_from(&text.strip_prefix(APPLICATION).ok_or_else(invalid)?.parse::<NamespacedName>()?)
    }
}

impl TryFrom<&NamespacedName> for ApplicationName {
    type Error = InvalidName;

    fn try_from(name: &NamespacedName) -> Result<Self, InvalidName> {
        // Reads it again, so that neither part is empty or has a slash.
        format!("{}/{}", name.namespace, name.name).parse::<NamespacedName>()?;
        let text = format!("{APPLICATION}{}/{}", name.namespace, name.name);
        Ok(Self { text: text.into(), slash: APPLICATION.len() + name.namespace.len() })
    }
}

impl UnitName {
    /// Returns the name as text.
    pub fn as_str(&self) -> &str {
        match self {
            Self::AddOn(name) => name.as_str(),
            Self::Application(name) => name.as_str(),
        }
    }

    /// Returns the path of a unit in a directory with files of all units: the name of an add-on, or `applications/NAMESPACE/NAME`.
    pub fn path(&self) -> Cow<'_, str> {
        match self {
            Self::AddOn(name) => Cow::Borrowed(name.as_str()),
            Self::Application(name) => Cow::Owned(format!("{APPLICATIONS}{}/{}", name.namespace(), name.name())),
        }
    }

    /// Returns the unit whose path this is.
    ///
    /// # Errors
    /// [`InvalidName`] if it is not the path of a unit.
    pub fn of_path(path: &str) -> Result<Self, InvalidName> {
        match path.strip_prefix(APPLICATIONS) {
            Some(name) => ApplicationName::try_from(&name.parse::<NamespacedName>()?).map(Self::Application),
            None => path.parse().map(Self::AddOn),
        }
    }

    /// Returns the name of the add-on; `None` if the unit is something else.
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
        match text.starts_with(APPLICATION) {
            true => ApplicationName::try_from(text.to_owned()).map(Self::Application),
            false => text.parse().map(Self::AddOn),
        }
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

impl JsonSchema for UnitName {
    fn schema_name() -> Cow<'static, str> {
        "UnitName".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The name of an add-on, or of an application as `application/NAMESPACE/NAME`.",
            "type": "string",
            "minLength": 1,
            "maxLength": 519,
            "pattern": "^(application/[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*/)?[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$"
        })
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
        assert_eq!((unit.as_str(), unit.addon().map(AddonName::as_str)), ("a.b-c", Some("a.b-c")));
        let json = serde_json::to_string(&unit).unwrap();
        assert_eq!(serde_json::from_str::<UnitName>(&json).unwrap(), unit);
        let error = "a/b".parse::<UnitName>().unwrap_err();
        assert_eq!(error, "a/b".parse::<AddonName>().unwrap_err());
    }

    #[test]
    fn an_application_has_a_namespace_and_a_name() {
        let unit: UnitName = "application/team-a/web".parse().unwrap();
        assert_eq!((unit.as_str(), unit.addon()), ("application/team-a/web", None));
        let UnitName::Application(name) = &unit else { panic!("{unit}") };
        assert_eq!((name.namespace(), name.name()), ("team-a", "web"));
        for wrong in [
            "application/",
            "application/a",
            "application//a",
            "application/a/",
            "application/a/b/c",
            "Application/a/b",
        ] {
            wrong.parse::<UnitName>().unwrap_err();
        }
        let addon: UnitName = "application".parse().unwrap();
        assert!(addon.addon().is_some() && addon < unit);
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
