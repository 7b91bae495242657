//! The last measurement of a check that counts, as it is reported and journaled.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::observation::{Key, Observation, Outcome};
use super::read::Check;
use crate::GroupKey;
use tidegate_api::rollout_policy::WhenUnreachable;
use tidegate_model::digest::Digest;
use tidegate_model::line::without_numbers;
use tidegate_model::time::{Rfc3339, Timestamp};

/// The last measurement of a check of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// The policy, such as `RolloutPolicy production`.
    pub policy: String,
    /// The name of the check.
    pub check: String,
    /// The digest of the declaration of the check: a check that is declared differently is measured again.
    pub declared: Digest,
    /// Namespace and name of the Placement; empty for clusters chosen by hand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub placement: String,
    /// Index of the decision group that was measured.
    pub group: i32,
    /// Name of the decision group; empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group_name: String,
    /// The digest of the add-on that was rolled out.
    pub digest: Digest,
    /// Since when all clusters of the group are done; absent if they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Rfc3339>")]
    pub done: Option<Timestamp>,
    /// When the measurement started.
    #[schemars(with = "Rfc3339")]
    pub at: Timestamp,
    /// What it showed.
    pub outcome: Outcome,
    /// The observed value, or why there is none.
    pub value: String,
    /// How many measurements in a row failed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failures: u32,
    /// When it was measured last, if a later measurement only confirmed this one.
    #[serde(skip)]
    pub latest: Option<Timestamp>,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Evidence {
    /// Returns `true` if it is about what a key identifies.
    pub(super) fn is_of(&self, key: &Key) -> bool {
        let Self { policy, check, declared, placement, group, group_name, digest, .. } = self;
        let group = GroupKey { index: *group, name: group_name.clone() };
        (policy, check, placement) == (&key.policy, &key.check, &key.placement)
            && (declared, digest, group) == (&key.declared, &key.digest, key.group.clone())
    }

    /// Returns when it was last measured.
    pub(super) fn latest(&self) -> Timestamp {
        self.latest.unwrap_or(self.at)
    }

    /// Returns the evidence after a measurement. A missing result never takes back failures that were measured.
    ///
    /// A measurement that only confirms the one before changes nothing but the time of the last one, which is not journaled: a check that
    /// is measured every half minute must not be written every half minute.
    pub(super) fn after(
        before: Option<&Self>,
        key: &Key,
        observation: &Observation,
        check: &Check,
        done: Option<Timestamp>,
    ) -> Self {
        let failures = before.map_or(0, |before| before.failures);
        let Observation { at, measured } = observation;
        let failures = match (measured.outcome, check.unreachable) {
            (Outcome::Passed, _) => 0,
            (Outcome::Failed, _) | (Outcome::NoResult, WhenUnreachable::Fail) => {
                failures.saturating_add(1).min(check.failures)
            }
            (Outcome::NoResult, _) => failures,
        };
        let new = Self {
            policy: key.policy.clone(),
            check: key.check.clone(),
            declared: key.declared.clone(),
            placement: key.placement.clone(),
            group: key.group.index,
            group_name: key.group.name.clone(),
            digest: key.digest.clone(),
            done,
            at: *at,
            outcome: measured.outcome,
            value: measured.value.clone(),
            failures,
            latest: None,
        };
        match before.filter(|before| before.is_confirmed_by(&new)) {
            Some(before) => Self { latest: Some(*at), ..before.clone() },
            None => new,
        }
    }

    /// Returns `true` if a later measurement of the same check means the same.
    fn is_confirmed_by(&self, new: &Self) -> bool {
        let means = |evidence: &Self| {
            let shows_whole_group = evidence.done.is_some_and(|done| evidence.at >= done);
            (evidence.outcome, evidence.failures, evidence.done, shows_whole_group)
        };
        means(self) == means(new) && without_numbers(&self.value) == without_numbers(&new.value)
    }
}
