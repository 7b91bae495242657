//! The progress of a cluster with a configuration, read from its status; ambiguities count in favor of what was done.

use super::configs::Configs;
use super::strategy::Strategy;
use tidegate_api::condition::{self, Condition};
use tidegate_api::key;
use tidegate_api::ocm::managed_cluster_addon::ManagedClusterAddOn;
use tidegate_model::clock_steps::ClockSteps;
use tidegate_model::time::{SignedDuration, Timestamp};
use tidegate_model::unseen::Unseen;

/// When something started, by each of the two conditions that may show it.
type Since = [Option<Timestamp>; 2];

/// The progress of a cluster with a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// The configuration has not been assigned.
    NotStarted,
    /// The configuration has been assigned, and is not reported done.
    Underway { since: Since },
    /// It is reported as failed.
    Failed { since: Since },
    /// It is reported as done.
    Done { since: Timestamp },
}

impl Progress {
    /// Reads the progress of a cluster with the configurations it should have.
    pub(super) fn of(addon: Option<&ManagedClusterAddOn>, desired: &Configs) -> Self {
        let Some(addon) = addon.filter(|addon| addon.metadata.deletion_timestamp.is_none()) else {
            return Self::NotStarted;
        };
        let assigned = Configs::assigned(addon);
        let configured = condition::find(conditions(addon), key::CONFIGURED).filter(|c| c.status == "True");
        // Without configurations, only the condition shows that it started.
        let is_assigned = assigned == *desired && (!assigned.0.is_empty() || configured.is_some());
        if !is_assigned {
            return Self::NotStarted;
        }
        let is_applied = addon.config_references().iter().all(|r| r.last_applied_config == r.desired_config);
        let progressing = condition::find(conditions(addon), key::PROGRESSING);
        let changed = progressing.map(|c| c.last_transition_time.0);
        let since = [changed, configured.map(|c| c.last_transition_time.0)];
        match (progressing.map(|c| c.reason.as_str()), changed) {
            (Some("Failed"), _) => Self::Failed { since },
            (Some("Completed"), Some(done)) if is_applied => Self::Done { since: done },
            _ => Self::Underway { since },
        }
    }

    /// Returns the progress with a deadline that counts from `at` at the earliest.
    pub(super) fn counted_from(self, at: Option<Timestamp>) -> Self {
        match (self, at) {
            (Self::Underway { since }, Some(at)) => Self::Underway { since: since.map(|since| Some(since?.max(at))) },
            (progress, _) => progress,
        }
    }

    /// Returns the progress as observed at `at`. A success in the future that no recorded step of the clock explains counts as one that is
    /// long over: the clock was set back while no time was measured, or by a few seconds.
    pub(super) fn observed(self, clock: &ClockSteps, at: Timestamp) -> Self {
        match self {
            Self::Done { since } if since > at && clock.adjusted(since, at) == at => {
                Self::Done { since: Timestamp::MIN }
            }
            progress => progress,
        }
    }

    /// Returns the progress with times on another clock: what was `at` on the clock with these steps is `is` on that one.
    pub(super) fn on_clock(self, (clock, at): (&ClockSteps, Timestamp), is: Timestamp) -> Self {
        // However long ago it was.
        let moved =
            |since: Timestamp| is.checked_sub(clock.adjusted(since, at).duration_until(at)).unwrap_or(Timestamp::MIN);
        let both = |since: Since| since.map(|since| since.map(moved));
        match self {
            Self::NotStarted => Self::NotStarted,
            Self::Underway { since } => Self::Underway { since: both(since) },
            Self::Failed { since } => Self::Failed { since: both(since) },
            Self::Done { since } => Self::Done { since: moved(since) },
        }
    }

    /// Returns the progress with a deadline that does not count the time in which the hub was not observed.
    pub(super) fn seen(self, unseen: &Unseen, at: Timestamp) -> Self {
        match self {
            Self::Underway { since } => Self::Underway { since: since.map(|since| Some(unseen.counted(since?, at))) },
            progress => progress,
        }
    }

    /// Returns `true` if it may have succeeded and soaked by then.
    pub(super) fn may_be_through(&self, strategy: &Strategy, at: Timestamp) -> bool {
        matches!(self, Self::Done { since } if is_over(*since, strategy.soak, at))
    }

    /// Returns `true` if it may have failed or run out of time by then.
    pub(super) fn may_have_failed(&self, strategy: &Strategy, at: Timestamp) -> bool {
        matches!(self, Self::Failed { .. }) || self.may_be_overdue(strategy, at)
    }

    /// Returns `true` if it must have failed or run out of time by then, whichever condition the time is counted from.
    pub(super) fn must_have_failed(&self, strategy: &Strategy, at: Timestamp) -> bool {
        match (self, strategy.deadline) {
            (Self::Failed { .. }, _) => true,
            (Self::Underway { since }, Some(deadline)) => {
                since.iter().flatten().max().is_some_and(|since| is_over(*since, deadline, at))
            }
            _ => false,
        }
    }

    /// Returns `true` if it must still be in flight at that time, and so takes a slot. A failed cluster keeps its slot until its
    /// deadline, since it may recover.
    pub(super) fn must_be_in_flight(&self, strategy: &Strategy, at: Timestamp) -> bool {
        *self != Self::NotStarted && !self.may_be_through(strategy, at) && !self.may_be_overdue(strategy, at)
    }

    fn may_be_overdue(&self, strategy: &Strategy, at: Timestamp) -> bool {
        match (self, strategy.deadline) {
            (Self::Underway { since } | Self::Failed { since }, Some(deadline)) => {
                since.iter().flatten().min().is_some_and(|since| is_over(*since, deadline, at))
            }
            _ => false,
        }
    }
}

/// Returns `true` if a cluster that started was late: it was found to be overdue, or succeeded, only after its deadline.
pub(super) fn was_late(addon: Option<&ManagedClusterAddOn>, strategy: &Strategy) -> bool {
    let conditions = addon.map(conditions).unwrap_or_default();
    let since = |type_: &str| condition::find(conditions, type_).map(|c| c.last_transition_time.0);
    let started = since(key::CONFIGURED).filter(|_| condition::is_true(conditions, key::CONFIGURED));
    match (started, since(key::OVERDUE), strategy.deadline) {
        (Some(started), Some(late), Some(deadline)) => is_over(started, deadline, late),
        _ => false,
    }
}

/// Returns `true` if the conditions of a cluster show that it failed or missed its deadline.
pub(super) fn has_failed(conditions: &[Condition]) -> bool {
    let is_failed = condition::find(conditions, key::PROGRESSING).is_some_and(|found| found.reason == "Failed");
    is_failed || condition::is_true(conditions, key::OVERDUE)
}

/// Returns the conditions of an add-on on a cluster.
pub(super) fn conditions(addon: &ManagedClusterAddOn) -> &[Condition] {
    addon.status.as_ref().map(|status| status.conditions.as_slice()).unwrap_or_default()
}

fn is_over(since: Timestamp, span: SignedDuration, at: Timestamp) -> bool {
    since.checked_add(span).is_ok_and(|end| end <= at)
}
