//! Metrics of notifications.

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

/// The outcome of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub enum Outcome {
    /// The receiver has it.
    Delivered,
    /// The receiver refused it, or did not accept it for an hour.
    Failed,
    /// It is only a number in another one, because there were too many.
    Omitted,
    /// Too many were waiting.
    Dropped,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByOutcome {
    outcome: Outcome,
}

/// Counts notifications by outcome. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    notifications: Family<ByOutcome, Counter>,
}

impl Metrics {
    /// Registers the metric.
    pub fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        registry.register("tidegate_notifications", "Notifications by outcome", metrics.notifications.clone());
        for outcome in [Outcome::Delivered, Outcome::Failed, Outcome::Omitted, Outcome::Dropped] {
            let _ = metrics.notifications.get_or_create(&ByOutcome { outcome });
        }
        metrics
    }

    /// Counts notifications.
    pub fn count(&self, outcome: Outcome, number: usize) {
        self.notifications.get_or_create(&ByOutcome { outcome }).inc_by(u64::try_from(number).unwrap_or(u64::MAX));
    }
}
