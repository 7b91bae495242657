//! A policy as declared.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use tidegate_model::diagnostic::Place;

/// The variables that the expressions of a policy read.
pub const VARIABLES: &[&str] = &["addon", "plan"];

/// A rule that changes must obey.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanPolicy {
    /// Its name, which is unique in a repository.
    pub name: String,
    /// What happens if a change breaks it.
    pub severity: PolicySeverity,
    /// The names of the add-ons that it is about, with `*` for any characters; empty for all.
    pub addons: Vec<String>,
    /// The expression that must be true. It compiles.
    pub rule: String,
    /// What a change that breaks it did wrong.
    pub message: String,
    /// An expression that gives the message. It compiles.
    pub message_expression: Option<String>,
    /// What to do about it.
    pub remedy: Option<String>,
    /// Its tests.
    pub tests: Vec<PolicyTest>,
    /// The place of the expression.
    pub place: Place,
}

/// What happens if a change breaks a policy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PolicySeverity {
    /// The add-ons that break it stay on their last good revision.
    #[default]
    Error,
    /// It is reported.
    Warning,
}

/// An example of a policy, with the expected result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PolicyTest {
    /// What it shows.
    pub name: String,
    /// Fields of the variable `addon`; the others have neutral values.
    pub addon: Value,
    /// Fields of the variable `plan`; the others have neutral values.
    pub plan: Value,
    /// Whether the example obeys the policy.
    pub passes: bool,
    /// Where it is.
    pub place: Place,
}
