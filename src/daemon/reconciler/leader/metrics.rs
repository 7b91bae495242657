//! The metric of the replica that leads.

use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// 1 while this replica leads, else 0. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Leads(Gauge);

impl Leads {
    /// Registers the metric.
    pub(in crate::reconciler) fn register(registry: &mut Registry) -> Self {
        let leads = Self::default();
        registry.register("tidegate_leader", "1 while this replica leads, else 0", leads.0.clone());
        leads
    }

    /// Records whether this replica leads.
    pub(super) fn set(&self, leads: bool) {
        self.0.set(i64::from(leads));
    }
}
