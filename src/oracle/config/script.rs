//! Clusters that follow a script: a number of ticks after their configurations changed, they succeed or fail.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::tell::hashes;

use tidegate_api::condition::{self, Claim, Time};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOnStatus;
use tidegate_delivery::status::progress::{self, reason};
use tidegate_model::time::{Timestamp, to_seconds};

/// What a cluster does.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Script {
    outcome: Outcome,
    #[serde(default)]
    after_ticks: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    Succeeds,
    Fails,
    Never,
}

/// What a cluster has done in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Completed,
    Failed,
}

/// When the configurations of a cluster last changed, and to what.
#[derive(Debug, Default)]
pub(super) struct Change {
    configurations: BTreeMap<String, String>,
    tick: u32,
}

impl Change {
    /// Records a change of the configurations. A cluster that was assigned them reports that it is progressing.
    pub(super) fn note(&mut self, status: &mut ManagedClusterAddOnStatus, tick: u32, now: Timestamp) {
        let desired = hashes(&status.config_references, |reference| &reference.desired_config);
        if desired == self.configurations {
            return;
        }
        if !desired.is_empty() && condition::is_true(&status.conditions, key::CONFIGURED) {
            let claim = Claim::new(key::PROGRESSING, "True", reason::PROGRESSING, "under way");
            report(status, claim, now);
        }
        *self = Self { configurations: desired, tick };
    }

    /// Lets a cluster do what its script says.
    pub(super) fn follow(
        &self,
        status: &mut ManagedClusterAddOnStatus,
        script: Script,
        tick: u32,
        now: Timestamp,
    ) -> Option<Deed> {
        let is_open = status.config_references.iter().any(|r| r.last_applied_config != r.desired_config);
        if !is_open || tick.saturating_sub(self.tick) < script.after_ticks {
            return None;
        }
        let has_failed =
            condition::find(&status.conditions, key::PROGRESSING).is_some_and(|c| c.reason == reason::FAILED);
        let claim = |reason| Claim::new(key::PROGRESSING, "False", reason, "as the script says");
        match script.outcome {
            Outcome::Succeeds => {
                report(status, claim(reason::COMPLETED), now);
                Some(Deed::Completed)
            }
            Outcome::Fails if !has_failed => {
                report(status, claim(reason::FAILED), now);
                Some(Deed::Failed)
            }
            Outcome::Fails | Outcome::Never => None,
        }
    }
}

/// Writes what a cluster reports. The transition time changes even if the status of the condition does not: each report counts from
/// its own tick.
fn report(status: &mut ManagedClusterAddOnStatus, claim: Claim, now: Timestamp) {
    progress::update(status, claim, now);
    if let Some(condition) = status.conditions.iter_mut().find(|c| c.type_ == key::PROGRESSING) {
        condition.last_transition_time = Time(to_seconds(now));
    }
}
