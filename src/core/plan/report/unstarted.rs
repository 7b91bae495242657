//! Starts that the hub refused: the report must not claim that they happened.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::types::Report;
use tidegate_delivery::is_state_of;
use tidegate_model::object::ObjectKey;
use tidegate_model::progress::ClusterState;

impl Report {
    /// Returns the report after the writes of its plan: a cluster whose ManagedClusterAddOn or application works could not be written has not
    /// started, and has what it had `before`. If the write had an effect nevertheless, the next plan observes it.
    pub fn without_starts(self: &Arc<Self>, before: &Self, failed: &BTreeSet<ObjectKey>) -> Arc<Self> {
        let mut report = Arc::clone(self);
        let unit_of = |key: &ObjectKey| self.addons.keys().find(|unit| is_state_of(unit, key));
        for (key, unit) in failed.iter().filter_map(|key| Some((key, unit_of(key)?))) {
            let had = before.addons.get(unit).and_then(|addon| addon.clusters.get(key.namespace.as_str()));
            let (hash, version, started) =
                had.map(|had| (had.hash.clone(), had.version.clone(), had.started)).unwrap_or_default();
            let claims = self.addons.get(unit).and_then(|addon| addon.clusters.get(key.namespace.as_str()));
            let has_started =
                claims.is_some_and(|now| now.started.is_some() && (&now.hash, now.started) != (&hash, started));
            if !has_started {
                continue;
            }
            let addons = &mut Arc::make_mut(&mut report).addons;
            let clusters = addons.get_mut(unit).map(|addon| &mut addon.clusters);
            if let Some(cluster) = clusters.and_then(|clusters| clusters.get_mut(key.namespace.as_str())) {
                (cluster.hash, cluster.version, cluster.started) = (hash, version, started);
                (cluster.state, cluster.since) = (ClusterState::Waiting, None);
            }
        }
        report
    }
}
