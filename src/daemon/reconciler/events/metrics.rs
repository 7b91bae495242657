//! Metrics of Events.

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

/// The outcome of an Event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub enum Outcome {
    /// The hub has it.
    Written,
    /// The hub refused it, or could not be reached.
    Failed,
    /// Its object had too many, or too many were waiting.
    Dropped,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByOutcome {
    outcome: Outcome,
}

/// Counts Events by outcome. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    events: Family<ByOutcome, Counter>,
}

impl Metrics {
    /// Registers the metric.
    pub fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        registry.register("tidegate_events", "Kubernetes Events by outcome", metrics.events.clone());
        for outcome in [Outcome::Written, Outcome::Failed, Outcome::Dropped] {
            let _ = metrics.events.get_or_create(&ByOutcome { outcome });
        }
        metrics
    }

    /// Counts an Event.
    pub fn count(&self, outcome: Outcome) {
        self.events.get_or_create(&ByOutcome { outcome }).inc();
    }
}
