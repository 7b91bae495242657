//! The units that a cluster must have before it gets an application.

use std::collections::BTreeSet;

use serde_json::Value;

use super::steps;
use crate::unit::Unit;
use tidegate_api::key;
use tidegate_model::name::UnitName;

/// Returns the names in the annotation of an application, as written; none if there is no such annotation.
pub(crate) fn names(application: &Value) -> Vec<&str> {
    let annotation = application.pointer("/metadata/annotations").and_then(|all| all.get(key::REQUIRES)?.as_str());
    annotation.map(|names| split(names).collect()).unwrap_or_default()
}

fn split(names: &str) -> impl Iterator<Item = &str> {
    names.split(',').map(str::trim)
}

/// Returns the units that the revisions of an AppDeployment require, and its own annotation does not name.
pub(crate) fn inherited(unit: &Unit) -> BTreeSet<&UnitName> {
    let annotation = unit.metadata().annotations.as_ref().and_then(|annotations| annotations.get(key::REQUIRES));
    let own: BTreeSet<&str> = annotation.into_iter().flat_map(|names| split(names)).collect();
    unit.requires().iter().filter(|required| !own.contains(required.as_str())).collect()
}

/// Returns the units that an application without errors requires.
pub(super) fn units(application: &Value) -> BTreeSet<UnitName> {
    let awaited = steps::awaited(application);
    let names = names(application).into_iter().chain(awaited.iter().map(|(_, name)| name.as_str()));
    names.filter_map(|name| name.parse().ok()).collect()
}
