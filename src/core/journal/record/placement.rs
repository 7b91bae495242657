//! The state of a placement in `status.yaml`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::progress::Counts;
use tidegate_model::revision::CommitId;
use tidegate_plan::report::{ConfigReport, ConfigVersion, GroupReport, PlacementReport};

/// The state of one placement of an add-on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlacementRecord {
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The type of the rollout strategy.
    pub strategy: String,
    /// The version that the clusters of this placement should have.
    pub version: String,
    /// The configurations and how far they have been rolled out.
    pub configs: Vec<ConfigRecord>,
    /// The decision groups, in order.
    pub groups: Vec<GroupRecord>,
    /// A message for people, in upstream's words.
    pub message: String,
    /// Why clusters wait, each reason with the number of clusters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub waiting: BTreeMap<String, usize>,
}

/// One configuration of a placement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigRecord {
    /// Plural resource and group, such as `addontemplates.addon.open-cluster-management.io`.
    pub resource: String,
    /// What the clusters should have.
    pub desired: VersionRecord,
    /// The last version that all clusters had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_applied: Option<VersionRecord>,
    /// The last version that all clusters had without a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_known_good: Option<VersionRecord>,
}

/// One version of a configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct VersionRecord {
    /// Name of the object, with its namespace if it has one.
    pub name: String,
    /// SHA-256 of its spec.
    pub hash: String,
    /// The revision that introduced it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
}

/// The state of one decision group.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GroupRecord {
    /// Index of the group, from 0.
    pub index: i32,
    /// Name of the group; empty if it has none.
    pub name: String,
    /// Its cluster counts.
    #[serde(flatten)]
    pub counts: Counts,
}

impl From<&PlacementReport> for PlacementRecord {
    /// The revisions that introduced the configurations are unknown.
    fn from(report: &PlacementReport) -> Self {
        let PlacementReport { placement, strategy, version, configs, groups, message, waiting } = report.clone();
        let configs = configs.into_iter().map(ConfigRecord::from).collect();
        let groups = groups.into_iter().map(GroupRecord::from).collect();
        Self { placement, strategy, version, configs, groups, message, waiting }
    }
}

impl From<&PlacementRecord> for PlacementReport {
    fn from(record: &PlacementRecord) -> Self {
        let PlacementRecord { placement, strategy, version, configs, groups, message, waiting } = record.clone();
        let configs = configs.into_iter().map(ConfigReport::from).collect();
        let groups = groups.into_iter().map(GroupReport::from).collect();
        Self { placement, strategy, version, configs, groups, message, waiting }
    }
}

impl From<ConfigReport> for ConfigRecord {
    fn from(report: ConfigReport) -> Self {
        let ConfigReport { resource, desired, last_applied, last_known_good } = report;
        let (last_applied, last_known_good) =
            (last_applied.map(VersionRecord::from), last_known_good.map(VersionRecord::from));
        Self { resource, desired: desired.into(), last_applied, last_known_good }
    }
}

impl From<ConfigRecord> for ConfigReport {
    fn from(record: ConfigRecord) -> Self {
        let ConfigRecord { resource, desired, last_applied, last_known_good } = record;
        let (last_applied, last_known_good) =
            (last_applied.map(ConfigVersion::from), last_known_good.map(ConfigVersion::from));
        Self { resource, desired: desired.into(), last_applied, last_known_good }
    }
}

impl From<ConfigVersion> for VersionRecord {
    fn from(ConfigVersion { name, hash }: ConfigVersion) -> Self {
        Self { name, hash, commit: None }
    }
}

impl From<VersionRecord> for ConfigVersion {
    fn from(VersionRecord { name, hash, commit: _ }: VersionRecord) -> Self {
        Self { name, hash }
    }
}

impl From<GroupReport> for GroupRecord {
    fn from(GroupReport { index, name, counts }: GroupReport) -> Self {
        Self { index, name, counts }
    }
}

impl From<GroupRecord> for GroupReport {
    fn from(GroupRecord { index, name, counts }: GroupRecord) -> Self {
        Self { index, name, counts }
    }
}
