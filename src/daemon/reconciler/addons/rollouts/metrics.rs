//! Metrics of rollouts: how long clusters take, and which gates are closed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parking_lot::Mutex;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use tidegate_model::name::UnitName;
use tidegate_model::progress::ClusterState;
use tidegate_model::time::Timestamp;
use tidegate_plan::report::{AddonReport, ClusterReport};

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByAddon {
    addon: String,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, EncodeLabelSet)]
struct ByPlacement {
    addon: String,
    placement: String,
}

/// How long clusters take, and which gates are closed. Cheap to clone.
#[derive(Debug, Clone)]
pub(in crate::reconciler::addons) struct Metrics {
    seconds: Family<ByPlacement, Histogram>,
    closed: Family<ByAddon, Gauge>,
    since: Family<ByAddon, Gauge>,
    /// The placements with series.
    placements: Arc<Mutex<BTreeMap<UnitName, BTreeSet<ByPlacement>>>>,
}

/// Ten seconds to almost three weeks.
fn buckets() -> Histogram {
    Histogram::new(exponential_buckets(10.0, 3.0, 12))
}

impl Default for Metrics {
    fn default() -> Self {
        let (closed, since, placements) = Default::default();
        Self { seconds: Family::new_with_constructor(buckets), closed, since, placements }
    }
}

impl Metrics {
    /// Registers the metrics.
    pub(in crate::reconciler::addons) fn register(&self, registry: &mut Registry) {
        let Self { seconds, closed, since, placements: _ } = self.clone();
        registry.register(
            "tidegate_cluster_rollout_seconds",
            "Time from the start of a cluster until it succeeded, soak time included",
            seconds,
        );
        registry.register("tidegate_gates_closed", "Closed gates that clusters wait for", closed);
        registry.register(
            "tidegate_gates_closed_since_timestamp_seconds",
            "Since when clusters wait for a gate that time alone does not open, or 0",
            since,
        );
    }

    /// Records the state of an add-on. `before` is its last report; without one, nothing is known about how long its clusters took.
    pub(in crate::reconciler::addons) fn record(
        &self,
        name: &UnitName,
        before: Option<&AddonReport>,
        report: &AddonReport,
    ) {
        let addon = ByAddon { addon: name.to_string() };
        self.closed.get_or_create(&addon).set(i64::try_from(report.gates.len()).unwrap_or(i64::MAX));
        let waits = report.gates.iter().filter(|gate| gate.look_at.is_none()).map(|gate| gate.since);
        self.since.get_or_create(&addon).set(waits.min().map_or(0, Timestamp::as_second));
        let Some(before) = before else { return };
        for (cluster, after) in &report.clusters {
            let Some(took) = before.clusters.get(cluster).and_then(|before| took(before, after)) else { continue };
            let only = || report.placements.first().map(|placement| placement.placement.clone()).unwrap_or_default();
            let placement = if after.placement.is_empty() { only() } else { after.placement.clone() };
            let labels = ByPlacement { addon: name.to_string(), placement };
            self.seconds.get_or_create(&labels).observe(took);
            self.placements.lock().entry(name.clone()).or_default().insert(labels);
        }
    }

    /// Removes the series of an add-on.
    pub(in crate::reconciler::addons) fn forget(&self, name: &UnitName) {
        let addon = ByAddon { addon: name.to_string() };
        self.closed.remove(&addon);
        self.since.remove(&addon);
        let placements = self.placements.lock().remove(name).unwrap_or_default();
        for labels in &placements {
            self.seconds.remove(labels);
        }
    }
}

/// Returns how many seconds a cluster took that has just succeeded.
fn took(before: &ClusterReport, after: &ClusterReport) -> Option<f64> {
    let has_succeeded = after.state == ClusterState::Succeeded
        && (before.state != ClusterState::Succeeded || before.started != after.started);
    let (started, since) = after.started.zip(after.since).filter(|_| has_succeeded)?;
    let took = started.duration_until(since);
    (!took.is_negative()).then_some(took.as_secs_f64())
}
