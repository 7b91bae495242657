//! Checks that an add-on runs the current version, and not the previous one.
//!
//! Upstream treats an add-on as available if one replica of a Deployment is ready, even the last one of the old version. Strict
//! asks the cluster for the generation that its controllers have processed, and requires every replica of it to be ready.

use std::collections::BTreeMap;

use tidegate_api::condition::Claim;
use tidegate_api::ocm::manifest_work::{ManifestCondition, ResourceIdentifier};

use super::conditions;
use super::object::identifier;
use super::report::{Evidence, Unhealthy, health, results, verdict};
use super::values::{NotAnInteger, number};
use super::wanted::{AllWanted, Wanted, difference};
use super::workload::{doubt_of, has_failed, named};
use crate::condition::ready_when::Conditioned;
use crate::works::feedback::{DESIRED, GENERATION, READY, THERE};
use crate::works::layout::deploy_works;
use crate::works::manifest_config;

/// Returns the generations that a cluster reports of the objects that determine its health. An object of which it reports none has
/// generation 0.
pub fn generations(evidence: &Evidence<'_>) -> BTreeMap<String, i64> {
    let works: Vec<_> = deploy_works(evidence.owner, evidence.works).collect();
    let reported = |probe| {
        let reports = results(probe, &works).into_iter();
        reports.filter_map(|report| number(report, &[GENERATION.0]).ok()?).max().unwrap_or(0)
    };
    let conditioned: Vec<ResourceIdentifier> =
        evidence.conditioned.iter().map(|conditioned| manifest_config::identifier(&conditioned.object)).collect();
    evidence.probes.iter().chain(&conditioned).map(|object| (named(object), reported(object))).collect()
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
    let wanted = AllWanted::of_shared(&works);
    let of_reports = |workload, reports: Vec<&ManifestCondition>, wanted| {
        let doubts = reports.into_iter().map(|report| doubt_of(workload, report, wanted));
        doubts.map(|doubt| doubt.unwrap_or_else(|wrong| Some(unreadable(workload, &wrong)))).find_map(|doubt| doubt)
    };
    let reports = |object: &ResourceIdentifier| match results(object, &works) {
        reports if reports.is_empty() => Err(format!("the cluster reports nothing about {}", named(object))),
        reports => Ok(reports),
    };
    let of_probe = |probe| reports(probe).map_or_else(Some, |reports| of_reports(probe, reports, wanted.get(probe)));
    let of_idle = |(workload, wanted)| of_reports(workload, results(workload, &works), Some(wanted));
    let of_conditions = |Conditioned { object, ready_when }: &Conditioned| {
        let object = &manifest_config::identifier(object);
        let doubt = |report| conditions::doubt(ready_when, &named(object), report);
        reports(object).map_or_else(Some, |reports| reports.into_iter().find_map(doubt))
    };
    let of_workload = evidence.probes.iter().find_map(of_probe).or_else(|| wanted.idle().find_map(of_idle));
    of_workload.or_else(|| evidence.conditioned.iter().find_map(of_conditions))
}

/// Returns which Job or Rollout of an application has failed on a cluster. One that has failed is never retried.
///
/// # Assumptions
/// The works are ready: applied and available at their current generation.
pub fn failure(evidence: &Evidence<'_>) -> Option<String> {
    let works: Vec<_> = deploy_works(evidence.owner, evidence.works).collect();
    let wanted = AllWanted::of_shared(&works);
    let is_failed = |probe: &&ResourceIdentifier| {
        results(probe, &works).into_iter().any(|report| has_failed(report, wanted.get(probe)))
    };
    evidence.probes.iter().find(is_failed).map(|probe| format!("{} has failed", named(probe)))
}

/// Returns what upstream's condition means for a person. The message of an agent is kept.
fn in_words(evidence: &Evidence<'_>, claim: Claim) -> String {
    let works: Vec<_> = deploy_works(evidence.owner, evidence.works).collect();
    let of_workload = || {
        let all = AllWanted::of_shared(&works);
        evidence.probes.iter().find_map(|probe| {
            let (what, wanted) = (named(probe), all.get(probe));
            results(probe, &works).into_iter().find_map(|report| match verdict(report).err()? {
                _ if difference(report, wanted).is_ok_and(|found| found.is_some()) => {
                    doubt_of(probe, report, wanted).ok().flatten()
                }
                Unhealthy::NotProbed { .. } => Some(unprobed(&what, report)),
                Unhealthy::Unfinished { .. } => doubt_of(probe, report, wanted).ok().flatten(),
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

/// Returns why a workload without one of its numbers is not healthy. Kubernetes leaves out a number of ready replicas that is 0, but not the number
/// that is wanted.
fn unprobed(what: &str, report: &ManifestCondition) -> String {
    let reported = |names: &[&str]| number(report, names).ok().flatten();
    let is_ready = reported(&["ReadyReplicas", "NumberReady", READY.0]).is_some_and(|ready| ready > 0);
    match reported(&[DESIRED.0]).or_else(|| reported(&["Replicas", "DesiredNumberScheduled", THERE.0])) {
        Some(desired) if desired > 0 && !is_ready => format!("0 of {desired} replicas of {what} are ready"),
        _ => format!("the cluster has not reported how many replicas of {what} are ready"),
    }
}

fn unreadable(probe: &ResourceIdentifier, wrong: &NotAnInteger) -> String {
    format!("the report of the cluster on {} cannot be read: {wrong}", named(probe))
}

/// Returns `true` if a workload is reported, and all of its replicas are ready in its current version.
pub(super) fn is_ready(report: &ManifestCondition, wanted: Option<&Wanted>) -> bool {
    doubt_of(&identifier(&report.resource_meta), report, wanted).is_ok_and(|doubt| doubt.is_none())
}
