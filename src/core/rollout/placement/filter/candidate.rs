//! Candidates: the clusters that the bound cluster sets offer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::selector::Selector;
use crate::placement::input::Input;
use crate::placement::outcome::PluginMessage;
use tidegate_api::key::CLUSTER_SET;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSet, ManagedClusterSetBinding};
use tidegate_model::name::{ClusterName, NamespacedName};

/// A cluster that may be selected.
#[derive(Clone, Copy)]
pub(in crate::placement) struct Candidate<'a> {
    /// Its name.
    pub(in crate::placement) name: &'a ClusterName,
    /// The cluster as observed.
    pub(in crate::placement) cluster: &'a ManagedCluster,
}

/// The sets that a Placement may choose from.
pub(in crate::placement) struct Sets<'a> {
    /// The sets that exist and are bound to the namespace.
    pub(in crate::placement) bound: BTreeSet<&'a str>,
    /// The bound sets that the Placement wants.
    pub(in crate::placement) eligible: BTreeSet<&'a str>,
}

impl<'a> Sets<'a> {
    /// Finds the sets of a Placement. A binding counts by its own name, regardless of its condition.
    pub(in crate::placement) fn of(input: &Input<'a>) -> Self {
        let bindings: &'a BTreeMap<NamespacedName, Arc<ManagedClusterSetBinding>> = input.bindings;
        let namespace = &input.placement.namespace;
        let bound: BTreeSet<&str> = bindings
            .range(NamespacedName::new(namespace.as_str(), "")..)
            .map(|(key, _)| key)
            .take_while(|key| key.namespace == *namespace)
            .map(|key| key.name.as_str())
            .filter(|name| input.sets.contains_key(*name))
            .collect();
        let wanted: BTreeSet<&str> = input.spec.cluster_sets.iter().map(String::as_str).collect();
        let eligible = bound.iter().copied().filter(|name| wanted.is_empty() || wanted.contains(name)).collect();
        Self { bound, eligible }
    }

    /// Returns `true` if sets are bound, but the Placement names other sets. Usually that is a typo.
    pub(in crate::placement) fn names_none_that_is_bound(&self) -> bool {
        self.eligible.is_empty() && !self.bound.is_empty()
    }

    /// Returns the members of the eligible sets that are not being deleted.
    ///
    /// # Shape
    /// Sorted by name, without repetitions.
    ///
    /// # Errors
    /// A problem if the selector of a set is broken.
    pub(in crate::placement) fn candidates(&self, input: &Input<'a>) -> Result<Vec<Candidate<'a>>, PluginMessage> {
        let mut exclusive = BTreeSet::new();
        let mut selectors = Vec::new();
        for &name in &self.eligible {
            let Some(set) = input.sets.get(name) else { continue };
            match membership(set).map_err(|problem| PluginMessage::new("", set_problem(name, &problem)))? {
                Membership::ByName => {
                    exclusive.insert(name);
                }
                Membership::Selected(selector) => selectors.push(selector),
                Membership::Nobody => {}
            }
        }
        let is_member = |cluster: &ManagedCluster| {
            let named = cluster.metadata.labels.as_ref().and_then(|labels| labels.get(CLUSTER_SET));
            named.is_some_and(|name| exclusive.contains(name.as_str()))
                || selectors.iter().any(|selector| selector.matches_labels(cluster))
        };
        let clusters: &'a BTreeMap<ClusterName, Arc<ManagedCluster>> = input.clusters;
        Ok(clusters
            .iter()
            .map(|(name, cluster)| Candidate { name, cluster })
            .filter(|candidate| candidate.cluster.metadata.deletion_timestamp.is_none() && is_member(candidate.cluster))
            .collect())
    }
}

fn set_problem(name: &str, problem: &str) -> String {
    format!("failed to get clusters from ClusterSet {name:?}: {problem}")
}

enum Membership<'a> {
    ByName,
    Selected(Selector<'a>),
    Nobody,
}

fn membership(set: &ManagedClusterSet) -> Result<Membership<'_>, String> {
    let Some(selector) = &set.spec.cluster_selector else { return Ok(Membership::ByName) };
    match selector.selector_type.as_str() {
        "" | "ExclusiveClusterSetLabel" => Ok(Membership::ByName),
        "LabelSelector" => match &selector.label_selector {
            Some(labels) => Selector::labels(labels).map(Membership::Selected),
            None => Ok(Membership::Nobody),
        },
        other => Err(format!("selectorType is not right: {other}")),
    }
}
