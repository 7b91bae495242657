//! What all clusters of a placement amount to, in numbers and as a condition.
//!
//! # Source
//! OCM `pkg/addon/controllers/addonconfiguration` (2026-08-11).

use super::layer::repeats;
use super::progress::reason;
use super::state::State;
use tidegate_api::condition::Claim;
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;

/// The numbers of one placement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Clusters that the placement selects.
    pub selected: usize,
    /// Those that no later placement takes over.
    pub configured: usize,
    /// Those under way.
    pub progressing: usize,
    /// Those that are done.
    pub done: usize,
    /// Those that failed.
    pub failed: usize,
    /// Those that took too long.
    pub timed_out: usize,
}

impl Tally {
    /// Returns the tally with the clusters of a placement that have the add-on, each with its state and whether it is in the
    /// rollout, as upstream counts them: one in the rollout is under way whatever its state, and one that is neither there
    /// nor done or failed is not counted.
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

    /// Returns `true` if every cluster is done. A placement without clusters is not.
    pub fn is_complete(&self) -> bool {
        self.done == self.configured && self.configured > 0
    }

    /// Returns the condition `Progressing` of the placement, in upstream's words.
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
