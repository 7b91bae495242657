//! `maxConcurrency` and `maxFailures`: a number of clusters, or a percentage of them.

use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::InvalidThreshold;
use tidegate_go::float::{ParseError, parse_float};

/// Returns a threshold as it is written.
pub fn written_threshold(value: &IntOrString) -> String {
    match value {
        IntOrString::Int(count) => count.to_string(),
        IntOrString::String(text) => text.clone(),
    }
}

/// A threshold, not yet applied to a number of clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Threshold {
    /// A number of clusters.
    Count(i64),
    /// A percentage of the clusters.
    Percent(f64),
}

impl Threshold {
    /// Reads a threshold; a missing one is 0.
    pub(super) fn parse(value: Option<&IntOrString>) -> Result<Self, InvalidThreshold> {
        let text = match value {
            None => return Ok(Self::Count(0)),
            Some(IntOrString::Int(count)) => return Ok(Self::Count(i64::from(*count))),
            Some(IntOrString::String(text)) => text,
        };
        let number = text.strip_suffix('%').ok_or_else(|| InvalidThreshold::NotAPercentage(text.clone()))?;
        parse_float(number).map(Self::Percent).map_err(|error| match error {
            ParseError::Syntax => InvalidThreshold::NotANumber(number.to_owned()),
            ParseError::Range => InvalidThreshold::OutOfRange(number.to_owned()),
        })
    }

    /// Returns `true` if a threshold is valid and 0 or less for any number of clusters.
    pub(super) fn is_never_positive(value: &IntOrString) -> bool {
        Self::parse(Some(value)).is_ok_and(|threshold| threshold.of(usize::MAX) <= 0)
    }

    /// Returns the threshold as a number of `total` clusters, a percentage rounded up; may be negative or above the total.
    ///
    /// Upstream divides first, so that 28 % of 25 clusters is a little more than 7 there, and is rounded up to 8.
    pub(super) fn exactly_of(self, total: usize) -> i64 {
        match self {
            Self::Count(count) => count,
            Self::Percent(percent) => (percent * total as f64 / 100.0).ceil() as i64,
        }
    }

    /// Returns the threshold as a number of `total` clusters as upstream does, a percentage rounded up; may be negative or above the total.
    pub(super) fn of(self, total: usize) -> i64 {
        match self {
            Self::Count(count) => count,
            // The cast maps NaN to 0, and values that are too large to the bounds of the type.
            Self::Percent(percent) => (percent / 100.0 * total as f64).ceil() as i64,
        }
    }
}
