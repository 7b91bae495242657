//! What an Application declares, as a list of names for people.

use serde::Serialize;

use super::deployment::{Deployment, deployments};
use super::entries::entries;
use super::kind::{APP_DEPLOYMENT, KIND, is_app_deployment, is_application, mark};
use super::overlay::add_overlays;
use super::ownership::{APPLY_ONCE, GARBAGE_COLLECT, READ_ONLY, TAKE_OVER};
use super::parsed::{Component, Parsed, Policy, PolicyKind};
use super::rollout;
use super::selection::{OVERRIDE, PLACEMENT, REPLICATION, TOPOLOGY};
use crate::load::objects_at;
use crate::read::object::Object;
use crate::settings::{self, Executor};
use crate::types::Repository;
use tidegate_kustomize::yaml::NodeBudget;
use tidegate_model::diagnostic::Place;
use tidegate_model::name::{ApplicationName, NamespacedName};
use tidegate_model::tree::Tree;

/// The names in an Application or an AppDeployment, in the order in which they are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// Its name.
    pub name: ApplicationName,
    /// `Application` or `AppDeployment`.
    pub kind: &'static str,
    /// The place where it starts.
    pub place: Place,
    /// Its components, those that an override adds included. Empty for an AppDeployment, and for an object that cannot be read.
    pub components: Vec<OutlinedComponent>,
    /// Its policies.
    pub policies: Vec<OutlinedPolicy>,
    /// Its parts, in the order of the parts of its unit.
    pub parts: Vec<OutlinedPart>,
}

/// A component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutlinedComponent {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub type_: String,
    /// The types of its traits, in order.
    pub traits: Vec<String>,
    /// The components that come before it on each cluster.
    #[serde(rename = "dependsOn", skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<String>,
    /// Its batches inside a cluster, and who carries them out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batches: Option<String>,
}

/// A policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutlinedPolicy {
    /// Its name.
    pub name: String,
    /// Its type.
    #[serde(rename = "type")]
    pub type_: &'static str,
}

/// The clusters of one policy, with what changes there, or of one entry of an AppDeployment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutlinedPart {
    /// The number of its step, from 1. Its clusters start once those of all earlier steps are done.
    pub step: usize,
    /// The name of its step, or of its policy if the application has no workflow. For an entry, the revision.
    pub name: String,
    /// The policy that selects its clusters, or the cluster that the step names. For an entry, the Placement.
    pub policy: String,
    /// The policies that change what its clusters get, in order.
    pub overrides: Vec<String>,
}

/// Returns an outline of each Application and AppDeployment in a tree, in the order of the files; none unless the settings switch applications on. What cannot
/// be read is left out; [`load`](crate::load()) reports why.
///
/// A non-empty `path` overrides the one in `tidegate.toml`.
pub fn outlines(tree: &Tree, path: &str) -> Vec<Outline> {
    let settings = settings::read(tree, path, &mut Vec::new()).settings;
    if !settings.applications.enabled {
        return Vec::new();
    }
    let executor = settings.applications.rollout;
    let mut objects = objects_at(tree, &mut Repository { settings, ..Repository::default() });
    mark(&mut objects, &mut Vec::new());
    add_overlays(tree, &mut objects, &mut Vec::new(), &NodeBudget::default());
    objects.iter().filter_map(|object| outline(object, executor)).collect()
}

fn outline(object: &Object, executor: Executor) -> Option<Outline> {
    let kind = match (is_application(object), is_app_deployment(object)) {
        (true, _) => KIND,
        (_, true) => APP_DEPLOYMENT,
        (false, false) => return None,
    };
    let name = ApplicationName::try_from(&NamespacedName::new(&object.key.namespace, &object.key.name)).ok()?;
    let place = object.place();
    let empty = Outline { name, kind, place, components: Vec::new(), policies: Vec::new(), parts: Vec::new() };
    if kind == APP_DEPLOYMENT {
        let parts = entries(&object.value).into_iter().enumerate().map(|(index, entry)| OutlinedPart {
            step: index + 1,
            policy: entry.placement(&object.key.name),
            name: entry.revision,
            overrides: Vec::new(),
        });
        return Some(Outline { parts: parts.collect(), ..empty });
    }
    let Ok(parsed) = Parsed::read(&object.value) else { return Some(empty) };
    let component = |component: Component| OutlinedComponent {
        batches: rollout::words(&component, executor),
        name: component.name,
        type_: component.type_,
        traits: component.traits.into_iter().map(|found| found.type_).collect(),
        depends_on: component.depends_on,
    };
    Some(Outline {
        components: parsed.all_components().into_iter().map(component).collect(),
        policies: parsed.policies.iter().filter_map(policy).collect(),
        parts: deployments(&parsed).iter().map(|deployment| part(&parsed, deployment)).collect(),
        ..empty
    })
}

fn policy(policy: &Policy) -> Option<OutlinedPolicy> {
    let type_ = match &policy.kind {
        PolicyKind::Dispatched(_) => return None,
        PolicyKind::Placement(_) => PLACEMENT,
        PolicyKind::Topology(_) => TOPOLOGY,
        PolicyKind::Override(_) => OVERRIDE,
        PolicyKind::Replication(_) => REPLICATION,
        PolicyKind::ApplyOnce(_) => APPLY_ONCE,
        PolicyKind::GarbageCollect(_) => GARBAGE_COLLECT,
        PolicyKind::ReadOnly(_) => READ_ONLY,
        PolicyKind::TakeOver(_) => TAKE_OVER,
    };
    Some(OutlinedPolicy { name: policy.name.clone(), type_ })
}

fn part(parsed: &Parsed, deployment: &Deployment<'_>) -> OutlinedPart {
    let policy = match deployment.dispatched() {
        Some(dispatched) => &dispatched.cluster,
        None => &deployment.policy.name,
    };
    let step = parsed.workflow.steps.get(deployment.step).map(|step| &step.name);
    OutlinedPart {
        step: deployment.step + 1,
        name: step.filter(|name| !name.is_empty()).unwrap_or(policy).clone(),
        policy: policy.clone(),
        overrides: deployment.changing().map(str::to_owned).collect(),
    }
}
