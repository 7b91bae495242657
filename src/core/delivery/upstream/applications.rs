//! The clusters of units without objects of their own, as add-ons on clusters.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::record::seen;
use tidegate_api::fleet::{ClusterAddons, ClusterWorks, Fleet};
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_api::ocm::manifest_work::ManifestWork;
use tidegate_model::name::{ApplicationName, ClusterName, UnitName};
use tidegate_model::shared::Shared;

/// The clusters of applications as they were in the last fleet.
#[derive(Debug, Default)]
pub(super) struct Seen(BTreeMap<UnitName, Kept>);

/// The clusters of one application.
#[derive(Debug)]
struct Kept {
    works: Shared<ClusterWorks>,
    clusters: Shared<ClusterAddons>,
}

impl Kept {
    fn of(unit: &ApplicationName, works: &Shared<ClusterWorks>, before: Option<&Self>) -> Self {
        let known = |cluster: &ClusterName, now: &BTreeMap<String, Arc<ManifestWork>>| {
            let before = before?;
            let is_same = before.works.get(cluster).is_some_and(|before| are_same(before, now));
            is_same.then(|| before.clusters.get(cluster).cloned())
        };
        let seen = |(cluster, works): (&ClusterName, &BTreeMap<String, Arc<ManifestWork>>)| {
            let seen: Option<Arc<ManagedClusterAddOn>> =
                known(cluster, works).unwrap_or_else(|| seen(unit, cluster, works).map(Arc::new));
            Some((cluster.clone(), seen?))
        };
        Self { works: works.clone(), clusters: works.iter().filter_map(seen).collect() }
    }
}

fn are_same(these: &BTreeMap<String, Arc<ManifestWork>>, those: &BTreeMap<String, Arc<ManifestWork>>) -> bool {
    these.len() == those.len() && these.values().zip(those.values()).all(|(this, that)| Arc::ptr_eq(this, that))
}

impl Seen {
    /// Adds the clusters of all applications to a view of a fleet.
    ///
    /// Those of an application whose works have not changed since the last call are [the same](Shared::is_same) as in the last result.
    pub(super) fn add(&mut self, fleet: &Fleet, view: &mut Option<Fleet>) {
        let mut before = std::mem::take(&mut self.0);
        for (name, works) in &fleet.works {
            let UnitName::Application(unit) = name else { continue };
            let kept = match before.remove(name) {
                Some(kept) if kept.works.is_same(works) => kept,
                kept => Kept::of(unit, works, kept.as_ref()),
            };
            if !kept.clusters.is_empty() {
                let view = view.get_or_insert_with(|| fleet.clone());
                view.cluster_addons.insert(name.clone(), kept.clusters.clone());
            }
            self.0.insert(name.clone(), kept);
        }
    }
}
