//! What an import needs, and what it results in.

use tidegate_api::ocm::placement::Placement;
use tidegate_api::ocm::rollout_strategy::RolloutStrategy;
use tidegate_api::rollout_policy::RolloutPolicy;

/// What the objects alone do not contain.
pub struct Options<'a> {
    /// The name of the add-on, of its placement and of its policies.
    pub addon: &'a str,
    /// The namespace of the placement.
    pub namespace: &'a str,
    /// Who may give the approvals: aliases, addresses or keys.
    pub approvers: &'a [String],
    /// The label that clusters of stages with names get, which groups of a placement cannot select.
    pub group_label: Option<&'a str>,
}

/// A staged rollout in the terms of Tidegate.
pub struct Imported {
    /// Which clusters, in which groups.
    pub placement: Placement,
    /// The order of the groups.
    pub strategy: RolloutStrategy,
    /// Approvals, windows, limits, and what follows a failure.
    pub policies: Vec<RolloutPolicy>,
    /// The value of the group label for each cluster that needs it, and for all others of the placement (`None`).
    pub labels: Vec<(Option<String>, String)>,
}
