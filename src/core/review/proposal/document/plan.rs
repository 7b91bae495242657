//! The document as a whole.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::addon::AddonPlan;
use super::approval::PlanApproval;
use super::change::Change;
use super::policy::BrokenPolicy;
use tidegate_model::digest::Digest;
use tidegate_model::document::API_VERSION;
use tidegate_model::revision::CommitId;
use tidegate_model::time::{Rfc3339, Timestamp};

/// What a change does to a fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Plan {
    /// `tidegate.io/v1alpha1`.
    #[schemars(extend("const" = API_VERSION))]
    pub api_version: String,
    /// `Plan`.
    #[schemars(extend("const" = "Plan"))]
    pub kind: String,
    /// The revision before the change.
    pub base: Revision,
    /// The revision with the change.
    pub head: Revision,
    /// The fleet that the plan is for.
    pub fleet: FleetSource,
    /// What the change amounts to.
    pub result: Verdict,
    /// The number of clusters for which something changes.
    pub clusters: usize,
    /// The add-ons of both revisions, by name.
    pub addons: Vec<AddonPlan>,
    /// The objects that only the head declares, or that only the base declares, without those of add-ons.
    pub objects: Vec<DeclaredChange>,
    /// The change of the rules; absent if nothing changes that may loosen them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesPlan>,
    /// What is wrong with the head.
    pub complaints: Vec<Finding>,
    /// The policies that the change breaks.
    #[serde(default)]
    pub policies: Vec<BrokenPolicy>,
    /// The approvals that the change needs, as far as a forge shows who has approved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub approvals: Vec<PlanApproval>,
    /// What people should know about the plan itself.
    pub notices: Vec<String>,
}

/// What a change amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Verdict {
    /// Nothing changes.
    Nothing,
    /// Something changes.
    Changes,
    /// Something is blocked or wrong.
    Blocked,
}

/// One of the two revisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// The branch, tag, commit or directory.
    pub name: String,
    /// The commit; absent for a directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<CommitId>,
}

/// The fleet that a plan is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FleetSource {
    /// Where it was read from.
    pub source: String,
    /// The number of clusters.
    pub clusters: usize,
    /// The time of its state, which may be up to ten minutes before for a fleet of the journal; absent if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub as_of: Option<Timestamp>,
}

/// An object that only one of the revisions declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeclaredChange {
    /// The object.
    pub object: String,
    /// `Added`, `Removed` or `Changed`.
    pub change: Change,
}

/// A change of the rules: of policies, people, or labels and annotations of clusters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RulesPlan {
    /// The digest of the rules in the head, which approvals name.
    pub digest: Digest,
    /// What changes, in words.
    pub changes: Vec<String>,
    /// The approvals that it needs, in words; empty if it takes effect at once.
    pub needs: Vec<String>,
}

/// A complaint about the head.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Where, as `file:line:column`.
    pub place: String,
    /// What is wrong, and what to do.
    pub message: String,
    /// Whether it blocks something.
    pub is_error: bool,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
