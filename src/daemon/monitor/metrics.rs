//! Metrics of HTTP requests to the daemon.

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

/// The outcome of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub enum Outcome {
    /// Its sender knew the secret.
    Accepted,
    /// Its sender did not know the secret, or the daemon could not verify it.
    Refused,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByOutcome {
    outcome: Outcome,
}

/// Counts webhooks. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Metrics {
    webhooks: Family<ByOutcome, Counter>,
}

impl Metrics {
    /// Registers the metrics.
    pub fn register(registry: &mut Registry) -> Self {
        let metrics = Self { webhooks: Family::default() };
        registry.register("tidegate_webhooks", "Webhooks by outcome", metrics.webhooks.clone());
        metrics
    }

    pub(super) fn received(&self, outcome: Outcome) {
        self.webhooks.get_or_create(&ByOutcome { outcome }).inc();
    }
}
