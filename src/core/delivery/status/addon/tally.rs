//! The summary of all clusters of a placement, in numbers and as a condition.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use crate::status::cluster::progress::reason;
use crate::status::cluster::state::State;
use crate::status::config::layer::repeats;
use tidegate_api::condition::Claim;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;

/// The numbers of one placement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Clusters that the placement selects.
    pub selected: usize,
    /// Clusters that no later placement takes over.
    pub configured: usize,
    /// Clusters in progress.
    pub progressing: usize,
    /// Clusters that are done.
    pub done: usize,
    /// Clusters that failed.
    pub failed: usize,
    /// Clusters that timed out.
    pub timed_out: usize,
}

impl Tally {
    /// Adds the clusters of a placement that have the add-on, counted as upstream does. Each comes with its state and `true`
    /// if it is in the rollout. A cluster in the rollout counts as in progress, regardless of its state; any other cluster
    /// counts only if it is done or failed.
    #[must_use]
    pub fn compat<'a>(mut self, clusters: impl IntoIterator<Item = (&'a ManagedClusterAddOn, State, bool)>) -> Self {
        for (addon, state, is_in_rollout) in clusters {
            match state {
                _ if is_in_rollout => self.progressing += 1,
                _ if repeats(&addon.spec.configs) => {}
                State::Succeeded { .. } => self.done += 1,
                State::Failed { .. } => self.failed += 1,
                State::ToApply | State::Progressing { .. } => {}
            }
        }
        self
    }

    /// Returns `true` if every cluster is done. A placement without clusters is never complete.
    pub fn is_complete(&self) -> bool {
        self.done == self.configured && self.configured > 0
    }

    /// Returns the condition `Progressing` of the placement, with upstream's wording.
    pub fn claim(&self) -> Claim {
        let Self { selected, configured, progressing, done, failed, timed_out } = self;
        if self.is_complete() {
            let message = format!(
                "selected clusters {selected}. configured addons {done}/{configured} completed with no errors, {failed} failed {timed_out} timeout."
            );
            return Claim::new(key::PROGRESSING, "False", reason::COMPLETED, message);
        }
        let under_way = progressing + done;
        let message = format!(
            "selected clusters {selected}. configured addons {under_way}/{configured} progressing..., {failed} failed {timed_out} timeout."
        );
        Claim::new(key::PROGRESSING, "True", reason::PROGRESSING, message)
    }
}
