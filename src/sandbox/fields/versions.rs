//! Values in the versions in which their managers named their fields.

use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::{Comparison, compare};
use crate::kind::Kind;

/// The versions of a kind, and what a write changes as seen in each of them.
pub(crate) struct Versions<'a> {
    kind: &'a Kind,
    compared: BTreeMap<String, Comparison>,
}

impl<'a> Versions<'a> {
    /// Starts without any comparison.
    pub(crate) fn new(kind: &'a Kind) -> Self {
        Self { kind, compared: BTreeMap::new() }
    }

    /// Returns the schema by which fields are named in an `apiVersion`; `None` if it is not served.
    pub(crate) fn schema(&self, api_version: &str) -> Option<&'a Value> {
        self.version(api_version).map(|version| &version.field_schema)
    }

    /// Takes a value to an `apiVersion`; as it is if that is not served.
    pub(crate) fn convert(&self, value: &Value, api_version: &str) -> Value {
        match self.version(api_version) {
            Some(version) => self.kind.convert(value, &version.name).into_owned(),
            None => value.clone(),
        }
    }

    /// Returns what differs between two values as seen in an `apiVersion`; `None` if that is not served.
    ///
    /// The comparison is kept: all calls must be about the same two values.
    pub(crate) fn compare(&mut self, before: &Value, after: &Value, api_version: &str) -> Option<&Comparison> {
        let version = self.version(api_version)?;
        if !self.compared.contains_key(api_version) {
            let (before, after) = (self.kind.convert(before, &version.name), self.kind.convert(after, &version.name));
            let comparison = compare(&before, &after, Some(&version.field_schema));
            self.compared.insert(api_version.to_owned(), comparison);
        }
        self.compared.get(api_version)
    }

    /// Like [`Self::compare`], for the last call.
    pub(crate) fn take(mut self, before: &Value, after: &Value, api_version: &str) -> Comparison {
        self.compare(before, after, api_version);
        self.compared.remove(api_version).unwrap_or_default()
    }

    fn version(&self, api_version: &str) -> Option<&'a crate::kind::Version> {
        let kind = self.kind;
        kind.versions.iter().find(|version| kind.api_version(&version.name) == api_version)
    }
}
