//! Checks that an add-on runs the current version, and not the previous one.
//!
//! Upstream treats an add-on as available if one replica of a Deployment is ready, even the last one of the old version. Strict
//! asks the cluster for the generation that its controllers have processed, and requires every replica of it to be ready.

use std::collections::BTreeMap;

use tidegate_api::condition::Claim;
use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestResourceMeta, ResourceIdentifier};

use super::report::{Evidence, NotAnInteger, Unhealthy, health, number, results, verdict};
use crate::works::feedback::{DESIRED, GENERATION, OBSERVED, UPDATED, UPDATED_NODES};
use crate::works::layout::deploy_works;

/// Returns the generations that a cluster reports of the workloads that determine its health. A workload of which it reports none has
/// generation 0.
pub fn generations(evidence: &Evidence<'_>) -> BTreeMap<String, i64> {
    let works: Vec<_> = deploy_works(evidence.owner, evidence.works).collect();
    let reported = |probe| {
        let reports = results(probe, &works).into_iter();
        reports.filter_map(|report| number(report, &[GENERATION.0]).ok()?).max().unwrap_or(0)
    };
    evidence.probes.iter().map(|probe| (named(probe), reported(probe))).collect()
}

/// Returns why an add-on is not known to run its current version; `None` if it is known to.
///
/// # Assumptions
/// The works are ready: applied and available at their current generation.
pub fn doubt(evidence: &Evidence<'_>) -> Option<String> {
    match health(evidence) {
        None => return Some("the cluster does not answer".to_owned()),
        Some(claim) if claim.status != "True" => return Some(in_words(evidence, claim)),
        Some(_) => {}
    }
    let works: Vec<_> = deploy_works(evidence.owner, evidence.works).collect();
    evidence.probes.iter().find_map(|probe| {
        let reports = results(probe, &works);
        if reports.is_empty() {
            return Some(format!("the cluster reports nothing about {}", named(probe)));
        }
        reports
            .into_iter()
            .find_map(|report| doubt_of(probe, report).unwrap_or_else(|wrong| Some(unreadable(probe, &wrong))))
    })
}

/// Returns what upstream's condition means for a person. The message of an agent is kept.
fn in_words(evidence: &Evidence<'_>, claim: Claim) -> String {
    let works: Vec<_> = deploy_works(evidence.owner, evidence.works).collect();
    let of_workload = || {
        evidence.probes.iter().find_map(|probe| {
            let what = named(probe);
            results(probe, &works).into_iter().find_map(|report| match verdict(report).err()? {
                Unhealthy::NotProbed { .. } => {
                    Some(format!("the cluster has not reported how many replicas of {what} are ready"))
                }
                Unhealthy::NotAnInteger(wrong) => Some(unreadable(probe, &wrong)),
                Unhealthy::Short { desired, ready, .. } => {
                    Some(format!("{ready} of {desired} replicas of {what} are ready"))
                }
            })
        })
    };
    match (claim.reason.as_str(), claim.status) {
        ("WorkNotFound", _) => "its ManifestWork is not on the hub".to_owned(),
        ("WorkNotApplied", "Unknown") => {
            "the cluster has not reported whether its ManifestWork is available".to_owned()
        }
        ("NoProbeResult", _) => "the cluster has not reported the state of its workloads".to_owned(),
        ("ProbeUnavailable", _) => of_workload().unwrap_or(claim.message),
        _ => claim.message,
    }
}

fn named(probe: &ResourceIdentifier) -> String {
    format!("{} {}/{}", probe.resource, probe.namespace, probe.name)
}

fn unreadable(probe: &ResourceIdentifier, wrong: &NotAnInteger) -> String {
    format!("the report of the cluster on {} cannot be read: {wrong}", named(probe))
}

/// Returns `true` if a workload is reported, and all of its replicas are ready in its current version.
pub(super) fn is_ready(report: &ManifestCondition) -> bool {
    let ManifestResourceMeta { group, resource, name, namespace, .. } = report.resource_meta.clone();
    doubt_of(&ResourceIdentifier { group, resource, name, namespace }, report).is_ok_and(|doubt| doubt.is_none())
}

/// Judges one workload by the report of the agent. An agent that does not support the rule reports only the well-known values;
/// then all existing replicas must be ready.
fn doubt_of(probe: &ResourceIdentifier, report: &ManifestCondition) -> Result<Option<String>, NotAnInteger> {
    let what = named(probe);
    let value = |(name, _): (&str, &str)| number(report, &[name]);
    let (generation, observed) = (value(GENERATION)?, value(OBSERVED)?);
    if let Some(generation) = generation
        && observed.unwrap_or(0) < generation
    {
        return Ok(Some(format!("{what} is being updated: its controller has not processed generation {generation}")));
    }
    let ready = number(report, &["ReadyReplicas", "NumberReady"])?.unwrap_or(0);
    let there = number(report, &["Replicas", "DesiredNumberScheduled"])?.unwrap_or(0);
    let desired = value(DESIRED)?.unwrap_or(there).max(there);
    let updated = if generation.is_none() { desired } else { value(UPDATED)?.or(value(UPDATED_NODES)?).unwrap_or(0) };
    if updated < desired {
        return Ok(Some(format!("{what} is being updated: {updated} of {desired} replicas run its newest version")));
    }
    if ready < desired {
        return Ok(Some(format!("{ready} of {desired} replicas of {what} are ready")));
    }
    Ok(None)
}
