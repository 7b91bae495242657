//! A held removal.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use tidegate_model::revision::CommitId;
use tidegate_plan::Hold;

/// A removal beyond the limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldRecord {
    /// The revision that was in force when the hold began or last grew. A commit that confirms the removal names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<CommitId>,
    /// What is held: names of clusters, or of objects.
    pub held: BTreeSet<String>,
    /// How many may be removed at once.
    pub limit: usize,
    /// The total number of clusters or objects.
    pub total: usize,
    /// The revision that confirmed the removal. It is then carried out, and stays here until it is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmed_by: Option<CommitId>,
}

impl From<&Hold> for HoldRecord {
    fn from(hold: &Hold) -> Self {
        let Hold { revision, held, limit, total, confirmed_by } = hold.clone();
        Self { revision, held, limit, total, confirmed_by }
    }
}

impl From<&HoldRecord> for Hold {
    fn from(record: &HoldRecord) -> Self {
        let HoldRecord { revision, held, limit, total, confirmed_by } = record.clone();
        Self { revision, held, limit, total, confirmed_by }
    }
}
