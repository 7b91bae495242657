//! `addons/<add-on>/status.yaml`: the state of an add-on.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decision::{Decision, decided};
use super::{API_VERSION, ApprovalRecord, GateRecord, HoldRecord, PlacementRecord, Rollout};
use tidegate_model::digest::Digest;
use tidegate_model::followed::{LastGood, Rejection};
use tidegate_model::name::UnitName;
use tidegate_model::progress::{Counts, Phase};
use tidegate_model::time::{Rfc3339, Timestamp};
use tidegate_plan::report::AddonReport;
use tidegate_rollout::gate::checks::Evidence;

/// `addons/<add-on>/status.yaml`: the state of an add-on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddonStatus {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `AddonStatus`.
    #[schemars(extend("const" = "AddonStatus"))]
    pub kind: String,
    /// The add-on.
    pub addon: UnitName,
    /// The version that its clusters should have.
    pub version: String,
    /// The digest of the revision that is in force for the add-on: a hash of what it means for the rollout of the add-on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// The state of the add-on as a whole.
    pub phase: Phase,
    /// When it entered this phase with this version.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// Why it is held, refused or stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The rollout in progress, or the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollout: Option<Rollout>,
    /// The removal of the add-on from clusters, if the brake holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removal: Option<HoldRecord>,
    /// The closed gates that clusters wait for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<GateRecord>,
    /// The verdicts on the approvals that the rollout needs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<ApprovalRecord>,
    /// The digest that failed, as long as a policy rolls it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Rejection>,
    /// The last digest that all clusters completed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_good: Option<LastGood>,
    /// The last measurements of the checks of its groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Evidence>,
    /// Its clusters by state, over all placements.
    pub clusters: Counts,
    /// Its placements, in the order of the declaration.
    #[serde(default)]
    pub placements: Vec<PlacementRecord>,
}

/// Returns what a status says that people and policies have decided about the digest in it.
pub fn decided_by(status: &AddonStatus) -> Vec<Decision> {
    decided(&AddonReport {
        digest: status.digest.clone(),
        approvals: status.approvals.iter().map(Into::into).collect(),
        rejected: status.rejected.clone(),
        ..AddonReport::default()
    })
}
