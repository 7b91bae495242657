//! What is known of the works of clusters that needed no writes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use tidegate_api::fleet::Fleet;
use tidegate_api::ocm::manifest_work::{ManifestWork, ResourceIdentifier};
use tidegate_delivery::upstream::Opened;
use tidegate_delivery::{Conditioned, Waiting};
use tidegate_model::name::{ClusterName, UnitName};

/// What is needed of the works that a cluster should have, besides the writes.
#[derive(Debug)]
pub(crate) struct Outline {
    /// Their names.
    pub names: Vec<String>,
    /// Whether the add-on has hooks that run before it is deleted.
    pub has_hooks: bool,
    /// The workloads that determine the health of the add-on.
    pub probes: Vec<ResourceIdentifier>,
    /// The objects with conditions, which also determine it.
    pub conditioned: Vec<Conditioned>,
    /// How far the cluster is with the order of components.
    pub opened: Opened,
    /// What waits; `None` if the last phase is open.
    pub waiting: Option<Waiting>,
}

/// Everything that the writes of the works of a cluster depend on, besides the unit and the settings.
#[derive(Debug)]
pub(crate) struct Basis {
    /// What the objects are rendered from.
    pub sources: String,
    /// The uid of the add-on.
    pub owner_uid: String,
    /// The annotation with the hashes of the configurations.
    pub config_hashes: Option<String>,
    /// The works that exist.
    pub existing: BTreeMap<String, Arc<ManifestWork>>,
}

impl Basis {
    fn is_same(&self, now: &Self) -> bool {
        let mut works = self.existing.iter().zip(&now.existing);
        (&self.sources, &self.owner_uid, &self.config_hashes) == (&now.sources, &now.owner_uid, &now.config_hashes)
            && self.existing.len() == now.existing.len()
            && works.all(|((a, before), (b, now))| a == b && has_same_content(before, now))
    }
}

/// Returns `true` if two versions of a work have the same content besides the status.
fn has_same_content(before: &Arc<ManifestWork>, now: &Arc<ManifestWork>) -> bool {
    let (one, other) = (&before.metadata, &now.metadata);
    Arc::ptr_eq(before, now)
        || one.uid == other.uid
            && one.labels == other.labels
            && one.annotations == other.annotations
            && one.owner_references == other.owner_references
            && one.deletion_timestamp == other.deletion_timestamp
            && before.spec == now.spec
}

/// The works that needed no writes, by unit and cluster.
#[derive(Debug, Default)]
pub(super) struct KeptWorks(BTreeMap<UnitName, HashMap<ClusterName, (Basis, Arc<Outline>)>>);

impl KeptWorks {
    /// Returns what is known of the works of a cluster, if they need no writes on this basis either.
    pub(crate) fn unchanged(&mut self, unit: &UnitName, cluster: &ClusterName, basis: &Basis) -> Option<Arc<Outline>> {
        let (known, outline) = self.0.get_mut(unit)?.get_mut(cluster)?;
        if !known.is_same(basis) {
            return None;
        }
        // Otherwise, the works would be in memory with their old statuses, too.
        known.existing.clone_from(&basis.existing);
        Some(outline.clone())
    }

    /// Records that the works of a cluster need no writes on this basis.
    pub(crate) fn remember(&mut self, unit: &UnitName, cluster: &ClusterName, basis: Basis, wanted: Arc<Outline>) {
        self.0.entry(unit.clone()).or_default().insert(cluster.clone(), (basis, wanted));
    }

    /// Drops what is known.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Drops what is known of units and clusters that are gone.
    pub(super) fn retain(&mut self, fleet: &Fleet) {
        self.0.retain(|unit, known| {
            let Some(clusters) = fleet.cluster_addons.get(unit) else { return false };
            if known.len() > clusters.len() {
                known.retain(|cluster, _| clusters.contains_key(cluster));
            }
            true
        });
    }
}
