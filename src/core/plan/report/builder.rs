//! Builds the reports of clusters and groups.

use std::collections::BTreeMap;

use super::cluster::ClusterReport;
use super::missing::Missing;
use super::reason::Reason;
use super::types;
use super::types::GroupReport;
use tidegate_api::mark::Mark;
use tidegate_api::ocm::config_reference::ConfigSpecHash;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_delivery::status::{Desired, layer};
use tidegate_model::decision::DecisionGroup;
use tidegate_model::name::version_of;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::Counts;

/// Returns the digest of the configurations of a cluster.
pub(crate) fn digest<'a>(configs: impl Iterator<Item = &'a ConfigSpecHash>) -> String {
    types::digest(configs.map(|config| config.spec_hash.as_str()))
}

/// Returns a report with nothing but what follows from the reason.
pub(crate) fn bare(reason: &Reason) -> ClusterReport {
    ClusterReport {
        state: reason.state(),
        version: String::new(),
        hash: String::new(),
        group: None,
        placement: String::new(),
        joined: None,
        started: None,
        since: None,
        reason: reason.lasting(),
        reported: None,
        degraded: None,
        left_out: None,
        opens: reason.opens(),
        look_at: reason.look_at(),
    }
}

pub(crate) fn version(name: &UnitName, addon: &ManagedClusterAddOn) -> String {
    let content = addon.config_references().iter().find(|entry| layer::is_content(&entry.group, &entry.resource));
    let content = content.and_then(|entry| entry.desired_config.as_ref());
    content.map(|content| version_of(name, &content.name)).unwrap_or_default()
}

/// Returns the version of configurations, taken from the name of their template; empty without one.
pub(crate) fn target_version(addon: &UnitName, desired: &[Desired]) -> String {
    layer::content(desired).map(|d| version_of(addon, &d.reference.name)).unwrap_or_default()
}

/// Reports a cluster whose add-on is yet to be created.
pub(crate) fn awaited(group: Option<i32>, missing: Missing) -> ClusterReport {
    ClusterReport { group, ..bare(&Reason::Awaited(missing)) }
}

/// Reports a cluster that has the add-on and is in no placement, while it is not known whether one selects it. It keeps
/// its last group and placement, and what it got when.
pub(crate) fn unselected(before: Option<&ClusterReport>) -> ClusterReport {
    let (group, placement) = before.map(|report| (report.group, report.placement.clone())).unwrap_or_default();
    let (version, hash) = before.map(|report| (report.version.clone(), report.hash.clone())).unwrap_or_default();
    let started = before.and_then(|report| report.started);
    ClusterReport { group, placement, version, hash, started, ..bare(&Reason::PlacementUnknown) }
}

/// Reports a cluster whose add-on another instance owns.
pub(crate) fn foreign(group: Option<i32>, owner: &Mark) -> ClusterReport {
    ClusterReport { group, ..bare(&Reason::Foreign { owner: owner.clone() }) }
}

/// Reports the groups of a placement.
pub(crate) fn groups(groups: &[DecisionGroup], clusters: &BTreeMap<ClusterName, ClusterReport>) -> Vec<GroupReport> {
    groups
        .iter()
        .map(|group| {
            let counts =
                Counts::of(group.clusters.iter().filter_map(|name| clusters.get(name).map(ClusterReport::counted)));
            GroupReport { index: group.index, name: group.name.clone(), counts }
        })
        .collect()
}
