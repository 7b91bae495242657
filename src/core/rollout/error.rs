//! Strategies that cannot be read. Each chain, joined with `: `, is upstream's text.

use tidegate_go::quote::go_quoted;
use tidegate_model::time::InvalidDuration;

/// A strategy that cannot be read. Whoever wrote the strategy can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The type is none of `All`, `Progressive` and `ProgressivePerGroup`.
    #[error("incorrect rollout strategy type {0}")]
    StrategyType(String),
    /// `progressDeadline` has the wrong form.
    #[error(transparent)]
    ProgressDeadline(#[from] InvalidDeadline),
    /// `minSuccessTime` has the wrong form.
    #[error("failed to parse the provided minSuccessTime")]
    MinSuccessTime(#[source] InvalidDuration),
    /// `maxFailures` has the wrong form.
    #[error("failed to parse the provided maxFailures")]
    MaxFailures(#[source] InvalidThreshold),
    /// `maxConcurrency` has the wrong form.
    #[error("failed to parse the provided maxConcurrency")]
    MaxConcurrency(#[source] InvalidThreshold),
}

/// A text that is not a deadline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDeadline {
    /// It neither begins with a number and a unit nor ends with `None`.
    #[error("invalid timeout format")]
    Format,
    /// It begins or ends well, but it is no duration as a whole; holds what Go says about it.
    #[error("{0}")]
    Duration(String),
}

/// A text that is not a threshold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidThreshold {
    /// It does not end with a percent sign.
    #[error("'{0}' is an invalid maximum threshold value: string is not a percentage")]
    NotAPercentage(String),
    /// What stands before the percent sign is not a number.
    #[error("strconv.ParseFloat: parsing {quoted}: invalid syntax", quoted = go_quoted(.0))]
    NotANumber(String),
    /// What stands before the percent sign is too large a number.
    #[error("strconv.ParseFloat: parsing {quoted}: value out of range", quoted = go_quoted(.0))]
    OutOfRange(String),
}
