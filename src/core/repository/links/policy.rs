//! The RolloutPolicies of a repository.

use crate::read::object::Object;
use tidegate_api::key;
use tidegate_api::rollout_policy::RolloutPolicySpec;
use tidegate_model::glob;

/// A policy with its object.
pub(super) struct Policy<'a> {
    pub(super) object: &'a Object,
    pub(super) spec: RolloutPolicySpec,
}

impl Policy<'_> {
    /// Returns `true` if the policy is about a unit.
    pub(super) fn selects(&self, unit: &str) -> bool {
        let globs = &self.spec.selector.add_ons;
        globs.is_empty() || globs.iter().any(|pattern| glob::matches(pattern, unit))
    }
}

/// Returns the policies that can be read.
pub(super) fn policies(objects: &[Object]) -> Vec<Policy<'_>> {
    objects.iter().filter_map(policy).collect()
}

fn policy(object: &Object) -> Option<Policy<'_>> {
    if object.key.group != key::TIDEGATE_GROUP || object.key.kind != "RolloutPolicy" {
        return None;
    }
    let spec = serde_json::from_value(object.value.get("spec")?.clone()).ok()?;
    Some(Policy { object, spec })
}
