//! Collects the complaints about one object, up to a limit.

use super::object::Object;
use crate::complaint::{Complaint, Rule};
use tidegate_kustomize::yaml::Origin;
use tidegate_model::diagnostic::Diagnostic;

/// Maximum complaints about one object. More would not help, and a hostile file could fill the memory.
pub(crate) const MAX_PER_OBJECT: usize = 50;

/// Collects the complaints about one object.
pub(crate) struct Notes<'a> {
    pub(crate) object: &'a Object,
    pub(crate) complaints: &'a mut Vec<Complaint>,
}

impl Notes<'_> {
    /// Returns `true` if the limit is exceeded, so that further complaints are dropped.
    pub(crate) fn is_full(&self) -> bool {
        self.complaints.len() > MAX_PER_OBJECT
    }

    pub(crate) fn error(&mut self, origin: Origin, message: impl Into<String>) {
        self.add(Diagnostic::error(self.object.place_of(origin), message));
    }

    pub(crate) fn warning(&mut self, origin: Origin, message: impl Into<String>) {
        self.add(Diagnostic::warning(self.object.place_of(origin), message));
    }

    fn add(&mut self, diagnostic: Diagnostic) {
        if !diagnostic.is_error() && self.complaints.len() >= MAX_PER_OBJECT {
            // The complaint at the limit is an error, and warnings must not block an add-on.
            return;
        }
        let diagnostic = match self.complaints.len() {
            MAX_PER_OBJECT => {
                Diagnostic::error(diagnostic.place, "there are more complaints about this object; fix the others first")
            }
            _ if self.is_full() => return,
            _ => diagnostic,
        };
        let object = Some(self.object.key.clone());
        self.complaints.push(Complaint { object, ..Complaint::new(Rule::Schema, diagnostic) });
    }
}
