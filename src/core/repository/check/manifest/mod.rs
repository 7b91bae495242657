//! Checks of the manifests of an AddOnTemplate: what an API server refuses, drops or overwrites on the clusters.
//!
//! Only what every API server refuses is an error, because an error keeps the add-on at its last good revision. A value with a
//! `{{VARIABLE}}` can become anything, so it is not checked.

mod duplicate;
mod entry;
mod field;
mod image;
mod kind;
mod problem;
mod selector;
mod variable;

use serde_json::Value;

use self::entry::{Manifest, values};
use self::problem::Problems;
use crate::read::notes::Notes;
use tidegate_api::schema::path::Path;

/// Adds the problems of all manifests of a template.
pub(super) fn check(notes: &mut Notes<'_>) {
    let paths: Vec<(Path, &Value)> = values(notes.object).collect();
    check_manifests(notes, &paths);
}

/// Adds the problems of manifests at paths of an object, the errors first, so that warnings cannot displace them.
pub(crate) fn check_manifests(notes: &mut Notes<'_>, paths: &[(Path, &Value)]) {
    let template = notes.object;
    let manifests = || paths.iter().filter_map(|(at, value)| Manifest::new(template, at, value));
    let mut problems = Problems::default();
    for manifest in manifests() {
        kind::check(manifest, &mut problems);
        field::check(manifest, &mut problems);
        selector::check(manifest, &mut problems);
        image::check(manifest, &mut problems);
    }
    duplicate::check(manifests(), &mut problems);
    problems.errors.into_iter().for_each(|(origin, message)| notes.error(origin, message));
    problems.warnings.into_iter().for_each(|(origin, message)| notes.warning(origin, message));
}
