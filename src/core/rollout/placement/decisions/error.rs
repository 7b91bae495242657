//! Errors in PlacementDecisions that are read back.

use tidegate_model::name::{InvalidName, NamespacedName};

/// An invalid PlacementDecision.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The label with the group index is missing or not an integer.
    #[error("PlacementDecision {object}: label {label} must be an integer, not {text:?}", label = tidegate_api::key::GROUP_INDEX)]
    GroupIndex {
        /// The object.
        object: NamespacedName,
        /// The value of the label; empty if it is missing.
        text: String,
        /// The parse error.
        #[source]
        source: std::num::ParseIntError,
    },
    /// The cluster name of a decision is invalid.
    #[error("PlacementDecision {object}: a decision does not name a cluster")]
    ClusterName {
        /// The object.
        object: NamespacedName,
        /// Why the name is invalid.
        #[source]
        source: InvalidName,
    },
}
