//! The errors of a value while it is validated, and where they are.

use std::collections::HashSet;

use crate::api_error::Cause;
use tidegate_api::schema::path::Place;

/// Maximum number of errors that are reported, so that the answer cannot grow without bounds.
const MAX_ERRORS: usize = 1000;

/// The path of a value, and how many bytes of the path messages leave out.
#[derive(Debug, Clone, Copy)]
pub(super) struct At<'p> {
    pub(super) place: Place<'p>,
    pub(super) offset: usize,
}

impl At<'_> {
    /// Returns the path as messages show it.
    pub(super) fn text(&self) -> String {
        let complete = self.place.to_string();
        complete.get(self.offset..).unwrap_or_default().trim_start_matches('.').to_owned()
    }

    /// Returns the same for a value below, whose path is given.
    pub(super) fn step<'q>(&self, place: Place<'q>) -> At<'q> {
        At { place, offset: self.offset }
    }
}

/// The errors of a value, and the match count of its schema: if no schema of an `anyOf` or `oneOf` matches, the errors of the
/// schema with the highest count are reported.
#[derive(Debug, Default)]
pub(super) struct Errors {
    causes: Vec<Cause>,
    /// The match count.
    pub(super) checks: usize,
}

impl Errors {
    /// Adds an error.
    pub(super) fn add(&mut self, cause: Cause) {
        if self.causes.len() < MAX_ERRORS {
            self.causes.push(cause);
        }
    }

    /// Returns `true` if there is no error.
    pub(super) fn is_empty(&self) -> bool {
        self.causes.is_empty()
    }

    /// Adds the errors of a nested value or schema.
    pub(super) fn merge(&mut self, other: Self) {
        self.checks += other.checks;
        other.causes.into_iter().for_each(|cause| self.add(cause));
    }

    /// Returns the errors, each of them once.
    pub(super) fn into_causes(self) -> Vec<Cause> {
        let mut seen = HashSet::new();
        self.causes.into_iter().filter(|cause| seen.insert((cause.field.clone(), cause.message.clone()))).collect()
    }
}
