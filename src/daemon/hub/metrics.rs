//! Metrics of the requests to the hub.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::kind::watched::Shape;
use tidegate_model::action::{Subresource, Write};
use tidegate_model::object::GroupKind;

/// How an object is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub enum Verb {
    /// Server-side apply.
    Apply,
    /// Create.
    Create,
    /// Merge patch of the object.
    Patch,
    /// Merge patch of the status.
    PatchStatus,
    /// Replacement of the approval of a request.
    ReplaceApproval,
    /// Replacement of the status.
    ReplaceStatus,
    /// Delete.
    Delete,
}

impl Verb {
    pub(super) fn of(write: &Write) -> Self {
        match write {
            Write::Apply { .. } | Write::Declare { .. } => Self::Apply,
            Write::Create { .. } => Self::Create,
            Write::Patch { .. } => Self::Patch,
            Write::PatchStatus { .. } => Self::PatchStatus,
            Write::Replace { subresource, .. } => Self::of_replaced(*subresource),
            Write::Delete { .. } => Self::Delete,
        }
    }

    pub(super) fn of_replaced(subresource: Subresource) -> Self {
        match subresource {
            Subresource::Approval => Self::ReplaceApproval,
            Subresource::Status => Self::ReplaceStatus,
        }
    }
}

/// The class of a written object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelValue)]
pub(super) enum Class {
    Placement,
    Addon,
    ClusterAddon,
    Work,
    Request,
    Declared,
}

impl Class {
    pub(super) fn of(kind: &GroupKind) -> Self {
        match Shape::of(kind) {
            Shape::Placement | Shape::Decision => Self::Placement,
            Shape::Addon => Self::Addon,
            Shape::ClusterAddon | Shape::RoleBinding => Self::ClusterAddon,
            Shape::Work => Self::Work,
            Shape::Request => Self::Request,
            Shape::Cluster
            | Shape::ClusterSet
            | Shape::ClusterSetBinding
            | Shape::Score
            | Shape::Config
            | Shape::Declared => Self::Declared,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WriteLabels {
    verb: Verb,
    class: Class,
}

/// Metrics of the requests to the hub.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    writes: Family<WriteLabels, Counter>,
    pub(super) retries: Counter,
    pub(super) conflicts: Counter,
    pub(super) reads: Counter,
    pub(super) watch_restarts: Counter,
    pub(super) rewinds: Counter,
    pub(super) objects: Gauge<u64, AtomicU64>,
}

impl Metrics {
    /// Creates the metrics and registers them.
    pub fn register(registry: &mut Registry) -> Self {
        let metrics = Self::default();
        let Self { writes, retries, conflicts, reads, watch_restarts, rewinds, objects } = metrics.clone();
        // The encoder adds `_total` to the names of counters.
        registry.register("tidegate_hub_writes", "Writes that the hub has accepted", writes);
        registry.register("tidegate_hub_write_retries", "Writes that were retried", retries);
        registry.register(
            "tidegate_hub_conflicts",
            "Writes that were refused because the object had changed in the meantime",
            conflicts,
        );
        registry.register("tidegate_hub_reads", "Pages of lists that were read", reads);
        registry.register("tidegate_hub_watch_restarts", "Watches that were started again", watch_restarts);
        registry.register("tidegate_hub_rewinds", "Times that the hub was found to have gone back in time", rewinds);
        registry.register("tidegate_hub_objects", "Objects held in memory", objects);
        metrics
    }

    pub(super) fn wrote(&self, verb: Verb, kind: &GroupKind) {
        self.writes.get_or_create(&WriteLabels { verb, class: Class::of(kind) }).inc();
    }
}
