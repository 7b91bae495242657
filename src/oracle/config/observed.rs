//! The fleet of a case: what is observed on the hub, in the form in which a plan reads it.
//!
//! A plan checks more than upstream's controller does: that objects belong to its instance, that clusters exist, and that the
//! scheduler has finished. A case says nothing about that, so all of it is in order here.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::json;

use super::case::Case;
use tidegate_api::condition::{self, Claim};
use tidegate_api::fleet::Fleet;
use tidegate_api::key::{self, GROUP_INDEX, PLACEMENT, PLACEMENT_SATISFIED};
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::placement::{DecisionGroupStatus, Placement, PlacementDecision, PlacementStatus};
use tidegate_model::instance::Instance;
use tidegate_model::name::{AddonName, ClusterName, NamespacedName};
use tidegate_rollout::placement::read_decisions;

/// Returns the fleet of a case, in which these clusters have the add-on.
pub(super) fn fleet(case: &Case, name: &AddonName, installed: &BTreeMap<ClusterName, ManagedClusterAddOn>) -> Fleet {
    let mut addon = case.cluster_management_addon.clone();
    own(&mut addon.metadata);
    let owned = |addon: &ManagedClusterAddOn| {
        let mut addon = addon.clone();
        own(&mut addon.metadata);
        Arc::new(addon)
    };
    let installed: BTreeMap<_, _> = installed.iter().map(|(name, addon)| (name.clone(), owned(addon))).collect();
    let decisions = decisions(case);
    let selected = decisions.values().flat_map(|decision| &decision.status).flat_map(|status| &status.decisions);
    let selected = selected.filter_map(|entry| entry.cluster_name.parse().ok());
    let clusters: BTreeSet<ClusterName> = selected.chain(installed.keys().cloned()).collect();
    Fleet {
        clusters: clusters.into_iter().map(|name| (name.clone(), Arc::new(cluster(&name)))).collect(),
        placements: case.placements.iter().map(|p| (name_of(p), Arc::new(scheduled(case, p, &decisions)))).collect(),
        decisions: decisions.into_iter().map(|(name, decision)| (name, Arc::new(decision))).collect(),
        addons: [(name.clone(), Arc::new(addon))].into(),
        cluster_addons: [(name.into(), installed.into())].into(),
        ..Fleet::default()
    }
}

/// Returns the instance that plans.
pub(super) fn instance() -> Instance {
    Instance::unknown()
}

fn own(metadata: &mut ObjectMeta) {
    metadata.uid = Some("uid".to_owned());
    metadata.deletion_timestamp = None;
    metadata.labels.get_or_insert_default().insert(key::INSTANCE_LABEL.to_owned(), instance().id.to_string());
}

/// Returns the decisions of a case. A placement without any gets an empty one, as upstream's scheduler writes it.
fn decisions(case: &Case) -> BTreeMap<NamespacedName, PlacementDecision> {
    let mut decisions: BTreeMap<_, _> = case.placement_decisions.iter().map(|d| (name_of(d), d.clone())).collect();
    for placement in &case.placements {
        let name = name_of(placement);
        if !decisions.values().any(|decision| belongs(decision, &name)) {
            let empty = json!({ "metadata": {
                "namespace": name.namespace,
                "name": format!("{}-decision-0", name.name),
                "labels": { PLACEMENT: name.name, GROUP_INDEX: "0" },
            }, "spec": {} });
            let page = NamespacedName::new(&name.namespace, format!("{}-decision-0", name.name));
            decisions.extend(serde_json::from_value(empty).ok().map(|decision| (page, decision)));
        }
    }
    decisions
}

fn name_of<K: kube::Resource>(object: &K) -> NamespacedName {
    let metadata = object.meta();
    NamespacedName::new(metadata.namespace.clone().unwrap_or_default(), metadata.name.clone().unwrap_or_default())
}

fn belongs(decision: &PlacementDecision, placement: &NamespacedName) -> bool {
    let labels = decision.metadata.labels.as_ref();
    decision.metadata.namespace.as_deref().unwrap_or_default() == placement.namespace
        && labels.and_then(|labels| labels.get(PLACEMENT)) == Some(&placement.name)
}

/// Returns a placement with the status of a scheduler that has written these decisions.
fn scheduled(case: &Case, placement: &Placement, decisions: &BTreeMap<NamespacedName, PlacementDecision>) -> Placement {
    let mut placement = placement.clone();
    let name = name_of(&placement);
    let groups = read_decisions(decisions.values(), &name).unwrap_or_default();
    let count = |size: usize| i32::try_from(size).unwrap_or(i32::MAX);
    let mut status = PlacementStatus {
        number_of_selected_clusters: count(groups.iter().map(|group| group.clusters.len()).sum()),
        ..PlacementStatus::default()
    };
    status.decision_groups.extend(groups.iter().map(|group| DecisionGroupStatus {
        decision_group_index: group.index,
        decision_group_name: group.name.clone(),
        decisions: Vec::new(),
        clusters_count: count(group.clusters.len()),
    }));
    let claim = Claim::new(PLACEMENT_SATISFIED, "True", "AllDecisionsScheduled", "");
    condition::set(&mut status.conditions, claim, case.now);
    placement.metadata.deletion_timestamp = None;
    placement.status = Some(status);
    placement
}

fn cluster(name: &ClusterName) -> ManagedCluster {
    let mut cluster = ManagedCluster::default();
    cluster.metadata.name = Some(name.to_string());
    cluster
}
