//! Checks that the PlacementDecisions of a hub are complete and agree with the status of their Placement.
//!
//! The scheduler writes the pages one by one, and then the status. In between, and after a page was lost, only a part of the
//! decision can be read: a cluster missing from it may still be selected.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::read::{decided_names, label, placement_of};
use tidegate_api::key::{GROUP_INDEX, GROUP_NAME};
use tidegate_api::ocm::placement::{Placement, PlacementDecision};
use tidegate_model::name::NamespacedName;
use tidegate_model::plural;

/// How the decisions of a Placement differ from its status. Displays as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contradiction {
    /// The number of clusters is not `numberOfSelectedClusters`.
    Clusters {
        /// Number of clusters in the decisions.
        decided: usize,
        /// Number of clusters in the status.
        counted: i32,
    },
    /// A decision named in the status does not exist.
    MissingPage {
        /// Its name.
        name: String,
    },
    /// The number of clusters of a group differs from the status.
    Group {
        /// Index of the group.
        index: String,
        /// Number of clusters in its decisions.
        decided: usize,
        /// Number of clusters in the status; `None` if the status does not list the group.
        counted: Option<i32>,
    },
    /// A cluster is in two decisions: pages are being rewritten.
    Twice {
        /// The cluster.
        cluster: String,
    },
    /// The status has no group, although it counts clusters.
    NoGroups {
        /// Number of clusters in the status.
        counted: i32,
    },
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clusters { decided, counted } => {
                write!(f, "its decisions hold {} and its status counts {counted}", plural::counted(*decided, "cluster"))
            }
            Self::MissingPage { name } => write!(f, "PlacementDecision {name}, which its status names, is missing"),
            Self::Group { index, decided, counted: Some(counted) } => {
                let decided = plural::counted(*decided, "cluster");
                write!(f, "the decisions of group {index} hold {decided} and its status counts {counted}")
            }
            Self::Group { index, decided, counted: None } => {
                let decided = plural::counted(*decided, "cluster");
                write!(f, "the decisions of group {index} hold {decided} and its status does not have that group")
            }
            Self::Twice { cluster } => write!(f, "cluster {cluster} is in two of its decisions"),
            Self::NoGroups { counted } => {
                let counted = plural::counted(usize::try_from(*counted).unwrap_or_default(), "cluster");
                write!(f, "its status counts {counted} and has no decision group")
            }
        }
    }
}

/// Returns how the decisions contradict the status of their Placement; `None` if they agree.
///
/// # Source
/// OCM `pkg/placement/controllers/scheduling`: the status holds the total number of clusters, and for each group the names of its
/// pages and its number of clusters. A decision group that was never filled has one empty page.
pub fn contradiction<'a>(
    placement: &Placement,
    decisions: impl Iterator<Item = &'a PlacementDecision>,
) -> Option<Contradiction> {
    let metadata = &placement.metadata;
    let name =
        NamespacedName::new(metadata.namespace.clone().unwrap_or_default(), metadata.name.clone().unwrap_or_default());
    let status = placement.status.clone().unwrap_or_default();
    let counted = status.number_of_selected_clusters;
    let (mut pages, mut clusters) = (BTreeSet::new(), BTreeSet::new());
    let mut groups: BTreeMap<(String, String), usize> = BTreeMap::new();
    for decision in decisions.filter(|decision| placement_of(decision).as_ref() == Some(&name)) {
        pages.insert(decision.metadata.name.clone().unwrap_or_default());
        let group = (label(decision, GROUP_INDEX).to_owned(), label(decision, GROUP_NAME).to_owned());
        let size = groups.entry(group).or_default();
        for cluster in decided_names(decision) {
            *size += 1;
            if !clusters.insert(cluster) {
                return Some(Contradiction::Twice { cluster: cluster.to_owned() });
            }
        }
    }
    let is = |count: i32, size: usize| usize::try_from(count) == Ok(size);
    if status.decision_groups.is_empty() && counted > 0 {
        return Some(Contradiction::NoGroups { counted });
    }
    for group in &status.decision_groups {
        if let Some(name) = group.decisions.iter().find(|name| !pages.contains(*name)) {
            return Some(Contradiction::MissingPage { name: name.clone() });
        }
        let (index, count) = (group.decision_group_index.to_string(), group.clusters_count);
        let decided = groups.remove(&(index.clone(), group.decision_group_name.clone())).unwrap_or_default();
        if !is(count, decided) {
            return Some(Contradiction::Group { index, decided, counted: Some(count) });
        }
    }
    if let Some(((index, _), decided)) = groups.into_iter().find(|(_, size)| *size > 0) {
        return Some(Contradiction::Group { index, decided, counted: None });
    }
    (!is(counted, clusters.len())).then_some(Contradiction::Clusters { decided: clusters.len(), counted })
}
