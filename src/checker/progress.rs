//! How far a cluster is with a configuration, as its status tells; with the benefit of the doubt where that is not exact.

use super::configs::{self, Configs};
use super::strategy::Strategy;
use crate::api::condition::{self, Condition};
use crate::api::key;
use crate::api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use crate::model::time::{SignedDuration, Timestamp};

/// How far a cluster is with a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// It has not been told to take it.
    NotStarted,
    /// It has been told, and is not done.
    Underway {
        /// When it was told, by the two conditions that may say so.
        since: [Option<Timestamp>; 2],
    },
    /// It is said to be done; `since` is absent while it is not well.
    Done {
        /// Since when.
        since: Option<Timestamp>,
    },
}

impl Progress {
    /// Reads how far a cluster is with what it should have.
    pub(super) fn of(addon: Option<&ManagedClusterAddOn>, desired: &Configs) -> Self {
        let Some(addon) = addon.filter(|addon| addon.metadata.deletion_timestamp.is_none()) else {
            return Self::NotStarted;
        };
        let told = Configs::told(addon);
        let configured = condition::find(conditions(addon), key::CONFIGURED).filter(|c| c.status == "True");
        // Without configurations, only the condition tells of a start.
        let is_told = told == *desired && (!told.0.is_empty() || configured.is_some());
        if !is_told {
            return Self::NotStarted;
        }
        let progressing = condition::find(conditions(addon), key::PROGRESSING);
        let since = |reason: &str| progressing.filter(|c| c.reason == reason).map(|c| c.last_transition_time.0);
        if configs::references(addon).iter().all(|r| r.last_applied_config == r.desired_config) {
            Self::Done { since: since("Completed") }
        } else {
            Self::Underway { since: [since("Progressing"), configured.map(|c| c.last_transition_time.0)] }
        }
    }

    /// Says whether it may have succeeded and soaked by some moment.
    pub(super) fn may_be_through(&self, strategy: &Strategy, at: Timestamp) -> bool {
        match self {
            Self::Done { .. } if strategy.soak == SignedDuration::ZERO => true,
            Self::Done { since: Some(since) } => is_over(*since, strategy.soak, at),
            _ => false,
        }
    }

    /// Says whether it may have run out of time by some moment.
    pub(super) fn may_have_failed(&self, strategy: &Strategy, at: Timestamp) -> bool {
        match (self, strategy.deadline) {
            (Self::Underway { since }, Some(deadline)) => {
                since.iter().flatten().min().is_some_and(|since| is_over(*since, deadline, at))
            }
            _ => false,
        }
    }

    /// Says whether it must have run out of time by some moment, whichever way that is counted.
    pub(super) fn must_have_failed(&self, strategy: &Strategy, at: Timestamp) -> bool {
        match (self, strategy.deadline) {
            (Self::Underway { since }, Some(deadline)) => {
                since.iter().flatten().max().is_some_and(|since| is_over(*since, deadline, at))
            }
            _ => false,
        }
    }

    /// Says whether it must still be under way at some moment, and so takes a place.
    pub(super) fn must_be_in_flight(&self, strategy: &Strategy, at: Timestamp) -> bool {
        *self != Self::NotStarted && !self.may_be_through(strategy, at) && !self.may_have_failed(strategy, at)
    }
}

/// Returns the conditions of an add-on on a cluster.
pub(super) fn conditions(addon: &ManagedClusterAddOn) -> &[Condition] {
    addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default()
}

fn is_over(since: Timestamp, span: SignedDuration, at: Timestamp) -> bool {
    since.checked_add(span).is_ok_and(|end| end <= at)
}
