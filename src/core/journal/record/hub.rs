//! What is known about the hub itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::time::{Rfc3339, Timestamp};

/// What is known about the hub itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HubRecord {
    /// The highest resourceVersion seen on the hub when the entry was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_version: Option<String>,
    /// The last time that the hub was found in an older state than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub went_back: Option<WentBack>,
}

/// A hub that was found in an older state than before, as after a restore from a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WentBack {
    /// The resourceVersion seen before.
    pub from: String,
    /// The lower resourceVersion seen since.
    pub to: String,
    /// When this was noticed.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
}
