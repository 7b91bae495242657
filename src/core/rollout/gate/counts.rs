//! What a limit counts: the clusters under way and the recent starts, for each value of a label.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::policies::{Policy, label};
use super::traffic::{Standing, Traffic};
use crate::Barrier;
use tidegate_api::ocm::managed_cluster::ManagedCluster;
use tidegate_api::rollout_policy::Limit;
use tidegate_model::name::{ClusterName, UnitName};
use tidegate_model::time::{SignedDuration, Timestamp};

/// The span of `startsPerMinute`.
const MINUTE: SignedDuration = SignedDuration::from_secs(60);

/// The counts of one limit.
#[derive(Debug, Default)]
pub(super) struct Counts {
    underway: BTreeMap<String, BTreeSet<ClusterName>>,
    /// When clusters started within the last minute.
    starts: BTreeMap<String, Vec<Timestamp>>,
}

impl Counts {
    /// Counts the clusters of the units that a policy selects.
    pub(super) fn new(
        policy: &Policy<'_>,
        limit: &Limit,
        traffic: &Traffic<'_>,
        clusters: &BTreeMap<ClusterName, Arc<ManagedCluster>>,
        now: Timestamp,
    ) -> Self {
        let mut counts = Self::default();
        for (_, of_unit) in traffic.0.iter().filter(|(unit, _)| policy.selects_unit(unit)) {
            let selected = |name: &ClusterName| clusters.get(name).filter(|cluster| policy.selects_cluster(cluster));
            for (name, _) in of_unit.clusters.iter().filter(|(_, standing)| **standing == Standing::Underway) {
                if let Some(cluster) = selected(name) {
                    counts.underway.entry(value(limit, cluster)).or_default().insert((*name).clone());
                }
            }
            for (name, at) in &of_unit.starts {
                if let Some(cluster) = selected(name).filter(|_| at.duration_until(now) < MINUTE) {
                    counts.starts.entry(value(limit, cluster)).or_default().push(*at);
                }
            }
        }
        counts.starts.values_mut().for_each(|starts| starts.sort_unstable());
        counts
    }

    /// Returns why a cluster may not start, if the limit does not allow it.
    pub(super) fn barrier(
        &self,
        limit: &Limit,
        (name, cluster): (&ClusterName, &ManagedCluster),
        others: &[&UnitName],
    ) -> Option<Barrier> {
        let value = value(limit, cluster);
        let count = |allowed: Option<u32>| allowed.map(|allowed| usize::try_from(allowed).unwrap_or(usize::MAX));
        let of_limit = || limit.name.clone();
        let none = BTreeSet::new();
        let underway = self.underway.get(&value).unwrap_or(&none);
        // A cluster that is under way with another unit is counted already.
        let is_counted = underway.contains(name);
        if let Some(allowed) = count(limit.max_clusters).filter(|allowed| !is_counted && underway.len() >= *allowed) {
            let value = limit.label.clone().map(|label| (label, value));
            return Some(Barrier::Limit { name: of_limit(), value, underway: underway.len(), allowed });
        }
        let busy: Vec<&String> = self.underway.iter().filter(|(_, busy)| !busy.is_empty()).map(|(v, _)| v).collect();
        let is_full = |allowed: &usize| !busy.contains(&&value) && busy.len() >= *allowed;
        if let Some(label) = limit.label.as_ref().filter(|_| count(limit.max_values).as_ref().is_some_and(is_full)) {
            let busy = busy.into_iter().cloned().collect();
            return Some(Barrier::Values { name: of_limit(), label: label.clone(), busy });
        }
        if count(limit.max_add_ons_per_cluster).is_some_and(|allowed| others.len() >= allowed) {
            let busy = others.iter().map(ToString::to_string).collect();
            return Some(Barrier::SameCluster { name: of_limit(), busy });
        }
        let starts = self.starts.get(&value).map_or(&[][..], Vec::as_slice);
        let allowed = count(limit.starts_per_minute)?;
        let oldest = starts.get(starts.len().checked_sub(allowed)?)?;
        let next = oldest.checked_add(MINUTE).unwrap_or(Timestamp::MAX);
        Some(Barrier::Rate { name: of_limit(), allowed, next })
    }

    /// Counts a cluster that starts.
    pub(super) fn start(&mut self, limit: &Limit, name: &ClusterName, cluster: &ManagedCluster, now: Timestamp) {
        let value = value(limit, cluster);
        self.underway.entry(value.clone()).or_default().insert(name.clone());
        self.starts.entry(value).or_default().push(now);
    }

    /// Counts a cluster no longer: no unit is under way on it.
    pub(super) fn finish(&mut self, limit: &Limit, name: &ClusterName, cluster: &ManagedCluster) {
        if let Some(underway) = self.underway.get_mut(&value(limit, cluster)) {
            underway.remove(name);
        }
    }

    /// Forgets the starts that are older than a minute.
    pub(super) fn forget(&mut self, now: Timestamp) {
        self.starts.values_mut().for_each(|starts| starts.retain(|at| at.duration_until(now) < MINUTE));
    }
}

fn value(limit: &Limit, cluster: &ManagedCluster) -> String {
    limit.label.as_ref().map_or("", |key| label(cluster, key)).to_owned()
}
