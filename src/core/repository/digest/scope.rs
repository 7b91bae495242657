//! What a revision says about the clusters that an add-on may reach: its placements, and the cluster sets that they choose from.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::Serialize;

use crate::types::Repository;
use crate::unit::Unit;
use tidegate_api::ocm::managed_cluster_set::{ManagedClusterSetBindingSpec, ManagedClusterSetSpec};
use tidegate_api::ocm::placement::PlacementSpec;
use tidegate_model::name::NamespacedName;

/// The placements of an add-on, with the bindings and cluster sets that they choose from.
///
/// # Shape
/// By name. A placement, binding or set that the repository does not declare is absent. The order of the placements is that of the install
/// strategy.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Scope<'a> {
    placements: BTreeMap<String, PlacementScope<'a>>,
    bindings: BTreeMap<String, &'a ManagedClusterSetBindingSpec>,
    cluster_sets: BTreeMap<&'a str, &'a ManagedClusterSetSpec>,
}

#[derive(Serialize)]
struct PlacementScope<'a> {
    marks: Marks<'a>,
    spec: &'a PlacementSpec,
}

impl<'a> Scope<'a> {
    pub(super) fn of(repository: &'a Repository, addon: &Unit) -> Self {
        let mut scope = Self { placements: BTreeMap::new(), bindings: BTreeMap::new(), cluster_sets: BTreeMap::new() };
        for name in addon.placements() {
            let Some(placement) = repository.placements.get(&name) else { continue };
            let marks = Marks::of(&placement.metadata);
            scope.placements.insert(name.to_string(), PlacementScope { marks, spec: &placement.spec });
            scope.add_sets(repository, &name, &placement.spec);
        }
        scope
    }

    /// Adds the bindings of the placement's namespace, or those of the sets that it names, and their sets.
    fn add_sets(&mut self, repository: &'a Repository, placement: &NamespacedName, spec: &PlacementSpec) {
        let from = NamespacedName::new(&placement.namespace, "");
        let bindings = repository.cluster_set_bindings.range(from..);
        let own = bindings.take_while(|(name, _)| name.namespace == placement.namespace);
        for (name, binding) in own {
            let set = &binding.spec.cluster_set;
            if !spec.cluster_sets.is_empty() && !spec.cluster_sets.contains(set) {
                continue;
            }
            self.bindings.insert(name.to_string(), &binding.spec);
            if let Some((set, declared)) = repository.cluster_sets.get_key_value(set) {
                self.cluster_sets.insert(set, &declared.spec);
            }
        }
    }
}

/// The labels and annotations of an object that OCM and Tidegate read.
#[derive(Serialize)]
pub(super) struct Marks<'a> {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<&'a str, &'a str>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    annotations: BTreeMap<&'a str, &'a str>,
}

impl<'a> Marks<'a> {
    pub(super) fn of(metadata: &'a ObjectMeta) -> Self {
        Self { labels: read(metadata.labels.as_ref()), annotations: read(metadata.annotations.as_ref()) }
    }
}

fn read(all: Option<&BTreeMap<String, String>>) -> BTreeMap<&str, &str> {
    let all = all.into_iter().flatten().map(|(key, value)| (key.as_str(), value.as_str()));
    all.filter(|(key, _)| is_read(key)).collect()
}

/// Returns `true` for the keys of OCM and Tidegate: those whose prefix is one of their domains.
fn is_read(key: &str) -> bool {
    let Some((domain, _)) = key.split_once('/') else { return false };
    let is_below = |known: &str| domain.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    is_below("open-cluster-management.io") || is_below("tidegate.io")
}
