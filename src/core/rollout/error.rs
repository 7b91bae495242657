//! Errors for strategies that cannot be parsed. Each error chain, joined with `: `, is upstream's message.

use tidegate_go::quote::go_quoted;
use tidegate_model::time::InvalidDuration;

/// A strategy that cannot be parsed. Its author can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The type is not `All`, `Progressive` or `ProgressivePerGroup`.
    #[error("incorrect rollout strategy type {0}")]
    StrategyType(String),
    /// `progressDeadline` is malformed.
    #[error(transparent)]
    ProgressDeadline(#[from] InvalidDeadline),
    /// `minSuccessTime` is malformed.
    #[error("failed to parse the provided minSuccessTime")]
    MinSuccessTime(#[source] InvalidDuration),
    /// `maxFailures` is malformed.
    #[error("failed to parse the provided maxFailures")]
    MaxFailures(#[source] InvalidThreshold),
    /// `maxConcurrency` is malformed.
    #[error("failed to parse the provided maxConcurrency")]
    MaxConcurrency(#[source] InvalidThreshold),
}

/// A string that is not a deadline.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDeadline {
    /// It neither starts with a number and a unit nor ends with `None`.
    #[error("invalid timeout format")]
    Format,
    /// It starts or ends correctly, but it is not a duration as a whole; holds Go's error message.
    #[error("{0}")]
    Duration(String),
}

/// A string that is not a threshold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidThreshold {
    /// It does not end with a percent sign.
    #[error("'{0}' is an invalid maximum threshold value: string is not a percentage")]
    NotAPercentage(String),
    /// The part before the percent sign is not a number.
    #[error("strconv.ParseFloat: parsing {quoted}: invalid syntax", quoted = go_quoted(.0))]
    NotANumber(String),
    /// The part before the percent sign is too large a number.
    #[error("strconv.ParseFloat: parsing {quoted}: value out of range", quoted = go_quoted(.0))]
    OutOfRange(String),
}
