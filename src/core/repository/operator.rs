//! What the operator of the hub lets a repository do there. It comes from the file of the daemon, and never from the repository.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::check::kept_kinds::{self, is_system_namespace};
use tidegate_api::key::RBAC_GROUP;
use tidegate_model::instance::InstanceId;
use tidegate_model::object::{GroupKind, ObjectKey};

/// What the operator lets a repository do on the hub.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorRules {
    /// The kinds that it may declare, in addition to those of OCM and what they refer to.
    pub kinds: Vec<AllowedKind>,
    /// Whose objects it takes over.
    pub adopt: Adopt,
    /// The people that the operator defines, by alias.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub people: BTreeMap<String, Vec<String>>,
}

/// Objects that a repository may declare.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedKind {
    /// The API group; empty for the core group.
    #[serde(default)]
    pub group: String,
    /// The kind, in CamelCase.
    pub kind: String,
    /// The namespaces; if empty, all that do not belong to the hub, and cluster-scoped objects.
    #[serde(default)]
    pub namespaces: Vec<String>,
    /// The names; if empty, all. Kinds of RBAC need names.
    #[serde(default)]
    pub names: Vec<String>,
}

/// Whose objects are taken over if the repository declares them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adopt {
    /// The instances whose objects are taken over.
    pub instances: Vec<InstanceId>,
    /// Objects without a mark that are taken over. Those of OCM's kinds need not be listed.
    pub objects: Vec<AdoptedObject>,
}

/// An object on the hub that no instance has written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AdoptedObject {
    /// The API group; empty for the core group.
    #[serde(default)]
    pub group: String,
    /// The kind, in CamelCase.
    pub kind: String,
    /// The namespace; empty for a cluster-scoped object.
    #[serde(default)]
    pub namespace: String,
    /// The name.
    pub name: String,
}

impl AllowedKind {
    /// Returns the entry that allows one object.
    pub(crate) fn of(key: &ObjectKey) -> Self {
        let ObjectKey { group, kind, namespace, name } = key.clone();
        let namespaces = Some(namespace).filter(|namespace| !namespace.is_empty()).into_iter().collect();
        Self { group, kind, namespaces, names: vec![name] }
    }

    /// Returns `true` if the entry allows an object.
    pub(super) fn allows(&self, key: &ObjectKey) -> bool {
        let is_named = |allowed: &[String], name: &str| allowed.iter().any(|allowed| allowed == name);
        let in_namespace = match self.namespaces.as_slice() {
            [] => !is_system_namespace(&key.namespace),
            listed => is_named(listed, &key.namespace),
        };
        self.group == key.group
            && self.kind == key.kind
            && in_namespace
            && (self.names.is_empty() || is_named(&self.names, &key.name))
    }

    /// Returns why the entry is not useful or too broad.
    fn problem(&self) -> Option<String> {
        let kind = GroupKind::new(&self.group, &self.kind);
        if let Some(why) = kept_kinds::never(&ObjectKey::new(&self.group, &self.kind, "", "")) {
            return Some(format!("{kind} cannot be allowed: {why}"));
        }
        (self.group == RBAC_GROUP && self.names.is_empty())
            .then(|| format!("{kind} gives rights on the hub, so the entry needs names = [...]"))
    }
}

/// Displays as an inline table of TOML.
impl fmt::Display for AllowedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, kind, namespaces, names } = self;
        write!(f, "{{ kind = {kind:?}")?;
        if !group.is_empty() {
            write!(f, ", group = {group:?}")?;
        }
        if !namespaces.is_empty() {
            write!(f, ", namespaces = {namespaces:?}")?;
        }
        if !names.is_empty() {
            write!(f, ", names = {names:?}")?;
        }
        f.write_str(" }")
    }
}

impl AdoptedObject {
    /// Returns the entry for an object.
    pub(crate) fn of(key: &ObjectKey) -> Self {
        let ObjectKey { group, kind, namespace, name } = key.clone();
        Self { group, kind, namespace, name }
    }
}

/// Displays as an inline table of TOML.
impl fmt::Display for AdoptedObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, kind, namespace, name } = self;
        f.write_str(&ObjectKey::new(group, kind, namespace, name).to_inline_table())
    }
}

impl Adopt {
    /// Returns `true` if an object without a mark is taken over.
    pub fn lists(&self, key: &ObjectKey) -> bool {
        self.objects.iter().any(|object| {
            let AdoptedObject { group, kind, namespace, name } = object;
            (group, kind, namespace, name) == (&key.group, &key.kind, &key.namespace, &key.name)
        })
    }
}

/// Reads the list of allowed kinds.
///
/// # Errors
/// If an entry can never be allowed, or is for a kind of RBAC and has no names.
pub fn allowed_kinds<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<AllowedKind>, D::Error> {
    let kinds = Vec::<AllowedKind>::deserialize(from)?;
    match kinds.iter().find_map(AllowedKind::problem) {
        Some(problem) => Err(serde::de::Error::custom(problem)),
        None => Ok(kinds),
    }
}
