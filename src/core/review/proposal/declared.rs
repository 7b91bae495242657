//! The fleet as it is once a revision is applied.

use std::collections::BTreeMap;
use std::sync::Arc;

use tidegate_api::fleet::Fleet;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_set::ManagedClusterSet;
use tidegate_model::name::NamespacedName;
use tidegate_model::object::ObjectKey;
use tidegate_plan::Ownership;
use tidegate_repository::Repository;

/// Returns the fleet with the clusters, sets and bindings that a revision declares, without those that only `before` declares. The sets of
/// every hub are added. Sets and bindings that other instances own stay as they are on the hub.
pub(super) fn with_declared(
    observed: &Fleet,
    repository: &Repository,
    before: Option<&Repository>,
    ownership: Ownership<'_>,
) -> Fleet {
    let is_of_others = |kind: &str, namespace: &str, name: &str| {
        let key = ObjectKey::new(key::CLUSTER_GROUP, kind, namespace, name);
        observed.declared.get(&key).is_some_and(|object| ownership.other_mark(object).is_some())
    };
    let keeps_set = |name: &str| is_of_others("ManagedClusterSet", "", name);
    let keeps_binding = |at: &NamespacedName| is_of_others("ManagedClusterSetBinding", &at.namespace, &at.name);
    let mut fleet = observed.clone();
    if let Some(before) = before {
        fleet.clusters.retain(|name, _| repository.clusters.contains_key(name) || !before.clusters.contains_key(name));
        fleet.cluster_sets.retain(|name, _| keeps_set(name) || !before.cluster_sets.contains_key(name));
        let bindings = &mut fleet.cluster_set_bindings;
        bindings.retain(|at, _| keeps_binding(at) || !before.cluster_set_bindings.contains_key(at));
    }
    for set in ManagedClusterSet::of_every_hub() {
        if let Some(name) = set.metadata.name.clone() {
            fleet.cluster_sets.entry(name).or_insert_with(|| Arc::new(set));
        }
    }
    fleet.cluster_sets.extend(repository.cluster_sets.clone().into_iter().filter(|(name, _)| !keeps_set(name)));
    let bindings = repository.cluster_set_bindings.clone().into_iter();
    fleet.cluster_set_bindings.extend(bindings.filter(|(at, _)| !keeps_binding(at)));
    for (name, declared) in &repository.clusters {
        let cluster = Arc::make_mut(fleet.clusters.entry(name.clone()).or_insert_with(|| Arc::clone(declared)));
        let (own, metadata) = (&declared.metadata, &mut cluster.metadata);
        let labels = metadata.labels.get_or_insert_default();
        let annotations = metadata.annotations.get_or_insert_default();
        if let Some(earlier) = before.and_then(|before| before.clusters.get(name)) {
            // The hub removes what the repository no longer declares.
            let gone = |members: &Option<BTreeMap<String, String>>| members.clone().unwrap_or_default().into_keys();
            gone(&earlier.metadata.labels).for_each(|label| drop(labels.remove(&label)));
            gone(&earlier.metadata.annotations).for_each(|annotation| drop(annotations.remove(&annotation)));
            if !earlier.spec.taints.is_empty() {
                cluster.spec.taints.clear();
            }
        }
        labels.extend(own.labels.clone().unwrap_or_default());
        // A hub puts a cluster without a set into this one.
        labels.entry(key::CLUSTER_SET.to_owned()).or_insert_with(|| key::DEFAULT_CLUSTER_SET.to_owned());
        annotations.extend(own.annotations.clone().unwrap_or_default());
        if !declared.spec.taints.is_empty() {
            cluster.spec.taints.clone_from(&declared.spec.taints);
        }
    }
    fleet
}
