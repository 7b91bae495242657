//! The policies that a change breaks.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::name::UnitName;
use tidegate_repository::PolicySeverity;

/// A policy that a change breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrokenPolicy {
    /// The name of the policy.
    pub policy: String,
    /// `error` if the add-ons stay as they are because of it.
    pub severity: PolicySeverity,
    /// When the policy judges changes.
    pub applies: Applies,
    /// The add-ons that break it; all that it is about if it judges the change as a whole.
    pub addons: Vec<UnitName>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// The place of the rule, as `file:line:column`.
    pub place: String,
}

/// When a policy judges changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Applies {
    /// It is in force.
    Now,
    /// This change adds or changes it, so that it judges the changes after this one.
    NextChange,
}

impl BrokenPolicy {
    /// Returns `true` if the add-ons stay as they are because of it.
    pub fn blocks(&self) -> bool {
        self.severity == PolicySeverity::Error && self.applies == Applies::Now
    }
}

impl fmt::Display for BrokenPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { policy, message, remedy, place, .. } = self;
        let remedy = remedy.as_ref().map(|remedy| format!("; {remedy}")).unwrap_or_default();
        write!(f, "policy {policy}: {message}{remedy} (the rule is at {place})")
    }
}
