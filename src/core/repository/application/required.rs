//! The units that a cluster must have before it gets an application.

use std::collections::BTreeSet;

use serde_json::Value;

use tidegate_api::key;
use tidegate_model::name::UnitName;

/// Returns the names in the annotation of an application, as written; none if there is no such annotation.
pub(crate) fn names(application: &Value) -> Vec<&str> {
    let annotation = application.pointer("/metadata/annotations").and_then(|all| all.get(key::REQUIRES)?.as_str());
    annotation.map(|names| names.split(',').map(str::trim).collect()).unwrap_or_default()
}

/// Returns the units that an application without errors requires.
pub(super) fn units(application: &Value) -> BTreeSet<UnitName> {
    names(application).into_iter().filter_map(|name| name.parse().ok()).collect()
}
