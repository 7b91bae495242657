//! Complaints: what is wrong in the files, where, and what would be right.

use std::collections::BTreeSet;
use std::fmt;

use serde::Serialize;

use super::node::Mark;
use super::object::Object;
use crate::model::name::AddonName;
use crate::model::object::ObjectKey;

/// A place in a file of the repository.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// Path of the file, relative to the root of the repository.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Place {
    pub(super) fn new(file: &str, mark: Mark) -> Self {
        Self { file: file.to_owned(), line: mark.line, column: mark.column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// How much a complaint matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// It blocks what it touches.
    Error,
    /// It blocks nothing.
    Warning,
}

/// Something wrong in the files, with its remedy. Whoever writes the repository can mend it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Complaint {
    /// Where.
    pub place: Place,
    /// What is wrong, and what would be right.
    pub message: String,
    /// The object that is wrong; `None` if the file as a whole is, or if the object has no usable identity.
    pub object: Option<ObjectKey>,
    /// The add-ons that it touches, and blocks if it is an error.
    pub addons: BTreeSet<AddonName>,
    /// How much it matters.
    pub severity: Severity,
}

impl Complaint {
    /// Makes an error about a file, or about something in it that has no identity.
    pub(super) fn of_file(file: &str, mark: Mark, message: impl Into<String>) -> Self {
        Self {
            place: Place::new(file, mark),
            message: message.into(),
            object: None,
            addons: BTreeSet::new(),
            severity: Severity::Error,
        }
    }

    /// Says whether it blocks what it touches.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// More complaints about one object help nobody, and would let a hostile file fill the memory.
const MAX_PER_OBJECT: usize = 50;

/// Collects the complaints about one object.
pub(super) struct Notes<'a> {
    pub(super) object: &'a Object,
    pub(super) complaints: &'a mut Vec<Complaint>,
}

impl Notes<'_> {
    /// Says whether there are so many complaints that no more are taken.
    pub(super) fn is_full(&self) -> bool {
        self.complaints.len() > MAX_PER_OBJECT
    }

    pub(super) fn error(&mut self, mark: Mark, message: impl Into<String>) {
        self.add(mark, message.into(), Severity::Error);
    }

    pub(super) fn warning(&mut self, mark: Mark, message: impl Into<String>) {
        self.add(mark, message.into(), Severity::Warning);
    }

    fn add(&mut self, mark: Mark, message: String, severity: Severity) {
        let (message, severity) = match self.complaints.len() {
            MAX_PER_OBJECT => {
                ("there are more complaints about this object; mend the others first".to_owned(), Severity::Error)
            }
            _ if self.is_full() => return,
            _ => (message, severity),
        };
        self.complaints.push(Complaint {
            object: Some(self.object.key.clone()),
            severity,
            place: self.object.place_of(mark),
            ..Complaint::of_file("", mark, message)
        });
    }
}
