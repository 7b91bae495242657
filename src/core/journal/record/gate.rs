//! The closed gates in `status.yaml`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_consent::Verdict;
use tidegate_model::time::{Rfc3339, Timestamp};
use tidegate_plan::report::{ApprovalReport, GateReport};
use tidegate_rollout::GroupKey;

/// A closed gate that clusters wait for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GateRecord {
    /// Which gate it is, without current numbers.
    pub gate: String,
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub placement: String,
    /// Index of the decision group whose clusters wait.
    pub group: i32,
    /// Name of the decision group; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group_name: String,
    /// What opens it, and who can.
    pub opens: String,
    /// Since when clusters wait for it.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// When it is looked at next, if time alone may open it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub look_at: Option<Timestamp>,
    /// How many clusters wait for it.
    pub clusters: usize,
}

impl From<&GateReport> for GateRecord {
    fn from(report: &GateReport) -> Self {
        let GateReport { placement, group, gate, opens, since, look_at, clusters } = report.clone();
        let GroupKey { index, name } = group;
        Self { gate, placement, group: index, group_name: name, opens, since, look_at, clusters }
    }
}

impl From<&GateRecord> for GateReport {
    fn from(record: &GateRecord) -> Self {
        let GateRecord { gate, placement, group, group_name, opens, since, look_at, clusters } = record.clone();
        Self { placement, group: GroupKey { index: group, name: group_name }, gate, opens, since, look_at, clusters }
    }
}

/// The verdict on the approvals that a rule asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalRecord {
    /// The policy that asks for them, such as `RolloutPolicy production`.
    pub policy: String,
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub placement: String,
    /// Whether they override windows and freezes instead of opening a gate.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub breaks_glass: bool,
    /// When it was the turn of the group; absent if it is not its turn yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub reached: Option<Timestamp>,
    /// Whether the policy selects clusters by their labels: those that it does not select need no approval.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub selects_clusters: bool,
    /// Who has approved, and what is missing.
    #[serde(flatten)]
    pub verdict: Verdict,
}

impl From<&ApprovalReport> for ApprovalRecord {
    fn from(report: &ApprovalReport) -> Self {
        let ApprovalReport { placement, policy, breaks_glass, reached, selects_clusters, verdict } = report.clone();
        Self { policy, placement, breaks_glass, reached, selects_clusters, verdict }
    }
}

impl From<&ApprovalRecord> for ApprovalReport {
    fn from(record: &ApprovalRecord) -> Self {
        let ApprovalRecord { policy, placement, breaks_glass, reached, selects_clusters, verdict } = record.clone();
        Self { placement, policy, breaks_glass, reached, selects_clusters, verdict }
    }
}
