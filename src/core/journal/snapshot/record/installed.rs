//! One add-on on one cluster, in the line of its cluster.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::availability::Availability;
use super::is_unset;
use super::owner::Owner;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The value of [`Installed::applied`] for a cluster that never completed any configurations.
pub const NEVER_APPLIED: &str = "(none)";

/// How far a cluster is with the configurations that it was assigned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum InstalledState {
    /// It has completed them.
    #[default]
    Applied,
    /// It is under way.
    UnderWay,
    /// It failed.
    Failed,
    /// It has not reported any progress.
    Unreported,
}

impl InstalledState {
    /// Returns `true` if the cluster has completed its configurations.
    pub fn is_applied(&self) -> bool {
        *self == Self::Applied
    }
}

/// One add-on on one cluster.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Installed {
    /// How far it is; omitted if it has completed its configurations.
    #[serde(default, skip_serializing_if = "InstalledState::is_applied")]
    pub state: InstalledState,
    /// Key of the configurations that it was assigned; omitted if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub assigned: String,
    /// Key of the configurations that it completed last, in the order of the assigned ones; omitted if they are the assigned ones. `(none)`
    /// if it never completed any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub applied: String,
    /// Key of the configurations that its ManagedClusterAddOn names for this cluster alone; omitted if there are none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub own: String,
    /// When it started on the assigned configurations. Omitted if it has completed them in time: `since` is all that a plan needs then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub started: Option<Timestamp>,
    /// Since when it waits for its turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub waiting: Option<Timestamp>,
    /// Since when it is in its state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub since: Option<Timestamp>,
    /// When it missed its deadline, if it is not done yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub overdue: Option<Timestamp>,
    /// When it was done, if that was only after its deadline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub late: Option<Timestamp>,
    /// Why it failed; empty if it did not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub failure: String,
    /// Whether the add-on works on the cluster; omitted if it does.
    #[serde(default, skip_serializing_if = "Availability::is_available")]
    pub availability: Availability,
    /// Why the add-on does not work, without numbers that change from moment to moment; empty if it works.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub degraded: String,
    /// Since when its ManagedClusterAddOn is being deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub deleting: Option<Timestamp>,
    /// Whether pre-delete hooks run before it is deleted.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub has_hooks: bool,
    /// Whether an annotation asks to skip them.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub skips_hooks: bool,
    /// The instance that it belongs to; omitted if that is the instance of the document.
    #[serde(default, skip_serializing_if = "Owner::is_ours")]
    pub owner: Owner,
    /// Whether the repository declares its configurations.
    #[serde(default, skip_serializing_if = "is_unset")]
    pub declared: bool,
}
