//! Collects what a journal records, while its commits are checked.

use std::sync::Arc;

use super::claim::{Claim, Entry, Start, Started, What};
use crate::audit::documents::lines::Changed;
use crate::audit::rules::gate;
use tidegate_core::consent::Pulls;
use tidegate_core::journal::record::{AddonStatus, ClusterRecord, Rollout, Sync};
use tidegate_model::chain::Link;
use tidegate_model::name::AddonName;

/// Collects claims in the order of the commits.
#[derive(Debug, Default)]
pub(in crate::audit) struct Collector {
    claims: Vec<Claim>,
    pulls: Arc<Pulls>,
    fleet: Option<Arc<Vec<u8>>>,
}

/// The state before a commit.
pub(in crate::audit) struct Before {
    /// `sync.yaml`.
    pub(in crate::audit) sync: Option<Arc<Sync>>,
}

/// What a commit changes in an add-on.
pub(in crate::audit) struct Step<'a> {
    /// The add-on.
    pub(in crate::audit) addon: &'a AddonName,
    /// Its status before.
    pub(in crate::audit) before: Option<&'a AddonStatus>,
    /// Its status after.
    pub(in crate::audit) after: &'a AddonStatus,
    /// The rollouts that the commit seals.
    pub(in crate::audit) ended: Vec<Rollout>,
    /// Whether an earlier rollout completed what the last one brings.
    pub(in crate::audit) was_completed: bool,
    /// The clusters whose lines changed.
    pub(in crate::audit) changed: &'a [Changed],
}
