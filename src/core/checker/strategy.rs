//! A rollout strategy as the rules need it, in numbers and durations.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use tidegate_api::ocm::rollout_strategy::{MandatoryDecisionGroup, RolloutStrategy};
use tidegate_model::time::{SignedDuration, parse_go_duration};

/// The order in which clusters start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pace {
    All,
    Progressive,
    PerGroup,
}

/// A number of clusters, or a percentage of them.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Amount {
    Count(i32),
    Percent(f64),
}

/// A parsed strategy.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Strategy {
    pub(super) pace: Pace,
    pub(super) mandatory: Vec<MandatoryDecisionGroup>,
    pub(super) soak: SignedDuration,
    /// `None` means no deadline.
    pub(super) deadline: Option<SignedDuration>,
    /// `None` means no limit.
    concurrency: Option<Amount>,
    failures: Amount,
}

/// Go's longest duration. As a deadline it means no limit, as a soak time no soak.
const FOREVER: SignedDuration = SignedDuration::from_nanos(i64::MAX);

impl Strategy {
    /// Reads a strategy; `None` if it cannot be read, in which case it is not judged.
    ///
    /// `group_size` is `clustersPerDecisionGroup` of the Placement, the default for `maxConcurrency`.
    pub(super) fn read(strategy: &RolloutStrategy, group_size: Option<&IntOrString>) -> Option<Self> {
        let pace = match strategy.type_.as_str() {
            "" | "All" => Pace::All,
            "Progressive" => Pace::Progressive,
            "ProgressivePerGroup" => Pace::PerGroup,
            _ => return None,
        };
        let all = strategy.all.as_ref().filter(|_| pace == Pace::All);
        let progressive = strategy.progressive.as_ref().filter(|_| pace == Pace::Progressive);
        let per_group = strategy.progressive_per_group.as_ref().filter(|_| pace == Pace::PerGroup);
        let soak = None
            .or(all.and_then(|s| s.min_success_time.as_deref()))
            .or(progressive.and_then(|s| s.min_success_time.as_deref()))
            .or(per_group.and_then(|s| s.min_success_time.as_deref()));
        let deadline = None
            .or(all.and_then(|s| s.progress_deadline.as_deref()))
            .or(progressive.and_then(|s| s.progress_deadline.as_deref()))
            .or(per_group.and_then(|s| s.progress_deadline.as_deref()));
        let failures = None
            .or(all.and_then(|s| s.max_failures.as_ref()))
            .or(progressive.and_then(|s| s.max_failures.as_ref()))
            .or(per_group.and_then(|s| s.max_failures.as_ref()));
        let mandatory = None
            .or(progressive.map(|s| &s.mandatory_decision_groups))
            .or(per_group.map(|s| &s.mandatory_decision_groups));
        let given = progressive.and_then(|s| s.max_concurrency.as_ref());
        let given = given.filter(|amount| **amount != IntOrString::String(String::new()));
        // An explicit limit of 0 is a limit of 0; a group size of 0 means one group of all clusters.
        let concurrency = match (given, group_size) {
            (Some(given), _) => Some(Amount::read(given)?),
            (None, Some(size)) => Some(Amount::read(size)?).filter(|size| size.of(usize::MAX).unwrap_or(0) > 0),
            (None, None) => None,
        };
        Some(
            Self {
                pace,
                mandatory: mandatory.cloned().unwrap_or_default(),
                soak: soak.map_or(Some(SignedDuration::ZERO), |text| parse_go_duration(text).ok())?,
                deadline: deadline.map_or(Some(None), read_deadline)?,
                concurrency,
                failures: failures.map_or(Some(Amount::Count(0)), Amount::read)?,
            }
            .without_endless_soak(),
        )
    }

    /// Returns the strategy of clusters chosen by hand, which start at once.
    pub(super) fn by_hand() -> Self {
        Self {
            pace: Pace::All,
            mandatory: Vec::new(),
            soak: SignedDuration::ZERO,
            deadline: None,
            concurrency: None,
            failures: Amount::Count(0),
        }
    }

    /// Returns the strategy of the way back: `max` clusters at once, or as many as on the way there, whatever fails, and without soak time.
    pub(super) fn rolled_back(&self, max: Option<&IntOrString>) -> Option<Self> {
        let own = max.map_or(Some(None), |max| Amount::read(max).map(Some))?;
        let before = self.concurrency.filter(|_| self.pace == Pace::Progressive);
        Some(Self {
            pace: Pace::Progressive,
            mandatory: Vec::new(),
            soak: SignedDuration::ZERO,
            deadline: self.deadline,
            concurrency: own.or(before),
            failures: Amount::Percent(100.0),
        })
    }

    fn without_endless_soak(self) -> Self {
        let soak = if self.soak == FOREVER { SignedDuration::ZERO } else { self.soak };
        Self { soak, ..self }
    }

    /// Returns how many clusters may be in flight while a scope of `total` clusters is open; `None` means no limit.
    pub(super) fn concurrency_of(&self, total: usize) -> Option<usize> {
        let limit = self.concurrency.filter(|_| self.pace == Pace::Progressive)?;
        Some(limit.of(total).unwrap_or(0))
    }

    /// Returns how many of `total` clusters may fail, not counting mandatory groups.
    pub(super) fn failures_of(&self, total: usize) -> usize {
        match self.failures.of(total) {
            Some(0) | None if self.pace == Pace::All => total,
            Some(allowed) => allowed.min(total),
            None => 0,
        }
    }
}

fn read_deadline(text: &str) -> Option<Option<SignedDuration>> {
    match text {
        "" | "None" => Some(None),
        text => parse_go_duration(text).ok().map(|span| Some(span).filter(|span| *span != FOREVER)),
    }
}

impl Amount {
    fn read(value: &IntOrString) -> Option<Self> {
        match value {
            IntOrString::Int(count) => Some(Self::Count(*count)),
            IntOrString::String(text) => text.strip_suffix('%')?.parse().ok().map(Self::Percent),
        }
    }

    /// Returns the number of clusters, with percentages rounded up as upstream does; `None` if it is negative.
    fn of(self, total: usize) -> Option<usize> {
        match self {
            Self::Count(count) => usize::try_from(count).ok(),
            Self::Percent(percent) => {
                let count = (percent / 100.0 * total as f64).ceil();
                (count >= 0.0).then_some(count as usize)
            }
        }
    }
}
