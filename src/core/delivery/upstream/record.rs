//! What a cluster of a unit without an object of its own was given, recorded on one of its works.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

use super::assignment::{differ, is_recorded};
use tidegate_api::condition::{self, Condition};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::{AddOnConfigReference, ManagedClusterAddOn, ManagedClusterAddOnStatus};
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_api::work_name::application_prefix;
use tidegate_model::name::{ApplicationName, ClusterName};
use tidegate_model::time::Timestamp;

/// What a cluster was given, and how far it was.
///
/// # Shape
/// The value of annotation `tidegate.io/assignment`, as JSON. It is written together with the content of the work, in one patch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// The name of the unit.
    pub unit: String,
    /// The name of the cluster.
    pub cluster: String,
    /// The assigned configurations, and the ones that were completed last.
    pub config_references: Vec<AddOnConfigReference>,
    /// The conditions `Configured`, `Progressing`, `tidegate.io/Overdue` and `tidegate.io/Delivered`, as an add-on has them in its status.
    pub conditions: Vec<Condition>,
    /// How far the cluster is with the order of components.
    #[serde(flatten)]
    pub opened: Opened,
}

/// How far a cluster is with the order of components.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    /// The phase of components that is open.
    #[serde(default, skip_serializing_if = "is_first")]
    pub phase: u32,
    /// The index of the batch with which the cluster started: those before it are replaced together with it.
    #[serde(default, skip_serializing_if = "is_first")]
    pub first_batch: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first(index: &u32) -> bool {
    *index == 0
}

impl Record {
    /// Returns what a status records about a cluster that is so far.
    pub fn new(
        unit: &ApplicationName,
        cluster: &ClusterName,
        status: &ManagedClusterAddOnStatus,
        opened: Opened,
    ) -> Self {
        Self {
            unit: unit.as_str().to_owned(),
            cluster: cluster.to_string(),
            config_references: status.config_references.clone(),
            conditions: status.conditions.iter().filter(|condition| is_recorded(condition)).cloned().collect(),
            opened,
        }
    }

    /// Returns the value of the annotation.
    pub fn annotation(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns `true` if the other record differs in more than the messages of its conditions, which change often.
    pub fn differs(&self, other: &Self) -> bool {
        self.config_references != other.config_references
            || self.opened != other.opened
            || differ(&self.conditions, &other.conditions)
    }

    /// Reads the record of a work; `None` if it has none, if it cannot be read, or if it is about another cluster or unit: such a work was
    /// copied.
    fn of(work: &ManifestWork, unit: &ApplicationName, cluster: &ClusterName) -> Option<Self> {
        let annotation = work.metadata.annotations.as_ref()?.get(key::ASSIGNMENT)?;
        let found: Self = serde_json::from_str(annotation).ok()?;
        (found.unit == unit.as_str() && found.cluster == cluster.as_str()).then_some(found)
    }

    /// Returns when the cluster started, and the phase that it has reached since.
    fn moment(&self) -> (Option<Timestamp>, u32) {
        let configured = condition::find(&self.conditions, key::CONFIGURED);
        (configured.map(|found| found.last_transition_time.0), self.opened.phase)
    }
}

/// Returns the work of a unit that has the record of a cluster, with its name.
///
/// A record moves when its work is no longer needed, so for a moment two works may have one. The one about the last start counts, and of
/// these the one with the later phase, since a phase that was opened stays open.
pub fn recorded<'w>(
    unit: &ApplicationName,
    cluster: &ClusterName,
    works: &'w BTreeMap<String, Arc<ManifestWork>>,
) -> Option<(&'w str, Record)> {
    let prefix = application_prefix(unit);
    let mut found: Option<(&str, Record)> = None;
    for (name, work) in works.iter().filter(|(name, _)| name.starts_with(&prefix)) {
        let Some(record) = Record::of(work, unit, cluster) else { continue };
        if found.as_ref().is_none_or(|(_, before)| before.moment() < record.moment()) {
            found = Some((name, record));
        }
    }
    found
}

/// Returns the state of an application on a cluster as a ManagedClusterAddOn; `None` if the cluster has no work of it. Without a record, the
/// status is empty.
pub(super) fn seen(
    unit: &ApplicationName,
    cluster: &ClusterName,
    works: &BTreeMap<String, Arc<ManifestWork>>,
) -> Option<ManagedClusterAddOn> {
    let prefix = application_prefix(unit);
    let first = || works.keys().find(|name| name.starts_with(&prefix)).map(String::as_str);
    let (name, record) = match recorded(unit, cluster, works) {
        Some((name, record)) => (name, record),
        None => (first()?, Record::default()),
    };
    let ObjectMeta { uid, resource_version, creation_timestamp, deletion_timestamp, labels, .. } =
        works.get(name)?.metadata.clone();
    let metadata = ObjectMeta {
        name: Some(unit.as_str().to_owned()),
        namespace: Some(cluster.to_string()),
        uid,
        resource_version,
        creation_timestamp,
        deletion_timestamp,
        labels,
        ..ObjectMeta::default()
    };
    let status = ManagedClusterAddOnStatus {
        config_references: record.config_references,
        conditions: record.conditions,
        ..ManagedClusterAddOnStatus::default()
    };
    Some(ManagedClusterAddOn { metadata, status: Some(status), ..ManagedClusterAddOn::default() })
}
