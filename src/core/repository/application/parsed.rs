//! An application without errors, in types.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use std::collections::BTreeMap;

use super::ownership::{ApplyOnce, Keeping, Selecting};
pub(super) use crate::fields::set;
use tidegate_api::key;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;

/// The label of each object of an application with its name.
pub const NAME_LABEL: &str = "app.oam.dev/name";
/// The label of each object of an application with its namespace. Its objects may be in another one.
pub const NAMESPACE_LABEL: &str = "app.oam.dev/namespace";
/// The label by which the workload of a component selects its pods.
pub(crate) const COMPONENT_LABEL: &str = key::COMPONENT;

/// The content of an Application.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Parsed {
    /// What it consists of.
    pub(super) components: Vec<Component>,
    /// Where it goes, and what differs there.
    #[serde(default)]
    pub(crate) policies: Vec<Policy>,
    /// In which order.
    #[serde(default)]
    pub(super) workflow: Workflow,
}

/// A component: a workload with its traits.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Component {
    pub(crate) name: String,
    #[serde(rename = "type")]
    pub(crate) type_: String,
    #[serde(default)]
    pub(super) properties: Map<String, Value>,
    #[serde(default)]
    pub(crate) traits: Vec<Trait>,
    /// The components that come before it on each cluster.
    #[serde(default, rename = "dependsOn", skip_serializing_if = "Vec::is_empty")]
    pub(crate) depends_on: Vec<String>,
    /// The name of its revision.
    #[serde(default, rename = "externalRevision", skip_serializing_if = "Option::is_none")]
    pub(crate) external_revision: Option<String>,
    /// The name of the component of which it is a copy, if a replication makes it.
    #[serde(skip)]
    pub(super) copy_of: Option<String>,
}

impl Component {
    /// Returns its name as it is written: that of the component of which it is a copy, or its own.
    pub(super) fn written(&self) -> &str {
        self.copy_of.as_ref().unwrap_or(&self.name)
    }
}

/// A trait of a component.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Trait {
    #[serde(rename = "type")]
    pub(crate) type_: String,
    #[serde(default)]
    pub(super) properties: Map<String, Value>,
}

/// A policy.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Policy {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) kind: PolicyKind,
}

/// What a policy is about.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "type", content = "properties", rename_all = "lowercase")]
pub(super) enum PolicyKind {
    /// The clusters of a Placement.
    Placement(Box<PlacementPolicy>),
    /// Clusters by name or label.
    Topology(Topology),
    /// What differs on some clusters.
    Override(Override),
    /// Which components there are several times.
    Replication(Replication),
    /// What the agent applies once only.
    #[serde(rename = "apply-once")]
    ApplyOnce(ApplyOnce),
    /// What stays on clusters.
    #[serde(rename = "garbage-collect")]
    GarbageCollect(Keeping),
    /// What the agent does not apply.
    #[serde(rename = "read-only")]
    ReadOnly(Selecting),
    /// What the agent applies with force.
    #[serde(rename = "take-over")]
    TakeOver(Selecting),
    /// One cluster, with what steps dispatch to it. Steps make it, and people do not write it.
    #[serde(skip)]
    Dispatched(Dispatched),
}

impl PolicyKind {
    /// Returns `true` if it says how objects are applied and kept, and nothing about clusters.
    pub(super) fn is_about_objects(&self) -> bool {
        matches!(self, Self::ApplyOnce(_) | Self::GarbageCollect(_) | Self::ReadOnly(_) | Self::TakeOver(_))
    }
}

/// What steps dispatch to one cluster.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dispatched {
    pub(super) cluster: String,
    /// In the order of the steps.
    pub(super) what: Vec<Dispatch>,
}

/// What one step dispatches.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Dispatch {
    /// The revision of a component, by its name.
    Revision(String),
    /// All objects of a component but its workload.
    Traits(String),
}

/// The properties of a policy of type `placement`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PlacementPolicy {
    pub(super) name: String,
    #[serde(default)]
    pub(super) namespace: Option<String>,
    #[serde(default)]
    pub(super) rollout_strategy: Option<RolloutStrategy>,
    /// Whether later steps start although it selects no clusters.
    #[serde(default)]
    pub(super) allow_empty: bool,
}

/// The properties of a policy of type `topology`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Topology {
    /// The names of clusters.
    pub(super) clusters: Vec<String>,
    /// Labels that clusters have.
    #[serde(alias = "clusterSelector")]
    pub(super) cluster_label_selector: BTreeMap<String, String>,
    /// Whether later steps start although it selects no clusters.
    pub(super) allow_empty: bool,
    /// The namespace of the objects on these clusters.
    pub(super) namespace: Option<String>,
}

/// The properties of a policy of type `override`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Override {
    /// Changes of components, in order.
    pub(super) components: Vec<ComponentChange>,
    /// The components that are kept; empty for all.
    pub(super) selector: Vec<String>,
}

/// The properties of a policy of type `replication`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Replication {
    /// Each component is there once for each key, which follows its name.
    pub(super) keys: Vec<String>,
    /// The components; empty for all.
    pub(super) selector: Vec<String>,
}

/// A change of components, or a new one.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct ComponentChange {
    /// The name of the component; empty for all of the type.
    pub(crate) name: String,
    /// The type of the component; empty for any.
    #[serde(rename = "type")]
    pub(crate) type_: String,
    pub(crate) properties: Map<String, Value>,
    pub(crate) traits: Vec<TraitChange>,
}

/// A change of a trait, or a new one.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct TraitChange {
    #[serde(rename = "type")]
    pub(crate) type_: String,
    #[serde(default)]
    pub(crate) properties: Map<String, Value>,
    /// Whether the trait is removed.
    #[serde(default)]
    pub(crate) disable: bool,
}

impl TraitChange {
    /// Returns the trait that the change adds to a component without one of its type.
    pub(super) fn as_trait(&self) -> Trait {
        Trait { type_: self.type_.clone(), properties: self.properties.clone() }
    }
}

/// The order in which clusters get the application.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Workflow {
    pub(super) steps: Vec<Step>,
}

/// A step: a deployment, a dispatch, a group of them that run side by side, or one that waits.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Step {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) type_: String,
    pub(super) properties: Deploy,
    pub(super) sub_steps: Vec<Step>,
}

/// The properties of a step of type `deploy`, of one that dispatches, or of one that waits.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Deploy {
    pub(super) policies: Vec<String>,
    pub(super) parallelism: Option<u32>,
    /// How long a `suspend` waits.
    pub(super) duration: Option<String>,
    pub(super) cluster: Option<String>,
    pub(super) comp_rev: Option<String>,
    pub(super) component: Option<String>,
}

/// Returns an object with the fields that have a value.
pub(super) fn present<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    members.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Map<_, _>>().into()
}
