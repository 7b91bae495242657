//! Both selectors together.

use serde_json::Value;

use super::fields::{self, Field};
use super::labels::{self, Requirement};
use crate::sandbox::kind::Kind;
use crate::sandbox::object;
use crate::sandbox::refusal::Refusal;

/// Says which objects are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Selector {
    labels: Vec<Requirement>,
    fields: Vec<Field>,
}

impl Selector {
    /// Reads both selectors for objects of a kind; empty ones mean all objects.
    ///
    /// # Errors
    /// Bad request, if one of them cannot be read or a field cannot be selected by.
    pub(crate) fn parse(labels: &str, fields: &str, kind: &Kind) -> Result<Self, Refusal> {
        let labels = labels::parse(labels).map_err(Refusal::bad_request)?;
        Ok(Self { labels, fields: fields::parse(fields, kind).map_err(Refusal::bad_request)? })
    }

    /// Says whether every object is meant.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Says whether an object is meant.
    pub(crate) fn matches(&self, object: &Value) -> bool {
        let labels = object::metadata(object, "labels");
        let label = |key: &str| labels.and_then(|labels| labels.get(key)).and_then(Value::as_str);
        self.labels.iter().all(|requirement| requirement.holds(label))
            && self.fields.iter().all(|field| field.holds(object))
    }
}
