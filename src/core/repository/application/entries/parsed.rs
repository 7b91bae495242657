//! An AppDeployment in types.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::read::object::path;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_api::schema::path::Path;
use tidegate_go::canonical::{go_json, sha256_hex};

/// How many entries an AppDeployment has at most. Each of them has a Placement.
pub(crate) const MOST_ENTRIES: usize = 500;
/// Digits of a hash in the name of a Placement.
const DIGITS: usize = 8;

/// The content of an AppDeployment.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppDeployment {
    app_revisions: Vec<AppRevision>,
    #[serde(default)]
    pub(super) rollout_strategy: Option<RolloutStrategy>,
}

/// A revision with its clusters.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct AppRevision {
    revision_name: String,
    placement: Vec<Selected>,
}

/// Clusters, and what differs there.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Selected {
    cluster_selector: ClusterSelector,
    distribution: Distribution,
}

/// Which clusters an entry selects: the one with the name, if it has the labels, or all with the labels.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct ClusterSelector {
    pub(crate) name: Option<String>,
    pub(crate) labels: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Distribution {
    replicas: Option<i64>,
}

/// One entry: a revision, the clusters that get it, and the number of replicas there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// The path of the entry.
    pub(crate) at: Path,
    /// The path of the name of the revision.
    pub(crate) at_revision: Path,
    pub(crate) revision: String,
    pub(crate) selector: ClusterSelector,
    pub(crate) replicas: Option<i64>,
}

impl AppDeployment {
    /// Reads an AppDeployment that conforms to its schema.
    ///
    /// # Errors
    /// A value that the schema allows and the types do not.
    pub(crate) fn read(object: &Value) -> Result<Self, serde_json::Error> {
        Self::deserialize(object.get("spec").unwrap_or(&Value::Null))
    }

    /// Returns the entries in the order in which their clusters start.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let of_revision = |(index, revision): (usize, &AppRevision)| {
            let at = path(&["spec", "appRevisions"]).item(index);
            let entry = |(index, selected): (usize, &Selected)| Entry {
                at: at.member("placement").item(index),
                at_revision: at.member("revisionName"),
                revision: revision.revision_name.clone(),
                selector: selected.cluster_selector.clone(),
                replicas: selected.distribution.replicas,
            };
            revision.placement.iter().enumerate().map(entry).collect::<Vec<_>>()
        };
        self.app_revisions.iter().enumerate().flat_map(of_revision).collect()
    }
}

/// Returns the entries of an AppDeployment; none if it cannot be read.
pub(crate) fn entries(object: &Value) -> Vec<Entry> {
    AppDeployment::read(object).map(|deployment| deployment.entries()).unwrap_or_default()
}

impl Entry {
    /// Returns what distinguishes its content from that of other entries: the revision and the number of replicas.
    pub(crate) fn version(&self) -> String {
        match self.replicas {
            Some(replicas) => format!("{}*{replicas}", self.revision),
            None => self.revision.clone(),
        }
    }

    /// Returns the name of its Placement: with the name of the cluster, or else with a hash of the labels, so that it stays the same if
    /// entries before it come or go.
    pub(crate) fn placement(&self, app_deployment: &str) -> String {
        let selected = match &self.selector.name {
            Some(name) => name.clone(),
            None => {
                let labels = serde_json::to_value(&self.selector.labels).unwrap_or_default();
                sha256_hex(go_json(&labels).as_bytes()).chars().take(DIGITS).collect()
            }
        };
        format!("app-{app_deployment}-{selected}")
    }
}

impl ClusterSelector {
    /// Returns `true` if it says which clusters are meant. Without a name and labels it would select all of them, which is a mistake.
    pub(crate) fn is_about_some(&self) -> bool {
        self.name.is_some() || !self.labels.is_empty()
    }

    /// Returns `true` if it selects a cluster with this name and these labels.
    pub(crate) fn selects(&self, cluster: &str, labels: &BTreeMap<String, String>) -> bool {
        self.name.as_deref().is_none_or(|name| name == cluster)
            && self.labels.iter().all(|(label, value)| labels.get(label) == Some(value))
    }
}
