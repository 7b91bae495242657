//! Checks of the manifests of an AddOnTemplate: what an API server refuses, drops or overwrites on the clusters.
//!
//! Only what every API server refuses is an error, because an error keeps the add-on at its last good revision. A value with a
//! `{{VARIABLE}}` can become anything, so it is not checked.

mod duplicate;
mod field;
mod kind;
mod selector;
mod variable;

use serde_json::Value;

use crate::repository::read::notes::{MAX_PER_OBJECT, Notes};
use crate::repository::read::object::{Object, path};
use tidegate_api::schema::path::Path;
use tidegate_kustomize::yaml::Origin;

/// A manifest of a template.
#[derive(Clone, Copy)]
struct Manifest<'a> {
    /// The template.
    template: &'a Object,
    /// The path of the manifest in the template.
    at: &'a Path,
    /// The manifest.
    value: &'a Value,
    /// The group; empty for the core group.
    group: &'a str,
    version: &'a str,
    kind: &'a str,
}

/// The problems of all manifests of a template, up to a limit.
#[derive(Default)]
struct Problems {
    errors: Vec<(Origin, String)>,
    warnings: Vec<(Origin, String)>,
}

impl Problems {
    /// Adds a problem that every API server refuses.
    fn error(&mut self, origin: Origin, message: impl FnOnce() -> String) {
        if self.errors.len() <= MAX_PER_OBJECT {
            self.errors.push((origin, message()));
        }
    }

    /// Adds a problem that some API servers accept.
    fn warning(&mut self, origin: Origin, message: impl FnOnce() -> String) {
        if self.warnings.len() < MAX_PER_OBJECT {
            self.warnings.push((origin, message()));
        }
    }
}

/// Adds the problems of all manifests of a template, the errors first, so that warnings cannot displace them.
pub(super) fn check(notes: &mut Notes<'_>) {
    let template = notes.object;
    let paths: Vec<(Path, &Value)> = values(template).collect();
    let manifests = || paths.iter().filter_map(|(at, value)| Manifest::new(template, at, value));
    let mut problems = Problems::default();
    for manifest in manifests() {
        kind::check(manifest, &mut problems);
        field::check(manifest, &mut problems);
        selector::check(manifest, &mut problems);
    }
    duplicate::check(manifests(), &mut problems);
    problems.errors.into_iter().for_each(|(origin, message)| notes.error(origin, message));
    problems.warnings.into_iter().for_each(|(origin, message)| notes.warning(origin, message));
}

/// Returns the manifests of a template with their paths.
fn values(template: &Object) -> impl Iterator<Item = (Path, &Value)> {
    let manifests = template.value.pointer("/spec/agentSpec/workload/manifests").and_then(Value::as_array);
    let at = path(&["spec", "agentSpec", "workload", "manifests"]);
    manifests.into_iter().flatten().enumerate().map(move |(index, value)| (at.item(index), value))
}

impl<'a> Manifest<'a> {
    /// Returns the manifest at a path; `None` if its kind is missing, empty, or contains a variable.
    fn new(template: &'a Object, at: &'a Path, value: &'a Value) -> Option<Self> {
        let text = |field: &str| value.get(field)?.as_str().filter(|text| !text.is_empty() && !variable::is_in(text));
        let (api_version, kind) = (text("apiVersion")?, text("kind")?);
        let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
        Some(Self { template, at, value, group, version, kind })
    }

    /// Returns the path in the template of nested fields of the manifest.
    fn path(&self, fields: &[&str]) -> Path {
        fields.iter().fold(self.at.clone(), |at, field| at.member(field))
    }
}
