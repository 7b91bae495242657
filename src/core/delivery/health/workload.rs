//! What a cluster reports about one workload. StatefulSets, CloneSets, Jobs and Rollouts are workloads of applications only.
//!
//! # Source
//! `kubectl rollout status`, the conditions of Jobs in `k8s.io/api/batch/v1`, and the status of CloneSets in `apps.kruise.io/v1alpha1`.

use tidegate_api::ocm::manifest_work::{ManifestCondition, ResourceIdentifier};

use super::rollout;
use super::values::{NotAnInteger, is_complete, number, text};
use super::wanted::{Wanted, difference};
use crate::template::batches::Batch;
use crate::template::workload::Kind;
use crate::works::feedback::{
    CLONE_SET_PARTITION, CURRENT_REVISION, DESIRED, EXPECTED, GENERATION, JOB_FAILED, OBSERVED, PARTITION, READY,
    THERE, UPDATE_REVISION, UPDATE_STRATEGY, UPDATED, UPDATED_NODES, UPDATED_READY,
};

/// What a person can do about a number of replicas that is not that of the manifest.
pub(super) const WAYS_OUT: &str =
    "scale it back, write the number of the cluster in a commit, or declare what scales it";

/// Returns how messages name an object.
pub(super) fn named(workload: &ResourceIdentifier) -> String {
    let slash = if workload.namespace.is_empty() { "" } else { "/" };
    format!("{} {}{slash}{}", workload.resource, workload.namespace, workload.name)
}

/// Returns why a workload is not known to run its current version. An agent that does not support the rule reports only the well-known
/// values; then all existing replicas must be ready, and as many as the manifest has.
pub(super) fn doubt_of(
    workload: &ResourceIdentifier,
    report: &ManifestCondition,
    wanted: Option<&Wanted>,
) -> Result<Option<String>, NotAnInteger> {
    let what = named(workload);
    let kind = Kind::of(&workload.group, &workload.resource);
    match kind {
        Some(Kind::Job) => return Ok(unfinished(&what, report)),
        Some(kind @ (Kind::Rollout | Kind::ArgoRollout | Kind::KruiseRollout)) => {
            return rollout::doubt_of(kind, &what, report, wanted);
        }
        _ => {}
    }
    let value = |(name, _): (&str, &str)| number(report, &[name]);
    let (generation, observed) = (value(GENERATION)?, value(OBSERVED)?);
    if let Some(generation) = generation
        && observed.unwrap_or(0) < generation
    {
        return Ok(Some(format!("{what} is being updated: its controller has not processed generation {generation}")));
    }
    if let Some((desired, wanted)) = difference(report, wanted)? {
        return Ok(Some(format!(
            "{what} has {desired} replicas on the cluster and {wanted} in its manifest: {WAYS_OUT}"
        )));
    }
    if let (Some(kind), Some(Wanted::Batch(batch))) = (kind, wanted)
        && let Some(how) = not_replaced(kind, report, batch)?
    {
        return Ok(Some(format!("{what} is being updated: {how}")));
    }
    let ready = number(report, &["ReadyReplicas", "NumberReady", READY.0])?.unwrap_or(0);
    let there = number(report, &["Replicas", "DesiredNumberScheduled", THERE.0])?.unwrap_or(0);
    let desired = value(DESIRED)?.or(wanted.and_then(Wanted::replicas)).unwrap_or(there).max(there);
    let updated = if generation.is_none() || kind == Some(Kind::CloneSet) {
        desired
    } else {
        value(UPDATED)?.or(value(UPDATED_NODES)?).unwrap_or(0)
    };
    // Replicas of a StatefulSet below its partition stay at their version.
    let partition = value(PARTITION)?.unwrap_or(0).clamp(0, desired);
    let wanted = desired - partition;
    if updated < wanted {
        return Ok(Some(format!("{what} is being updated: {updated} of {wanted} replicas run its newest version")));
    }
    if kind == Some(Kind::CloneSet)
        && let Some(why) = not_updated(&what, report, desired)?
    {
        return Ok(Some(why));
    }
    if ready < desired {
        return Ok(Some(format!("{ready} of {desired} replicas of {what} are ready")));
    }
    let is_whole = kind == Some(Kind::StatefulSet) && partition == 0;
    Ok(is_whole.then(|| not_recorded(&what, report)).flatten())
}

/// Returns how far a workload is with a batch and those before it; `None` if their replicas run the newest version.
fn not_replaced(kind: Kind, report: &ManifestCondition, batch: &Batch) -> Result<Option<String>, NotAnInteger> {
    let (partition, updated) = match kind {
        Kind::CloneSet => (CLONE_SET_PARTITION, UPDATED_READY),
        _ => (PARTITION, UPDATED),
    };
    if number(report, &[partition.0])? != Some(batch.partition) {
        return Ok(Some("the cluster does not report it with the partition that it should have".to_owned()));
    }
    let updated = number(report, &[updated.0])?.unwrap_or(0);
    let Batch { replicas, partition, number, of } = batch;
    let how = || {
        let percent = updated.clamp(0, *replicas).saturating_mul(100) / (*replicas).max(1);
        format!("batch {number}/{of}, {updated} of {replicas} replicas ({percent} %)")
    };
    Ok((updated < replicas - partition).then(how))
}

/// Returns why a CloneSet has not finished its update: too few of the replicas beyond its partition run the newest version, and are ready.
fn not_updated(what: &str, report: &ManifestCondition, desired: i64) -> Result<Option<String>, NotAnInteger> {
    let [ready, expected] = [UPDATED_READY, EXPECTED].map(|(name, _)| number(report, &[name]));
    let (ready, wanted) = (ready?.unwrap_or(0), expected?.unwrap_or(desired).clamp(0, desired));
    let why = || format!("{what} is being updated: {ready} of {wanted} replicas run its newest version and are ready");
    Ok((ready < wanted).then(why))
}

/// Returns why a StatefulSet has not finished its update. With `OnDelete`, its controller never records that it has.
fn not_recorded(what: &str, report: &ManifestCondition) -> Option<String> {
    let [current, update] = [CURRENT_REVISION, UPDATE_REVISION].map(|(name, _)| text(report, name));
    let is_behind = current.is_some() && current != update && text(report, UPDATE_STRATEGY.0) != Some("OnDelete");
    is_behind.then(|| format!("{what} is being updated: its controller has not recorded the newest version as current"))
}

/// Returns why a Job is not done.
fn unfinished(what: &str, report: &ManifestCondition) -> Option<String> {
    if is_complete(report) {
        return None;
    }
    Some(if text(report, JOB_FAILED.0) == Some("True") {
        format!("{what} has failed")
    } else {
        format!("{what} has not completed")
    })
}

/// Returns `true` if a Job or a Rollout is reported as failed, which is final.
pub(super) fn has_failed(report: &ManifestCondition, wanted: Option<&Wanted>) -> bool {
    match Kind::of_report(&report.resource_meta) {
        Some(kind @ (Kind::Rollout | Kind::ArgoRollout | Kind::KruiseRollout)) => {
            rollout::has_failed(kind, report, wanted)
        }
        _ => text(report, JOB_FAILED.0) == Some("True"),
    }
}
