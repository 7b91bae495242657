//! What is to be requested from a server, and what its answer means.

use std::fmt;
use std::time::Duration;

use super::answer::Answer;
use super::observation::{Key, Measured};
use super::threshold::Threshold;
use super::{http, prometheus};
use tidegate_model::time::Timestamp;

/// A measurement to be made beside the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What is measured.
    pub key: Key,
    /// When. A measurement that started earlier does not count.
    pub due: Timestamp,
    /// How long it may take.
    pub timeout: Duration,
    /// What is requested.
    pub ask: Ask,
}

/// What is requested, and what the answer must be.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask(pub(super) Kind);

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Http { url: String, status: u16, expression: Option<String> },
    Prometheus { address: String, threshold: Threshold },
}

impl Ask {
    /// Returns the address to be requested with GET.
    pub fn address(&self) -> &str {
        match &self.0 {
            Kind::Http { url, .. } => url,
            Kind::Prometheus { address, .. } => address,
        }
    }

    /// Returns what an answer means. Without an answer, or if it makes no sense, the result is missing.
    pub fn measured(&self, answer: Result<Answer, impl fmt::Display>) -> Measured {
        match (&self.0, answer) {
            (_, Err(why)) => Measured::none(&why.to_string()),
            (Kind::Http { status, expression, .. }, Ok(answer)) => {
                http::measured(*status, expression.as_deref(), &answer)
            }
            (Kind::Prometheus { threshold, .. }, Ok(answer)) => prometheus::measured(*threshold, &answer),
        }
    }
}
