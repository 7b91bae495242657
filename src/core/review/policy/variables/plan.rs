//! The variable `plan`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::addon::AddonVariables;
use super::object::ObjectVariables;

/// The variables of a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Variables {
    /// The add-on that is judged.
    pub addon: AddonVariables,
    /// The change as a whole.
    pub plan: PlanVariables,
}

/// The change as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct PlanVariables {
    /// The revision before the change.
    pub base: RevisionVariables,
    /// The revision with the change.
    pub head: RevisionVariables,
    /// The time at which the change is judged, as `2026-11-20T14:00:00Z`. `timestamp(plan.time)` gives its weekday and hour.
    pub time: String,
    /// The number of clusters of the fleet.
    pub fleet: usize,
    /// The number of clusters for which something changes.
    pub clusters: usize,
    /// The add-ons of both revisions, by name.
    pub addons: Vec<AddonVariables>,
    /// The names of the add-ons that change.
    pub changed: Vec<String>,
    /// The objects that change and do not belong to an add-on, such as Placements and clusters.
    pub objects: Vec<ObjectVariables>,
    /// The complaints about the head, as `file:line:column: message`.
    pub complaints: Vec<String>,
}

/// A revision.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct RevisionVariables {
    /// The commit; empty for the files of a directory.
    pub commit: String,
    /// The author and the committer of the commit; empty if they are not known.
    pub authors: Vec<String>,
    /// The people in its `Approved-by` and `Reviewed-by` trailers.
    pub approved_by: Vec<String>,
    /// The commits that it reverts, according to its message.
    pub reverts: Vec<String>,
}
