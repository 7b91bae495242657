//! The metric of the parts that the daemon cannot use.

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// Something that the daemon needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, EncodeLabelValue)]
pub enum Part {
    /// The hub.
    Hub,
    /// The config repository.
    Source,
    /// The branch of the journal.
    Journal,
    /// The Lease by which replicas elect a leader.
    Lease,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByPart {
    part: Part,
}

/// Since when each part has been unavailable.
#[derive(Debug, Clone)]
pub(in crate::reconciler) struct AwaySince(Family<ByPart, Gauge>);

impl AwaySince {
    pub(in crate::reconciler) fn register(registry: &mut Registry) -> Self {
        let since = Self(Family::default());
        registry.register(
            "tidegate_away_since_timestamp_seconds",
            "Since when a part that the daemon needs has been unavailable, in seconds since 1970; 0 if it is available",
            since.0.clone(),
        );
        [Part::Hub, Part::Source, Part::Journal, Part::Lease].into_iter().for_each(|part| since.set(part, 0));
        since
    }

    /// Records since when a part has been unavailable, in seconds since 1970; 0 if it is available.
    pub(super) fn set(&self, part: Part, seconds: i64) {
        self.0.get_or_create(&ByPart { part }).set(seconds);
    }
}
