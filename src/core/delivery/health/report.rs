//! The health of an add-on on a cluster, read back from the status of its works.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_api::condition::{self, Claim};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::manifest_work::{ManifestCondition, ManifestWork, ResourceIdentifier};
use tidegate_model::plural::first_of;

use super::object::{identifier, is_about};
use super::rollout;
use super::values::{NotAnInteger, is_complete, number, text, values};
use super::wanted::{AllWanted, Wanted};
use super::workload::named;
use crate::template::workload::Kind;
use crate::works::feedback::{DESIRED, GENERATION, OBSERVED, READY, SCALED_BY, THERE};
use crate::works::layout::deploy_works;
use crate::works::owner::WorkOwner;

/// What messages say of a workload without replicas that is fine.
pub(super) const SCALED_TO_ZERO: &str = "scaled to 0";
/// Most workloads that a message names.
const NAMED: usize = 3;

/// The observed state of an add-on on a cluster.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// Whose works they are.
    pub owner: &'a WorkOwner,
    /// The cluster.
    pub cluster: &'a ManagedCluster,
    /// The works of the add-on in the namespace of the cluster, by name.
    pub works: &'a BTreeMap<String, Arc<ManifestWork>>,
    /// The workloads that determine the health of the add-on: [`crate::Rendered::probes`].
    pub probes: &'a [ResourceIdentifier],
    /// `true` if the add-on has the condition `ManifestApplied`, with any status.
    pub has_manifest_applied: bool,
}

/// Returns the condition `Available` of a template add-on, or `None` if its works cannot determine it.
///
/// That is the case until `ManifestApplied` is known, and while the availability of the cluster is unknown.
///
/// # Source
/// OCM addon-framework, prober `WorkloadAvailability`. Template add-ons are never hosted, so the hosting annotation is
/// ignored. A feedback value of the wrong type, which crashes upstream, counts as unhealthy here.
pub fn health(evidence: &Evidence<'_>) -> Option<Claim> {
    let conditions = evidence.cluster.status.as_ref().map_or(&[][..], |status| &status.conditions);
    let is_unknown = condition::find(conditions, key::CLUSTER_AVAILABLE).is_some_and(|c| c.status == "Unknown");
    if !evidence.has_manifest_applied || is_unknown {
        return None;
    }
    let claim = |status, reason, message: String| Some(Claim::new(key::AVAILABLE, status, reason, message));
    let works: Vec<&Arc<ManifestWork>> = deploy_works(evidence.owner, evidence.works).collect();
    if works.is_empty() {
        return claim("Unknown", "WorkNotFound", "Addon manifestWork is not found".into());
    }
    for work in &works {
        let available = work.status.as_ref().and_then(|status| condition::find(&status.conditions, key::AVAILABLE));
        match available {
            None => return claim("Unknown", "WorkNotApplied", "Addon manifestWork is not applied yet".into()),
            Some(c) if c.status == "False" => return claim("False", "WorkNotApplied", c.message.clone()),
            Some(_) => {}
        }
    }
    let results: Vec<&ManifestCondition> = evidence.probes.iter().flat_map(|probe| results(probe, &works)).collect();
    if results.is_empty() && !evidence.probes.is_empty() {
        return claim("Unknown", "NoProbeResult", "Probe results are not returned".into());
    }
    match judged(&results, &works) {
        Err(why) => claim("False", "ProbeUnavailable", format!("Probe addon unavailable with err {why}")),
        Ok(idle) => claim("True", "ProbeAvailable", format!("{} is available{idle}.", evidence.owner.what)),
    }
}

/// Judges all reported workloads. Returns which of them people have scaled to 0, for messages.
fn judged(results: &[&ManifestCondition], works: &[&Arc<ManifestWork>]) -> Result<String, Unhealthy> {
    if results.iter().all(|report| verdict(report).is_ok()) {
        return Ok(String::new());
    }
    // A workload without replicas does not report how many are ready. Its manifest shows whether it may have none.
    let wanted = AllWanted::of_shared(works);
    let is_idle = |report: &&&ManifestCondition| is_scaled_to_zero(report, wanted.of_report(report));
    let (idle, others): (Vec<_>, Vec<_>) = results.iter().partition(is_idle);
    others.into_iter().try_for_each(verdict)?;
    let idle: Vec<String> = idle.into_iter().map(|report| named(&identifier(&report.resource_meta))).collect();
    let verb = if idle.len() == 1 { "is" } else { "are" };
    Ok(format!("; {} {verb} {SCALED_TO_ZERO}", first_of(idle.iter().map(String::as_str), NAMED)))
}

/// Returns the reports of the works on a workload, without those that have no values.
pub(super) fn results<'a>(probe: &ResourceIdentifier, works: &[&'a Arc<ManifestWork>]) -> Vec<&'a ManifestCondition> {
    let reports = works.iter().filter_map(|work| work.status.as_ref()?.resource_status.as_ref());
    let is_of_probe =
        |report: &&ManifestCondition| is_about(&report.resource_meta, probe) && !values(report).is_empty();
    reports.flat_map(|status| &status.manifests).filter(is_of_probe).collect()
}

/// Why a workload is not healthy. Displays as upstream's message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unhealthy {
    /// The cluster has not reported a number.
    #[error("{number} is not probed")]
    NotProbed {
        /// Upstream's name of the number.
        number: &'static str,
    },
    /// A value is not a number.
    #[error(transparent)]
    NotAnInteger(#[from] NotAnInteger),
    /// Not enough replicas are ready.
    #[error("desiredNumberReplicas is {desired} but readyReplica is {ready} for {workload}")]
    Short {
        /// How many there should be.
        desired: i64,
        /// How many are ready.
        ready: i64,
        /// The resource, namespace and name of the workload.
        workload: String,
    },
    /// A Job or a Rollout of an application is not complete.
    #[error("{workload} is not complete")]
    Unfinished {
        /// The resource, namespace and name of the object.
        workload: String,
    },
}

/// Judges one workload.
pub(super) fn verdict(report: &ManifestCondition) -> Result<(), Unhealthy> {
    let id = identifier(&report.resource_meta);
    let workload = named(&id);
    let is_finished = match Kind::of_report(&report.resource_meta) {
        Some(Kind::Job) => Some(is_complete(report)),
        Some(kind @ (Kind::Rollout | Kind::ArgoRollout | Kind::KruiseRollout)) => {
            Some(rollout::doubt_of(kind, &workload, report, None)?.is_none())
        }
        _ => None,
    };
    if let Some(is_finished) = is_finished {
        return if is_finished { Ok(()) } else { Err(Unhealthy::Unfinished { workload }) };
    }
    if text(report, SCALED_BY.0).is_some() && has_none(report)? {
        return Ok(());
    }
    let given = |names: &[&str], number| report_of(report, names, number);
    let ready = given(&["ReadyReplicas", "NumberReady", READY.0], "readyReplica")?;
    let desired = given(&["Replicas", "DesiredNumberScheduled", THERE.0], "desiredNumberReplicas")?;
    let is_healthy =
        if id.resource == Kind::Deployment.resource() { desired == 0 || ready >= 1 } else { ready == desired };
    if is_healthy {
        return Ok(());
    }
    Err(Unhealthy::Short { desired, ready, workload })
}

/// Returns `true` if a workload should have no replicas on its cluster, and has none. It reports no number of them.
fn has_none(report: &ManifestCondition) -> Result<bool, NotAnInteger> {
    Ok(number(report, &[DESIRED.0])? == Some(0) && number(report, &[THERE.0, "Replicas"])?.unwrap_or(0) == 0)
}

/// Returns `true` if people have scaled a workload to 0 whose number of replicas the agent does not keep, and its controller has seen that.
pub(super) fn is_scaled_to_zero(report: &ManifestCondition, wanted: Option<&Wanted>) -> bool {
    let value = |(name, _): (&str, &str)| number(report, &[name]).ok().flatten();
    let is_observed = value(GENERATION).is_some_and(|generation| value(OBSERVED) >= Some(generation));
    wanted == Some(&Wanted::AnyNumber) && is_observed && has_none(report).unwrap_or(false)
}

fn report_of(report: &ManifestCondition, names: &[&str], name: &'static str) -> Result<i64, Unhealthy> {
    number(report, names)?.ok_or(Unhealthy::NotProbed { number: name })
}
