//! The versions of each add-on, with the number of clusters.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Facts;
use tidegate_model::name::UnitName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::{Rfc3339, Timestamp, sooner};

/// The versions of all add-ons.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Versions {
    /// The add-ons.
    pub addons: Vec<Addon>,
}

/// The versions of an add-on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Addon {
    /// The add-on.
    pub addon: UnitName,
    /// The version that its clusters should have.
    pub target: String,
    /// Its versions, the oldest first. One that clusters have kept since before the current rollout has no time.
    pub versions: Vec<Version>,
}

/// One version.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// The version; empty for clusters without one.
    pub version: String,
    /// How many clusters have it or are getting it.
    pub clusters: usize,
    /// When the first of them started on it, as far as that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
}

/// Returns the versions.
pub(crate) fn versions(facts: &Facts) -> Versions {
    let addons = facts.journal.addons.iter().map(|(addon, status)| {
        let mut found: BTreeMap<&str, Version> = BTreeMap::new();
        for report in facts.journal.lists.get(addon).into_iter().flatten().map(|(_, report)| report) {
            if report.state == ClusterState::Removed {
                continue;
            }
            let version = report.version.as_str();
            let entry = found.entry(version).or_insert_with(|| Version {
                version: version.to_owned(),
                clusters: 0,
                since: None,
            });
            entry.clusters += 1;
            entry.since = sooner(entry.since, report.started);
        }
        let mut versions: Vec<Version> = found.into_values().collect();
        versions.sort_by_key(|version| version.since);
        Addon { addon: addon.clone(), target: status.version.clone(), versions }
    });
    Versions { addons: addons.collect() }
}
