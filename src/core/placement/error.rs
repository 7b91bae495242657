//! What can be wrong with PlacementDecisions that are read back.

use tidegate_model::name::{InvalidName, NamespacedName};

/// A PlacementDecision that cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The label with the index of the group is missing or no integer.
    #[error("PlacementDecision {object}: label {label} must be an integer, not {text:?}", label = tidegate_api::key::GROUP_INDEX)]
    GroupIndex {
        /// Which object.
        object: NamespacedName,
        /// What the label says; empty if it is missing.
        text: String,
        /// Why it cannot be read.
        #[source]
        source: std::num::ParseIntError,
    },
    /// A decision names no cluster that can exist.
    #[error("PlacementDecision {object}: a decision does not name a cluster")]
    ClusterName {
        /// Which object.
        object: NamespacedName,
        /// What is wrong with the name.
        #[source]
        source: InvalidName,
    },
}
