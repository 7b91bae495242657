//! Complaints: problems in the files of a kustomization, with their location and remedy.

use std::fmt;

use crate::yaml::Place;

/// The severity of a complaint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is rendered.
    Error,
    /// The kustomization is rendered anyway.
    Warning,
}

/// A problem in the files of a kustomization, with its remedy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    /// Where the problem is.
    pub place: Place,
    /// What is wrong, and how to fix it.
    pub message: String,
    /// Its severity.
    pub severity: Severity,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
