//! What was sent so far, and what may be sent.

use std::collections::BTreeMap;

use tidegate_model::time::Timestamp;

use super::budget::Budget;
use super::operation::Operation;
use crate::error::{Error, Result};

/// What was sent so far, for metrics.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// The number of requests, by operation and outcome. An outcome is the class of a status code (`2xx`), `304`, or `none` if
    /// there was no complete answer.
    pub requests: BTreeMap<(&'static str, &'static str), u64>,
    /// How many requests the budget of this hour still allows.
    pub remaining: u64,
    /// Until when the forge refuses requests.
    pub paused_until: Option<Timestamp>,
}

/// What was sent so far, and what may be sent.
#[derive(Debug)]
pub(crate) struct Traffic {
    budget: Budget,
    paused_until: Option<Timestamp>,
    /// The number of refusals in a row.
    strikes: u32,
    requests: BTreeMap<(&'static str, &'static str), u64>,
}

impl Traffic {
    pub(crate) fn new(budget: u32) -> Self {
        Self { budget: Budget::new(budget), paused_until: None, strikes: 0, requests: BTreeMap::new() }
    }

    /// Returns `Ok` if a request may be sent.
    ///
    /// # Errors
    /// [`Error::Limited`] or [`Error::Budget`].
    pub(crate) fn check(&mut self, now: Timestamp, operation: Operation) -> Result<()> {
        if let Some(until) = self.paused_until.filter(|until| now < *until) {
            return Err(Error::Limited { until });
        }
        self.paused_until = None;
        self.budget.check(now, operation.is_reserved()).map_err(|until| Error::Budget { until })
    }

    /// Counts a request and its outcome: the status, or `None` without a complete answer. A 304 costs nothing.
    pub(crate) fn count(&mut self, now: Timestamp, operation: Operation, status: Option<u16>) {
        let outcome = match status {
            None => "none",
            Some(304) => "304",
            Some(200..=299) => "2xx",
            Some(300..=399) => "3xx",
            Some(400..=499) => "4xx",
            Some(_) => "5xx",
        };
        let count = self.requests.entry((operation.label(), outcome)).or_default();
        *count = count.saturating_add(1);
        if status != Some(304) {
            self.budget.spend(now);
        }
    }

    pub(crate) fn strikes(&self) -> u32 {
        self.strikes
    }

    /// Sends no request until a moment.
    pub(crate) fn pause(&mut self, until: Timestamp, is_refusal: bool) {
        self.paused_until = Some(until);
        self.strikes = if is_refusal { self.strikes.saturating_add(1) } else { 0 };
    }

    /// Notes that the forge answers.
    pub(crate) fn answered(&mut self) {
        self.strikes = 0;
    }

    pub(crate) fn usage(&mut self, now: Timestamp) -> Usage {
        Usage {
            requests: self.requests.clone(),
            remaining: u64::try_from(self.budget.remaining(now)).unwrap_or(u64::MAX),
            paused_until: self.paused_until.filter(|until| now < *until),
        }
    }
}
