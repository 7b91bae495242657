//! What is wrong with a repository, where, and what would be right.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use crate::model::name::AddonName;
use crate::model::object::ObjectKey;

/// A place in a file of the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The file, relative to the root of the repository.
    pub file: String,
    /// The line, from 1; 0 for the file as a whole.
    pub line: usize,
    /// The column in characters, from 1; 0 for the file as a whole.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 { write!(f, ":{}:{}", self.line, self.column) } else { Ok(()) }
    }
}

/// How much a complaint weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// Blocks the add-ons that it touches.
    Error,
    /// Is told, and blocks nothing.
    Warning,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Complaint {
    /// Where.
    pub place: Place,
    /// What is wrong, and what would be right.
    pub message: String,
    /// How much it weighs.
    pub severity: Severity,
    /// The object that it is about, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<ObjectKey>,
    /// The add-ons that it blocks.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub addons: BTreeSet<AddonName>,
}

impl Complaint {
    pub(super) fn error(place: Place, message: impl Into<String>, object: Option<&ObjectKey>) -> Self {
        let message = message.into();
        Self { place, message, severity: Severity::Error, object: object.cloned(), addons: BTreeSet::new() }
    }

    pub(super) fn warning(place: Place, message: impl Into<String>, object: Option<&ObjectKey>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(place, message, object) }
    }

    /// Says whether it blocks what it touches.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = if self.is_error() { "" } else { "warning: " };
        write!(f, "{}: {weight}{}", self.place, self.message)
    }
}
