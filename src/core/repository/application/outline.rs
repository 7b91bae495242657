//! What an Application declares, as a list of names for people.

use serde::Serialize;

use super::deployment::{Deployment, deployments};
use super::entries::entries;
use super::kind::{APP_DEPLOYMENT, KIND, is_app_deployment, is_application, mark};
use super::ownership::{self, APPLY_ONCE, GARBAGE_COLLECT, READ_ONLY, TAKE_OVER};
use super::parsed::{Component, Parsed, Policy, PolicyKind, Step};
use super::selection::{OVERRIDE, PLACEMENT, REPLICATION, TOPOLOGY};
use super::sources::add_sources;
use super::steps::{DEPENDS_ON_APP, SUSPEND, awaited};
use super::{is_candidate, required, rollout};
use crate::load::objects_at;
use crate::read::object::{Object, path};
use crate::settings::{self, Executor};
use crate::types::Repository;
use tidegate_api::schema::path::Path;
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
    /// Whether it is a candidate, which no cluster gets.
    #[serde(rename = "revisionOnly", skip_serializing_if = "std::ops::Not::not")]
    pub is_candidate: bool,
    /// The units that a cluster must have before it gets the application.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requires: Vec<String>,
    /// Its components, those that an override adds included. Empty for an AppDeployment, and for an object that cannot be read.
    pub components: Vec<OutlinedComponent>,
    /// Its policies.
    pub policies: Vec<OutlinedPolicy>,
    /// Its parts, in the order of the parts of its unit.
    pub parts: Vec<OutlinedPart>,
    /// Its steps that wait and deliver nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<OutlinedWait>,
}

/// A step that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OutlinedWait {
    /// The number of the step, from 1.
    pub step: usize,
    /// Its name.
    pub name: String,
    /// Until when, or for what.
    pub waits: String,
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
    /// Its rules about objects, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
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
    add_sources(tree, &mut objects, &mut Vec::new(), &NodeBudget::default());
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
    let empty = Outline {
        name,
        kind,
        place,
        is_candidate: is_candidate(object),
        requires: required::units(&object.value).iter().map(ToString::to_string).collect(),
        components: Vec::new(),
        policies: Vec::new(),
        parts: Vec::new(),
        waits: Vec::new(),
    };
    if kind == APP_DEPLOYMENT {
        let parts = entries(&object.value).into_iter().enumerate().map(|(index, entry)| OutlinedPart {
            step: index + 1,
            policy: entry.placement(&object.key.name),
            name: entry.revision,
            overrides: Vec::new(),
        });
        return Some(Outline { parts: parts.collect(), ..empty });
    }
    let awaited = awaited(&object.value);
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
        waits: parsed.workflow.steps.iter().enumerate().filter_map(|step| wait(step, &awaited)).collect(),
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
    Some(OutlinedPolicy { name: policy.name.clone(), type_, rules: ownership::rules(&policy.kind) })
}

/// Returns a step that waits; `None` if it delivers something.
fn wait((index, step): (usize, &Step), awaited: &[(Path, String)]) -> Option<OutlinedWait> {
    let at = path(&["spec", "workflow", "steps"]).item(index);
    let waits = match step.type_.as_str() {
        SUSPEND => format!(
            "until each cluster of the step before has been healthy for {}",
            step.properties.duration.as_deref()?
        ),
        DEPENDS_ON_APP => awaited
            .iter()
            .find(|(of, _)| of.0.starts_with(&at.0))
            .map(|(_, unit)| format!("for {unit} on each cluster"))?,
        _ => return None,
    };
    Some(OutlinedWait { step: index + 1, name: step.name.clone(), waits })
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
