//! The rows of `tidegate fleet`: each add-on on each cluster.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::record::{Availability, Cluster, Configuration, HubAddon, Installed, InstalledState, Snapshot};
use tidegate_delivery::status::layer;
use tidegate_go::label_selector::LabelSelector;
use tidegate_model::name::version_of;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::near::remedy;
use tidegate_model::time::{Rfc3339, Timestamp};
use tidegate_plan::report::digest;

/// How far an add-on on a cluster is, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum RowState {
    /// It has the configurations that it was assigned.
    Applied,
    /// It is under way.
    UnderWay,
    /// It missed its deadline, and is under way.
    Overdue,
    /// It failed.
    Failed,
    /// It waits for its turn to get others.
    Waiting,
    /// It is being deleted.
    Deleting,
    /// It has not reported anything.
    Unreported,
}

impl RowState {
    /// All states.
    pub const ALL: [Self; 7] =
        [Self::Applied, Self::UnderWay, Self::Overdue, Self::Failed, Self::Waiting, Self::Deleting, Self::Unreported];

    fn of(installed: &Installed) -> Self {
        match installed.state {
            _ if installed.deleting.is_some() => Self::Deleting,
            _ if installed.waiting.is_some() => Self::Waiting,
            InstalledState::Failed => Self::Failed,
            _ if installed.overdue.is_some() => Self::Overdue,
            InstalledState::Applied => Self::Applied,
            InstalledState::UnderWay => Self::UnderWay,
            InstalledState::Unreported => Self::Unreported,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Applied => "Applied",
            Self::UnderWay => "UnderWay",
            Self::Overdue => "Overdue",
            Self::Failed => "Failed",
            Self::Waiting => "Waiting",
            Self::Deleting => "Deleting",
            Self::Unreported => "Unreported",
        }
    }
}

impl fmt::Display for RowState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A word that is not a state.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no add-on is ever in state {0:?}; {1}")]
pub struct UnknownState(String, String);

/// Upper and lower case are the same.
impl FromStr for RowState {
    type Err = UnknownState;
    fn from_str(text: &str) -> Result<Self, UnknownState> {
        let found = Self::ALL.into_iter().find(|state| state.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| UnknownState(text.to_owned(), remedy(text, Self::ALL.map(Self::name))))
    }
}

/// Whether an add-on works on a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Health {
    /// It works.
    Healthy,
    /// It does not work.
    Degraded,
    /// The cluster does not answer.
    Unreachable,
    /// Nothing is reported about it.
    Unknown,
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Healthy => "Healthy",
            Self::Degraded => "Degraded",
            Self::Unreachable => "Unreachable",
            Self::Unknown => "Unknown",
        })
    }
}

/// An add-on on a cluster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The cluster.
    pub cluster: ClusterName,
    /// The add-on.
    pub addon: UnitName,
    /// The version that the cluster was assigned, taken from the name of its template; empty before its first.
    pub version: String,
    /// Digest of the configurations that the cluster was assigned, twelve hex digits, as `clusters.yaml` has it; empty before its first.
    pub hash: String,
    /// How far it is.
    pub state: RowState,
    /// Whether the add-on works.
    pub health: Health,
    /// Index of its decision group, in the last placement of the add-on that selects the cluster; absent if none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<i32>,
    /// Name of the group; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group_name: String,
    /// Since when it is in its state, as far as the hub shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
    /// Why it failed, or does not work; empty if it does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// Which rows are shown.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// By the labels of the cluster.
    pub labels: LabelSelector,
    /// By the add-on.
    pub addon: Option<UnitName>,
    /// By the state.
    pub state: Option<RowState>,
}

/// The rows, and how many each filter left.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// The rows, by cluster and add-on.
    pub rows: Vec<Row>,
    /// Number of clusters in the fleet.
    pub clusters: usize,
    /// Number of clusters whose labels match.
    pub matching: usize,
    /// Number of add-ons on those clusters.
    pub installed: usize,
    /// Number of those with the wanted name.
    pub named: usize,
}

impl Snapshot {
    /// Returns the add-ons on the clusters that a filter leaves.
    pub fn list(&self, filter: &Filter) -> Listing {
        let label = |cluster: &Cluster| filter.labels.matches(|key| cluster.labels.get(key).map(String::as_str));
        let mut listing =
            Listing { rows: Vec::new(), clusters: self.clusters.len(), matching: 0, installed: 0, named: 0 };
        for (name, cluster) in
            self.clusters.iter().filter(|(_, cluster)| filter.labels.is_everything() || label(cluster))
        {
            listing.matching += 1;
            for (addon, installed) in &cluster.addons {
                listing.installed += 1;
                if filter.addon.as_ref().is_some_and(|wanted| wanted != addon) {
                    continue;
                }
                listing.named += 1;
                if filter.state.is_none_or(|wanted| wanted == RowState::of(installed)) {
                    listing.rows.push(self.row((name, cluster), (addon, installed)));
                }
            }
        }
        listing
    }

    /// Returns the names of all add-ons: those that the hub has, and those that are on clusters.
    pub fn addon_names(&self) -> std::collections::BTreeSet<&UnitName> {
        self.addons.keys().chain(self.clusters.values().flat_map(|cluster| cluster.addons.keys())).collect()
    }

    fn row(&self, (name, cluster): (&ClusterName, &Cluster), (addon, installed): (&UnitName, &Installed)) -> Row {
        let assigned = self.configurations_of(&installed.assigned);
        let is_content = |config: &&Configuration| {
            let (resource, group) = config.resource_and_group();
            layer::is_content(group, resource)
        };
        let template = assigned.iter().find(is_content).filter(|template| !template.name.is_empty());
        let group = self.addons.get(addon).and_then(|addon| self.group(cluster, addon));
        let reason = if installed.failure.is_empty() { &installed.degraded } else { &installed.failure };
        Row {
            cluster: name.clone(),
            addon: addon.clone(),
            version: template.map(|template| version_of(addon, &template.name)).unwrap_or_default(),
            hash: digest(assigned.iter().map(|config| config.hash.as_str())),
            state: RowState::of(installed),
            health: health(cluster, installed),
            group: group.map(|(index, _)| index),
            group_name: group.map(|(_, name)| name.to_owned()).unwrap_or_default(),
            since: installed.deleting.or(installed.waiting).or(installed.since).or(installed.started),
            reason: reason.clone(),
        }
    }

    /// Returns the group of a cluster: if several placements select it, it belongs to the last one.
    fn group<'s>(&'s self, cluster: &Cluster, addon: &HubAddon) -> Option<(i32, &'s str)> {
        let placements = addon.spec.install_strategy.iter().flat_map(|strategy| &strategy.placements);
        let names: Vec<String> = placements.map(|used| format!("{}/{}", used.namespace, used.name)).collect();
        let (name, index) = names.iter().rev().find_map(|name| Some((name, *cluster.groups.get(name)?)))?;
        let groups = self.placements.get(name).map(|placement| placement.groups.as_slice()).unwrap_or_default();
        let group = groups.iter().find(|group| group.index == index);
        Some((index, group.map_or("", |group| group.name.as_str())))
    }
}

fn health(cluster: &Cluster, installed: &Installed) -> Health {
    match (cluster.availability, installed.availability) {
        (Availability::Unavailable | Availability::Unknown, _) => Health::Unreachable,
        (_, Availability::Available) => Health::Healthy,
        (_, Availability::Unavailable) => Health::Degraded,
        (_, Availability::Unknown | Availability::Unreported) => Health::Unknown,
    }
}

/// The rows as a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FleetList {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = tidegate_model::document::API_VERSION))]
    pub api_version: String,
    /// `FleetList`.
    #[schemars(extend("const" = "FleetList"))]
    pub kind: String,
    /// The rows, by cluster and add-on.
    pub rows: Vec<Row>,
}

impl From<Listing> for FleetList {
    fn from(listing: Listing) -> Self {
        let (api_version, kind) = (tidegate_model::document::API_VERSION.to_owned(), "FleetList".to_owned());
        Self { api_version, kind, rows: listing.rows }
    }
}
