//! What a policy that a change breaks results in.

use crate::proposal::document::{Applies, BrokenPolicy};
use tidegate_model::diagnostic::Place;
use tidegate_model::name::UnitName;
use tidegate_repository::PolicySeverity;

/// A policy that a change breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The name of the policy.
    pub policy: String,
    /// What happens because of it.
    pub severity: PolicySeverity,
    /// The add-ons that break it; those that it is about if it judges the change as a whole.
    pub addons: Vec<UnitName>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub remedy: Option<String>,
    /// The place of the rule.
    pub place: Place,
}

impl Verdict {
    /// Returns the verdict as a part of the plan.
    pub(super) fn shown(&self, applies: Applies) -> BrokenPolicy {
        let Self { policy, severity, addons, message, remedy, place } = self.clone();
        BrokenPolicy { policy, severity, applies, addons, message, remedy, place: place.to_string() }
    }
}
