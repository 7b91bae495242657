//! `addons/<add-on>/status.yaml`: how an add-on stands.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{API_VERSION, Rollout};
use crate::plan::brake::Hold;
use crate::plan::report::{Counts, Phase, PlacementReport};
use tidegate_model::name::AddonName;
use tidegate_model::time::{Rfc3339, Timestamp};

/// `addons/<add-on>/status.yaml`: how an add-on stands.
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
    pub addon: AddonName,
    /// The version that its clusters should have.
    pub version: String,
    /// How it stands as a whole.
    pub phase: Phase,
    /// Since when it stands so.
    #[schemars(with = "Rfc3339")]
    pub since: Timestamp,
    /// Why it is held, refused or stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The rollout that is under way, or the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollout: Option<Rollout>,
    /// The removal of the add-on from clusters, if the brake has caught it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removal: Option<Hold>,
    /// Its numbers, over all placements.
    pub clusters: Counts,
    /// Its placements, in the order of the declaration.
    #[serde(default)]
    pub placements: Vec<PlacementReport>,
}
