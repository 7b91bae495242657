//! What was measured.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::GroupKey;
use tidegate_model::digest::Digest;
use tidegate_model::line::brief;
use tidegate_model::name::UnitName;
use tidegate_model::time::Timestamp;

/// Most characters of an observed value.
const WIDEST: usize = 240;

/// What a measurement showed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Outcome {
    /// What must hold, held.
    Passed,
    /// It did not hold.
    Failed,
    /// Nothing was measured: no answer, or an answer without a usable value.
    NoResult,
}

/// The result of a measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// What it showed.
    pub outcome: Outcome,
    /// The observed value, or why there is none. One short line: it may come from an untrusted server.
    pub value: String,
}

impl Measured {
    pub(super) fn new(passed: bool, value: &str) -> Self {
        let outcome = if passed { Outcome::Passed } else { Outcome::Failed };
        Self { outcome, value: brief(value, WIDEST) }
    }

    /// Returns a missing result, with the reason.
    pub fn none(why: &str) -> Self {
        Self { outcome: Outcome::NoResult, value: brief(why, WIDEST) }
    }
}

/// Identifies what is measured: a check, as it is declared, of a group that rolls out a digest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The add-on.
    pub addon: UnitName,
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    pub placement: String,
    /// The group.
    pub group: GroupKey,
    /// The policy, such as `RolloutPolicy production`.
    pub policy: String,
    /// The name of the check.
    pub check: String,
    /// The digest of the declaration of the check.
    pub declared: Digest,
    /// The digest of the add-on that is rolled out.
    pub digest: Digest,
}

/// A measurement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// When it started.
    pub at: Timestamp,
    /// Its result.
    pub measured: Measured,
}

/// The last measurements that were made beside the plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observations(pub BTreeMap<Key, Observation>);

impl Observations {
    /// Returns the one for plans without measurements.
    pub fn none() -> &'static Self {
        static NONE: LazyLock<Observations> = LazyLock::new(Observations::default);
        &NONE
    }
}
