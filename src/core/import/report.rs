//! What became of each field of the imported objects.

use std::fmt;

use tidegate_kustomize::yaml::Origin;

/// What to do about a dependency on something that is no add-on yet.
pub(crate) const AFTER: &str = "name the add-on in `order[].after` of the RolloutPolicy";

/// What became of a field.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It cannot be imported, and why. Nothing is written.
    Refused(String),
    /// It has no counterpart, and what to do instead.
    LeftOut(String),
    /// It is mapped, and how the result differs.
    Differs(String),
    /// It describes what is deployed. The manifests of the add-on replace it.
    Content,
}

/// A field, and what became of it. Fields that are mapped without a difference have no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where the field is.
    pub origin: Origin,
    /// The path of the field, such as `spec.stages[0].name`, without control characters.
    pub path: String,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of the fields, in the order in which they were read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The entries.
    pub entries: Vec<Entry>,
}

impl Report {
    /// Returns the entries of fields that cannot be imported.
    pub fn refused(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::Refused(_)))
    }

    /// Returns the entries of fields without a counterpart.
    pub fn left_out(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| matches!(entry.outcome, Outcome::LeftOut(_)))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.outcome {
            Outcome::Refused(why) => write!(f, "{}: {why}", self.path),
            Outcome::LeftOut(why) => write!(f, "{}: left out: {why}", self.path),
            Outcome::Differs(how) => write!(f, "{}: {how}", self.path),
            Outcome::Content => write!(f, "{}: replaced by the manifests of the add-on", self.path),
        }
    }
}
