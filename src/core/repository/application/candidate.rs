//! Candidates: applications that are validated and planned, and never rolled out.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::kind::{declared_unit, is_application};
use crate::read::object::Object;
use tidegate_model::diagnostic::Place;
use tidegate_model::name::UnitName;

/// The annotation that makes an application a candidate.
pub(crate) const REVISION_ONLY: &str = "app.oam.dev/revision-only";

/// Returns the value of the annotation, as written.
pub(crate) fn revision_only(object: &Object) -> Option<&Value> {
    object.value.pointer("/metadata/annotations")?.get(REVISION_ONLY)
}

/// Returns `true` if an object is an application that is not rolled out.
///
/// # Source
/// KubeVela: only the string `true` has an effect.
pub(crate) fn is_candidate(object: &Object) -> bool {
    is_application(object) && revision_only(object).is_some_and(|value| value == "true")
}

/// Returns all candidates, those with errors included, each with its place. A name that something else declares as well is that of a unit.
pub(crate) fn candidates(objects: &[Object]) -> BTreeMap<UnitName, Place> {
    let others = objects.iter().filter(|object| !is_candidate(object));
    let units: BTreeSet<UnitName> = others.filter_map(declared_unit).collect();
    let candidates = objects.iter().filter(|object| is_candidate(object));
    let candidates = candidates.filter_map(|object| Some((declared_unit(object)?, object.place())));
    candidates.filter(|(name, _)| !units.contains(name)).collect()
}
