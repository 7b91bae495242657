//! Add-ons on clusters, as a table with a filter and pages.

use schemars::JsonSchema;
use serde::Serialize;

use super::fleet::group_name;
use crate::facts::Facts;
use crate::filter::{Filter, words};
use tidegate_journal::record::ClusterReport;
use tidegate_journal::snapshot::Cluster;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::ClusterState;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The number of rows of a page.
pub const ROWS: usize = 100;

/// The label with the set of a cluster.
pub(crate) const SET: &str = "cluster.open-cluster-management.io/clusterset";

/// Add-ons on clusters.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Table {
    /// The filter, as it was given.
    pub filter: String,
    /// Why the filter cannot be read; no row is shown then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The number of rows that the filter selects.
    pub total: usize,
    /// The page, from 1.
    pub page: usize,
    /// The number of pages, at least 1.
    pub pages: usize,
    /// The rows of the page, by cluster and add-on.
    pub rows: Vec<Row>,
}

/// An add-on on a cluster.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The cluster.
    pub cluster: ClusterName,
    /// The add-on.
    pub addon: UnitName,
    /// Its state.
    pub state: ClusterState,
    /// Why the add-on does not work any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub degraded: Option<String>,
    /// The version that it has or is getting.
    pub version: String,
    /// Its group.
    pub group: String,
    /// The set of the cluster; empty if that is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub set: String,
    /// Since when it is in this state.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
    /// Why it is in this state.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// Returns a page of the table.
pub(crate) fn table(facts: &Facts, filter: &str, page: usize) -> Table {
    match Filter::parse(filter) {
        Ok(parsed) => selected(facts, filter, &parsed, page),
        Err(problem) => Table {
            filter: filter.to_owned(),
            problem: Some(problem.to_string()),
            total: 0,
            page: 1,
            pages: 1,
            rows: Vec::new(),
        },
    }
}

fn selected(facts: &Facts, text: &str, filter: &Filter, page: usize) -> Table {
    let mut found: Vec<(&ClusterName, &UnitName, &ClusterReport)> = Vec::new();
    for (addon, clusters) in &facts.journal.lists {
        let present = clusters.iter().filter(|(_, report)| report.state != ClusterState::Removed);
        found.extend(present.map(|(cluster, report)| (cluster, addon, report)));
    }
    found.retain(|(cluster, addon, report)| filter.is_empty() || is_selected(facts, filter, cluster, addon, report));
    found.sort_by_key(|(cluster, addon, _)| (*cluster, *addon));
    let pages = found.len().div_ceil(ROWS).max(1);
    let page = page.clamp(1, pages);
    let rows = found.iter().skip((page - 1) * ROWS).take(ROWS);
    let rows = rows.map(|(cluster, addon, report)| row(facts, cluster, addon, report)).collect();
    Table { filter: text.to_owned(), problem: None, total: found.len(), page, pages, rows }
}

fn is_selected(
    facts: &Facts,
    filter: &Filter,
    cluster: &ClusterName,
    addon: &UnitName,
    report: &ClusterReport,
) -> bool {
    let record = facts.fleet.as_ref().and_then(|fleet| fleet.clusters.get(cluster));
    let label = |key: &str| record.and_then(|record| record.labels.get(key)).map(String::as_str);
    let group = facts.journal.addons.get(addon).map(|status| group_name(&report.placement, report.group, status));
    let values = |field: &str| match field {
        "name" => vec![cluster.as_str()],
        "addon" => vec![addon.as_str()],
        "version" => vec![report.version.as_str()],
        "state" => words(report.state, report.degraded.is_some()).to_vec(),
        "set" => vec![label(SET).unwrap_or_default()],
        "group" => vec![group.as_deref().unwrap_or_default()],
        "reason" => vec![report.degraded.as_deref().unwrap_or(&report.reason)],
        _ => Vec::new(),
    };
    filter.matches(values, label)
}

/// Returns an add-on on a cluster.
pub(crate) fn row(facts: &Facts, cluster: &ClusterName, addon: &UnitName, report: &ClusterReport) -> Row {
    let record = facts.fleet.as_ref().and_then(|fleet| fleet.clusters.get(cluster));
    let status = facts.journal.addons.get(addon);
    Row {
        cluster: cluster.clone(),
        addon: addon.clone(),
        state: report.state,
        degraded: report.degraded.clone(),
        version: report.version.clone(),
        group: status.map(|status| group_name(&report.placement, report.group, status)).unwrap_or_default(),
        set: record.map(set).unwrap_or_default(),
        since: report.since,
        reason: report.reason.clone(),
    }
}

/// Returns the set of a cluster.
pub(crate) fn set(cluster: &Cluster) -> String {
    cluster.labels.get(SET).cloned().unwrap_or_default()
}
