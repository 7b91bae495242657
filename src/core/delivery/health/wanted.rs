//! What the hub wants of workloads, by their manifests.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use tidegate_api::ocm::manifest_work::{
    IgnoreField, ManifestCondition, ManifestConfigOption, ManifestWork, ResourceIdentifier,
};
use tidegate_model::glob;
use tidegate_model::object::ObjectKey;

use super::object::identifier;
use super::values::{NotAnInteger, number};
use crate::go_object::unstructured::at;
use crate::template::batches::Batch;
use crate::template::workload::{self, Kind};
use crate::works::autoscaler::scaled;
use crate::works::feedback::DESIRED;
use crate::works::replicas::asks;

/// What the hub wants of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// What a Rollout of `standard.oam.dev` should be about.
    Plan(Plan),
    /// This number of replicas, which the agent keeps.
    Replicas(i64),
    /// This batch of replicas, and those before it.
    Batch(Batch),
    /// The manifest may have a number of replicas, but the agent does not keep it.
    AnyNumber,
}

/// What a Rollout of `standard.oam.dev` should be about, by its manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) target: Option<String>,
    pub(super) size: Option<i64>,
    pub(super) batches: usize,
}

impl Plan {
    fn of(manifest: &Value) -> Self {
        let plan = manifest.pointer("/spec/rolloutPlan").unwrap_or(&Value::Null);
        Self {
            target: manifest.pointer("/spec/targetRevisionName").and_then(Value::as_str).map(str::to_owned),
            size: plan.get("targetSize").and_then(Value::as_i64),
            batches: plan.get("rolloutBatches").and_then(Value::as_array).map_or(0, Vec::len),
        }
    }
}

/// What the hub wants of the workloads in works. A workload is absent if its number of replicas is not that of its manifest: the manifest has
/// none, or something that the unit declares scales it.
#[derive(Debug, Default)]
pub(super) struct AllWanted(BTreeMap<ResourceIdentifier, Wanted>);

impl AllWanted {
    /// Reads the manifests of works.
    pub(super) fn of<'w>(works: impl IntoIterator<Item = &'w ManifestWork>) -> Self {
        let works: Vec<&ManifestWork> = works.into_iter().collect();
        let workloads = works.iter().filter_map(|work| work.spec.workload.as_ref());
        let objects: Vec<Value> = workloads.flat_map(|workload| workload.objects()).collect();
        let scaled = scaled(&objects);
        let configs: Vec<&ManifestConfigOption> = works.iter().flat_map(|work| &work.spec.manifest_configs).collect();
        let wanted = |object: &Value| {
            let kind = workload::of_application(object)?;
            let own = workload::identifier(kind, object);
            let is_scaled = || ObjectKey::of(object).is_some_and(|key| scaled.contains(&key));
            let wanted = match kind {
                Kind::Rollout => Wanted::Plan(Plan::of(object)),
                Kind::Deployment | Kind::StatefulSet | Kind::CloneSet if !is_scaled() => {
                    let about = |config: &&&ManifestConfigOption| is_for(&config.resource_identifier, &own);
                    replicas(object, &configs.iter().filter(about).copied().collect::<Vec<_>>())?
                }
                _ => return None,
            };
            Some((own, wanted))
        };
        Self(objects.iter().filter_map(wanted).collect())
    }

    /// Reads the manifests of shared works.
    pub(super) fn of_shared(works: &[&Arc<ManifestWork>]) -> Self {
        Self::of(works.iter().map(|work| &***work))
    }

    /// Returns what the hub wants of a workload.
    pub(super) fn get(&self, workload: &ResourceIdentifier) -> Option<&Wanted> {
        self.0.get(workload)
    }

    /// Returns what the hub wants of a reported object.
    pub(super) fn of_report(&self, report: &ManifestCondition) -> Option<&Wanted> {
        self.get(&identifier(&report.resource_meta))
    }

    /// Returns the workloads that should have no replicas.
    pub(super) fn idle(&self) -> impl Iterator<Item = (&ResourceIdentifier, &Wanted)> {
        self.0.iter().filter(|(_, wanted)| **wanted == Wanted::Replicas(0))
    }
}

/// Returns `true` if a configuration is about a workload. Its name and namespace may have wildcards.
///
/// # Source
/// OCM, `FindManifestConfiguration`.
fn is_for(configured: &ResourceIdentifier, workload: &ResourceIdentifier) -> bool {
    (&configured.group, &configured.resource) == (&workload.group, &workload.resource)
        && glob::matches(&configured.namespace, &workload.namespace)
        && glob::matches(&configured.name, &workload.name)
}

/// Returns what the hub wants of the number of replicas of a workload, given the configurations that are about it. The first one with a
/// strategy counts.
fn replicas(object: &Value, configs: &[&ManifestConfigOption]) -> Option<Wanted> {
    if configs.iter().any(|config| asks(config)) {
        return None;
    }
    let is_kept = configs.iter().find_map(|config| config.update_strategy.as_ref()).is_none_or(|strategy| {
        let mut ignored = strategy.server_side_apply.iter().flat_map(|apply| &apply.ignore_fields);
        !matches!(strategy.type_.as_str(), "CreateOnly" | "ReadOnly") && !ignored.any(may_have_replicas)
    });
    if !is_kept {
        return Some(Wanted::AnyNumber);
    }
    let replicas = || at(object, ["spec", "replicas"]).and_then(Value::as_i64).map(Wanted::Replicas);
    Batch::of(object).map(Wanted::Batch).or_else(replicas)
}

/// Returns `true` if the number of replicas may be among fields that an agent ignores.
fn may_have_replicas(ignored: &IgnoreField) -> bool {
    let fields = [&ignored.json_paths, &ignored.json_pointers, &ignored.jq_path_expressions].into_iter().flatten();
    let is_above = |field: &str| ["", ".", ".spec", "/", "/spec"].contains(&field.trim_start_matches('$'));
    fields.into_iter().any(|field| field.contains("replicas") || is_above(field))
}

impl Wanted {
    /// Returns the number of replicas that the agent keeps, if there is one.
    pub(super) fn replicas(&self) -> Option<i64> {
        match self {
            Self::Replicas(replicas) | Self::Batch(Batch { replicas, .. }) => Some(*replicas),
            Self::Plan(_) | Self::AnyNumber => None,
        }
    }
}

/// Returns the number of replicas that a workload should have on its cluster by its `spec` there, and by its manifest, if they differ.
pub(super) fn difference(
    report: &ManifestCondition,
    wanted: Option<&Wanted>,
) -> Result<Option<(i64, i64)>, NotAnInteger> {
    let Some(wanted) = wanted.and_then(Wanted::replicas) else { return Ok(None) };
    let desired = number(report, &[DESIRED.0])?;
    Ok(desired.filter(|desired| *desired != wanted).map(|desired| (desired, wanted)))
}
