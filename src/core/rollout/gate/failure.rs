//! What follows from too many failures.

use super::policies::Policies;
use tidegate_api::rollout_policy::{FailureAction, OnFailure};
use tidegate_model::name::{NamespacedName, UnitName};

/// What follows from too many failures, and the policy that says so.
#[derive(Debug, Clone, PartialEq)]
pub struct Reaction {
    /// The policy, such as `RolloutPolicy production`.
    pub source: String,
    /// What it says.
    pub on_failure: OnFailure,
}

impl Reaction {
    /// Returns `true` if the rollout goes through all clusters, whatever fails.
    pub fn continues(&self) -> bool {
        self.on_failure.action == FailureAction::Continue
    }

    /// Returns `true` if the clusters return to the last good digest.
    pub fn rolls_back(&self) -> bool {
        self.on_failure.action == FailureAction::Rollback
    }
}

impl Policies<'_> {
    /// Returns what follows from too many failures in a placement, by the strictest policy that says anything about it.
    ///
    /// A policy from before the change can only make it stricter: if the current policies say nothing, the rollout halts.
    pub fn reaction(&self, unit: &UnitName, placement: Option<&NamespacedName>) -> Option<Reaction> {
        let strictest = |is_earlier: bool| {
            let policies = self.of(unit, placement).filter(move |(_, policy)| policy.is_earlier() == is_earlier);
            let said = policies.filter_map(|(_, policy)| Some((policy, policy.spec.on_failure.as_ref()?)));
            said.max_by_key(|(_, on_failure)| on_failure.action)
        };
        let current = strictest(false)?;
        let earlier = strictest(true).filter(|(_, earlier)| earlier.action > current.1.action);
        let (policy, on_failure) = earlier.unwrap_or(current);
        Some(Reaction { source: policy.source.clone(), on_failure: on_failure.clone() })
    }
}
