//! An application without errors, in types.

use serde::Deserialize;
use serde_json::{Map, Value};

use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_api::schema::path::Path;
use tidegate_model::name::NamespacedName;

use crate::read::object::path;

/// The type of the policy that names a Placement.
pub(crate) const PLACEMENT: &str = "placement";

/// The content of an Application.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Parsed {
    /// What it consists of.
    pub(super) components: Vec<Component>,
    /// Where it goes.
    #[serde(default)]
    pub(super) policies: Vec<Policy>,
}

/// A component: a workload with its traits.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Component {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) type_: String,
    #[serde(default)]
    pub(super) properties: Map<String, Value>,
    #[serde(default)]
    pub(super) traits: Vec<Trait>,
}

/// A trait of a component.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Trait {
    #[serde(rename = "type")]
    pub(super) type_: String,
    #[serde(default)]
    pub(super) properties: Map<String, Value>,
}

/// A policy. The checks let only those of type `placement` pass.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(super) struct Policy {
    pub(super) properties: PlacementPolicy,
}

/// The properties of a policy of type `placement`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlacementPolicy {
    pub(super) name: String,
    #[serde(default)]
    pub(super) namespace: Option<String>,
    #[serde(default = "all_at_once")]
    pub(super) rollout_strategy: RolloutStrategy,
}

fn all_at_once() -> RolloutStrategy {
    RolloutStrategy { type_: "All".to_owned(), ..RolloutStrategy::default() }
}

/// Sets a value at a path of fields. Fields that are absent are added; a value on the way that is no map stays as it is.
pub(super) fn set(value: &mut Value, fields: &[&str], to: Value) {
    let Some((field, rest)) = fields.split_first() else { return };
    if value.is_null() {
        *value = Value::Object(Map::new());
    }
    let Some(members) = value.as_object_mut() else { return };
    match rest {
        [] => drop(members.insert((*field).to_owned(), to)),
        rest => set(members.entry(*field).or_insert(Value::Null), rest, to),
    }
}

impl Parsed {
    /// Reads an application that has passed its checks.
    ///
    /// # Errors
    /// A value that the schema allows and the types do not.
    pub(crate) fn read(application: &Value) -> Result<Self, serde_json::Error> {
        Self::deserialize(application.get("spec").unwrap_or(&Value::Null))
    }
}

/// Returns the Placements that an application names, each with the path of the properties that name it, and these properties. A Placement
/// without a namespace is in that of the application.
pub(crate) fn placements(application: &Value) -> Vec<(Path, NamespacedName, &Value)> {
    let own = application.pointer("/metadata/namespace").and_then(Value::as_str).unwrap_or_default();
    let policies = application.pointer("/spec/policies").and_then(Value::as_array).into_iter().flatten().enumerate();
    let of_type = policies.filter(|(_, policy)| policy.get("type").and_then(Value::as_str) == Some(PLACEMENT));
    let mut named = Vec::new();
    for (index, policy) in of_type {
        let Some(properties) = policy.get("properties") else { continue };
        let text = |member: &str| properties.get(member).and_then(Value::as_str).filter(|text| !text.is_empty());
        if let Some(name) = text("name") {
            let name = NamespacedName::new(text("namespace").unwrap_or(own), name);
            named.push((path(&["spec", "policies"]).item(index).member("properties"), name, properties));
        }
    }
    named
}
