//! Reports a cluster that an add-on leaves.

use super::rollout::unwanted_since;
use crate::input::Input;
use crate::report::builder::{bare, digest, version};
use crate::report::departure::Departure;
use crate::report::reason::Reason;
use crate::report::{ClusterReport, DETACHED};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::to_seconds;

/// Reports a cluster that an add-on leaves, or is to leave. It keeps its last group and placement.
pub(crate) fn departing(
    input: &Input<'_>,
    name: &UnitName,
    cluster: &ClusterName,
    addon: &ManagedClusterAddOn,
    departure: &Departure,
) -> ClusterReport {
    let references = addon.config_references();
    let before = input.past.cluster(name, cluster);
    let deleted = addon.metadata.deletion_timestamp.as_ref().map(|at| at.0);
    let started = match departure {
        Departure::Starts => Some(to_seconds(input.now)),
        // A start that was reported before stays; otherwise it is the hub's deletion timestamp.
        Departure::Deleting { .. } => {
            before.filter(|report| report.state == ClusterState::Removing).and_then(|report| report.started).or(deleted)
        }
        // The rollout in which it started still names it.
        Departure::Waits(_) => {
            before.filter(|report| report.state != ClusterState::Removing).and_then(|report| report.started)
        }
    };
    let since = match departure {
        Departure::Waits(_) => Some(unwanted_since(input, name, cluster)),
        Departure::Starts | Departure::Deleting { .. } => started,
    };
    let report = bare(&Reason::Departs(departure.clone()));
    let managed = input.fleet.clusters.get(cluster);
    let is_detached = managed.is_none_or(|managed| managed.metadata.deletion_timestamp.is_some());
    ClusterReport {
        version: version(name, addon),
        hash: digest(references.iter().filter_map(|r| r.desired_config.as_ref())),
        group: before.and_then(|report| report.group),
        placement: before.map(|report| report.placement.clone()).unwrap_or_default(),
        started,
        since,
        reason: if is_detached { DETACHED.to_owned() } else { report.reason.clone() },
        ..report
    }
}
