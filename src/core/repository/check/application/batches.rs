//! The revisions of components, and their batches.

use std::collections::BTreeMap;

use serde_json::Value;

use super::rendered::has_errors;
use super::schema::listed;
use crate::application::dispatch::{cautions, dispatchable, steps};
use crate::definition::Definitions;
use crate::read::notes::Notes;
use crate::read::object::path;
use crate::settings::Executor;

/// Adds the problems of revisions that components share, and warnings about batches.
pub(super) fn check(notes: &mut Notes<'_>, definitions: &Definitions) {
    shared(notes);
    if has_errors(notes) {
        return;
    }
    let object = notes.object;
    let components = path(&["spec", "components"]);
    for (at, why) in cautions(object, definitions.rollout) {
        notes.warning(object.value_origin(&at), format!("{at} {why}"));
    }
    if definitions.rollout != Executor::Standard || !steps(&object.value).is_empty() {
        // What steps dispatch together is known there.
        return;
    }
    for (index, component) in dispatchable(object, definitions).into_iter().enumerate() {
        let Some((target, own)) = component.target.zip(component.revision).filter(|(target, own)| target != own) else {
            continue;
        };
        let at = components.clone().item(index);
        let message = format!(
            "{at} is rolled out to revision {target}, while its own revision is {own}: each cluster has to have {target} already"
        );
        notes.warning(object.value_origin(&at), message);
    }
}

/// Adds a complaint about each externalRevision that an earlier component has.
fn shared(notes: &mut Notes<'_>) {
    let object = notes.object;
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, component) in listed(&object.value, "/spec/components") {
        let Some(name) = component.get("externalRevision").and_then(Value::as_str) else { continue };
        if let Some(earlier) = known.get(name) {
            let at = path(&["spec", "components"]).item(index).member("externalRevision");
            let message = format!("{at} is {name}, which is that of spec.components[{earlier}]; write another one");
            notes.error(object.value_origin(&at), message);
        } else {
            known.insert(name, index);
        }
    }
}
