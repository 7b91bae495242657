//! Collects the complaints about one object, up to a limit.

use super::complaint::{Complaint, Rule, Severity};
use super::node::Mark;
use super::object::Object;

/// Maximum complaints about one object. More would not help, and a hostile file could fill the memory.
const MAX_PER_OBJECT: usize = 50;

/// Collects the complaints about one object.
pub(super) struct Notes<'a> {
    pub(super) object: &'a Object,
    pub(super) complaints: &'a mut Vec<Complaint>,
}

impl Notes<'_> {
    /// Returns `true` if the limit is exceeded, so that further complaints are dropped.
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
                ("there are more complaints about this object; fix the others first".to_owned(), Severity::Error)
            }
            _ if self.is_full() => return,
            _ => (message, severity),
        };
        self.complaints.push(Complaint {
            object: Some(self.object.key.clone()),
            severity,
            place: self.object.place_of(mark),
            rule: Rule::Schema,
            ..Complaint::of_file("", mark, message)
        });
    }
}
