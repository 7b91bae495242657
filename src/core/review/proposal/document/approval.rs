//! The approvals that a change needs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_consent::Verdict;
use tidegate_model::digest::Digest;
use tidegate_model::name::UnitName;

/// The verdict on a rule that asks for approvals of the change of an add-on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanApproval {
    /// The add-on.
    pub addon: UnitName,
    /// The digest that needs them.
    pub digest: Digest,
    /// The comment that gives one; absent if comments do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The policy that asks for them, such as `RolloutPolicy production`.
    pub policy: String,
    /// Whether they can only be given when it is the turn of the group.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_its_turn: bool,
    /// Who has approved, and what is missing.
    pub verdict: Verdict,
}
