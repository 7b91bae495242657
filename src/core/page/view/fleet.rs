//! Add-ons and clusters, one cell each.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::facts::Facts;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::progress::{ClusterState, Counts};

/// Add-ons and clusters.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fleet {
    /// The number of clusters with an add-on.
    pub clusters: usize,
    /// The add-ons.
    pub addons: Vec<Row>,
}

/// The clusters of an add-on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The add-on.
    pub addon: UnitName,
    /// The version that its clusters should have.
    pub version: String,
    /// Its groups, in order.
    pub groups: Vec<Group>,
}

/// The clusters of a group.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// Its name.
    pub name: String,
    /// Its clusters, by state.
    pub counts: Counts,
    /// One cell for each cluster, in the order of their names.
    pub cells: Vec<Cell>,
}

/// An add-on on a cluster.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// The cluster.
    pub cluster: ClusterName,
    /// Its state.
    pub state: ClusterState,
    /// Whether the add-on has stopped working.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub degraded: bool,
}

/// Returns the fleet.
pub(crate) fn fleet(facts: &Facts) -> Fleet {
    let mut names = std::collections::BTreeSet::new();
    let mut addons = Vec::new();
    for (addon, status) in &facts.journal.addons {
        let clusters = facts.journal.lists.get(addon).into_iter().flatten();
        let clusters: Vec<_> = clusters.filter(|(_, report)| report.state != ClusterState::Removed).collect();
        names.extend(clusters.iter().map(|(cluster, _)| *cluster));
        let mut groups: BTreeMap<(String, Option<i32>), Vec<Cell>> = BTreeMap::new();
        for (cluster, report) in clusters {
            let (state, degraded) = report.counted();
            let cell = Cell { cluster: cluster.clone(), state, degraded };
            groups.entry((report.placement.clone(), report.group)).or_default().push(cell);
        }
        let group = |((placement, group), cells): ((String, Option<i32>), Vec<Cell>)| Group {
            name: group_name(&placement, group, status),
            counts: Counts::of(cells.iter().map(|cell| (cell.state, cell.degraded))),
            cells,
        };
        let groups = groups.into_iter().map(group).collect();
        addons.push(Row { addon: addon.clone(), version: status.version.clone(), groups });
    }
    Fleet { clusters: names.len(), addons }
}

/// Returns the name of a group in a placement. Of an add-on with one placement, clusters do not name it.
pub(crate) fn group_name(
    placement: &str,
    group: Option<i32>,
    status: &tidegate_journal::record::AddonStatus,
) -> String {
    let Some(index) = group else { return "clusters".to_owned() };
    let of_place = status.placements.iter().filter(|record| placement.is_empty() || record.placement == placement);
    let found = of_place.flat_map(|record| &record.groups).find(|record| record.index == index);
    let name = match found {
        Some(record) if !record.name.is_empty() => record.name.clone(),
        _ => format!("group {index}"),
    };
    match placement.rsplit_once('/') {
        Some((_, short)) => format!("{short} · {name}"),
        None => name,
    }
}
