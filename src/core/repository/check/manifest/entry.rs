//! A manifest of a template.

use serde_json::Value;

use super::variable;
use crate::read::object::{Object, path};
use tidegate_api::schema::path::Path;

/// A manifest of a template.
#[derive(Clone, Copy)]
pub(super) struct Manifest<'a> {
    /// The template.
    pub(super) template: &'a Object,
    /// The path of the manifest in the template.
    pub(super) at: &'a Path,
    /// The manifest.
    pub(super) value: &'a Value,
    /// The group; empty for the core group.
    pub(super) group: &'a str,
    pub(super) version: &'a str,
    pub(super) kind: &'a str,
}

impl<'a> Manifest<'a> {
    /// Returns the manifest at a path; `None` if its kind is missing, empty, or contains a variable.
    pub(super) fn new(template: &'a Object, at: &'a Path, value: &'a Value) -> Option<Self> {
        let text = |field: &str| value.get(field)?.as_str().filter(|text| !text.is_empty() && !variable::is_in(text));
        let (api_version, kind) = (text("apiVersion")?, text("kind")?);
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Some(Self { template, at, value, group, version, kind })
    }

    /// Returns the path in the template of nested fields of the manifest.
    pub(super) fn path(&self, fields: &[&str]) -> Path {
        fields.iter().fold(self.at.clone(), |at, field| at.member(field))
    }
}

/// Returns the manifests of a template with their paths.
pub(super) fn values(template: &Object) -> impl Iterator<Item = (Path, &Value)> {
    let manifests = template.value.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    let at = path(&["spec", "agentSpec", "workload", "manifests"]);
    manifests.into_iter().flatten().enumerate().map(move |(index, value)| (at.item(index), value))
}
