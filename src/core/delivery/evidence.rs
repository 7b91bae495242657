//! Whether an add-on is known to run what a cluster was given, and not what it ran before.
//!
//! Upstream takes an add-on for available if one replica of a Deployment is ready: the last one of the old version will do. Strict
//! asks the cluster for the generation that its controllers have dealt with, and for every replica of it to be ready.

use tidegate_api::condition::Claim;
use tidegate_api::ocm::manifest_work::{FeedbackRule, JsonPath, ManifestCondition, ResourceIdentifier};

use super::health::{Evidence, health, number, results};
use super::layout::deploy_works;
use super::workload::Kind;

/// Feedback values beyond the well-known ones, by name and path. The names are Tidegate's own, so that they collide with no
/// value that a template asks for.
const GENERATION: (&str, &str) = ("TidegateGeneration", ".metadata.generation");
const OBSERVED: (&str, &str) = ("TidegateObservedGeneration", ".status.observedGeneration");
const DESIRED: (&str, &str) = ("TidegateDesiredReplicas", ".spec.replicas");
const UPDATED: (&str, &str) = ("TidegateUpdatedReplicas", ".status.updatedReplicas");
const UPDATED_NODES: (&str, &str) = ("TidegateUpdatedNumberScheduled", ".status.updatedNumberScheduled");

/// Returns the rule by which the agent reports what strict wants to know of a workload.
pub(super) fn rule(workload: &ResourceIdentifier) -> FeedbackRule {
    let paths: &[(&str, &str)] = if workload.resource == Kind::Deployment.resource() {
        &[GENERATION, OBSERVED, DESIRED, UPDATED]
    } else {
        &[GENERATION, OBSERVED, UPDATED_NODES]
    };
    let path = |(name, path): &(&str, &str)| JsonPath {
        name: (*name).to_owned(),
        path: (*path).to_owned(),
        ..JsonPath::default()
    };
    FeedbackRule { type_: "JSONPaths".to_owned(), json_paths: paths.iter().map(path).collect() }
}

/// Returns why an add-on is not known to run what the cluster was given; `None` if it is known to.
///
/// # Assumptions
/// The works are ready: applied, and their objects looked at, at the generation that is written.
pub fn doubt(evidence: &Evidence<'_>) -> Option<String> {
    match health(evidence) {
        None => return Some("the cluster does not answer".to_owned()),
        Some(Claim { status, message, .. }) if status != "True" => return Some(message),
        Some(_) => {}
    }
    let works: Vec<_> = deploy_works(evidence.addon, evidence.works).collect();
    evidence.probes.iter().find_map(|probe| {
        let ResourceIdentifier { resource, namespace, name, .. } = probe;
        let reports = results(probe, &works);
        if reports.is_empty() {
            return Some(format!("the cluster reports nothing of {resource} {namespace}/{name}"));
        }
        reports.into_iter().find_map(|report| doubt_of(probe, report).err())
    })
}

/// Judges one workload by what the agent reports of it. An agent that does not know the rule gives the well-known values only,
/// and all replicas that there are must be ready.
fn doubt_of(probe: &ResourceIdentifier, report: &ManifestCondition) -> Result<(), String> {
    let ResourceIdentifier { resource, namespace, name, .. } = probe;
    let what = format!("{resource} {namespace}/{name}");
    let value = |(name, _): (&str, &str)| number(report, &[name]);
    let (generation, observed) = (value(GENERATION)?, value(OBSERVED)?);
    if let Some(generation) = generation
        && observed.unwrap_or(0) < generation
    {
        return Err(format!("{what} is being updated: its controller has not dealt with generation {generation}"));
    }
    let ready = number(report, &["ReadyReplicas", "NumberReady"])?.unwrap_or(0);
    let there = number(report, &["Replicas", "DesiredNumberScheduled"])?.unwrap_or(0);
    let desired = value(DESIRED)?.unwrap_or(there).max(there);
    let updated = if generation.is_none() { desired } else { value(UPDATED)?.or(value(UPDATED_NODES)?).unwrap_or(0) };
    if updated < desired {
        return Err(format!("{what} is being updated: {updated} of {desired} replicas are of its newest version"));
    }
    if ready < desired {
        return Err(format!("{ready} of {desired} replicas of {what} are ready"));
    }
    Ok(())
}
