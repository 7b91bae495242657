//! Label and field selector combined.

use super::fields::{self, Field};
use super::labels::{self, Requirement};
use crate::kind::Kind;
use crate::refusal::Refusal;
use crate::store::Stored;

/// The label and the field selector of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Selector {
    labels: Vec<Requirement>,
    fields: Vec<Field>,
}

impl Selector {
    /// Parses both selectors for objects of a kind; empty selectors match all objects.
    ///
    /// # Errors
    /// Bad request, if one of them is malformed or a field is not supported.
    pub(crate) fn parse(labels: &str, fields: &str, kind: &Kind) -> Result<Self, Refusal> {
        let labels = labels::parse(labels).map_err(Refusal::bad_request)?;
        Ok(Self { labels, fields: fields::parse(fields, kind).map_err(Refusal::bad_request)? })
    }

    /// Returns `true` if every object matches.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Returns `true` if an object matches.
    pub(crate) fn matches(&self, object: &Stored) -> bool {
        self.labels.iter().all(|requirement| requirement.holds(|name| object.label(name))) && self.holds_fields(object)
    }

    fn holds_fields(&self, object: &Stored) -> bool {
        if self.fields.is_empty() {
            return true;
        }
        let object = object.value();
        self.fields.iter().all(|field| field.holds(&object))
    }
}
