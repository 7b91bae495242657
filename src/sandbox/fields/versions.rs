//! Conversion of values to the versions that managed fields refer to.

use std::collections::BTreeMap;

use serde_json::Value;

use super::compare::{Comparison, compare};
use crate::kind::Kind;

/// The versions of a kind, and the changes of a write in each of them.
pub(crate) struct Versions<'a> {
    kind: &'a Kind,
    compared: BTreeMap<String, Comparison>,
}

impl<'a> Versions<'a> {
    /// Creates an empty cache of comparisons.
    pub(crate) fn new(kind: &'a Kind) -> Self {
        Self { kind, compared: BTreeMap::new() }
    }

    /// Returns the schema of an `apiVersion`; `None` if it is not served.
    pub(crate) fn schema(&self, api_version: &str) -> Option<&'a Value> {
        self.version(api_version).map(|version| &version.field_schema)
    }

    /// Converts a value to an `apiVersion`; returns it unchanged if that is not served.
    pub(crate) fn convert(&self, value: &Value, api_version: &str) -> Value {
        match self.version(api_version) {
            Some(version) => self.kind.convert(value, &version.name).into_owned(),
            None => value.clone(),
        }
    }

    /// Compares two values in an `apiVersion`; `None` if that is not served.
    ///
    /// The comparison is cached, so all calls must pass the same two values.
    pub(crate) fn compare(&mut self, before: &Value, after: &Value, api_version: &str) -> Option<&Comparison> {
        let version = self.version(api_version)?;
        if !self.compared.contains_key(api_version) {
            let (before, after) = (self.kind.convert(before, &version.name), self.kind.convert(after, &version.name));
            let comparison = compare(&before, &after, Some(&version.field_schema));
            self.compared.insert(api_version.to_owned(), comparison);
        }
        self.compared.get(api_version)
    }

    /// Like [`Self::compare`], but returns an owned comparison; empty if the `apiVersion` is not served.
    pub(crate) fn take(mut self, before: &Value, after: &Value, api_version: &str) -> Comparison {
        self.compare(before, after, api_version);
        self.compared.remove(api_version).unwrap_or_default()
    }

    fn version(&self, api_version: &str) -> Option<&'a crate::kind::Version> {
        let kind = self.kind;
        kind.versions.iter().find(|version| kind.api_version(&version.name) == api_version)
    }
}
