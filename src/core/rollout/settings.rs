//! The settings of a strategy in one form for all three types. What they mean is up to each engine.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::threshold::Threshold;
use crate::timing::{Class, Timing};
use crate::{ClusterStatus, Error, InvalidDeadline, Status};
use tidegate_api::ocm::rollout_strategy::{MandatoryDecisionGroup, RolloutStrategy};
use tidegate_model::time::{SignedDuration, Timestamp, parse_go_duration};

/// The type of a strategy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    All,
    Progressive,
    ProgressivePerGroup,
}

impl Kind {
    /// Returns the kind with this name, if there is one.
    pub(super) fn of(type_: &str) -> Option<Self> {
        match type_ {
            "All" => Some(Self::All),
            "Progressive" => Some(Self::Progressive),
            "ProgressivePerGroup" => Some(Self::ProgressivePerGroup),
            _ => None,
        }
    }
}

/// The settings that belong to the type of a strategy; those that the type does not have are unset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings<'a> {
    pub(super) kind: Kind,
    pub(super) mandatory: &'a [MandatoryDecisionGroup],
    min_success_time: Option<&'a str>,
    progress_deadline: Option<&'a str>,
    max_failures: Option<&'a IntOrString>,
    max_concurrency: Option<&'a IntOrString>,
}

impl<'a> Settings<'a> {
    /// Picks the settings of the strategy's type.
    ///
    /// # Errors
    /// [`Error::StrategyType`] for any other type, including the empty one: defaults are filled in before.
    pub(super) fn of(strategy: &'a RolloutStrategy) -> Result<Self, Error> {
        let kind = Kind::of(&strategy.type_).ok_or_else(|| Error::StrategyType(strategy.type_.clone()))?;
        let unset = Self {
            kind,
            mandatory: &[],
            min_success_time: None,
            progress_deadline: None,
            max_failures: None,
            max_concurrency: None,
        };
        let settings = match kind {
            Kind::All => strategy.all.as_ref().map(|all| Self {
                min_success_time: all.min_success_time.as_deref(),
                progress_deadline: all.progress_deadline.as_deref(),
                max_failures: all.max_failures.as_ref(),
                ..unset
            }),
            Kind::Progressive => strategy.progressive.as_ref().map(|progressive| Self {
                kind,
                mandatory: &progressive.mandatory_decision_groups,
                min_success_time: progressive.min_success_time.as_deref(),
                progress_deadline: progressive.progress_deadline.as_deref(),
                max_failures: progressive.max_failures.as_ref(),
                max_concurrency: progressive.max_concurrency.as_ref(),
            }),
            Kind::ProgressivePerGroup => strategy.progressive_per_group.as_ref().map(|per_group| Self {
                mandatory: &per_group.mandatory_decision_groups,
                min_success_time: per_group.min_success_time.as_deref(),
                progress_deadline: per_group.progress_deadline.as_deref(),
                max_failures: per_group.max_failures.as_ref(),
                ..unset
            }),
        };
        Ok(settings.unwrap_or(unset))
    }

    /// Returns the settings with no soak time.
    pub(super) fn without_soak(self) -> Self {
        Self { min_success_time: None, ..self }
    }

    /// Reads the deadline and the soak time, to be evaluated at `now`.
    pub(super) fn timing(&self, now: Timestamp) -> Result<Timing, Error> {
        let deadline = parse_deadline(self.progress_deadline.unwrap_or(""))?;
        let soak = match self.min_success_time {
            Some(text) => parse_go_duration(text).map_err(Error::MinSuccessTime)?,
            None => SignedDuration::ZERO,
        };
        Ok(Timing { now, deadline, soak: (soak != FOREVER).then_some(soak) })
    }

    /// Reads how many clusters may fail.
    pub(super) fn max_failures(&self) -> Result<Threshold, Error> {
        Threshold::parse(self.max_failures).map_err(Error::MaxFailures)
    }

    /// Reads how many clusters may be under way; 0 if that is not given.
    pub(super) fn max_concurrency(&self) -> Result<Threshold, Error> {
        Threshold::parse(self.max_concurrency).map_err(Error::MaxConcurrency)
    }

    /// Reads how many clusters may be under way; `None` if that is not given.
    pub(super) fn given_max_concurrency(&self) -> Result<Option<Threshold>, Error> {
        self.max_concurrency.map(|given| Threshold::parse(Some(given))).transpose().map_err(Error::MaxConcurrency)
    }
}

/// The longest duration of Go, which upstream treats as "no limit".
const FOREVER: SignedDuration = SignedDuration::from_nanos(i64::MAX);

/// Parses a `progressDeadline`; `None` means no limit.
///
/// # Errors
/// Any string other than the empty one, `None`, or a Go duration that starts with a whole number.
///
/// # Source
/// Upstream's pattern is `^(([0-9])+[h|m|s])|None$`. Its alternatives bind loosely, so it only requires that the string starts with
/// a number and one of `h`, `|`, `m`, `s`, or that it ends with `None`.
fn parse_deadline(text: &str) -> Result<Option<SignedDuration>, InvalidDeadline> {
    if text.is_empty() || text == "None" {
        return Ok(None);
    }
    let tail = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let begins_well = tail.len() < text.len() && tail.starts_with(['h', '|', 'm', 's']);
    if !begins_well && !text.ends_with("None") {
        return Err(InvalidDeadline::Format);
    }
    match parse_go_duration(text) {
        Ok(span) => Ok((span != FOREVER).then_some(span)),
        Err(error) => Err(InvalidDeadline::Duration(error.go_text())),
    }
}

/// Returns `true` if a cluster takes a slot at this moment: it is under way, failed but within its deadline, or soaks.
///
/// # Errors
/// A malformed deadline or soak time, or an unknown type.
pub fn is_underway(strategy: &RolloutStrategy, status: &ClusterStatus, now: Timestamp) -> Result<bool, Error> {
    let timing = Settings::of(strategy)?.timing(now)?;
    let class = timing.classify(status.status, status.last_transition.or(status.started));
    Ok(matches!(class, Class::Underway { .. }))
}

/// Returns since when nothing more is expected of a cluster: it succeeded and has soaked, failed, or timed out. `None` if it has not
/// started, is under way or soaks. If it is not known since when, it is the earliest possible time.
///
/// # Errors
/// A malformed deadline or soak time, or an unknown type.
pub fn finished_since(
    strategy: &RolloutStrategy,
    status: &ClusterStatus,
    now: Timestamp,
) -> Result<Option<Timestamp>, Error> {
    let timing = Settings::of(strategy)?.timing(now)?;
    let since = status.last_transition.or(status.started);
    let known = || since.unwrap_or(Timestamp::MIN);
    Ok(match (timing.classify(status.status, since), status.status) {
        (Class::TimedOut { deadline }, _) => Some(deadline),
        // It keeps its slot until its deadline, but no cluster waits for it.
        (Class::Underway { .. }, Status::Failed) => Some(known()),
        (Class::Waiting | Class::Underway { .. }, _) => None,
        (Class::Closed, Status::Succeeded) => {
            let soak = timing.soak.unwrap_or(SignedDuration::ZERO);
            Some(known().checked_add(soak).unwrap_or(Timestamp::MAX))
        }
        (Class::Closed, _) => Some(known()),
    })
}
