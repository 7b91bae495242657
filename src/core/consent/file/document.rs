//! The document in a file of approvals.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::instance::InstanceId;
use tidegate_model::name::UnitName;
use tidegate_model::time::{Rfc3339, Timestamp};

/// Approvals of one digest of an add-on, for one decision group or for the start of the rollout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Approval {
    /// `tidegate.io/v1alpha1`.
    pub api_version: String,
    /// `Approval`.
    pub kind: String,
    /// The add-on, which is also the name of the directory.
    pub addon: UnitName,
    /// The digest that is approved, with all 64 digits.
    #[schemars(regex(pattern = r"^[0-9a-f]{64}$"))]
    pub digest: String,
    /// The decision group; absent for the start of the rollout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The approvals.
    pub approvals: Vec<Entry>,
}

/// The approval of one person. It counts if this person signed the commit that added it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Entry {
    /// The person: an alias of one person in `[people]`, an address, or a key as `key:SHA256:...`.
    #[schemars(length(min = 1, max = 200))]
    pub by: String,
    /// When the approval was given.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
    /// The instance for which it is given, as `tidegate status` prints it.
    pub instance: InstanceId,
    /// Why it was given.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Whether clusters start in a freeze or outside a window, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub break_glass: bool,
}
