//! What judges a rollout besides the revision itself: the approvals in Git, and the policies of the revision before.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crate::consent::{Authors, Fact, People};
use tidegate_api::policy::RolloutPolicy;
use tidegate_model::name::AddonName;

/// RolloutPolicies by name.
pub type PolicySet = BTreeMap<String, Arc<RolloutPolicy>>;

/// What judges rollouts besides the revision itself. A revision cannot loosen the rules that judge it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Oversight {
    /// The approvals in Git.
    pub facts: Vec<Fact>,
    /// What brought each add-on its digest.
    pub changes: BTreeMap<AddonName, Change>,
}

/// The change that brought an add-on its digest.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Who made it.
    pub authors: Authors,
    /// The people as they were before it.
    pub people: Arc<People>,
    /// The policies that were in force before it. They apply as well.
    pub policies: Arc<PolicySet>,
}

impl Oversight {
    /// Returns the one for plans that nobody approves.
    pub fn none() -> &'static Self {
        static NONE: LazyLock<Oversight> = LazyLock::new(Oversight::default);
        &NONE
    }
}
