//! Complaints: what is wrong in the files of a kustomization, where, and what would be right.

use std::fmt;

use crate::yaml::Place;

/// How much a complaint matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Nothing is rendered.
    Error,
    /// It is rendered all the same.
    Warning,
}

/// Something wrong in the files of a kustomization, with its remedy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    /// Where.
    pub place: Place,
    /// What is wrong, and what would be right.
    pub message: String,
    /// How much it matters.
    pub severity: Severity,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}
