//! What a rollout changes, in short.

use schemars::JsonSchema;
use serde::Serialize;

use tidegate_journal::record::{Cause, Rollout};

/// What a rollout changes, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Release {
    /// The old version; empty for the first installation.
    pub from: String,
    /// The new version; empty for a removal.
    pub to: String,
    /// What else it changes; absent if it changes the configurations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// The number of the rollout that it reverts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reverts: Option<u32>,
}

impl Release {
    /// Returns what a rollout changes.
    pub(crate) fn of(rollout: &Rollout) -> Self {
        Self {
            from: rollout.from.clone(),
            to: rollout.to.clone(),
            cause: Some(rollout.cause).filter(|cause| *cause != Cause::Configuration),
            reverts: rollout.reverts,
        }
    }

    /// Returns it as text.
    pub fn words(&self) -> String {
        let Self { from, to, cause, reverts } = self;
        let change = match cause {
            Some(Cause::Withdrawal) => format!("{from} → removed"),
            Some(Cause::Membership) => format!("{to}, other clusters"),
            Some(Cause::Repetition) => format!("{to} again"),
            _ if from.is_empty() => format!("install {to}"),
            _ if from == to && reverts.is_some() => format!("back to {to}"),
            _ if from == to => format!("{to}, other configuration"),
            _ => format!("{from} → {to}"),
        };
        match reverts {
            Some(number) => format!("{change} (takes back rollout {number})"),
            None => change,
        }
    }
}
