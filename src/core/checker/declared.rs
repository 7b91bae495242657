//! What the repository declares for an add-on: its placements with their strategies, and each cluster's configurations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::configs::Configs;
use super::strategy::Strategy;
use tidegate_api::key;
use tidegate_api::ocm::cluster_management_addon::PlacementStrategy;
use tidegate_api::ocm::config_reference::ConfigReference;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_go::canonical::spec_hash;
use tidegate_model::digest::Digest;
use tidegate_model::name::{ClusterName, NamespacedName, UnitName};
use tidegate_model::object::ObjectKey;
use tidegate_repository::{Overlap, PerCluster, Repository, Source, Unit};

/// An add-on as declared.
#[derive(Debug)]
pub(super) struct Declared {
    defaults: Vec<ConfigReference>,
    /// `None` if clusters are chosen by hand.
    pub(super) placements: Option<Vec<DeclaredPlacement>>,
    overrides: BTreeMap<ClusterName, Vec<ConfigReference>>,
    pub(super) digest: Digest,
    /// Whether its clusters return to the last good digest.
    pub(super) rolls_back: bool,
    /// What becomes of a cluster that several placements select.
    pub(super) overlap: Overlap,
    /// The units that a cluster must have, done and healthy, before it starts.
    pub(super) requires: BTreeSet<UnitName>,
    /// The configuration objects, each with the hash of its spec.
    held: BTreeMap<ConfigReference, (Arc<Value>, String)>,
    /// What each cluster gets of each placement, if that depends on the cluster.
    given: Option<PerCluster>,
}

/// One placement of an add-on as declared.
#[derive(Debug)]
pub(super) struct DeclaredPlacement {
    pub(super) name: NamespacedName,
    /// `None` if the strategy cannot be read.
    pub(super) strategy: Option<Strategy>,
    /// The index of its step. Its clusters start once those of all earlier steps are through.
    pub(super) step: usize,
    /// Its index.
    part: usize,
    configs: Vec<ConfigReference>,
}

impl Declared {
    /// Reads a declaration, reusing the hashes of objects that `before` already holds.
    pub(super) fn of(name: &UnitName, addon: &Unit, repository: &Repository, before: Option<&Self>) -> Self {
        let hash = |reference: &ConfigReference, object: &Arc<Value>| match before.and_then(|b| b.held.get(reference)) {
            Some((known, hash)) if Arc::ptr_eq(known, object) => hash.clone(),
            _ => spec_hash(object),
        };
        let held = addon.configurations.iter().map(|(reference, configuration)| {
            let object = &configuration.object;
            (reference.clone(), (Arc::clone(object), hash(reference, object)))
        });
        let strategy = addon.install_strategy().filter(|strategy| strategy.type_ == "Placements");
        let placement = |(index, placement): (usize, &PlacementStrategy)| {
            let name = placement.reference();
            let decisions = repository.placements.get(&name).and_then(|p| p.spec.decision_strategy.as_ref());
            let groups = decisions.and_then(|decisions| decisions.group_strategy.as_ref());
            let size = groups.and_then(|groups| groups.clusters_per_decision_group.as_ref());
            let strategy = Strategy::read(&placement.rollout_strategy, size);
            let configs = placement.configs.clone();
            DeclaredPlacement { name, strategy, step: addon.turn(index).step, part: index, configs }
        };
        let is_real =
            |reference: &&ConfigReference| !reference.name.is_empty() && reference.name != key::RESERVED_NO_DEFAULT;
        Self {
            defaults: addon.defaults().iter().filter(is_real).cloned().collect(),
            placements: strategy.map(|strategy| strategy.placements.iter().enumerate().map(placement).collect()),
            overrides: addon.overrides.iter().map(|(name, own)| (name.clone(), own.spec.configs.clone())).collect(),
            digest: addon.digest.clone(),
            rolls_back: repository.rollbacks.get(name).is_some_and(|rollback| rollback.refused.is_empty()),
            overlap: overlap(addon),
            requires: addon.requires().clone(),
            held: held.collect(),
            given: addon.per_cluster.clone(),
        }
    }

    /// Returns the declared configuration with this hash.
    pub(super) fn content(&self, hash: &str) -> Option<&Arc<Value>> {
        self.held.values().find(|(_, known)| known == hash).map(|(object, _)| object)
    }

    /// Returns `true` if a content of the unit has an object, the name of which may have the name of the cluster in it.
    pub(super) fn has(&self, object: &ObjectKey, cluster: &ClusterName) -> bool {
        let on_cluster = |text: &str| text.replace("{{CLUSTER_NAME}}", cluster.as_str());
        let is_same = |manifest: &Value| {
            ObjectKey::of(manifest).is_some_and(|key| {
                let (namespace, name) = (on_cluster(&key.namespace), on_cluster(&key.name));
                ObjectKey { namespace, name, ..key } == *object
            })
        };
        self.manifests(cluster).iter().any(is_same)
    }

    /// Returns the objects of all configurations that a cluster may get.
    pub(super) fn manifests(&self, cluster: &ClusterName) -> Vec<Value> {
        let is_given = |reference: &ConfigReference| match &self.given {
            Some(given) => given.has(reference, cluster),
            None => true,
        };
        let of = |content: &Value| content.pointer("/spec/agentSpec/workload/manifests")?.as_array().cloned();
        let held = self.held.iter().filter(|(reference, _)| is_given(reference));
        held.filter_map(|(_, (content, _))| of(content)).flatten().collect()
    }

    /// Returns the configurations a cluster of a placement should have: for each kind, those of the highest layer with
    /// any.
    pub(super) fn desired(
        &self,
        placement: Option<&DeclaredPlacement>,
        cluster: &ClusterName,
        addon: Option<&ManagedClusterAddOn>,
    ) -> Configs {
        let of_placement = placement.map(|placement| placement.configs.as_slice()).unwrap_or_default();
        let given = placement.zip(self.given.as_ref()).map(|(placement, given)| given.content(placement.part, cluster));
        let own = match given {
            // Where its content is not known, a cluster is assigned nothing.
            Some(None) => return Configs::default(),
            Some(Some(given)) => std::slice::from_ref(given),
            None => self.own(cluster, addon),
        };
        let mut desired = Configs::default();
        let mut decided = BTreeSet::new();
        for layer in [own, of_placement, &self.defaults] {
            let kinds: BTreeSet<_> = layer.iter().map(|r| (&r.group, &r.resource)).collect();
            for reference in layer.iter().filter(|r| !decided.contains(&(&r.group, &r.resource))) {
                desired.insert(reference, self.hash(reference));
            }
            decided.extend(kinds);
        }
        desired
    }

    /// Returns the cluster's own layer. If the repository declares none, this is what was set by hand on the add-on,
    /// unless the add-on carries the label of declared add-ons: then its configurations are about to be removed.
    fn own<'a>(&'a self, cluster: &ClusterName, addon: Option<&'a ManagedClusterAddOn>) -> &'a [ConfigReference] {
        if let Some(declared) = self.overrides.get(cluster) {
            return declared;
        }
        let labels = |addon: &ManagedClusterAddOn| addon.metadata.labels.clone().unwrap_or_default();
        let by_hand = addon.filter(|addon| !labels(addon).contains_key(key::OWNED_LABEL));
        by_hand.map(|addon| addon.spec.configs.as_slice()).unwrap_or_default()
    }

    fn hash(&self, reference: &ConfigReference) -> &str {
        self.held.get(reference).map_or("", |(_, hash)| hash.as_str())
    }
}

/// Returns what becomes of a cluster that several placements of a unit select, from what declares it.
fn overlap(unit: &Unit) -> Overlap {
    match &unit.source {
        Source::AddOn { .. } => Overlap::Last,
        Source::Application(application) if !application.revisions.is_empty() => Overlap::Neither,
        Source::Application(_) => Overlap::First,
    }
}
