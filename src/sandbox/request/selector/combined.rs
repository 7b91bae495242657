//! Label and field selector combined.

use super::fields::{self, Field};
use crate::api_error::ApiError;
use crate::kind::Kind;
use crate::store::Stored;
use tidegate_go::label_selector::LabelSelector;

/// The label and the field selector of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Selector {
    labels: LabelSelector,
    fields: Vec<Field>,
}

impl Selector {
    /// Parses both selectors for objects of a kind; empty selectors match all objects.
    ///
    /// # Errors
    /// Bad request, if one of them is malformed or a field is not supported.
    pub(crate) fn parse(labels: &str, fields: &str, kind: &Kind) -> Result<Self, ApiError> {
        let labels = LabelSelector::parse(labels).map_err(|why| ApiError::bad_request(why.to_string()))?;
        Ok(Self { labels, fields: fields::parse(fields, kind).map_err(ApiError::bad_request)? })
    }

    /// Returns `true` if every object matches.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_everything() && self.fields.is_empty()
    }

    /// Returns `true` if an object matches.
    pub(crate) fn matches(&self, object: &Stored) -> bool {
        self.labels.matches(|key| object.label(key)) && self.holds_fields(object)
    }

    fn holds_fields(&self, object: &Stored) -> bool {
        if self.fields.is_empty() {
            return true;
        }
        let object = object.value();
        self.fields.iter().all(|field| field.holds(&object))
    }
}
